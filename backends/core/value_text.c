/* What `{:?}` and `{}` print of values. */
#include "backends/core/internal.h"
#include "backends/core/value.h"

#include <string.h>

static void add_int(core_text *out, const core_int *v)
{
    bool is_signed = v->type == CORE_INT_I32 || v->type == CORE_INT_I8 ||
                     v->type == CORE_INT_I16 || v->type == CORE_INT_I64 ||
                     v->type == CORE_INT_ISIZE;
    if (is_signed)
        core_text_printf(out, "%lld", (long long)v->bits);
    else
        core_text_printf(out, "%llu", (unsigned long long)v->bits);
}

/* Debug of str: quotes and escapes. */
static void add_quoted(core_text *out, const char *data, size_t length)
{
    core_text_add(out, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        switch (data[i]) {
        case '"':
            core_text_add(out, "\\\"", 2);
            break;
        case '\\':
            core_text_add(out, "\\\\", 2);
            break;
        case '\n':
            core_text_add(out, "\\n", 2);
            break;
        case '\r':
            core_text_add(out, "\\r", 2);
            break;
        case '\t':
            core_text_add(out, "\\t", 2);
            break;
        case '\0':
            core_text_add(out, "\\0", 2);
            break;
        default:
            core_text_add(out, &data[i], 1);
        }
    }
    core_text_add(out, "\"", 1);
}

static void add_layout(core_text *out, const core_layout *layout)
{
    char shape[CORE_SHAPE_TEXT], stride[CORE_SHAPE_TEXT];
    core_text_printf(out, "Layout { shape: %s, stride: %s, start_offset: %zu }",
                     core_shape_text(shape, &layout->shape),
                     core_dims_text(stride, layout->stride, layout->shape.rank),
                     layout->offset);
}

static void add_range(core_text *out, const core_range *range)
{
    if (range->has_start)
        core_text_printf(out, "%llu", (unsigned long long)range->start);
    core_text_printf(out, range->inclusive ? "..=" : "..");
    if (range->has_end)
        core_text_printf(out, "%llu", (unsigned long long)range->end);
}

static core_status add_items(core_context *context, core_text *out,
                             const core_value *value, const char *open, const char *close,
                             core_error *error)
{
    core_status status = CORE_OK;
    core_text_printf(out, "%s", open);
    for (size_t i = 0; i < value->count && !status; i++) {
        if (i)
            core_text_add(out, ", ", 2);
        status = core_value_debug(context, out, &value->items[i], error);
    }
    if (value->kind == CORE_KIND_TUPLE && value->count == 1)
        core_text_add(out, ",", 1);
    core_text_printf(out, "%s", close);
    return status;
}

/* Also what Var and Linear print: their tensors in parentheses or as fields. */
static core_status add_wrapped(core_context *context, core_text *out, const char *open,
                               const core_tensor *tensor, const char *close,
                               core_error *error)
{
    core_text_printf(out, "%s", open);
    core_status status = core_tensor_debug(context, out, tensor, error);
    core_text_printf(out, "%s", close);
    return status;
}

static core_status add_linear(core_context *context, core_text *out,
                              const core_linear *linear, core_error *error)
{
    core_status status =
        add_wrapped(context, out, "Linear { weight: ", linear->weight, ", bias: ", error);
    if (!status && linear->bias)
        status = add_wrapped(context, out, "Some(", linear->bias, ")", error);
    else if (!status)
        core_text_printf(out, "None");
    core_text_printf(out, " }");
    return status;
}

static core_status no_text(const core_value *value, const char *form, core_error *error)
{
    return core_fail(error, CORE_UNSUPPORTED, "%s of a %s", form,
                     core_kind_name(value->kind));
}

/* What names something: a dimension, an identifier, a dtype, a device. */
static void add_name(core_text *out, const core_value *value)
{
    if (value->kind == CORE_KIND_DIM)
        core_text_printf(out, value->dim >= -2 ? "Minus%td" : "Minus(%td)", -value->dim);
    else if (value->kind == CORE_KIND_ID)
        core_text_printf(out, "TensorId(%llu)", (unsigned long long)value->id);
    else if (value->kind == CORE_KIND_DTYPE)
        core_text_printf(out, "%s", core_dtype_info(value->dtype)->variant);
    else
        core_text_printf(out, "%s", value->device->debug);
}

core_status core_value_debug(core_context *context, core_text *out,
                             const core_value *value, core_error *error)
{
    char shape[CORE_SHAPE_TEXT];
    switch (value->kind) {
    case CORE_KIND_UNIT:
        core_text_printf(out, "()");
        return CORE_OK;
    case CORE_KIND_FLOAT:
        core_float_text(out, value->number.value, value->number.dtype, false);
        return CORE_OK;
    case CORE_KIND_STRING:
        add_quoted(out, value->text.data, value->text.length);
        return CORE_OK;
    case CORE_KIND_DIM:
    case CORE_KIND_ID:
    case CORE_KIND_DTYPE:
    case CORE_KIND_DEVICE:
        add_name(out, value);
        return CORE_OK;
    case CORE_KIND_SHAPE:
        core_text_printf(out, "%s", core_shape_text(shape, value->shape));
        return CORE_OK;
    case CORE_KIND_LAYOUT:
        add_layout(out, value->layout);
        return CORE_OK;
    case CORE_KIND_RANGE:
        add_range(out, &value->range);
        return CORE_OK;
    case CORE_KIND_TENSOR:
        return core_tensor_debug(context, out, value->tensor, error);
    case CORE_KIND_VAR:
        return add_wrapped(context, out, "Var(", value->tensor, ")", error);
    case CORE_KIND_LINEAR:
        return add_linear(context, out, value->linear, error);
    case CORE_KIND_LIST:
        return add_items(context, out, value, "[", "]", error);
    case CORE_KIND_TUPLE:
        return add_items(context, out, value, "(", ")", error);
    case CORE_KIND_OK:
        return add_items(context, out, value, "Ok(", ")", error);
    case CORE_KIND_SOME:
        return add_items(context, out, value, "Some(", ")", error);
    case CORE_KIND_ERR:
        core_text_printf(out, "Err(%s)", value->text.data);
        return CORE_OK;
    case CORE_KIND_NONE:
        core_text_printf(out, "None");
        return CORE_OK;
    case CORE_KIND_BOOL:
    case CORE_KIND_INT:
        return core_value_display(context, out, value, error);
    case CORE_KIND_OPAQUE:
        if (value->opaque.ops->debug)
            value->opaque.ops->debug(out, value->opaque.data);
        else
            core_text_printf(out, "%s", value->opaque.ops->type);
        return CORE_OK;
    default:
        return no_text(value, "{:?}", error);
    }
}

core_status core_value_display(core_context *context, core_text *out,
                               const core_value *value, core_error *error)
{
    switch (value->kind) {
    case CORE_KIND_BOOL:
        core_text_printf(out, value->boolean ? "true" : "false");
        return CORE_OK;
    case CORE_KIND_INT:
        add_int(out, &value->integer);
        return CORE_OK;
    case CORE_KIND_FLOAT:
        core_float_text(out, value->number.value, value->number.dtype, true);
        return CORE_OK;
    case CORE_KIND_STRING:
        core_text_add(out, value->text.data, value->text.length);
        return CORE_OK;
    case CORE_KIND_TENSOR:
    case CORE_KIND_VAR:
        return core_tensor_display(context, out, value->tensor, error);
    default:
        return no_text(value, "{}", error);
    }
}
