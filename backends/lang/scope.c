/* Names, temporaries, items, and binding patterns. */
#include "backends/lang/interp.h"

#include <string.h>

void lang_bind(lang_interp *it, const char *name, lang_cell *cell)
{
    PARITY_GROW(it->bindings, it->nbindings, it->bindings_capacity);
    it->bindings[it->nbindings++] = (lang_binding){name, cell};
}

lang_cell *lang_lookup(const lang_interp *it, const char *name)
{
    for (size_t i = it->nbindings; i > it->frame; i--)
        if (it->bindings[i - 1].name == name)
            return it->bindings[i - 1].cell;
    return NULL;
}

static void end_cell(lang_cell *cell)
{
    if (cell->state == LANG_LIVE)
        lang_cell_drop(cell, LANG_DROPPED);
    lang_cell_unref(cell);
}

void lang_unbind(lang_interp *it, size_t mark)
{
    while (it->nbindings > mark)
        end_cell(it->bindings[--it->nbindings].cell);
}

void lang_add_temp(lang_interp *it, lang_cell *cell)
{
    PARITY_GROW(it->temps, it->ntemps, it->temps_capacity);
    it->temps[it->ntemps++] = cell;
}

void lang_drop_temps(lang_interp *it, size_t mark)
{
    while (it->ntemps > mark)
        end_cell(it->temps[--it->ntemps]);
}

void lang_doubt_in(lang_interp *it, lang_value *value, const lang_region *region)
{
    while (value->kind == LANG_REF && value->cell->state == LANG_LIVE)
        value = &value->cell->value;
    if (value->kind == LANG_NUMBER) {
        lang_doubt *doubt = parity_arena_alloc(it->arena, sizeof *doubt);
        lang_infer *settled = lang_number_doubt(&value->number, doubt, region);
        if (settled) {
            PARITY_GROW(it->doubted, it->ndoubted, it->doubted_capacity);
            it->doubted[it->ndoubted++] = settled;
        }
    }
    bool nested = value->kind == LANG_LIST || value->kind == LANG_TUPLE ||
                  value->kind == LANG_SOME || value->kind == LANG_OK ||
                  value->kind == LANG_ERR || value->kind == LANG_RANGE;
    size_t count = nested ? lang_count(value) : 0;
    if (value->kind == LANG_LIST && count)
        count = 1; /* elements of a list have one type */
    for (size_t i = 0; i < count; i++)
        lang_doubt_in(it, &lang_item(value, i)->value, region);
    if (value->kind != LANG_CLOSURE)
        return;
    lang_doubt *doubt = parity_arena_alloc(it->arena, sizeof *doubt);
    *doubt = (lang_doubt){value->closure->doubts, region};
    value->closure->doubts = doubt;
    for (size_t i = 0; i < LANG_MAX_SEEN; i++)
        lang_doubt_in(it, &value->closure->seen[i], region);
}

void lang_doubt_value(lang_interp *it, lang_value *value)
{
    static const lang_region never;
    lang_doubt_in(it, value, &never);
}

/* Does `a` hold a number wherever `b` does? */
static bool tells(const lang_value *a, const lang_value *b)
{
    a = lang_behind(a);
    b = lang_behind(b);
    if (!a || !b)
        return true;
    bool items = b->kind == LANG_LIST || b->kind == LANG_TUPLE || b->kind == LANG_SOME ||
                 b->kind == LANG_OK || b->kind == LANG_ERR;
    if (!items || (b->kind == LANG_LIST && !lang_count(b)))
        return b->kind != LANG_NUMBER || a->kind == LANG_NUMBER;
    if (a->kind != b->kind)
        return false;
    for (size_t i = 0; i < lang_count(b) && (!i || b->kind != LANG_LIST); i++)
        if (i >= lang_count(a) ||
            !tells(&lang_item(a, i)->value, &lang_item(b, i)->value))
            return false;
    return true;
}

const char *lang_join(lang_interp *it, lang_value *a, lang_value *b)
{
    const char *why = lang_unify(a, b);
    if (!why && !tells(a, b))
        lang_doubt_value(it, b);
    if (b->kind == LANG_LIST)
        b->items->untyped = false;
    if (a->kind == LANG_LIST && b->kind == LANG_LIST && !b->items->element)
        b->items->element = a->items->element;
    return why;
}

void lang_pass_over(lang_interp *it, const lang_region *region)
{
    lang_pass_over_rest(it, region, 0);
}

void lang_pass_over_rest(lang_interp *it, const lang_region *region, size_t first)
{
    for (size_t i = first; !region->ran && i < region->nnames; i++) {
        lang_cell *cell = lang_lookup(it, region->names[i]);
        if (cell && cell->state == LANG_LIVE)
            lang_doubt_in(it, &cell->value, region);
    }
}

const lang_fn *lang_find_fn(const lang_interp *it, const char *name)
{
    for (const lang_block *block = it->block; block; block = block->parent)
        for (size_t i = 0; i < block->nfns; i++)
            if (block->fns[i]->name == name)
                return block->fns[i];
    return NULL;
}

const lang_struct_type *lang_find_struct(const lang_interp *it, const char *name)
{
    for (const lang_block *block = it->block; block; block = block->parent)
        for (size_t i = 0; i < block->nstructs; i++)
            if (block->structs[i]->name == name)
                return block->structs[i];
    return NULL;
}

const lang_fn *lang_find_method(const lang_interp *it, const char *type, const char *name)
{
    for (const lang_block *block = it->block; block; block = block->parent)
        for (size_t i = 0; i < block->nimpls; i++)
            for (size_t f = 0; block->impls[i]->name == type && f < block->impls[i]->nfns;
                 f++)
                if (block->impls[i]->fns[f]->name == name)
                    return block->impls[i]->fns[f];
    return NULL;
}

