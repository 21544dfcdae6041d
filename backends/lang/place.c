/* Places: names, fields, elements, what references point to; moving, borrowing and
 * assigning. */
#include "backends/lang/interp.h"

#include <string.h>

static const char moved[] = "`%s` was moved; rustc refuses this (E0382)";

lang_flow lang_use(lang_interp *it, const lang_place *place, parity_pos pos,
                   lang_value *out)
{
    lang_cell *cell = place->cell;
    *out = lang_unit();
    if (cell->state != LANG_LIVE)
        return lang_refuse(it, pos,
                           "a value that was moved or dropped; only the compiler judges "
                           "this");
    if (lang_is_copy(&cell->value))
        return lang_refuse_if(it, pos, lang_clone(out, &cell->value));
    if (place->borrowed)
        return lang_refuse(it, pos, "moving out of a borrow; rustc refuses this (E0507)");
    *out = lang_cell_take(cell);
    return LANG_GO;
}

lang_flow lang_through(lang_interp *it, parity_pos pos, lang_place *place)
{
    while (place->cell->state == LANG_LIVE && place->cell->value.kind == LANG_REF) {
        lang_cell *target = lang_cell_ref(place->cell->value.cell);
        lang_cell_unref(place->cell);
        place->cell = target;
        place->borrowed = true;
    }
    if (place->cell->state == LANG_LIVE)
        return LANG_GO;
    return lang_refuse(it, pos,
                       "a reference to what was moved or dropped; only the compiler "
                       "judges this");
}

/* A new cell as a place that lives as long as the statement, or, extended, as the block.
 */
static lang_place temporary(lang_interp *it, lang_value value, bool extend)
{
    lang_cell *cell = lang_cell_new(value);
    lang_cell_ref(cell);
    if (extend)
        lang_bind(it, NULL, cell);
    else
        lang_add_temp(it, cell);
    return (lang_place){cell, false, true};
}

lang_flow lang_keep_scalar(lang_interp *it, lang_place *place)
{
    lang_value copy;
    const lang_value *value = lang_behind(&place->cell->value);
    bool scalar = value && (value->kind == LANG_NUMBER || value->kind == LANG_BOOL ||
                            value->kind == LANG_SOME || value->kind == LANG_NONE ||
                            value->kind == LANG_OK || value->kind == LANG_ERR);
    if (place->fresh || place->cell->state != LANG_LIVE || !scalar ||
        !lang_is_copy(value))
        return LANG_GO;
    lang_flow flow = lang_refuse_if(it, (parity_pos){0}, lang_clone(&copy, value));
    lang_cell_unref(place->cell);
    if (!flow)
        *place = temporary(it, copy, false);
    return flow;
}

static lang_flow place_of_name(lang_interp *it, const lang_expr *e, bool extend,
                               lang_place *out)
{
    lang_cell *cell = strchr(e->name, ':') ? NULL : lang_lookup(it, e->name);
    if (!cell) {
        lang_value value;
        lang_flow flow = lang_eval(it, e, &value);
        if (!flow)
            *out = temporary(it, value, extend);
        return flow;
    }
    if (cell->state == LANG_EMPTY)
        return lang_refuse(it, e->pos,
                           "`%s` has no value yet; rustc refuses this (E0381)", e->name);
    if (cell->state != LANG_LIVE)
        return lang_refuse(it, e->pos, moved, e->name);
    *out = (lang_place){lang_cell_ref(cell), false, false};
    return LANG_GO;
}

/* What a smart pointer of candle leads to: a Var is a Tensor, a guard is what it guards.
 */
static lang_value behind_core(const lang_value *value, lang_cell *cell)
{
    if (value->core.kind == CORE_KIND_VAR)
        return lang_core(core_value_tensor(core_tensor_ref(value->core.tensor)));
    if (value->core.kind == CORE_KIND_MAP_GUARD ||
        value->core.kind == CORE_KIND_STORAGE_GUARD)
        return lang_ref(cell, false);
    return lang_unit();
}

