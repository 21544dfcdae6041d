/* Methods that upstream makes of others: cumsum, log_sum_exp, tril2, triu2, round_to,
 * unfold (tensor.rs:2779-2970). */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <math.h>

/* 0..n as a row and as a column, compared and cast: tril2 and triu2, and eye with EQ. */
static core_status square_mask(core_context *context, core_tensor **out, core_cmp op,
                               size_t n, core_dtype dtype, core_device *device,
                               core_error *error)
{
    core_tensor *t = NULL, *row = NULL, *col = NULL, *rows = NULL, *cols = NULL,
                *mask = NULL;
    core_shape square = {2, {n, n}}, wide = {2, {1, n}}, high = {2, {n, 1}};
    core_scalar zero = {CORE_U32, 0, 0}, end = {CORE_U32, (uint32_t)n, 0},
                one = {CORE_U32, 1, 0};
    core_status status = core_tensor_arange(context, &t, zero, end, one, device, error);
    if (!status)
        status = core_tensor_reshape(context, &row, t, &wide, error);
    if (!status)
        status = core_tensor_broadcast_as(context, &rows, row, &square, error);
    if (!status)
        status = core_tensor_reshape(context, &col, t, &high, error);
    if (!status)
        status = core_tensor_broadcast_as(context, &cols, col, &square, error);
    if (!status)
        status = core_tensor_cmp(context, &mask, op, rows,
                                 &(core_operand){.tensor = cols}, error);
    if (!status)
        status = core_tensor_to_dtype(context, out, mask, dtype, error);
    core_tensor *const used[] = {t, row, col, rows, cols, mask};
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++)
        core_tensor_unref(used[i]);
    return status;
}

core_status core_tensor_eye(core_context *context, core_tensor **out, size_t n,
                            core_dtype dtype, core_device *device, core_error *error)
{
    return square_mask(context, out, CORE_EQ, n, dtype, device, error);
}

/* A product with a triangle of ones, which is why integers are refused. */
static core_status cumsum(core_context *context, core_tensor **out,
                          const core_tensor *self, core_dim dim, core_error *error)
{
    const core_shape *shape = &self->layout.shape;
    core_tensor *ones = NULL, *turned = NULL, *sum = NULL;
    size_t d = 0;
    core_status status = core_dim_index(&d, dim, shape, "cumsum", error);
    if (!status)
        status = square_mask(context, &ones, CORE_GE, shape->dims[d], self->dtype,
                             self->storage->device, error);
    if (!status)
        status =
            shape->rank == 1
                ? core_tensor_unsqueeze(context, &turned, self, 0, error)
                : core_tensor_transpose(context, &turned, self, (core_dim)d, -1, error);
    if (!status)
        status = (shape->rank == 1 ? core_tensor_matmul : core_tensor_broadcast_matmul)(
            context, &sum, turned, ones, error);
    if (!status)
        status = shape->rank == 1
                     ? core_tensor_squeeze(context, out, sum, 0, error)
                     : core_tensor_transpose(context, out, sum, (core_dim)d, -1, error);
    core_tensor_unref(ones);
    core_tensor_unref(turned);
    core_tensor_unref(sum);
    return status;
}

/* max over the dims one after the other, kept. */
static core_status max_dims(core_context *context, core_tensor **out,
                            const core_tensor *self, const core_dim *dims, size_t ndims,
                            core_error *error)
{
    core_tensor *max = core_tensor_ref(self);
    core_status status = CORE_OK;
    for (size_t i = 0; i < ndims && !status; i++) {
        core_tensor *next = NULL;
        status = core_tensor_reduce(context, &next, CORE_MAX, max, dims[i], true, error);
        core_tensor_unref(max);
        max = next;
    }
    *out = max;
    return status;
}

/* Without the reduced dims, all of size 1. */
static core_status drop_dims(core_context *context, core_tensor **out,
                             const core_tensor *kept, const size_t *dims, size_t ndims,
                             core_error *error)
{
    if (ndims == 1)
        return core_tensor_squeeze(context, out, kept, (core_dim)dims[0], error);
    core_shape shape = {0};
    for (size_t i = 0; i < kept->layout.shape.rank; i++) {
        bool dropped = false;
        for (size_t d = 0; d < ndims; d++)
            dropped |= dims[d] == i;
        if (!dropped)
            shape.dims[shape.rank++] = kept->layout.shape.dims[i];
    }
    return core_tensor_reshape(context, out, kept, &shape, error);
}

