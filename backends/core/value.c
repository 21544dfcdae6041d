/* Values: made, cloned, dropped. */
#include "backends/core/value.h"
#include "backends/core/internal.h"

#include <stdlib.h>
#include <string.h>

const char *core_kind_name(core_kind kind)
{
    static const char *const names[CORE_KIND_COUNT] = {
        [CORE_KIND_UNIT] = "()",
        [CORE_KIND_BOOL] = "bool",
        [CORE_KIND_INT] = "integer",
        [CORE_KIND_FLOAT] = "float",
        [CORE_KIND_STRING] = "String",
        [CORE_KIND_DTYPE] = "DType",
        [CORE_KIND_DEVICE] = "Device",
        [CORE_KIND_DIM] = "D",
        [CORE_KIND_SHAPE] = "Shape",
        [CORE_KIND_LAYOUT] = "Layout",
        [CORE_KIND_ID] = "TensorId",
        [CORE_KIND_RANGE] = "Range",
        [CORE_KIND_TENSOR] = "Tensor",
        [CORE_KIND_VAR] = "Var",
        [CORE_KIND_VARMAP] = "VarMap",
        [CORE_KIND_MUTEX] = "Mutex",
        [CORE_KIND_MAP_GUARD] = "MutexGuard",
        [CORE_KIND_MAP] = "HashMap",
        [CORE_KIND_VARBUILDER] = "VarBuilder",
        [CORE_KIND_INIT] = "Init",
        [CORE_KIND_LINEAR] = "Linear",
        [CORE_KIND_SGD] = "SGD",
        [CORE_KIND_ADAMW] = "AdamW",
        [CORE_KIND_ADAMW_PARAMS] = "ParamsAdamW",
        [CORE_KIND_GRADSTORE] = "GradStore",
        [CORE_KIND_STORAGE_GUARD] = "RwLockReadGuard",
        [CORE_KIND_KERNEL] = "Kernel",
        [CORE_KIND_LIST] = "Vec",
        [CORE_KIND_TUPLE] = "tuple",
        [CORE_KIND_OK] = "Result",
        [CORE_KIND_ERR] = "Result",
        [CORE_KIND_SOME] = "Option",
        [CORE_KIND_NONE] = "Option",
        [CORE_KIND_OPAQUE] = "value",
    };
    return names[kind];
}

const char *core_int_type_name(core_int_type type)
{
    static const char *const names[] = {
        [CORE_INT_I32] = "i32",     [CORE_INT_USIZE] = "usize", [CORE_INT_U8] = "u8",
        [CORE_INT_U16] = "u16",     [CORE_INT_U32] = "u32",     [CORE_INT_U64] = "u64",
        [CORE_INT_I8] = "i8",       [CORE_INT_I16] = "i16",     [CORE_INT_I64] = "i64",
        [CORE_INT_ISIZE] = "isize",
    };
    return names[type];
}

static bool holds_items(core_kind kind)
{
    return kind == CORE_KIND_LIST || kind == CORE_KIND_TUPLE || kind == CORE_KIND_OK ||
           kind == CORE_KIND_SOME;
}

static void drop(core_value *value)
{
    switch (value->kind) {
    case CORE_KIND_STRING:
    case CORE_KIND_ERR:
        free(value->text.data);
        break;
    case CORE_KIND_SHAPE:
        free(value->shape);
        break;
    case CORE_KIND_LAYOUT:
        free(value->layout);
        break;
    case CORE_KIND_TENSOR:
    case CORE_KIND_VAR:
        core_tensor_unref(value->tensor);
        break;
    case CORE_KIND_VARMAP:
    case CORE_KIND_MUTEX:
        core_varmap_unref(value->varmap);
        break;
    case CORE_KIND_MAP_GUARD:
        core_map_guard_free(value->map_guard);
        break;
    case CORE_KIND_MAP:
        core_map_free(value->map);
        break;
    case CORE_KIND_VARBUILDER:
        core_varbuilder_free(value->varbuilder);
        break;
    case CORE_KIND_LINEAR:
        core_linear_free(value->linear);
        break;
    case CORE_KIND_SGD:
        core_sgd_free(value->sgd);
        break;
    case CORE_KIND_ADAMW:
        core_adamw_free(value->adamw);
        break;
    case CORE_KIND_GRADSTORE:
        core_gradstore_free(value->gradstore);
        break;
    case CORE_KIND_STORAGE_GUARD:
        core_storage_guard_free(value->guard);
        break;
    case CORE_KIND_OPAQUE:
        if (value->opaque.ops->drop)
            value->opaque.ops->drop(value->opaque.data);
        break;
    default:
        break;
    }
}

void core_value_clear(core_value *value)
{
    if (holds_items(value->kind)) {
        for (size_t i = 0; i < value->count; i++)
            core_value_clear(&value->items[i]);
        free(value->items);
    } else {
        drop(value);
    }
    *value = (core_value){0};
}

static core_status clone_items(core_value *out, const core_value *value,
                               core_error *error)
{
    core_value copy = {.kind = value->kind};
    copy.items = core_alloc(value->count * sizeof *copy.items);
    core_status status = CORE_OK;
    for (; copy.count < value->count && !status; copy.count++) {
        copy.items[copy.count] = (core_value){0};
        status =
            core_value_clone(&copy.items[copy.count], &value->items[copy.count], error);
    }
    if (status)
        core_value_clear(&copy);
    else
        *out = copy;
    return status;
}

