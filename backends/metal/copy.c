/* copy_strided_src and copy2d: blits where elements follow each other, kernels
 * otherwise. */
#include "backends/metal/tensors.h"

#include <stdio.h>

/* A blit wants multiples of 4 bytes; a kernel does the rest. */
static core_status blit(core_storage *out, size_t out_offset, const core_storage *in,
                        size_t in_offset, size_t count, core_error *error)
{
    metal_error why;
    metal_operand to = metal_at(out, out_offset), from = metal_at(in, in_offset);
    size_t bytes = metal_bytes(in, count);
    if (!count)
        return CORE_OK;
    if ((to.offset | from.offset | bytes) % 4 == 0)
        return metal_gpu_copy(metal_of(in)->gpu, to, from, bytes, &why)
                   ? CORE_OK
                   : metal_failed(error, &why);
    const metal_copy2d_args args = {1, (uint32_t)count, 0, 0};
    const metal_call call = {
        .family = "copy",
        .args = &args,
        .args_size = sizeof args,
        .operands = {from, to},
        .noperands = 2,
        .threads = count,
    };
    return metal_run(in, &call, error, "copy2d_%zu",
                     8 * core_dtype_info(in->dtype)->size);
}

static core_status inside(const core_storage *storage, size_t start, size_t length,
                          core_error *error)
{
    if (start <= storage->count && length <= storage->count - start)
        return CORE_OK;
    return core_fail(error, CORE_UNSUPPORTED,
                     "copying beyond the storage, which candle does not check on Metal "
                     "(undefined behaviour)");
}

core_status metal_copy2d(core_storage *out, const core_storage *in, size_t rows,
                         size_t cols, size_t in_stride, size_t out_stride,
                         size_t in_offset, size_t out_offset, core_error *error)
{
    if (in->dtype != out->dtype)
        return core_fail(error, CORE_ERROR, "copy2d with inconsistent dtypes %s %s",
                         metal_variant(in->dtype), metal_variant(out->dtype));
    bool dense = in_stride == cols && out_stride == cols;
    if (rows * cols == 0)
        return CORE_OK;
    if (!dense && !metal_has(METAL_USUAL | METAL_I32 | METAL_I16, in->dtype))
        return core_fail(error, CORE_ERROR, "Metal copy2d %s not implemented",
                         metal_variant(in->dtype));
    core_status status = inside(in, in_offset, (rows - 1) * in_stride + cols, error);
    if (!status)
        status = inside(out, out_offset, (rows - 1) * out_stride + cols, error);
    if (status || dense)
        return status ? status : blit(out, out_offset, in, in_offset, rows * cols, error);
    const metal_copy2d_args args = {(uint32_t)rows, (uint32_t)cols, (uint32_t)in_stride,
                                    (uint32_t)out_stride};
    const metal_call call = {
        .family = "copy",
        .args = &args,
        .args_size = sizeof args,
        .operands = {metal_at(in, in_offset), metal_at(out, out_offset)},
        .noperands = 2,
        .threads = rows * cols,
    };
    return metal_run(in, &call, error, "copy2d_%zu",
                     8 * core_dtype_info(in->dtype)->size);
}

/* Layout::strided_blocks when all dims but the first are one dense block. */
static bool uniform_blocks(size_t *block, const core_layout *layout)
{
    size_t rank = layout->shape.rank, dense = 0;
    *block = 1;
    for (size_t i = rank; i-- > 0; dense++) {
        if (layout->shape.dims[i] == 1)
            continue;
        if (layout->stride[i] != *block)
            break;
        *block *= layout->shape.dims[i];
    }
    return rank - dense == 1 && (rank == 1 || layout->stride[rank - 1] == 1);
}

/* The dtypes differ in Var::set only. candle then runs the kernel of the source's type:
 * raw bits are written, at an offset that counts elements of the target. */
core_status metal_copy_strided(core_storage *out, size_t offset, core_view in,
                               core_error *error)
{
    const core_layout *layout = in.layout;
    size_t count = core_shape_count(&layout->shape), block = 0;
    bool same = in.storage->dtype == out->dtype;
    if (in.storage->device != out->device)
        return core_fail(error, CORE_UNSUPPORTED,
                         "a write by another instance of the device, for which candle "
                         "does not wait");
    if (same && core_layout_contiguous(layout)) {
        core_status status = inside(in.storage, layout->offset, count, error);
        if (!status)
            status = inside(out, offset, count, error);
        return status ? status
                      : blit(out, offset, in.storage, layout->offset, count, error);
    }
    if (!count)
        return CORE_OK;
    if (same && uniform_blocks(&block, layout))
        return metal_copy2d(out, in.storage, layout->shape.dims[0], block,
                            layout->stride[0], block, layout->offset, offset, error);
    if (!metal_has(METAL_USUAL, in.storage->dtype))
        return core_fail(error, CORE_ERROR, "Metal copy_strided %s not implemented",
                         metal_variant(in.storage->dtype));
    size_t size = core_dtype_info(in.storage->dtype)->size;
    size_t own = core_dtype_info(out->dtype)->size;
    core_status status = inside(out, offset, (count * size + own - 1) / own, error);
    if (status)
        return status;
    char kernel[16];
    snprintf(kernel, sizeof kernel, "copy_%zu", 8 * size);
    return metal_map(out, offset, in, 0, 0, error, "copy", kernel);
}
