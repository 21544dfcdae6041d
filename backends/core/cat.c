/* cat and stack (tensor_cat.rs, tensor.rs:2642). One argument is returned as it is, and
 * its dim is not looked at. */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <stdlib.h>

typedef const core_tensor *const *tensors;

static core_status shape_checks(tensors args, size_t nargs, size_t dim, core_error *error)
{
    const core_shape *first = &args[0]->layout.shape;
    for (size_t i = 0; i < nargs; i++)
        if (dim >= core_tensor_rank(args[i]))
            return core_err_dim(error, "cat", (ptrdiff_t)dim, &args[i]->layout.shape);
    for (size_t i = 0; i < nargs; i++) {
        const core_shape *shape = &args[i]->layout.shape;
        if (first->rank != shape->rank)
            return core_err_rank(error, first->rank, shape->rank, shape);
        for (size_t d = 0; d < first->rank; d++)
            if (d != dim && first->dims[d] != shape->dims[d])
                return core_err_cat(error, d, first, i + 1, shape);
    }
    return CORE_OK;
}

static core_status type_checks(tensors args, size_t nargs, core_error *error)
{
    for (size_t i = 0; i < nargs; i++) {
        core_status status = core_same_dtype(args[0], args[i], "cat", error);
        if (!status)
            status = core_same_device(args[0], args[i], "cat", error);
        if (status)
            return status;
    }
    return CORE_OK;
}

static core_shape cat_shape(tensors args, size_t nargs, size_t dim)
{
    core_shape shape = args[0]->layout.shape;
    for (size_t i = 1; i < nargs; i++)
        shape.dims[dim] += args[i]->layout.shape.dims[dim];
    return shape;
}

static size_t product(const core_shape *shape, size_t from, size_t to)
{
    size_t all = 1;
    for (size_t i = from; i < to; i++)
        all *= shape->dims[i];
    return all;
}

/* Copies one argument whose outer dims step uniformly to its place. */
static core_status copy_blocks(core_context *context, core_storage *storage,
                               const core_tensor *arg, size_t dim,
                               const core_shape *whole, size_t offset, core_error *error)
{
    const core_shape *shape = &arg->layout.shape;
    size_t block = product(whole, dim + 1, whole->rank);
    size_t rows = product(shape, 0, dim), cols = block * shape->dims[dim], stride = cols;
    if (!core_tensor_is_contiguous(arg))
        core_layout_outer_stride(&stride, &arg->layout, dim);
    core_hold hold;
    core_status status = core_lock_read(context, &hold, arg, "cat", error);
    if (status)
        return status;
    status = core_kernels_of(arg)->copy2d(storage, arg->storage, rows, cols, stride,
                                          block * whole->dims[dim], arg->layout.offset,
                                          offset, error);
    core_unlock(&hold, status);
    return status;
}

static core_status copy_whole(core_context *context, core_storage *storage,
                              const core_tensor *arg, size_t offset, core_error *error)
{
    core_hold hold;
    core_status status = core_lock_read(context, &hold, arg, "cat", error);
    if (status)
        return status;
    status =
        core_kernels_of(arg)->copy_strided(storage, offset, core_view_of(arg), error);
    core_unlock(&hold, status);
    return status;
}

/* `blocks`: by cat_contiguous along dim, else by cat0 along dim 0. */
static core_status cat_along(core_context *context, core_tensor **out, tensors args,
                             size_t nargs, size_t dim, bool blocks, core_error *error)
{
    core_storage *storage = NULL;
    core_status status = type_checks(args, nargs, error);
    if (status)
        return status;
    core_shape shape = cat_shape(args, nargs, dim);
    status = core_storage_new(context, &storage, args[0]->storage->device, args[0]->dtype,
                              core_shape_count(&shape), false, error);
    size_t offset = 0, block = product(&shape, dim + 1, shape.rank);
    for (size_t i = 0; i < nargs && !status; i++) {
        status = blocks
                     ? copy_blocks(context, storage, args[i], dim, &shape, offset, error)
                     : copy_whole(context, storage, args[i], offset, error);
        offset +=
            blocks ? block * args[i]->layout.shape.dims[dim] : core_tensor_count(args[i]);
    }
    return core_new_node(context, out, status, storage, &shape,
                         &(core_op_info){.kind = CORE_OP_CAT, .a = dim}, args, nargs);
}

