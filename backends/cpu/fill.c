/* const_set: one value through any layout, broadcast ones included. */
#include "backends/core/text.h"
#include "backends/cpu/kernels.h"

#define FILL(dtype, s, T, A)                                                             \
    static void fill_##s(void *data, size_t n, size_t stride, core_scalar value)         \
    {                                                                                    \
        T *y = data;                                                                     \
        const T v = core_dtype_info(dtype)->is_float ? (T)value.real : (T)value.integer; \
        if (stride == 1)                                                                 \
            for (size_t i = 0; i < n; i++)                                               \
                y[i] = v;                                                                \
        else                                                                             \
            for (size_t i = 0; i < n; i++)                                               \
                y[i * stride] = v;                                                       \
    }
CORE_FOR_DTYPES(FILL)

typedef void fill(void *data, size_t n, size_t stride, core_scalar value);
#define ROW(dtype, s, T, A) [dtype] = fill_##s,
static fill *const fills[CORE_DTYPE_COUNT] = {CORE_FOR_DTYPES(ROW)};

static core_status mismatch(core_dtype expected, core_scalar value, core_error *error)
{
    core_text text = {0};
    core_status status =
        core_fail(error, CORE_ERROR, "const_set dtype mismatch, expected %s but got %s",
                  core_dtype_info(expected)->variant, core_scalar_text(&text, value));
    core_text_free(&text);
    return status;
}

core_status core_cpu_const_set(core_view self, core_scalar value, core_error *error)
{
    if (self.storage->dtype != value.dtype)
        return mismatch(self.storage->dtype, value, error);
    core_status status = core_cpu_bounds(self, false, error);
    if (status)
        return status;
    core_nd nd;
    for (core_nd_start(&nd, &self.layout, 1); nd.more; core_nd_next(&nd))
        fills[value.dtype](core_cpu_write(self.storage, nd.offset[0]), nd.inner,
                           nd.inner_stride[0], value);
    return CORE_OK;
}
