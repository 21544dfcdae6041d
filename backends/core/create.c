/* Constructors (tensor.rs:160-560, 2779-2800). All make NEW untracked tensors of one id,
 * but eye. */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

core_status core_tensor_zeros(core_context *context, core_tensor **out,
                              const core_shape *shape, core_dtype dtype,
                              core_device *device, core_error *error)
{
    core_storage *storage = NULL;
    core_status status = core_storage_new(context, &storage, device, dtype,
                                          core_shape_count(shape), true, error);
    return core_new_node(context, out, status, storage, shape, NULL, NULL, 0);
}

core_status core_tensor_full(core_context *context, core_tensor **out, core_scalar value,
                             const core_shape *shape, core_device *device,
                             core_error *error)
{
    core_storage *storage = NULL;
    core_status status = core_storage_new(context, &storage, device, value.dtype,
                                          core_shape_count(shape), false, error);
    if (!status) {
        core_layout layout;
        core_layout_set(&layout, shape, 0);
        status =
            device->ops->kernels.const_set((core_view){storage, &layout}, value, error);
    }
    return core_new_node(context, out, status, storage, shape, NULL, NULL, 0);
}

core_status core_tensor_ones(core_context *context, core_tensor **out,
                             const core_shape *shape, core_dtype dtype,
                             core_device *device, core_error *error)
{
    return core_tensor_full(context, out, (core_scalar){dtype, 1, 1.0}, shape, device,
                            error);
}

core_status core_tensor_zeros_like(core_context *context, core_tensor **out,
                                   const core_tensor *self, core_error *error)
{
    return core_tensor_zeros(context, out, &self->layout.shape, self->dtype,
                             self->storage->device, error);
}

core_status core_tensor_ones_like(core_context *context, core_tensor **out,
                                  const core_tensor *self, core_error *error)
{
    return core_tensor_ones(context, out, &self->layout.shape, self->dtype,
                            self->storage->device, error);
}

core_status core_tensor_from_data(core_context *context, core_tensor **out,
                                  const void *data, size_t count, const core_shape *shape,
                                  core_dtype dtype, core_device *device,
                                  core_error *error)
{
    core_storage *storage = NULL;
    core_status status =
        core_storage_new(context, &storage, device, dtype, count, false, error);
    if (!status && count)
        status = device->ops->upload(storage, data, error);
    return core_new_node(context, out, status, storage, shape, NULL, NULL, 0);
}

/* xoroshiro128+ (Blackman and Vigna): candle's CPU generator cannot be seeded, so only
 * the distribution matters. */
static uint64_t random_bits(core_context *context)
{
    uint64_t a = context->random[0], b = context->random[1], result = a + b;
    b ^= a;
    context->random[0] = ((a << 24) | (a >> 40)) ^ b ^ (b << 16);
    context->random[1] = (b << 37) | (b >> 27);
    return result;
}

static double random_unit(core_context *context)
{
    return (double)(random_bits(context) >> 11) * 0x1p-53;
}

static double random_normal(core_context *context)
{
    double u = 1.0 - random_unit(context), v = random_unit(context);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

static core_status random_tensor(core_context *context, core_tensor **out,
                                 const core_random *wanted, const core_shape *shape,
                                 core_device *device, core_error *error)
{
    core_status status = device->ops->random(wanted, error);
    if (status)
        return status;
    size_t count = core_shape_count(shape);
    bool single = wanted->dtype == CORE_F32;
    double a = wanted->a, b = wanted->b, *values = core_alloc(count * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[i] = wanted->normal ? a + b * random_normal(context)
                                   : a + (b - a) * random_unit(context);
        if (!wanted->normal && single && (float)values[i] >= (float)b)
            values[i] = a;
        if (single)
            ((float *)values)[i] = (float)values[i];
    }
    status = core_tensor_from_data(context, out, values, count, shape, wanted->dtype,
                                   device, error);
    free(values);
    return status;
}

core_status core_tensor_rand(core_context *context, core_tensor **out, double low,
                             double high, const core_shape *shape, core_dtype dtype,
                             core_device *device, core_error *error)
{
    const core_random wanted = {dtype, false, low, high};
    return random_tensor(context, out, &wanted, shape, device, error);
}

core_status core_tensor_randn(core_context *context, core_tensor **out, double mean,
                              double std, const core_shape *shape, core_dtype dtype,
                              core_device *device, core_error *error)
{
    const core_random wanted = {dtype, true, mean, std};
    return random_tensor(context, out, &wanted, shape, device, error);
}

/* --- rows --- */

THUNK(zeros)
{
    GIVE(core_tensor_zeros(context, &out, args[0].shape, args[1].dtype, args[2].device,
                           error));
}

THUNK(ones)
{
    GIVE(core_tensor_ones(context, &out, args[0].shape, args[1].dtype, args[2].device,
                          error));
}

THUNK(full)
{
    core_tensor *out = NULL;
    core_scalar value;
    core_status status = core_arg_scalar(&value, &args[0], error);
    return status ? status
                  : core_give(result, &out,
                              core_tensor_full(context, &out, value, args[1].shape,
                                               args[2].device, error));
}

THUNK(zeros_like)
{
    GIVE(core_tensor_zeros_like(context, &out, self->tensor, error));
}

THUNK(ones_like)
{
    GIVE(core_tensor_ones_like(context, &out, self->tensor, error));
}

/* The numbers of rand and randn have the element type of the tensor: f32 or f64. */
static core_status random_thunk(core_context *context, core_value *result,
                                const core_value *args, bool normal, core_error *error)
{
    core_scalar ab[2];
    core_status status = core_arg_scalars(ab, args, 2, error);
    if (!status && !core_dtype_info(ab[0].dtype)->is_float)
        status = core_fail(error, CORE_UNSUPPORTED, "random integers");
    if (status)
        return status;
    core_tensor *out = NULL;
    return core_give(result, &out,
                     (normal ? core_tensor_randn : core_tensor_rand)(
                         context, &out, ab[0].real, ab[1].real, args[2].shape,
                         ab[0].dtype, args[3].device, error));
}

THUNK(rand_)
{
    return random_thunk(context, result, args, false, error);
}

THUNK(randn)
{
    return random_thunk(context, result, args, true, error);
}

THUNK(rand_like)
{
    GIVE(core_tensor_rand(context, &out, args[0].number.value, args[1].number.value,
                          &self->tensor->layout.shape, self->tensor->dtype,
                          self->tensor->storage->device, error));
}

THUNK(randn_like)
{
    GIVE(core_tensor_randn(context, &out, args[0].number.value, args[1].number.value,
                           &self->tensor->layout.shape, self->tensor->dtype,
                           self->tensor->storage->device, error));
}

const core_method core_methods_create[] = {
    FUNCTION("Tensor::zeros", "sDV", true, zeros),
    FUNCTION("Tensor::ones", "sDV", true, ones),
    FUNCTION("Tensor::full", "xsV", true, full),
    FUNCTION("Tensor::rand", "xxsV", true, rand_),
    FUNCTION("Tensor::randn", "xxsV", true, randn),
    METHOD(TENSOR, "zeros_like", "", true, zeros_like),
    METHOD(TENSOR, "ones_like", "", true, ones_like),
    METHOD(TENSOR, "rand_like", "ff", true, rand_like),
    METHOD(TENSOR, "randn_like", "ff", true, randn_like),
    CORE_METHODS_END,
};
