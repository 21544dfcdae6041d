#include "backends/lang/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char wrong_types[] =
    "numbers of two types meet here; only the compiler judges this";
static const char too_late[] = "the type of this number follows from a later line than "
                               "the core needs it; write its suffix";
static const char not_run[] =
    "the type of a number may follow from code that did not run; write its suffix";
static const char out_of_range[] = "a number out of the range of its type";

static bool fits(lang_numtype type, lang_wide value)
{
    return value >= lang_numtype_min(type) && value <= lang_numtype_max(type);
}

/* The low bits of `value`, read as `type`. */
static lang_wide wrap(lang_numtype type, lang_wide value)
{
    lang_wide range = (lang_wide)1 << lang_numtype_bits(type);
    value = value & (range - 1);
    return value > lang_numtype_max(type) ? value - range : value;
}

lang_number lang_number_int(lang_numtype type, lang_wide value)
{
    return (lang_number){.type = type, .i = value};
}

lang_number lang_number_float(lang_numtype type, double value)
{
    lang_number n = {.is_float = true, .type = type, .d = value, .s = (float)value};
    if (type == LANG_F32)
        n.d = (double)n.s;
    return n;
}

static lang_infer *root(lang_infer *infer)
{
    while (infer->same)
        infer = infer->same;
    return infer;
}

lang_numtype lang_number_type(const lang_number *number)
{
    if (number->type != LANG_OPEN || !number->infer)
        return number->type;
    return root(number->infer)->type;
}

const char *lang_number_literal(lang_number *out, lang_infer *infer, const char *digits,
                                const char *suffix, bool is_float)
{
    *out = (lang_number){.is_float = is_float, .infer = infer};
    if (suffix) {
        out->infer = NULL;
        out->type = lang_numtype_from_name(suffix);
        if (out->type == LANG_OPEN || (is_float && !lang_numtype_float(out->type)))
            return "a suffix that Rust does not know here";
        out->is_float = lang_numtype_float(out->type);
    }
    if (out->is_float) {
        out->d = strtod(digits, NULL);
        out->s = strtof(digits, NULL);
        if (out->type == LANG_F32)
            out->d = (double)out->s;
        return isinf(out->d) ? out_of_range : NULL;
    }
    int base = digits[0] != '0'   ? 10
               : digits[1] == 'x' ? 16
               : digits[1] == 'o' ? 8
               : digits[1] == 'b' ? 2
                                  : 10;
    if (base != 10)
        digits += 2;
    if (!*digits)
        return "a number without digits";
    for (const char *p = digits; *p; p++) {
        int digit = *p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10;
        out->i = out->i * base + digit;
        if (out->i > (lang_wide)UINT64_MAX)
            return out_of_range;
    }
    return NULL;
}

/* The value counts for its type: it must hold it whatever it turns out to be. */
static void note_range(lang_infer *infer, lang_wide value)
{
    infer->low = value < infer->low ? value : infer->low;
    infer->high = value > infer->high ? value : infer->high;
}

/* Takes over a type that has become known. */
static const char *adopt(lang_number *number)
{
    lang_numtype type = lang_number_type(number);
    if (type == LANG_OPEN)
        return NULL;
    number->type = type;
    if (!number->is_float)
        return fits(type, number->i) ? NULL : out_of_range;
    if (type == LANG_F32) {
        if (isinf(number->s) && !isinf(number->d))
            return out_of_range;
        number->d = (double)number->s;
    }
    return NULL;
}

const char *lang_number_bind(lang_number *number, lang_numtype type)
{
    if (number->is_float != lang_numtype_float(type))
        return wrong_types;
    lang_numtype now = lang_number_type(number);
    if (now == LANG_OPEN) {
        lang_infer *infer = root(number->infer);
        if (!number->is_float && !(fits(type, infer->low) && fits(type, infer->high)))
            return out_of_range;
        infer->type = type;
    } else if (now != type) {
        return number->type == LANG_OPEN || number->infer ? too_late : wrong_types;
    }
    return adopt(number);
}

const char *lang_infer_doubtful(const lang_infer *infer)
{
    for (const lang_doubt *doubt = infer->doubts; doubt; doubt = doubt->next)
        if (!doubt->region->ran)
            return not_run;
    return NULL;
}

lang_infer *lang_number_doubt(lang_number *number, lang_doubt *doubt,
                              const lang_region *region)
{
    lang_infer *infer = number->infer ? root(number->infer) : NULL;
    if (!infer || (infer->type != LANG_OPEN && !infer->settled))
        return NULL;
    *doubt = (lang_doubt){infer->doubts, region};
    infer->doubts = doubt;
    return infer->settled || infer->used ? infer : NULL;
}

