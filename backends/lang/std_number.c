/* Methods of numbers. */
#include "backends/lang/interp.h"
#include "backends/lang/std.h"

#include <math.h>
#include <string.h>

/* A number with a type, which Rust wants for a method (E0689). */
static lang_flow typed(lang_interp *it, const lang_method_call *call, lang_number *out)
{
    *out = call->self->cell->value.number;
    if (lang_number_type(out) == LANG_OPEN)
        return lang_refuse(it, call->pos,
                           "a method on a number whose type is not written; only "
                           "the compiler judges this");
    return lang_refuse_if(it, call->pos, lang_number_settle(out));
}

typedef struct float_row {
    const char *name;
    double (*wide)(double);
    float (*narrow)(float);
} float_row;

static const float_row floats[] = {
    {"sqrt", sqrt, sqrtf},    {"exp", exp, expf},    {"ln", log, logf},
    {"sin", sin, sinf},       {"cos", cos, cosf},    {"tanh", tanh, tanhf},
    {"floor", floor, floorf}, {"ceil", ceil, ceilf}, {"round", round, roundf},
    {"trunc", trunc, truncf},
};

static lang_flow float_function(lang_interp *it, const lang_method_call *call,
                                lang_value *out)
{
    lang_number n;
    lang_flow flow = typed(it, call, &n);
    if (flow)
        return flow;
    if (!n.is_float)
        return lang_refuse(it, call->pos, "`%s` of an integer", call->e->name);
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        if (strcmp(floats[i].name, call->e->name) != 0)
            continue;
        double d =
            n.type == LANG_F32 ? (double)floats[i].narrow(n.s) : floats[i].wide(n.d);
        *out = lang_num(lang_number_float(n.type, d));
    }
    return LANG_GO;
}

static lang_flow abs_(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_number n;
    lang_flow flow = typed(it, call, &n);
    if (flow)
        return flow;
    if (n.is_float) {
        *out = lang_num(lang_number_float(n.type, fabs(n.d)));
        return LANG_GO;
    }
    if (!lang_numtype_signed(n.type))
        return lang_refuse(it, call->pos, "abs of an unsigned number");
    if (n.i < 0 && n.i != lang_numtype_min(n.type)) /* the least one wraps to itself */
        n.i = -n.i;
    *out = lang_num(n);
    return LANG_GO;
}

static lang_flow min_max(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_number a, b;
    int order;
    lang_flow flow = typed(it, call, &a);
    if (flow)
        return flow;
    if (call->args[0].kind != LANG_NUMBER)
        return lang_refuse(it, call->pos, "a number is expected here");
    b = call->args[0].number;
    flow = lang_refuse_if(it, call->pos, lang_number_bind(&b, a.type));
    if (!flow)
        flow = lang_refuse_if(it, call->pos, lang_number_compare(&order, a, b));
    if (flow)
        return flow;
    bool wants_less = strcmp(call->e->name, "min") == 0;
    bool first = order == 2 ? !isnan(a.d) : wants_less ? order < 0 : order > 0;
    if (order == 0 && a.is_float && a.d == 0)
        return lang_refuse(it, call->pos,
                           "the sign of the less of two zeros is not defined");
    *out = lang_num(first ? a : b);
    return LANG_GO;
}

/* As compiler-rt computes it: squaring, then once the reciprocal. */
static lang_flow powi(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_number n, e = call->args[0].number;
    lang_flow flow = typed(it, call, &n);
    if (!flow && (!n.is_float || call->args[0].kind != LANG_NUMBER))
        flow = lang_refuse(it, call->pos, "powi of these types");
    if (!flow)
        flow = lang_refuse_if(it, call->pos, lang_number_bind(&e, LANG_I32));
    if (flow)
        return flow;
    double d = 1, base = n.d;
    float s = 1, narrow = n.s;
    for (int32_t k = (int32_t)e.i;;) {
        if (k & 1)
            d *= base, s *= narrow;
        k /= 2;
        if (!k)
            break;
        base *= base, narrow *= narrow;
    }
    if (e.i < 0)
        d = 1 / d, s = 1 / s;
    *out = lang_num(lang_number_float(n.type, n.type == LANG_F32 ? (double)s : d));
    return LANG_GO;
}

