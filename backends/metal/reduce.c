/* sum, min, max, argmin, argmax. */
#include "backends/metal/tensors.h"

static const struct {
    const char *kernel;
    const char *variant; /* Debug of ReduceOp */
    bool checks_empty;
    bool index;
} rows[CORE_REDUCE_COUNT] = {
    [CORE_SUM] = {"sum", "Sum", false, false},
    [CORE_MIN] = {"min", "Min", true, false},
    [CORE_MAX] = {"max", "Max", true, false},
    [CORE_ARGMIN] = {"argmin", "ArgMin", true, true},
    [CORE_ARGMAX] = {"argmax", "ArgMax", true, true},
};

/* The dims that stay, then those that go. */
static core_layout turned(const core_layout *in, const size_t *dims, size_t ndims)
{
    core_layout out = {.shape.rank = in->shape.rank, .offset = in->offset};
    size_t stay = 0, go = in->shape.rank - ndims;
    for (size_t i = 0, d = 0; i < in->shape.rank; i++) {
        bool reduced = d < ndims && dims[d] == i;
        size_t at = reduced ? go++ : stay++;
        d += reduced;
        out.shape.dims[at] = in->shape.dims[i];
        out.stride[at] = in->stride[i];
    }
    return out;
}

/* Threads of a group: min(most, next_power_of_two(work / 2)). */
static size_t width_of(size_t work, size_t most)
{
    size_t width = 1;
    while (width < work / 2 && width < most)
        width *= 2;
    return width;
}

core_status metal_reduce(core_storage *out, core_reduce op, core_view in,
                         const size_t *dims, size_t ndims, core_error *error)
{
    enum { MOST = 1024 };
    core_layout layout = turned(in.layout, dims, ndims);
    size_t count = core_shape_count(&in.layout->shape), rank = layout.shape.rank;
    core_dtype dtype = in.storage->dtype;
    bool dense = core_layout_contiguous(in.layout) && core_layout_contiguous(&layout);
    if (!metal_has(METAL_USUAL, dtype))
        return core_fail(error, CORE_ERROR, "Metal %s reduce op %s %s not implemented",
                         dense ? "contiguous" : "strided", rows[op].variant,
                         metal_variant(dtype));
    if (rows[op].checks_empty && count == 0)
        return core_fail(error, CORE_ERROR, "empty tensor for reduce");
    if (out->count == 0)
        return core_fail(error, CORE_PANIC, "attempt to divide by zero");
    size_t work = count / out->count, width = width_of(work, MOST);
    metal_reduce_args args = {.work = (uint32_t)work,
                              .width = (uint32_t)width,
                              .last = rank ? (uint32_t)layout.shape.dims[rank - 1] : 1};
    core_status status = metal_walk(&args.in, (core_view){in.storage, &layout}, error);
    if (status)
        return status;
    const metal_call call = {
        .family = "reduce",
        .args = &args,
        .args_size = sizeof args,
        .operands = {metal_at(in.storage, layout.offset), metal_at(out, 0)},
        .noperands = 2,
        .threads = out->count,
        .groups = out->count,
        .width = width,
        .shared = 16, /* an element with its index */
    };
    return metal_run(out, &call, error, "%s_%s", rows[op].kernel,
                     core_dtype_info(dtype)->name);
}
