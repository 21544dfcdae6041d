/* to_dtype (cpu_backend/mod.rs to_dtype): float to int truncates and saturates, NaN is 0;
 * int to int keeps the low bits; anything to float rounds to nearest. */
#include "backends/cpu/kernels.h"

/* How a value of type S becomes a T, by the classes of both. */
#define FROM_FLOAT(s, T, v) core_##s##_from_f64(v)
#define WRAPPED(T, v)       (T)(uint64_t)(int64_t)(v)

#define CAST_BLOCK(from, S, to, T, EXPR)                                                 \
    static void from##_##to(void *restrict out, const void *in, size_t n, size_t stride, \
                            const void *params)                                          \
    {                                                                                    \
        (void)params;                                                                    \
        T *restrict y = out;                                                             \
        const S *x = in;                                                                 \
        if (stride == 1)                                                                 \
            for (size_t i = 0; i < n; i++) {                                             \
                const S v = x[i];                                                        \
                y[i] = EXPR;                                                             \
            }                                                                            \
        else                                                                             \
            for (size_t i = 0; i < n; i++) {                                             \
                const S v = x[i * stride];                                               \
                y[i] = EXPR;                                                             \
            }                                                                            \
    }

#define FLOAT_TO_INT(from, S, to, T)                                                     \
    CAST_BLOCK(from, S, to, T,                                                           \
               CORE_MUTANT(cast_wraps) && v > -9e18 && v < 9e18 ? WRAPPED(T, v)          \
                                                                : FROM_FLOAT(to, T, v))
#define PLAIN(from, S, to, T) CAST_BLOCK(from, S, to, T, (T)v)

#define FROM_INT(dtype, s, S, A)                                                         \
    PLAIN(s, S, u8, uint8_t)                                                             \
    PLAIN(s, S, u32, uint32_t)                                                           \
    PLAIN(s, S, i16, int16_t)                                                            \
    PLAIN(s, S, i32, int32_t)                                                            \
    PLAIN(s, S, i64, int64_t)                                                            \
    PLAIN(s, S, f32, float)                                                              \
    PLAIN(s, S, f64, double)
CORE_FOR_INTS(FROM_INT)

#define FROM_FLOAT_TYPE(dtype, s, S, A)                                                  \
    FLOAT_TO_INT(s, S, u8, uint8_t)                                                      \
    FLOAT_TO_INT(s, S, u32, uint32_t)                                                    \
    FLOAT_TO_INT(s, S, i16, int16_t)                                                     \
    FLOAT_TO_INT(s, S, i32, int32_t)                                                     \
    FLOAT_TO_INT(s, S, i64, int64_t)                                                     \
    PLAIN(s, S, f32, float)                                                              \
    PLAIN(s, S, f64, double)
CORE_FOR_FLOATS(FROM_FLOAT_TYPE)

#define ROW(dtype, s, S, A)                                                              \
    [dtype] = {[CORE_U8] = s##_u8,   [CORE_U32] = s##_u32, [CORE_I16] = s##_i16,         \
               [CORE_I32] = s##_i32, [CORE_I64] = s##_i64, [CORE_F32] = s##_f32,         \
               [CORE_F64] = s##_f64},
static core_block1 *const blocks[CORE_DTYPE_COUNT][CORE_DTYPE_COUNT] = {
    CORE_FOR_DTYPES(ROW)};

core_status core_cpu_cast(core_storage *out, core_view in, core_error *error)
{
    return core_cpu_map1(out, in, blocks[in.storage->dtype][out->dtype], NULL, error);
}
