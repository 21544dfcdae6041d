/* Formulas over tensors: every function below gives a tensor that the scratch owns, and
 * does nothing once one has failed, so that a formula is written as an expression and its
 * status looked at once.
 *
 *     scratch s = {context, error};
 *     const core_tensor *y = core_s_mul(&s, g, core_s_unary(&s, CORE_COS, x));
 *     ...
 *     core_s_end(&s);  // drops all of them
 */
#ifndef PARITY_CORE_SCRATCH_H
#define PARITY_CORE_SCRATCH_H

#include "backends/core/tensor.h"

#define CORE_SCRATCH_MAX 24

typedef struct core_scratch {
    core_context *context;
    core_error *error;
    core_status status;
    size_t count;
    core_tensor *made[CORE_SCRATCH_MAX];
} core_scratch;

typedef const core_tensor *core_term;

core_term core_s_keep(core_scratch *s, core_tensor *tensor); /* takes; NULL allowed */
void core_s_end(core_scratch *s);

core_term core_s_binary(core_scratch *s, core_binary op, core_term a, core_term b);
core_term core_s_unary(core_scratch *s, core_unary op, core_term a);
core_term core_s_cmp(core_scratch *s, core_cmp op, core_term a, core_term b);
core_term core_s_affine(core_scratch *s, core_term a, double mul, double add);
core_term core_s_powf(core_scratch *s, core_term a, double exponent);
core_term core_s_to_dtype(core_scratch *s, core_term a, core_dtype dtype);
core_term core_s_zeros_like(core_scratch *s, core_term a);
core_term core_s_ones_like(core_scratch *s, core_term a);
core_term core_s_where(core_scratch *s, core_term pred, core_term t, core_term f);
core_term core_s_matmul(core_scratch *s, core_term a, core_term b);
core_term core_s_t(core_scratch *s, core_term a);
core_term core_s_narrow(core_scratch *s, core_term a, size_t dim, size_t start,
                        size_t len);
core_term core_s_reshape(core_scratch *s, core_term a, const core_shape *shape);
core_term core_s_broadcast_as(core_scratch *s, core_term a, const core_shape *shape);

static inline core_term core_s_add(core_scratch *s, core_term a, core_term b)
{
    return core_s_binary(s, CORE_ADD, a, b);
}
static inline core_term core_s_mul(core_scratch *s, core_term a, core_term b)
{
    return core_s_binary(s, CORE_MUL, a, b);
}
static inline core_term core_s_div(core_scratch *s, core_term a, core_term b)
{
    return core_s_binary(s, CORE_DIV, a, b);
}

#endif
