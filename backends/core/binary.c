/* add, sub, mul, div, maximum, minimum, clamp and the broadcast_ forms (tensor.rs:90-170,
 * 1176). */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <stdio.h>

static const char *const names[CORE_BINARY_COUNT] = {
    [CORE_ADD] = "add", [CORE_SUB] = "sub",         [CORE_MUL] = "mul",
    [CORE_DIV] = "div", [CORE_MAXIMUM] = "maximum", [CORE_MINIMUM] = "minimum",
};

core_status core_tensor_binary(core_context *context, core_tensor **out, core_binary op,
                               const core_tensor *lhs, const core_tensor *rhs,
                               core_error *error)
{
    const core_tensor *const args[] = {lhs, rhs};
    core_hold holds[2];
    core_storage *storage = NULL;
    core_status status = core_same_shape(lhs, rhs, names[op], error);
    if (status)
        return status;
    size_t count = core_tensor_count(lhs);
    if (count == 0)
        return core_same(out, lhs);
    status = core_lock_reads(context, holds, args, 2, names[op], error);
    if (status)
        return status;
    status = core_same_device(lhs, rhs, names[op], error);
    if (!status)
        status = core_same_dtype(lhs, rhs, names[op], error);
    if (!status)
        status = core_storage_new(context, &storage, lhs->storage->device, lhs->dtype,
                                  count, false, error);
    if (!status)
        status = core_kernels_of(lhs)->binary(storage, op, core_view_of(lhs),
                                              core_view_of(rhs), error);
    core_unlock_reads(holds, 2);
    return core_new_node(context, out, status, storage, &lhs->layout.shape,
                         &(core_op_info){.kind = CORE_OP_BINARY, .sub = (int)op}, args,
                         2);
}

core_status core_broadcast_shape(core_shape *out, const core_shape *lhs,
                                 const core_shape *rhs, const char *op, core_error *error)
{
    out->rank = lhs->rank > rhs->rank ? lhs->rank : rhs->rank;
    for (size_t i = 0; i < out->rank; i++) {
        size_t back = out->rank - i;
        size_t l = back > lhs->rank ? 1 : lhs->dims[lhs->rank - back];
        size_t r = back > rhs->rank ? 1 : rhs->dims[rhs->rank - back];
        if (l != r && l != 1 && r != 1)
            return core_err_shapes(error, op, lhs, rhs);
        out->dims[i] = l == 1 ? r : l;
    }
    return CORE_OK;
}

core_status core_broadcast_pair(core_context *context, core_tensor *pair[2],
                                const core_tensor *lhs, const core_tensor *rhs,
                                const char *op, core_error *error)
{
    const core_tensor *const sides[] = {lhs, rhs};
    core_shape shape;
    core_status status =
        core_broadcast_shape(&shape, &lhs->layout.shape, &rhs->layout.shape, op, error);
    pair[0] = pair[1] = NULL;
    for (size_t i = 0; i < 2 && !status; i++) {
        if (core_shape_equal(&shape, &sides[i]->layout.shape))
            pair[i] = core_tensor_ref(sides[i]);
        else
            status = core_tensor_broadcast_as(context, &pair[i], sides[i], &shape, error);
    }
    return status;
}

core_status core_tensor_broadcast_binary(core_context *context, core_tensor **out,
                                         core_binary op, const core_tensor *lhs,
                                         const core_tensor *rhs, core_error *error)
{
    char name[32];
    core_tensor *pair[2];
    snprintf(name, sizeof name, "broadcast_%s", names[op]);
    core_status status = core_broadcast_pair(context, pair, lhs, rhs, name, error);
    if (!status)
        status = core_tensor_binary(context, out, op, pair[0], pair[1], error);
    core_tensor_unref(pair[0]);
    core_tensor_unref(pair[1]);
    return status;
}

/* scalar.rs TensorOrScalar: a scalar becomes a tensor of its own type, is cast and
 * broadcast. */
core_status core_operand_tensor(core_context *context, core_tensor **out,
                                const core_operand *operand, const core_tensor *self,
                                core_error *error)
{
    if (operand->tensor)
        return core_same(out, operand->tensor);
    core_tensor *scalar = NULL, *cast = NULL, *moved = NULL;
    core_device *cpu = core_context_device(context, "cpu");
    core_status status =
        core_tensor_full(context, &scalar, operand->scalar, &(core_shape){0}, cpu, error);
    if (!status)
        status = core_tensor_to_dtype(context, &cast, scalar, self->dtype, error);
    if (!status)
        status =
            core_tensor_to_device(context, &moved, cast, self->storage->device, error);
    if (!status)
        status =
            core_tensor_broadcast_as(context, out, moved, &self->layout.shape, error);
    core_tensor_unref(scalar);
    core_tensor_unref(cast);
    core_tensor_unref(moved);
    return status;
}