static lang_flow place_of_deref(lang_interp *it, const lang_expr *e, bool extend,
                                lang_place *out)
{
    lang_place place;
    lang_flow flow = lang_eval_place(it, e->a, extend, &place);
    if (flow)
        return flow;
    const lang_value *value = &place.cell->value;
    if (value->kind == LANG_REF) {
        lang_place target = {lang_cell_ref(value->cell), true, false};
        lang_cell_unref(place.cell);
        *out = target;
        if (target.cell->state == LANG_LIVE)
            return LANG_GO;
        lang_cell_unref(target.cell);
        return lang_refuse(it, e->pos, "a reference to what was moved or dropped");
    }
    lang_value inner =
        value->kind == LANG_CORE ? behind_core(value, place.cell) : lang_unit();
    if (value->kind == LANG_TEXT && !value->copy) {
        *out = (lang_place){place.cell, true, place.fresh};
        return LANG_GO;
    }
    if (inner.kind == LANG_UNIT) {
        flow = lang_refuse(it, e->pos, "`*` on a %s; only the compiler judges this",
                           lang_type_name(value));
    } else {
        *out = temporary(it, inner, extend);
        out->borrowed = true;
        if (inner.kind == LANG_REF)
            flow = lang_through(it, e->pos, out);
    }
    lang_cell_unref(place.cell);
    return flow;
}

lang_flow lang_eval_place(lang_interp *it, const lang_expr *e, bool extend,
                          lang_place *out)
{
    lang_value value;
    if (it->depth >= LANG_MAX_EVAL_DEPTH)
        return lang_refuse(it, e->pos, "expressions nested too deep for the core");
    lang_flow flow;
    it->depth++;
    if (e->kind == LANG_EXPR_PATH) {
        flow = place_of_name(it, e, extend, out);
    } else if (e->kind == LANG_EXPR_UNARY && e->name[0] == '*') {
        flow = place_of_deref(it, e, extend, out);
    } else if (e->kind == LANG_EXPR_FIELD) {
        flow = lang_eval_field(it, e, extend, out);
    } else if (e->kind == LANG_EXPR_INDEX) {
        flow = lang_eval_index(it, e, extend, out);
    } else {
        flow = extend && e->kind == LANG_EXPR_REF ? lang_eval_ref(it, e, true, &value)
                                                  : lang_eval(it, e, &value);
        if (!flow)
            *out = temporary(it, value, extend);
    }
    it->depth--;
    return flow;
}

lang_flow lang_eval_ref(lang_interp *it, const lang_expr *e, bool extend, lang_value *out)
{
    lang_place place;
    it->hint = NULL;
    lang_flow flow = lang_eval_place(it, e->a, extend, &place);
    if (flow)
        return flow;
    *out = lang_ref(place.cell, e->mutable);
    lang_cell_unref(place.cell);
    return LANG_GO;
}

static lang_cell *find_field(const lang_value *value, const char *name)
{
    if (value->kind == LANG_STRUCT) {
        for (size_t i = 0; i < value->items->type->nfields; i++)
            if (value->items->type->fields[i] == name)
                return lang_item(value, i);
    } else if (value->kind == LANG_TUPLE) {
        size_t index = 0;
        const char *p = name;
        for (; *p >= '0' && *p <= '9' && index < LANG_MAX_ITEMS; p++)
            index = index * 10 + (size_t)(*p - '0');
        if (!*p && index < lang_count(value))
            return lang_item(value, index);
    }
    return NULL;
}

/* Fields of candle's own structs are read, by copy. */
static lang_flow core_field(lang_interp *it, const lang_expr *e, const lang_value *value,
                            bool extend, lang_place *out)
{
    core_error error;
    core_value field = {0};
    if (value->kind != LANG_CORE ||
        core_value_field(&field, &value->core, e->name, &error) != CORE_OK)
        return lang_refuse(it, e->pos, "no field `%.60s` of %s in the core", e->name,
                           lang_type_name(value));
    *out = temporary(it, lang_from_core(field, false), extend);
    return LANG_GO;
}

