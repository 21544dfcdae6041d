/* affine (tensor.rs:784), to which every operator with an f64 comes down (operator.c). No
 * shortcut for mul 1 and add 0; only zero elements give the tensor itself. */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

core_status core_tensor_affine(core_context *context, core_tensor **out,
                               const core_tensor *self, double mul, double add,
                               core_error *error)
{
    size_t count = core_tensor_count(self);
    if (count == 0 || (CORE_MUTANT(affine_shortcut) && mul == 1 && add == 0))
        return core_same(out, self);
    core_hold hold;
    core_storage *storage = NULL;
    core_status status = core_lock_read(context, &hold, self, "affine", error);
    if (status)
        return status;
    status = core_storage_new(context, &storage, self->storage->device, self->dtype,
                              count, false, error);
    if (!status)
        status =
            core_kernels_of(self)->affine(storage, core_view_of(self), mul, add, error);
    core_unlock(&hold, status);
    return core_new_node(context, out, status, storage, &self->layout.shape,
                         &(core_op_info){.kind = CORE_OP_AFFINE, .x = mul}, &self, 1);
}

THUNK(affine)
{
    GIVE(core_tensor_affine(context, &out, self->tensor, args[0].number.value,
                            args[1].number.value, error));
}

const core_method core_methods_affine[] = {
    METHOD(TENSOR, "affine", "ff", true, affine),
    CORE_METHODS_END,
};
