/* Numbers of a program to elements. */
#include "backends/core/array.h"
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <stdlib.h>
#include <string.h>

static bool int_dtype(core_dtype *dtype, core_int_type type)
{
    switch (type) {
    case CORE_INT_U8:
        *dtype = CORE_U8;
        return true;
    case CORE_INT_U32:
        *dtype = CORE_U32;
        return true;
    case CORE_INT_I16:
        *dtype = CORE_I16;
        return true;
    case CORE_INT_I32:
        *dtype = CORE_I32;
        return true;
    case CORE_INT_I64:
        *dtype = CORE_I64;
        return true;
    default:
        return false;
    }
}

/* Element type of a number and whether it may still change. */
static core_status number_dtype(core_dtype *dtype, bool *literal, const core_value *value,
                                core_error *error)
{
    if (value->kind == CORE_KIND_FLOAT) {
        *dtype = value->number.dtype;
        *literal = value->number.literal;
        return CORE_OK;
    }
    if (value->kind != CORE_KIND_INT)
        return core_fail(error, CORE_UNSUPPORTED,
                         "a %s where a number of a tensor is wanted",
                         core_kind_name(value->kind));
    *literal = value->integer.literal;
    if (int_dtype(dtype, value->integer.type))
        return CORE_OK;
    return core_fail(error, CORE_UNSUPPORTED, "%s, which is no element type of candle",
                     core_int_type_name(value->integer.type));
}

static core_scalar number_as(core_dtype dtype, const core_value *value)
{
    core_scalar out = {.dtype = dtype};
    if (value->kind == CORE_KIND_INT) {
        out.integer = (int64_t)value->integer.bits;
        out.real = (double)out.integer;
    } else {
        out.real = value->number.value;
        if (dtype == CORE_F32)
            out.real = (float)out.real;
    }
    return out;
}

core_status core_arg_scalars(core_scalar *out, const core_value *values, size_t count,
                             core_error *error)
{
    core_dtype dtype = CORE_F64;
    bool fixed = false;
    for (size_t i = 0; i < count; i++) {
        core_dtype one = CORE_F64;
        bool literal = false;
        core_status status = number_dtype(&one, &literal, &values[i], error);
        if (status)
            return status;
        bool mixed =
            i && core_dtype_info(one)->is_float != core_dtype_info(dtype)->is_float;
        if (mixed || (!literal && fixed && one != dtype))
            return core_fail(error, CORE_UNSUPPORTED,
                             "numbers of different types together");
        if (!fixed)
            dtype = one;
        fixed |= !literal;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = number_as(dtype, &values[i]);
    return CORE_OK;
}

core_status core_arg_scalar(core_scalar *out, const core_value *value, core_error *error)
{
    return core_arg_scalars(out, value, 1, error);
}

/* Writes the element to bytes. */
static void store(void *bytes, core_scalar value)
{
    switch (value.dtype) {
    case CORE_U8:
        *(uint8_t *)bytes = (uint8_t)value.integer;
        break;
    case CORE_U32:
        *(uint32_t *)bytes = (uint32_t)value.integer;
        break;
    case CORE_I16:
        *(int16_t *)bytes = (int16_t)value.integer;
        break;
    case CORE_I32:
        *(int32_t *)bytes = (int32_t)value.integer;
        break;
    case CORE_I64:
        *(int64_t *)bytes = value.integer;
        break;
    case CORE_F32:
        *(float *)bytes = (float)value.real;
        break;
    default:
        *(double *)bytes = value.real;
    }
}

/* --- nested lists --- */

typedef struct numbers {
    core_value *items; /* shallow copies of the numbers, in order */
    size_t count;
    size_t capacity;
} numbers;

static void add_number(numbers *all, const core_value *value)
{
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 16;
        all->items = core_realloc(all->items, all->capacity * sizeof *all->items);
    }
    all->items[all->count++] = *value;
}

/* Ragged lists can only be Vecs: the first one that differs is named, as Vec's shape()
 * does. */
