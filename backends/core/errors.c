/* candle's error texts and the checks that several families share. */
#include "backends/core/internal.h"

core_status core_err_dim(core_error *error, const char *op, ptrdiff_t dim,
                         const core_shape *shape)
{
    char text[CORE_SHAPE_TEXT];
    return core_fail(error, CORE_ERROR,
                     "%s: dimension index %d out of range for shape %s", op,
                     (int)(int32_t)(uint32_t)(size_t)dim, core_shape_text(text, shape));
}

core_status core_err_duplicate(core_error *error, const char *op, const size_t *dims,
                               size_t ndims, const core_shape *shape)
{
    char list[CORE_SHAPE_TEXT], text[CORE_SHAPE_TEXT];
    return core_fail(error, CORE_ERROR, "%s: duplicate dim index %s for shape %s", op,
                     core_dims_text(list, dims, ndims), core_shape_text(text, shape));
}

core_status core_err_shapes(core_error *error, const char *op, const core_shape *lhs,
                            const core_shape *rhs)
{
    char l[CORE_SHAPE_TEXT], r[CORE_SHAPE_TEXT];
    return core_fail(error, CORE_ERROR, "shape mismatch in %s, lhs: %s, rhs: %s", op,
                     core_shape_text(l, lhs), core_shape_text(r, rhs));
}

core_status core_err_dtypes(core_error *error, const char *op, core_dtype lhs,
                            core_dtype rhs)
{
    return core_fail(error, CORE_ERROR, "dtype mismatch in %s, lhs: %s, rhs: %s", op,
                     core_dtype_info(lhs)->variant, core_dtype_info(rhs)->variant);
}

core_status core_err_rank(core_error *error, size_t expected, size_t got,
                          const core_shape *shape)
{
    char text[CORE_SHAPE_TEXT];
    return core_fail(error, CORE_ERROR, "unexpected rank, expected: %zu, got: %zu (%s)",
                     expected, got, core_shape_text(text, shape));
}

core_status core_err_dtype_op(core_error *error, core_dtype dtype, const char *op)
{
    return core_fail(error, CORE_ERROR, "unsupported dtype %s for op %s",
                     core_dtype_info(dtype)->variant, op);
}

core_status core_err_contiguous(core_error *error, const char *op)
{
    return core_fail(error, CORE_ERROR, "%s only supports contiguous tensors", op);
}

core_status core_err_index(core_error *error, const char *op, uint64_t index, size_t size)
{
    return core_fail(error, CORE_ERROR, "%s invalid index %llu with dim size %zu", op,
                     (unsigned long long)index, size);
}

core_status core_err_broadcast(core_error *error, const core_shape *from,
                               const core_shape *to)
{
    char f[CORE_SHAPE_TEXT], t[CORE_SHAPE_TEXT];
    return core_fail(error, CORE_ERROR, "cannot broadcast %s to %s",
                     core_shape_text(f, from), core_shape_text(t, to));
}

core_status core_err_cat(core_error *error, size_t dim, const core_shape *first, size_t n,
                         const core_shape *nth)
{
    char f[CORE_SHAPE_TEXT], t[CORE_SHAPE_TEXT];
    return core_fail(
        error, CORE_ERROR,
        "shape mismatch in cat for dim %zu, shape for arg 1: %s shape for arg %zu: %s",
        dim, core_shape_text(f, first), n, core_shape_text(t, nth));
}

core_status core_err_narrow(core_error *error, const char *message,
                            const core_shape *shape, size_t dim, size_t start, size_t len)
{
    char text[CORE_SHAPE_TEXT];
    return core_fail(error, CORE_ERROR,
                     "narrow invalid args %s: %s, dim: %zu, start: %zu, len:%zu", message,
                     core_shape_text(text, shape), dim, start, len);
}

core_status core_rank_limit(core_error *error, size_t rank)
{
    if (rank <= CORE_MAX_RANK)
        return CORE_OK;
    return core_fail(error, CORE_UNSUPPORTED, "tensors of more than %d dimensions (%zu)",
                     CORE_MAX_RANK, rank);
}

/* shape.rs: impl Dim for usize and for D. */
core_status core_dim_index(size_t *out, core_dim dim, const core_shape *shape,
                           const char *op, core_error *error)
{
    ptrdiff_t index = dim < 0 ? dim + (ptrdiff_t)shape->rank : dim;
    if (index < 0 || (size_t)index >= shape->rank)
        return core_err_dim(error, op, dim, shape);
    *out = (size_t)index;
    return CORE_OK;
}

core_status core_dim_index_plus_one(size_t *out, core_dim dim, const core_shape *shape,
                                    const char *op, core_error *error)
{
    ptrdiff_t index = dim < 0 ? dim + (ptrdiff_t)shape->rank + 1 : dim;
    if (index < 0 || (size_t)index > shape->rank)
        return core_err_dim(error, op, dim, shape);
    *out = (size_t)index;
    return CORE_OK;
}

/* A list of plain indexes reports a duplicate before an index out of range; a list that
 * comes from Rust tuples of Dim checks the range first. Both orders differ only for lists
 * with both mistakes, and the list form is the one that can hold more than six. */
core_status core_dims_indexes(size_t *out, const core_dim *dims, size_t ndims,
                              const core_shape *shape, const char *op, core_error *error)
{
    for (size_t i = 0; i < ndims; i++) {
        core_status status = core_dim_index(&out[i], dims[i], shape, op, error);
        if (status)
            return status;
    }
    for (size_t i = 0; i < ndims; i++)
        for (size_t j = 0; j < i; j++)
            if (out[i] == out[j])
                return core_err_duplicate(error, op, out, ndims, shape);
    return CORE_OK;
}

core_status core_same_device(const core_tensor *a, const core_tensor *b, const char *op,
                             core_error *error)
{
    if (core_device_same(a->storage->device, b->storage->device))
        return CORE_OK;
    return core_fail(error, CORE_ERROR, "device mismatch in %s, lhs: %s, rhs: %s", op,
                     core_device_location(a->storage->device),
                     core_device_location(b->storage->device));
}

core_status core_same_dtype(const core_tensor *a, const core_tensor *b, const char *op,
                            core_error *error)
{
    return a->dtype == b->dtype ? CORE_OK
                                : core_err_dtypes(error, op, a->dtype, b->dtype);
}

core_status core_same_shape(const core_tensor *a, const core_tensor *b, const char *op,
                            core_error *error)
{
    if (core_shape_equal(&a->layout.shape, &b->layout.shape))
        return CORE_OK;
    return core_err_shapes(error, op, &a->layout.shape, &b->layout.shape);
}
