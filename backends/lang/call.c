/* Calling: functions of the program, closures, functions of candle and of the prelude;
 * paths used as values. */
#include "backends/lang/interp.h"

#include <stdlib.h>
#include <string.h>

static void clear_all(lang_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lang_clear(&values[i]);
}

typedef struct frame {
    size_t first;
    const lang_block *block;
    const char *self_type;
    const lang_type *result;
} frame;

/* Hides the names of the caller; returns what leave_frame puts back. */
static frame enter_frame(lang_interp *it, const lang_block *home)
{
    frame outer = {it->frame, it->block, it->self_type, it->result};
    it->frame = it->nbindings;
    it->block = home;
    return outer;
}

static void leave_frame(lang_interp *it, const frame *outer)
{
    it->frame = outer->first;
    it->block = outer->block;
    it->self_type = outer->self_type;
    it->result = outer->result;
}

/* What a function or closure gives when its body has ended this way. */
static lang_flow give_result(lang_interp *it, lang_flow flow, parity_pos pos,
                             const lang_type *type, lang_value *out)
{
    if (flow == LANG_RETURN) {
        *out = it->returned;
        it->returned = lang_unit();
        flow = LANG_GO;
    } else if (flow == LANG_BREAK || flow == LANG_CONTINUE) {
        flow = lang_refuse(it, pos, "break or continue outside of a loop");
    }
    if (!flow)
        flow = lang_refuse_if(it, pos, lang_coerce(it, out, type));
    if (flow)
        lang_clear(out);
    return flow;
}

static lang_flow bind_params(lang_interp *it, const lang_param *params, size_t nparams,
                             lang_value *args)
{
    lang_flow flow = LANG_GO;
    for (size_t i = 0; i < nparams; i++) {
        lang_value arg = args[i];
        args[i] = lang_unit();
        if (flow)
            lang_clear(&arg);
        else
            flow = lang_bind_pattern(it, params[i].pattern, params[i].type, arg);
    }
    return flow;
}

lang_flow lang_call_fn(lang_interp *it, const lang_fn *fn, parity_pos pos,
                       const char *self_type, lang_value *self, lang_value *args,
                       size_t nargs, lang_value *out)
{
    *out = lang_unit();
    if (nargs != fn->nparams || (fn->self != LANG_SELF_NONE) != (self != NULL)) {
        clear_all(args, nargs);
        if (self)
            lang_clear(self);
        return lang_refuse(it, pos, "`%s` takes another number of arguments", fn->name);
    }
    frame outer = enter_frame(it, fn->body->parent);
    size_t mark = it->nbindings, temps = it->ntemps;
    it->self_type = self_type;
    it->result = fn->result;
    if (self)
        lang_bind(it, it->self_name, lang_cell_new(*self));
    lang_flow flow = bind_params(it, fn->params, nargs, args);
    if (!flow) {
        it->hint = fn->result;
        flow = lang_eval_block(it, fn->body, out);
    }
    flow = give_result(it, flow, pos, fn->result, out);
    lang_drop_temps(it, temps);
    lang_unbind(it, mark);
    leave_frame(it, &outer);
    return flow;
}

static lang_flow call_closure(lang_interp *it, parity_pos pos, lang_closure *closure,
                              lang_value *args, size_t nargs, lang_value *out)
{
    const lang_expr *e = closure->expr;
    if (nargs != e->nparams) {
        clear_all(args, nargs);
        return lang_refuse(it, pos, "the closure takes %zu arguments", e->nparams);
    }
    const char *why = lang_join_arguments(it, closure, args);
    if (why) {
        clear_all(args, nargs);
        return lang_refuse(it, pos, "%s", why);
    }
    frame outer = enter_frame(it, closure->home);
    size_t mark = it->nbindings, temps = it->ntemps;
    it->self_type = closure->self_type;
    it->result = e->type;
    closure->refs++; /* a call may drop the name it was called by */
    for (size_t i = 0; i < closure->ncaptured; i++)
        lang_bind(it, closure->captured[i].name,
                  lang_cell_ref(closure->captured[i].cell));
    size_t params = it->nbindings;
    lang_flow flow = bind_params(it, e->params, nargs, args);
    if (!flow)
        flow = lang_eval_hinted(it, e->a, e->type, out);
    if (!flow)
        e->region->ran = true;
    bool early = flow == LANG_RETURN; /* what the rest would have given is not known */
    flow = give_result(it, flow, pos, e->type, out);
    if (early && !e->type)
        lang_doubt_value(it, out);
    if (!flow)
        flow = lang_refuse_if(it, pos, lang_join_result(it, closure, out));
    if (flow)
        lang_clear(out);
    lang_drop_temps(it, temps);
    lang_unbind(it, params);
    while (it->nbindings > mark) /* captured cells live on */
        lang_cell_unref(it->bindings[--it->nbindings].cell);
    lang_value held = {.kind = LANG_CLOSURE, .closure = closure};
    lang_clear(&held);
    leave_frame(it, &outer);
    return flow;
}

