/* inplace_op1..3 and apply_op1..3 with the kernels of parity::ops (custom_op.rs). In
 * place there is one check, the device: an operand that shares the storage of self waits
 * for ever. */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <string.h>

static core_status scale_backward(core_context *context, core_tensor **grads,
                                  const core_tensor *const *operands,
                                  const core_tensor *gradient, double param,
                                  core_error *error)
{
    (void)operands;
    return core_tensor_affine(context, &grads[0], gradient, param, 0.0, error);
}

static core_status square_backward(core_context *context, core_tensor **grads,
                                   const core_tensor *const *operands,
                                   const core_tensor *gradient, double param,
                                   core_error *error)
{
    core_tensor *product = NULL;
    (void)param;
    core_status status =
        core_tensor_binary(context, &product, CORE_MUL, operands[0], gradient, error);
    if (!status)
        status = core_tensor_affine(context, &grads[0], product, 2.0, 0.0, error);
    core_tensor_unref(product);
    return status;
}

static core_status add_backward(core_context *context, core_tensor **grads,
                                const core_tensor *const *operands,
                                const core_tensor *gradient, double param,
                                core_error *error)
{
    (void)context;
    (void)operands;
    (void)param;
    (void)error;
    grads[0] = core_tensor_ref(gradient);
    grads[1] = core_tensor_ref(gradient);
    return CORE_OK;
}

