/* Functions of one element (op.rs UnaryOpT). In f32 they are the C library's float
 * functions, as in Rust's std. Most are not defined for integers: candle panics there, or
 * gives 0. erf alone comes from another library upstream (erf.c). */
#include "backends/cpu/kernels.h"

#include <math.h>

#define BLOCK(name, s, T, EXPR)                                                          \
    static void name##_##s(void *restrict out, const void *in, size_t n, size_t stride,  \
                           const void *params)                                           \
    {                                                                                    \
        (void)params;                                                                    \
        T *restrict y = out;                                                             \
        const T *x = in;                                                                 \
        if (stride == 1)                                                                 \
            for (size_t i = 0; i < n; i++) {                                             \
                const T v = x[i];                                                        \
                y[i] = EXPR;                                                             \
            }                                                                            \
        else                                                                             \
            for (size_t i = 0; i < n; i++) {                                             \
                const T v = x[i * stride];                                               \
                y[i] = EXPR;                                                             \
            }                                                                            \
    }

#define SQRT_TWO_OVER_PI 0.79788456080286535587989211986876373
#define FRAC_1_SQRT_2    0.707106781186547524400844362104849039

#define FLOATS(s, T, m)                                                                  \
    BLOCK(exp, s, T, exp##m(v))                                                          \
    BLOCK(log, s, T, log##m(v))                                                          \
    BLOCK(sin, s, T, sin##m(v))                                                          \
    BLOCK(cos, s, T, cos##m(v))                                                          \
    BLOCK(tanh, s, T, tanh##m(v))                                                        \
    BLOCK(abs, s, T, fabs##m(v))                                                         \
    BLOCK(neg, s, T, -v)                                                                 \
    BLOCK(recip, s, T, (T)1 / v)                                                         \
    BLOCK(sqr, s, T, v *v)                                                               \
    BLOCK(sqrt, s, T, sqrt##m(v))                                                        \
    BLOCK(gelu, s, T,                                                                    \
          (T)0.5 * v *                                                                   \
              ((T)1 + tanh##m((T)SQRT_TWO_OVER_PI * v * ((T)1 + (T)0.044715 * v * v))))  \
    BLOCK(gelu_erf, s, T, (core_erf_##s(v * (T)FRAC_1_SQRT_2) + (T)1) * (T)0.5 * v)      \
    BLOCK(erf, s, T, core_erf_##s(v))                                                    \
    BLOCK(relu, s, T, v > 0 ? v : 0)                                                     \
    BLOCK(silu, s, T, v / ((T)1 + exp##m(-v)))                                           \
    BLOCK(floor, s, T, floor##m(v))                                                      \
    BLOCK(ceil, s, T, ceil##m(v))                                                        \
    BLOCK(round, s, T, round##m(v))                                                      \
    BLOCK(sign, s, T, (T)(v > 0) - (T)(v < 0))
FLOATS(f32, float, f)
FLOATS(f64, double, )

/* abs of the most negative value wraps to itself. */
#define INTS(dtype, s, T, A)                                                             \
    BLOCK(abs, s, T, (T)(v < 0 ? 0 - (A)v : (A)v))                                       \
    BLOCK(same, s, T, v)                                                                 \
    BLOCK(zero, s, T, (T)(v & 0))                                                        \
    BLOCK(relu, s, T, (T)(v > 0 ? v : 0))                                                \
    BLOCK(sign, s, T, (T)((v > 0) - (v < 0)))
CORE_FOR_INTS(INTS)

#define FLOAT_ROW(dtype, s, T, A)                                                        \
    [dtype] = {[CORE_EXP] = exp_##s,     [CORE_LOG] = log_##s,                           \
               [CORE_SIN] = sin_##s,     [CORE_COS] = cos_##s,                           \
               [CORE_ABS] = abs_##s,     [CORE_NEG] = neg_##s,                           \
               [CORE_RECIP] = recip_##s, [CORE_SQR] = sqr_##s,                           \
               [CORE_SQRT] = sqrt_##s,   [CORE_GELU] = gelu_##s,                         \
               [CORE_ERF] = erf_##s,     [CORE_GELU_ERF] = gelu_erf_##s,                 \
               [CORE_RELU] = relu_##s,   [CORE_SILU] = silu_##s,                         \
               [CORE_TANH] = tanh_##s,   [CORE_FLOOR] = floor_##s,                       \
               [CORE_CEIL] = ceil_##s,   [CORE_ROUND] = round_##s,                       \
               [CORE_SIGN] = sign_##s},
#define INT_ROW(dtype, s, T, A)                                                          \
    [dtype] = {                                                                          \
        [CORE_ABS] = abs_##s,    [CORE_FLOOR] = same_##s,    [CORE_CEIL] = same_##s,     \
        [CORE_ROUND] = same_##s, [CORE_SIGN] = sign_##s,     [CORE_RELU] = relu_##s,     \
        [CORE_GELU] = zero_##s,  [CORE_GELU_ERF] = zero_##s, [CORE_ERF] = zero_##s,      \
        [CORE_SILU] = zero_##s},
static core_block1 *const blocks[CORE_DTYPE_COUNT][CORE_UNARY_COUNT] = {
    CORE_FOR_FLOATS(FLOAT_ROW) CORE_FOR_INTS(INT_ROW)};

core_status core_cpu_unary(core_storage *out, core_unary op, core_view in,
                           core_error *error)
{
    core_block1 *block = blocks[out->dtype][op];
    if (!block)
        return core_fail(error, CORE_PANIC,
                         "not yet implemented: no unary function for %s",
                         core_dtype_info(out->dtype)->name);
    return core_cpu_map1(out, in, block, NULL, error);
}

/* elu looks at the sign bit, so that -0.0 takes the second branch. */
#define WITH_PARAM(s, T, m)                                                              \
    static void elu_##s(void *restrict out, const void *in, size_t n, size_t stride,     \
                        const void *params)                                              \
    {                                                                                    \
        const T alpha = (T) * (const double *)params, *x = in;                           \
        T *restrict y = out;                                                             \
        for (size_t i = 0; i < n; i++) {                                                 \
            const T v = x[i * stride];                                                   \
            y[i] = signbit(v) ? (exp##m(v) - (T)1) * alpha : v;                          \
        }                                                                                \
    }                                                                                    \
    static void powf_##s(void *restrict out, const void *in, size_t n, size_t stride,    \
                         const void *params)                                             \
    {                                                                                    \
        const T e = (T) * (const double *)params, *x = in;                               \
        T *restrict y = out;                                                             \
        for (size_t i = 0; i < n; i++)                                                   \
            y[i] = pow##m(x[i * stride], e);                                             \
    }
WITH_PARAM(f32, float, f)
WITH_PARAM(f64, double, )

static core_block1 *const elus[CORE_DTYPE_COUNT] = {
    [CORE_F32] = elu_f32, [CORE_F64] = elu_f64};
static core_block1 *const powfs[CORE_DTYPE_COUNT] = {
    [CORE_F32] = powf_f32, [CORE_F64] = powf_f64};

static core_status with_param(core_storage *out, core_block1 *block, core_view in,
                              double param, const char *op, core_error *error)
{
    if (!block)
        return core_err_dtype_op(error, out->dtype, op);
    return core_cpu_map1(out, in, block, &param, error);
}

core_status core_cpu_elu(core_storage *out, core_view in, double alpha, core_error *error)
{
    return with_param(out, elus[out->dtype], in, alpha, "elu", error);
}

core_status core_cpu_powf(core_storage *out, core_view in, double exponent,
                          core_error *error)
{
    return with_param(out, powfs[out->dtype], in, exponent, "powf", error);
}
