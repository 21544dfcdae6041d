/* Gradients of the functions of one element (backprop.rs:530-680). Constants and the
 * order of the operations are candle's, because they show in the last bits. */
#include "backends/core/backward.h"

#include <math.h>

/* The factor of the gradient, for those whose rule is sum += grad * factor. */

static core_term abs_factor(core_scratch *s, core_term arg)
{
    core_term ones = core_s_ones_like(s, arg);
    core_term positive = core_s_cmp(s, CORE_GE, arg, core_s_zeros_like(s, arg));
    return core_s_where(s, positive, ones, core_s_unary(s, CORE_NEG, ones));
}

static core_term gelu_factor(core_scratch *s, core_term arg)
{
    core_term cube = core_s_powf(s, arg, 3.0);
    core_term inner = core_s_add(s, core_s_affine(s, cube, 0.0356774, 0.0),
                                 core_s_affine(s, arg, 0.797885, 0.0));
    core_term tanh = core_s_unary(s, CORE_TANH, inner);
    core_term half = core_s_affine(s, tanh, 0.5, 0.0);
    core_term slope = core_s_add(s, core_s_affine(s, cube, 0.0535161, 0.0),
                                 core_s_affine(s, arg, 0.398942, 0.0));
    core_term sech = core_s_affine(s, core_s_powf(s, tanh, 2.0), -1.0, 1.0);
    return core_s_affine(s, core_s_add(s, half, core_s_mul(s, slope, sech)), 1.0, 0.5);
}

static core_term erf_factor(core_scratch *s, core_term arg)
{
    core_term square = core_s_unary(s, CORE_NEG, core_s_unary(s, CORE_SQR, arg));
    return core_s_affine(s, core_s_unary(s, CORE_EXP, square),
                         2.0 / sqrt(3.14159265358979323846264338327950288), 0.0);
}

static core_term gelu_erf_factor(core_scratch *s, core_term arg)
{
    core_term square = core_s_unary(s, CORE_NEG, core_s_unary(s, CORE_SQR, arg));
    core_term exponent = core_s_affine(s, square, 1.0 / 2.0, 0.0);
    core_term bell = core_s_affine(s, core_s_unary(s, CORE_EXP, exponent), 0.398942, 0.0);
    core_term first = core_s_mul(s, bell, arg);
    core_term scaled = core_s_affine(s, arg, 1.0 / sqrt(2.0), 0.0);
    core_term half = core_s_affine(s, core_s_unary(s, CORE_ERF, scaled), 0.5, 0.0);
    return core_s_add(s, core_s_affine(s, first, 1.0, 0.5), half);
}

static core_term relu_factor(core_scratch *s, core_term arg)
{
    core_term positive = core_s_cmp(s, CORE_GE, arg, core_s_zeros_like(s, arg));
    return core_s_to_dtype(s, positive, core_tensor_dtype(arg));
}

static core_term silu_factor(core_scratch *s, core_term arg, core_term node)
{
    core_term exp = core_s_unary(s, CORE_EXP, core_s_unary(s, CORE_NEG, arg));
    core_term sigmoid = core_s_unary(s, CORE_RECIP, core_s_affine(s, exp, 1.0, 1.0));
    core_term rest = core_s_affine(s, node, -1.0, 1.0);
    return core_s_add(s, core_s_mul(s, sigmoid, rest), node);
}

static void by_factor(core_back *b, core_term factor)
{
    core_back_add(b, b->args[0], core_s_mul(b->s, b->grad, factor));
}

void core_back_unary(core_back *b)
{
    core_scratch *s = b->s;
    core_term arg = b->args[0], node = b->node, grad = b->grad;
    switch ((core_unary)b->info->sub) {
    case CORE_LOG:
        core_back_add(b, arg, core_s_div(s, grad, arg));
        break;
    case CORE_SIN:
        by_factor(b, core_s_unary(s, CORE_COS, arg));
        break;
    case CORE_COS:
        core_back_sub(b, arg, core_s_mul(s, grad, core_s_unary(s, CORE_SIN, arg)));
        break;
    case CORE_TANH: {
        core_term minus = core_s_affine(s, core_s_unary(s, CORE_SQR, node), 1.0, -1.0);
        core_back_sub(b, arg, core_s_mul(s, grad, minus));
        break;
    }
    case CORE_ABS:
        by_factor(b, abs_factor(s, arg));
        break;
    case CORE_EXP:
        by_factor(b, node);
        break;
    case CORE_NEG:
        core_back_sub(b, arg, grad);
        break;
    case CORE_RECIP:
        core_back_sub(b, arg, core_s_div(s, grad, core_s_unary(s, CORE_SQR, arg)));
        break;
    case CORE_SQR:
        core_back_add(b, arg, core_s_affine(s, core_s_mul(s, arg, grad), 2.0, 0.0));
        break;
    case CORE_SQRT:
        core_back_add(b, arg, core_s_affine(s, core_s_div(s, grad, node), 0.5, 0.0));
        break;
    case CORE_GELU:
        by_factor(b, gelu_factor(s, arg));
        break;
    case CORE_ERF:
        by_factor(b, erf_factor(s, arg));
        break;
    case CORE_GELU_ERF:
        by_factor(b, gelu_erf_factor(s, arg));
        break;
    case CORE_RELU:
        by_factor(b, relu_factor(s, arg));
        break;
    case CORE_SILU:
        by_factor(b, silu_factor(s, arg, node));
        break;
    case CORE_CEIL:
        s->status = core_fail(s->error, CORE_ERROR, "backward is not supported for ceil");
        break;
    case CORE_FLOOR:
    case CORE_ROUND:
    case CORE_SIGN:
    case CORE_UNARY_COUNT:
        break;
    }
}

void core_back_elu(core_back *b)
{
    core_scratch *s = b->s;
    core_term arg = b->args[0];
    core_dtype dtype = core_tensor_dtype(arg);
    core_term zeros = core_s_zeros_like(s, arg);
    core_term positive = core_s_to_dtype(s, core_s_cmp(s, CORE_GT, arg, zeros), dtype);
    core_term negative = core_s_to_dtype(s, core_s_cmp(s, CORE_LE, arg, zeros), dtype);
    core_term slope = core_s_mul(s, negative, core_s_affine(s, b->node, 1.0, b->info->x));
    by_factor(b, core_s_add(s, positive, slope));
}

void core_back_powf(core_back *b)
{
    core_scratch *s = b->s;
    core_term power = core_s_powf(s, b->args[0], b->info->x - 1.0);
    core_term term = core_s_affine(s, core_s_mul(s, b->grad, power), b->info->x, 0.0);
    core_back_add(b, b->args[0], term);
}