const char *lang_number_settle(lang_number *number)
{
    if (lang_number_type(number) != LANG_OPEN)
        return adopt(number);
    lang_infer *infer = root(number->infer);
    const char *why = lang_infer_doubtful(infer);
    if (why)
        return why;
    infer->settled = true;
    return lang_number_bind(number, number->is_float ? LANG_F64 : LANG_I32);
}

/* The value of an integer whose type is open is looked at. It is the same in every type
 * unless a result on the way there may have wrapped in a narrower one than i32. */
static const char *use_open(lang_infer *infer)
{
    if (infer->low >= 0 && infer->high <= lang_numtype_max(LANG_I8))
        return NULL;
    infer->used = true;
    return lang_infer_doubtful(infer);
}

const char *lang_number_show(lang_number *number)
{
    if (number->is_float || lang_number_type(number) != LANG_OPEN)
        return lang_number_settle(number);
    return fits(LANG_I32, number->i) ? use_open(root(number->infer))
                                     : lang_number_settle(number);
}

static void join(lang_infer *a, lang_infer *b)
{
    if (a == b)
        return;
    a->same = b;
    lang_doubt **last = &b->doubts;
    while (*last)
        last = &(*last)->next;
    *last = a->doubts;
    b->low = a->low < b->low ? a->low : b->low;
    b->high = a->high > b->high ? a->high : b->high;
    b->used = a->used || b->used;
}

const char *lang_number_unify(lang_number *a, lang_number *b)
{
    if (a->is_float != b->is_float)
        return wrong_types;
    lang_numtype ta = lang_number_type(a), tb = lang_number_type(b);
    if (ta == LANG_OPEN && tb == LANG_OPEN) {
        join(root(a->infer), root(b->infer));
        return NULL;
    }
    const char *why = ta == LANG_OPEN ? lang_number_bind(a, tb) : lang_number_bind(b, ta);
    if (!why)
        why = adopt(a);
    return why ? why : adopt(b);
}

/* Float to integer as Rust's `as`: towards zero, saturating, NaN to 0. */
static lang_wide saturate(lang_numtype type, double value)
{
    if (isnan(value))
        return 0;
    double whole = trunc(value);
    if (whole <= (double)lang_numtype_min(type))
        return lang_numtype_min(type);
    if (whole >= (double)lang_numtype_max(type))
        return lang_numtype_max(type);
    return (lang_wide)whole;
}

/* A result that i32 cannot hold has wrapped unless a later line gives another type. */
static const char *note_result(lang_infer *infer, lang_wide value)
{
    note_range(infer, value);
    return fits(LANG_I32, value) ? NULL : too_late;
}

/* Is the result the same whether the open type of `value` becomes f32 or f64? */
static bool cast_is_the_same(const lang_number *value, lang_numtype type)
{
    double narrow = (double)value->s;
    if (!lang_numtype_float(type))
        return saturate(type, value->d) == saturate(type, narrow);
    return type == LANG_F32 ? (float)value->d == value->s : value->d == narrow;
}

const char *lang_number_cast(lang_number *out, lang_number value, lang_numtype type)
{
    const char *why = NULL;
    if (lang_number_type(&value) != LANG_OPEN ||
        (value.is_float && !cast_is_the_same(&value, type)))
        why = lang_number_settle(&value);
    else if (!value.is_float)
        why = use_open(root(value.infer));
    if (why)
        return why;
    if (value.is_float && lang_numtype_float(type)) {
        *out = lang_number_float(type, value.d);
    } else if (value.is_float) {
        *out = lang_number_int(type, saturate(type, value.d));
    } else if (lang_numtype_float(type)) {
        *out = lang_number_float(type, (double)value.i);
        out->s = (float)value.i;
        if (type == LANG_F32)
            out->d = (double)out->s;
    } else {
        *out = lang_number_int(type, wrap(type, value.i));
    }
    return NULL;
}

static const char *float_binary(lang_number *out, char op, lang_number a, lang_number b)
{
    switch (op) {
    case '+':
        out->d = a.d + b.d, out->s = a.s + b.s;
        break;
    case '-':
        out->d = a.d - b.d, out->s = a.s - b.s;
        break;
    case '*':
        out->d = a.d * b.d, out->s = a.s * b.s;
        break;
    case '/':
        out->d = a.d / b.d, out->s = a.s / b.s;
        break;
    case '%':
        out->d = fmod(a.d, b.d), out->s = fmodf(a.s, b.s);
        break;
    default:
        return wrong_types;
    }
    if (out->type == LANG_F32)
        out->d = (double)out->s;
    return NULL;
}

