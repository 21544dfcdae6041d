/* sum over any dims; min, max, argmin, argmax over one (ReduceSum, ReduceIndex).
 *
 * Sums start from 0 and add in row-major order of the input, into the element type. The
 * extremes start from the first element and change only when the comparison holds: a NaN
 * in front stays, later ones are ignored, of equal elements the first wins. */
#include "backends/cpu/kernels.h"

#include <string.h>

/* Strides of the result for the dims of the input: 0 where it is reduced. */
static void result_strides(size_t strides[CORE_MAX_RANK], const core_shape *shape,
                           const size_t *dims, size_t ndims)
{
    size_t stride = 1;
    for (size_t i = shape->rank; i-- > 0;) {
        bool reduced = false;
        for (size_t d = 0; d < ndims; d++)
            reduced |= dims[d] == i;
        strides[i] = reduced ? 0 : stride;
        stride *= reduced ? 1 : shape->dims[i];
    }
}

/* Adds a run of the input to out, which steps by `to`. */
#define SUM(dtype, s, T, A)                                                              \
    static void sum_##s(void *out, size_t to, const void *in, size_t n, size_t stride)   \
    {                                                                                    \
        T *y = out;                                                                      \
        const T *x = in;                                                                 \
        if (to == 0) {                                                                   \
            T acc = *y;                                                                  \
            for (size_t i = 0; i < n; i++)                                               \
                acc = (T)((A)acc + (A)x[i * stride]);                                    \
            *y = acc;                                                                    \
        } else {                                                                         \
            for (size_t i = 0; i < n; i++)                                               \
                y[i * to] = (T)((A)y[i * to] + (A)x[i * stride]);                        \
        }                                                                                \
    }
CORE_FOR_DTYPES(SUM)

typedef void sum_run(void *out, size_t to, const void *in, size_t n, size_t stride);
#define SUM_ROW(dtype, s, T, A) [dtype] = sum_##s,
static sum_run *const sums[CORE_DTYPE_COUNT] = {CORE_FOR_DTYPES(SUM_ROW)};

static core_status reduce_sum(core_storage *out, core_view in, const size_t *dims,
                              size_t ndims, core_error *error)
{
    core_status status = core_cpu_bounds(in, false, error);
    if (status)
        return status;
    core_layout to = *in.layout;
    to.offset = 0;
    result_strides(to.stride, &in.layout->shape, dims, ndims);
    memset(out->data, 0, out->count * core_cpu_size(out));
    if (out->device->plain) {
        size_t count = core_shape_count(&in.layout->shape);
        for (size_t i = 0; i < count; i++)
            sums[out->dtype](core_cpu_write(out, core_layout_at(&to, i)), 0,
                             core_cpu_at(in.storage, core_layout_at(in.layout, i)), 1, 1);
        return CORE_OK;
    }
    core_nd nd;
    core_nd_start(&nd, (const core_layout *const[]){in.layout, &to}, 2);
    for (; nd.more; core_nd_next(&nd))
        sums[out->dtype](core_cpu_write(out, nd.offset[1]), nd.inner_stride[1],
                         core_cpu_at(in.storage, nd.offset[0]), nd.inner,
                         nd.inner_stride[0]);
    return CORE_OK;
}

/* Index of the extreme of n elements; `last` is the length of the dimension. */
#define EXTREME(dtype, s, T, A)                                                          \
    static size_t extreme_##s(const void *in, size_t n, size_t stride, bool min)         \
    {                                                                                    \
        const T *x = in;                                                                 \
        size_t at = 0;                                                                   \
        T best = x[0];                                                                   \
        for (size_t i = 0; i < n; i++) {                                                 \
            const T v = x[i * stride];                                                   \
            if (min ? best > v : best < v) {                                             \
                best = v;                                                                \
                at = i;                                                                  \
            }                                                                            \
        }                                                                                \
        return at;                                                                       \
    }
CORE_FOR_DTYPES(EXTREME)

typedef size_t extreme(const void *in, size_t n, size_t stride, bool min);
#define EXTREME_ROW(dtype, s, T, A) [dtype] = extreme_##s,
static extreme *const extremes[CORE_DTYPE_COUNT] = {CORE_FOR_DTYPES(EXTREME_ROW)};

core_status core_cpu_reduce(core_storage *out, core_reduce op, core_view in,
                            const size_t *dims, size_t ndims, core_error *error)
{
    if (op == CORE_SUM)
        return reduce_sum(out, in, dims, ndims, error);
    if (core_shape_count(&in.layout->shape) == 0)
        return core_fail(error, CORE_ERROR, "empty tensor for reduce");
    core_status status = core_cpu_bounds(in, false, error);
    if (status)
        return status;
    size_t n = in.layout->shape.dims[dims[0]], stride = in.layout->stride[dims[0]];
    if (stride == 0 && core_layout_contiguous(in.layout))
        return core_fail(error, CORE_PANIC,
                         "attempt to divide by zero"); /* upstream too */
    size_t size = core_cpu_size(in.storage);
    bool min = op == CORE_MIN || op == CORE_ARGMIN;
    bool index = op == CORE_ARGMIN || op == CORE_ARGMAX;
    core_layout starts = *in.layout;
    starts.shape.dims[dims[0]] = 1;
    for (size_t i = 0; i < out->count; i++) {
        const char *from = core_cpu_at(in.storage, core_layout_at(&starts, i));
        size_t at = extremes[in.storage->dtype](from, n, stride, min);
        if (index)
            ((uint32_t *)out->data)[i] = (uint32_t)at;
        else
            memcpy((char *)out->data + i * size, from + at * stride * size, size);
    }
    return CORE_OK;
}
