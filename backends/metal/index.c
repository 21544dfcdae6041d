/* index_select, gather, scatter, index_add. Indexes are not checked by candle's kernels:
 * one beyond the end reaches whatever is there, and index_select takes the last. */
#include "backends/metal/tensors.h"

static const unsigned all_ids = METAL_U8 | METAL_U32 | METAL_I64;

static const char *type_name(core_view view)
{
    return core_dtype_info(view.storage->dtype)->name;
}

static size_t product(const core_shape *shape, size_t from, size_t to)
{
    size_t count = 1;
    for (size_t i = from; i < to; i++)
        count *= shape->dims[i];
    return count;
}

/* The kernel is chosen by the type of the result, as in candle: a source of another type
 * is read as raw bits. */
static core_status launch(core_storage *out, size_t out_offset, core_view in,
                          core_view ids, const metal_index_args *args, size_t threads,
                          const char *kind, core_error *error)
{
    const metal_call call = {
        .family = "index",
        .args = args,
        .args_size = sizeof *args,
        .operands = {metal_at(in.storage, in.layout->offset),
                     metal_at(ids.storage, ids.layout->offset),
                     metal_at(out, out_offset)},
        .noperands = 3,
        .threads = threads,
    };
    return metal_run(out, &call, error, "%s_%s_%s", kind, type_name(ids),
                     core_dtype_info(out->dtype)->name);
}

/* candle passes the size of the dim where its helper expects the number of dims. With
 * less, the walk looks at too few of them; with more, it reads beyond the list. */
static core_status select_walk(metal_view *view, core_view in, size_t length,
                               core_error *error)
{
    core_status status = metal_walk(view, in, error);
    if (status || view->rank == 0)
        return status;
    if (length > view->rank)
        return core_fail(error, CORE_UNSUPPORTED,
                         "index_select of a strided tensor along a dim that is longer "
                         "than its rank: candle reads beyond its list of dims on Metal "
                         "(undefined behaviour)");
    view->rank = (uint32_t)length;
    return CORE_OK;
}

core_status metal_index_select(core_storage *out, core_view in, core_view ids, size_t dim,
                               core_error *error)
{
    const core_shape *shape = &in.layout->shape;
    if (!core_layout_contiguous(ids.layout))
        return core_fail(error, CORE_ERROR, "Metal index_select requires contiguous ids");
    core_dtype by = ids.storage->dtype, dtype = in.storage->dtype;
    if (!metal_has(all_ids, by) || !metal_has(METAL_USUAL, dtype))
        return core_fail(error, CORE_ERROR,
                         "Metal contiguous index_select %s %s not implemented",
                         metal_variant(by), metal_variant(dtype));
    size_t count = core_shape_count(&ids.layout->shape),
           right = product(shape, dim + 1, shape->rank),
           threads = count * product(shape, 0, dim) * right;
    metal_index_args args = {.count = (uint32_t)threads,
                             .length = (uint32_t)shape->dims[dim],
                             .right = (uint32_t)right,
                             .ids = (uint32_t)count};
    metal_view dense;
    core_status status = select_walk(&args.in, in, shape->dims[dim], error);
    if (!status)
        status = metal_walk(&dense, ids, error);
    return status ? status
                  : launch(out, 0, in, ids, &args, threads, "index_select", error);
}

