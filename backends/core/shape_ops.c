/* Shapes: views of the same storage, or the tensor itself where nothing changes
 * (tensor.rs:880-960, 2140-2300, 2400-2640). */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <string.h>

core_status core_tensor_reshape(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_shape *shape,
                                core_error *error)
{
    const core_op_info info = {.kind = CORE_OP_RESHAPE};
    if (core_shape_count(shape) != core_tensor_count(self))
        return core_err_shapes(error, "reshape", &self->layout.shape, shape);
    if (core_tensor_is_contiguous(self)) {
        core_layout layout;
        core_layout_set(&layout, shape, self->layout.offset);
        return core_view_node(context, out, &layout, &info, self);
    }
    core_storage *storage = NULL;
    core_status status = core_fresh_copy(context, &storage, self, "reshape", error);
    return core_new_node(context, out, status, storage, shape, &info, &self, 1);
}

core_status core_tensor_narrow(core_context *context, core_tensor **out,
                               const core_tensor *self, core_dim dim, size_t start,
                               size_t len, core_error *error)
{
    const core_shape *shape = &self->layout.shape;
    size_t d = 0;
    core_status status = core_dim_index(&d, dim, shape, "narrow", error);
    if (status)
        return status;
    size_t size = shape->dims[d];
    if (start > size)
        return core_err_narrow(error, "start > dim_len", shape, d, start, len);
    if (len > size - start)
        return core_err_narrow(error, "start + len > dim_len", shape, d, start, len);
    if (start == 0 && len == size)
        return core_same(out, self);
    core_layout layout;
    core_layout_narrow(&layout, &self->layout, d, start, len);
    return core_view_node(
        context, out, &layout,
        &(core_op_info){.kind = CORE_OP_NARROW, .a = d, .b = start, .c = len}, self);
}

core_status core_tensor_transpose(core_context *context, core_tensor **out,
                                  const core_tensor *self, core_dim dim1, core_dim dim2,
                                  core_error *error)
{
    const core_shape *shape = &self->layout.shape;
    size_t a = 0, b = 0;
    core_status status = core_dim_index(&a, dim1, shape, "transpose", error);
    if (!status)
        status = core_dim_index(&b, dim2, shape, "transpose", error);
    if (status)
        return status;
    if (a == b)
        return core_same(out, self);
    core_layout layout;
    core_layout_transpose(&layout, &self->layout, a, b);
    return core_view_node(context, out, &layout,
                          &(core_op_info){.kind = CORE_OP_TRANSPOSE, .a = a, .b = b},
                          self);
}

core_status core_tensor_t(core_context *context, core_tensor **out,
                          const core_tensor *self, core_error *error)
{
    size_t rank = core_tensor_rank(self);
    if (rank < 2)
        return core_err_rank(error, 2, rank, &self->layout.shape);
    return core_tensor_transpose(context, out, self, -2, -1, error);
}

core_status core_tensor_permute(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_dim *dims,
                                size_t ndims, core_error *error)
{
    size_t indexes[CORE_MAX_RANK];
    core_status status =
        core_dims_indexes(indexes, dims, ndims, &self->layout.shape, "permute", error);
    if (status)
        return status;
    if (ndims != core_tensor_rank(self)) {
        char shape[CORE_SHAPE_TEXT], list[CORE_SHAPE_TEXT];
        return core_fail(error, CORE_ERROR,
                         "dimension mismatch in permute, tensor %s, dims: %s",
                         core_shape_text(shape, &self->layout.shape),
                         core_dims_text(list, indexes, ndims));
    }
    core_layout layout;
    core_layout_permute(&layout, &self->layout, indexes);
    return core_view_node(
        context, out, &layout,
        &(core_op_info){.kind = CORE_OP_PERMUTE, .dims = core_shape_of(indexes, ndims)},
        self);
}

