/* Methods of Vec, arrays and slices, and of texts. */
#include "backends/lang/interp.h"
#include "backends/lang/std.h"

#include <string.h>

static lang_value *self_value(const lang_method_call *call)
{
    return &call->self->cell->value;
}

static lang_flow len(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    (void)it;
    *out = lang_usize(lang_count(self_value(call)));
    return LANG_GO;
}

static lang_flow is_empty(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    (void)it;
    *out = lang_bool(lang_count(self_value(call)) == 0);
    return LANG_GO;
}

/* A Vec made of clones. */
static lang_flow to_vec(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_flow flow = lang_refuse_if(it, call->pos, lang_clone(out, self_value(call)));
    if (!flow)
        out->copy = false;
    return flow;
}

static lang_flow as_slice(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    (void)it;
    *out = lang_ref(call->self->cell, false);
    return LANG_GO;
}

static lang_flow some_item(lang_value *out, const lang_value *list, size_t index)
{
    if (index < lang_count(list))
        *out = lang_wrap(LANG_SOME, lang_ref(lang_item(list, index), false));
    else
        out->kind = LANG_NONE;
    return LANG_GO;
}

static lang_flow first(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    (void)it;
    return some_item(out, self_value(call), 0);
}

static lang_flow last(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    (void)it;
    return some_item(out, self_value(call), lang_count(self_value(call)) - 1);
}

static lang_flow get(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value *index = &call->args[0];
    if (index->kind != LANG_NUMBER)
        return lang_refuse(it, call->pos, "a number is expected here");
    lang_flow flow =
        lang_refuse_if(it, call->pos, lang_number_bind(&index->number, LANG_USIZE));
    if (flow)
        return flow;
    bool inside = index->number.i < (lang_wide)lang_count(self_value(call));
    return some_item(out, self_value(call), inside ? (size_t)index->number.i : SIZE_MAX);
}

static lang_flow push(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value *list = self_value(call), item;
    (void)out;
    if (list->copy)
        return lang_refuse(it, call->pos,
                           "push on an array; only the compiler judges this");
    const char *why = NULL;
    if (list->items->element)
        why = lang_coerce(it, &call->args[0], list->items->element);
    else if (lang_count(list))
        why = lang_join(it, &lang_item(list, 0)->value, &call->args[0]);
    else if (!list->items->untyped)
        lang_doubt_value(it, &call->args[0]);
    if (why)
        return lang_refuse(it, call->pos, "%s", why);
    item = call->args[0];
    call->args[0] = lang_unit();
    if (lang_depth(&item) > LANG_MAX_VALUE_DEPTH / 2) {
        lang_clear(&item);
        return lang_refuse(it, call->pos, "a value nested too deep for the core");
    }
    return lang_push(list, item)
               ? LANG_GO
               : lang_refuse(it, call->pos,
                             "a list too large or nested too deep for the core");
}

static lang_flow pop(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value *list = self_value(call);
    if (list->copy)
        return lang_refuse(it, call->pos,
                           "pop on an array; only the compiler judges this");
    out->kind = LANG_NONE;
    if (!lang_count(list))
        return LANG_GO;
    lang_cell *cell = list->items->cells[--list->items->count];
    lang_flow flow = LANG_GO;
    if (cell->state == LANG_LIVE)
        *out = lang_wrap(LANG_SOME, lang_cell_take(cell));
    else
        flow = lang_refuse(it, call->pos, "an element that was moved");
    if (!lang_count(list))
        lang_doubt_value(it, out); /* nothing in the list is left to say */
    list->items->untyped = false;
    lang_cell_unref(cell);
    return flow;
}

static lang_flow clear(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value *list = self_value(call);
    (void)out;
    if (list->copy)
        return lang_refuse(it, call->pos,
                           "clear on an array; only the compiler judges this");
    list->items->untyped = false;
    while (lang_count(list)) {
        lang_cell *cell = list->items->cells[--list->items->count];
        lang_cell_drop(cell, LANG_DROPPED);
        lang_cell_unref(cell);
    }
    return LANG_GO;
}

static lang_flow contains(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    int order = 2;
    const lang_value *list = self_value(call);
    if (!lang_count(list))
        lang_doubt_value(it, &call->args[0]);
    for (size_t i = 0; i < lang_count(list) && order; i++) {
        lang_flow flow = lang_compare(it, call->pos, &lang_item(list, i)->value,
                                      &call->args[0], &order);
        if (flow)
            return flow;
    }
    *out = lang_bool(order == 0);
    return LANG_GO;
}

/* `for x in v` and v.into_iter(): an array of references is borrowed, a list of its own
 * used up. */
static lang_flow into_iter(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value self;
    if (call->self->borrowed)
        return lang_iter_of_items(it, call, out);
    lang_flow flow = lang_take_self(it, call, &self);
    return flow ? flow : lang_into_iter(it, call->pos, self, out);
}

const lang_method_row lang_list_methods[] = {
    {"len", 0, len},
    {"is_empty", 0, is_empty},
    {"to_vec", 0, to_vec},
    {"as_slice", 0, as_slice},
    {"first", 0, first},
    {"last", 0, last},
    {"get", 1, get},
    {"push", 1, push},
    {"pop", 0, pop},
    {"clear", 0, clear},
    {"contains", 1, contains},
    {"iter", 0, lang_iter_of_items},
    {"iter_mut", 0, lang_iter_of_items},
    {"into_iter", 0, into_iter},
    {NULL, 0, NULL},
};

/* --- texts
 * -------------------------------------------------------------------------------------
 */

static lang_flow to_string(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    (void)it;
    *out = lang_text(self_value(call)->text.data, self_value(call)->text.length, false);
    return LANG_GO;
}

static lang_flow as_str(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    if (self_value(call)->kind != LANG_TEXT)
        return lang_refuse(it, call->pos, "as_str of no text");
    *out = lang_text(self_value(call)->text.data, self_value(call)->text.length, true);
    return LANG_GO;
}

static lang_flow text_len(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    if (self_value(call)->kind != LANG_TEXT)
        return lang_refuse(it, call->pos, "len of no text");
    *out = lang_usize(self_value(call)->text.length);
    return LANG_GO;
}

static lang_flow text_search(lang_interp *it, const lang_method_call *call,
                             lang_value *out)
{
    const lang_value *self = self_value(call), *wanted = lang_behind(&call->args[0]);
    if (self->kind != LANG_TEXT || !wanted || wanted->kind != LANG_TEXT)
        return lang_refuse(it, call->pos, "a text is expected here");
    size_t length = wanted->text.length;
    const char *data = self->text.data;
    bool found = length <= self->text.length;
    switch (call->e->name[0]) {
    case 's': /* starts_with */
        found = found && memcmp(data, wanted->text.data, length) == 0;
        break;
    case 'e': /* ends_with */
        found = found &&
                memcmp(data + self->text.length - length, wanted->text.data, length) == 0;
        break;
    default:
        found = memmem(data, self->text.length, wanted->text.data, length) != NULL;
    }
    *out = lang_bool(found);
    return LANG_GO;
}

const lang_method_row lang_text_methods[] = {
    {"to_string", 0, to_string},
    {"to_owned", 0, to_string},
    {"as_str", 0, as_str},
    {"len", 0, text_len},
    {"contains", 1, text_search},
    {"into", 0, to_string},
    {"starts_with", 1, text_search},
    {"ends_with", 1, text_search},
    {NULL, 0, NULL},
};