core_status metal_gather(core_storage *out, core_view in, core_view ids, size_t dim,
                         core_error *error)
{
    static const unsigned values[CORE_DTYPE_COUNT] = {
        [CORE_U8] = METAL_USUAL,
        [CORE_U32] = METAL_F32 | METAL_U32 | METAL_I64,
        [CORE_I64] = METAL_F32 | METAL_U32 | METAL_I64,
    };
    const core_shape *shape = &in.layout->shape;
    if (!core_layout_contiguous(ids.layout))
        return core_err_contiguous(error, "gather");
    core_dtype by = ids.storage->dtype, dtype = in.storage->dtype;
    if (!metal_has(values[by], dtype))
        return core_fail(error, CORE_ERROR, "Metal gather %s %s not implemented",
                         metal_variant(by), metal_variant(dtype));
    size_t right = product(shape, dim + 1, shape->rank),
           length = ids.layout->shape.dims[dim],
           threads = length * product(shape, 0, dim) * right;
    if (threads > core_shape_count(&ids.layout->shape))
        return core_fail(error, CORE_UNSUPPORTED,
                         "gather with fewer indexes than the other dims of the tensor: "
                         "candle reads and writes beyond its buffers on Metal "
                         "(undefined behaviour)");
    metal_index_args args = {.count = (uint32_t)threads,
                             .length = (uint32_t)shape->dims[dim],
                             .right = (uint32_t)right,
                             .ids = (uint32_t)length};
    metal_view dense;
    core_status status = metal_walk(&dense, ids, error);
    return status ? status : launch(out, 0, in, ids, &args, threads, "gather", error);
}

static core_status bad_ids(core_error *error, const char *op, core_view ids)
{
    return core_fail(error, CORE_ERROR,
                     "Metal error %s ids should be u8/u32/i64, expected: U32, got: %s",
                     op, metal_variant(ids.storage->dtype));
}

/* The operands lie inside their storages, the source also when its elements have the size
 * of those of the result. */
static core_status walks(core_view ids, core_view source, core_dtype dtype,
                         core_error *error)
{
    metal_view view;
    core_storage raw = *source.storage;
    size_t size = core_dtype_info(dtype)->size;
    core_layout layout = *source.layout;
    core_status status = metal_walk(&view, ids, error);
    layout.offset = (metal_bytes(&raw, layout.offset) + size - 1) / size;
    raw.count = metal_bytes(&raw, raw.count) / size;
    return status ? status : metal_walk(&view, (core_view){&raw, &layout}, error);
}

static metal_index_args lines(const core_shape *from, const core_shape *to, size_t dim,
                              size_t ids)
{
    size_t right = product(from, dim + 1, from->rank);
    return (metal_index_args){.count = (uint32_t)(product(from, 0, dim) * right),
                              .length = (uint32_t)to->dims[dim],
                              .right = (uint32_t)right,
                              .ids = (uint32_t)ids};
}

core_status metal_index_add(core_storage *out, core_view in, core_view ids,
                            core_view source, size_t dim, core_error *error)
{
    const core_shape *from = &source.layout->shape;
    core_status status = metal_copy_strided(out, 0, in, error);
    if (status)
        return status;
    if (!core_layout_contiguous(ids.layout) || !core_layout_contiguous(source.layout))
        return core_err_contiguous(error, "index-add");
    if (!metal_has(all_ids, ids.storage->dtype) ||
        !metal_has(METAL_USUAL, in.storage->dtype))
        return bad_ids(error, "index-add", ids);
    metal_index_args args =
        lines(from, &in.layout->shape, dim, ids.layout->shape.dims[0]);
    status = walks(ids, source, in.storage->dtype, error);
    return status ? status
                  : launch(out, 0, source, ids, &args, args.count, "index_add", error);
}

core_status metal_scatter(core_view self, core_view ids, core_view source, size_t dim,
                          bool add, core_error *error)
{
    const char *op = add ? "scatter-add" : "scatter";
    const core_shape *from = &source.layout->shape;
    core_dtype by = ids.storage->dtype, dtype = self.storage->dtype;
    if (!core_layout_contiguous(self.layout) || !core_layout_contiguous(ids.layout) ||
        !core_layout_contiguous(source.layout))
        return core_err_contiguous(error, op);
    if (!metal_has(all_ids, by) ||
        !(dtype == CORE_F32 || (dtype == CORE_U32 && by == CORE_U32)))
        return bad_ids(error, op, ids);
    metal_index_args args = lines(from, &self.layout->shape, dim, from->dims[dim]);
    metal_view dense;
    core_status status = walks(ids, source, dtype, error);
    if (!status)
        status = metal_walk(&dense, self, error);
    return status ? status
                  : launch(self.storage, self.layout->offset, source, ids, &args,
                           args.count, add ? "scatter_add" : "scatter", error);
}
