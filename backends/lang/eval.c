/* Expressions: one function a kind, found by a switch. */
#include "backends/lang/interp.h"

#include <string.h>

lang_flow lang_eval_hinted(lang_interp *it, const lang_expr *e, const lang_type *hint,
                           lang_value *out)
{
    it->hint = hint;
    lang_flow flow = lang_eval(it, e, out);
    it->hint = NULL;
    return flow;
}

static const lang_type *first_argument(const lang_type *type)
{
    bool list = type && (type->kind == LANG_TYPE_ARRAY || type->kind == LANG_TYPE_SLICE ||
                         (type->kind == LANG_TYPE_PATH && type->nargs));
    return list ? type->args[0] : NULL;
}

/* Elements of one array have one type: a suffix on one is a suffix on all. */
const char *lang_unify(lang_value *a, lang_value *b)
{
    if (a->kind == LANG_REF && b->kind == LANG_REF) {
        if (a->cell->state != LANG_LIVE || b->cell->state != LANG_LIVE)
            return "a reference to what was moved or dropped";
        return lang_unify(&a->cell->value, &b->cell->value);
    }
    if (a->kind == LANG_NUMBER && b->kind == LANG_NUMBER)
        return lang_number_unify(&a->number, &b->number);
    if (a->kind != b->kind)
        return (a->kind == LANG_NUMBER || b->kind == LANG_NUMBER ||
                a->kind == LANG_LIST || b->kind == LANG_LIST)
                   ? "elements of two types; only the compiler judges this"
                   : NULL;
    bool items = a->kind == LANG_LIST || a->kind == LANG_TUPLE || a->kind == LANG_SOME ||
                 a->kind == LANG_OK || a->kind == LANG_ERR;
    if (!items)
        return NULL;
    if (a->kind == LANG_TUPLE && lang_count(a) != lang_count(b))
        return "elements of two types; only the compiler judges this";
    if (a->kind == LANG_LIST && a->copy && b->copy && lang_count(a) != lang_count(b))
        return "arrays of two lengths; only the compiler judges this";
    for (size_t i = 0; i < lang_count(a) && i < lang_count(b); i++) {
        const char *why = lang_unify(&lang_item(a, i)->value, &lang_item(b, i)->value);
        if (why)
            return why;
    }
    return NULL;
}

static lang_flow eval_list(lang_interp *it, const lang_expr *e, lang_value *out)
{
    const lang_type *hint = first_argument(it->hint);
    lang_value list = lang_container(LANG_LIST, !e->vec);
    lang_flow flow = LANG_GO;
    list.items->untyped = e->nitems == 0;
    for (size_t i = 0; !flow && i < e->nitems; i++) {
        lang_value item;
        flow = lang_eval_hinted(it, e->items[i], hint, &item);
        if (!flow && !lang_push(&list, item))
            flow = lang_refuse(it, e->pos,
                               "a list too large or nested too deep for the core");
        if (!flow && i)
            flow = lang_refuse_if(
                it, e->items[i]->pos,
                lang_unify(&lang_item(&list, 0)->value, &lang_item(&list, i)->value));
    }
    /* what the last elements fixed, the first ones learn */
    for (size_t i = 1; !flow && i < e->nitems; i++)
        flow = lang_refuse_if(
            it, e->pos,
            lang_unify(&lang_item(&list, i - 1)->value, &lang_item(&list, i)->value));
    if (flow)
        lang_clear(&list);
    else
        *out = list;
    return flow;
}

static lang_flow eval_tuple(lang_interp *it, const lang_expr *e, lang_value *out)
{
    const lang_type *hint =
        it->hint && it->hint->kind == LANG_TYPE_TUPLE ? it->hint : NULL;
    if (!e->nitems)
        return LANG_GO;
    lang_value tuple = lang_container(LANG_TUPLE, false);
    lang_flow flow = LANG_GO;
    for (size_t i = 0; !flow && i < e->nitems; i++) {
        lang_value item;
        flow = lang_eval_hinted(it, e->items[i],
                                hint && i < hint->nargs ? hint->args[i] : NULL, &item);
        if (!flow && !lang_push(&tuple, item))
            flow = lang_refuse(it, e->pos, "a tuple nested too deep for the core");
    }
    if (flow)
        lang_clear(&tuple);
    else
        *out = tuple;
    return flow;
}

/* [value; count] */
static lang_flow eval_repeat(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_value value, count;
    lang_flow flow = lang_eval_hinted(it, e->a, first_argument(it->hint), &value);
    if (flow)
        return flow;
    flow = lang_eval(it, e->b, &count);
    if (!flow && count.kind != LANG_NUMBER)
        flow = lang_refuse(it, e->b->pos, "a number is expected here");
    if (!flow)
        flow = lang_refuse_if(it, e->b->pos, lang_number_bind(&count.number, LANG_USIZE));
    if (!flow && count.number.i > (lang_wide)LANG_MAX_ITEMS)
        flow = lang_refuse(it, e->pos,
                           "a list too large for the core; make a tensor instead");
    lang_value list = lang_container(LANG_LIST, !e->vec);
    for (lang_wide i = 0; !flow && i < count.number.i; i++) {
        lang_value item;
        flow = lang_refuse_if(it, e->pos, lang_clone(&item, &value));
        if (!flow && !lang_push(&list, item))
            flow = lang_refuse(it, e->pos, "a list nested too deep for the core");
    }
    lang_clear(&value);
    lang_clear(&count);
    if (flow)
        lang_clear(&list);
    else
        *out = list;
    return flow;
}

