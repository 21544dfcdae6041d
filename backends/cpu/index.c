/* index_select, gather, index_add, scatter: elements chosen by a tensor of indexes.
 *
 * The largest value of the index type stands for "none": zeros are selected, writes are
 * skipped. Texts and order of checks are those of the structs of the same names in
 * cpu_backend/mod.rs. */
#include "backends/cpu/kernels.h"

#include <string.h>

#define NO_INDEX                                                                         \
    ((uint64_t)-2) /* differs from -1 of i64, which is an index out of range */

#define ID(dtype, s, T, A)                                                               \
    static uint64_t id_##s(const void *ids, size_t i)                                    \
    {                                                                                    \
        const T v = ((const T *)ids)[i];                                                 \
        const T max = (T)-1 < 0 ? (T)(((uint64_t)1 << (8 * sizeof(T) - 1)) - 1) : (T)-1; \
        return v == max ? NO_INDEX : (uint64_t)(int64_t)v;                               \
    }
CORE_FOR_INTS(ID)

typedef uint64_t id_at(const void *ids, size_t i);
#define ID_ROW(dtype, s, T, A) [dtype] = id_##s,
static id_at *const id_of[CORE_DTYPE_COUNT] = {CORE_FOR_INTS(ID_ROW)};

/* Which index types an operation takes. */
static bool narrow_ids(core_dtype dtype)
{
    return dtype == CORE_U8 || dtype == CORE_U32 || dtype == CORE_I64;
}

static size_t product(const size_t *dims, size_t from, size_t to)
{
    size_t count = 1;
    for (size_t i = from; i < to; i++)
        count *= dims[i];
    return count;
}

/* Contiguous and inside its storage. *data is its first element. */
static core_status dense(const char **data, core_view view, const char *op,
                         core_error *error)
{
    if (!core_layout_contiguous(view.layout))
        return core_err_contiguous(error, op);
    *data = core_cpu_at(view.storage, view.layout->offset);
    return core_cpu_bounds(view, false, error);
}

/* dst[i] += src[i] */
#define ADD(dtype, s, T, A)                                                              \
    static void add_##s(void *dst, const void *src, size_t n)                            \
    {                                                                                    \
        T *y = dst;                                                                      \
        const T *x = src;                                                                \
        for (size_t i = 0; i < n; i++)                                                   \
            y[i] = (T)((A)y[i] + (A)x[i]);                                               \
    }
CORE_FOR_DTYPES(ADD)

typedef void add_run(void *dst, const void *src, size_t n);
#define ADD_ROW(dtype, s, T, A) [dtype] = add_##s,
static add_run *const adds[CORE_DTYPE_COUNT] = {CORE_FOR_DTYPES(ADD_ROW)};

core_status core_cpu_index_select(core_storage *out, core_view in, core_view ids,
                                  size_t dim, core_error *error)
{
    const core_shape *shape = &in.layout->shape;
    const char *from = NULL;
    if (!narrow_ids(ids.storage->dtype))
        return core_err_dtype_op(error, in.storage->dtype, "index-select");
    core_status status = dense(&from, in, "index-select", error);
    if (!status)
        status = core_cpu_bounds(ids, false, error);
    if (status)
        return status;
    size_t left = product(shape->dims, 0, dim), length = shape->dims[dim];
    size_t row = product(shape->dims, dim + 1, shape->rank) * core_cpu_size(out);
    size_t n = ids.layout->shape.dims[0];
    char *to = out->data;
    for (size_t l = 0; l < left; l++)
        for (size_t i = 0; i < n; i++, to += row) {
            uint64_t id = id_of[ids.storage->dtype](
                ids.storage->data, ids.layout->offset + i * ids.layout->stride[0]);
            if (id == NO_INDEX)
                memset(to, 0, row);
            else if (id >= length)
                return core_err_index(error, "index-select", id, length);
            else
                memcpy(to, from + (l * length + id) * row, row);
        }
    return CORE_OK;
}

