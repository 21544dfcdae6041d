/* Method calls: finds out whose method it is, and calls it. */
#include "backends/lang/interp.h"

#include <stdlib.h>
#include <string.h>

lang_flow lang_take_self(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    return lang_use(it, call->self, call->pos, out);
}

static lang_flow call_own(lang_interp *it, const lang_method_call *call,
                          const lang_fn *fn, const char *type, lang_value *out)
{
    lang_value self;
    lang_flow flow = LANG_GO;
    if (fn->self == LANG_SELF_NONE)
        return lang_refuse(it, call->pos, "`%s` is no method", fn->name);
    if (fn->self == LANG_SELF_VALUE)
        flow = lang_take_self(it, call, &self);
    else
        self = lang_ref(call->self->cell, fn->self == LANG_SELF_MUT);
    if (flow)
        return flow;
    return lang_call_fn(it, fn, call->pos, type, &self, call->args, call->nargs, out);
}

static lang_flow clone_value(lang_interp *it, const lang_method_call *call,
                             lang_value *out)
{
    const lang_value *self = &call->self->cell->value;
    if (self->kind == LANG_STRUCT && !self->items->type->clone)
        return lang_refuse(it, call->pos, "`%s` does not derive Clone",
                           lang_type_name(self));
    return lang_refuse_if(it, call->pos, lang_clone(out, self));
}

/* Methods of candle that use self up. */
static bool consumes(const char *name)
{
    return strcmp(name, "into_inner") == 0;
}

static lang_flow call_candle(lang_interp *it, const lang_method_call *call,
                             const core_method *method, lang_value *out)
{
    const lang_expr *e = call->e;
    bool consuming = consumes(e->name);
    if (consuming && call->self->borrowed)
        return lang_refuse(it, call->pos,
                           "moving out of a borrow; rustc refuses this (E0507)");
    it->hint = call->hint;
    lang_flow flow = lang_call_core(it, method, call->pos, &call->self->cell->value,
                                    e->types, e->ntypes, call->args, call->nargs, out);
    if (!flow && consuming)
        lang_cell_drop(call->self->cell, LANG_MOVED);
    return flow;
}

static lang_flow dispatch(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    const lang_value *self = &call->self->cell->value;
    const char *name = call->e->name;
    if (self->kind == LANG_STRUCT) {
        const lang_struct_type *type = self->items->type;
        const lang_fn *fn = lang_find_method(it, type->name, name);
        if (fn && lang_find_struct(it, type->name) != type)
            return lang_refuse(it, call->pos, "another struct is called `%s` here",
                               type->name);
        if (fn)
            return call_own(it, call, fn, self->items->type->name, out);
    }
    const lang_method_row *row = lang_find_std_method(self, name);
    if (row && (row->nargs < 0 || (size_t)row->nargs == call->nargs))
        return row->call(it, call, out);
    const core_method *method =
        self->kind == LANG_CORE ? core_method_find(self->core.kind, name) : NULL;
    if (method)
        return call_candle(it, call, method, out);
    if (strcmp(name, "clone") == 0 && !call->nargs)
        return clone_value(it, call, out);
    return lang_refuse(it, call->pos, "the method `%.60s` of %s is not known to the core",
                       name, lang_type_name(self));
}

/* A receiver that is taken by value and copied is read before the arguments are. */
static lang_flow keep_self(lang_interp *it, const lang_expr *e, lang_place *self)
{
    const lang_value *value = lang_behind(&self->cell->value);
    if (!value || value->kind != LANG_STRUCT || !value->items->type->copy)
        return lang_keep_scalar(it, self);
    const lang_fn *fn = lang_find_method(it, value->items->type->name, e->name);
    lang_value copy;
    if (!fn || fn->self != LANG_SELF_VALUE)
        return LANG_GO;
    lang_flow flow = lang_refuse_if(it, e->pos, lang_clone(&copy, value));
    lang_cell_unref(self->cell);
    if (!flow)
        *self = (lang_place){lang_cell_new(copy), false, true};
    return flow;
}

/* The type that the whole call must have says what its receiver must have. */
static bool hands_hint_on(const char *name)
{
    return strcmp(name, "unwrap") == 0 || strcmp(name, "expect") == 0;
}

lang_flow lang_eval_method(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_place self;
    lang_method_call call = {.e = e, .pos = e->pos, .self = &self, .nargs = e->nitems};
    call.hint = it->hint;
    if (!hands_hint_on(e->name))
        it->hint = NULL;
    lang_flow flow = lang_eval_place(it, e->a, false, &self);
    it->hint = NULL;
    if (!flow && e->nitems)
        flow = keep_self(it, e, &self);
    if (flow)
        return flow;
    call.args = parity_alloc((e->nitems + 1) * sizeof *call.args);
    for (size_t i = 0; !flow && i < e->nitems; i++)
        flow = lang_eval(it, e->items[i], &call.args[i]);
    if (!flow)
        flow = lang_through(it, e->pos, &self);
    if (!flow)
        flow = dispatch(it, &call, out);
    lang_cell_unref(self.cell);
    for (size_t i = 0; i < e->nitems; i++)
        lang_clear(&call.args[i]);
    free(call.args);
    return flow;
}
