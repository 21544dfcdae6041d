/* Elements of `data:` as bytes: numbers, named patterns, tensors of safetensors files. */
#ifndef PARITY_LOAD_ELEMENTS_H
#define PARITY_LOAD_ELEMENTS_H

#include "harness/base/dtype.h"
#include "harness/base/error.h"

#include <stdint.h>

/* Writes one little-endian element. Floating types round to the nearest, ties to
 * even; what is too large becomes infinity, or, in f8e4m3, which has none, the largest
 * number. */
void parity_element_from_double(parity_dtype dtype, double number, void *bytes);
/* Reads `1`, `-0.5`, `inf`, `nan`, `true`. Fails when the type cannot hold such a number
 * at all: a fraction or a number out of range for an integer type. */
int parity_element_from_text(parity_dtype dtype, const char *text, void *bytes,
                             parity_error *error);

/* Fills `count` elements with one of the patterns that docs/cases.md defines. */
int parity_pattern_fill(parity_dtype dtype, const char *pattern, void *bytes,
                        size_t count, parity_error *error);

/* One tensor of a safetensors file. */
typedef struct parity_stored {
    parity_dtype dtype;
    size_t rank;
    int64_t shape[32];
    void *bits; /* new */
    size_t nbytes;
} parity_stored;
/* Reads only the header and that tensor, of at most `limit` bytes. */
int parity_safetensors_read(parity_stored *out, const char *path, const char *tensor,
                            size_t limit, parity_error *error);

#endif