static const core_kernel_row kernels[] = {
    {"fill", CORE_CUSTOM_FILL, 1, 1, NULL},
    {"scale", CORE_CUSTOM_SCALE, 1, 1, scale_backward},
    {"square", CORE_CUSTOM_SQUARE, 1, 0, square_backward},
    {"fail", CORE_CUSTOM_FAIL, 1, 0, NULL},
    {"assign", CORE_CUSTOM_ASSIGN, 2, 0, NULL},
    {"add_assign", CORE_CUSTOM_ADD_ASSIGN, 2, 0, add_backward},
    {"axpy", CORE_CUSTOM_AXPY, 2, 1, NULL},
    {"add_mul", CORE_CUSTOM_ADD_MUL, 3, 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

/* Locks the further operands, checks their devices and runs. */
static core_status run(core_context *context, core_storage *out, const core_tensor *self,
                       const core_tensor *const *others, size_t nothers,
                       const core_kernel *kernel, core_error *error)
{
    const core_kernel_row *row = kernel->row;
    core_view views[3] = {core_view_of(self)};
    core_hold holds[2];
    core_status status =
        core_lock_reads(context, holds, others, nothers, row->name, error);
    if (status)
        return status;
    for (size_t i = 0; i < nothers && !status; i++) {
        views[i + 1] = core_view_of(others[i]);
        status = core_same_device(self, others[i], row->name, error);
    }
    if (!status)
        status = core_kernels_of(self)->custom(out, row->op, row->name, views,
                                               nothers + 1, kernel->param, error);
    core_unlock_reads(holds, nothers);
    return status;
}

static core_status operand_count(const core_kernel *kernel, size_t nothers,
                                 core_error *error)
{
    if (kernel->row->operands == nothers + 1)
        return CORE_OK;
    return core_fail(error, CORE_UNSUPPORTED,
                     "parity::ops::%s takes %zu tensors, not %zu", kernel->row->name,
                     kernel->row->operands, nothers + 1);
}

core_status core_tensor_inplace_op(core_context *context, const core_tensor *self,
                                   const core_tensor *const *others, size_t nothers,
                                   const core_kernel *kernel, core_error *error)
{
    static const char *const what[] = {"inplace_op1", "inplace_op2", "inplace_op3"};
    core_hold write;
    core_status status = operand_count(kernel, nothers, error);
    if (!status)
        status = core_lock_write(context, &write, self, what[nothers], error);
    if (status)
        return status;
    status = run(context, NULL, self, others, nothers, kernel, error);
    core_unlock(&write, status);
    return status;
}

core_status core_tensor_apply_op(core_context *context, core_tensor **out,
                                 const core_tensor *self,
                                 const core_tensor *const *others, size_t nothers,
                                 const core_kernel *kernel, bool track, core_error *error)
{
    const core_tensor *args[3] = {self};
    core_hold read;
    core_storage *storage = NULL;
    core_status status = operand_count(kernel, nothers, error);
    if (!status)
        status = core_lock_read(context, &read, self, "apply_op", error);
    if (status)
        return status;
    memcpy(args + 1, others, nothers * sizeof *others);
    status = core_storage_new(context, &storage, self->storage->device, self->dtype,
                              core_tensor_count(self), false, error);
    if (!status)
        status = run(context, storage, self, others, nothers, kernel, error);
    core_unlock(&read, status);
    const core_op_info info = {.kind = CORE_OP_CUSTOM, .kernel = *kernel};
    return core_new_node(context, out, status, storage, &self->layout.shape,
                         track ? &info : NULL, args, nothers + 1);
}

/* --- rows --- */

static core_status inplace(core_context *context, const core_value *self,
                           const core_value *args, size_t nargs, core_error *error)
{
    const core_tensor *others[2] = {0};
    for (size_t i = 0; i + 1 < nargs; i++)
        others[i] = args[i].tensor;
    return core_tensor_inplace_op(context, self->tensor, others, nargs - 1,
                                  &args[nargs - 1].kernel, error);
}

static core_status apply(core_context *context, core_value *result,
                         const core_value *self, const core_value *args, size_t nargs,
                         bool track, core_error *error)
{
    const core_tensor *others[2] = {0};
    for (size_t i = 0; i + 1 < nargs; i++)
        others[i] = args[i].tensor;
    GIVE(core_tensor_apply_op(context, &out, self->tensor, others, nargs - 1,
                              &args[nargs - 1].kernel, track, error));
}

THUNK(inplace_op)
{
    return inplace(context, self, args, nargs, error);
}

THUNK(apply_op)
{
    return apply(context, result, self, args, nargs, true, error);
}

THUNK(apply_op_no_bwd)
{
    return apply(context, result, self, args, nargs, false, error);
}

/* One function a kernel: they differ by their row only. */
static core_status kernel_value(core_value *result, core_custom op,
                                const core_value *args, size_t nargs)
{
    const core_kernel_row *row = kernels;
    while (row->op != op)
        row++;
    *result = (core_value){.kind = CORE_KIND_KERNEL,
                           .kernel = {row, nargs ? args[0].number.value : 0.0}};
    return CORE_OK;
}

#define KERNEL_THUNK(name, op)                                                           \
    THUNK(name)                                                                          \
    {                                                                                    \
        return kernel_value(result, op, args, nargs);                                    \
    }
KERNEL_THUNK(fill, CORE_CUSTOM_FILL)
KERNEL_THUNK(scale, CORE_CUSTOM_SCALE)
KERNEL_THUNK(square, CORE_CUSTOM_SQUARE)
KERNEL_THUNK(fail, CORE_CUSTOM_FAIL)
KERNEL_THUNK(assign, CORE_CUSTOM_ASSIGN)
KERNEL_THUNK(add_assign, CORE_CUSTOM_ADD_ASSIGN)
KERNEL_THUNK(axpy, CORE_CUSTOM_AXPY)
KERNEL_THUNK(add_mul, CORE_CUSTOM_ADD_MUL)

const core_method core_methods_custom[] = {
    METHOD(TENSOR, "inplace_op1", "k", true, inplace_op),
    METHOD(TENSOR, "inplace_op2", "tk", true, inplace_op),
    METHOD(TENSOR, "inplace_op3", "ttk", true, inplace_op),
    METHOD(TENSOR, "apply_op1", "k", true, apply_op),
    METHOD(TENSOR, "apply_op2", "tk", true, apply_op),
    METHOD(TENSOR, "apply_op3", "ttk", true, apply_op),
    METHOD(TENSOR, "apply_op1_no_bwd", "k", true, apply_op_no_bwd),
    METHOD(TENSOR, "apply_op2_no_bwd", "tk", true, apply_op_no_bwd),
    METHOD(TENSOR, "apply_op3_no_bwd", "ttk", true, apply_op_no_bwd),
    FUNCTION("ops::fill", "f", false, fill),
    FUNCTION("ops::scale", "f", false, scale),
    FUNCTION("ops::square", "", false, square),
    FUNCTION("ops::fail", "", false, fail),
    FUNCTION("ops::assign", "", false, assign),
    FUNCTION("ops::add_assign", "", false, add_assign),
    FUNCTION("ops::axpy", "f", false, axpy),
    FUNCTION("ops::add_mul", "", false, add_mul),
    CORE_METHODS_END,
};
