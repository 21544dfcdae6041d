/* Functions of one element. A line here and one in unary.c make a new one. */

/* Abramowitz and Stegun 7.1.26, as candle has it: Metal has no erf. */
static float erf_of(float v)
{
    const float x = fabs(v), t = 1.0f / (1.0f + 0.3275911f * x);
    const float sum =
        ((((1.061405429f * t + -1.453152027f) * t) + 1.421413741f) * t + -0.284496736f) * t +
        0.254829592f;
    const float y = 1.0f - sum * t * exp(-x * x);
    return v < 0.0f ? -y : y;
}

static float gelu_of(float x)
{
    if (x > 5.0f)
        return x;
    const float inner = x + 0.044715f * (x * x * x);
    return 0.5f * x * (1.0f + precise::tanh(0.79788456080286535588f * inner));
}

#define UNARY(name, T, EXPR)                                                             \
    kernel void name(constant metal_map_args &args [[buffer(0)]],                        \
                     device const T *in [[buffer(1)]], device T *out [[buffer(2)]],      \
                     uint i [[thread_position_in_grid]])                                 \
    {                                                                                    \
        if (i >= args.count)                                                             \
            return;                                                                      \
        const T x = in[place(i, args.in)];                                               \
        out[i] = EXPR;                                                                   \
    }
UNARY(exp_f32, float, exp(x))
UNARY(log_f32, float, log(x))
UNARY(sin_f32, float, sin(x))
UNARY(cos_f32, float, cos(x))
UNARY(abs_f32, float, fabs(x))
UNARY(neg_f32, float, -x)
UNARY(recip_f32, float, 1.0f / x)
UNARY(sqr_f32, float, x * x)
UNARY(sqrt_f32, float, sqrt(x))
UNARY(gelu_f32, float, gelu_of(x))
UNARY(gelu_erf_f32, float, x * (1.0f + erf_of(x * 0.70710678118654752440f)) / 2.0f)
UNARY(erf_f32, float, erf_of(x))
UNARY(relu_f32, float, x < 0.0f ? 0.0f : x)
UNARY(silu_f32, float, x / (1.0f + exp(-x)))
UNARY(tanh_f32, float, precise::tanh(x))
UNARY(floor_f32, float, floor(x))
UNARY(ceil_f32, float, ceil(x))
UNARY(round_f32, float, round(x))
UNARY(sign_f32, float, sign(x))