/* Tensor::sqr as a value: the first argument is self. */
static lang_flow call_method_value(lang_interp *it, parity_pos pos,
                                   const core_method *method, lang_value *args,
                                   size_t nargs, lang_value *out)
{
    lang_flow flow;
    const lang_value *self =
        method->receiver != CORE_KIND_UNIT && nargs ? lang_behind(&args[0]) : NULL;
    bool fits =
        self && self->kind == LANG_CORE &&
        (self->core.kind == method->receiver ||
         (self->core.kind == CORE_KIND_VAR && method->receiver == CORE_KIND_TENSOR));
    if (method->receiver == CORE_KIND_UNIT)
        return lang_call_core(it, method, pos, NULL, NULL, 0, args, nargs, out);
    if (fits)
        flow = lang_call_core(it, method, pos, self, NULL, 0, args + 1, nargs - 1, out);
    else
        flow = lang_refuse(it, pos, "`%s` on a value of another type", method->name);
    if (fits)
        lang_clear(&args[0]);
    else
        clear_all(args, nargs);
    return flow;
}

lang_flow lang_call_value(lang_interp *it, parity_pos pos, const lang_value *callee,
                          lang_value *args, size_t nargs, lang_value *out)
{
    *out = lang_unit();
    callee = lang_behind(callee);
    if (it->depth >= LANG_MAX_EVAL_DEPTH || !callee ||
        (callee->kind != LANG_CLOSURE && callee->kind != LANG_FN)) {
        clear_all(args, nargs);
        return lang_refuse(it, pos, "calling %s; only the compiler judges this",
                           callee ? lang_type_name(callee) : "what was moved or dropped");
    }
    it->depth++;
    lang_flow flow = callee->kind == LANG_CLOSURE
                         ? call_closure(it, pos, callee->closure, args, nargs, out)
                     : callee->fn
                         ? lang_call_fn(it, callee->fn, pos, NULL, NULL, args, nargs, out)
                         : call_method_value(it, pos, callee->method, args, nargs, out);
    it->depth--;
    return flow;
}

/* "Layer::new" → the type and the name; Self is the type around. */
static bool split_path(lang_interp *it, const char *path, const char **type,
                       const char **name)
{
    const char *colon = strstr(path, "::");
    if (!colon || strstr(colon + 2, "::"))
        return false;
    *type = lang_intern(it->names, path, (size_t)(colon - path));
    *name = lang_intern(it->names, colon + 2, strlen(colon + 2));
    if (strcmp(*type, "Self") == 0 && it->self_type)
        *type = it->self_type;
    return true;
}

static lang_flow call_associated(lang_interp *it, const lang_expr *e, const lang_fn *fn,
                                 const char *type, lang_value *args, size_t nargs,
                                 lang_value *out)
{
    if (fn->self == LANG_SELF_NONE)
        return lang_call_fn(it, fn, e->pos, type, NULL, args, nargs, out);
    if (!nargs)
        return lang_refuse(it, e->pos, "`%s` needs its self", fn->name);
    return lang_call_fn(it, fn, e->pos, type, &args[0], args + 1, nargs - 1, out);
}

/* struct P(f32, f32): P(1., 2.) */
static lang_flow make_tuple_struct(lang_interp *it, const lang_expr *e,
                                   const lang_struct_type *type, lang_value *args,
                                   size_t nargs, lang_value *out)
{
    lang_value value = lang_container(LANG_STRUCT, false);
    lang_flow flow = LANG_GO;
    value.items->type = type;
    if (nargs != type->nfields || (nargs && !type->tuple))
        flow = lang_refuse(it, e->pos, "`%s` has %zu fields", type->name, type->nfields);
    for (size_t i = 0; i < nargs; i++) {
        if (!flow)
            flow = lang_refuse_if(it, e->pos, lang_coerce(it, &args[i], type->types[i]));
        if (lang_push(&value, args[i]))
            lang_item(&value, i)->type = flow ? NULL : type->types[i];
        else if (!flow)
            flow = lang_refuse(it, e->pos, "a struct nested too deep for the core");
        args[i] = lang_unit();
    }
    if (flow)
        lang_clear(&value);
    else
        *out = value;
    return flow;
}

/* Vec::<f32>::new(), Some::<f32>(0.5) */
static lang_flow call_builtin(lang_interp *it, const lang_expr *e,
                              const lang_builtin_row *builtin, lang_value *args,
                              size_t nargs, lang_value *out)
{
    lang_type *const *types = e->a->types;
    lang_flow flow = builtin->call(it, e->pos, args, nargs, out);
    if (flow || !e->a->ntypes)
        return flow;
    if (out->kind == LANG_LIST && types[0]->kind != LANG_TYPE_INFER)
        out->items->element = types[0];
    else if (out->kind == LANG_SOME || out->kind == LANG_OK)
        flow = lang_refuse_if(it, e->pos,
                              lang_coerce(it, &lang_item(out, 0)->value, types[0]));
    else
        flow = lang_refuse(it, e->pos,
                           "the type arguments of `%.60s` are outside what "
                           "the core interprets",
                           builtin->name);
    if (flow)
        lang_clear(out);
    return flow;
}