static core_status log_sum_exp(core_context *context, core_tensor **out,
                               const core_tensor *self, const core_dim *dims,
                               size_t ndims, core_error *error)
{
    size_t indexes[CORE_MAX_RANK];
    core_tensor *max = NULL, *diff = NULL, *exp = NULL, *sum = NULL, *log = NULL,
                *top = NULL;
    core_status status = core_dims_indexes(indexes, dims, ndims, &self->layout.shape,
                                           "log-sum-exp", error);
    if (status)
        return status;
    if (ndims == 0)
        return core_same(out, self);
    status = max_dims(context, &max, self, dims, ndims, error);
    if (!status)
        status = core_tensor_broadcast_binary(context, &diff, CORE_SUB, self, max, error);
    if (!status)
        status = core_tensor_unary(context, &exp, CORE_EXP, diff, error);
    if (!status)
        status = core_tensor_sum(context, &sum, exp, dims, ndims, false, error);
    if (!status)
        status = core_tensor_unary(context, &log, CORE_LOG, sum, error);
    if (!status)
        status = drop_dims(context, &top, max, indexes, ndims, error);
    if (!status)
        status = core_tensor_binary(context, out, CORE_ADD, log, top, error);
    core_tensor *const used[] = {max, diff, exp, sum, log, top};
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++)
        core_tensor_unref(used[i]);
    return status;
}

/* Overlapping windows as a view. The number of windows is computed in f32, as upstream
 * does. */
static core_status unfold(core_context *context, core_tensor **out,
                          const core_tensor *self, core_dim dim, size_t size, size_t step,
                          core_error *error)
{
    size_t d = 0, rank = core_tensor_rank(self);
    core_status status = core_dim_index(&d, dim, &self->layout.shape, "unfold", error);
    if (!status)
        status = core_rank_limit(error, rank + 1);
    if (status)
        return status;
    core_layout layout = self->layout;
    size_t length = layout.shape.dims[d];
    if (size > length)
        return core_fail(
            error, CORE_ERROR,
            "unsqueeze: maximum size for tensor at dimension %zu is %zu but size is "
            "%zu",
            d, length, size);
    float windows = ((float)length - (float)size) / (float)step + 1.0f;
    layout.shape.rank = rank + 1;
    layout.shape.dims[rank] = size;
    layout.stride[rank] = layout.stride[d];
    layout.shape.dims[d] = windows >= 18446744073709551616.0f ? SIZE_MAX
                           : windows > 0                      ? (size_t)windows
                                                              : 0;
    layout.stride[d] *= step;
    return core_view_node(context, out, &layout, &(core_op_info){.kind = CORE_OP_RESHAPE},
                          self);
}

/* --- rows --- */

THUNK(eye)
{
    GIVE(core_tensor_eye(context, &out, core_arg_usize(&args[0]), args[1].dtype,
                         args[2].device, error));
}

THUNK(tril2)
{
    GIVE(square_mask(context, &out, CORE_LE, core_arg_usize(&args[0]), args[1].dtype,
                     args[2].device, error));
}

THUNK(triu2)
{
    GIVE(square_mask(context, &out, CORE_GE, core_arg_usize(&args[0]), args[1].dtype,
                     args[2].device, error));
}

THUNK(cumsum_)
{
    GIVE(cumsum(context, &out, self->tensor, args[0].dim, error));
}

THUNK(log_sum_exp_)
{
    core_dim dims[CORE_MAX_RANK];
    size_t ndims = core_arg_dims(dims, &args[0]);
    GIVE(log_sum_exp(context, &out, self->tensor, dims, ndims, error));
}

THUNK(unfold_)
{
    GIVE(unfold(context, &out, self->tensor, args[0].dim, core_arg_usize(&args[1]),
                core_arg_usize(&args[2]), error));
}

THUNK(round_to)
{
    double scale = pow(10.0, (double)(int32_t)args[0].integer.bits);
    core_tensor *scaled = NULL, *rounded = NULL, *out = NULL;
    core_status status =
        core_tensor_affine(context, &scaled, self->tensor, scale, 0.0, error);
    if (!status)
        status = core_tensor_unary(context, &rounded, CORE_ROUND, scaled, error);
    if (!status)
        status = core_tensor_affine(context, &out, rounded, 1.0 / scale, 0.0, error);
    core_tensor_unref(scaled);
    core_tensor_unref(rounded);
    return core_give(result, &out, status);
}

THUNK(normalize_axis)
{
    long long rank = (long long)core_tensor_rank(self->tensor);
    long long axis = (long long)args[0].integer.bits;
    if (rank <= axis)
        return core_fail(error, CORE_ERROR, "axis %lld is too large, tensor rank %lld",
                         axis, rank);
    if (axis < -rank)
        return core_fail(error, CORE_ERROR, "axis %lld is too small, tensor rank %lld",
                         axis, rank);
    *result = core_value_usize((size_t)(axis < 0 ? axis + rank : axis));
    return CORE_OK;
}

const core_method core_methods_compose[] = {
    FUNCTION("Tensor::eye", "nDV", true, eye),
    FUNCTION("Tensor::tril2", "nDV", true, tril2),
    FUNCTION("Tensor::triu2", "nDV", true, triu2),
    METHOD(TENSOR, "cumsum", "d", true, cumsum_),
    METHOD(TENSOR, "log_sum_exp", "M", true, log_sum_exp_),
    METHOD(TENSOR, "unfold", "dnn", true, unfold_),
    METHOD(TENSOR, "round_to", "i", true, round_to),
    METHOD(TENSOR, "normalize_axis", "i", true, normalize_axis),
    CORE_METHODS_END,
};
