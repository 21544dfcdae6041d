/* matmul, broadcast_matmul, dot, mv (tensor.rs:1440-1560). */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <string.h>

static size_t product(const size_t *dims, size_t count)
{
    size_t all = 1;
    for (size_t i = 0; i < count; i++)
        all *= dims[i];
    return all;
}

core_status core_tensor_matmul(core_context *context, core_tensor **out,
                               const core_tensor *lhs, const core_tensor *rhs,
                               core_error *error)
{
    const core_shape *a = &lhs->layout.shape, *b = &rhs->layout.shape;
    size_t rank = a->rank;
    if (rank < 2 || b->rank != rank)
        return core_err_shapes(error, "matmul", a, b);
    size_t m = a->dims[rank - 2], k = a->dims[rank - 1], n = b->dims[rank - 1];
    core_shape shape = *a;
    shape.dims[rank - 1] = n;
    /* Before anything else is looked at, and without a graph. */
    if (core_shape_count(&shape) == 0 || k == 0)
        return core_tensor_zeros(context, out, &shape, lhs->dtype, lhs->storage->device,
                                 error);
    size_t batches = product(a->dims, rank - 2);
    if (k != b->dims[rank - 2] || batches != product(b->dims, rank - 2))
        return core_err_shapes(error, "matmul", a, b);
    const core_tensor *const args[] = {lhs, rhs};
    core_hold holds[2];
    core_storage *storage = NULL;
    core_status status = core_lock_reads(context, holds, args, 2, "matmul", error);
    if (status)
        return status;
    status = core_same_device(lhs, rhs, "matmul", error);
    if (!status)
        status = core_same_dtype(lhs, rhs, "matmul", error);
    if (!status)
        status = core_storage_new(context, &storage, lhs->storage->device, lhs->dtype,
                                  core_shape_count(&shape), false, error);
    if (!status)
        status =
            core_kernels_of(lhs)->matmul(storage, core_view_of(lhs), core_view_of(rhs),
                                         (const size_t[4]){batches, m, n, k}, error);
    core_unlock_reads(holds, 2);
    return core_new_node(context, out, status, storage, &shape,
                         &(core_op_info){.kind = CORE_OP_MATMUL}, args, 2);
}

/* Shape of one side after broadcasting the batch dims. */
static core_shape side_shape(const core_shape *batch, const core_shape *side)
{
    core_shape shape = *batch;
    shape.dims[shape.rank++] = side->dims[side->rank - 2];
    shape.dims[shape.rank++] = side->dims[side->rank - 1];
    return shape;
}

static core_status broadcast_side(core_context *context, core_tensor **out,
                                  const core_tensor *side, const core_shape *shape,
                                  core_error *error)
{
    if (core_shape_equal(shape, &side->layout.shape))
        return core_same(out, side);
    core_tensor *wide = NULL;
    core_status status = core_tensor_broadcast_as(context, &wide, side, shape, error);
    if (!status)
        status = core_tensor_contiguous(context, out, wide, error);
    core_tensor_unref(wide);
    return status;
}

core_status core_tensor_broadcast_matmul(core_context *context, core_tensor **out,
                                         const core_tensor *lhs, const core_tensor *rhs,
                                         core_error *error)
{
    const core_shape *a = &lhs->layout.shape, *b = &rhs->layout.shape;
    char at[CORE_SHAPE_TEXT], bt[CORE_SHAPE_TEXT];
    if (a->rank < 2 || b->rank < 2)
        return core_fail(error, CORE_ERROR, "only 2d matrixes are supported %s %s",
                         core_shape_text(at, a), core_shape_text(bt, b));
    if (a->dims[a->rank - 1] != b->dims[b->rank - 2])
        return core_fail(error, CORE_ERROR,
                         "different inner dimensions in broadcast matmul %s %s",
                         core_shape_text(at, a), core_shape_text(bt, b));
    core_shape ab = core_shape_of(a->dims, a->rank - 2),
               bb = core_shape_of(b->dims, b->rank - 2);
    core_shape batch;
    core_tensor *l = NULL, *r = NULL;
    core_status status =
        core_broadcast_shape(&batch, &ab, &bb, "broadcast_matmul", error);
    if (status)
        return status;
    core_shape ls = side_shape(&batch, a), rs = side_shape(&batch, b);
    status = broadcast_side(context, &l, lhs, &ls, error);
    if (!status)
        status = broadcast_side(context, &r, rhs, &rs, error);
    if (!status)
        status = core_tensor_matmul(context, out, l, r, error);
    core_tensor_unref(l);
    core_tensor_unref(r);
    return status;
}

/* --- rows --- */

THUNK(matmul)
{
    GIVE(core_tensor_matmul(context, &out, self->tensor, args[0].tensor, error));
}

THUNK(broadcast_matmul)
{
    GIVE(
        core_tensor_broadcast_matmul(context, &out, self->tensor, args[0].tensor, error));
}

THUNK(dot)
{
    const core_tensor *lhs = self->tensor, *rhs = args[0].tensor;
    if (core_tensor_rank(lhs) != 1 || core_tensor_rank(rhs) != 1)
        return core_err_shapes(error, "dot", &lhs->layout.shape, &rhs->layout.shape);
    core_tensor *product_of = NULL, *out = NULL;
    core_status status =
        core_tensor_binary(context, &product_of, CORE_MUL, lhs, rhs, error);
    if (!status)
        status = core_tensor_sum_all(context, &out, product_of, error);
    core_tensor_unref(product_of);
    return core_give(result, &out, status);
}

THUNK(mv)
{
    const core_shape *a = &self->tensor->layout.shape, *b = &args[0].tensor->layout.shape;
    if (a->rank != 2 || b->rank != 1 || a->dims[1] != b->dims[0])
        return core_err_shapes(error, "mv", a, b);
    core_tensor *column = NULL, *product_of = NULL, *out = NULL;
    core_status status =
        core_tensor_unsqueeze(context, &column, args[0].tensor, 1, error);
    if (!status)
        status = core_tensor_matmul(context, &product_of, self->tensor, column, error);
    if (!status)
        status = core_tensor_squeeze(context, &out, product_of, 1, error);
    core_tensor_unref(column);
    core_tensor_unref(product_of);
    return core_give(result, &out, status);
}

const core_method core_methods_matmul[] = {
    METHOD(TENSOR, "matmul", "t", true, matmul),
    METHOD(TENSOR, "broadcast_matmul", "t", true, broadcast_matmul),
    METHOD(TENSOR, "dot", "t", true, dot),
    METHOD(TENSOR, "mv", "t", true, mv),
    CORE_METHODS_END,
};
