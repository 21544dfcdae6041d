/* where_cond. */
#include "backends/metal/tensors.h"

static const unsigned values[CORE_DTYPE_COUNT] = {
    [CORE_U8] = METAL_USUAL,
    [CORE_U32] = METAL_F32,
};

core_status metal_where_cond(core_storage *out, core_view pred, core_view on_true,
                             core_view on_false, core_error *error)
{
    core_dtype by = pred.storage->dtype, dtype = on_true.storage->dtype;
    if (!metal_has(values[by], dtype))
        return core_fail(error, CORE_ERROR, "Metal where_cond %s %s not implemented",
                         metal_variant(by), metal_variant(dtype));
    size_t count = core_shape_count(&on_true.layout->shape);
    metal_where_args args = {.count = (uint32_t)count};
    core_status status = metal_walk(&args.pred, pred, error);
    if (!status)
        status = metal_walk(&args.on_true, on_true, error);
    if (!status)
        status = metal_walk(&args.on_false, on_false, error);
    if (status)
        return status;
    const metal_call call = {
        .family = "where",
        .args = &args,
        .args_size = sizeof args,
        .operands = {metal_at(pred.storage, pred.layout->offset),
                     metal_at(on_true.storage, on_true.layout->offset),
                     metal_at(on_false.storage, on_false.layout->offset),
                     metal_at(out, 0)},
        .noperands = 4,
        .threads = count,
    };
    return metal_run(out, &call, error, "where_%s_%s", core_dtype_info(by)->name,
                     core_dtype_info(dtype)->name);
}