core_status core_tensor_squeeze(core_context *context, core_tensor **out,
                                const core_tensor *self, core_dim dim, core_error *error)
{
    size_t d = 0;
    core_status status = core_dim_index(&d, dim, &self->layout.shape, "squeeze", error);
    if (status)
        return status;
    if (self->layout.shape.dims[d] != 1)
        return core_same(out, self);
    core_layout layout;
    core_layout_remove_dim(&layout, &self->layout, d);
    return core_view_node(context, out, &layout, &(core_op_info){.kind = CORE_OP_RESHAPE},
                          self);
}

core_status core_tensor_unsqueeze(core_context *context, core_tensor **out,
                                  const core_tensor *self, core_dim dim,
                                  core_error *error)
{
    size_t d = 0;
    core_status status =
        core_dim_index_plus_one(&d, dim, &self->layout.shape, "unsqueeze", error);
    if (!status)
        status = core_rank_limit(error, core_tensor_rank(self) + 1);
    if (status)
        return status;
    core_layout layout;
    core_layout_insert_dim(&layout, &self->layout, d);
    return core_view_node(context, out, &layout, &(core_op_info){.kind = CORE_OP_RESHAPE},
                          self);
}

core_status core_tensor_broadcast_as(core_context *context, core_tensor **out,
                                     const core_tensor *self, const core_shape *shape,
                                     core_error *error)
{
    /* The identifier is taken before the shapes are looked at, and lost when they do not
     * fit. */
    uint64_t id = context->next_id++;
    core_layout layout;
    if (!core_layout_broadcast(&layout, &self->layout, shape))
        return core_err_broadcast(error, &self->layout.shape, shape);
    core_status status = core_view_node(context, out, &layout,
                                        &(core_op_info){.kind = CORE_OP_BROADCAST}, self);
    (*out)->id = id;
    context->next_id--;
    return status;
}

core_status core_tensor_broadcast_left(core_context *context, core_tensor **out,
                                       const core_tensor *self, const core_shape *left,
                                       core_error *error)
{
    size_t rank = core_tensor_rank(self);
    core_status status = core_rank_limit(error, left->rank + rank);
    if (status)
        return status;
    core_shape shape = *left;
    memcpy(shape.dims + left->rank, self->layout.shape.dims, rank * sizeof shape.dims[0]);
    shape.rank += rank;
    return core_tensor_broadcast_as(context, out, self, &shape, error);
}

core_status core_tensor_flatten(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_dim *start,
                                const core_dim *end, core_error *error)
{
    const core_shape *shape = &self->layout.shape;
    if (shape->rank == 0)
        return core_tensor_reshape(context, out, self, &(core_shape){1, {1}}, error);
    size_t first = 0, last = shape->rank - 1;
    core_status status = CORE_OK;
    if (start)
        status = core_dim_index(&first, *start, shape, "flatten", error);
    if (!status && end)
        status = core_dim_index(&last, *end, shape, "flatten", error);
    if (status)
        return status;
    if (first >= last)
        return core_same(out, self);
    core_shape flat = core_shape_of(shape->dims, first);
    flat.dims[flat.rank] = 1;
    for (size_t i = first; i <= last; i++)
        flat.dims[flat.rank] *= shape->dims[i];
    flat.rank++;
    for (size_t i = last + 1; i < shape->rank; i++)
        flat.dims[flat.rank++] = shape->dims[i];
    return core_tensor_reshape(context, out, self, &flat, error);
}

core_status core_tensor_get(core_context *context, core_tensor **out,
                            const core_tensor *self, size_t index, core_error *error)
{
    const core_shape *shape = &self->layout.shape;
    if (shape->rank == 0)
        return core_same(out, self);
    core_tensor *row = NULL;
    core_status status = core_tensor_narrow(context, &row, self, 0, index, 1, error);
    if (status)
        return status;
    core_shape rest = core_shape_of(shape->dims + 1, shape->rank - 1);
    status = core_tensor_reshape(context, out, row, &rest, error);
    core_tensor_unref(row);
    return status;
}

