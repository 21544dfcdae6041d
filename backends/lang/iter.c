/* Iterators: made from lists and ranges, adapted lazily as in Rust, so that what a
 * closure does happens when its element is asked for. */
#include "backends/lang/interp.h"

#include <stdlib.h>
#include <string.h>

static lang_value new_iter(lang_iter_kind kind, lang_value inner, lang_value other)
{
    lang_value value = {.kind = LANG_ITER};
    value.iter = parity_alloc(sizeof *value.iter);
    *value.iter = (lang_iter){.kind = kind, .depth = 1, .inner = inner, .other = other};
    unsigned a = lang_noted_depth(&inner), b = lang_noted_depth(&other);
    value.iter->depth = (a > b ? a : b) + 1;
    return value;
}

/* A list of references to the elements. */
static lang_value borrow_items(const lang_value *list, bool mutable)
{
    lang_value borrowed = lang_container(LANG_LIST, false);
    for (size_t i = 0; i < lang_count(list); i++)
        lang_push(&borrowed, lang_ref(lang_item(list, i), mutable));
    return borrowed;
}

lang_flow lang_into_iter(lang_interp *it, parity_pos pos, lang_value value,
                         lang_value *out)
{
    const lang_value *v = lang_behind(&value);
    *out = lang_unit();
    if (value.kind == LANG_ITER) {
        *out = value;
        return LANG_GO;
    }
    if (value.kind == LANG_LIST) {
        *out = new_iter(LANG_ITER_ITEMS, value, lang_unit());
        return LANG_GO;
    }
    if (value.kind == LANG_RANGE && lang_item(&value, 0)->value.kind == LANG_NUMBER &&
        !lang_item(&value, 0)->value.number.is_float) {
        *out = new_iter(LANG_ITER_RANGE, value, lang_unit());
        return LANG_GO;
    }
    lang_flow flow = LANG_GO;
    if (value.kind == LANG_REF && v && v->kind == LANG_LIST)
        *out = new_iter(LANG_ITER_ITEMS, borrow_items(v, value.mutable), lang_unit());
    else
        flow =
            lang_refuse(it, pos, "iterating over %s is outside what the core interprets",
                        v ? lang_type_name(v) : "what was moved");
    lang_clear(&value);
    return flow;
}

static lang_flow next_of_range(lang_interp *it, parity_pos pos, lang_iter *iter,
                               lang_value *out, bool *done)
{
    lang_value *start = &lang_item(&iter->inner, 0)->value;
    const lang_value *end = &lang_item(&iter->inner, 1)->value;
    bool endless = end->kind == LANG_UNIT;
    lang_wide last = endless ? 0 : end->number.i - !iter->inner.inclusive;
    bool back = iter->kind == LANG_ITER_REV;
    if (endless && back)
        return lang_refuse(it, pos, "rev() of a range without an end");
    if (!endless && start->number.i > last) {
        *done = true;
        return LANG_GO;
    }
    lang_number number = start->number;
    if (back) {
        number.i = last;
        lang_item(&iter->inner, 1)->value.number.i--;
    } else {
        start->number.i++;
    }
    *out = lang_num(number);
    return LANG_GO;
}

static lang_flow pair(lang_interp *it, parity_pos pos, lang_value a, lang_value b,
                      lang_value *out)
{
    *out = lang_container(LANG_TUPLE, false);
    bool fits = lang_push(out, a);
    fits = lang_push(out, b) && fits;
    if (fits)
        return LANG_GO;
    lang_clear(out);
    return lang_refuse(it, pos, "values nested too deep for the core");
}

static lang_flow next_of_zip(lang_interp *it, parity_pos pos, lang_iter *iter,
                             lang_value *out, bool *done)
{
    lang_value a, b;
    lang_flow flow = lang_iter_next(it, pos, iter->inner.iter, &a, done);
    if (flow || *done)
        return flow;
    flow = lang_iter_next(it, pos, iter->other.iter, &b, done);
    if (flow || *done) {
        lang_clear(&a);
        return flow;
    }
    return pair(it, pos, a, b, out);
}

