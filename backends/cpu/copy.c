/* Copies: bytes only, so the element type does not matter (copy_strided_src_, copy2d_).
 */
#include "backends/cpu/kernels.h"

#include <string.h>

#define STRIDED(s, T)                                                                    \
    static void strided_##s(void *restrict out, const void *in, size_t n, size_t stride) \
    {                                                                                    \
        T *restrict y = out;                                                             \
        const T *x = in;                                                                 \
        for (size_t i = 0; i < n; i++)                                                   \
            y[i] = x[i * stride];                                                        \
    }
STRIDED(8, uint8_t)
STRIDED(16, uint16_t)
STRIDED(32, uint32_t)
STRIDED(64, uint64_t)

static void run(void *out, const void *in, size_t n, size_t stride, size_t size)
{
    if (stride == 1)
        memcpy(out, in, n * size);
    else if (size == 1)
        strided_8(out, in, n, stride);
    else if (size == 2)
        strided_16(out, in, n, stride);
    else if (size == 4)
        strided_32(out, in, n, stride);
    else
        strided_64(out, in, n, stride);
}

static void copy_elements(char *to, core_view in, size_t size)
{
    if (in.storage->device->plain) {
        size_t count = core_shape_count(&in.layout->shape);
        for (size_t i = 0; i < count; i++)
            memcpy(to + i * size, core_cpu_at(in.storage, core_layout_at(in.layout, i)),
                   size);
        return;
    }
    core_nd nd;
    for (core_nd_start(&nd, &in.layout, 1); nd.more;
         core_nd_next(&nd), to += nd.inner * size)
        run(to, core_cpu_at(in.storage, nd.offset[0]), nd.inner, nd.inner_stride[0],
            size);
}

core_status core_cpu_copy_strided(core_storage *out, size_t offset, core_view in,
                                  core_error *error)
{
    if (in.storage->dtype != out->dtype)
        return core_err_dtypes(error, "copy_strided", in.storage->dtype, out->dtype);
    size_t count = core_shape_count(&in.layout->shape);
    core_status status = core_cpu_slice(offset, count, out->count, error);
    if (!status)
        status = core_cpu_bounds(in, false, error);
    if (status)
        return status;
    copy_elements(core_cpu_write(out, offset), in, core_cpu_size(out));
    return CORE_OK;
}

core_status core_cpu_copy2d(core_storage *out, const core_storage *in, size_t rows,
                            size_t cols, size_t in_stride, size_t out_stride,
                            size_t in_offset, size_t out_offset, core_error *error)
{
    if (in->dtype != out->dtype)
        return core_err_dtypes(error, "copy2d", in->dtype, out->dtype);
    if (in_stride == cols && out_stride == cols) {
        cols *= rows;
        rows = 1;
    }
    size_t size = core_cpu_size(out);
    for (size_t row = 0; row < rows; row++) {
        core_status status = core_cpu_slice(out_offset, cols, out->count, error);
        if (!status)
            status = core_cpu_slice(in_offset, cols, in->count, error);
        if (status)
            return status;
        memcpy((char *)out->data + out_offset * size, core_cpu_at(in, in_offset),
               cols * size);
        in_offset += in_stride;
        out_offset += out_stride;
    }
    return CORE_OK;
}

core_status core_cpu_read(void *bytes, core_view in, core_error *error)
{
    core_status status = core_cpu_bounds(in, false, error);
    if (status)
        return status;
    copy_elements(bytes, in, core_cpu_size(in.storage));
    return CORE_OK;
}