core_status core_tensor_get_on_dim(core_context *context, core_tensor **out,
                                   const core_tensor *self, core_dim dim, size_t index,
                                   core_error *error)
{
    size_t d = 0;
    core_tensor *slice = NULL;
    core_status status =
        core_dim_index(&d, dim, &self->layout.shape, "get_on_dim", error);
    if (!status)
        status = core_tensor_narrow(context, &slice, self, (core_dim)d, index, 1, error);
    if (status)
        return status;
    status = core_tensor_squeeze(context, out, slice, (core_dim)d, error);
    core_tensor_unref(slice);
    return status;
}

/* --- rows --- */

THUNK(reshape)
{
    core_shape shape;
    core_status status =
        core_arg_shape_hole(&shape, &args[0], core_tensor_count(self->tensor), error);
    if (status)
        return status;
    GIVE(core_tensor_reshape(context, &out, self->tensor, &shape, error));
}

THUNK(narrow)
{
    GIVE(core_tensor_narrow(context, &out, self->tensor, args[0].dim,
                            core_arg_usize(&args[1]), core_arg_usize(&args[2]), error));
}

THUNK(transpose)
{
    GIVE(core_tensor_transpose(context, &out, self->tensor, args[0].dim, args[1].dim,
                               error));
}

THUNK(t)
{
    GIVE(core_tensor_t(context, &out, self->tensor, error));
}

THUNK(permute)
{
    core_dim dims[CORE_MAX_RANK];
    size_t ndims = core_arg_dims(dims, &args[0]);
    GIVE(core_tensor_permute(context, &out, self->tensor, dims, ndims, error));
}

THUNK(squeeze)
{
    GIVE(core_tensor_squeeze(context, &out, self->tensor, args[0].dim, error));
}

THUNK(unsqueeze)
{
    GIVE(core_tensor_unsqueeze(context, &out, self->tensor, args[0].dim, error));
}

THUNK(broadcast_as)
{
    GIVE(core_tensor_broadcast_as(context, &out, self->tensor, args[0].shape, error));
}

THUNK(broadcast_left)
{
    GIVE(core_tensor_broadcast_left(context, &out, self->tensor, args[0].shape, error));
}

THUNK(flatten)
{
    GIVE(core_tensor_flatten(context, &out, self->tensor, &args[0].dim, &args[1].dim,
                             error));
}

THUNK(flatten_from)
{
    GIVE(core_tensor_flatten(context, &out, self->tensor, &args[0].dim, NULL, error));
}

THUNK(flatten_to)
{
    GIVE(core_tensor_flatten(context, &out, self->tensor, NULL, &args[0].dim, error));
}

THUNK(flatten_all)
{
    GIVE(core_tensor_flatten(context, &out, self->tensor, NULL, NULL, error));
}

THUNK(get)
{
    GIVE(core_tensor_get(context, &out, self->tensor, core_arg_usize(&args[0]), error));
}

THUNK(get_on_dim)
{
    GIVE(core_tensor_get_on_dim(context, &out, self->tensor, args[0].dim,
                                core_arg_usize(&args[1]), error));
}

const core_method core_methods_shape[] = {
    METHOD(TENSOR, "reshape", "h", true, reshape),
    METHOD(TENSOR, "narrow", "dnn", true, narrow),
    METHOD(TENSOR, "transpose", "dd", true, transpose),
    METHOD(TENSOR, "t", "", true, t),
    METHOD(TENSOR, "permute", "M", true, permute),
    METHOD(TENSOR, "squeeze", "d", true, squeeze),
    METHOD(TENSOR, "unsqueeze", "d", true, unsqueeze),
    METHOD(TENSOR, "broadcast_as", "s", true, broadcast_as),
    METHOD(TENSOR, "expand", "s", true, broadcast_as),
    METHOD(TENSOR, "broadcast_left", "s", true, broadcast_left),
    METHOD(TENSOR, "flatten", "dd", true, flatten),
    METHOD(TENSOR, "flatten_from", "d", true, flatten_from),
    METHOD(TENSOR, "flatten_to", "d", true, flatten_to),
    METHOD(TENSOR, "flatten_all", "", true, flatten_all),
    METHOD(TENSOR, "get", "n", true, get),
    METHOD(TENSOR, "get_on_dim", "dn", true, get_on_dim),
    CORE_METHODS_END,
};
