/* Functions and constants that a program has at hand: those of Parity's prelude, and what
 * Rust's own has that is no method. */
#include "backends/lang/interp.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const lang_value *tensor_behind(const lang_value *value)
{
    const lang_value *v = lang_behind(value);
    bool tensor = v && v->kind == LANG_CORE &&
                  (v->core.kind == CORE_KIND_TENSOR || v->core.kind == CORE_KIND_VAR);
    return tensor && value->kind == LANG_REF ? v : NULL;
}

static lang_flow take_first(lang_value *args, lang_value *out, lang_kind wrap)
{
    *out = lang_wrap(wrap, args[0]);
    args[0] = lang_unit();
    return LANG_GO;
}

static lang_flow some(lang_interp *it, parity_pos pos, lang_value *args, size_t nargs,
                      lang_value *out)
{
    (void)it, (void)pos, (void)nargs;
    return take_first(args, out, LANG_SOME);
}

static lang_flow ok(lang_interp *it, parity_pos pos, lang_value *args, size_t nargs,
                    lang_value *out)
{
    (void)it, (void)pos, (void)nargs;
    return take_first(args, out, LANG_OK);
}

static lang_flow err(lang_interp *it, parity_pos pos, lang_value *args, size_t nargs,
                     lang_value *out)
{
    (void)it, (void)pos, (void)nargs;
    return take_first(args, out, LANG_ERR);
}

static lang_flow drop(lang_interp *it, parity_pos pos, lang_value *args, size_t nargs,
                      lang_value *out)
{
    (void)it, (void)pos, (void)nargs, (void)out;
    lang_clear(&args[0]);
    return LANG_GO;
}

/* std::hint::black_box hides a value from the optimiser, which there is none of here. */
static lang_flow black_box(lang_interp *it, parity_pos pos, lang_value *args,
                           size_t nargs, lang_value *out)
{
    (void)it, (void)pos, (void)nargs;
    *out = args[0];
    args[0] = lang_unit();
    return LANG_GO;
}

static lang_flow host_value(lang_interp *it, parity_pos pos, lang_value *args,
                            size_t nargs, lang_value *out)
{
    parity_value *copy;
    const lang_value *tensor = tensor_behind(&args[0]);
    (void)nargs;
    if (!tensor)
        return lang_refuse(it, pos, "value() takes a &Tensor");
    lang_flow flow = lang_read_tensor(it, pos, tensor->core.tensor, &copy);
    if (flow)
        return flow;
    copy->tensor->host = true;
    *out = (lang_value){.kind = LANG_HOST};
    out->host = parity_alloc(sizeof *out->host);
    *out->host = (lang_host){1, copy};
    return LANG_GO;
}

/* shares() looks at both under their read locks, one after the other. */
static lang_flow shares(lang_interp *it, parity_pos pos, lang_value *args, size_t nargs,
                        lang_value *out)
{
    const void *memory[2];
    (void)nargs;
    for (size_t i = 0; i < 2; i++) {
        core_error error;
        core_storage_guard *guard;
        const lang_value *tensor = tensor_behind(&args[i]);
        if (!tensor)
            return lang_refuse(it, pos, "shares() takes two &Tensor");
        core_context_at(it->context, pos.line, pos.column);
        if (core_tensor_guard(it->context, &guard, tensor->core.tensor, &error) !=
            CORE_OK)
            return lang_core_stop(it, pos, &error);
        memory[i] = core_tensor_memory(tensor->core.tensor);
        core_storage_guard_free(guard);
    }
    *out = lang_bool(memory[0] == memory[1]);
    return LANG_GO;
}

static lang_flow measure(lang_interp *it, parity_pos pos, lang_value *args, size_t nargs,
                         lang_value *out)
{
    lang_value value;
    (void)nargs;
    uint64_t before = core_context_bytes(it->context);
    lang_flow flow = lang_call_value(it, pos, &args[0], NULL, 0, &value);
    if (flow)
        return flow;
    double mib = (double)(core_context_bytes(it->context) - before) / (1 << 20);
    *out = lang_container(LANG_TUPLE, false);
    bool fits = lang_push(out, value);
    lang_push(out, (lang_value){.kind = LANG_MIB, .mib = mib});
    if (fits)
        return LANG_GO;
    lang_clear(out);
    return lang_refuse(it, pos, "a value nested too deep for the core");
}

/* A panic in the closure becomes an error with its message. */
static lang_flow attempt(lang_interp *it, parity_pos pos, lang_value *args, size_t nargs,
                         lang_value *out)
{
    (void)nargs;
    lang_flow flow = lang_call_value(it, pos, &args[0], NULL, 0, out);
    if (flow != LANG_STOP || it->cancelled || it->ends.kind != PARITY_PANIC)
        return flow;
    *out = lang_wrap(LANG_ERR, lang_error_text(it->ends.text));
    parity_outcome_clear(&it->ends);
    return LANG_GO;
}

static lang_flow peak_rss(lang_interp *it, parity_pos pos, lang_value *args, size_t nargs,
                          lang_value *out)
{
    (void)args, (void)nargs, (void)out;
    return lang_refuse(it, pos,
                       "the core has no resident set of its own to measure; measure() "
                       "counts the bytes it asks for");
}

static lang_flow new_vec(lang_interp *it, parity_pos pos, lang_value *args, size_t nargs,
                         lang_value *out)
{
    lang_flow flow = LANG_GO;
    if (nargs > 1)
        return lang_refuse(it, pos, "too many arguments");
    if (nargs)
        flow =
            args[0].kind == LANG_NUMBER
                ? lang_refuse_if(it, pos, lang_number_bind(&args[0].number, LANG_USIZE))
                : lang_refuse(it, pos, "a number is expected here");
    if (!flow)
        *out = lang_container(LANG_LIST, false);
    if (!flow)
        out->items->untyped = true;
    return flow;
}

