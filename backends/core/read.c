/* Reading: to_vec0..3, to_scalar, dims, and what a tensor says about itself
 * (tensor.rs:600-690, 1980-2095). */
#include "backends/core/internal.h"
#include "backends/core/text.h"
#include "backends/core/thunk.h"

#include <stdlib.h>
#include <string.h>

core_status core_tensor_read(core_context *context, void *out, const core_tensor *tensor,
                             core_error *error)
{
    core_hold hold;
    core_status status = core_lock_read(context, &hold, tensor, "reading", error);
    if (status)
        return status;
    status = tensor->storage->device->ops->read(out, core_view_of(tensor), error);
    core_unlock(&hold, status);
    return status;
}

core_status core_tensor_room(void **out, size_t *nbytes, const core_tensor *tensor,
                             core_error *error)
{
    size_t count = core_tensor_count(tensor);
    size_t size = core_dtype_info(tensor->dtype)->size;
    void *bytes = count > PTRDIFF_MAX / size ? NULL : malloc(count ? count * size : 1);
    if (!bytes)
        return core_fail(error, CORE_UNSUPPORTED,
                         "not enough memory to look at %zu elements", count);
    *nbytes = count * size;
    *out = bytes;
    return CORE_OK;
}

static core_value number_value(core_scalar v)
{
    static const core_int_type types[CORE_DTYPE_COUNT] = {
        [CORE_U8] = CORE_INT_U8,   [CORE_U32] = CORE_INT_U32, [CORE_I16] = CORE_INT_I16,
        [CORE_I32] = CORE_INT_I32, [CORE_I64] = CORE_INT_I64,
    };
    if (core_dtype_info(v.dtype)->is_float)
        return core_value_float(v.dtype, v.real, false);
    return core_value_int(types[v.dtype], (uint64_t)v.integer, false);
}

