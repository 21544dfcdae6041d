/* Linear (candle-nn linear.rs). */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <math.h>
#include <stdlib.h>

core_linear *core_linear_from(core_tensor *weight, core_tensor *bias)
{
    core_linear *linear = core_alloc(sizeof *linear);
    *linear = (core_linear){weight, bias};
    return linear;
}

core_linear *core_linear_clone(const core_linear *linear)
{
    return core_linear_from(core_tensor_ref(linear->weight),
                            linear->bias ? core_tensor_ref(linear->bias) : NULL);
}

void core_linear_free(core_linear *linear)
{
    if (!linear)
        return;
    core_tensor_unref(linear->weight);
    core_tensor_unref(linear->bias);
    free(linear);
}

core_status core_linear_new(core_context *context, core_linear **out, size_t in,
                            size_t outs, bool bias, const core_varbuilder *vb,
                            core_error *error)
{
    core_tensor *weight = NULL, *offset = NULL;
    double bound = 1.0 / sqrt((double)in);
    core_status status =
        core_varbuilder_get(context, &weight, vb, &(core_shape){2, {outs, in}}, "weight",
                            (core_init){CORE_INIT_KAIMING_NORMAL, 0.0, 0.0}, error);
    if (!status && bias)
        status =
            core_varbuilder_get(context, &offset, vb, &(core_shape){1, {outs}}, "bias",
                                (core_init){CORE_INIT_UNIFORM, -bound, bound}, error);
    if (status) {
        core_tensor_unref(weight);
        return status;
    }
    *out = core_linear_from(weight, offset);
    return CORE_OK;
}

/* Rank 3 and 4, contiguous: the leading dims are folded into rows. */
static core_status folded(core_context *context, core_tensor **out,
                          const core_tensor *weight, const core_tensor *input,
                          core_error *error)
{
    const core_shape *shape = &input->layout.shape;
    size_t last = shape->rank - 1, rows = 1;
    for (size_t i = 0; i < last; i++)
        rows *= shape->dims[i];
    core_tensor *w = NULL, *x = NULL, *y = NULL;
    core_status status = core_tensor_t(context, &w, weight, error);
    if (!status)
        status = core_tensor_reshape(context, &x, input,
                                     &(core_shape){2, {rows, shape->dims[last]}}, error);
    if (!status)
        status = core_tensor_matmul(context, &y, x, w, error);
    /* reshape((b, m, ())): the hole is the number of elements over the known dims. */
    size_t elements = status ? 0 : core_tensor_count(y);
    if (!status && rows == 0)
        status = core_fail(
            error, CORE_ERROR,
            shape->rank == 3
                ? "cannot reshape tensor of %zu elements to (%zu, %zu, ())"
                : "cannot reshape tensor of %zu elements to (%zu, %zu, %zu, ())",
            elements, shape->dims[0], shape->dims[1], shape->dims[2]);
    core_shape back = *shape;
    if (!status) {
        back.dims[last] = elements / rows;
        status = core_tensor_reshape(context, out, y, &back, error);
    }
    core_tensor_unref(w);
    core_tensor_unref(x);
    core_tensor_unref(y);
    return status;
}

/* Rank 3 and 4, strided: the weight is repeated for every batch. */
static core_status batched(core_context *context, core_tensor **out,
                           const core_tensor *weight, const core_tensor *input,
                           core_error *error)
{
    const core_shape *shape = &input->layout.shape;
    core_shape left = core_shape_of(shape->dims, shape->rank - 2);
    core_tensor *wide = NULL, *w = NULL;
    core_status status = core_tensor_broadcast_left(context, &wide, weight, &left, error);
    if (!status)
        status = core_tensor_t(context, &w, wide, error);
    if (!status)
        status = core_tensor_matmul(context, out, input, w, error);
    core_tensor_unref(wide);
    core_tensor_unref(w);
    return status;
}