lang_flow lang_eval_field(lang_interp *it, const lang_expr *e, bool extend,
                          lang_place *out)
{
    lang_place place;
    lang_flow flow = lang_eval_place(it, e->a, extend, &place);
    if (flow)
        return flow;
    flow = lang_through(it, e->pos, &place);
    if (!flow) {
        lang_cell *cell = find_field(&place.cell->value, e->name);
        if (!cell)
            flow = core_field(it, e, &place.cell->value, extend, out);
        else if (cell->state != LANG_LIVE)
            flow = lang_refuse(it, e->pos, moved, e->name);
        else
            *out = (lang_place){lang_cell_ref(cell), place.borrowed,
                                place.fresh && !place.borrowed};
    }
    lang_cell_unref(place.cell);
    return flow;
}

static lang_flow index_list(lang_interp *it, const lang_expr *e, const lang_value *list,
                            lang_value *index, lang_place *out)
{
    lang_flow flow =
        lang_refuse_if(it, e->b->pos, lang_number_bind(&index->number, LANG_USIZE));
    if (flow)
        return flow;
    size_t count = lang_count(list);
    if (index->number.i >= (lang_wide)count)
        return lang_panic(it, e->pos,
                          "index out of bounds: the len is %zu but the index is %llu",
                          count, (unsigned long long)index->number.i);
    lang_cell *cell = lang_item(list, (size_t)index->number.i);
    if (cell->state != LANG_LIVE)
        return lang_refuse(it, e->pos, "an element that was moved");
    *out = (lang_place){lang_cell_ref(cell), true, false};
    return LANG_GO;
}

static lang_flow index_map(lang_interp *it, const lang_expr *e, const lang_value *map,
                           lang_value *index, bool extend, lang_place *out)
{
    lang_lent lent = {0};
    core_error error;
    core_value key, found = {0};
    const char *why = lang_lend(&lent, &key, index);
    lang_flow flow = lang_refuse_if(it, e->pos, why);
    if (!flow) {
        core_context_at(it->context, e->pos.line, e->pos.column);
        if (core_value_index(it->context, &found, &map->core, &key, &error) != CORE_OK)
            flow = lang_core_stop(it, e->pos, &error);
    }
    lang_lent_free(&lent);
    if (flow)
        return flow;
    *out = temporary(it, lang_from_core(found, false), extend);
    out->borrowed = true;
    return LANG_GO;
}

lang_flow lang_eval_index(lang_interp *it, const lang_expr *e, bool extend,
                          lang_place *out)
{
    lang_place place;
    lang_value index;
    lang_flow flow = lang_eval_place(it, e->a, extend, &place);
    if (flow)
        return flow;
    flow = lang_eval(it, e->b, &index);
    if (!flow)
        flow = lang_through(it, e->pos, &place);
    const lang_value *value = &place.cell->value;
    if (!flow && value->kind == LANG_LIST && index.kind == LANG_NUMBER)
        flow = index_list(it, e, value, &index, out);
    else if (!flow && value->kind == LANG_CORE)
        flow = index_map(it, e, value, &index, extend, out);
    else if (!flow)
        flow = lang_refuse(it, e->pos,
                           "indexing %s with %s is outside what the core interprets",
                           lang_type_name(value), lang_type_name(&index));
    lang_clear(&index);
    lang_cell_unref(place.cell);
    return flow;
}

/* Finds the place to assign to, which may be empty. */
static lang_flow assigned_place(lang_interp *it, const lang_expr *e, lang_place *out)
{
    if (e->kind == LANG_EXPR_PATH) {
        lang_cell *cell = lang_lookup(it, e->name);
        if (!cell)
            return lang_refuse(it, e->pos, "`%.60s` is no name to assign to", e->name);
        *out = (lang_place){lang_cell_ref(cell), false, false};
        return LANG_GO;
    }
    bool place = e->kind == LANG_EXPR_FIELD || e->kind == LANG_EXPR_INDEX ||
                 (e->kind == LANG_EXPR_UNARY && e->name[0] == '*');
    if (!place)
        return lang_refuse(it, e->pos,
                           "assigning to this is outside what the core interprets");
    lang_flow flow = lang_eval_place(it, e, false, out);
    if (!flow && out->fresh) {
        lang_cell_unref(out->cell);
        flow = lang_refuse(it, e->pos,
                           "assigning to this is outside what the core interprets");
    }
    return flow;
}