lang_flow lang_iter_next(lang_interp *it, parity_pos pos, lang_iter *iter,
                         lang_value *out, bool *done)
{
    lang_value item;
    lang_flow flow;
    *out = lang_unit();
    switch (iter->kind) {
    case LANG_ITER_ITEMS:
        *done = iter->next >= lang_count(&iter->inner);
        if (!*done)
            *out = lang_cell_take(lang_item(&iter->inner, iter->next++));
        return LANG_GO;
    case LANG_ITER_RANGE:
    case LANG_ITER_REV:
        return next_of_range(it, pos, iter, out, done);
    case LANG_ITER_ZIP:
        return next_of_zip(it, pos, iter, out, done);
    case LANG_ITER_MAP:
        flow = lang_iter_next(it, pos, iter->inner.iter, &item, done);
        return flow || *done ? flow
                             : lang_call_value(it, pos, &iter->other, &item, 1, out);
    case LANG_ITER_ENUMERATE:
        flow = lang_iter_next(it, pos, iter->inner.iter, &item, done);
        return flow || *done ? flow : pair(it, pos, lang_usize(iter->next++), item, out);
    }
    return LANG_GO;
}

/* --- methods --- */

static lang_flow self_iter(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value self;
    lang_flow flow = lang_take_self(it, call, &self);
    if (!flow)
        flow = lang_into_iter(it, call->pos, self, out);
    if (!flow && out->iter->depth > LANG_MAX_VALUE_DEPTH) {
        lang_clear(out);
        flow = lang_refuse(it, call->pos, "iterators nested too deep for the core");
    }
    return flow;
}

lang_flow lang_iter_of_items(lang_interp *it, const lang_method_call *call,
                             lang_value *out)
{
    bool mutable = strcmp(call->e->name, "iter_mut") == 0;
    (void)it;
    *out = new_iter(LANG_ITER_ITEMS, borrow_items(&call->self->cell->value, mutable),
                    lang_unit());
    return LANG_GO;
}

static lang_flow into_iter(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    if (call->self->borrowed && call->self->cell->value.kind == LANG_LIST)
        return lang_iter_of_items(it, call, out);
    return self_iter(it, call, out);
}

static lang_flow map(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value inner;
    lang_flow flow = self_iter(it, call, &inner);
    if (flow)
        return flow;
    *out = new_iter(LANG_ITER_MAP, inner, call->args[0]);
    call->args[0] = lang_unit();
    return LANG_GO;
}

static lang_flow enumerate(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value inner;
    lang_flow flow = self_iter(it, call, &inner);
    if (!flow)
        *out = new_iter(LANG_ITER_ENUMERATE, inner, lang_unit());
    return flow;
}

static lang_flow zip(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_value inner, other, arg = call->args[0];
    lang_flow flow = self_iter(it, call, &inner);
    if (flow)
        return flow;
    call->args[0] = lang_unit();
    flow = lang_into_iter(it, call->pos, arg, &other);
    if (flow)
        lang_clear(&inner);
    else
        *out = new_iter(LANG_ITER_ZIP, inner, other);
    return flow;
}

static lang_flow rev(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_flow flow = self_iter(it, call, out);
    if (flow)
        return flow;
    lang_iter *iter = out->iter;
    if (iter->kind == LANG_ITER_RANGE) {
        iter->kind = LANG_ITER_REV;
    } else if (iter->kind == LANG_ITER_ITEMS) {
        lang_cell **cells = iter->inner.items->cells;
        size_t first = iter->next, last = lang_count(&iter->inner);
        for (; first + 1 < last; first++) {
            lang_cell *cell = cells[first];
            cells[first] = cells[--last];
            cells[last] = cell;
        }
    } else {
        lang_clear(out);
        flow =
            lang_refuse(it, call->pos, "rev() here is outside what the core interprets");
    }
    return flow;
}

