/* The writers (tensor_cat.rs:247, tensor.rs:207, 1666, 1705): they change a storage in
 * place. Nothing else changes: all aliases see the new values, no id is used, no graph is
 * recorded. */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

static core_status slice_set_shapes(const core_shape *dst, const core_shape *src,
                                    size_t dim, size_t offset, core_error *error)
{
    if (dst->rank != src->rank)
        return core_err_rank(error, dst->rank, src->rank, dst);
    for (size_t i = 0; i < dst->rank; i++) {
        if (i == dim && src->dims[i] + offset > dst->dims[i])
            return core_fail(error, CORE_ERROR,
                             "shape mismatch on target dim, dst: %zu, src: %zu + %zu",
                             dst->dims[i], src->dims[i], offset);
        if (i != dim && src->dims[i] != dst->dims[i])
            return core_fail(error, CORE_ERROR, "shape mismatch on dim %zu, %zu <> %zu",
                             i, dst->dims[i], src->dims[i]);
    }
    return CORE_OK;
}

static core_status slice_set_checks(size_t *dim, const core_tensor *self,
                                    const core_tensor *source, core_dim at, size_t offset,
                                    core_error *error)
{
    core_status status = core_dim_index(dim, at, &self->layout.shape, "slice-set", error);
    if (status)
        return status;
    bool contiguous =
        core_tensor_is_contiguous(self) && core_tensor_is_contiguous(source);
    if (!contiguous && !CORE_MUTANT(slice_set_contiguous))
        return core_err_contiguous(error, "slice-set");
    if (self->storage == source->storage && !CORE_MUTANT(slice_set_alias))
        return core_fail(error, CORE_ERROR,
                         "cannot use slice_set when self and src share their storage");
    status = core_same_dtype(self, source, "slice-set", error);
    if (!status)
        status = core_same_device(self, source, "slice-set", error);
    if (!status)
        status = slice_set_shapes(&self->layout.shape, &source->layout.shape, *dim,
                                  offset, error);
    return status;
}

core_status core_tensor_slice_set(core_context *context, const core_tensor *self,
                                  const core_tensor *source, core_dim dim, size_t offset,
                                  core_error *error)
{
    size_t d = 0, block = 1, rows = 1;
    core_status status = slice_set_checks(&d, self, source, dim, offset, error);
    if (status)
        return status;
    const core_shape *dst = &self->layout.shape, *src = &source->layout.shape;
    for (size_t i = d + 1; i < src->rank; i++)
        block *= src->dims[i];
    for (size_t i = 0; i < d; i++)
        rows *= src->dims[i];
    if (CORE_MUTANT(slice_set_rows))
        rows -= rows > 1;
    size_t cols = block * src->dims[d];
    size_t to =
        self->layout.offset + (CORE_MUTANT(slice_set_offset) ? 0 : offset * block);
    core_hold read, write;
    status = core_lock_read(context, &read, source, "slice_set", error);
    if (status)
        return status;
    status = core_lock_write(context, &write, self, "slice_set", error);
    if (!status) {
        status = core_kernels_of(self)->copy2d(self->storage, source->storage, rows, cols,
                                               cols, block * dst->dims[d],
                                               source->layout.offset, to, error);
        core_unlock(&write, status);
    }
    core_unlock(&read, status);
    return status;
}

core_status core_tensor_scatter_set(core_context *context, const core_tensor *self,
                                    const core_tensor *ids, const core_tensor *source,
                                    core_dim dim, bool add, core_error *error)
{
    const char *what = add ? "scatter_add_set" : "scatter_set";
    const char *name = add ? "scatter-add" : "scatter-set";
    size_t d = 0;
    if (self->storage == source->storage)
        return core_fail(error, CORE_ERROR,
                         "cannot use slice_set when self and src share their storage");
    core_status status = core_dim_index(&d, dim, &self->layout.shape,
                                        add ? "scatter-add-set" : "scatter-set", error);
    if (!status)
        status = core_scatter_checks(self, ids, source, d, error);
    if (status)
        return status;
    core_hold write, reads[2];
    status = core_lock_write(context, &write, self, what, error);
    if (status)
        return status;
    status = core_lock_reads(context, reads, (const core_tensor *const[]){ids, source}, 2,
                             what, error);
    if (!status) {
        status = core_same_device(self, ids, name, error);
        if (!status)
            status = core_same_device(self, source, name, error);
        if (!status)
            status = core_kernels_of(self)->scatter(core_view_of(self), core_view_of(ids),
                                                    core_view_of(source), d, add, error);
        core_unlock_reads(reads, 2);
    }
    core_unlock(&write, status);
    return status;
}

core_status core_tensor_const_set(core_context *context, const core_tensor *self,
                                  core_scalar value, core_error *error)
{
    core_hold write;
    core_status status = core_lock_write(context, &write, self, "const_set", error);
    if (status)
        return status;
    status = core_kernels_of(self)->const_set(core_view_of(self), value, error);
    core_unlock(&write, status);
    return status;
}

/* --- rows --- */

THUNK(slice_set)
{
    return core_tensor_slice_set(context, self->tensor, args[0].tensor, args[1].dim,
                                 core_arg_usize(&args[2]), error);
}

THUNK(scatter_set)
{
    return core_tensor_scatter_set(context, self->tensor, args[0].tensor, args[1].tensor,
                                   args[2].dim, false, error);
}

THUNK(scatter_add_set)
{
    return core_tensor_scatter_set(context, self->tensor, args[0].tensor, args[1].tensor,
                                   args[2].dim, true, error);
}

THUNK(const_set)
{
    core_scalar value;
    core_status status = core_arg_scalar(&value, &args[0], error);
    return status ? status : core_tensor_const_set(context, self->tensor, value, error);
}

THUNK(zero_set)
{
    return core_tensor_const_set(context, self->tensor,
                                 (core_scalar){self->tensor->dtype, 0, 0.0}, error);
}

THUNK(one_set)
{
    return core_tensor_const_set(context, self->tensor,
                                 (core_scalar){self->tensor->dtype, 1, 1.0}, error);
}

const core_method core_methods_write[] = {
    METHOD(TENSOR, "slice_set", "tdn", true, slice_set),
    METHOD(TENSOR, "scatter_set", "ttd", true, scatter_set),
    METHOD(TENSOR, "scatter_add_set", "ttd", true, scatter_add_set),
    METHOD(TENSOR, "const_set", "x", true, const_set),
    METHOD(TENSOR, "zero_set", "", true, zero_set),
    METHOD(TENSOR, "one_set", "", true, one_set),
    CORE_METHODS_END,
};