static core_status product(core_context *context, core_tensor **out,
                           const core_tensor *weight, const core_tensor *input,
                           core_error *error)
{
    size_t rank = core_tensor_rank(input);
    if (rank == 3 || rank == 4)
        return (core_tensor_is_contiguous(input) ? folded : batched)(context, out, weight,
                                                                     input, error);
    core_tensor *w = NULL;
    core_status status = core_tensor_t(context, &w, weight, error);
    if (!status)
        status = core_tensor_matmul(context, out, input, w, error);
    core_tensor_unref(w);
    return status;
}

core_status core_linear_forward(core_context *context, core_tensor **out,
                                const core_linear *linear, const core_tensor *input,
                                core_error *error)
{
    if (!linear->bias)
        return product(context, out, linear->weight, input, error);
    core_tensor *x = NULL;
    core_status status = product(context, &x, linear->weight, input, error);
    if (!status)
        status =
            core_tensor_broadcast_binary(context, out, CORE_ADD, x, linear->bias, error);
    core_tensor_unref(x);
    return status;
}

/* --- rows --- */

static core_status make(core_context *context, core_value *result, const core_value *args,
                        bool bias, const core_value *vb, core_error *error)
{
    core_linear *linear = NULL;
    if (vb->kind != CORE_KIND_VARBUILDER)
        return core_fail(error, CORE_UNSUPPORTED, "a %s where a VarBuilder is wanted",
                         core_kind_name(vb->kind));
    core_status status =
        core_linear_new(context, &linear, core_arg_usize(&args[0]),
                        core_arg_usize(&args[1]), bias, vb->varbuilder, error);
    if (!status)
        *result = (core_value){.kind = CORE_KIND_LINEAR, .linear = linear};
    return status;
}

THUNK(linear)
{
    return make(context, result, args, true, &args[2], error);
}

THUNK(linear_no_bias)
{
    return make(context, result, args, false, &args[2], error);
}

THUNK(linear_b)
{
    return make(context, result, args, args[2].boolean, &args[3], error);
}

THUNK(new_)
{
    core_tensor *bias = NULL;
    if (args[1].kind == CORE_KIND_SOME && args[1].items[0].kind == CORE_KIND_TENSOR)
        bias = core_tensor_ref(args[1].items[0].tensor);
    else if (args[1].kind != CORE_KIND_NONE)
        return core_fail(error, CORE_UNSUPPORTED,
                         "Linear::new without Some(bias) or None");
    *result =
        (core_value){.kind = CORE_KIND_LINEAR,
                     .linear = core_linear_from(core_tensor_ref(args[0].tensor), bias)};
    return CORE_OK;
}

THUNK(clone)
{
    *result =
        (core_value){.kind = CORE_KIND_LINEAR, .linear = core_linear_clone(self->linear)};
    return CORE_OK;
}

THUNK(forward)
{
    GIVE(core_linear_forward(context, &out, self->linear, args[0].tensor, error));
}

THUNK(weight)
{
    *result = core_value_tensor(core_tensor_ref(self->linear->weight));
    return CORE_OK;
}

THUNK(bias_of)
{
    core_value some = {0};
    if (self->linear->bias)
        some = core_value_tensor(core_tensor_ref(self->linear->bias));
    *result = self->linear->bias ? core_value_items(CORE_KIND_SOME, &some, 1)
                                 : (core_value){.kind = CORE_KIND_NONE};
    return CORE_OK;
}

/* x.apply(&linear) */
THUNK(apply)
{
    if (args[0].kind != CORE_KIND_LINEAR)
        return core_fail(error, CORE_UNSUPPORTED, "apply with a %s",
                         core_kind_name(args[0].kind));
    GIVE(core_linear_forward(context, &out, args[0].linear, self->tensor, error));
}

const core_method core_methods_linear[] = {
    FUNCTION("linear", "nn*", true, linear),
    FUNCTION("linear_no_bias", "nn*", true, linear_no_bias),
    FUNCTION("linear_b", "nnb*", true, linear_b),
    FUNCTION("Linear::new", "t*", false, new_),
    METHOD(LINEAR, "clone", "", false, clone),
    METHOD(LINEAR, "forward", "t", true, forward),
    METHOD(LINEAR, "weight", "", false, weight),
    METHOD(LINEAR, "bias", "", false, bias_of),
    METHOD(TENSOR, "apply", "*", true, apply),
    CORE_METHODS_END,
};
