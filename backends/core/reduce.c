/* Reductions (tensor.rs:930-1120, 2098-2140, 2883). A reduced tensor without keepdim is
 * the kept one squeezed (one dim) or reshaped (several). */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <string.h>

static const char *const names[CORE_REDUCE_COUNT] = {
    [CORE_SUM] = "sum",       [CORE_MIN] = "min",       [CORE_MAX] = "max",
    [CORE_ARGMIN] = "argmin", [CORE_ARGMAX] = "argmax",
};

static void sort_dims(const size_t *dims, size_t n, size_t *sorted)
{
    memcpy(sorted, dims, n * sizeof *dims);
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && sorted[j] < sorted[j - 1]; j--) {
            size_t swap = sorted[j];
            sorted[j] = sorted[j - 1];
            sorted[j - 1] = swap;
        }
}

/* Drops the reduced dims (all of size 1) of *kept, taking its reference. */
static core_status squeeze_dims(core_context *context, core_tensor **out,
                                core_tensor *kept, const size_t *dims, size_t ndims,
                                core_error *error)
{
    core_status status = CORE_OK;
    if (ndims == 0) {
        *out = kept;
        return CORE_OK;
    }
    if (ndims == 1) {
        status = core_tensor_squeeze(context, out, kept, (core_dim)dims[0], error);
    } else {
        core_shape shape = {0};
        for (size_t i = 0; i < kept->layout.shape.rank; i++) {
            bool dropped = false;
            for (size_t d = 0; d < ndims; d++)
                dropped |= dims[d] == i;
            if (!dropped)
                shape.dims[shape.rank++] = kept->layout.shape.dims[i];
        }
        status = core_tensor_reshape(context, out, kept, &shape, error);
    }
    core_tensor_unref(kept);
    return status;
}

static core_status reduce(core_context *context, core_tensor **out, core_reduce op,
                          const core_tensor *self, const size_t *dims, size_t ndims,
                          bool keepdim, core_error *error)
{
    size_t sorted[CORE_MAX_RANK];
    core_hold hold;
    core_storage *storage = NULL;
    core_tensor *kept = NULL;
    core_shape shape = self->layout.shape;
    bool index = op == CORE_ARGMIN || op == CORE_ARGMAX;
    sort_dims(dims, ndims, sorted);
    for (size_t i = 0; i < ndims; i++)
        shape.dims[dims[i]] = 1;
    core_status status = core_lock_read(context, &hold, self, names[op], error);
    if (status)
        return status;
    status = core_storage_new(context, &storage, self->storage->device,
                              index ? CORE_U32 : self->dtype, core_shape_count(&shape),
                              false, error);
    if (!status)
        status = core_kernels_of(self)->reduce(storage, op, core_view_of(self), sorted,
                                               ndims, error);
    core_unlock(&hold, status);
    const core_op_info info = {.kind = CORE_OP_REDUCE, .sub = (int)op, .dims = shape};
    status = core_new_node(context, &kept, status, storage, &shape, index ? NULL : &info,
                           &self, 1);
    if (status)
        return status;
    if (keepdim) {
        *out = kept;
        return CORE_OK;
    }
    return squeeze_dims(context, out, kept, dims, ndims, error);
}

core_status core_tensor_reduce(core_context *context, core_tensor **out, core_reduce op,
                               const core_tensor *self, core_dim dim, bool keepdim,
                               core_error *error)
{
    size_t d = 0;
    core_status status = core_dim_index(&d, dim, &self->layout.shape, names[op], error);
    return status ? status : reduce(context, out, op, self, &d, 1, keepdim, error);
}

core_status core_tensor_sum(core_context *context, core_tensor **out,
                            const core_tensor *self, const core_dim *dims, size_t ndims,
                            bool keepdim, core_error *error)
{
    size_t indexes[CORE_MAX_RANK];
    core_status status =
        core_dims_indexes(indexes, dims, ndims, &self->layout.shape, "sum", error);
    return status ? status
                  : reduce(context, out, CORE_SUM, self, indexes, ndims, keepdim, error);
}

core_status core_tensor_mean(core_context *context, core_tensor **out,
                             const core_tensor *self, const core_dim *dims, size_t ndims,
                             bool keepdim, core_error *error)
{
    size_t indexes[CORE_MAX_RANK], reduced = 1;
    core_tensor *sum = NULL;
    core_status status = core_dims_indexes(indexes, dims, ndims, &self->layout.shape,
                                           keepdim ? "mean-keepdim" : "mean", error);
    for (size_t i = 0; i < ndims && !status; i++)
        reduced *= self->layout.shape.dims[indexes[i]];
    if (!status)
        status = reduce(context, &sum, CORE_SUM, self, indexes, ndims, keepdim, error);
    if (!status)
        status = core_tensor_affine(context, out, sum, 1.0 / (double)reduced, 0.0, error);
    core_tensor_unref(sum);
    return status;
}

core_status core_tensor_sum_all(core_context *context, core_tensor **out,
                                const core_tensor *self, core_error *error)
{
    size_t dims[CORE_MAX_RANK], rank = core_tensor_rank(self);
    for (size_t i = 0; i < rank; i++)
        dims[i] = i;
    return reduce(context, out, CORE_SUM, self, dims, rank, false, error);
}

core_status core_tensor_mean_all(core_context *context, core_tensor **out,
                                 const core_tensor *self, core_error *error)
{
    core_tensor *sum = NULL;
    core_status status = core_tensor_sum_all(context, &sum, self, error);
    if (!status)
        status = core_tensor_affine(context, out, sum,
                                    1.0 / (double)core_tensor_count(self), 0.0, error);
    core_tensor_unref(sum);
    return status;
}

