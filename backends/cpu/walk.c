/* Bounds and walking, for all families. */
#include "backends/cpu/kernels.h"

core_status core_cpu_slice(size_t start, size_t length, size_t of, core_error *error)
{
    size_t end = start + length;
    if (start > of)
        return core_fail(error, CORE_PANIC,
                         "range start index %zu out of range for slice of length %zu",
                         start, of);
    if (end > of || end < start)
        return core_fail(error, CORE_PANIC,
                         "range end index %zu out of range for slice of length %zu", end,
                         of);
    return CORE_OK;
}

static size_t last_offset(const core_layout *layout)
{
    size_t last = layout->offset;
    for (size_t i = 0; i < layout->shape.rank; i++)
        last += (layout->shape.dims[i] - 1) * layout->stride[i];
    return last;
}

core_status core_cpu_bounds(core_view view, bool unchecked, core_error *error)
{
    const core_layout *layout = view.layout;
    size_t count = core_shape_count(&layout->shape), of = view.storage->count;
    if (core_layout_contiguous(layout))
        return core_cpu_slice(layout->offset, count, of, error);
    if (count == 0 || last_offset(layout) < of)
        return CORE_OK;
    if (unchecked)
        return core_fail(
            error, CORE_UNSUPPORTED,
            "reading beyond the storage through a strided layout, which candle does "
            "not check (undefined behaviour)");
    size_t i = 0;
    while (core_layout_at(layout, i) < of)
        i++;
    return core_fail(error, CORE_PANIC,
                     "index out of bounds: the len is %zu but the index is %zu", of,
                     core_layout_at(layout, i));
}

core_status core_cpu_map1(core_storage *out, core_view in, core_block1 *block,
                          const void *params, core_error *error)
{
    core_status status = core_cpu_bounds(in, true, error);
    if (status)
        return status;
    size_t size = core_cpu_size(out), count = core_shape_count(&in.layout->shape);
    char *to = out->data;
    if (out->device->plain) {
        for (size_t i = 0; i < count; i++)
            block(to + i * size, core_cpu_at(in.storage, core_layout_at(in.layout, i)), 1,
                  1, params);
        return CORE_OK;
    }
    core_nd nd;
    core_nd_start(&nd, &in.layout, 1);
    for (; nd.more; core_nd_next(&nd), to += nd.inner * size)
        block(to, core_cpu_at(in.storage, nd.offset[0]), nd.inner, nd.inner_stride[0],
              params);
    return CORE_OK;
}

core_status core_cpu_map2(core_storage *out, core_view a, core_view b, core_block2 *block,
                          core_error *error)
{
    core_status status = core_cpu_bounds(a, false, error);
    if (!status)
        status = core_cpu_bounds(b, false, error);
    if (status)
        return status;
    size_t size = core_cpu_size(out), count = core_shape_count(&a.layout->shape);
    char *to = out->data;
    const char *panic = NULL;
    if (out->device->plain) {
        for (size_t i = 0; i < count && !panic; i++)
            panic =
                block(to + i * size, core_cpu_at(a.storage, core_layout_at(a.layout, i)),
                      1, core_cpu_at(b.storage, core_layout_at(b.layout, i)), 1, 1);
        return panic ? core_fail(error, CORE_PANIC, "%s", panic) : CORE_OK;
    }
    core_nd nd;
    core_nd_start(&nd, (const core_layout *const[]){a.layout, b.layout}, 2);
    for (; nd.more && !panic; core_nd_next(&nd), to += nd.inner * size)
        panic = block(to, core_cpu_at(a.storage, nd.offset[0]), nd.inner_stride[0],
                      core_cpu_at(b.storage, nd.offset[1]), nd.inner_stride[1], nd.inner);
    return panic ? core_fail(error, CORE_PANIC, "%s", panic) : CORE_OK;
}