static core_status ragged(const core_shape *first, const core_shape *other,
                          core_error *error)
{
    char f[CORE_SHAPE_TEXT], o[CORE_SHAPE_TEXT];
    if (first->rank == 1 && other->rank == 1)
        return core_fail(error, CORE_ERROR, "two elements have different len %zu %zu",
                         first->dims[0], other->dims[0]);
    return core_fail(error, CORE_ERROR, "two elements have different shapes %s %s",
                     core_shape_text(o, other), core_shape_text(f, first));
}

static core_status collect(core_shape *shape, numbers *all, const core_value *value,
                           core_error *error)
{
    if (value->kind != CORE_KIND_LIST) {
        *shape = (core_shape){0};
        add_number(all, value);
        return CORE_OK;
    }
    core_shape first = {0};
    for (size_t i = 0; i < value->count; i++) {
        core_shape inner;
        core_status status = collect(&inner, all, &value->items[i], error);
        if (status)
            return status;
        if (i == 0)
            first = inner;
        else if (inner.rank != first.rank)
            return core_fail(error, CORE_UNSUPPORTED, "numbers and lists in one list");
        else if (!core_shape_equal(&inner, &first))
            return ragged(&first, &inner, error);
    }
    if (first.rank >= 4)
        return core_fail(error, CORE_UNSUPPORTED, "an array of more than four levels");
    shape->rank = first.rank + 1;
    shape->dims[0] = value->count;
    memcpy(shape->dims + 1, first.dims, first.rank * sizeof first.dims[0]);
    return CORE_OK;
}

/* The numbers as elements of one type; *bytes is new. */
static core_status elements(void **bytes, core_dtype *dtype, const numbers *all,
                            core_error *error)
{
    if (all->count == 0)
        return core_fail(error, CORE_UNSUPPORTED,
                         "an empty array, whose element type is not known here");
    core_scalar *scalars = core_alloc(all->count * sizeof *scalars);
    core_status status = core_arg_scalars(scalars, all->items, all->count, error);
    if (!status) {
        *dtype = scalars[0].dtype;
        size_t size = core_dtype_info(*dtype)->size;
        *bytes = core_alloc(all->count * size);
        for (size_t i = 0; i < all->count; i++)
            store((char *)*bytes + i * size, scalars[i]);
    }
    free(scalars);
    return status;
}

core_status core_array_new(core_context *context, core_tensor **out,
                           const core_value *array, const core_shape *shape,
                           core_device *device, core_error *error)
{
    numbers all = {0};
    core_shape own;
    core_dtype dtype = CORE_F32;
    void *bytes = NULL;
    core_status status = collect(&own, &all, array, error);
    if (!status)
        status = elements(&bytes, &dtype, &all, error);
    if (!status && shape && core_shape_count(shape) != all.count) {
        char text[CORE_SHAPE_TEXT];
        status =
            core_fail(error, CORE_ERROR,
                      "Shape mismatch, got buffer of size %zu which is compatible with "
                      "shape %s",
                      all.count, core_shape_text(text, shape));
    }
    if (!status)
        status = core_tensor_from_data(context, out, bytes, all.count,
                                       shape ? shape : &own, dtype, device, error);
    free(bytes);
    free(all.items);
    return status;
}

core_status core_array_from_vec(core_context *context, core_tensor **out,
                                const core_value *list, const core_value *shape,
                                core_device *device, core_error *error)
{
    numbers all = {0};
    core_shape flat, wanted;
    core_dtype dtype = CORE_F32;
    void *bytes = NULL;
    core_status status = collect(&flat, &all, list, error);
    if (!status && flat.rank != 1)
        status = core_fail(error, CORE_UNSUPPORTED,
                           "from_vec and from_slice of a nested list");
    if (!status)
        status = core_arg_shape_hole(&wanted, shape, all.count, error);
    if (!status)
        status = elements(&bytes, &dtype, &all, error);
    if (!status)
        status = core_tensor_from_data(context, out, bytes, all.count, &wanted, dtype,
                                       device, error);
    free(bytes);
    free(all.items);
    return status;
}

/* --- arange --- */

