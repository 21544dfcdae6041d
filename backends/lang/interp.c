/* One run: parses, binds what the program finds, runs it, observes. */
#include "backends/lang/interp.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static lang_flow stop_with(lang_interp *it, parity_outcome_kind kind, parity_pos pos,
                           const char *format, va_list args)
{
    parity_buffer text = {0};
    parity_buffer_vprintf(&text, format, args);
    parity_outcome_set(&it->ends, kind, NULL, text.data, pos);
    parity_buffer_free(&text);
    return LANG_STOP;
}

lang_flow lang_stop(lang_interp *it, parity_outcome_kind kind, parity_pos pos,
                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    lang_flow flow = stop_with(it, kind, pos, format, args);
    va_end(args);
    return flow;
}

lang_flow lang_refuse(lang_interp *it, parity_pos pos, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    lang_flow flow = stop_with(it, PARITY_UNSUPPORTED, pos, format, args);
    va_end(args);
    return flow;
}

lang_flow lang_panic(lang_interp *it, parity_pos pos, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    lang_flow flow = stop_with(it, PARITY_PANIC, pos, format, args);
    va_end(args);
    return flow;
}

lang_flow lang_refuse_if(lang_interp *it, parity_pos pos, const char *why)
{
    return why ? lang_refuse(it, pos, "%s", why) : LANG_GO;
}

lang_flow lang_core_stop(lang_interp *it, parity_pos pos, const core_error *error)
{
    switch (error->status) {
    case CORE_PANIC:
        return lang_panic(it, pos, "%s", error->text);
    case CORE_DEADLOCK:
        return lang_stop(it, PARITY_HANG, pos, "%s", error->text);
    case CORE_ABORT:
        lang_stop(it, PARITY_CRASH, pos, "SIGABRT");
        it->ends.detail = parity_strdup(error->text);
        return LANG_STOP;
    default:
        return lang_refuse(it, pos, "%s", error->text);
    }
}

lang_flow lang_step(lang_interp *it, parity_pos pos)
{
    const lang_request *request = it->request;
    if (request->at && pos.line)
        request->at(request->context, pos);
    if (request->cancelled && request->cancelled(request->context)) {
        it->cancelled = true;
        return LANG_STOP;
    }
    it->steps++;
    if (request->steps && it->steps > request->steps)
        return lang_refuse(it, pos, "the program takes more than %llu steps",
                           (unsigned long long)request->steps);
    return LANG_GO;
}

static lang_flow bind_tensor(lang_interp *it, const parity_data *data)
{
    core_error error;
    core_tensor *tensor = NULL;
    core_shape shape = {.rank = data->rank};
    core_dtype dtype;
    if (!core_dtype_from_name(&dtype, parity_dtype_name(data->dtype)) ||
        data->rank > CORE_MAX_RANK)
        return lang_refuse(it, (parity_pos){0}, "data `%s`: the core has no such tensor",
                           data->name);
    size_t count = 1;
    for (size_t i = 0; i < data->rank; i++) {
        shape.dims[i] = (size_t)data->shape[i];
        count *= shape.dims[i];
    }
    if (core_tensor_from_data(it->context, &tensor, data->bits, count, &shape, dtype,
                              it->device, &error) != CORE_OK)
        return lang_core_stop(it, (parity_pos){0}, &error);
    lang_bind(it, lang_intern(it->names, data->name, strlen(data->name)),
              lang_cell_new(lang_core(core_value_tensor(tensor))));
    return LANG_GO;
}

static lang_flow bind_surroundings(lang_interp *it)
{
    it->device = core_context_device(it->context, it->request->device);
    if (!it->device)
        return lang_refuse(it, (parity_pos){0}, "the core has no device `%s`",
                           it->request->device);
    core_value device = {.kind = CORE_KIND_DEVICE, .device = it->device};
    lang_bind(it, lang_intern(it->names, "dev", 3), lang_cell_new(lang_core(device)));
    for (size_t i = 0; i < it->request->ndata; i++) {
        lang_flow flow = bind_tensor(it, &it->request->data[i]);
        if (flow)
            return flow;
    }
    core_context_restart_ids(it->context);
    return LANG_GO;
}

/* The last expression is a statement too; what it gives is dropped. */
static lang_flow run_tail(lang_interp *it, const lang_expr *tail)
{
    lang_value value;
    bool last_ok = tail && tail->kind == LANG_EXPR_CALL &&
                   tail->a->kind == LANG_EXPR_PATH && strcmp(tail->a->name, "Ok") == 0 &&
                   tail->nitems == 1 && tail->items[0]->kind == LANG_EXPR_TUPLE &&
                   !tail->items[0]->nitems;
    if (!tail || last_ok)
        return LANG_GO;
    lang_flow flow = lang_step(it, tail->pos);
    if (!flow)
        flow = lang_eval_alone(it, tail, &value);
    if (!flow)
        lang_clear(&value);
    return flow;
}

/* `?` or `return` ended the program or an observation: an error, or nothing. */
static void end_by_return(lang_interp *it)
{
    lang_value value = it->returned;
    it->returned = lang_unit();
    const lang_value *inner =
        value.kind == LANG_ERR ? lang_behind(&lang_item(&value, 0)->value) : NULL;
    if (inner && (inner->kind == LANG_ERROR || inner->kind == LANG_TEXT))
        parity_outcome_set(&it->ends, PARITY_ERROR, "candle", inner->text.data,
                           it->tried);
    else if (value.kind != LANG_OK && value.kind != LANG_UNIT)
        lang_refuse(it, it->tried,
                    "the program returns %s; only the compiler judges this",
                    lang_type_name(&value));
    lang_clear(&value);
}

