#include "backends/metal/tensors.h"

#include <stdarg.h>
#include <stdio.h>

const char *metal_layout_word(const core_layout *layout)
{
    return core_layout_contiguous(layout) ? "contiguous" : "strided";
}

metal_operand metal_at(const core_storage *storage, size_t offset)
{
    const metal_piece *piece = storage->data;
    return (metal_operand){piece->memory, metal_bytes(storage, offset)};
}

static core_status outside(core_error *error)
{
    return core_fail(error, CORE_UNSUPPORTED,
                     "reaching beyond the storage, which candle does not check on Metal "
                     "(undefined behaviour)");
}

core_status metal_walk(metal_view *view, core_view operand, core_error *error)
{
    const core_layout *layout = operand.layout;
    size_t rank = layout->shape.rank, last = layout->offset;
    if (core_shape_count(&layout->shape) == 0) {
        *view = (metal_view){0};
        return CORE_OK;
    }
    bool dense = core_layout_contiguous(layout);
    if (dense)
        last += core_shape_count(&layout->shape) - 1;
    for (size_t i = 0; i < rank && !dense; i++)
        last += (layout->shape.dims[i] - 1) * layout->stride[i];
    if (last >= operand.storage->count)
        return outside(error);
    *view = (metal_view){.rank = dense ? 0 : (uint32_t)rank};
    for (size_t i = 0; i < rank && !dense; i++) {
        view->dims[i] = (uint32_t)layout->shape.dims[i];
        view->strides[i] = (uint32_t)layout->stride[i];
    }
    return CORE_OK;
}

core_status metal_failed(core_error *error, const metal_error *why)
{
    if (why->fault)
        return core_fail(error, CORE_UNSUPPORTED, "undefined behaviour on Metal: %s",
                         why->text);
    return core_fail(error, CORE_ERROR, "Metal error %s", why->text);
}

core_status metal_run(const core_storage *on, const metal_call *call, core_error *error,
                      const char *format, ...)
{
    char name[64];
    metal_error why;
    va_list args;
    if (!call->threads)
        return CORE_OK;
    if (call->threads > UINT32_MAX)
        return core_fail(error, CORE_UNSUPPORTED, "more than 2^32 elements on Metal");
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    metal_launch launch = {
        .family = call->family,
        .kernel = name,
        .args = call->args,
        .args_size = call->args_size,
        .noperands = call->noperands,
        .threads = call->threads,
        .groups = call->groups,
        .width = call->width,
        .shared = call->shared,
    };
    for (size_t i = 0; i < call->noperands; i++)
        launch.operands[i] = call->operands[i];
    return metal_gpu_run(metal_of(on)->gpu, &launch, &why) ? CORE_OK
                                                           : metal_failed(error, &why);
}

core_status metal_wait(core_device *device, core_error *error)
{
    metal_device *metal = device->state;
    metal_error why;
    bool good = metal_gpu_wait(metal->gpu, &why);
    metal_pool_sweep(&metal->pool);
    return good ? CORE_OK : metal_failed(error, &why);
}

core_status metal_map(core_storage *out, size_t offset, core_view in, float a, float b,
                      core_error *error, const char *family, const char *kernel)
{
    size_t count = core_shape_count(&in.layout->shape);
    metal_map_args args = {.count = (uint32_t)count, .a = a, .b = b};
    core_status status = metal_walk(&args.in, in, error);
    if (status)
        return status;
    const metal_call call = {
        .family = family,
        .args = &args,
        .args_size = sizeof args,
        .operands = {metal_at(in.storage, in.layout->offset), metal_at(out, offset)},
        .noperands = 2,
        .threads = count,
    };
    return metal_run(out, &call, error, "%s", kernel);
}
