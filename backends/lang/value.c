#include "backends/lang/value.h"

#include <stdlib.h>
#include <string.h>

lang_value lang_bool(bool boolean)
{
    return (lang_value){.kind = LANG_BOOL, .boolean = boolean};
}

lang_value lang_num(lang_number number)
{
    return (lang_value){.kind = LANG_NUMBER, .number = number};
}

lang_value lang_usize(size_t number)
{
    return lang_num(lang_number_int(LANG_USIZE, (lang_wide)number));
}

lang_value lang_text(const char *data, size_t length, bool copy)
{
    lang_value value = {.kind = LANG_TEXT, .copy = copy};
    value.text.data = parity_alloc(length + 1);
    if (length)
        memcpy(value.text.data, data, length);
    value.text.length = length;
    return value;
}

lang_value lang_error_text(const char *text)
{
    lang_value value = lang_text(text, strlen(text), false);
    value.kind = LANG_ERROR;
    return value;
}

lang_value lang_core(core_value value)
{
    return (lang_value){.kind = LANG_CORE, .core = value};
}

lang_value lang_ref(lang_cell *cell, bool mutable)
{
    return (lang_value){
        .kind = LANG_REF, .mutable = mutable, .cell = lang_cell_ref(cell)};
}

lang_value lang_container(lang_kind kind, bool copy)
{
    lang_value value = {.kind = kind, .copy = copy};
    value.items = parity_alloc(sizeof *value.items);
    value.items->depth = 1;
    return value;
}

lang_value lang_wrap(lang_kind kind, lang_value value)
{
    lang_value wrapped = lang_container(kind, false);
    if (!lang_push(&wrapped, value))
        lang_push(&wrapped, lang_unit());
    return wrapped;
}

static bool has_items(const lang_value *value)
{
    switch (value->kind) {
    case LANG_LIST:
    case LANG_TUPLE:
    case LANG_STRUCT:
    case LANG_OK:
    case LANG_ERR:
    case LANG_SOME:
    case LANG_RANGE:
        return true;
    default:
        return false;
    }
}

unsigned lang_noted_depth(const lang_value *value)
{
    return has_items(value)              ? value->items->depth
           : value->kind == LANG_CLOSURE ? value->closure->depth
           : value->kind == LANG_ITER    ? value->iter->depth
                                         : 0;
}

static unsigned depth_within(const lang_value *value, unsigned limit)
{
    unsigned depth = 0;
    for (size_t i = 0; limit && has_items(value) && i < value->items->count; i++) {
        unsigned item = depth_within(&value->items->cells[i]->value, limit - 1);
        depth = item > depth ? item : depth;
    }
    return has_items(value) ? depth + 1 : lang_noted_depth(value);
}

unsigned lang_depth(const lang_value *value)
{
    return depth_within(value, LANG_MAX_VALUE_DEPTH);
}

bool lang_push(lang_value *container, lang_value item)
{
    lang_items *items = container->items;
    unsigned depth = lang_noted_depth(&item) + 1;
    size_t total = items->total + 1 + (has_items(&item) ? item.items->total : 0);
    if (total > LANG_MAX_ITEMS || depth > LANG_MAX_VALUE_DEPTH) {
        lang_clear(&item);
        return false;
    }
    if (depth > items->depth)
        items->depth = depth;
    items->total = total;
    PARITY_GROW(items->cells, items->count, items->capacity);
    items->cells[items->count++] = lang_cell_new(item);
    return true;
}

lang_cell *lang_item(const lang_value *container, size_t index)
{
    return container->items->cells[index];
}

size_t lang_count(const lang_value *container)
{
    return container->items->count;
}

static void free_items(lang_items *items)
{
    for (size_t i = 0; i < items->count; i++) {
        if (items->cells[i]->state == LANG_LIVE)
            lang_cell_drop(items->cells[i], LANG_DROPPED);
        lang_cell_unref(items->cells[i]);
    }
    free(items->cells);
    free(items);
}

static void free_closure(lang_closure *closure)
{
    if (--closure->refs)
        return;
    for (size_t i = 0; i < closure->ncaptured; i++)
        lang_cell_unref(closure->captured[i].cell);
    free(closure->captured);
    free(closure);
}

static void free_host(lang_host *host)
{
    if (--host->refs)
        return;
    parity_value_free(host->value);
    free(host);
}

void lang_clear(lang_value *value)
{
    lang_value old = *value;
    *value = lang_unit();
    switch (old.kind) {
    case LANG_TEXT:
    case LANG_ERROR:
        free(old.text.data);
        break;
    case LANG_CORE:
        core_value_clear(&old.core);
        break;
    case LANG_REF:
        lang_cell_unref(old.cell);
        break;
    case LANG_CLOSURE:
        free_closure(old.closure);
        break;
    case LANG_ITER:
        lang_clear(&old.iter->inner);
        lang_clear(&old.iter->other);
        free(old.iter);
        break;
    case LANG_HOST:
        free_host(old.host);
        break;
    default:
        if (has_items(&old))
            free_items(old.items);
    }
}

