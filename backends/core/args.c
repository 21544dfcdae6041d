/* Arguments: from what a program writes to what a signature asks for. */
#include "backends/core/args.h"
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <stdlib.h>
#include <string.h>

static core_status misfit(const core_value *in, const char *wanted, core_error *error)
{
    const char *got =
        in->kind == CORE_KIND_OPAQUE ? in->opaque.ops->type : core_kind_name(in->kind);
    return core_fail(error, CORE_UNSUPPORTED, "a %s where %s is wanted", got, wanted);
}

static bool is_usize(const core_value *v)
{
    return v->kind == CORE_KIND_INT &&
           (v->integer.literal || v->integer.type == CORE_INT_USIZE);
}

static bool is_tensor(const core_value *v)
{
    return v->kind == CORE_KIND_TENSOR || v->kind == CORE_KIND_VAR;
}

size_t core_arg_usize(const core_value *value)
{
    return (size_t)value->integer.bits;
}

/* usize beyond what a core_dim holds is out of range either way. */
static core_dim dim_of(const core_value *v)
{
    if (v->kind == CORE_KIND_DIM)
        return v->dim;
    return v->integer.bits > PTRDIFF_MAX ? PTRDIFF_MAX : (core_dim)v->integer.bits;
}

static bool is_dim(const core_value *v)
{
    return v->kind == CORE_KIND_DIM || is_usize(v);
}

/* The items of a tuple or list, a value alone as one item, () as none. */
static size_t spread(const core_value **items, const core_value *in)
{
    if (in->kind == CORE_KIND_UNIT)
        return 0;
    bool list = in->kind == CORE_KIND_TUPLE || in->kind == CORE_KIND_LIST;
    *items = list ? in->items : in;
    return list ? in->count : 1;
}

static core_status to_shape(core_value *out, const core_value *in, core_error *error)
{
    if (in->kind == CORE_KIND_SHAPE) {
        *out = core_value_shape(in->shape);
        return CORE_OK;
    }
    const core_value *items = NULL;
    size_t count = spread(&items, in);
    core_shape shape = {.rank = count};
    core_status status = core_rank_limit(error, count);
    for (size_t i = 0; i < count && !status; i++) {
        if (!is_usize(&items[i]))
            return misfit(in, "a shape", error);
        shape.dims[i] = core_arg_usize(&items[i]);
    }
    if (!status)
        *out = core_value_shape(&shape);
    return status;
}

static core_status to_dims(core_value *out, const core_value *in, core_error *error)
{
    const core_value *items = NULL;
    size_t count = spread(&items, in);
    core_value dims[CORE_MAX_RANK];
    core_status status = core_rank_limit(error, count);
    for (size_t i = 0; i < count && !status; i++) {
        if (!is_dim(&items[i]))
            return misfit(in, "dimensions", error);
        dims[i] = (core_value){.kind = CORE_KIND_DIM, .dim = dim_of(&items[i])};
    }
    if (!status)
        *out = core_value_items(CORE_KIND_TUPLE, dims, count);
    return status;
}

size_t core_arg_dims(core_dim dims[CORE_MAX_RANK], const core_value *value)
{
    for (size_t i = 0; i < value->count; i++)
        dims[i] = value->items[i].dim;
    return value->count;
}

static core_status expect(bool fits, core_value *out, const core_value *in,
                          const char *wanted, core_error *error)
{
    if (!fits)
        return misfit(in, wanted, error);
    *out = *in;
    return CORE_OK;
}

