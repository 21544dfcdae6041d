/* index_select, gather, index_add, scatter, slice_scatter, slice_assign
 * (tensor.rs:1580-1960, 2826). */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

core_status core_tensor_index_select(core_context *context, core_tensor **out,
                                     const core_tensor *self, const core_tensor *ids,
                                     core_dim dim, core_error *error)
{
    const core_tensor *const args[] = {self, ids};
    core_hold holds[2];
    core_storage *storage = NULL;
    size_t d = 0;
    core_status status =
        core_dim_index(&d, dim, &self->layout.shape, "index-select", error);
    if (!status && core_tensor_rank(ids) != 1)
        status = core_err_shapes(error, "index-select", &self->layout.shape,
                                 &ids->layout.shape);
    if (!status)
        status = core_lock_reads(context, holds, args, 2, "index_select", error);
    if (status)
        return status;
    core_shape shape = self->layout.shape;
    shape.dims[d] = ids->layout.shape.dims[0];
    status = core_same_device(self, ids, "index-select", error);
    if (!status)
        status = core_storage_new(context, &storage, self->storage->device, self->dtype,
                                  core_shape_count(&shape), false, error);
    if (!status)
        status = core_kernels_of(self)->index_select(storage, core_view_of(self),
                                                     core_view_of(ids), d, error);
    core_unlock_reads(holds, 2);
    return core_new_node(context, out, status, storage, &shape,
                         &(core_op_info){.kind = CORE_OP_INDEX_SELECT, .a = d}, args, 2);
}

core_status core_tensor_gather(core_context *context, core_tensor **out,
                               const core_tensor *self, const core_tensor *ids,
                               core_dim dim, core_error *error)
{
    const core_tensor *const args[] = {self, ids};
    const core_shape *s = &self->layout.shape, *i = &ids->layout.shape;
    core_hold holds[2];
    core_storage *storage = NULL;
    size_t d = 0;
    core_status status = core_dim_index(&d, dim, s, "gather", error);
    if (status)
        return status;
    bool fits = s->rank == i->rank;
    for (size_t n = 0; fits && n < s->rank; n++)
        fits = n == d || s->dims[n] >= i->dims[n];
    if (!fits)
        return core_err_shapes(error, "gather", s, i);
    status = core_lock_reads(context, holds, args, 2, "gather", error);
    if (status)
        return status;
    status = core_same_device(self, ids, "index-add", error);
    if (!status)
        status = core_storage_new(context, &storage, self->storage->device, self->dtype,
                                  core_tensor_count(ids), false, error);
    if (!status)
        status = core_kernels_of(self)->gather(storage, core_view_of(self),
                                               core_view_of(ids), d, error);
    core_unlock_reads(holds, 2);
    return core_new_node(context, out, status, storage, i,
                         &(core_op_info){.kind = CORE_OP_GATHER, .a = d}, args, 2);
}

/* Equal in all dims but one. */
static bool same_but(const core_shape *a, const core_shape *b, size_t dim)
{
    bool same = a->rank == b->rank;
    for (size_t i = 0; same && i < a->rank; i++)
        same = i == dim || a->dims[i] == b->dims[i];
    return same;
}

core_status core_tensor_index_add(core_context *context, core_tensor **out,
                                  const core_tensor *self, const core_tensor *ids,
                                  const core_tensor *source, core_dim dim,
                                  core_error *error)
{
    const core_tensor *const args[] = {self, ids, source};
    const core_shape *s = &self->layout.shape, *src = &source->layout.shape;
    core_hold holds[3];
    core_storage *storage = NULL;
    size_t d = 0;
    core_status status = core_dim_index(&d, dim, s, "index-add", error);
    if (status)
        return status;
    if (!same_but(s, src, d))
        return core_err_shapes(error, "index-add (self, source)", s, src);
    if (core_tensor_rank(ids) != 1)
        return core_err_rank(error, 1, core_tensor_rank(ids), &ids->layout.shape);
    if (src->dims[d] != ids->layout.shape.dims[0])
        return core_err_shapes(error, "index-add (ids, source))", &ids->layout.shape,
                               src);
    status = core_lock_reads(context, holds, args, 3, "index_add", error);
    if (status)
        return status;
    status = core_same_device(self, ids, "index-add", error);
    if (!status)
        status = core_same_device(self, source, "index-add", error);
    if (!status)
        status = core_storage_new(context, &storage, self->storage->device, self->dtype,
                                  core_tensor_count(self), false, error);
    if (!status)
        status = core_kernels_of(self)->index_add(storage, core_view_of(self),
                                                  core_view_of(ids), core_view_of(source),
                                                  d, error);
    core_unlock_reads(holds, 3);
    return core_new_node(context, out, status, storage, s,
                         &(core_op_info){.kind = CORE_OP_INDEX_ADD, .a = d}, args, 3);
}

