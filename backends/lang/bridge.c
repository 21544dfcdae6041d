/* Between values here and values of the core: lending arguments, taking results, calling
 * rows of the method table. */
#include "backends/lang/interp.h"

#include <stdlib.h>
#include <string.h>

/* --- lending --- */

static const char *lend_items(lang_lent *lent, core_value *out, core_kind kind,
                              lang_value *value)
{
    size_t count = lang_count(value);
    core_value *items = parity_alloc((count + 1) * sizeof *items);
    PARITY_GROW(lent->blocks, lent->count, lent->capacity);
    lent->blocks[lent->count++] = items;
    for (size_t i = 0; i < count; i++) {
        lang_cell *cell = lang_item(value, i);
        if (cell->state != LANG_LIVE)
            return "a part of this value was moved out";
        const char *why = lang_lend(lent, &items[i], &cell->value);
        if (why)
            return why;
    }
    *out = (core_value){.kind = kind, .items = items, .count = count};
    return NULL;
}

static const char *lend_number(core_value *out, lang_number *number)
{
    const char *why = lang_number_settle(number);
    if (why)
        return why;
    lang_numtype type = number->type;
    *out =
        number->is_float
            ? core_value_float(type == LANG_F32 ? CORE_F32 : CORE_F64, number->d, false)
            : core_value_int(lang_numtype_core(type), (uint64_t)number->i, false);
    return NULL;
}

static const char *lend_range(core_value *out, lang_value *value)
{
    core_range range = {.inclusive = value->inclusive};
    for (size_t i = 0; i < 2; i++) {
        lang_value *end = &lang_item(value, i)->value;
        if (end->kind == LANG_UNIT)
            continue;
        const char *why = end->kind == LANG_NUMBER
                              ? lang_number_bind(&end->number, LANG_USIZE)
                              : "a range of this type";
        if (why)
            return why;
        *(i ? &range.has_end : &range.has_start) = true;
        *(i ? &range.end : &range.start) = (uint64_t)end->number.i;
    }
    *out = (core_value){.kind = CORE_KIND_RANGE, .range = range};
    return NULL;
}

const char *lang_lend(lang_lent *lent, core_value *out, lang_value *value)
{
    *out = (core_value){0};
    while (value->kind == LANG_REF) {
        if (value->cell->state != LANG_LIVE)
            return "a reference to what was moved or dropped; only the compiler judges "
                   "this";
        value = &value->cell->value;
    }
    switch (value->kind) {
    case LANG_UNIT:
        return NULL;
    case LANG_BOOL:
        *out = core_value_bool(value->boolean);
        return NULL;
    case LANG_NUMBER:
        return lend_number(out, &value->number);
    case LANG_TEXT:
        out->kind = CORE_KIND_STRING;
        break;
    case LANG_CORE:
        *out = value->core;
        return NULL;
    case LANG_LIST:
        return lend_items(lent, out, CORE_KIND_LIST, value);
    case LANG_TUPLE:
        return lend_items(lent, out, CORE_KIND_TUPLE, value);
    case LANG_OK:
        return lend_items(lent, out, CORE_KIND_OK, value);
    case LANG_SOME:
        return lend_items(lent, out, CORE_KIND_SOME, value);
    case LANG_NONE:
        out->kind = CORE_KIND_NONE;
        return NULL;
    case LANG_ERR:
        value = &lang_item(value, 0)->value;
        if (value->kind != LANG_ERROR)
            return "a Result of another error than candle's";
        out->kind = CORE_KIND_ERR;
        break;
    case LANG_RANGE:
        return lend_range(out, value);
    default:
        return "candle takes no such value; only the compiler judges this";
    }
    out->text.data = value->text.data;
    out->text.length = value->text.length;
    return NULL;
}

void lang_lent_free(lang_lent *lent)
{
    for (size_t i = 0; i < lent->count; i++)
        free(lent->blocks[i]);
    free(lent->blocks);
    *lent = (lang_lent){0};
}

/* --- taking --- */

static lang_value behind_new_ref(lang_value value)
{
    lang_cell *cell = lang_cell_new(value);
    lang_value ref = lang_ref(cell, false);
    lang_cell_unref(cell);
    return ref;
}

static lang_value take_items(core_value *value, lang_kind kind, bool references)
{
    lang_value container = lang_container(kind, false);
    for (size_t i = 0; i < value->count; i++) {
        core_value item = value->items[i];
        value->items[i] = (core_value){0};
        lang_push(&container, lang_from_core(item, references));
    }
    core_value_clear(value);
    return container;
}

