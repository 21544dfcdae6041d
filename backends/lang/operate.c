/* Operators on numbers, texts and tensors; comparisons; casts. */
#include "backends/lang/interp.h"

#include <string.h>

static bool is_core(const lang_value *value, core_kind kind)
{
    return value && value->kind == LANG_CORE && value->core.kind == kind;
}

/* &Tensor, Tensor, or a Result of one of them. */
static bool is_tensor_operand(const lang_value *value)
{
    const lang_value *v = lang_behind(value);
    if (is_core(v, CORE_KIND_TENSOR))
        return true;
    if (v != value || (v->kind != LANG_OK && v->kind != LANG_ERR))
        return false;
    if (v->kind == LANG_ERR)
        return lang_item(v, 0)->value.kind == LANG_ERROR;
    return is_core(lang_behind(&lang_item(v, 0)->value), CORE_KIND_TENSOR);
}

/* What candle implements its operators for (tensor.rs, bin_trait!). */
static const char *check_operands(lang_value *a, lang_value *b)
{
    static const char none[] =
        "candle has no such operator for these types; only the compiler "
        "judges this";
    bool ta = is_tensor_operand(a), tb = is_tensor_operand(b);
    bool ra = a->kind == LANG_OK || a->kind == LANG_ERR;
    bool rb = b->kind == LANG_OK || b->kind == LANG_ERR;
    if (ta && tb)
        return ra && rb ? none : NULL;
    lang_value *number = ta ? b : a;
    if ((!ta && !tb) || number->kind != LANG_NUMBER || !number->number.is_float || ra ||
        rb)
        return none;
    return lang_number_bind(&number->number, LANG_F64);
}

static lang_flow operate_tensors(lang_interp *it, char op, parity_pos pos, lang_value *a,
                                 lang_value *b, lang_value *out)
{
    lang_lent lent = {0};
    core_error error;
    core_value lhs, rhs, result = {0};
    const char *why = check_operands(a, b);
    if (!why)
        why = lang_lend(&lent, &lhs, a);
    if (!why)
        why = lang_lend(&lent, &rhs, b);
    lang_flow flow = lang_refuse_if(it, pos, why);
    if (!flow) {
        core_context_at(it->context, pos.line, pos.column);
        core_status status = core_operator(it->context, &result, op, &lhs, &rhs, &error);
        if (status == CORE_OK)
            *out = lang_wrap(LANG_OK, lang_from_core(result, false));
        else if (status == CORE_ERROR)
            *out = lang_wrap(LANG_ERR, lang_error_text(error.text));
        else
            flow = lang_core_stop(it, pos, &error);
    }
    lang_lent_free(&lent);
    return flow;
}

static lang_flow operate_numbers(lang_interp *it, const char *op, parity_pos pos,
                                 const lang_value *a, const lang_value *b,
                                 lang_value *out)
{
    lang_number result;
    const char *panic = NULL;
    const char *why = lang_number_binary(&result, op, a->number, b->number, &panic);
    if (why)
        return lang_refuse(it, pos, "%s", why);
    if (panic)
        return lang_panic(it, pos, "%s", panic);
    *out = lang_num(result);
    return LANG_GO;
}

static lang_flow operate_bools(lang_interp *it, const char *op, parity_pos pos, bool a,
                               bool b, lang_value *out)
{
    if (!strchr("&|^", *op))
        return lang_refuse(it, pos, "`%s` on bools; only the compiler judges this", op);
    *out = lang_bool(*op == '&' ? (a && b) : *op == '|' ? (a || b) : a != b);
    return LANG_GO;
}

lang_flow lang_operate(lang_interp *it, const char *op, parity_pos pos, lang_value a,
                       lang_value b, lang_value *out)
{
    const lang_value *va = lang_behind(&a), *vb = lang_behind(&b);
    lang_flow flow;
    *out = lang_unit();
    if (!va || !vb)
        flow = lang_refuse(it, pos, "a reference to what was moved or dropped");
    else if (va->kind == LANG_NUMBER && vb->kind == LANG_NUMBER)
        flow = operate_numbers(it, op, pos, va, vb, out);
    else if (va->kind == LANG_BOOL && vb->kind == LANG_BOOL)
        flow = operate_bools(it, op, pos, va->boolean, vb->boolean, out);
    else if (strlen(op) == 1 && strchr("+-*/", *op) &&
             (is_tensor_operand(&a) || is_tensor_operand(&b)))
        flow = operate_tensors(it, *op, pos, &a, &b, out);
    else
        flow = lang_refuse(it, pos, "`%s` on %s and %s; only the compiler judges this",
                           op, lang_type_name(va), lang_type_name(vb));
    lang_clear(&a);
    lang_clear(&b);
    return flow;
}