core_status core_cpu_gather(core_storage *out, core_view in, core_view ids, size_t dim,
                            core_error *error)
{
    const char *from = NULL, *id_data = NULL;
    if (!narrow_ids(ids.storage->dtype))
        return core_err_dtype_op(error, in.storage->dtype, "gather");
    core_status status = dense(&id_data, ids, "gather", error);
    if (!status)
        status = dense(&from, in, "gather", error);
    if (status)
        return status;
    const core_shape *src = &in.layout->shape, *dst = &ids.layout->shape;
    size_t size = core_cpu_size(out), length = src->dims[dim];
    size_t src_right = product(src->dims, dim + 1, src->rank);
    size_t left = product(dst->dims, 0, dim), middle = dst->dims[dim];
    size_t right = product(dst->dims, dim + 1, dst->rank), at = 0;
    for (size_t l = 0; l < left; l++)
        for (size_t i = 0; i < middle; i++)
            for (size_t r = 0; r < right; r++, at++) {
                uint64_t id = id_of[ids.storage->dtype](id_data, at);
                char *to = (char *)out->data + at * size;
                if (id == NO_INDEX)
                    memset(to, 0, size);
                else if (id >= length)
                    return core_err_index(error, "gather", id, length);
                else
                    memcpy(to, from + ((l * length + id) * src_right + r) * size, size);
            }
    return CORE_OK;
}

core_status core_cpu_index_add(core_storage *out, core_view in, core_view ids,
                               core_view source, size_t dim, core_error *error)
{
    const char *from = NULL, *id_data = NULL;
    if (core_dtype_info(ids.storage->dtype)->is_float)
        return core_err_dtype_op(error, in.storage->dtype, "index-add");
    core_status status = dense(&id_data, ids, "index-add", error);
    if (status)
        return status;
    if (in.storage->dtype != source.storage->dtype)
        return core_err_dtypes(error, "index-add", in.storage->dtype,
                               source.storage->dtype);
    status = core_cpu_copy_strided(out, 0, in, error);
    if (!status)
        status = dense(&from, source, "index-add", error);
    if (status)
        return status;
    const core_shape *src = &source.layout->shape;
    size_t length = in.layout->shape.dims[dim], middle = src->dims[dim];
    size_t left = product(src->dims, 0, dim),
           right = product(src->dims, dim + 1, src->rank);
    size_t size = core_cpu_size(out), n = ids.layout->shape.dims[0];
    for (size_t i = 0; i < n; i++) {
        uint64_t id = id_of[ids.storage->dtype](id_data, i);
        if (id == NO_INDEX)
            continue;
        if (id >= length)
            return core_err_index(error, "index-add", id, length);
        for (size_t l = 0; l < left; l++)
            adds[out->dtype]((char *)out->data + (l * length + id) * right * size,
                             from + (l * middle + i) * right * size, right);
    }
    return CORE_OK;
}

core_status core_cpu_scatter(core_view self, core_view ids, core_view source, size_t dim,
                             bool add, core_error *error)
{
    const char *to = NULL, *from = NULL, *id_data = NULL;
    core_dtype dtype = self.storage->dtype, id_type = ids.storage->dtype;
    if (add ? core_dtype_info(id_type)->is_float : !narrow_ids(id_type))
        return core_err_dtype_op(error, dtype, add ? "scatter-add" : "scatter");
    if (dtype != source.storage->dtype)
        return core_err_dtypes(error, "scatter", dtype, source.storage->dtype);
    core_status status = dense(&to, self, "scatter", error);
    if (!status)
        status = dense(&from, source, "scatter", error);
    if (!status)
        status = dense(&id_data, ids, "scatter", error);
    if (status)
        return status;
    const core_shape *dst = &self.layout->shape, *shape = &ids.layout->shape;
    size_t size = core_cpu_size(self.storage), length = dst->dims[dim];
    size_t right = product(dst->dims, dim + 1, dst->rank), at = 0;
    size_t left = product(shape->dims, 0, dim), middle = shape->dims[dim];
    for (size_t l = 0; l < left; l++)
        for (size_t i = 0; i < middle; i++)
            for (size_t r = 0; r < right; r++, at++) {
                uint64_t id = id_of[id_type](id_data, at);
                if (id == NO_INDEX)
                    continue;
                if (id >= length)
                    return core_err_index(error, "gather", id, length);
                char *y = (char *)to + ((l * length + id) * right + r) * size;
                if (add)
                    adds[dtype](y, from + at * size, 1);
                else
                    memcpy(y, from + at * size, size);
            }
    return CORE_OK;
}