static lang_flow eval_range(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_value range = lang_container(LANG_RANGE, false), item = lang_unit();
    range.inclusive = e->inclusive;
    lang_flow flow = e->a ? lang_eval(it, e->a, &item) : LANG_GO;
    if (!flow) {
        lang_push(&range, item);
        item = lang_unit();
        flow = e->b ? lang_eval(it, e->b, &item) : LANG_GO;
    }
    if (!flow)
        lang_push(&range, item);
    if (!flow && e->a && e->b)
        flow = lang_refuse_if(
            it, e->pos,
            lang_unify(&lang_item(&range, 0)->value, &lang_item(&range, 1)->value));
    if (flow)
        lang_clear(&range);
    else
        *out = range;
    return flow;
}

static lang_flow eval_try(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_value result;
    lang_flow flow = lang_eval(it, e->a, &result); /* the hint is for the value inside */
    if (flow)
        return flow;
    if (result.kind == LANG_OK || result.kind == LANG_SOME) {
        *out = lang_cell_take(lang_item(&result, 0));
        lang_clear(&result);
        return LANG_GO;
    }
    if (result.kind != LANG_ERR && result.kind != LANG_NONE) {
        lang_clear(&result);
        return lang_refuse(it, e->pos,
                           "`?` on what is no Result; only the compiler judges this");
    }
    lang_clear(&it->returned);
    it->returned = result;
    it->tried = e->pos;
    return LANG_RETURN;
}

static lang_flow eval_number(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_number number = e->number;
    lang_numtype type = lang_number_type(&number);
    lang_flow flow = LANG_GO;
    if (type != LANG_OPEN)
        flow = lang_refuse_if(it, e->pos, lang_number_bind(&number, type));
    *out = flow ? lang_unit() : lang_num(number);
    return flow;
}

static lang_flow eval_value(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_place place;
    it->hint = NULL;
    lang_flow flow = lang_eval_place(it, e, false, &place);
    if (flow)
        return flow;
    flow = lang_use(it, &place, e->pos, out);
    lang_cell_unref(place.cell);
    return flow;
}

static bool keeps_hint(const lang_expr *e)
{
    switch (e->kind) {
    case LANG_EXPR_TRY:
    case LANG_EXPR_CALL:
    case LANG_EXPR_METHOD:
    case LANG_EXPR_BLOCK:
    case LANG_EXPR_IF:
    case LANG_EXPR_ARRAY:
    case LANG_EXPR_REPEAT:
    case LANG_EXPR_TUPLE:
        return true;
    default:
        return false;
    }
}

static lang_flow eval_kind(lang_interp *it, const lang_expr *e, lang_value *out)
{
    switch (e->kind) {
    case LANG_EXPR_NUMBER:
        return eval_number(it, e, out);
    case LANG_EXPR_BOOL:
        *out = lang_bool(e->boolean);
        return LANG_GO;
    case LANG_EXPR_TEXT:
        *out = lang_text(e->text, e->length, true);
        return LANG_GO;
    case LANG_EXPR_PATH:
        return lang_eval_path(it, e, out);
    case LANG_EXPR_UNARY:
        return e->name[0] == '*' ? eval_value(it, e, out) : lang_eval_unary(it, e, out);
    case LANG_EXPR_FIELD:
    case LANG_EXPR_INDEX:
        return eval_value(it, e, out);
    case LANG_EXPR_REF:
        return lang_eval_ref(it, e, false, out);
    case LANG_EXPR_BINARY:
        return lang_eval_binary(it, e, out);
    case LANG_EXPR_ASSIGN:
        return lang_eval_assign(it, e, out);
    case LANG_EXPR_TRY:
        return eval_try(it, e, out);
    case LANG_EXPR_CAST:
        return lang_eval_cast(it, e, out);
    case LANG_EXPR_CALL:
        return lang_eval_call(it, e, out);
    case LANG_EXPR_METHOD:
        return lang_eval_method(it, e, out);
    case LANG_EXPR_RANGE:
        return eval_range(it, e, out);
    case LANG_EXPR_TUPLE:
        return eval_tuple(it, e, out);
    case LANG_EXPR_ARRAY:
        return eval_list(it, e, out);
    case LANG_EXPR_REPEAT:
        return eval_repeat(it, e, out);
    case LANG_EXPR_STRUCT:
        return lang_eval_struct(it, e, out);
    case LANG_EXPR_CLOSURE:
        return lang_eval_closure(it, e, out);
    case LANG_EXPR_FORMAT:
        return lang_eval_format(it, e, out);
    default:
        return lang_eval_control(it, e, out);
    }
}

lang_flow lang_eval(lang_interp *it, const lang_expr *e, lang_value *out)
{
    *out = lang_unit();
    if (it->depth >= LANG_MAX_EVAL_DEPTH)
        return lang_refuse(it, e->pos,
                           "calls and expressions nested too deep for the core");
    if (!keeps_hint(e))
        it->hint = NULL;
    it->depth++;
    lang_flow flow = eval_kind(it, e, out);
    it->depth--;
    it->hint = NULL;
    return flow;
}