core_status core_scatter_checks(const core_tensor *self, const core_tensor *ids,
                                const core_tensor *source, size_t dim, core_error *error)
{
    const core_shape *s = &self->layout.shape, *src = &source->layout.shape;
    if (!same_but(s, src, dim))
        return core_err_shapes(error, "scatter (self, src)", s, src);
    if (!core_shape_equal(&ids->layout.shape, src))
        return core_err_shapes(error, "scatter (indexes, src)", &ids->layout.shape, src);
    return CORE_OK;
}

core_status core_tensor_scatter(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_tensor *ids,
                                const core_tensor *source, core_dim dim, bool add,
                                core_error *error)
{
    const core_tensor *const args[] = {self, ids, source};
    const char *name = add ? "scatter-add" : "scatter-set";
    core_hold holds[2];
    core_storage *storage = NULL;
    size_t d = 0;
    core_status status = core_dim_index(&d, dim, &self->layout.shape,
                                        add ? "scatter-add" : "scatter", error);
    if (!status)
        status = core_scatter_checks(self, ids, source, d, error);
    if (!status)
        status = core_fresh_copy(context, &storage, self, name, error);
    if (status)
        return status;
    core_layout layout;
    core_layout_set(&layout, &self->layout.shape, 0);
    status = core_lock_reads(context, holds, args + 1, 2, name, error);
    if (!status) {
        status = core_same_device(self, ids, name, error);
        if (!status)
            status = core_same_device(self, source, name, error);
        if (!status)
            status = core_kernels_of(self)->scatter((core_view){storage, &layout},
                                                    core_view_of(ids),
                                                    core_view_of(source), d, add, error);
        core_unlock_reads(holds, 2);
    }
    return core_new_node(
        context, out, status, storage, &self->layout.shape,
        &(core_op_info){.kind = add ? CORE_OP_SCATTER_ADD : CORE_OP_SCATTER, .a = d},
        args, 3);
}

/* dtype, device, rank, then sizes. */
static core_status slice_scatter_checks(const core_tensor *self,
                                        const core_tensor *source, size_t start,
                                        core_error *error)
{
    const core_shape *s = &self->layout.shape, *src = &source->layout.shape;
    core_status status = core_same_dtype(self, source, "slice-scatter", error);
    if (!status)
        status = core_same_device(self, source, "slice-scatter", error);
    if (status)
        return status;
    if (s->rank != src->rank)
        return core_err_rank(error, s->rank, src->rank, src);
    bool fits = true;
    for (size_t i = 0; i < s->rank; i++)
        fits &= i == 0 ? src->dims[0] + start <= s->dims[0] : src->dims[i] == s->dims[i];
    return fits ? CORE_OK : core_err_shapes(error, "slice-scatter (self, src)", s, src);
}

core_status core_tensor_slice_scatter0(core_context *context, core_tensor **out,
                                       const core_tensor *self, const core_tensor *source,
                                       size_t start, core_error *error)
{
    const core_tensor *const args[] = {self, source};
    core_storage *storage = NULL;
    core_hold hold;
    core_status status = slice_scatter_checks(self, source, start, error);
    if (!status)
        status = core_fresh_copy(context, &storage, self, "slice_scatter0", error);
    if (status)
        return status;
    const core_shape *src = &source->layout.shape;
    size_t row = 1;
    if (src->rank == 0)
        status = core_fail(error, CORE_PANIC,
                           "range start index 1 out of range for slice of length 0");
    for (size_t i = 1; i < src->rank; i++)
        row *= src->dims[i];
    if (!status)
        status = core_lock_read(context, &hold, source, "slice_scatter0", error);
    if (!status) {
        status = core_kernels_of(self)->copy_strided(storage, start * row,
                                                     core_view_of(source), error);
        core_unlock(&hold, status);
    }
    return core_new_node(context, out, status, storage, &self->layout.shape,
                         &(core_op_info){.kind = CORE_OP_SLICE_SCATTER0, .a = start},
                         args, 2);
}

core_status core_tensor_slice_scatter(core_context *context, core_tensor **out,
                                      const core_tensor *self, const core_tensor *source,
                                      core_dim dim, size_t start, core_error *error)
{
    size_t d = 0;
    core_status status =
        core_dim_index(&d, dim, &self->layout.shape, "slice-scatter", error);
    if (status)
        return status;
    if (d == 0)
        return core_tensor_slice_scatter0(context, out, self, source, start, error);
    core_tensor *a = NULL, *b = NULL, *scattered = NULL;
    core_dim to = (core_dim)d;
    status = core_tensor_transpose(context, &a, self, 0, to, error);
    if (!status)
        status = core_tensor_transpose(context, &b, source, 0, to, error);
    if (!status)
        status = core_tensor_slice_scatter0(context, &scattered, a, b, start, error);
    if (!status)
        status = core_tensor_transpose(context, out, scattered, 0, to, error);
    core_tensor_unref(a);
    core_tensor_unref(b);
    core_tensor_unref(scattered);
    return status;
}