static core_status with_operand(core_context *context, core_tensor **out, core_binary op,
                                const core_tensor *self, const core_operand *operand,
                                core_error *error)
{
    core_tensor *rhs = NULL;
    core_status status = core_operand_tensor(context, &rhs, operand, self, error);
    if (!status)
        status = core_tensor_binary(context, out, op, self, rhs, error);
    core_tensor_unref(rhs);
    return status;
}

core_status core_tensor_maximum(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_operand *rhs,
                                core_error *error)
{
    return with_operand(context, out, CORE_MAXIMUM, self, rhs, error);
}

core_status core_tensor_minimum(core_context *context, core_tensor **out,
                                const core_tensor *self, const core_operand *rhs,
                                core_error *error)
{
    return with_operand(context, out, CORE_MINIMUM, self, rhs, error);
}

core_status core_tensor_clamp(core_context *context, core_tensor **out,
                              const core_tensor *self, const core_operand *min,
                              const core_operand *max, core_error *error)
{
    core_tensor *low = NULL;
    core_status status = core_tensor_maximum(context, &low, self, min, error);
    if (!status)
        status = core_tensor_minimum(context, out, low, max, error);
    core_tensor_unref(low);
    return status;
}

/* --- rows --- */

#define PLAIN_THUNK(name, op)                                                            \
    THUNK(name)                                                                          \
    {                                                                                    \
        GIVE(                                                                            \
            core_tensor_binary(context, &out, op, self->tensor, args[0].tensor, error)); \
    }
#define BROADCAST_THUNK(name, op)                                                        \
    THUNK(broadcast_##name)                                                              \
    {                                                                                    \
        GIVE(core_tensor_broadcast_binary(context, &out, op, self->tensor,               \
                                          args[0].tensor, error));                       \
    }
#define OPERAND_THUNK(name, op)                                                          \
    THUNK(name)                                                                          \
    {                                                                                    \
        core_operand rhs;                                                                \
        core_status status = core_arg_operand(&rhs, &args[0], error);                    \
        if (status)                                                                      \
            return status;                                                               \
        GIVE(with_operand(context, &out, op, self->tensor, &rhs, error));                \
    }
PLAIN_THUNK(add, CORE_ADD)
PLAIN_THUNK(sub, CORE_SUB)
PLAIN_THUNK(mul, CORE_MUL)
PLAIN_THUNK(div_, CORE_DIV)
BROADCAST_THUNK(add, CORE_ADD)
BROADCAST_THUNK(sub, CORE_SUB)
BROADCAST_THUNK(mul, CORE_MUL)
BROADCAST_THUNK(div, CORE_DIV)
BROADCAST_THUNK(maximum, CORE_MAXIMUM)
BROADCAST_THUNK(minimum, CORE_MINIMUM)
OPERAND_THUNK(maximum, CORE_MAXIMUM)
OPERAND_THUNK(minimum, CORE_MINIMUM)

THUNK(clamp)
{
    core_operand min, max;
    core_status status = core_arg_operand(&min, &args[0], error);
    if (!status)
        status = core_arg_operand(&max, &args[1], error);
    if (status)
        return status;
    GIVE(core_tensor_clamp(context, &out, self->tensor, &min, &max, error));
}

const core_method core_methods_binary[] = {
    METHOD(TENSOR, "add", "t", true, add),
    METHOD(TENSOR, "sub", "t", true, sub),
    METHOD(TENSOR, "mul", "t", true, mul),
    METHOD(TENSOR, "div", "t", true, div_),
    METHOD(TENSOR, "maximum", "o", true, maximum),
    METHOD(TENSOR, "minimum", "o", true, minimum),
    METHOD(TENSOR, "broadcast_add", "t", true, broadcast_add),
    METHOD(TENSOR, "broadcast_sub", "t", true, broadcast_sub),
    METHOD(TENSOR, "broadcast_mul", "t", true, broadcast_mul),
    METHOD(TENSOR, "broadcast_div", "t", true, broadcast_div),
    METHOD(TENSOR, "broadcast_maximum", "t", true, broadcast_maximum),
    METHOD(TENSOR, "broadcast_minimum", "t", true, broadcast_minimum),
    METHOD(TENSOR, "clamp", "oo", true, clamp),
    CORE_METHODS_END,
};
