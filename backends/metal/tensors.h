/* What the files of operations share: launching a kernel on tensors.
 *
 * An operation is one file: which element types candle's Metal backend has, the text with
 * which it refuses the others (candle-core metal_backend/mod.rs), and the launch. Its
 * kernels are kernels/NAME.metal. */
#ifndef PARITY_METAL_TENSORS_H
#define PARITY_METAL_TENSORS_H

#include "backends/core/device.h"
#include "backends/core/errors.h"
#include "backends/core/layout.h"
#include "backends/metal/kernels/args.h"
#include "backends/metal/pool.h"

typedef struct metal_device {
    metal_gpu *gpu;
    metal_pool pool;
    uint64_t seed;
} metal_device;

/* Sets of element types. */
#define METAL_U8  (1u << CORE_U8)
#define METAL_U32 (1u << CORE_U32)
#define METAL_I16 (1u << CORE_I16)
#define METAL_I32 (1u << CORE_I32)
#define METAL_I64 (1u << CORE_I64)
#define METAL_F32 (1u << CORE_F32)
/* What most of candle's kernels are there for, besides the half types. */
#define METAL_USUAL (METAL_U8 | METAL_U32 | METAL_I64 | METAL_F32)

static inline bool metal_has(unsigned types, core_dtype dtype)
{
    return types >> dtype & 1;
}

static inline metal_device *metal_of(const core_storage *storage)
{
    return storage->device->state;
}

static inline size_t metal_bytes(const core_storage *storage, size_t elements)
{
    return elements * core_dtype_info(storage->dtype)->size;
}

/* "U8": how candle prints an element type. */
static inline const char *metal_variant(core_dtype dtype)
{
    return core_dtype_info(dtype)->variant;
}

/* "contiguous" or "strided", as candle's refusals say. */
const char *metal_layout_word(const core_layout *layout);

/* An operand from `offset` elements on. */
metal_operand metal_at(const core_storage *storage, size_t offset);
/* Its walk; CORE_UNSUPPORTED when it leaves the storage, which candle does not check. */
core_status metal_walk(metal_view *view, core_view operand, core_error *error);

/* A launch of one thread an element of the result; `threads` 0 does nothing. The name of
 * the kernel is printed from the format. */
typedef struct metal_call {
    const char *family;
    const void *args;
    size_t args_size;
    metal_operand operands[METAL_OPERANDS];
    size_t noperands;
    size_t threads;
    size_t groups, width, shared; /* as in metal_launch */
} metal_call;
core_status metal_run(const core_storage *on, const metal_call *call, core_error *error,
                      const char *format, ...) CORE_PRINTF(4, 5);
/* Waits; CORE_UNSUPPORTED when a kernel did what Metal leaves open. */
core_status metal_wait(core_device *device, core_error *error);
/* "Metal error …" */
core_status metal_failed(core_error *error, const metal_error *why);

/* Kernels of one operand: affine, unary, cast, copy. `in` is walked, out is filled from
 * `offset` elements on. */
core_status metal_map(core_storage *out, size_t offset, core_view in, float a, float b,
                      core_error *error, const char *family, const char *kernel);

core_status metal_affine(core_storage *out, core_view in, double mul, double add,
                         core_error *error);
core_status metal_powf(core_storage *out, core_view in, double exponent,
                       core_error *error);
core_status metal_elu(core_storage *out, core_view in, double alpha, core_error *error);
core_status metal_unary(core_storage *out, core_unary op, core_view in,
                        core_error *error);
core_status metal_binary(core_storage *out, core_binary op, core_view lhs, core_view rhs,
                         core_error *error);
core_status metal_cmp(core_storage *out, core_cmp op, core_view lhs, core_view rhs,
                      core_error *error);
core_status metal_cast(core_storage *out, core_view in, core_error *error);
core_status metal_where_cond(core_storage *out, core_view pred, core_view on_true,
                             core_view on_false, core_error *error);
core_status metal_reduce(core_storage *out, core_reduce op, core_view in,
                         const size_t *dims, size_t ndims, core_error *error);
core_status metal_matmul(core_storage *out, core_view lhs, core_view rhs,
                         const size_t bmnk[4], core_error *error);
core_status metal_index_select(core_storage *out, core_view in, core_view ids, size_t dim,
                               core_error *error);
core_status metal_gather(core_storage *out, core_view in, core_view ids, size_t dim,
                         core_error *error);
core_status metal_index_add(core_storage *out, core_view in, core_view ids,
                            core_view source, size_t dim, core_error *error);
core_status metal_scatter(core_view self, core_view ids, core_view source, size_t dim,
                          bool add, core_error *error);
core_status metal_const_set(core_view self, core_scalar value, core_error *error);
core_status metal_copy_strided(core_storage *out, size_t offset, core_view in,
                               core_error *error);
core_status metal_copy2d(core_storage *out, const core_storage *in, size_t rows,
                         size_t cols, size_t in_stride, size_t out_stride,
                         size_t in_offset, size_t out_offset, core_error *error);

#endif
