/* The kernels of parity::ops: f32 and f64, in the element's own type, two roundings where
 * there are two operations. Operands are looked at one after the other, dtype before
 * shape. */
#include "backends/cpu/kernels.h"

#define STEP(dtype, s, T, A)                                                             \
    static void step_##s(core_custom op, void *out, const void *const in[3],             \
                         double param)                                                   \
    {                                                                                    \
        const T x = *(const T *)in[0], p = (T)param;                                     \
        T *y = out;                                                                      \
        switch (op) {                                                                    \
        case CORE_CUSTOM_FILL:                                                           \
            *y = p;                                                                      \
            break;                                                                       \
        case CORE_CUSTOM_SCALE:                                                          \
            *y = x * p;                                                                  \
            break;                                                                       \
        case CORE_CUSTOM_SQUARE:                                                         \
            *y = x * x;                                                                  \
            break;                                                                       \
        case CORE_CUSTOM_ASSIGN:                                                         \
            *y = *(const T *)in[1];                                                      \
            break;                                                                       \
        case CORE_CUSTOM_ADD_ASSIGN:                                                     \
            *y = x + *(const T *)in[1];                                                  \
            break;                                                                       \
        case CORE_CUSTOM_AXPY:                                                           \
            *y = x + *(const T *)in[1] * p;                                              \
            break;                                                                       \
        case CORE_CUSTOM_ADD_MUL:                                                        \
            *y = x + *(const T *)in[1] * *(const T *)in[2];                              \
            break;                                                                       \
        case CORE_CUSTOM_FAIL:                                                           \
            break;                                                                       \
        }                                                                                \
    }
CORE_FOR_FLOATS(STEP)

static core_status check(const char *name, const core_view *views, size_t nviews,
                         core_error *error)
{
    core_dtype dtype = views[0].storage->dtype;
    if (dtype != CORE_F32 && dtype != CORE_F64)
        return core_err_dtype_op(error, dtype, name);
    for (size_t i = 1; i < nviews; i++) {
        if (views[i].storage->dtype != dtype)
            return core_err_dtypes(error, name, dtype, views[i].storage->dtype);
        const core_shape *first = &views[0].layout->shape,
                         *other = &views[i].layout->shape;
        if (!core_shape_equal(first, other))
            return core_err_shapes(error, name, first, other);
    }
    return CORE_OK;
}

/* Element i of every operand; panics as indexing a slice does. */
static core_status operands_at(const void *in[3], const core_view *views, size_t nviews,
                               size_t i, core_error *error)
{
    for (size_t v = 0; v < nviews; v++) {
        size_t at = core_layout_at(views[v].layout, i), of = views[v].storage->count;
        if (at >= of)
            return core_fail(error, CORE_PANIC,
                             "index out of bounds: the len is %zu but the index is %zu",
                             of, at);
        in[v] = core_cpu_at(views[v].storage, at);
    }
    return CORE_OK;
}

core_status core_cpu_custom(core_storage *out, core_custom op, const char *name,
                            const core_view *views, size_t nviews, double param,
                            core_error *error)
{
    core_status status = check(name, views, nviews, error);
    size_t count = core_shape_count(&views[0].layout->shape);
    for (size_t i = 0; i < count && !status; i++) {
        const void *in[3] = {0};
        status = operands_at(in, views, nviews, i, error);
        if (status)
            return status;
        if (op == CORE_CUSTOM_FAIL)
            return core_fail(error, CORE_PANIC, "parity::ops::fail");
        void *to =
            out ? core_cpu_write(out, i)
                : core_cpu_write(views[0].storage, core_layout_at(views[0].layout, i));
        if (views[0].storage->dtype == CORE_F32)
            step_f32(op, to, in, param);
        else
            step_f64(op, to, in, param);
    }
    return status;
}