static const lang_type *argument(const lang_type *type, size_t index)
{
    return index < type->nargs ? type->args[index] : NULL;
}

static const char *coerce_items(lang_interp *it, lang_value *value, const lang_type *type)
{
    const char *why = NULL;
    if (value->kind == LANG_LIST && type->kind != LANG_TYPE_INFER)
        value->items->element = type;
    for (size_t i = 0; !why && i < lang_count(value); i++) {
        lang_cell *cell = lang_item(value, i);
        if (cell->state == LANG_LIVE)
            why = lang_coerce(it, &cell->value, type);
    }
    return why;
}

/* &Var where &Tensor is wanted: Deref, as the compiler inserts it. */
static void deref_var(lang_value *value)
{
    const lang_value *target = lang_behind(value);
    if (!target || target->kind != LANG_CORE || target->core.kind != CORE_KIND_VAR)
        return;
    lang_cell *cell =
        lang_cell_new(lang_core(core_value_tensor(core_tensor_ref(target->core.tensor))));
    lang_value ref = lang_ref(cell, false);
    lang_cell_unref(cell);
    lang_clear(value);
    *value = ref;
}

static const char *coerce_named(lang_interp *it, lang_value *value, const lang_type *type)
{
    lang_numtype number = lang_numtype_from_name(type->name);
    if (number != LANG_OPEN)
        return value->kind == LANG_NUMBER ? lang_number_bind(&value->number, number)
                                          : "a number is expected here";
    bool list = strcmp(type->name, "Vec") == 0 && value->kind == LANG_LIST;
    bool option = strcmp(type->name, "Option") == 0 && value->kind == LANG_SOME;
    bool result = strcmp(type->name, "Result") == 0 && value->kind == LANG_OK;
    return (list || option || result) && type->nargs
               ? coerce_items(it, value, type->args[0])
               : NULL;
}

const char *lang_coerce(lang_interp *it, lang_value *value, const lang_type *type)
{
    if (!type)
        return NULL;
    switch (type->kind) {
    case LANG_TYPE_INFER:
        return NULL;
    case LANG_TYPE_PATH:
        return coerce_named(it, value, type);
    case LANG_TYPE_REF:
        if (value->kind != LANG_REF)
            return value->kind == LANG_NUMBER ? "a reference is expected here" : NULL;
        if (type->args[0]->kind == LANG_TYPE_PATH &&
            strcmp(type->args[0]->name, "Tensor") == 0)
            deref_var(value);
        return value->cell->state == LANG_LIVE
                   ? lang_coerce(it, &value->cell->value, type->args[0])
                   : NULL;
    case LANG_TYPE_ARRAY:
    case LANG_TYPE_SLICE:
        return value->kind == LANG_LIST ? coerce_items(it, value, type->args[0]) : NULL;
    case LANG_TYPE_TUPLE:
        if (value->kind != LANG_TUPLE || lang_count(value) != type->nargs)
            return value->kind == LANG_UNIT && !type->nargs ? NULL
                                                            : "a tuple is expected here";
        for (size_t i = 0; i < type->nargs; i++) {
            const char *why =
                lang_coerce(it, &lang_item(value, i)->value, argument(type, i));
            if (why)
                return why;
        }
        return NULL;
    }
    return NULL;
}

static lang_flow bind_tuple(lang_interp *it, const lang_pattern *pattern,
                            lang_value *value)
{
    const lang_value *tuple = lang_behind(value);
    bool matches =
        tuple && ((tuple->kind == LANG_TUPLE && lang_count(tuple) == pattern->nitems) ||
                  (tuple->kind == LANG_UNIT && !pattern->nitems));
    if (!matches)
        return lang_refuse(it, pattern->pos, "a tuple of %zu is expected here",
                           pattern->nitems);
    bool by_ref = value->kind == LANG_REF;
    for (size_t i = 0; i < pattern->nitems; i++) {
        lang_cell *cell = lang_item(tuple, i);
        lang_value item = by_ref ? lang_ref(cell, value->mutable) : lang_cell_take(cell);
        lang_flow flow = lang_bind_pattern(it, pattern->items[i], NULL, item);
        if (flow)
            return flow;
    }
    return LANG_GO;
}

static lang_flow bind_ref(lang_interp *it, const lang_pattern *pattern, lang_value *value)
{
    lang_value copy;
    if (value->kind != LANG_REF || value->cell->state != LANG_LIVE ||
        !lang_is_copy(&value->cell->value) || lang_clone(&copy, &value->cell->value))
        return lang_refuse(it, pattern->pos,
                           "a reference to a Copy value is expected here");
    return lang_bind_pattern(it, pattern->items[0], NULL, copy);
}

lang_flow lang_bind_pattern(lang_interp *it, const lang_pattern *pattern,
                            const lang_type *type, lang_value value)
{
    lang_flow flow = lang_refuse_if(it, pattern->pos, lang_coerce(it, &value, type));
    if (!flow && pattern->by_ref)
        flow = lang_refuse(it, pattern->pos, "`ref` is outside what the core interprets");
    if (flow) {
        lang_clear(&value);
        return flow;
    }
    switch (pattern->kind) {
    case LANG_PATTERN_NAME:
        lang_bind(it, pattern->name, lang_cell_new(value));
        it->bindings[it->nbindings - 1].cell->type = type;
        return LANG_GO;
    case LANG_PATTERN_WILD:
        lang_add_temp(it, lang_cell_new(value));
        return LANG_GO;
    case LANG_PATTERN_TUPLE:
        flow = bind_tuple(it, pattern, &value);
        break;
    case LANG_PATTERN_REF:
        flow = bind_ref(it, pattern, &value);
        break;
    }
    lang_clear(&value);
    return flow;
}