/* Brings dim to the front, joins there, and back: the result is not contiguous. */
static core_status cat_transposed(core_context *context, core_tensor **out, tensors args,
                                  size_t nargs, size_t dim, core_error *error)
{
    core_tensor **turned = core_alloc(nargs * sizeof *turned), *joined = NULL;
    core_status status = CORE_OK;
    size_t made = 0;
    while (made < nargs && !status) {
        status = core_tensor_transpose(context, &turned[made], args[made], 0,
                                       (core_dim)dim, error);
        made += !status;
    }
    if (!status)
        status = cat_along(context, &joined, (tensors)turned, nargs, 0, false, error);
    if (!status)
        status = core_tensor_transpose(context, out, joined, 0, (core_dim)dim, error);
    core_tensor_unref(joined);
    while (made > 0)
        core_tensor_unref(turned[--made]);
    free(turned);
    return status;
}

core_status core_tensor_cat(core_context *context, core_tensor **out, tensors args,
                            size_t nargs, core_dim dim, core_error *error)
{
    size_t d = 0;
    if (nargs == 0)
        return core_fail(error, CORE_ERROR, "cat expects at least one tensor");
    if (nargs == 1)
        return core_same(out, args[0]);
    core_status status = core_dim_index(&d, dim, &args[0]->layout.shape, "cat", error);
    if (!status)
        status = shape_checks(args, nargs, d, error);
    if (status)
        return status;
    bool blocks = true;
    for (size_t i = 0; i < nargs; i++) {
        size_t stride;
        blocks &= core_tensor_is_contiguous(args[i]) ||
                  core_layout_outer_stride(&stride, &args[i]->layout, d);
    }
    if (blocks || d == 0)
        return cat_along(context, out, args, nargs, d, blocks, error);
    return cat_transposed(context, out, args, nargs, d, error);
}

core_status core_tensor_stack(core_context *context, core_tensor **out, tensors args,
                              size_t nargs, core_dim dim, core_error *error)
{
    size_t d = 0;
    if (nargs == 0)
        return core_fail(error, CORE_ERROR, "stack expects at least one tensor");
    core_status status =
        core_dim_index_plus_one(&d, dim, &args[0]->layout.shape, "stack", error);
    if (status)
        return status;
    core_tensor **raised = core_alloc(nargs * sizeof *raised);
    size_t made = 0;
    while (made < nargs && !status) {
        status =
            core_tensor_unsqueeze(context, &raised[made], args[made], (core_dim)d, error);
        made += !status;
    }
    if (!status)
        status =
            core_tensor_cat(context, out, (tensors)raised, nargs, (core_dim)d, error);
    while (made > 0)
        core_tensor_unref(raised[--made]);
    free(raised);
    return status;
}

/* --- rows --- */

static core_status join(core_context *context, core_value *result, const core_value *args,
                        bool stack, core_error *error)
{
    const core_tensor **list = NULL;
    size_t count = 0;
    core_status status = core_arg_tensors(&list, &count, &args[0], error);
    core_tensor *out = NULL;
    if (!status)
        status = (stack ? core_tensor_stack : core_tensor_cat)(context, &out, list, count,
                                                               args[1].dim, error);
    free(list);
    return core_give(result, &out, status);
}

THUNK(cat)
{
    return join(context, result, args, false, error);
}

THUNK(stack)
{
    return join(context, result, args, true, error);
}

const core_method core_methods_cat[] = {
    FUNCTION("Tensor::cat", "Ld", true, cat),
    FUNCTION("Tensor::stack", "Ld", true, stack),
    CORE_METHODS_END,
};
