/* Closures: what they take from around them, and the types that all their calls share. */
#include "backends/lang/interp.h"

/* The value that tells the type of the numbers in `value`: itself, or the first within.
 */
static lang_value *telling(lang_value *value)
{
    for (;;) {
        value = (lang_value *)lang_behind(value);
        bool one = value && (value->kind == LANG_LIST || value->kind == LANG_SOME ||
                             value->kind == LANG_OK || value->kind == LANG_ERR);
        if (!one || !lang_count(value))
            return value;
        value = &lang_item(value, 0)->value;
    }
}

/* Gives the numbers in `value` the type of those that other calls had in this place. */
static const char *join_call(lang_interp *it, lang_closure *closure, size_t place,
                             lang_value *value)
{
    lang_value *number = telling(value);
    if (!number)
        return NULL;
    for (const lang_doubt *doubt = closure->doubts; doubt; doubt = doubt->next)
        lang_doubt_in(it, value, doubt->region);
    if (number->kind != LANG_NUMBER || place >= LANG_MAX_SEEN) {
        lang_doubt_value(it, value);
        return NULL;
    }
    lang_value *seen = &closure->seen[place];
    if (seen->kind == LANG_NUMBER)
        return lang_number_unify(&seen->number, &number->number);
    *seen = lang_num(number->number);
    return NULL;
}

const char *lang_join_arguments(lang_interp *it, lang_closure *closure, lang_value *args)
{
    const lang_expr *e = closure->expr;
    const char *why = NULL;
    for (size_t i = 0; !why && i < e->nparams; i++)
        if (!e->params[i].type)
            why = join_call(it, closure, i + 1, &args[i]);
    return why;
}

const char *lang_join_result(lang_interp *it, lang_closure *closure, lang_value *out)
{
    return closure->expr->type ? NULL : join_call(it, closure, 0, out);
}

static bool is_param(const lang_expr *e, const char *name)
{
    for (size_t i = 0; i < e->nparams; i++)
        if (e->params[i].pattern->name == name)
            return true;
    return false;
}

static bool is_captured(const lang_closure *closure, const char *name)
{
    for (size_t i = 0; i < closure->ncaptured; i++)
        if (closure->captured[i].name == name)
            return true;
    return false;
}

/* Whether a closure has taken a guard with it decides when the lock opens; Rust tells
 * from how the closure uses it. */
static bool holds_guard(const lang_value *value)
{
    if (value->kind == LANG_CORE)
        return value->core.kind == CORE_KIND_MAP_GUARD ||
               value->core.kind == CORE_KIND_STORAGE_GUARD;
    bool nested = value->kind == LANG_LIST || value->kind == LANG_TUPLE ||
                  value->kind == LANG_STRUCT || value->kind == LANG_SOME ||
                  value->kind == LANG_OK;
    for (size_t i = 0; nested && i < lang_count(value); i++)
        if (lang_item(value, i)->state == LANG_LIVE &&
            holds_guard(&lang_item(value, i)->value))
            return true;
    return false;
}

lang_flow lang_eval_closure(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_closure *closure = parity_alloc(sizeof *closure);
    *closure = (lang_closure){
        .refs = 1, .expr = e, .home = it->block, .self_type = it->self_type};
    *out = (lang_value){.kind = LANG_CLOSURE, .closure = closure};
    closure->captured = parity_alloc((e->region->nnames + 1) * sizeof *closure->captured);
    for (size_t i = 0; i < e->region->nnames; i++) {
        const char *name = e->region->names[i];
        lang_cell *cell = lang_lookup(it, name);
        if (!cell || is_param(e, name) || is_captured(closure, name))
            continue;
        if (cell->state == LANG_LIVE && holds_guard(&cell->value)) {
            lang_clear(out);
            return lang_refuse(it, e->pos,
                               "a guard within a closure is outside what the core "
                               "interprets");
        }
        if (e->moves) {
            lang_value value;
            lang_place place = {cell, false, false};
            lang_flow flow = lang_use(it, &place, e->pos, &value);
            if (flow) {
                lang_clear(out);
                return flow;
            }
            cell = lang_cell_new(value);
            if (lang_noted_depth(&value) >= closure->depth)
                closure->depth = lang_noted_depth(&value) + 1;
        } else {
            lang_cell_ref(cell);
        }
        closure->captured[closure->ncaptured++] = (lang_binding){name, cell};
    }
    lang_pass_over(it, e->region);
    if (closure->depth > LANG_MAX_VALUE_DEPTH) {
        lang_clear(out);
        return lang_refuse(it, e->pos, "closures nested too deep for the core");
    }
    return LANG_GO;
}