/* Elements from *at on, nested by the dims that are left. */
static core_value nested(const core_tensor *tensor, const char **at, size_t dim)
{
    const core_shape *shape = &tensor->layout.shape;
    if (dim == shape->rank) {
        core_value v = number_value(core_scalar_load(tensor->dtype, *at));
        *at += core_dtype_info(tensor->dtype)->size;
        return v;
    }
    size_t count = shape->dims[dim];
    core_value *items = core_alloc(count * sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = nested(tensor, at, dim + 1);
    core_value list = core_value_items(CORE_KIND_LIST, items, count);
    free(items);
    return list;
}

/* rank first, then the lock, then the dtype. */
static core_status to_vec(core_context *context, core_value *result,
                          const core_value *self, const core_value *type, size_t rank,
                          core_error *error)
{
    const core_tensor *tensor = self->tensor;
    if (core_tensor_rank(tensor) != rank)
        return core_err_rank(error, rank, core_tensor_rank(tensor),
                             &tensor->layout.shape);
    if (type->kind != CORE_KIND_DTYPE)
        return core_fail(error, CORE_UNSUPPORTED,
                         "to_vec or to_scalar without its type, as in to_vec1::<f32>()");
    void *bytes = NULL;
    size_t nbytes;
    core_hold hold;
    core_status status = core_lock_read(context, &hold, tensor, "to_vec", error);
    if (!status) {
        if (type->dtype != tensor->dtype)
            status =
                core_fail(error, CORE_ERROR, "unexpected dtype, expected: %s, got: %s",
                          core_dtype_info(type->dtype)->variant,
                          core_dtype_info(tensor->dtype)->variant);
        else
            status = core_tensor_room(&bytes, &nbytes, tensor, error);
        if (!status)
            status =
                tensor->storage->device->ops->read(bytes, core_view_of(tensor), error);
        core_unlock(&hold, status);
    }
    const char *at = bytes;
    if (!status)
        *result = nested(tensor, &at, 0);
    free(bytes);
    return status;
}

#define VEC_THUNK(name, rank)                                                            \
    THUNK(name)                                                                          \
    {                                                                                    \
        return to_vec(context, result, self, &args[0], rank, error);                     \
    }
VEC_THUNK(to_vec0, 0)
VEC_THUNK(to_vec1, 1)
VEC_THUNK(to_vec2, 2)
VEC_THUNK(to_vec3, 3)

static core_status dims_n(core_value *result, const core_shape *shape, size_t rank,
                          core_error *error)
{
    if (shape->rank != rank)
        return core_err_rank(error, rank, shape->rank, shape);
    core_value list = core_value_list_usize(shape->dims, rank);
    if (rank == 1) {
        *result = list.items[0];
        core_value_clear(&list);
    } else {
        list.kind = rank ? CORE_KIND_TUPLE : CORE_KIND_UNIT;
        *result = list;
    }
    return CORE_OK;
}

#define DIMS_N_THUNK(n)                                                                  \
    THUNK(dims##n)                                                                       \
    {                                                                                    \
        return dims_n(result, &self->tensor->layout.shape, n, error);                    \
    }
DIMS_N_THUNK(0)
DIMS_N_THUNK(1)
DIMS_N_THUNK(2)
DIMS_N_THUNK(3)
DIMS_N_THUNK(4)
DIMS_N_THUNK(5)

THUNK(dims)
{
    const core_shape *shape = &self->tensor->layout.shape;
    *result = core_value_list_usize(shape->dims, shape->rank);
    return CORE_OK;
}

THUNK(dim)
{
    size_t d = 0;
    core_status status =
        core_dim_index(&d, args[0].dim, &self->tensor->layout.shape, "dim", error);
    if (!status)
        *result = core_value_usize(self->tensor->layout.shape.dims[d]);
    return status;
}

THUNK(shape)
{
    *result = core_value_shape(&self->tensor->layout.shape);
    return CORE_OK;
}

THUNK(stride)
{
    const core_layout *layout = &self->tensor->layout;
    *result = core_value_list_usize(layout->stride, layout->shape.rank);
    return CORE_OK;
}

static core_value layout_value(const core_layout *layout)
{
    core_layout *copy = core_alloc(sizeof *copy);
    core_layout_copy(copy, layout);
    return (core_value){.kind = CORE_KIND_LAYOUT, .layout = copy};
}

THUNK(layout)
{
    *result = layout_value(&self->tensor->layout);
    return CORE_OK;
}

THUNK(rank)
{
    *result = core_value_usize(core_tensor_rank(self->tensor));
    return CORE_OK;
}

THUNK(elem_count)
{
    *result = core_value_usize(core_tensor_count(self->tensor));
    return CORE_OK;
}

THUNK(dtype)
{
    *result = (core_value){.kind = CORE_KIND_DTYPE, .dtype = self->tensor->dtype};
    return CORE_OK;
}

THUNK(device)
{
    *result =
        (core_value){.kind = CORE_KIND_DEVICE, .device = self->tensor->storage->device};
    return CORE_OK;
}

THUNK(id)
{
    *result = (core_value){.kind = CORE_KIND_ID, .id = self->tensor->id};
    return CORE_OK;
}

THUNK(is_contiguous)
{
    *result = core_value_bool(core_tensor_is_contiguous(self->tensor));
    return CORE_OK;
}

THUNK(is_fortran_contiguous)
{
    *result = core_value_bool(core_layout_fortran(&self->tensor->layout));
    return CORE_OK;
}

THUNK(is_variable)
{
    *result = core_value_bool(self->tensor->is_variable);
    return CORE_OK;
}

THUNK(track_op)
{
    *result = core_value_bool(core_tensor_tracked(self->tensor));
    return CORE_OK;
}

THUNK(storage_and_layout)
{
    core_storage_guard *guard = NULL;
    core_status status = core_tensor_guard(context, &guard, self->tensor, error);
    if (status)
        return status;
    core_value parts[] = {{.kind = CORE_KIND_STORAGE_GUARD, .guard = guard},
                          layout_value(&self->tensor->layout)};
    *result = core_value_items(CORE_KIND_TUPLE, parts, 2);
    return CORE_OK;
}

/* --- Layout, Shape, DType --- */

THUNK(layout_offset)
{
    *result = core_value_usize(self->layout->offset);
    return CORE_OK;
}

THUNK(layout_dims)
{
    *result = core_value_list_usize(self->layout->shape.dims, self->layout->shape.rank);
    return CORE_OK;
}

THUNK(layout_shape)
{
    *result = core_value_shape(&self->layout->shape);
    return CORE_OK;
}

THUNK(layout_stride)
{
    *result = core_value_list_usize(self->layout->stride, self->layout->shape.rank);
    return CORE_OK;
}

THUNK(layout_contiguous)
{
    *result = core_value_bool(core_layout_contiguous(self->layout));
    return CORE_OK;
}

THUNK(shape_dims)
{
    *result = core_value_list_usize(self->shape->dims, self->shape->rank);
    return CORE_OK;
}

THUNK(shape_rank)
{
    *result = core_value_usize(self->shape->rank);
    return CORE_OK;
}

THUNK(shape_count)
{
    *result = core_value_usize(core_shape_count(self->shape));
    return CORE_OK;
}

THUNK(dtype_size)
{
    *result = core_value_usize(core_dtype_info(self->dtype)->size);
    return CORE_OK;
}

THUNK(dtype_text)
{
    const char *name = core_dtype_info(self->dtype)->name;
    *result = core_value_text(name, strlen(name));
    return CORE_OK;
}

THUNK(dtype_is_int)
{
    *result = core_value_bool(!core_dtype_info(self->dtype)->is_float);
    return CORE_OK;
}

THUNK(dtype_is_float)
{
    *result = core_value_bool(core_dtype_info(self->dtype)->is_float);
    return CORE_OK;
}

const core_method core_methods_read[] = {
    METHOD(TENSOR, "to_scalar", "<D>", true, to_vec0),
    METHOD(TENSOR, "to_vec0", "<D>", true, to_vec0),
    METHOD(TENSOR, "to_vec1", "<D>", true, to_vec1),
    METHOD(TENSOR, "to_vec2", "<D>", true, to_vec2),
    METHOD(TENSOR, "to_vec3", "<D>", true, to_vec3),
    METHOD(TENSOR, "dims", "", false, dims),
    METHOD(TENSOR, "dims0", "", true, dims0),
    METHOD(TENSOR, "dims1", "", true, dims1),
    METHOD(TENSOR, "dims2", "", true, dims2),
    METHOD(TENSOR, "dims3", "", true, dims3),
    METHOD(TENSOR, "dims4", "", true, dims4),
    METHOD(TENSOR, "dims5", "", true, dims5),
    METHOD(TENSOR, "dim", "d", true, dim),
    METHOD(TENSOR, "shape", "", false, shape),
    METHOD(TENSOR, "stride", "", false, stride),
    METHOD(TENSOR, "layout", "", false, layout),
    METHOD(TENSOR, "rank", "", false, rank),
    METHOD(TENSOR, "elem_count", "", false, elem_count),
    METHOD(TENSOR, "dtype", "", false, dtype),
    METHOD(TENSOR, "device", "", false, device),
    METHOD(TENSOR, "id", "", false, id),
    METHOD(TENSOR, "is_contiguous", "", false, is_contiguous),
    METHOD(TENSOR, "is_fortran_contiguous", "", false, is_fortran_contiguous),
    METHOD(TENSOR, "is_variable", "", false, is_variable),
    METHOD(TENSOR, "track_op", "", false, track_op),
    METHOD(TENSOR, "storage_and_layout", "", false, storage_and_layout),
    METHOD(LAYOUT, "start_offset", "", false, layout_offset),
    METHOD(LAYOUT, "dims", "", false, layout_dims),
    METHOD(LAYOUT, "shape", "", false, layout_shape),
    METHOD(LAYOUT, "stride", "", false, layout_stride),
    METHOD(LAYOUT, "is_contiguous", "", false, layout_contiguous),
    METHOD(SHAPE, "dims", "", false, shape_dims),
    METHOD(SHAPE, "rank", "", false, shape_rank),
    METHOD(SHAPE, "elem_count", "", false, shape_count),
    METHOD(DTYPE, "size_in_bytes", "", false, dtype_size),
    METHOD(DTYPE, "as_str", "", false, dtype_text),
    METHOD(DTYPE, "is_int", "", false, dtype_is_int),
    METHOD(DTYPE, "is_float", "", false, dtype_is_float),
    CORE_METHODS_END,
};
