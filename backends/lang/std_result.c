/* Methods of Option and Result. */
#include "backends/lang/interp.h"
#include "backends/lang/std.h"

#include <string.h>

static lang_value *payload(const lang_method_call *call)
{
    return &lang_item(&call->self->cell->value, 0)->value;
}

static lang_kind kind(const lang_method_call *call)
{
    return call->self->cell->value.kind;
}

static lang_flow is_good(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    (void)it;
    *out = lang_bool(kind(call) == LANG_OK || kind(call) == LANG_SOME);
    return LANG_GO;
}

static lang_flow is_bad(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    (void)it;
    *out = lang_bool(kind(call) == LANG_ERR || kind(call) == LANG_NONE);
    return LANG_GO;
}

/* Moves self out, and what is in it out of that. */
static lang_flow take_payload(lang_interp *it, const lang_method_call *call,
                              lang_value *out)
{
    lang_value self;
    lang_flow flow = lang_take_self(it, call, &self);
    if (flow)
        return flow;
    *out = lang_cell_take(lang_item(&self, 0));
    lang_clear(&self);
    return LANG_GO;
}

static lang_flow panic_with(lang_interp *it, const lang_method_call *call,
                            const char *message, const lang_value *shown)
{
    core_text text = {0};
    lang_flow flow = lang_print(it, call->pos, &text, shown, true, -1);
    if (!flow)
        flow = lang_panic(it, call->pos, "%s: %s", message, text.data ? text.data : "");
    core_text_free(&text);
    return flow;
}

static lang_flow unwrap(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    if (kind(call) == LANG_OK || kind(call) == LANG_SOME)
        return take_payload(it, call, out);
    if (kind(call) == LANG_NONE)
        return lang_panic(it, call->pos, "called `Option::unwrap()` on a `None` value");
    return panic_with(it, call, "called `Result::unwrap()` on an `Err` value",
                      payload(call));
}

static lang_flow expect(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    const lang_value *message = lang_behind(&call->args[0]);
    if (!message || message->kind != LANG_TEXT)
        return lang_refuse(it, call->pos, "a text is expected here");
    if (kind(call) == LANG_OK || kind(call) == LANG_SOME)
        return take_payload(it, call, out);
    if (kind(call) == LANG_NONE)
        return lang_panic(it, call->pos, "%s", message->text.data);
    return panic_with(it, call, message->text.data, payload(call));
}

static lang_flow unwrap_err(lang_interp *it, const lang_method_call *call,
                            lang_value *out)
{
    if (kind(call) == LANG_ERR)
        return take_payload(it, call, out);
    return panic_with(it, call, "called `Result::unwrap_err()` on an `Ok` value",
                      payload(call));
}

static lang_flow unwrap_or(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    if (kind(call) == LANG_OK || kind(call) == LANG_SOME) {
        lang_flow flow =
            lang_refuse_if(it, call->pos, lang_join(it, &call->args[0], payload(call)));
        return flow ? flow : take_payload(it, call, out);
    }
    lang_value self;
    lang_flow flow = lang_take_self(it, call, &self);
    if (flow)
        return flow;
    lang_clear(&self);
    *out = call->args[0];
    call->args[0] = lang_unit();
    lang_doubt_value(it, out); /* the type of what is not there is not known here */
    return LANG_GO;
}

static lang_flow none_of(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value self;
    lang_flow flow = lang_take_self(it, call, &self);
    lang_clear(&self);
    out->kind = LANG_NONE;
    return flow;
}

static lang_flow some_of(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value value;
    lang_flow flow = take_payload(it, call, &value);
    if (!flow)
        *out = lang_wrap(LANG_SOME, value);
    return flow;
}

static lang_flow ok(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    return kind(call) == LANG_OK ? some_of(it, call, out) : none_of(it, call, out);
}

static lang_flow err(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    return kind(call) == LANG_ERR ? some_of(it, call, out) : none_of(it, call, out);
}

/* Calls the closure on what is in `from` and wraps the result in `wrap` (UNIT: does not).
 * Others stay as they are. */
