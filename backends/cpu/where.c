/* where_cond: any integer predicate, not zero is true (struct WCond). */
#include "backends/cpu/kernels.h"

#include <string.h>

#define TRUE_AT(dtype, s, T, A)                                                          \
    static bool true_##s(const void *pred, size_t i)                                     \
    {                                                                                    \
        return ((const T *)pred)[i] != 0;                                                \
    }
CORE_FOR_INTS(TRUE_AT)

typedef bool is_true(const void *pred, size_t i);
#define ROW(dtype, s, T, A) [dtype] = true_##s,
static is_true *const trues[CORE_DTYPE_COUNT] = {CORE_FOR_INTS(ROW)};

/* Only the size of the elements matters. */
#define SELECT(s, T)                                                                     \
    static void select_##s(const core_nd *nd, void *restrict out, const void *pred,      \
                           is_true *truth, const void *t, const void *f)                 \
    {                                                                                    \
        T *y = out;                                                                      \
        const T *p = (const T *)t + nd->offset[1], *q = (const T *)f + nd->offset[2];    \
        for (size_t i = 0; i < nd->inner; i++)                                           \
            y[i] = truth(pred, nd->offset[0] + i * nd->inner_stride[0])                  \
                       ? p[i * nd->inner_stride[1]]                                      \
                       : q[i * nd->inner_stride[2]];                                     \
    }
SELECT(8, uint8_t)
SELECT(16, uint16_t)
SELECT(32, uint32_t)
SELECT(64, uint64_t)

core_status core_cpu_where_cond(core_storage *out, core_view pred, core_view on_true,
                                core_view on_false, core_error *error)
{
    core_status status = core_cpu_bounds(pred, false, error);
    if (!status)
        status = core_cpu_bounds(on_true, false, error);
    if (!status)
        status = core_cpu_bounds(on_false, false, error);
    if (status)
        return status;
    is_true *truth = trues[pred.storage->dtype];
    size_t size = core_cpu_size(out);
    char *to = out->data;
    const core_layout *const layouts[] = {pred.layout, on_true.layout, on_false.layout};
    core_nd nd;
    for (core_nd_start(&nd, layouts, 3); nd.more;
         core_nd_next(&nd), to += nd.inner * size) {
        const void *t = on_true.storage->data, *f = on_false.storage->data;
        const void *p = pred.storage->data;
        switch (size) {
        case 1:
            select_8(&nd, to, p, truth, t, f);
            break;
        case 2:
            select_16(&nd, to, p, truth, t, f);
            break;
        case 4:
            select_32(&nd, to, p, truth, t, f);
            break;
        default:
            select_64(&nd, to, p, truth, t, f);
        }
    }
    return CORE_OK;
}