static lang_flow pow_(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_number base, result, e = call->args[0].number;
    const char *why = NULL, *panic = NULL;
    lang_flow flow = typed(it, call, &base);
    if (!flow && (base.is_float || call->args[0].kind != LANG_NUMBER))
        flow = lang_refuse(it, call->pos, "pow of these types");
    if (!flow)
        flow = lang_refuse_if(it, call->pos, lang_number_bind(&e, LANG_U32));
    if (flow)
        return flow;
    result = lang_number_int(base.type, 1);
    for (lang_wide k = e.i; k && !why; k >>= 1) {
        if (k & 1)
            why = lang_number_binary(&result, "*", result, base, &panic);
        if (!why)
            why = lang_number_binary(&base, "*", base, base, &panic);
    }
    *out = lang_num(result);
    return lang_refuse_if(it, call->pos, why);
}

/* wrapping_add and its kin: what the operators do in a release build. */
static lang_flow wrapping(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    static const char *const ops[][2] = {{"add", "+"}, {"sub", "-"}, {"mul", "*"}};
    lang_number a;
    lang_flow flow = typed(it, call, &a);
    if (!flow && (a.is_float || call->args[0].kind != LANG_NUMBER))
        flow = lang_refuse(it, call->pos, "`%s` of these types", call->e->name);
    for (size_t i = 0; !flow && i < sizeof ops / sizeof *ops; i++) {
        const char *panic = NULL;
        if (strcmp(ops[i][0], call->e->name + strlen("wrapping_")) != 0)
            continue;
        flow = lang_refuse_if(
            it, call->pos,
            lang_number_binary(&a, ops[i][1], a, call->args[0].number, &panic));
    }
    if (!flow)
        *out = lang_num(a);
    return flow;
}

static lang_flow class_of(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    lang_number n;
    lang_flow flow = typed(it, call, &n);
    if (!flow && !n.is_float)
        flow = lang_refuse(it, call->pos, "`%s` of an integer", call->e->name);
    if (flow)
        return flow;
    *out = lang_bool(strcmp(call->e->name, "is_nan") == 0        ? isnan(n.d)
                     : strcmp(call->e->name, "is_infinite") == 0 ? isinf(n.d)
                                                                 : isfinite(n.d));
    return LANG_GO;
}

static lang_flow to_string(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    core_text text = {0};
    lang_flow flow =
        lang_print(it, call->pos, &text, &call->self->cell->value, false, -1);
    if (!flow)
        *out = lang_text(text.data, text.length, false);
    core_text_free(&text);
    return flow;
}

/* into(): the same number where a Scalar is wanted, or another type that is written. */
static lang_flow into(lang_interp *it, const lang_method_call *call, lang_value *out)
{
    if (call->hint)
        return lang_refuse(it, call->pos,
                           "into() another number type is outside what the core "
                           "interprets");
    lang_number n = call->self->cell->value.number;
    lang_flow flow = lang_refuse_if(it, call->pos, lang_number_settle(&n));
    if (!flow)
        *out = lang_num(n);
    return flow;
}

const lang_method_row lang_number_methods[] = {
    {"sqrt", 0, float_function},
    {"exp", 0, float_function},
    {"ln", 0, float_function},
    {"sin", 0, float_function},
    {"cos", 0, float_function},
    {"tanh", 0, float_function},
    {"floor", 0, float_function},
    {"ceil", 0, float_function},
    {"round", 0, float_function},
    {"trunc", 0, float_function},
    {"abs", 0, abs_},
    {"min", 1, min_max},
    {"max", 1, min_max},
    {"powi", 1, powi},
    {"is_nan", 0, class_of},
    {"is_infinite", 0, class_of},
    {"is_finite", 0, class_of},
    {"to_string", 0, to_string},
    {"pow", 1, pow_},
    {"wrapping_add", 1, wrapping},
    {"wrapping_sub", 1, wrapping},
    {"wrapping_mul", 1, wrapping},
    {"into", 0, into},
    {NULL, 0, NULL},
};

static const lang_method_row *table_of(const lang_value *self)
{
    switch (self->kind) {
    case LANG_OK:
    case LANG_ERR:
        return lang_result_methods;
    case LANG_SOME:
    case LANG_NONE:
        return lang_option_methods;
    case LANG_LIST:
        return lang_list_methods;
    case LANG_TEXT:
    case LANG_ERROR:
        return lang_text_methods;
    case LANG_NUMBER:
        return lang_number_methods;
    case LANG_ITER:
    case LANG_RANGE:
        return lang_iter_methods;
    default:
        return NULL;
    }
}

const lang_method_row *lang_find_std_method(const lang_value *self, const char *name)
{
    for (const lang_method_row *row = table_of(self); row && row->name; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}
