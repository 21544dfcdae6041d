/* The error function as candle has it: from Rust's libm, whose last bit is not that of
 * the C library, because another exp is within. Both are the rational approximations of
 * Sun's fdlibm (s_erf.c, e_exp.c); f32 takes the same coefficients, rounded. */
#include "backends/cpu/kernels.h"

#include <math.h>
#include <string.h>

/* Numerators and denominators below 0.84375, below 1.25, below 1/0.35, and from there. */
static const double small_over[] = {0.12837916709551256, -0.3250421072470015,
                                    -0.02848174957559851, -0.005770270296489442,
                                    -2.3763016656650163e-05};
static const double small_under[] = {1.0,
                                     0.39791722395915535,
                                     0.0650222499887673,
                                     0.005081306281875766,
                                     0.00013249473800432164,
                                     -3.960228278775368e-06};
static const double middle_over[] = {-0.0023621185607526594, 0.41485611868374833,
                                     -0.3722078760357013,    0.31834661990116175,
                                     -0.11089469428239668,   0.035478304325618236,
                                     -0.002166375594868791};
static const double middle_under[] = {1.0,
                                      0.10642088040084423,
                                      0.540397917702171,
                                      0.07182865441419627,
                                      0.12617121980876164,
                                      0.01363708391202905,
                                      0.011984499846799107};
static const double large_over[] = {
    -0.009864944034847148, -0.6938585727071818, -10.558626225323291, -62.375332450326006,
    -162.39666946257347,   -184.60509290671104, -81.2874355063066,   -9.814329344169145};
static const double large_under[] = {1.0,
                                     19.651271667439257,
                                     137.65775414351904,
                                     434.56587747522923,
                                     645.3872717332679,
                                     429.00814002756783,
                                     108.63500554177944,
                                     6.570249770319282,
                                     -0.0604244152148581};
static const double far_over[] = {
    -0.0098649429247001, -0.799283237680523,  -17.757954917754752, -160.63638485582192,
    -637.5664433683896,  -1025.0951316110772, -483.5191916086514};
static const double far_under[] = {1.0,
                                   30.33806074348246,
                                   325.7925129965739,
                                   1536.729586084437,
                                   3199.8582195085955,
                                   2553.0504064331644,
                                   474.52854120695537,
                                   -22.44095244658582};

static double truncate_f64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT64_C(0xffffffff00000000);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static float truncate_f32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT32_C(0xffffe000);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* e^x = 2^k e^r, where r is at most half of ln 2; for the arguments that erf has. */
static double exp_f64(double x)
{
    static const double p[] = {0,
                               1.66666666666666019037e-01,
                               -2.77777777770155933842e-03,
                               6.61375632143793436117e-05,
                               -1.65339022054652515390e-06,
                               4.13813679705723846039e-08};
    double hi = x, lo = 0;
    int k = 0;
    if (fabs(x) >= 0x1.62e43p-2) {
        k = fabs(x) >= 0x1.0a2b2p+0
                ? (int)(1.44269504088896338700e+00 * x + copysign(0.5, x))
                : (x < 0 ? -1 : 1);
        hi = x - k * 6.93147180369123816490e-01;
        lo = k * 1.90821492927058770002e-10;
        x = hi - lo;
    } else if (fabs(x) < 0x1.00001p-28) {
        return 1 + x;
    }
    double xx = x * x;
    double c = x - xx * (p[1] + xx * (p[2] + xx * (p[3] + xx * (p[4] + xx * p[5]))));
    return ldexp(1 + (x * c / (2 - c) - lo + hi), k);
}

static float exp_f32(float x)
{
    float hi = x, lo = 0;
    int k = 0;
    if (fabsf(x) > 0x1.62e43p-2f) {
        k = fabsf(x) > 0x1.0a2b24p+0f ? (int)(1.4426950216e+00f * x + copysignf(0.5f, x))
                                      : (x < 0 ? -1 : 1);
        hi = x - (float)k * 6.9314575195e-01f;
        lo = (float)k * 1.4286067653e-06f;
        x = hi - lo;
    } else if (!(fabsf(x) > 0x1p-13f)) {
        return 1 + x;
    }
    float xx = x * x;
    float c = x - xx * (1.6666625440e-1f + xx * -2.7667332906e-3f);
    return ldexpf(1 + (x * c / (2 - c) - lo + hi), k);
}

#define RATIO(T, over, under, at)                                                        \
    (polynomial_##T(over, sizeof over / sizeof *over, at) /                              \
     polynomial_##T(under, sizeof under / sizeof *under, at))

/* 0x4006db6d… and 0x4036db6d are 1/0.35 as upstream compares it. */
#define ERF(T, s, m, BORDER, TINY)                                                       \
    static T polynomial_##T(const double *c, size_t n, T at)                             \
    {                                                                                    \
        T sum = (T)c[n - 1];                                                             \
        for (size_t i = n - 1; i-- > 0;)                                                 \
            sum = (T)c[i] + at * sum;                                                    \
        return sum;                                                                      \
    }                                                                                    \
    T core_erf_##s(T x)                                                                  \
    {                                                                                    \
        T size = fabs##m(x), rest;                                                       \
        if (isnan(x))                                                                    \
            return x;                                                                    \
        if (size < TINY)                                                                 \
            return (T)0.125 * (8 * x + (T)1.02703333676410069053e+00 * x);               \
        if (size < (T)0.84375)                                                           \
            return x + x * RATIO(T, small_over, small_under, x * x);                     \
        if (size >= 6)                                                                   \
            return copysign##m(1, x);                                                    \
        if (size < (T)1.25) {                                                            \
            rest = 1 - (T)8.45062911510467529297e-01 -                                   \
                   RATIO(T, middle_over, middle_under, size - 1);                        \
        } else {                                                                         \
            T at = 1 / (size * size), z = truncate_##s(size);                            \
            T ratio = size < BORDER ? RATIO(T, large_over, large_under, at)              \
                                    : RATIO(T, far_over, far_under, at);                 \
            rest = exp_##s(-z * z - (T)0.5625) *                                         \
                   exp_##s((z - size) * (z + size) + ratio) / size;                      \
        }                                                                                \
        return copysign##m(1 - rest, x);                                                 \
    }
ERF(double, f64, , 0x1.6db6dp+1, 0x1p-28)
ERF(float, f32, f, 0x1.6db6dap+1f, 0x1p-28f)