static lang_value take_number(const core_value *value)
{
    if (value->kind == CORE_KIND_FLOAT)
        return lang_num(lang_number_float(
            value->number.dtype == CORE_F32 ? LANG_F32 : LANG_F64, value->number.value));
    lang_numtype type = lang_numtype_from_core(value->integer.type);
    return lang_num(lang_number_int(type, lang_numtype_signed(type)
                                              ? (lang_wide)(int64_t)value->integer.bits
                                              : (lang_wide)value->integer.bits));
}

/* Option and Result give references inside, the rest is one itself. */
lang_value lang_from_core(core_value value, bool reference)
{
    lang_value out = lang_core(value);
    switch (value.kind) {
    case CORE_KIND_UNIT:
        return lang_unit();
    case CORE_KIND_BOOL:
        return lang_bool(value.boolean);
    case CORE_KIND_INT:
    case CORE_KIND_FLOAT:
        return take_number(&value);
    case CORE_KIND_STRING:
        out = lang_text(value.text.data, value.text.length, reference);
        core_value_clear(&value);
        return out;
    case CORE_KIND_ERR:
        out = lang_wrap(LANG_ERR, lang_error_text(value.text.data));
        core_value_clear(&value);
        return out;
    case CORE_KIND_OK:
        return take_items(&value, LANG_OK, reference);
    case CORE_KIND_SOME:
        return take_items(&value, LANG_SOME, reference);
    case CORE_KIND_NONE:
        return (lang_value){.kind = LANG_NONE};
    case CORE_KIND_TUPLE:
        return take_items(&value, LANG_TUPLE, reference);
    case CORE_KIND_LIST:
        out = take_items(&value, LANG_LIST, false);
        break;
    default:
        break;
    }
    return reference ? behind_new_ref(out) : out;
}

/* Methods of candle that give references; everything else gives values of its own. */
static bool gives_reference(const core_method *method)
{
    static const struct {
        core_kind receiver;
        const char *name;
    } rows[] = {
        {CORE_KIND_TENSOR, "dims"},      {CORE_KIND_TENSOR, "shape"},
        {CORE_KIND_TENSOR, "stride"},    {CORE_KIND_TENSOR, "layout"},
        {CORE_KIND_TENSOR, "device"},    {CORE_KIND_VAR, "as_tensor"},
        {CORE_KIND_VARMAP, "data"},      {CORE_KIND_MAP, "get"},
        {CORE_KIND_MAP, "values"},       {CORE_KIND_MAP_GUARD, "get"},
        {CORE_KIND_MAP_GUARD, "values"}, {CORE_KIND_GRADSTORE, "get"},
        {CORE_KIND_GRADSTORE, "get_id"}, {CORE_KIND_LINEAR, "weight"},
        {CORE_KIND_LINEAR, "bias"},      {CORE_KIND_LAYOUT, "dims"},
        {CORE_KIND_LAYOUT, "shape"},     {CORE_KIND_LAYOUT, "stride"},
        {CORE_KIND_SHAPE, "dims"},       {CORE_KIND_VARBUILDER, "device"},
        {CORE_KIND_ADAMW, "params"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].receiver == method->receiver &&
            strcmp(rows[i].name, method->name) == 0)
            return true;
    return false;
}

/* --- types of literals in arguments --- */

typedef struct leaves {
    lang_numtype integer; /* what integers become; LANG_OPEN: all get one type */
    lang_number *last;
} leaves;

static const char *fix_leaves(lang_value *value, leaves *fix)
{
    while (value->kind == LANG_REF) {
        if (value->cell->state != LANG_LIVE)
            return "a reference to what was moved or dropped; only the compiler judges "
                   "this";
        value = &value->cell->value;
    }
    if (value->kind == LANG_NUMBER) {
        const char *why = NULL;
        if (fix->integer != LANG_OPEN)
            why = lang_number_bind(&value->number, fix->integer);
        else if (fix->last)
            why = lang_number_unify(fix->last, &value->number);
        fix->last = &value->number;
        return why;
    }
    bool nested = value->kind == LANG_LIST || value->kind == LANG_TUPLE;
    for (size_t i = 0; nested && i < lang_count(value); i++) {
        const char *why = fix_leaves(&lang_item(value, i)->value, fix);
        if (why)
            return why;
    }
    return NULL;
}

