/* The same data under another handle, or a copy of it (tensor.rs:2320-2500). */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

/* A new id around `storage` (taken) with the layout of self. */
static core_status with_storage(core_context *context, core_tensor **out,
                                core_status status, core_storage *storage,
                                core_op_kind kind, const core_tensor *self)
{
    if (status)
        return status;
    core_layout fresh;
    const core_layout *layout = &self->layout;
    if (CORE_MUTANT(copy_layout) && kind == CORE_OP_COPY) {
        core_layout_set(&fresh, &self->layout.shape, 0);
        layout = &fresh;
    }
    core_op *op = core_op_new(&(core_op_info){.kind = kind}, &self, 1);
    *out = core_node_new(context, storage, layout, op, false);
    return CORE_OK;
}

core_status core_tensor_copy(core_context *context, core_tensor **out,
                             const core_tensor *self, core_error *error)
{
    core_hold hold;
    core_storage *storage = NULL;
    core_status status = core_lock_read(context, &hold, self, "copy", error);
    if (status)
        return status;
    if (CORE_MUTANT(copy_shares))
        storage = core_storage_ref(self->storage);
    else
        status = core_storage_clone(context, &storage, self->storage, error);
    core_unlock(&hold, status);
    return with_storage(context, out, status, storage, CORE_OP_COPY, self);
}

core_status core_tensor_detach(core_context *context, core_tensor **out,
                               const core_tensor *self, core_error *error)
{
    if (!core_tensor_tracked(self))
        return core_same(out, self);
    core_storage *storage = NULL;
    if (CORE_MUTANT(detach_copies)) {
        core_status status = core_storage_clone(context, &storage, self->storage, error);
        if (status)
            return status;
    } else {
        storage = core_storage_ref(self->storage);
    }
    *out = core_node_new(context, storage, &self->layout, NULL, false);
    return CORE_OK;
}

core_status core_tensor_to_device(core_context *context, core_tensor **out,
                                  const core_tensor *self, core_device *device,
                                  core_error *error)
{
    if (core_device_same(self->storage->device, device))
        return CORE_MUTANT(to_device_copies) ? core_tensor_copy(context, out, self, error)
                                             : core_same(out, self);
    core_hold hold;
    core_storage *storage = NULL;
    core_status status = core_lock_read(context, &hold, self, "to_device", error);
    if (status)
        return status;
    status = core_storage_move(context, &storage, self->storage, device, error);
    core_unlock(&hold, status);
    return with_storage(context, out, status, storage, CORE_OP_TO_DEVICE, self);
}

core_status core_tensor_to_dtype(core_context *context, core_tensor **out,
                                 const core_tensor *self, core_dtype dtype,
                                 core_error *error)
{
    if (self->dtype == dtype && !CORE_MUTANT(to_dtype_copies))
        return core_same(out, self);
    core_hold hold;
    core_storage *storage = NULL;
    core_status status = core_lock_read(context, &hold, self, "to_dtype", error);
    if (status)
        return status;
    status = core_storage_new(context, &storage, self->storage->device, dtype,
                              core_tensor_count(self), false, error);
    if (!status)
        status = core_kernels_of(self)->cast(storage, core_view_of(self), error);
    core_unlock(&hold, status);
    return core_new_node(context, out, status, storage, &self->layout.shape,
                         &(core_op_info){.kind = CORE_OP_TO_DTYPE}, &self, 1);
}

core_status core_fresh_copy(core_context *context, core_storage **storage,
                            const core_tensor *self, const char *what, core_error *error)
{
    core_status status =
        core_storage_new(context, storage, self->storage->device, self->dtype,
                         core_tensor_count(self), false, error);
    if (status)
        return status;
    core_hold hold;
    status = core_lock_read(context, &hold, self, what, error);
    if (!status) {
        status =
            core_kernels_of(self)->copy_strided(*storage, 0, core_view_of(self), error);
        core_unlock(&hold, status);
    }
    if (status) {
        core_storage_unref(context, *storage);
        *storage = NULL;
    }
    return status;
}

core_status core_tensor_force_contiguous(core_context *context, core_tensor **out,
                                         const core_tensor *self, core_error *error)
{
    core_storage *storage = NULL;
    core_status status =
        core_fresh_copy(context, &storage, self, "force_contiguous", error);
    return core_new_node(context, out, status, storage, &self->layout.shape,
                         &(core_op_info){.kind = CORE_OP_COPY}, &self, 1);
}

core_status core_tensor_contiguous(core_context *context, core_tensor **out,
                                   const core_tensor *self, core_error *error)
{
    if (core_tensor_is_contiguous(self))
        return core_same(out, self);
    return core_tensor_force_contiguous(context, out, self, error);
}

/* --- rows --- */

THUNK(clone)
{
    if (CORE_MUTANT(clone_id))
        context->next_id++;
    *result = (core_value){.kind = self->kind, .tensor = core_tensor_ref(self->tensor)};
    return CORE_OK;
}

THUNK(copy)
{
    GIVE(core_tensor_copy(context, &out, self->tensor, error));
}

THUNK(detach)
{
    GIVE(core_tensor_detach(context, &out, self->tensor, error));
}

THUNK(to_device)
{
    GIVE(core_tensor_to_device(context, &out, self->tensor, args[0].device, error));
}

THUNK(to_dtype)
{
    GIVE(core_tensor_to_dtype(context, &out, self->tensor, args[0].dtype, error));
}

THUNK(contiguous)
{
    GIVE(core_tensor_contiguous(context, &out, self->tensor, error));
}

THUNK(force_contiguous)
{
    GIVE(core_tensor_force_contiguous(context, &out, self->tensor, error));
}

const core_method core_methods_alias[] = {
    METHOD(TENSOR, "clone", "", false, clone),
    METHOD(TENSOR, "copy", "", true, copy),
    METHOD(TENSOR, "detach", "", false, detach),
    METHOD(TENSOR, "to_device", "V", true, to_device),
    METHOD(TENSOR, "to_dtype", "D", true, to_dtype),
    METHOD(TENSOR, "contiguous", "", true, contiguous),
    METHOD(TENSOR, "force_contiguous", "", true, force_contiguous),
    CORE_METHODS_END,
};