/* The sum in the element type, as += wraps or rounds it. */
static core_scalar add_scalars(core_scalar a, core_scalar b)
{
    core_scalar out = {.dtype = a.dtype};
    uint64_t sum = (uint64_t)a.integer + (uint64_t)b.integer;
    switch (a.dtype) {
    case CORE_U8:
        out.integer = (uint8_t)sum;
        break;
    case CORE_U32:
        out.integer = (uint32_t)sum;
        break;
    case CORE_I16:
        out.integer = (int16_t)sum;
        break;
    case CORE_I32:
        out.integer = (int32_t)sum;
        break;
    case CORE_F32:
        out.real = (float)((float)a.real + (float)b.real);
        break;
    case CORE_F64:
        out.real = a.real + b.real;
        break;
    default:
        out.integer = (int64_t)sum;
    }
    return out;
}

static bool below(core_scalar a, core_scalar b)
{
    return core_dtype_info(a.dtype)->is_float ? a.real < b.real : a.integer < b.integer;
}

core_status core_tensor_arange(core_context *context, core_tensor **out,
                               core_scalar start, core_scalar end, core_scalar step,
                               core_device *device, core_error *error)
{
    core_scalar zero = {.dtype = step.dtype}, at = start;
    if (core_dtype_info(step.dtype)->is_float ? step.real == 0.0 : step.integer == 0)
        return core_fail(error, CORE_ERROR, "step cannot be zero");
    bool up = !below(step, zero);
    if (step.real != step.real)
        up = false;
    size_t size = core_dtype_info(start.dtype)->size, count = 0, room = 0;
    char *bytes = NULL;
    core_status status = CORE_OK;
    while (!status && (up ? below(at, end) : below(end, at))) {
        if (count == room) {
            room = room ? 2 * room : 16;
            bytes = core_realloc(bytes, room * size);
        }
        store(bytes + count++ * size, at);
        core_scalar next = add_scalars(at, step);
        bool stuck = (up ? !below(at, next) : !below(next, at)) && next.real == next.real;
        /* A small integer that wraps may still come upon the end; one of many bits takes
         * all memory. */
        if (stuck && (core_dtype_info(at.dtype)->is_float || size > 2 || count > 65536))
            status = core_fail(error, CORE_DEADLOCK,
                               "arange never ends: adding the step %s, and memory grows",
                               core_dtype_info(at.dtype)->is_float ? "changes nothing"
                                                                   : "wraps around");
        at = next;
    }
    if (!status)
        status =
            core_tensor_from_data(context, out, bytes, count, &(core_shape){1, {count}},
                                  start.dtype, device, error);
    free(bytes);
    return status;
}

/* --- rows --- */

THUNK(new_)
{
    GIVE(core_array_new(context, &out, &args[0], NULL, args[1].device, error));
}

THUNK(from_vec)
{
    GIVE(core_array_from_vec(context, &out, &args[0], &args[1], args[2].device, error));
}

THUNK(from_iter)
{
    core_value hole = {.kind = CORE_KIND_TUPLE}, unit = {.kind = CORE_KIND_UNIT};
    hole.items = &unit;
    hole.count = 1;
    GIVE(core_array_from_vec(context, &out, &args[0], &hole, args[1].device, error));
}

THUNK(arange)
{
    core_scalar ab[2], one;
    core_status status = core_arg_scalars(ab, args, 2, error);
    if (status)
        return status;
    one = (core_scalar){ab[0].dtype, 1, 1.0};
    GIVE(core_tensor_arange(context, &out, ab[0], ab[1], one, args[2].device, error));
}

THUNK(arange_step)
{
    core_scalar abc[3];
    core_status status = core_arg_scalars(abc, args, 3, error);
    if (status)
        return status;
    GIVE(
        core_tensor_arange(context, &out, abc[0], abc[1], abc[2], args[3].device, error));
}

const core_method core_methods_array[] = {
    FUNCTION("Tensor::new", "AV", true, new_),
    FUNCTION("Tensor::from_vec", "AhV", true, from_vec),
    FUNCTION("Tensor::from_slice", "AhV", true, from_vec),
    FUNCTION("Tensor::from_iter", "AV", true, from_iter),
    FUNCTION("Tensor::arange", "xxV", true, arange),
    FUNCTION("Tensor::arange_step", "xxxV", true, arange_step),
    CORE_METHODS_END,
};
