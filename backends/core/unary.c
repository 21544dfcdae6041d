/* Functions of one element, elu, powf (tensor.rs:78-90, 794-812), and what is made of
 * them: norm, pow. */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

core_status core_tensor_unary(core_context *context, core_tensor **out, core_unary op,
                              const core_tensor *self, core_error *error)
{
    core_hold hold;
    core_storage *storage = NULL;
    size_t count = core_tensor_count(self);
    if (count == 0)
        return core_same(out, self);
    core_status status = core_lock_read(context, &hold, self, "a unary operation", error);
    if (status)
        return status;
    status = core_storage_new(context, &storage, self->storage->device, self->dtype,
                              count, false, error);
    if (!status)
        status = core_kernels_of(self)->unary(storage, op, core_view_of(self), error);
    core_unlock(&hold, status);
    return core_new_node(context, out, status, storage, &self->layout.shape,
                         &(core_op_info){.kind = CORE_OP_UNARY, .sub = (int)op}, &self,
                         1);
}

static core_status with_param(core_context *context, core_tensor **out, core_op_kind kind,
                              const core_tensor *self, double param, core_error *error)
{
    core_hold hold;
    core_storage *storage = NULL;
    size_t count = core_tensor_count(self);
    if (count == 0)
        return core_same(out, self);
    core_status status =
        core_lock_read(context, &hold, self, kind == CORE_OP_ELU ? "elu" : "powf", error);
    if (status)
        return status;
    status = core_storage_new(context, &storage, self->storage->device, self->dtype,
                              count, false, error);
    const core_kernels *kernels = core_kernels_of(self);
    if (!status)
        status = (kind == CORE_OP_ELU ? kernels->elu : kernels->powf)(
            storage, core_view_of(self), param, error);
    core_unlock(&hold, status);
    return core_new_node(context, out, status, storage, &self->layout.shape,
                         &(core_op_info){.kind = kind, .x = param}, &self, 1);
}

core_status core_tensor_elu(core_context *context, core_tensor **out,
                            const core_tensor *self, double alpha, core_error *error)
{
    return with_param(context, out, CORE_OP_ELU, self, alpha, error);
}

core_status core_tensor_powf(core_context *context, core_tensor **out,
                             const core_tensor *self, double exponent, core_error *error)
{
    return with_param(context, out, CORE_OP_POWF, self, exponent, error);
}

/* --- rows --- */

#define UNARY_THUNK(name, op)                                                            \
    THUNK(name)                                                                          \
    {                                                                                    \
        GIVE(core_tensor_unary(context, &out, op, self->tensor, error));                 \
    }
UNARY_THUNK(exp_, CORE_EXP)
UNARY_THUNK(log_, CORE_LOG)
UNARY_THUNK(sin_, CORE_SIN)
UNARY_THUNK(cos_, CORE_COS)
UNARY_THUNK(abs_, CORE_ABS)
UNARY_THUNK(neg, CORE_NEG)
UNARY_THUNK(recip, CORE_RECIP)
UNARY_THUNK(sqr, CORE_SQR)
UNARY_THUNK(sqrt_, CORE_SQRT)
UNARY_THUNK(gelu, CORE_GELU)
UNARY_THUNK(gelu_erf, CORE_GELU_ERF)
UNARY_THUNK(erf_, CORE_ERF)
UNARY_THUNK(relu, CORE_RELU)
UNARY_THUNK(silu, CORE_SILU)
UNARY_THUNK(tanh_, CORE_TANH)
UNARY_THUNK(floor_, CORE_FLOOR)
UNARY_THUNK(ceil_, CORE_CEIL)
UNARY_THUNK(round_, CORE_ROUND)
UNARY_THUNK(sign, CORE_SIGN)

THUNK(elu)
{
    GIVE(core_tensor_elu(context, &out, self->tensor, args[0].number.value, error));
}

THUNK(powf_)
{
    GIVE(core_tensor_powf(context, &out, self->tensor, args[0].number.value, error));
}

THUNK(norm)
{
    core_tensor *square = NULL, *sum = NULL, *out = NULL;
    if (!core_dtype_info(self->tensor->dtype)->is_float)
        return core_fail(error, CORE_ERROR, "norm not supported for integer dtypes");
    core_status status =
        core_tensor_unary(context, &square, CORE_SQR, self->tensor, error);
    if (!status)
        status = core_tensor_sum_all(context, &sum, square, error);
    if (!status)
        status = core_tensor_unary(context, &out, CORE_SQRT, sum, error);
    core_tensor_unref(square);
    core_tensor_unref(sum);
    return core_give(result, &out, status);
}

static core_status power(core_context *context, core_value *result,
                         const core_tensor *self, const core_tensor *rhs, bool broadcast,
                         core_error *error)
{
    core_tensor *log = NULL, *product = NULL, *out = NULL;
    core_status status = core_tensor_unary(context, &log, CORE_LOG, self, error);
    if (!status)
        status = (broadcast ? core_tensor_broadcast_binary : core_tensor_binary)(
            context, &product, CORE_MUL, rhs, log, error);
    if (!status)
        status = core_tensor_unary(context, &out, CORE_EXP, product, error);
    core_tensor_unref(log);
    core_tensor_unref(product);
    return core_give(result, &out, status);
}

THUNK(pow_)
{
    return power(context, result, self->tensor, args[0].tensor, false, error);
}

THUNK(broadcast_pow)
{
    return power(context, result, self->tensor, args[0].tensor, true, error);
}

const core_method core_methods_unary[] = {
    METHOD(TENSOR, "exp", "", true, exp_),
    METHOD(TENSOR, "log", "", true, log_),
    METHOD(TENSOR, "sin", "", true, sin_),
    METHOD(TENSOR, "cos", "", true, cos_),
    METHOD(TENSOR, "abs", "", true, abs_),
    METHOD(TENSOR, "neg", "", true, neg),
    METHOD(TENSOR, "recip", "", true, recip),
    METHOD(TENSOR, "sqr", "", true, sqr),
    METHOD(TENSOR, "sqrt", "", true, sqrt_),
    METHOD(TENSOR, "gelu", "", true, gelu),
    METHOD(TENSOR, "gelu_erf", "", true, gelu_erf),
    METHOD(TENSOR, "erf", "", true, erf_),
    METHOD(TENSOR, "relu", "", true, relu),
    METHOD(TENSOR, "silu", "", true, silu),
    METHOD(TENSOR, "tanh", "", true, tanh_),
    METHOD(TENSOR, "floor", "", true, floor_),
    METHOD(TENSOR, "ceil", "", true, ceil_),
    METHOD(TENSOR, "round", "", true, round_),
    METHOD(TENSOR, "sign", "", true, sign),
    METHOD(TENSOR, "elu", "f", true, elu),
    METHOD(TENSOR, "powf", "f", true, powf_),
    METHOD(TENSOR, "norm", "", true, norm),
    METHOD(TENSOR, "pow", "t", true, pow_),
    METHOD(TENSOR, "broadcast_pow", "t", true, broadcast_pow),
    CORE_METHODS_END,
};