/* Takes all that the iterator gives; of Results the values, up to the first Err. */
static lang_flow drain(lang_interp *it, parity_pos pos, lang_iter *iter, bool results,
                       lang_value *list, lang_value *err)
{
    bool done = false;
    for (;;) {
        lang_value item;
        lang_flow flow = lang_step(it, pos);
        if (!flow)
            flow = lang_iter_next(it, pos, iter, &item, &done);
        if (flow || done)
            return flow;
        if (results && item.kind == LANG_ERR) {
            *err = item;
            return LANG_GO;
        }
        if (results && item.kind == LANG_OK) {
            lang_value inner = lang_cell_take(lang_item(&item, 0));
            lang_clear(&item);
            item = inner;
        } else if (results) {
            lang_clear(&item);
            return lang_refuse(it, pos, "a Result is expected of each element");
        }
        if (!lang_push(list, item))
            return lang_refuse(it, pos,
                               "a list too large or nested too deep for the core");
    }
}

static lang_flow collect(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    const lang_type *type = call->e->ntypes ? call->e->types[0] : call->hint;
    bool results =
        type && type->kind == LANG_TYPE_PATH && strcmp(type->name, "Result") == 0;
    if (results)
        type = type->nargs ? type->args[0] : NULL;
    bool vec =
        type && ((type->kind == LANG_TYPE_PATH && strcmp(type->name, "Vec") == 0) ||
                 (results && type->kind == LANG_TYPE_INFER));
    if (!vec)
        return lang_refuse(it, call->pos,
                           "collect() into anything but a Vec, or a Result of one, "
                           "is outside what the core interprets");
    lang_value iter, err = lang_unit();
    lang_flow flow = self_iter(it, call, &iter);
    if (flow)
        return flow;
    lang_value list = lang_container(LANG_LIST, false);
    flow = drain(it, call->pos, iter.iter, results, &list, &err);
    lang_clear(&iter);
    if (!flow)
        flow = lang_refuse_if(it, call->pos, lang_coerce(it, &list, type));
    if (flow || err.kind == LANG_ERR) {
        lang_clear(&list);
        *out = flow ? lang_unit() : err;
        return flow;
    }
    *out = results ? lang_wrap(LANG_OK, list) : list;
    return LANG_GO;
}

/* sum and product of numbers whose type is written. */
static lang_flow fold(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    const lang_type *type = call->e->ntypes ? call->e->types[0] : call->hint;
    lang_numtype number = type && type->kind == LANG_TYPE_PATH
                              ? lang_numtype_from_name(type->name)
                              : LANG_OPEN;
    if (number == LANG_OPEN)
        return lang_refuse(it, call->pos, "`%s` without the type of its result",
                           call->e->name);
    bool sums = strcmp(call->e->name, "sum") == 0, done = false;
    lang_value iter, item;
    /* a sum of floats starts at -0.0, so that it keeps the sign of zeros */
    lang_number total = lang_numtype_float(number)
                            ? lang_number_float(number, sums ? -0.0 : 1.0)
                            : lang_number_int(number, sums ? 0 : 1);
    lang_flow flow = self_iter(it, call, &iter);
    while (!flow && !done) {
        flow = lang_step(it, call->pos);
        if (!flow)
            flow = lang_iter_next(it, call->pos, iter.iter, &item, &done);
        if (flow || done)
            break;
        const lang_value *v = lang_behind(&item);
        const char *panic = NULL;
        if (!v || v->kind != LANG_NUMBER)
            flow = lang_refuse(it, call->pos, "numbers are expected of each element");
        else
            flow = lang_refuse_if(
                it, call->pos,
                lang_number_binary(&total, sums ? "+" : "*", total, v->number, &panic));
        lang_clear(&item);
    }
    lang_clear(&iter);
    if (!flow)
        *out = lang_num(total);
    return flow;
}

const lang_method_row lang_iter_methods[] = {
    {"map", 1, map},  {"enumerate", 0, enumerate}, {"zip", 1, zip},
    {"rev", 0, rev},  {"collect", 0, collect},     {"into_iter", 0, into_iter},
    {"sum", 0, fold}, {"product", 0, fold},        {NULL, 0, NULL},
};