static const char *clone_items(lang_value *out, const lang_value *value)
{
    lang_value copy = lang_container(value->kind, value->copy);
    copy.items->type = value->items->type;
    copy.items->element = value->items->element;
    value->items->untyped = false; /* from now on the copy too may say */
    copy.inclusive = value->inclusive;
    for (size_t i = 0; i < value->items->count; i++) {
        const lang_cell *cell = value->items->cells[i];
        lang_value item;
        const char *why = cell->state == LANG_LIVE ? lang_clone(&item, &cell->value)
                                                   : "a part of it was moved out";
        if (why) {
            lang_clear(&copy);
            return why;
        }
        if (lang_push(&copy, item))
            lang_item(&copy, i)->type = cell->type;
    }
    *out = copy;
    return NULL;
}

const char *lang_clone(lang_value *out, const lang_value *value)
{
    core_error error;
    *out = *value;
    switch (value->kind) {
    case LANG_TEXT:
        *out = lang_text(value->text.data, value->text.length, value->copy);
        return NULL;
    case LANG_ERROR:
        return "Error cannot be cloned";
    case LANG_CORE:
        out->core = (core_value){0};
        return core_value_clone(&out->core, &value->core, &error) == CORE_OK
                   ? NULL
                   : "this type cannot be cloned";
    case LANG_REF:
        lang_cell_ref(value->cell);
        return NULL;
    case LANG_CLOSURE:
        value->closure->refs++;
        return NULL;
    case LANG_HOST:
        value->host->refs++;
        return NULL;
    case LANG_ITER:
        return "cloning an iterator is outside what the core interprets";
    default:
        return has_items(value) ? clone_items(out, value) : NULL;
    }
}

bool lang_is_copy(const lang_value *value)
{
    switch (value->kind) {
    case LANG_TEXT:
        return value->copy;
    case LANG_CORE:
        return value->core.kind == CORE_KIND_DTYPE || value->core.kind == CORE_KIND_DIM ||
               value->core.kind == CORE_KIND_ID || value->core.kind == CORE_KIND_KERNEL ||
               value->core.kind == CORE_KIND_INIT || value->core.kind == CORE_KIND_RANGE;
    case LANG_STRUCT:
        return value->items->type->copy;
    case LANG_LIST:
        if (!value->copy)
            return false;
        break;
    case LANG_ERROR:
    case LANG_ITER:
    case LANG_HOST:
    case LANG_RANGE:
        return false;
    default:
        break;
    }
    for (size_t i = 0; has_items(value) && i < value->items->count; i++)
        if (!lang_is_copy(&value->items->cells[i]->value))
            return false;
    return true;
}

const lang_value *lang_behind(const lang_value *value)
{
    while (value->kind == LANG_REF) {
        if (value->cell->state != LANG_LIVE)
            return NULL;
        value = &value->cell->value;
    }
    return value;
}

const char *lang_type_name(const lang_value *value)
{
    static const char *const names[] = {
        [LANG_UNIT] = "()",         [LANG_BOOL] = "bool",   [LANG_TEXT] = "text",
        [LANG_ERROR] = "Error",     [LANG_LIST] = "list",   [LANG_TUPLE] = "tuple",
        [LANG_OK] = "Result",       [LANG_ERR] = "Result",  [LANG_SOME] = "Option",
        [LANG_NONE] = "Option",     [LANG_RANGE] = "range", [LANG_REF] = "reference",
        [LANG_CLOSURE] = "closure", [LANG_FN] = "function", [LANG_ITER] = "iterator",
        [LANG_HOST] = "Host",       [LANG_MIB] = "Mib",
    };
    if (value->kind == LANG_CORE)
        return core_kind_name(value->core.kind);
    if (value->kind == LANG_STRUCT)
        return value->items->type->name;
    if (value->kind != LANG_NUMBER)
        return names[value->kind];
    lang_numtype type = lang_number_type(&value->number);
    return type != LANG_OPEN        ? lang_numtype_name(type)
           : value->number.is_float ? "float"
                                    : "integer";
}

lang_cell *lang_cell_new(lang_value value)
{
    lang_cell *cell = parity_alloc(sizeof *cell);
    cell->refs = 1;
    cell->state = LANG_LIVE;
    cell->value = value;
    return cell;
}

lang_cell *lang_cell_ref(lang_cell *cell)
{
    cell->refs++;
    return cell;
}

void lang_cell_drop(lang_cell *cell, lang_state state)
{
    lang_value value = lang_unit();
    if (cell->state == LANG_LIVE)
        value = cell->value;
    cell->value = lang_unit();
    cell->state = state;
    lang_clear(&value);
}

void lang_cell_unref(lang_cell *cell)
{
    if (!cell || --cell->refs)
        return;
    lang_value value = cell->state == LANG_LIVE ? cell->value : lang_unit();
    free(cell);
    lang_clear(&value);
}

lang_value lang_cell_take(lang_cell *cell)
{
    lang_value value = cell->value;
    cell->value = lang_unit();
    cell->state = LANG_MOVED;
    return value;
}