static core_status cannot_clone(const core_value *value, core_error *error)
{
    return core_fail(error, CORE_UNSUPPORTED, "clone() of a %s",
                     value->kind == CORE_KIND_OPAQUE ? value->opaque.ops->type
                                                     : core_kind_name(value->kind));
}

core_status core_value_clone(core_value *out, const core_value *value, core_error *error)
{
    core_value copy = *value;
    switch (value->kind) {
    case CORE_KIND_STRING:
    case CORE_KIND_ERR:
        copy.text.data = core_alloc(value->text.length + 1);
        memcpy(copy.text.data, value->text.data, value->text.length + 1);
        break;
    case CORE_KIND_SHAPE:
        copy = core_value_shape(value->shape);
        break;
    case CORE_KIND_LAYOUT:
        copy.layout = core_alloc(sizeof *copy.layout);
        core_layout_copy(copy.layout, value->layout);
        break;
    case CORE_KIND_TENSOR:
    case CORE_KIND_VAR:
        core_tensor_ref(value->tensor);
        break;
    case CORE_KIND_VARMAP:
    case CORE_KIND_MUTEX:
        core_varmap_ref(value->varmap);
        break;
    case CORE_KIND_MAP:
        copy.map = core_map_clone(value->map);
        break;
    case CORE_KIND_VARBUILDER:
        copy.varbuilder = core_varbuilder_clone(value->varbuilder);
        break;
    case CORE_KIND_LINEAR:
        copy.linear = core_linear_clone(value->linear);
        break;
    case CORE_KIND_LIST:
    case CORE_KIND_TUPLE:
    case CORE_KIND_OK:
    case CORE_KIND_SOME:
        return clone_items(out, value, error);
    case CORE_KIND_MAP_GUARD:
    case CORE_KIND_STORAGE_GUARD:
    case CORE_KIND_SGD:
    case CORE_KIND_ADAMW:
    case CORE_KIND_GRADSTORE:
        return cannot_clone(value, error);
    case CORE_KIND_OPAQUE:
        if (!value->opaque.ops->clone)
            return cannot_clone(value, error);
        copy.opaque.data = value->opaque.ops->clone(value->opaque.data);
        break;
    default:
        break;
    }
    *out = copy;
    return CORE_OK;
}

core_value core_value_bool(bool boolean)
{
    return (core_value){.kind = CORE_KIND_BOOL, .boolean = boolean};
}

core_value core_value_int(core_int_type type, uint64_t bits, bool literal)
{
    return (core_value){.kind = CORE_KIND_INT, .integer = {bits, type, literal}};
}

core_value core_value_usize(size_t value)
{
    return core_value_int(CORE_INT_USIZE, value, false);
}

core_value core_value_float(core_dtype dtype, double value, bool literal)
{
    return (core_value){.kind = CORE_KIND_FLOAT, .number = {value, dtype, literal}};
}

core_value core_value_f64(double value)
{
    return core_value_float(CORE_F64, value, false);
}

core_value core_value_text(const char *data, size_t length)
{
    core_value value = {.kind = CORE_KIND_STRING};
    value.text.data = core_alloc(length + 1);
    memcpy(value.text.data, data, length);
    value.text.data[length] = '\0';
    value.text.length = length;
    return value;
}

core_value core_value_tensor(core_tensor *tensor)
{
    return (core_value){.kind = CORE_KIND_TENSOR, .tensor = tensor};
}

core_value core_value_var(core_tensor *tensor)
{
    return (core_value){.kind = CORE_KIND_VAR, .tensor = tensor};
}

core_value core_value_shape(const core_shape *shape)
{
    core_shape *copy = core_alloc(sizeof *copy);
    *copy = *shape;
    return (core_value){.kind = CORE_KIND_SHAPE, .shape = copy};
}

core_value core_value_items(core_kind kind, core_value *items, size_t count)
{
    core_value value = {.kind = kind};
    value.items = core_alloc(count * sizeof *items);
    if (count)
        memcpy(value.items, items, count * sizeof *items);
    value.count = count;
    return value;
}

/* --- fields of ParamsAdamW --- */

static double *params_field(core_adamw_params *params, const char *name)
{
    const struct {
        const char *name;
        double *field;
    } fields[] = {{"lr", &params->lr},
                  {"beta1", &params->beta1},
                  {"beta2", &params->beta2},
                  {"eps", &params->eps},
                  {"weight_decay", &params->weight_decay}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (!strcmp(fields[i].name, name))
            return fields[i].field;
    return NULL;
}

core_status core_value_field(core_value *out, const core_value *value, const char *name,
                             core_error *error)
{
    core_value copy = *value;
    double *field = value->kind == CORE_KIND_ADAMW_PARAMS
                        ? params_field(&copy.adamw_params, name)
                        : NULL;
    if (!field)
        return core_fail(error, CORE_UNSUPPORTED, "field %s of %s", name,
                         core_kind_name(value->kind));
    *out = core_value_f64(*field);
    return CORE_OK;
}

core_status core_value_set_field(core_value *value, const char *name,
                                 const core_value *field, core_error *error)
{
    double *at = value->kind == CORE_KIND_ADAMW_PARAMS
                     ? params_field(&value->adamw_params, name)
                     : NULL;
    if (!at || field->kind != CORE_KIND_FLOAT)
        return core_fail(error, CORE_UNSUPPORTED, "field %s of %s", name,
                         core_kind_name(value->kind));
    *at = field->number.value;
    return CORE_OK;
}