static int compare_texts(const lang_value *a, const lang_value *b)
{
    size_t shorter = a->text.length < b->text.length ? a->text.length : b->text.length;
    int order = shorter ? memcmp(a->text.data, b->text.data, shorter) : 0;
    if (!order && a->text.length != b->text.length)
        order = a->text.length < b->text.length ? -1 : 1;
    return order < 0 ? -1 : order > 0;
}

static lang_flow compare_core(lang_interp *it, parity_pos pos, const core_value *a,
                              const core_value *b, int *order)
{
    *order = 2;
    if (a->kind == CORE_KIND_DTYPE && b->kind == a->kind)
        *order = a->dtype == b->dtype ? 0 : 2;
    else if (a->kind == CORE_KIND_ID && b->kind == a->kind)
        *order = a->id == b->id ? 0 : 2;
    else if (a->kind == CORE_KIND_SHAPE && b->kind == a->kind)
        *order = a->shape->rank == b->shape->rank &&
                         memcmp(a->shape->dims, b->shape->dims,
                                a->shape->rank * sizeof *a->shape->dims) == 0
                     ? 0
                     : 2;
    else
        return lang_refuse(it, pos,
                           "comparing %s and %s is outside what the core interprets",
                           core_kind_name(a->kind), core_kind_name(b->kind));
    return LANG_GO;
}

static lang_flow compare_items(lang_interp *it, parity_pos pos, const lang_value *a,
                               const lang_value *b, int *order)
{
    size_t count = lang_count(a) < lang_count(b) ? lang_count(a) : lang_count(b);
    *order = 0;
    for (size_t i = 0; i < count && !*order; i++) {
        lang_flow flow = lang_compare(it, pos, &lang_item(a, i)->value,
                                      &lang_item(b, i)->value, order);
        if (flow)
            return flow;
    }
    if (!*order && lang_count(a) != lang_count(b))
        *order = lang_count(a) < lang_count(b) ? -1 : 1;
    return LANG_GO;
}

lang_flow lang_compare(lang_interp *it, parity_pos pos, const lang_value *a,
                       const lang_value *b, int *order)
{
    a = lang_behind(a);
    b = lang_behind(b);
    if (!a || !b)
        return lang_refuse(it, pos, "a reference to what was moved or dropped");
    bool option = (a->kind == LANG_SOME || a->kind == LANG_NONE) &&
                  (b->kind == LANG_SOME || b->kind == LANG_NONE);
    if (option && a->kind != b->kind) {
        *order = a->kind == LANG_NONE ? -1 : 1;
        return LANG_GO;
    }
    if (a->kind != b->kind)
        return lang_refuse(it, pos, "comparing %s and %s; only the compiler judges this",
                           lang_type_name(a), lang_type_name(b));
    *order = 0;
    switch (a->kind) {
    case LANG_UNIT:
    case LANG_NONE:
        return LANG_GO;
    case LANG_BOOL:
        *order = (int)a->boolean - (int)b->boolean;
        return LANG_GO;
    case LANG_NUMBER:
        return lang_refuse_if(it, pos, lang_number_compare(order, a->number, b->number));
    case LANG_TEXT:
        *order = compare_texts(a, b);
        return LANG_GO;
    case LANG_CORE:
        return compare_core(it, pos, &a->core, &b->core, order);
    case LANG_LIST:
    case LANG_TUPLE:
    case LANG_SOME:
        return compare_items(it, pos, a, b, order);
    default:
        return lang_refuse(it, pos, "comparing %s is outside what the core interprets",
                           lang_type_name(a));
    }
}

static bool ordered(const lang_value *value)
{
    value = lang_behind(value);
    return value && (value->kind == LANG_NUMBER || value->kind == LANG_TEXT ||
                     value->kind == LANG_BOOL || value->kind == LANG_LIST);
}