core_status core_arg_convert(core_value *out, bool *owned, char letter,
                             const core_value *in, core_error *error)
{
    core_kind kind = in->kind;
    bool number = kind == CORE_KIND_INT || kind == CORE_KIND_FLOAT;
    *owned = false;
    switch (letter) {
    case 't':
        return expect(is_tensor(in), out, in, "a Tensor", error);
    case 'v':
        return expect(kind == CORE_KIND_VAR, out, in, "a Var", error);
    case 'o':
        return expect(is_tensor(in) || number, out, in, "a Tensor or a number", error);
    case 'd':
        if (!is_dim(in))
            return misfit(in, "a dimension", error);
        *out = (core_value){.kind = CORE_KIND_DIM, .dim = dim_of(in)};
        return CORE_OK;
    case 'n':
        return expect(is_usize(in), out, in, "a usize", error);
    case 'i':
        return expect(kind == CORE_KIND_INT, out, in, "an integer", error);
    case 'f':
        return expect(kind == CORE_KIND_FLOAT &&
                          (in->number.literal || in->number.dtype == CORE_F64),
                      out, in, "an f64", error);
    case 'x':
        return expect(number, out, in, "a number", error);
    case 's':
        *owned = true;
        return to_shape(out, in, error);
    case 'M':
        *owned = true;
        return to_dims(out, in, error);
    case 'D':
        return expect(kind == CORE_KIND_DTYPE, out, in, "a DType", error);
    case 'V':
        return expect(kind == CORE_KIND_DEVICE, out, in, "a Device", error);
    case 'S':
        return expect(kind == CORE_KIND_STRING, out, in, "a text", error);
    case 'r':
        return expect(kind == CORE_KIND_RANGE, out, in, "a range", error);
    case 'b':
        return expect(kind == CORE_KIND_BOOL, out, in, "a bool", error);
    case 'k':
        return expect(kind == CORE_KIND_KERNEL, out, in, "a kernel of parity::ops",
                      error);
    case 'L':
        return expect(kind == CORE_KIND_LIST, out, in, "a list", error);
    default:
        *out = *in;
        return CORE_OK;
    }
}

core_status core_arg_operand(core_operand *out, const core_value *value,
                             core_error *error)
{
    *out = (core_operand){0};
    if (!is_tensor(value))
        return core_arg_scalar(&out->scalar, value, error);
    out->tensor = value->tensor;
    return CORE_OK;
}

core_status core_arg_tensors(const core_tensor ***tensors, size_t *count,
                             const core_value *list, core_error *error)
{
    const core_tensor **out = core_alloc(list->count * sizeof *out);
    for (size_t i = 0; i < list->count; i++) {
        if (!is_tensor(&list->items[i])) {
            free(out);
            return misfit(&list->items[i], "a Tensor", error);
        }
        out[i] = list->items[i].tensor;
    }
    *tensors = out;
    *count = list->count;
    return CORE_OK;
}

/* Debug of the tuple with the hole, as the messages of hole_size have it: `((), 4)`. */
static core_status hole_error(const core_value *items, size_t count, size_t elements,
                              bool zero, core_error *error)
{
    core_text text = {0};
    core_text_add(&text, "(", 1);
    for (size_t i = 0; i < count; i++) {
        if (i)
            core_text_add(&text, ", ", 2);
        if (items[i].kind == CORE_KIND_UNIT)
            core_text_add(&text, "()", 2);
        else
            core_text_printf(&text, "%zu", core_arg_usize(&items[i]));
    }
    core_text_add(&text, ")", 1);
    core_status status = core_fail(error, CORE_ERROR,
                                   zero ? "cannot reshape tensor of %zu elements to %s"
                                        : "cannot reshape tensor with %zu elements to %s",
                                   elements, text.data);
    core_text_free(&text);
    return status;
}

core_status core_arg_shape_hole(core_shape *out, const core_value *value, size_t elements,
                                core_error *error)
{
    const core_value *items = NULL;
    size_t count = spread(&items, value), hole = count, known = 1;
    bool tuple = value->kind == CORE_KIND_TUPLE;
    for (size_t i = 0; tuple && i < count; i++) {
        if (items[i].kind == CORE_KIND_UNIT && hole == count)
            hole = i;
        else if (is_usize(&items[i]))
            known *= core_arg_usize(&items[i]);
        else
            return misfit(value, "a shape", error);
    }
    if (hole == count) {
        core_value shape;
        core_status status = to_shape(&shape, value, error);
        if (!status) {
            *out = *shape.shape;
            core_value_clear(&shape);
        }
        return status;
    }
    if (count > 1 && (known == 0 || elements % known))
        return hole_error(items, count, elements, known == 0, error);
    *out = (core_shape){.rank = count};
    for (size_t i = 0; i < count; i++)
        out->dims[i] = i == hole ? elements / known : core_arg_usize(&items[i]);
    return CORE_OK;
}

core_value core_value_list_usize(const size_t *values, size_t count)
{
    core_value items[CORE_MAX_RANK];
    for (size_t i = 0; i < count; i++)
        items[i] = core_value_usize(values[i]);
    return core_value_items(CORE_KIND_LIST, items, count);
}

core_status core_give(core_value *result, core_tensor **tensor, core_status status)
{
    if (!status)
        *result = core_value_tensor(*tensor);
    return status;
}
