/* Comparisons (u8 results) and where_cond (tensor.rs:1119-1170, 1565). No shortcut for
 * zero elements; the graph remembers the left side only. */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

static core_status compare(core_context *context, core_tensor **out, core_cmp op,
                           const core_tensor *self, const core_tensor *rhs,
                           core_error *error)
{
    core_hold holds[2];
    core_storage *storage = NULL;
    core_status status = core_same_shape(self, rhs, "cmp", error);
    if (!status)
        status = core_lock_reads(context, holds, (const core_tensor *const[]){self, rhs},
                                 2, "cmp", error);
    if (status)
        return status;
    status = core_same_device(self, rhs, "cmp", error);
    if (!status)
        status = core_same_dtype(self, rhs, "cmp", error);
    if (!status)
        status = core_storage_new(context, &storage, self->storage->device, CORE_U8,
                                  core_tensor_count(self), false, error);
    if (!status)
        status = core_kernels_of(self)->cmp(storage, op, core_view_of(self),
                                            core_view_of(rhs), error);
    core_unlock_reads(holds, 2);
    return core_new_node(context, out, status, storage, &self->layout.shape,
                         &(core_op_info){.kind = CORE_OP_CMP, .sub = (int)op}, &self, 1);
}

core_status core_tensor_cmp(core_context *context, core_tensor **out, core_cmp op,
                            const core_tensor *self, const core_operand *rhs,
                            core_error *error)
{
    core_tensor *other = NULL;
    core_status status = core_operand_tensor(context, &other, rhs, self, error);
    if (!status)
        status = compare(context, out, op, self, other, error);
    core_tensor_unref(other);
    return status;
}

core_status core_tensor_where_cond(core_context *context, core_tensor **out,
                                   const core_tensor *self, const core_tensor *on_true,
                                   const core_tensor *on_false, core_error *error)
{
    const core_tensor *const args[] = {self, on_true, on_false};
    core_hold holds[3];
    core_storage *storage = NULL;
    core_status status = core_same_shape(self, on_true, "where_cond", error);
    if (!status)
        status = core_same_shape(self, on_false, "where_cond", error);
    if (!status)
        status = core_lock_reads(context, holds, args, 3, "where_cond", error);
    if (status)
        return status;
    status = core_same_device(self, on_true, "where", error);
    if (!status)
        status = core_same_device(self, on_false, "where", error);
    if (!status)
        status = core_same_dtype(on_true, on_false, "where", error);
    if (!status && core_dtype_info(self->dtype)->is_float)
        status = core_err_dtype_op(error, self->dtype, "where-cond");
    if (!status)
        status = core_storage_new(context, &storage, on_true->storage->device,
                                  on_true->dtype, core_tensor_count(self), false, error);
    if (!status)
        status = core_kernels_of(self)->where_cond(storage, core_view_of(self),
                                                   core_view_of(on_true),
                                                   core_view_of(on_false), error);
    core_unlock_reads(holds, 3);
    return core_new_node(context, out, status, storage, &self->layout.shape,
                         &(core_op_info){.kind = CORE_OP_WHERE_COND}, args, 3);
}

/* --- rows --- */

#define CMP_THUNK(name, op)                                                              \
    THUNK(name)                                                                          \
    {                                                                                    \
        core_operand rhs;                                                                \
        core_status status = core_arg_operand(&rhs, &args[0], error);                    \
        if (status)                                                                      \
            return status;                                                               \
        GIVE(core_tensor_cmp(context, &out, op, self->tensor, &rhs, error));             \
    }                                                                                    \
    THUNK(broadcast_##name)                                                              \
    {                                                                                    \
        core_tensor *pair[2], *out = NULL;                                               \
        core_status status = core_broadcast_pair(                                        \
            context, pair, self->tensor, args[0].tensor, "broadcast_" #name, error);     \
        if (!status)                                                                     \
            status = compare(context, &out, op, pair[0], pair[1], error);                \
        core_tensor_unref(pair[0]);                                                      \
        core_tensor_unref(pair[1]);                                                      \
        return core_give(result, &out, status);                                          \
    }
CMP_THUNK(eq, CORE_EQ)
CMP_THUNK(ne, CORE_NE)
CMP_THUNK(le, CORE_LE)
CMP_THUNK(ge, CORE_GE)
CMP_THUNK(lt, CORE_LT)
CMP_THUNK(gt, CORE_GT)

THUNK(where_cond)
{
    GIVE(core_tensor_where_cond(context, &out, self->tensor, args[0].tensor,
                                args[1].tensor, error));
}

const core_method core_methods_cmp[] = {
    METHOD(TENSOR, "eq", "o", true, eq),
    METHOD(TENSOR, "ne", "o", true, ne),
    METHOD(TENSOR, "le", "o", true, le),
    METHOD(TENSOR, "ge", "o", true, ge),
    METHOD(TENSOR, "lt", "o", true, lt),
    METHOD(TENSOR, "gt", "o", true, gt),
    METHOD(TENSOR, "broadcast_eq", "t", true, broadcast_eq),
    METHOD(TENSOR, "broadcast_ne", "t", true, broadcast_ne),
    METHOD(TENSOR, "broadcast_le", "t", true, broadcast_le),
    METHOD(TENSOR, "broadcast_ge", "t", true, broadcast_ge),
    METHOD(TENSOR, "broadcast_lt", "t", true, broadcast_lt),
    METHOD(TENSOR, "broadcast_gt", "t", true, broadcast_gt),
    METHOD(TENSOR, "where_cond", "tt", true, where_cond),
    CORE_METHODS_END,
};