static const char *divide(lang_wide *out, char op, lang_numtype type, lang_wide a,
                          lang_wide b, const char **panic)
{
    bool rest = op == '%';
    if (b == 0) {
        *panic = rest ? "attempt to calculate the remainder with a divisor of zero"
                      : "attempt to divide by zero";
        return NULL;
    }
    if (type != LANG_OPEN && lang_numtype_signed(type) && b == -1 &&
        a == lang_numtype_min(type)) {
        *panic = rest ? "attempt to calculate the remainder with overflow"
                      : "attempt to divide with overflow";
        return NULL;
    }
    *out = rest ? a % b : a / b;
    return NULL;
}

static const char *shift(lang_number *out, bool left, lang_number a, lang_number b)
{
    const char *why = NULL;
    /* every integer type has eight bits: short shifts do not depend on it */
    bool open = lang_number_type(&a) == LANG_OPEN && b.i >= 0 && b.i < 8;
    if (!open)
        why = lang_number_settle(&a);
    if (!why && lang_number_type(&b) != LANG_OPEN)
        why = adopt(&b);
    if (why)
        return why;
    /* a release build masks the count */
    unsigned count = open ? (unsigned)b.i
                          : (unsigned)(b.i & (lang_wide)(lang_numtype_bits(a.type) - 1));
    lang_wide shifted = left ? a.i * ((lang_wide)1 << count) : a.i >> count;
    *out = a;
    out->i = open ? shifted : wrap(a.type, shifted);
    return open ? note_result(root(a.infer), shifted) : NULL;
}

static const char *int_binary(lang_number *out, char op, lang_number a, lang_number b,
                              const char **panic)
{
    /* Bits of an integer whose type is open do not depend on it, but for its sign. */
    lang_wide wide = 0;
    switch (op) {
    case '+':
        wide = a.i + b.i;
        break;
    case '-':
        wide = a.i - b.i;
        break;
    case '*':
        if (__builtin_mul_overflow(a.i, b.i,
                                   &wide)) /* two u64 may exceed 128 signed bits */
            wide = (lang_wide)((uint64_t)a.i * (uint64_t)b.i);
        break;
    case '&':
        wide = a.i & b.i;
        break;
    case '|':
        wide = a.i | b.i;
        break;
    case '^':
        wide = a.i ^ b.i;
        break;
    default: {
        const char *why = divide(&wide, op, out->type, a.i, b.i, panic);
        if (why || *panic)
            return why;
        if (out->type == LANG_OPEN && b.i == -1) /* or it would have panicked */
            why = note_result(root(out->infer), -a.i);
        if (why)
            return why;
    }
    }
    if (out->type != LANG_OPEN) {
        out->i = wrap(out->type, wide);
        return NULL;
    }
    out->i = wide;
    return note_result(root(out->infer), wide);
}

const char *lang_number_binary(lang_number *out, const char *op, lang_number a,
                               lang_number b, const char **panic)
{
    *panic = NULL;
    bool shifts = strcmp(op, "<<") == 0 || strcmp(op, ">>") == 0;
    if (shifts && (a.is_float || b.is_float))
        return wrong_types;
    if (shifts)
        return shift(out, *op == '<', a, b);
    const char *why = lang_number_unify(&a, &b);
    if (why)
        return why;
    *out = a;
    return a.is_float ? float_binary(out, *op, a, b) : int_binary(out, *op, a, b, panic);
}

const char *lang_number_negate(lang_number *out, lang_number a)
{
    const char *why = adopt(&a);
    if (why)
        return why;
    *out = a;
    out->d = -a.d;
    out->s = -a.s;
    out->i = -a.i;
    if (a.is_float)
        return NULL;
    if (a.type == LANG_OPEN)
        return fits(LANG_I32, out->i) ? NULL : too_late;
    if (!lang_numtype_signed(a.type))
        return "a minus before an unsigned number; only the compiler judges this";
    out->i = wrap(a.type, out->i);
    return NULL;
}

const char *lang_number_not(lang_number *out, lang_number a)
{
    const char *why = a.is_float ? wrong_types : lang_number_settle(&a);
    if (!why)
        *out = lang_number_int(a.type, wrap(a.type, ~a.i));
    return why;
}

static int order(double a, double b)
{
    return isnan(a) || isnan(b) ? 2 : a < b ? -1 : a > b;
}

const char *lang_number_compare(int *out, lang_number a, lang_number b)
{
    const char *why = lang_number_unify(&a, &b);
    if (why)
        return why;
    if (!a.is_float) {
        *out = a.i < b.i ? -1 : a.i > b.i;
        return lang_number_type(&a) == LANG_OPEN ? use_open(root(a.infer)) : NULL;
    }
    *out = order(a.d, b.d);
    if (a.type == LANG_OPEN && *out != order((double)a.s, (double)b.s)) {
        why = lang_number_settle(&a);
        if (!why)
            why = lang_number_settle(&b);
    }
    return why;
}