static core_status extreme_all(core_context *context, core_tensor **out, core_reduce op,
                               const core_tensor *self, core_error *error)
{
    core_tensor *flat = NULL;
    if (core_tensor_rank(self) == 0)
        return core_same(out, self);
    core_status status = core_tensor_flatten(context, &flat, self, NULL, NULL, error);
    if (!status)
        status = core_tensor_reduce(context, out, op, flat, 0, false, error);
    core_tensor_unref(flat);
    return status;
}

/* var_keepdim(dim): squares of the differences from the mean, over n - 1. */
static core_status variance(core_context *context, core_tensor **out,
                            const core_tensor *self, core_dim dim, bool keepdim,
                            core_error *error)
{
    size_t d = 0;
    core_tensor *mean = NULL, *diff = NULL, *square = NULL, *sum = NULL, *kept = NULL;
    core_status status = core_dim_index(&d, dim, &self->layout.shape, "var", error);
    if (!status)
        status = core_tensor_mean(context, &mean, self, &(core_dim){(core_dim)d}, 1, true,
                                  error);
    if (!status)
        status =
            core_tensor_broadcast_binary(context, &diff, CORE_SUB, self, mean, error);
    if (!status)
        status = core_tensor_unary(context, &square, CORE_SQR, diff, error);
    if (!status)
        status = reduce(context, &sum, CORE_SUM, square, &d, 1, true, error);
    if (!status)
        status = core_tensor_affine(context, &kept, sum,
                                    1.0 / (double)(self->layout.shape.dims[d] - 1), 0.0,
                                    error);
    if (!status)
        status = keepdim ? core_same(out, kept)
                         : core_tensor_squeeze(context, out, kept, (core_dim)d, error);
    core_tensor *const used[] = {mean, diff, square, sum, kept};
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++)
        core_tensor_unref(used[i]);
    return status;
}

/* --- rows --- */

#define DIMS_THUNK(name, function, keepdim)                                              \
    THUNK(name)                                                                          \
    {                                                                                    \
        core_dim dims[CORE_MAX_RANK];                                                    \
        size_t ndims = core_arg_dims(dims, &args[0]);                                    \
        GIVE(function(context, &out, self->tensor, dims, ndims, keepdim, error));        \
    }
#define DIM_THUNK(name, op)                                                              \
    THUNK(name)                                                                          \
    {                                                                                    \
        GIVE(core_tensor_reduce(context, &out, op, self->tensor, args[0].dim, false,     \
                                error));                                                 \
    }                                                                                    \
    THUNK(name##_keepdim)                                                                \
    {                                                                                    \
        GIVE(core_tensor_reduce(context, &out, op, self->tensor, args[0].dim, true,      \
                                error));                                                 \
    }
DIMS_THUNK(sum, core_tensor_sum, false)
DIMS_THUNK(sum_keepdim, core_tensor_sum, true)
DIMS_THUNK(mean, core_tensor_mean, false)
DIMS_THUNK(mean_keepdim, core_tensor_mean, true)
DIM_THUNK(max, CORE_MAX)
DIM_THUNK(min, CORE_MIN)
DIM_THUNK(argmax, CORE_ARGMAX)
DIM_THUNK(argmin, CORE_ARGMIN)

THUNK(sum_all)
{
    GIVE(core_tensor_sum_all(context, &out, self->tensor, error));
}

THUNK(mean_all)
{
    GIVE(core_tensor_mean_all(context, &out, self->tensor, error));
}

THUNK(max_all)
{
    GIVE(extreme_all(context, &out, CORE_MAX, self->tensor, error));
}

THUNK(min_all)
{
    GIVE(extreme_all(context, &out, CORE_MIN, self->tensor, error));
}

THUNK(var)
{
    GIVE(variance(context, &out, self->tensor, args[0].dim, false, error));
}

THUNK(var_keepdim)
{
    GIVE(variance(context, &out, self->tensor, args[0].dim, true, error));
}

const core_method core_methods_reduce[] = {
    METHOD(TENSOR, "sum", "M", true, sum),
    METHOD(TENSOR, "sum_keepdim", "M", true, sum_keepdim),
    METHOD(TENSOR, "sum_all", "", true, sum_all),
    METHOD(TENSOR, "mean", "M", true, mean),
    METHOD(TENSOR, "mean_keepdim", "M", true, mean_keepdim),
    METHOD(TENSOR, "mean_all", "", true, mean_all),
    METHOD(TENSOR, "max", "d", true, max),
    METHOD(TENSOR, "max_keepdim", "d", true, max_keepdim),
    METHOD(TENSOR, "max_all", "", true, max_all),
    METHOD(TENSOR, "min", "d", true, min),
    METHOD(TENSOR, "min_keepdim", "d", true, min_keepdim),
    METHOD(TENSOR, "min_all", "", true, min_all),
    METHOD(TENSOR, "argmax", "d", true, argmax),
    METHOD(TENSOR, "argmax_keepdim", "d", true, argmax_keepdim),
    METHOD(TENSOR, "argmin", "d", true, argmin),
    METHOD(TENSOR, "argmin_keepdim", "d", true, argmin_keepdim),
    METHOD(TENSOR, "var", "d", true, var),
    METHOD(TENSOR, "var_keepdim", "d", true, var_keepdim),
    CORE_METHODS_END,
};
