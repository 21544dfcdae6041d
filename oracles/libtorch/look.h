/* What the torch worker and the replaying worker see of a tensor alike. Calls nothing of
 * torch. */
#ifndef ORACLES_LIBTORCH_LOOK_H
#define ORACLES_LIBTORCH_LOOK_H

#include "oracles/libtorch/gather.h"
#include "oracles/libtorch/shim.h"

/* "float32": the name of a type in the module torch. */
const char *libtorch_dtype_name(parity_dtype dtype);

/* Fills dtype, shape, strides and offset of a zeroed tensor. Fails with the reason when
 * there is no notation for what was found: another layout, device, dtype. */
int libtorch_look(parity_tensor *out, const shim_info *info, parity_error *reason);

/* Fills the bits of a tensor whose dtype and layout are known and whose storage is
 * `bytes` long. Fails when it does not lie within, or has more than 4 GiB. */
int libtorch_bits(parity_tensor *out, const unsigned char *storage, int64_t bytes,
                  parity_error *reason);

/* The elements of a tensor in a text: `=` and their bytes in hex, up to 32 bytes, else
 * `#` and XXH3-64 over them. */
#define LIBTORCH_DIGEST 80
int libtorch_digest(char text[LIBTORCH_DIGEST], const shim_info *info,
                    parity_error *reason);

/* XXH3-64 over a whole storage. */
uint64_t libtorch_storage_hash(const shim_info *info);

#endif
