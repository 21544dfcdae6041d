/* Var (variable.rs): a tensor whose node says is_variable. */
#include "backends/core/internal.h"
#include "backends/core/array.h"
#include "backends/core/thunk.h"

#include <stdlib.h>

static core_status make_var(core_context *context, core_tensor **out,
                            const core_tensor *self, core_error *error)
{
    core_storage *storage = NULL;
    core_status status =
        CORE_MUTANT(var_from_tensor_aliases)
            ? CORE_OK
            : core_fresh_copy(context, &storage, self, "Var::from_tensor", error);
    if (CORE_MUTANT(var_from_tensor_aliases))
        storage = core_storage_ref(self->storage);
    status =
        core_new_node(context, out, status, storage, &self->layout.shape, NULL, NULL, 0);
    if (!status)
        (*out)->is_variable = true;
    return status;
}

core_status core_var_zeros(core_context *context, core_tensor **out,
                           const core_shape *shape, core_dtype dtype, core_device *device,
                           core_error *error)
{
    core_status status = core_tensor_zeros(context, out, shape, dtype, device, error);
    if (!status)
        (*out)->is_variable = true;
    return status;
}

core_status core_var_ones(core_context *context, core_tensor **out,
                          const core_shape *shape, core_dtype dtype, core_device *device,
                          core_error *error)
{
    core_status status = core_tensor_ones(context, out, shape, dtype, device, error);
    if (!status)
        (*out)->is_variable = true;
    return status;
}

core_status core_var_from_tensor(core_context *context, core_tensor **out,
                                 const core_tensor *tensor, core_error *error)
{
    return tensor->is_variable ? core_same(out, tensor)
                               : make_var(context, out, tensor, error);
}

/* What is checked while the write lock is held, and the copy. */
static core_status set_locked(core_context *context, const core_tensor *var,
                              const core_tensor *source, core_error *error)
{
    core_hold read;
    if (!core_tensor_is_contiguous(var))
        return core_fail(error, CORE_ERROR,
                         "cannot set variable cannot set a non-contiguous variable");
    core_status status = core_lock_read(context, &read, source, "Var::set", error);
    if (status)
        return status;
    if (!core_shape_equal(&var->layout.shape, &source->layout.shape))
        status = core_err_shapes(error, "set", &var->layout.shape, &source->layout.shape);
    /* storage.rs looks at the kind of device only: two instances are the device's matter.
     */
    if (!status && source->storage->device->ops != var->storage->device->ops)
        status = core_same_device(source, var, "copy", error);
    core_layout layout = source->layout;
    if (CORE_MUTANT(var_set_replaces) && layout.shape.rank && layout.shape.dims[0] > 1)
        layout.shape.dims[0]--;
    if (!status)
        status = core_kernels_of(var)->copy_strided(var->storage, var->layout.offset,
                                                    (core_view){source->storage, &layout},
                                                    error);
    core_unlock(&read, status);
    return status;
}

core_status core_var_set(core_context *context, const core_tensor *var,
                         const core_tensor *source, core_error *error)
{
    core_hold write;
    if (var->storage == source->storage && !CORE_MUTANT(var_set_alias))
        return core_fail(
            error, CORE_ERROR,
            "cannot set variable cannot set a variable to a tensor that is derived "
            "from its value");
    core_status status = core_lock_write(context, &write, var, "Var::set", error);
    if (status)
        return status;
    status = set_locked(context, var, source, error);
    core_unlock(&write, status);
    return status;
}

/* --- rows --- */

static core_status give_var(core_value *result, core_tensor **var, core_status status)
{
    if (!status) {
        (*var)->is_variable = true;
        *result = core_value_var(*var);
    }
    return status;
}

THUNK(zeros)
{
    core_tensor *out = NULL;
    return give_var(result, &out,
                    core_var_zeros(context, &out, args[0].shape, args[1].dtype,
                                   args[2].device, error));
}

THUNK(ones)
{
    core_tensor *out = NULL;
    return give_var(result, &out,
                    core_var_ones(context, &out, args[0].shape, args[1].dtype,
                                  args[2].device, error));
}

THUNK(from_tensor)
{
    core_tensor *out = NULL;
    return give_var(result, &out,
                    core_var_from_tensor(context, &out, args[0].tensor, error));
}

THUNK(new_)
{
    core_tensor *out = NULL;
    return give_var(result, &out,
                    core_array_new(context, &out, &args[0], NULL, args[1].device, error));
}

THUNK(from_vec)
{
    core_tensor *out = NULL;
    return give_var(
        result, &out,
        core_array_from_vec(context, &out, &args[0], &args[1], args[2].device, error));
}

THUNK(from_slice)
{
    core_tensor *out = NULL;
    return give_var(
        result, &out,
        core_array_new(context, &out, &args[0], args[1].shape, args[2].device, error));
}

static core_status random_var(core_context *context, core_value *result,
                              const core_value *args, bool normal, core_error *error)
{
    core_scalar ab[2];
    core_status status = core_arg_scalars(ab, args, 2, error);
    if (!status && !core_dtype_info(ab[0].dtype)->is_float)
        status = core_fail(error, CORE_UNSUPPORTED, "random integers");
    core_tensor *out = NULL;
    if (!status)
        status = (normal ? core_tensor_randn : core_tensor_rand)(
            context, &out, ab[0].real, ab[1].real, args[2].shape, ab[0].dtype,
            args[3].device, error);
    return give_var(result, &out, status);
}

THUNK(rand_)
{
    return random_var(context, result, args, false, error);
}

THUNK(randn)
{
    return random_var(context, result, args, true, error);
}

THUNK(set)
{
    return core_var_set(context, self->tensor, args[0].tensor, error);
}

THUNK(as_tensor)
{
    *result = core_value_tensor(core_tensor_ref(self->tensor));
    return CORE_OK;
}

THUNK(as_detached_tensor)
{
    GIVE(core_tensor_detach(context, &out, self->tensor, error));
}

const core_method core_methods_var[] = {
    FUNCTION("Var::zeros", "sDV", true, zeros),
    FUNCTION("Var::ones", "sDV", true, ones),
    FUNCTION("Var::from_tensor", "t", true, from_tensor),
    FUNCTION("Var::new", "AV", true, new_),
    FUNCTION("Var::from_vec", "AsV", true, from_vec),
    FUNCTION("Var::from_slice", "AsV", true, from_slice),
    FUNCTION("Var::rand", "xxsV", true, rand_),
    FUNCTION("Var::randn", "xxsV", true, randn),
    METHOD(VAR, "set", "t", true, set),
    METHOD(VAR, "as_tensor", "", false, as_tensor),
    METHOD(VAR, "into_inner", "", false, as_tensor),
    METHOD(VAR, "as_detached_tensor", "", false, as_detached_tensor),
    CORE_METHODS_END,
};
