/* What the kernels of the CPU share: the element types they are made for, bounds,
 * walking.
 *
 * A kernel family has one file: a block function per element type, which works on a run
 * of n elements with given strides, made by a macro from one expression; and its entry in
 * the device's table. The drivers below walk the layouts. A `plain` device (reference)
 * walks element by element in row-major order; the usual one takes the longest runs it
 * can, where the compiler vectorises. Both must give the same bits. */
#ifndef PARITY_CPU_KERNELS_H
#define PARITY_CPU_KERNELS_H

#include "backends/core/device.h"
#include "backends/core/errors.h"
#include "backends/core/layout.h"
#include "backends/core/mutants.h"

/* X(dtype, suffix, C type, type to calculate in): integers wrap, so they calculate
 * unsigned. */
#define CORE_FOR_INTS(X)                                                                 \
    X(CORE_U8, u8, uint8_t, uint32_t)                                                    \
    X(CORE_U32, u32, uint32_t, uint32_t)                                                 \
    X(CORE_I16, i16, int16_t, uint32_t)                                                  \
    X(CORE_I32, i32, int32_t, uint32_t)                                                  \
    X(CORE_I64, i64, int64_t, uint64_t)
#define CORE_FOR_FLOATS(X)                                                               \
    X(CORE_F32, f32, float, float)                                                       \
    X(CORE_F64, f64, double, double)
#define CORE_FOR_DTYPES(X)                                                               \
    CORE_FOR_INTS(X)                                                                     \
    CORE_FOR_FLOATS(X)

/* `as` of Rust from f64: truncates, saturates, NaN is 0. */
#define CORE_SATURATE(name, T, LOW, HIGH)                                                \
    static inline T core_##name##_from_f64(double v)                                     \
    {                                                                                    \
        if (v >= (double)(HIGH))                                                         \
            return (T)(HIGH);                                                            \
        if (v <= (double)(LOW))                                                          \
            return (T)(LOW);                                                             \
        return v == v ? (T)v : 0;                                                        \
    }
CORE_SATURATE(u8, uint8_t, 0, UINT8_MAX)
CORE_SATURATE(u32, uint32_t, 0, UINT32_MAX)
CORE_SATURATE(i16, int16_t, INT16_MIN, INT16_MAX)
CORE_SATURATE(i32, int32_t, INT32_MIN, INT32_MAX)
CORE_SATURATE(i64, int64_t, INT64_MIN, INT64_MAX)
static inline float core_f32_from_f64(double v)
{
    return (float)v;
}
static inline double core_f64_from_f64(double v)
{
    return v;
}

/* out[i] = f(in[i * stride]) for n elements; params belong to the family. */
typedef void core_block1(void *restrict out, const void *in, size_t n, size_t stride,
                         const void *params);
/* out[i] = f(a[i * sa], b[i * sb]); a result other than NULL is the text of a panic. */
typedef const char *core_block2(void *restrict out, const void *a, size_t sa,
                                const void *b, size_t sb, size_t n);

/* Walks `in` in row-major order and fills `out` from its start. */
core_status core_cpu_map1(core_storage *out, core_view in, core_block1 *block,
                          const void *params, core_error *error);
core_status core_cpu_map2(core_storage *out, core_view a, core_view b, core_block2 *block,
                          core_error *error);

/* Does the layout lie inside the storage? If not, the panic of the slice or index that
 * candle would use; `unchecked` says that candle does not look (undefined behaviour
 * there). */
core_status core_cpu_bounds(core_view view, bool unchecked, core_error *error);
core_status core_cpu_slice(size_t start, size_t length, size_t of, core_error *error);

static inline size_t core_cpu_size(const core_storage *storage)
{
    return core_dtype_info(storage->dtype)->size;
}

static inline const void *core_cpu_at(const core_storage *storage, size_t offset)
{
    return (const char *)storage->data + offset * core_cpu_size(storage);
}

static inline void *core_cpu_write(core_storage *storage, size_t offset)
{
    return (char *)storage->data + offset * core_cpu_size(storage);
}

core_status core_cpu_affine(core_storage *out, core_view in, double mul, double add,
                            core_error *error);
core_status core_cpu_unary(core_storage *out, core_unary op, core_view in,
                           core_error *error);
core_status core_cpu_elu(core_storage *out, core_view in, double alpha,
                         core_error *error);
core_status core_cpu_powf(core_storage *out, core_view in, double exponent,
                          core_error *error);
core_status core_cpu_binary(core_storage *out, core_binary op, core_view lhs,
                            core_view rhs, core_error *error);
core_status core_cpu_cmp(core_storage *out, core_cmp op, core_view lhs, core_view rhs,
                         core_error *error);
core_status core_cpu_cast(core_storage *out, core_view in, core_error *error);
core_status core_cpu_where_cond(core_storage *out, core_view pred, core_view on_true,
                                core_view on_false, core_error *error);
core_status core_cpu_reduce(core_storage *out, core_reduce op, core_view in,
                            const size_t *dims, size_t ndims, core_error *error);
core_status core_cpu_matmul(core_storage *out, core_view lhs, core_view rhs,
                            const size_t bmnk[4], core_error *error);
core_status core_cpu_index_select(core_storage *out, core_view in, core_view ids,
                                  size_t dim, core_error *error);
core_status core_cpu_gather(core_storage *out, core_view in, core_view ids, size_t dim,
                            core_error *error);
core_status core_cpu_index_add(core_storage *out, core_view in, core_view ids,
                               core_view source, size_t dim, core_error *error);
core_status core_cpu_scatter(core_view self, core_view ids, core_view source, size_t dim,
                             bool add, core_error *error);
core_status core_cpu_const_set(core_view self, core_scalar value, core_error *error);
core_status core_cpu_copy_strided(core_storage *out, size_t offset, core_view in,
                                  core_error *error);
core_status core_cpu_copy2d(core_storage *out, const core_storage *in, size_t rows,
                            size_t cols, size_t in_stride, size_t out_stride,
                            size_t in_offset, size_t out_offset, core_error *error);
core_status core_cpu_custom(core_storage *out, core_custom op, const char *name,
                            const core_view *views, size_t nviews, double param,
                            core_error *error);
/* erf as Rust's libm computes it, to the bit (erf.c). */
double core_erf_f64(double x);
float core_erf_f32(float x);
core_status core_cpu_read(void *bytes, core_view in, core_error *error);

#endif