static lang_flow call_path(lang_interp *it, const lang_expr *e, lang_value *args,
                           size_t nargs, const lang_type *hint, lang_value *out)
{
    const lang_expr *path = e->a;
    const char *type, *name;
    const lang_fn *fn = lang_find_fn(it, path->name);
    if (fn)
        return lang_call_fn(it, fn, e->pos, NULL, NULL, args, nargs, out);
    const lang_struct_type *constructor = lang_find_struct(it, path->name);
    if (constructor)
        return make_tuple_struct(it, e, constructor, args, nargs, out);
    bool split = split_path(it, path->name, &type, &name);
    fn = split ? lang_find_method(it, type, name) : NULL;
    if (fn)
        return call_associated(it, e, fn, type, args, nargs, out);
    const lang_builtin_row *builtin = lang_find_builtin(path->name);
    if (builtin && (builtin->nargs < 0 || (size_t)builtin->nargs == nargs))
        return call_builtin(it, e, builtin, args, nargs, out);
    const core_method *method = core_path_find(path->name);
    it->hint = hint;
    if (method)
        return lang_call_core(it, method, e->pos, NULL, path->types, path->ntypes, args,
                              nargs, out);
    if (split && strcmp(type, "Tensor") == 0)
        method = core_method_find(CORE_KIND_TENSOR, name);
    if (method)
        return call_method_value(it, e->pos, method, args, nargs, out);
    return lang_refuse(it, path->pos, "the function `%.80s` is not known to the core",
                       path->name);
}

lang_flow lang_eval_call(lang_interp *it, const lang_expr *e, lang_value *out)
{
    const lang_type *hint = it->hint;
    bool path = e->a->kind == LANG_EXPR_PATH && !lang_lookup(it, e->a->name);
    lang_place callee = {0};
    if (e->a->kind == LANG_EXPR_PATH && !path && lang_find_fn(it, e->a->name))
        return lang_refuse(it, e->pos,
                           "`%s` is a variable and a function here; give one of them "
                           "another name",
                           e->a->name);
    lang_flow flow = path ? LANG_GO : lang_eval_place(it, e->a, false, &callee);
    if (flow)
        return flow;
    lang_value *args = parity_alloc((e->nitems + 1) * sizeof *args);
    bool wraps =
        path && (strcmp(e->a->name, "Ok") == 0 || strcmp(e->a->name, "Some") == 0);
    const lang_type *inner = wraps && hint && hint->nargs ? hint->args[0] : NULL;
    for (size_t i = 0; !flow && i < e->nitems; i++)
        flow = lang_eval_hinted(it, e->items[i], inner, &args[i]);
    if (!flow && path)
        flow = call_path(it, e, args, e->nitems, hint, out);
    else if (!flow)
        flow = lang_call_value(it, e->pos, &callee.cell->value, args, e->nitems, out);
    lang_cell_unref(callee.cell);
    clear_all(args, e->nitems); /* what a failed call has left */
    free(args);
    return flow;
}

lang_flow lang_eval_path(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_cell *cell = lang_lookup(it, e->name);
    if (cell) {
        lang_place place = {lang_cell_ref(cell), false, false};
        lang_flow flow =
            cell->state == LANG_LIVE ? lang_use(it, &place, e->pos, out)
            : cell->state == LANG_EMPTY
                ? lang_refuse(it, e->pos,
                              "`%s` has no value yet; rustc refuses "
                              "this (E0381)",
                              e->name)
                : lang_refuse(it, e->pos, "`%s` was moved; rustc refuses this (E0382)",
                              e->name);
        lang_cell_unref(cell);
        return flow;
    }
    if (strcmp(e->name, "None") == 0 || lang_find_constant(e->name, out)) {
        if (out->kind == LANG_UNIT)
            out->kind = LANG_NONE;
        return LANG_GO;
    }
    const lang_fn *fn = lang_find_fn(it, e->name);
    const lang_struct_type *unit = lang_find_struct(it, e->name);
    if (fn) {
        *out = (lang_value){.kind = LANG_FN, .fn = fn};
        return LANG_GO;
    }
    if (unit && !unit->nfields && !unit->tuple)
        return make_tuple_struct(it, e, unit, NULL, 0, out);
    const core_method *method = core_path_find(e->name);
    if (method && !*method->signature)
        return lang_call_core(it, method, e->pos, NULL, NULL, 0, NULL, 0, out);
    const char *type, *name;
    if (!method && split_path(it, e->name, &type, &name) && strcmp(type, "Tensor") == 0)
        method = core_method_find(CORE_KIND_TENSOR, name);
    if (!method)
        return lang_refuse(it, e->pos, "`%.80s` is not known to the core", e->name);
    *out = (lang_value){.kind = LANG_FN, .method = method};
    return LANG_GO;
}
