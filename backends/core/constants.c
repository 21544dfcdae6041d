/* Paths that are values, and functions of types that are no family of their own: Device,
 * DType, D, Shape, Scalar. */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <string.h>

THUNK(cpu)
{
    *result = (core_value){.kind = CORE_KIND_DEVICE,
                           .device = core_context_device(context, "cpu")};
    return CORE_OK;
}

static bool is_family(const core_device *device, const char *family)
{
    return !strcmp(device->ops->family, family);
}

/* A column on a Metal device speaks for a candle that was built with Metal; one on the
 * CPU for a candle that was not. */
THUNK(new_metal)
{
    core_device *metal = context->devices;
    while (metal && !is_family(metal, "metal"))
        metal = metal->next;
    if (!metal)
        return core_fail(error, CORE_ERROR,
                         "the candle crate has not been built with metal support");
    core_device *opened = NULL;
    core_status status = core_context_open(context, &opened, metal->ops->name,
                                           core_arg_usize(&args[0]), error);
    if (!status)
        *result = (core_value){.kind = CORE_KIND_DEVICE, .device = opened};
    return status;
}

THUNK(new_cuda)
{
    return core_fail(error, CORE_ERROR,
                     "the candle crate has not been built with cuda support");
}

THUNK(is_cpu)
{
    *result = core_value_bool(is_family(self->device, "cpu"));
    return CORE_OK;
}

THUNK(is_metal)
{
    *result = core_value_bool(is_family(self->device, "metal"));
    return CORE_OK;
}

THUNK(is_cuda)
{
    *result = core_value_bool(false);
    return CORE_OK;
}

THUNK(same_device)
{
    *result = core_value_bool(core_device_same(self->device, args[0].device));
    return CORE_OK;
}

THUNK(set_seed)
{
    const core_device_ops *ops = self->device->ops;
    if (!ops->set_seed)
        return core_fail(error, CORE_ERROR, "cannot seed the CPU rng with set_seed");
    return ops->set_seed(self->device, args[0].integer.bits, error);
}

THUNK(get_current_seed)
{
    const core_device_ops *ops = self->device->ops;
    if (!ops->seed)
        return core_fail(error, CORE_ERROR,
                         "cannot get the CPU rng seed with get_current_seed");
    *result = core_value_int(CORE_INT_U64, ops->seed(self->device), false);
    return CORE_OK;
}

THUNK(synchronize)
{
    return self->device->ops->synchronize(self->device, error);
}

#define DTYPE_THUNK(name, value)                                                         \
    THUNK(name)                                                                          \
    {                                                                                    \
        *result = (core_value){.kind = CORE_KIND_DTYPE, .dtype = value};                 \
        return CORE_OK;                                                                  \
    }
DTYPE_THUNK(u8, CORE_U8)
DTYPE_THUNK(u32, CORE_U32)
DTYPE_THUNK(i16, CORE_I16)
DTYPE_THUNK(i32, CORE_I32)
DTYPE_THUNK(i64, CORE_I64)
DTYPE_THUNK(bf16, CORE_BF16)
DTYPE_THUNK(f16, CORE_F16)
DTYPE_THUNK(f32, CORE_F32)
DTYPE_THUNK(f64, CORE_F64)
DTYPE_THUNK(f8e4m3, CORE_F8E4M3)

static core_value dim_value(core_dim dim)
{
    return (core_value){.kind = CORE_KIND_DIM, .dim = dim};
}

THUNK(minus1)
{
    *result = dim_value(-1);
    return CORE_OK;
}

THUNK(minus2)
{
    *result = dim_value(-2);
    return CORE_OK;
}

THUNK(minus)
{
    size_t n = core_arg_usize(&args[0]);
    if (n == 0 || n > PTRDIFF_MAX)
        return core_fail(error, CORE_UNSUPPORTED, "D::Minus(%zu)", n);
    *result = dim_value(-(core_dim)n);
    return CORE_OK;
}

THUNK(shape_from)
{
    *result = core_value_shape(args[0].shape);
    return CORE_OK;
}

/* Scalar::F32(1.0): a number whose type is stated. */
static core_status scalar(core_value *result, const core_value *arg, core_dtype dtype,
                          core_int_type type, core_error *error)
{
    bool real = core_dtype_info(dtype)->is_float;
    if (real != (arg->kind == CORE_KIND_FLOAT))
        return core_fail(error, CORE_UNSUPPORTED, "Scalar::%s of a %s",
                         core_dtype_info(dtype)->variant, core_kind_name(arg->kind));
    *result = real ? core_value_float(dtype, arg->number.value, false)
                   : core_value_int(type, arg->integer.bits, false);
    return CORE_OK;
}

#define SCALAR_THUNK(name, dtype, type)                                                  \
    THUNK(scalar_##name)                                                                 \
    {                                                                                    \
        return scalar(result, &args[0], dtype, type, error);                             \
    }
SCALAR_THUNK(u8, CORE_U8, CORE_INT_U8)
SCALAR_THUNK(u32, CORE_U32, CORE_INT_U32)
SCALAR_THUNK(i16, CORE_I16, CORE_INT_I16)
SCALAR_THUNK(i32, CORE_I32, CORE_INT_I32)
SCALAR_THUNK(i64, CORE_I64, CORE_INT_I64)
SCALAR_THUNK(f32, CORE_F32, CORE_INT_I32)
SCALAR_THUNK(f64, CORE_F64, CORE_INT_I32)

const core_method core_methods_constants[] = {
    FUNCTION("Device::Cpu", "", false, cpu),
    FUNCTION("Device::new_metal", "n", true, new_metal),
    FUNCTION("Device::new_cuda", "n", true, new_cuda),
    METHOD(DEVICE, "is_cpu", "", false, is_cpu),
    METHOD(DEVICE, "is_metal", "", false, is_metal),
    METHOD(DEVICE, "is_cuda", "", false, is_cuda),
    METHOD(DEVICE, "same_device", "V", false, same_device),
    METHOD(DEVICE, "set_seed", "i", true, set_seed),
    METHOD(DEVICE, "get_current_seed", "", true, get_current_seed),
    METHOD(DEVICE, "synchronize", "", true, synchronize),
    FUNCTION("DType::U8", "", false, u8),
    FUNCTION("DType::U32", "", false, u32),
    FUNCTION("DType::I16", "", false, i16),
    FUNCTION("DType::I32", "", false, i32),
    FUNCTION("DType::I64", "", false, i64),
    FUNCTION("DType::BF16", "", false, bf16),
    FUNCTION("DType::F16", "", false, f16),
    FUNCTION("DType::F32", "", false, f32),
    FUNCTION("DType::F64", "", false, f64),
    FUNCTION("DType::F8E4M3", "", false, f8e4m3),
    FUNCTION("D::Minus1", "", false, minus1),
    FUNCTION("D::Minus2", "", false, minus2),
    FUNCTION("D::Minus", "n", false, minus),
    FUNCTION("Shape::from", "s", false, shape_from),
    FUNCTION("Shape::from_dims", "s", false, shape_from),
    FUNCTION("Scalar::U8", "x", false, scalar_u8),
    FUNCTION("Scalar::U32", "x", false, scalar_u32),
    FUNCTION("Scalar::I16", "x", false, scalar_i16),
    FUNCTION("Scalar::I32", "x", false, scalar_i32),
    FUNCTION("Scalar::I64", "x", false, scalar_i64),
    FUNCTION("Scalar::F32", "x", false, scalar_f32),
    FUNCTION("Scalar::F64", "x", false, scalar_f64),
    CORE_METHODS_END,
};