static void settle_flow(lang_interp *it, lang_flow flow)
{
    if (flow == LANG_RETURN)
        end_by_return(it);
    else if (flow == LANG_BREAK || flow == LANG_CONTINUE)
        lang_refuse(it, (parity_pos){0}, "break or continue outside of a loop");
    lang_clear(&it->returned);
}

static lang_flow observe_text(lang_interp *it, const char *text,
                              lang_identities *identities, parity_value **out)
{
    lang_expr *e;
    lang_place place;
    parity_error error;
    if (lang_parse_expression(&e, it->arena, it->names, text, &error))
        return lang_refuse(it, (parity_pos){0}, "in `%.200s`: %s", text, error.message);
    lang_flow flow = lang_eval_place(it, e, false, &place);
    if (flow)
        return flow;
    flow = place.cell->state == LANG_LIVE
               ? lang_observe(it, &place.cell->value, identities, out)
               : lang_refuse(it, (parity_pos){0}, "`%.200s` was moved or dropped", text);
    lang_cell_unref(place.cell);
    return flow;
}

/* An observation that failed may say more about the types of the literals it names. */
static void doubt_names_in(lang_interp *it, const char *text)
{
    lang_tokens tokens = lang_lex(it->arena, it->names, text);
    lang_region *region = parity_arena_alloc(it->arena, sizeof *region);
    const char **names =
        parity_arena_alloc(it->arena, (tokens.count + 1) * sizeof *names);
    region->names = names;
    for (size_t i = 0; i < tokens.count; i++)
        if (tokens.items[i].kind == LANG_IDENT)
            names[region->nnames++] = tokens.items[i].text;
    lang_pass_over(it, region);
}

static void observe_all(lang_interp *it, parity_outcome *observed)
{
    lang_identities identities = {.kept = lang_container(LANG_LIST, false)};
    lang_request quiet = *it->request;
    quiet.at = NULL;
    it->request = &quiet;
    for (size_t i = 0; i < quiet.nobserve && !it->cancelled; i++) {
        parity_value *value = NULL;
        size_t temps = it->ntemps;
        lang_flow flow = observe_text(it, quiet.observe[i], &identities, &value);
        if (flow)
            doubt_names_in(it, quiet.observe[i]);
        settle_flow(it, flow);
        lang_drop_temps(it, temps);
        observed[i] = it->ends;
        it->ends = (parity_outcome){0};
        if (flow)
            observed[i].pos = (parity_pos){0}; /* not a place of the program */
        if (flow && observed[i].kind == PARITY_VALUE)
            observed[i].kind = PARITY_NOT_REACHED;
        observed[i].value = value;
    }
    lang_clear(&identities.kept);
    parity_names_free(&identities.storages);
    parity_names_free(&identities.handles);
}

/* Refuses when a type that was settled may be another one. */
static lang_flow check_doubts(lang_interp *it)
{
    bool known = it->cancelled || it->ends.kind == PARITY_UNSUPPORTED;
    for (size_t i = 0; i < it->ndoubted && !known; i++) {
        const char *why = lang_infer_doubtful(it->doubted[i]);
        if (why)
            return lang_refuse(it, (parity_pos){0}, "%s", why);
    }
    return LANG_GO;
}

/* Returns LANG_GO when the program ran through. */
static lang_flow run_program(lang_interp *it)
{
    lang_block *program;
    parity_error error;
    if (lang_parse_program(&program, it->arena, it->names, it->request->program, &error))
        return lang_refuse(it, error.pos, "%s", error.message);
    lang_flow flow = bind_surroundings(it);
    if (flow)
        return flow;
    it->block = program;
    flow = lang_run_statements(it, program);
    if (!flow)
        flow = run_tail(it, program->tail);
    settle_flow(it, flow);
    return check_doubts(it) ? LANG_STOP : flow;
}

static void forget(lang_interp *it, const lang_request *request, parity_outcome *ends,
                   parity_outcome *observed)
{
    *ends = it->ends;
    it->ends = (parity_outcome){0};
    for (size_t i = 0; i < request->nobserve; i++) {
        parity_outcome_clear(&observed[i]);
        observed[i].kind = PARITY_NOT_REACHED;
    }
}

bool lang_run(const lang_request *request, parity_outcome *ends, parity_outcome *observed)
{
    lang_interp it = {.request = request, .arena = parity_arena_new()};
    it.names = lang_interner_new(it.arena);
    it.self_name = lang_intern(it.names, "self", 4);
    it.context = core_context_new();
    for (size_t i = 0; i < request->nobserve; i++)
        observed[i].kind = PARITY_NOT_REACHED;
    bool through = run_program(&it) == LANG_GO;
    *ends = it.ends;
    it.ends = (parity_outcome){0};
    if (through)
        observe_all(&it, observed);
    /* observations are part of the program: they too say what types literals have */
    if (through && check_doubts(&it))
        forget(&it, request, ends, observed);
    lang_drop_temps(&it, 0);
    lang_unbind(&it, 0);
    free(it.bindings);
    free(it.temps);
    free(it.doubted);
    core_context_free(it.context);
    parity_arena_free(it.arena);
    return !it.cancelled;
}