/* One range of slice_assign against its dim; texts of tensor.rs:2845-2870. */
static core_status assign_range(size_t *start, size_t *end, const core_value *value,
                                size_t dim, size_t size, size_t source, core_error *error)
{
    if (value->kind != CORE_KIND_RANGE)
        return core_fail(error, CORE_UNSUPPORTED,
                         "slice_assign with something else than ranges");
    core_range range = value->range;
    *start = range.has_start ? (size_t)range.start : 0;
    *end = range.has_end ? (size_t)range.end + range.inclusive : size;
    if (*end <= *start)
        return core_fail(error, CORE_ERROR,
                         "slice-assign: empty range for dim %zu, %zu %zu", dim, *start,
                         *end);
    if (size < *end)
        return core_fail(error, CORE_ERROR,
                         "slice-assign: upper bound is out of range for dim %zu, %zu %zu",
                         dim, *end, size);
    if (*end - *start != source)
        return core_fail(
            error, CORE_ERROR,
            "slice-assign: the range for dim %zu (%zu..%zu) does not match the size "
            "of src %zu",
            dim, *start, *end, source);
    return CORE_OK;
}

static core_status assign_pad(core_context *context, core_tensor **at, size_t dim,
                              size_t left, size_t right, core_error *error)
{
    core_tensor *next = NULL;
    core_status status = core_tensor_pad_with_zeros(context, &next, *at, (core_dim)dim,
                                                    left, right, error);
    if (!status) {
        core_tensor_unref(*at);
        *at = next;
    }
    return status;
}

/* --- rows --- */

THUNK(slice_assign)
{
    const core_shape *s = &self->tensor->layout.shape,
                     *src = &args[1].tensor->layout.shape;
    if (s->rank != src->rank)
        return core_fail(error, CORE_ERROR,
                         "slice-assign requires input with the same rank %zu <> %zu",
                         s->rank, src->rank);
    if (s->rank != args[0].count)
        return core_fail(
            error, CORE_ERROR,
            "slice-assign requires input with the same rank as there are ranges %zu "
            "<> %zu",
            s->rank, args[0].count);
    core_tensor *source = core_tensor_ref(args[1].tensor), *mask = NULL, *out = NULL;
    core_status status =
        core_tensor_ones(context, &mask, src, CORE_U8, source->storage->device, error);
    for (size_t i = 0; i < s->rank && !status; i++) {
        size_t start = 0, end = 0;
        status = assign_range(&start, &end, &args[0].items[i], i, s->dims[i],
                              src->dims[i], error);
        if (!status)
            status = assign_pad(context, &source, i, start, s->dims[i] - end, error);
        if (!status)
            status = assign_pad(context, &mask, i, start, s->dims[i] - end, error);
    }
    if (!status)
        status = core_tensor_where_cond(context, &out, mask, source, self->tensor, error);
    core_tensor_unref(source);
    core_tensor_unref(mask);
    return core_give(result, &out, status);
}

THUNK(index_select)
{
    GIVE(core_tensor_index_select(context, &out, self->tensor, args[0].tensor,
                                  args[1].dim, error));
}

THUNK(embedding)
{
    const core_tensor *ids = args[0].tensor;
    if (core_tensor_rank(self->tensor) != 2 || core_tensor_rank(ids) != 1)
        return core_err_shapes(error, "embedding", &self->tensor->layout.shape,
                               &ids->layout.shape);
    GIVE(core_tensor_index_select(context, &out, self->tensor, ids, 0, error));
}

THUNK(gather)
{
    GIVE(core_tensor_gather(context, &out, self->tensor, args[0].tensor, args[1].dim,
                            error));
}

THUNK(index_add)
{
    GIVE(core_tensor_index_add(context, &out, self->tensor, args[0].tensor,
                               args[1].tensor, args[2].dim, error));
}

THUNK(scatter)
{
    GIVE(core_tensor_scatter(context, &out, self->tensor, args[0].tensor, args[1].tensor,
                             args[2].dim, false, error));
}

THUNK(scatter_add)
{
    GIVE(core_tensor_scatter(context, &out, self->tensor, args[0].tensor, args[1].tensor,
                             args[2].dim, true, error));
}

THUNK(slice_scatter)
{
    GIVE(core_tensor_slice_scatter(context, &out, self->tensor, args[0].tensor,
                                   args[1].dim, core_arg_usize(&args[2]), error));
}

THUNK(slice_scatter0)
{
    GIVE(core_tensor_slice_scatter0(context, &out, self->tensor, args[0].tensor,
                                    core_arg_usize(&args[1]), error));
}

const core_method core_methods_index[] = {
    METHOD(TENSOR, "index_select", "td", true, index_select),
    METHOD(TENSOR, "embedding", "t", true, embedding),
    METHOD(TENSOR, "gather", "td", true, gather),
    METHOD(TENSOR, "index_add", "ttd", true, index_add),
    METHOD(TENSOR, "scatter", "ttd", true, scatter),
    METHOD(TENSOR, "scatter_add", "ttd", true, scatter_add),
    METHOD(TENSOR, "slice_scatter", "tdn", true, slice_scatter),
    METHOD(TENSOR, "slice_scatter0", "tn", true, slice_scatter0),
    METHOD(TENSOR, "slice_assign", "Lt", true, slice_assign),
    CORE_METHODS_END,
};
