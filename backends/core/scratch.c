/* Formulas over tensors. */
#include "backends/core/scratch.h"

#include <stdlib.h>

core_term core_s_keep(core_scratch *s, core_tensor *tensor)
{
    if (!tensor)
        return NULL;
    if (s->count == CORE_SCRATCH_MAX)
        abort(); /* a formula longer than any there is */
    s->made[s->count++] = tensor;
    return tensor;
}

void core_s_end(core_scratch *s)
{
    while (s->count > 0)
        core_tensor_unref(s->made[--s->count]);
}

#define STEP(call)                                                                       \
    core_tensor *out = NULL;                                                             \
    if (!s->status)                                                                      \
        s->status = call;                                                                \
    return core_s_keep(s, out)

core_term core_s_binary(core_scratch *s, core_binary op, core_term a, core_term b)
{
    STEP(core_tensor_binary(s->context, &out, op, a, b, s->error));
}

core_term core_s_unary(core_scratch *s, core_unary op, core_term a)
{
    STEP(core_tensor_unary(s->context, &out, op, a, s->error));
}

core_term core_s_cmp(core_scratch *s, core_cmp op, core_term a, core_term b)
{
    STEP(
        core_tensor_cmp(s->context, &out, op, a, &(core_operand){.tensor = b}, s->error));
}

core_term core_s_affine(core_scratch *s, core_term a, double mul, double add)
{
    STEP(core_tensor_affine(s->context, &out, a, mul, add, s->error));
}

core_term core_s_powf(core_scratch *s, core_term a, double exponent)
{
    STEP(core_tensor_powf(s->context, &out, a, exponent, s->error));
}

core_term core_s_to_dtype(core_scratch *s, core_term a, core_dtype dtype)
{
    STEP(core_tensor_to_dtype(s->context, &out, a, dtype, s->error));
}

core_term core_s_zeros_like(core_scratch *s, core_term a)
{
    STEP(core_tensor_zeros_like(s->context, &out, a, s->error));
}

core_term core_s_ones_like(core_scratch *s, core_term a)
{
    STEP(core_tensor_ones_like(s->context, &out, a, s->error));
}

core_term core_s_where(core_scratch *s, core_term pred, core_term t, core_term f)
{
    STEP(core_tensor_where_cond(s->context, &out, pred, t, f, s->error));
}

core_term core_s_matmul(core_scratch *s, core_term a, core_term b)
{
    STEP(core_tensor_matmul(s->context, &out, a, b, s->error));
}

core_term core_s_t(core_scratch *s, core_term a)
{
    STEP(core_tensor_t(s->context, &out, a, s->error));
}

core_term core_s_narrow(core_scratch *s, core_term a, size_t dim, size_t start,
                        size_t len)
{
    STEP(core_tensor_narrow(s->context, &out, a, (core_dim)dim, start, len, s->error));
}

core_term core_s_reshape(core_scratch *s, core_term a, const core_shape *shape)
{
    STEP(core_tensor_reshape(s->context, &out, a, shape, s->error));
}

core_term core_s_broadcast_as(core_scratch *s, core_term a, const core_shape *shape)
{
    STEP(core_tensor_broadcast_as(s->context, &out, a, shape, s->error));
}