static const char *fix_argument(char letter, lang_value *value, leaves *scalars)
{
    leaves own = {LANG_OPEN, NULL};
    const lang_value *v = lang_behind(value);
    switch (letter) {
    case 'f':
        return value->kind == LANG_NUMBER ? lang_number_bind(&value->number, LANG_F64)
                                          : NULL;
    case 'I':
        own.integer = v && v->kind == LANG_LIST ? LANG_U32 : LANG_USIZE;
        return fix_leaves(value, &own);
    case 'n':
    case 's':
    case 'h':
    case 'd':
    case 'M':
        own.integer = LANG_USIZE;
        return fix_leaves(value, &own);
    case 'x':
        return fix_leaves(value, scalars);
    case 'A':
    case 'L':
        return fix_leaves(value, &own);
    default:
        return NULL;
    }
}

static const char *fix_arguments(const char *signature, lang_value *args, size_t nargs)
{
    leaves scalars = {LANG_OPEN, NULL};
    size_t i = 0;
    if (*signature == '<')
        signature = strchr(signature, '>') + 1;
    for (const char *p = signature; *p && i < nargs; p++) {
        if (*p == '?')
            continue;
        const char *why = fix_argument(*p, &args[i++], &scalars);
        if (why)
            return why;
    }
    return NULL;
}

/* --- calling --- */

/* The element type somewhere in `Vec<Vec<f32>>`, `f32`, `Result<f32>`. */
static bool element_type(const lang_type *type, core_dtype *dtype)
{
    while (type) {
        if (type->kind == LANG_TYPE_PATH && core_dtype_from_name(dtype, type->name))
            return true;
        type = type->kind != LANG_TYPE_TUPLE && type->nargs ? type->args[0] : NULL;
    }
    return false;
}

static lang_flow type_argument(lang_interp *it, const core_method *method, parity_pos pos,
                               lang_type *const *types, size_t ntypes, core_value *out,
                               size_t *count)
{
    const lang_type *type = ntypes ? types[0] : it->hint;
    core_dtype dtype;
    *count = 0;
    if (method->signature[0] != '<')
        return LANG_GO;
    if (!element_type(type, &dtype))
        return lang_refuse(it, pos,
                           "the element type of `%s` is not written here; write "
                           "`%s::<f32>`, or the type it has",
                           method->name, method->name);
    *out = (core_value){.kind = CORE_KIND_DTYPE, .dtype = dtype};
    *count = 1;
    return LANG_GO;
}

static lang_flow call_lent(lang_interp *it, const core_method *method, parity_pos pos,
                           const core_value *self, const core_value *type, size_t ntypes,
                           const core_value *args, size_t nargs, lang_value *out)
{
    core_error error;
    core_value result = {0};
    core_context_at(it->context, pos.line, pos.column);
    core_status status = core_method_call(it->context, &result, method, self, type,
                                          ntypes, args, nargs, &error);
    if (status == CORE_OK) {
        lang_value value = lang_from_core(result, gives_reference(method));
        *out = method->fallible ? lang_wrap(LANG_OK, value) : value;
        return LANG_GO;
    }
    if (status != CORE_ERROR || !method->fallible)
        return lang_core_stop(it, pos, &error);
    *out = lang_wrap(LANG_ERR, lang_error_text(error.text));
    return LANG_GO;
}

lang_flow lang_call_core(lang_interp *it, const core_method *method, parity_pos pos,
                         const lang_value *self, lang_type *const *types, size_t ntypes,
                         lang_value *args, size_t nargs, lang_value *out)
{
    lang_lent lent = {0};
    core_value lent_args[8], type;
    size_t count = 0;
    *out = lang_unit();
    lang_flow flow = type_argument(it, method, pos, types, ntypes, &type, &count);
    if (!flow && nargs > 8)
        flow = lang_refuse(it, pos, "more arguments than candle takes");
    if (!flow)
        flow = lang_refuse_if(it, pos, fix_arguments(method->signature, args, nargs));
    for (size_t i = 0; !flow && i < nargs; i++)
        flow = lang_refuse_if(it, pos, lang_lend(&lent, &lent_args[i], &args[i]));
    if (!flow)
        flow = call_lent(it, method, pos, self ? &self->core : NULL, &type, count,
                         lent_args, nargs, out);
    lang_lent_free(&lent);
    for (size_t i = 0; i < nargs; i++)
        lang_clear(&args[i]);
    return flow;
}