/* Fields of candle's own structs: params.lr = 0.1. False when it is none of these. */
static bool assign_core_field(lang_interp *it, const lang_expr *e, lang_value *value,
                              lang_flow *flow)
{
    lang_place base;
    if (e->a->kind != LANG_EXPR_FIELD || e->a->a->kind != LANG_EXPR_PATH || *e->name)
        return false;
    *flow = lang_eval_place(it, e->a->a, false, &base);
    if (*flow)
        return true;
    *flow = lang_through(it, e->pos, &base);
    bool core = !*flow && base.cell->value.kind == LANG_CORE;
    if (core) {
        core_error error;
        core_value field = {0};
        lang_lent lent = {0};
        *flow = lang_refuse_if(it, e->pos,
                               value->kind == LANG_NUMBER && value->number.is_float
                                   ? lang_number_bind(&value->number, LANG_F64)
                                   : "a float is expected here");
        if (!*flow)
            *flow = lang_refuse_if(it, e->pos, lang_lend(&lent, &field, value));
        if (!*flow && core_value_set_field(&base.cell->value.core, e->a->name, &field,
                                           &error) != CORE_OK)
            *flow = lang_core_stop(it, e->pos, &error);
        lang_lent_free(&lent);
    }
    lang_cell_unref(base.cell);
    return core || *flow;
}

/* Literals of both sides get one type; a number stays a number. */
static const char *match_old(lang_interp *it, lang_value *old, lang_value *value)
{
    if ((old->kind == LANG_NUMBER) != (value->kind == LANG_NUMBER))
        return "assigning a value of another type; only the compiler judges this";
    const char *why = lang_join(it, old, value);
    if (why)
        return why;
    return lang_depth(value) > LANG_MAX_VALUE_DEPTH / 2
               ? "a value nested too deep for the core"
               : NULL;
}

static lang_flow compound(lang_interp *it, const lang_expr *e, const lang_place *place,
                          lang_value *value)
{
    lang_value old, result;
    const lang_value *target = &place->cell->value;
    if (place->cell->state != LANG_LIVE)
        return lang_refuse(it, e->pos, "a value that was moved or dropped");
    if (target->kind != LANG_NUMBER && target->kind != LANG_BOOL)
        return lang_refuse(it, e->pos, "`%s=` on %s; only the compiler judges this",
                           e->name, lang_type_name(target));
    lang_flow flow = lang_use(it, place, e->pos, &old);
    if (flow)
        return flow;
    flow = lang_operate(it, e->name, e->pos, old, *value, &result);
    *value = flow ? lang_unit() : result;
    return flow;
}

lang_flow lang_eval_assign(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_place place;
    lang_value value;
    *out = lang_unit();
    if (e->a->kind == LANG_EXPR_PATH && strcmp(e->a->name, "_") == 0)
        return lang_refuse(it, e->pos, "`_ =` is outside what the core interprets");
    lang_flow flow = lang_eval(it, e->b, &value);
    if (flow)
        return flow;
    bool done = assign_core_field(it, e, &value, &flow);
    if (!done)
        flow = assigned_place(it, e->a, &place);
    if (done || flow) {
        lang_clear(&value);
        return flow;
    }
    if (*e->name)
        flow = compound(it, e, &place, &value);
    if (!flow)
        flow = lang_refuse_if(it, e->pos, lang_coerce(it, &value, place.cell->type));
    if (!flow && place.cell->state == LANG_LIVE)
        flow = lang_refuse_if(it, e->pos, match_old(it, &place.cell->value, &value));
    if (!flow) {
        lang_cell_drop(place.cell, LANG_LIVE);
        place.cell->value = value;
    } else {
        lang_clear(&value);
    }
    lang_cell_unref(place.cell);
    return flow;
}