static lang_flow eval_comparison(lang_interp *it, const lang_expr *e, lang_value *out)
{
    /* operands are borrowed, not used up; numbers and bools are read before the right
     * side can change them */
    lang_place a, b;
    int order = 0;
    lang_flow flow = lang_eval_place(it, e->a, false, &a);
    if (!flow)
        flow = lang_keep_scalar(it, &a);
    if (flow)
        return flow;
    flow = lang_eval_place(it, e->b, false, &b);
    if (flow) {
        lang_cell_unref(a.cell);
        return flow;
    }
    const char *op = e->name;
    bool equality = op[0] == '=' || op[0] == '!';
    if (a.cell->state != LANG_LIVE || b.cell->state != LANG_LIVE)
        flow = lang_refuse(it, e->pos, "a value that was moved or dropped");
    else if (!equality && !(ordered(&a.cell->value) && ordered(&b.cell->value)))
        flow = lang_refuse(it, e->pos,
                           "`%s` on these types; only the compiler judges this", op);
    else
        flow = lang_compare(it, e->pos, &a.cell->value, &b.cell->value, &order);
    lang_cell_unref(a.cell);
    lang_cell_unref(b.cell);
    if (flow)
        return flow;
    bool less = order == -1, equal = order == 0, more = order == 1;
    *out = lang_bool(op[0] == '='            ? equal
                     : op[0] == '!'          ? !equal
                     : strcmp(op, "<") == 0  ? less
                     : strcmp(op, "<=") == 0 ? less || equal
                     : strcmp(op, ">") == 0  ? more
                                             : more || equal);
    return LANG_GO;
}

static lang_flow eval_lazy(lang_interp *it, const lang_expr *e, lang_value *out)
{
    bool is_and = e->name[0] == '&';
    lang_flow flow = lang_eval_alone(it, e->a, out);
    if (flow)
        return flow;
    if (out->kind == LANG_BOOL && out->boolean == is_and) {
        flow = lang_eval_alone(it, e->b, out);
        e->region->ran = true;
    } else {
        lang_pass_over(it, e->region);
    }
    if (!flow && out->kind != LANG_BOOL) {
        lang_clear(out);
        flow = lang_refuse(it, e->pos, "a bool is expected here");
    }
    return flow;
}

lang_flow lang_eval_binary(lang_interp *it, const lang_expr *e, lang_value *out)
{
    const char *op = e->name;
    if (strcmp(op, "&&") == 0 || strcmp(op, "||") == 0)
        return eval_lazy(it, e, out);
    bool shift = strcmp(op, "<<") == 0 || strcmp(op, ">>") == 0;
    if (!shift && strchr("=!<>", *op))
        return eval_comparison(it, e, out);
    lang_value a, b;
    lang_flow flow = lang_eval(it, e->a, &a);
    if (flow)
        return flow;
    flow = lang_eval(it, e->b, &b);
    if (flow) {
        lang_clear(&a);
        return flow;
    }
    return lang_operate(it, op, e->pos, a, b, out);
}

lang_flow lang_eval_unary(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_value a;
    lang_number number;
    lang_flow flow = lang_eval(it, e->a, &a);
    if (flow)
        return flow;
    const lang_value *v = lang_behind(&a);
    bool minus = e->name[0] == '-';
    if (v && v->kind == LANG_NUMBER) {
        flow = lang_refuse_if(it, e->pos,
                              minus ? lang_number_negate(&number, v->number)
                                    : lang_number_not(&number, v->number));
        if (!flow)
            *out = lang_num(number);
    } else if (v && v->kind == LANG_BOOL && !minus) {
        *out = lang_bool(!v->boolean);
    } else {
        flow = lang_refuse(it, e->pos, "`%s` on %s; only the compiler judges this",
                           e->name, v ? lang_type_name(v) : "what was moved");
    }
    lang_clear(&a);
    return flow;
}

lang_flow lang_eval_cast(lang_interp *it, const lang_expr *e, lang_value *out)
{
    lang_value a;
    lang_number number;
    lang_flow flow = lang_eval(it, e->a, &a);
    if (flow)
        return flow;
    lang_numtype type = e->type->kind == LANG_TYPE_PATH
                            ? lang_numtype_from_name(e->type->name)
                            : LANG_OPEN;
    if (type != LANG_OPEN && a.kind == LANG_BOOL && !lang_numtype_float(type))
        a = lang_num(lang_number_int(LANG_U8, a.boolean));
    bool typed = a.kind == LANG_NUMBER && lang_number_type(&a.number) != LANG_OPEN;
    bool literal = e->a->kind == LANG_EXPR_NUMBER && a.kind == LANG_NUMBER && !typed &&
                   a.number.is_float == lang_numtype_float(type);
    if (literal && type != LANG_OPEN) /* `0.1 as f32` is an f32 from the start */
        flow = lang_refuse_if(it, e->pos, lang_number_bind(&a.number, type));
    if (flow) {
        lang_clear(&a);
        return flow;
    }
    if (type == LANG_OPEN || a.kind != LANG_NUMBER)
        flow = lang_refuse(it, e->pos,
                           "casting %s to this type; only the compiler judges this",
                           lang_type_name(&a));
    else
        flow = lang_refuse_if(it, e->pos, lang_number_cast(&number, a.number, type));
    if (!flow)
        *out = lang_num(number);
    lang_clear(&a);
    return flow;
}