static lang_flow map_kind(lang_interp *it, const lang_method_call *call, lang_kind from,
                          lang_kind wrap, lang_value *out)
{
    lang_value value;
    if (kind(call) != from)
        return lang_take_self(it, call, out);
    lang_flow flow = take_payload(it, call, &value);
    if (!flow)
        flow = lang_call_value(it, call->pos, &call->args[0], &value, 1, out);
    if (!flow && wrap != LANG_UNIT)
        *out = lang_wrap(wrap, *out);
    return flow;
}

static lang_flow map(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_kind good =
        kind(call) == LANG_OK || kind(call) == LANG_ERR ? LANG_OK : LANG_SOME;
    return map_kind(it, call, good, good, out);
}

static lang_flow map_err(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    return map_kind(it, call, LANG_ERR, LANG_ERR, out);
}

static lang_flow and_then(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_kind good =
        kind(call) == LANG_OK || kind(call) == LANG_ERR ? LANG_OK : LANG_SOME;
    return map_kind(it, call, good, LANG_UNIT, out);
}

/* Only one of a value and what stands in for it is seen; the other may say its type. */
static lang_flow doubted(lang_interp *it, lang_flow flow, lang_value *out)
{
    if (!flow)
        lang_doubt_value(it, out);
    return flow;
}

/* The closure stands in for what is not there; of a Result it is given the error. */
static lang_flow call_instead(lang_interp *it, const lang_method_call *call,
                              lang_value *out)
{
    lang_value value;
    if (kind(call) == LANG_ERR) {
        lang_flow flow = take_payload(it, call, &value);
        if (!flow)
            flow = lang_call_value(it, call->pos, &call->args[0], &value, 1, out);
        return doubted(it, flow, out);
    }
    return doubted(it, lang_call_value(it, call->pos, &call->args[0], NULL, 0, out), out);
}

static lang_flow or_else(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    bool good = kind(call) == LANG_OK || kind(call) == LANG_SOME;
    return good ? doubted(it, lang_take_self(it, call, out), out)
                : call_instead(it, call, out);
}

static lang_flow unwrap_or_else(lang_interp *it, const lang_method_call *call,
                                lang_value *out)
{
    bool good = kind(call) == LANG_OK || kind(call) == LANG_SOME;
    return good ? doubted(it, take_payload(it, call, out), out)
                : call_instead(it, call, out);
}

static lang_flow as_ref(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    (void)it;
    if (kind(call) == LANG_NONE)
        out->kind = LANG_NONE;
    else
        *out = lang_wrap(kind(call),
                         lang_ref(lang_item(&call->self->cell->value, 0), false));
    return LANG_GO;
}

static lang_flow cloned(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value value;
    if (kind(call) != LANG_SOME && kind(call) != LANG_OK)
        return lang_take_self(it, call, out);
    const lang_value *inner =
        payload(call)->kind == LANG_REF ? lang_behind(payload(call)) : NULL;
    if (!inner)
        return lang_refuse(it, call->pos,
                           "cloned() of no reference; only the compiler judges this");
    lang_flow flow = lang_refuse_if(it, call->pos, lang_clone(&value, inner));
    if (!flow)
        *out = lang_wrap(kind(call), value);
    return flow;
}

const lang_method_row lang_result_methods[] = {
    {"is_ok", 0, is_good},
    {"is_err", 0, is_bad},
    {"unwrap", 0, unwrap},
    {"expect", 1, expect},
    {"unwrap_or", 1, unwrap_or},
    {"unwrap_err", 0, unwrap_err},
    {"ok", 0, ok},
    {"err", 0, err},
    {"map", 1, map},
    {"map_err", 1, map_err},
    {"or_else", 1, or_else},
    {"unwrap_or_else", 1, unwrap_or_else},
    {"and_then", 1, and_then},
    {"as_ref", 0, as_ref},
    {"cloned", 0, cloned},
    {NULL, 0, NULL},
};

const lang_method_row lang_option_methods[] = {
    {"is_some", 0, is_good},
    {"is_none", 0, is_bad},
    {"unwrap", 0, unwrap},
    {"expect", 1, expect},
    {"unwrap_or", 1, unwrap_or},
    {"or_else", 1, or_else},
    {"unwrap_or_else", 1, unwrap_or_else},
    {"map", 1, map},
    {"and_then", 1, and_then},
    {"as_ref", 0, as_ref},
    {"cloned", 0, cloned},
    {"copied", 0, cloned},
    {NULL, 0, NULL},
};