static lang_flow new_text(lang_interp *it, parity_pos pos, lang_value *args, size_t nargs,
                          lang_value *out)
{
    const lang_value *text = nargs ? lang_behind(&args[0]) : NULL;
    if (nargs && (!text || text->kind != LANG_TEXT))
        return lang_refuse(it, pos, "a text is expected here");
    *out = text ? lang_text(text->text.data, text->text.length, false)
                : lang_text("", 0, false);
    return LANG_GO;
}

static lang_flow error_msg(lang_interp *it, parity_pos pos, lang_value *args,
                           size_t nargs, lang_value *out)
{
    core_text text = {0};
    (void)nargs;
    lang_flow flow = lang_print(it, pos, &text, &args[0], false, -1);
    if (!flow)
        *out = lang_error_text(text.data ? text.data : "");
    core_text_free(&text);
    return flow;
}

/* candle_core::scalar::Scalar::F32(x): a number of that type. */
static lang_flow scalar(lang_interp *it, parity_pos pos, lang_value *args, size_t nargs,
                        lang_value *out, lang_numtype type)
{
    (void)nargs;
    if (args[0].kind != LANG_NUMBER)
        return lang_refuse(it, pos, "a number is expected here");
    lang_flow flow = lang_refuse_if(it, pos, lang_number_bind(&args[0].number, type));
    if (!flow)
        *out = args[0];
    args[0] = lang_unit();
    return flow;
}

#define SCALAR(name, type)                                                               \
    static lang_flow name(lang_interp *it, parity_pos pos, lang_value *args,             \
                          size_t nargs, lang_value *out)                                 \
    {                                                                                    \
        return scalar(it, pos, args, nargs, out, type);                                  \
    }
SCALAR(scalar_u8, LANG_U8)
SCALAR(scalar_u32, LANG_U32)
SCALAR(scalar_i16, LANG_I16)
SCALAR(scalar_i32, LANG_I32)
SCALAR(scalar_i64, LANG_I64)
SCALAR(scalar_f32, LANG_F32)
SCALAR(scalar_f64, LANG_F64)

static const lang_builtin_row builtins[] = {
    {"scalar::Scalar::U8", 1, scalar_u8},
    {"scalar::Scalar::U32", 1, scalar_u32},
    {"scalar::Scalar::I16", 1, scalar_i16},
    {"scalar::Scalar::I32", 1, scalar_i32},
    {"scalar::Scalar::I64", 1, scalar_i64},
    {"scalar::Scalar::F32", 1, scalar_f32},
    {"scalar::Scalar::F64", 1, scalar_f64},
    {"Some", 1, some},
    {"Ok", 1, ok},
    {"Err", 1, err},
    {"drop", 1, drop},
    {"mem::drop", 1, drop},
    {"hint::black_box", 1, black_box},
    {"value", 1, host_value},
    {"shares", 2, shares},
    {"measure", 1, measure},
    {"attempt", 1, attempt},
    {"peak_rss", 1, peak_rss},
    {"Vec::new", 0, new_vec},
    {"Vec::with_capacity", 1, new_vec},
    {"String::new", 0, new_text},
    {"String::from", 1, new_text},
    {"Error::msg", 1, error_msg},
    {"Error::Msg", 1, error_msg},
};

const lang_builtin_row *lang_find_builtin(const char *path)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (strcmp(builtins[i].name, path) == 0)
            return &builtins[i];
    return NULL;
}

typedef struct constant_row {
    const char *name;
    double wide;
    float narrow;
} constant_row;

static const constant_row constants[] = {
    {"MAX", DBL_MAX, FLT_MAX},
    {"MIN", -DBL_MAX, -FLT_MAX},
    {"MIN_POSITIVE", DBL_MIN, FLT_MIN},
    {"EPSILON", DBL_EPSILON, FLT_EPSILON},
    {"INFINITY", INFINITY, INFINITY},
    {"NEG_INFINITY", -INFINITY, -INFINITY},
    {"NAN", NAN, NAN},
    {"consts::PI", 3.14159265358979323846, 3.14159265358979323846f},
    {"consts::E", 2.71828182845904523536, 2.71828182845904523536f},
    {"consts::LN_2", 0.69314718055994530942, 0.69314718055994530942f},
    {"consts::SQRT_2", 1.41421356237309504880, 1.41421356237309504880f},
};

static bool int_constant(lang_numtype type, const char *name, lang_value *out)
{
    bool max = strcmp(name, "MAX") == 0;
    if (!max && strcmp(name, "MIN") != 0 && strcmp(name, "BITS") != 0)
        return false;
    *out = strcmp(name, "BITS") == 0
               ? lang_num(lang_number_int(LANG_U32, lang_numtype_bits(type)))
               : lang_num(lang_number_int(type, max ? lang_numtype_max(type)
                                                    : lang_numtype_min(type)));
    return true;
}

bool lang_find_constant(const char *path, lang_value *out)
{
    char type_name[8];
    const char *colon = strstr(path, "::");
    if (!colon || (size_t)(colon - path) >= sizeof type_name)
        return false;
    snprintf(type_name, sizeof type_name, "%.*s", (int)(colon - path), path);
    lang_numtype type = lang_numtype_from_name(type_name);
    if (type == LANG_OPEN)
        return false;
    if (!lang_numtype_float(type))
        return int_constant(type, colon + 2, out);
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (strcmp(constants[i].name, colon + 2) != 0)
            continue;
        *out = lang_num(lang_number_float(
            type, type == LANG_F32 ? (double)constants[i].narrow : constants[i].wide));
        return true;
    }
    return false;
}
