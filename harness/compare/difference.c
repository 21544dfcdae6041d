#include "harness/compare/difference.h"
#include "harness/base/memory.h"
#include "harness/compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 96 /* bytes of a value that a reason quotes */

parity_match parity_differ(const parity_comparison *ask, const char *what,
                           const char *left, const char *right)
{
    const char *texts[2] = {left, right};
    if (what && *what)
        parity_buffer_printf(ask->why, strchr(what, '[') ? "%s: " : "%s ", what);
    for (int side = 0; side < 2; side++) {
        parity_buffer_text(ask->why, side ? " against " : "");
        parity_buffer_text(ask->why, texts[side]);
        if (ask->names[side])
            parity_buffer_printf(ask->why, " (%s)", ask->names[side]);
    }
    return PARITY_DIFFERENT;
}

/* One line, cut after a character where it gets long. */
static void shorten(parity_buffer *text)
{
    for (size_t i = 0; i < text->length; i++)
        if (text->data[i] == '\n' || text->data[i] == '\r')
            text->data[i] = ' ';
    if (text->length <= SHOWN)
        return;
    size_t length = SHOWN;
    while (length && ((unsigned char)text->data[length] & 0xc0) == 0x80)
        length--;
    text->length = length;
    parity_buffer_text(text, "…");
}

static void describe(parity_buffer *out, const parity_style *style,
                     const parity_outcome *outcome, const parity_value *value)
{
    if (value && value->kind == PARITY_VALUE_TENSOR)
        parity_buffer_printf(out, "a tensor %s ",
                             parity_dtype_name(value->tensor->dtype));
    if (value && value->kind == PARITY_VALUE_TEXT)
        style->quoted(out, value->text);
    else if (value && (value->kind != PARITY_VALUE_TENSOR || !value->tensor->hashed))
        parity_style_value(out, style, value, -1);
    else if (!value && outcome->kind == PARITY_VALUE)
        parity_buffer_text(out, "ran through");
    else if (!value) {
        parity_buffer_text(out, parity_outcome_name(outcome->kind));
        if (outcome->type && strcmp(outcome->type, "candle") != 0)
            parity_buffer_printf(out, " %s", outcome->type);
        if (outcome->text && *outcome->text)
            parity_buffer_printf(out, ": %s", outcome->text);
    }
    shorten(out);
}

static parity_match shown_differ(const parity_comparison *ask, const char *what,
                                 const parity_outcome *outcomes[2],
                                 const parity_value *values[2])
{
    parity_buffer texts[2] = {{0}, {0}};
    for (int side = 0; side < 2; side++)
        describe(&texts[side], ask->style[side], outcomes[side], values[side]);
    parity_match match = parity_differ(ask, what, texts[0].data, texts[1].data);
    parity_buffer_free(&texts[0]);
    parity_buffer_free(&texts[1]);
    return match;
}

static parity_match values_differ(const parity_comparison *ask, const char *what,
                                  const parity_value *left, const parity_value *right)
{
    return shown_differ(ask, what, (const parity_outcome *[2]){NULL, NULL},
                        (const parity_value *[2]){left, right});
}

/* Ok(v) and Some(v) stand for v where two languages are compared. */
static const parity_value *stands_for(const parity_value *value)
{
    while ((value->kind == PARITY_VALUE_OK || value->kind == PARITY_VALUE_SOME) &&
           value->nitems == 1)
        value = value->items[0];
    return value;
}

static bool is_failure(const parity_value *value)
{
    return value->kind == PARITY_VALUE_ERR || value->kind == PARITY_VALUE_RAISED;
}

static bool is_number(const parity_value *value)
{
    return value->kind == PARITY_VALUE_INT || value->kind == PARITY_VALUE_FLOAT ||
           value->kind == PARITY_VALUE_MIB;
}

static double number_of(const parity_value *value)
{
    return value->kind == PARITY_VALUE_INT ? strtod(value->text, NULL) : value->number;
}

/* An integer has no rounding and may be longer than a double: the digits are compared. */
static bool integer_is(const parity_value *integer, const parity_value *other)
{
    char digits[400];
    if (other->kind == PARITY_VALUE_INT)
        return strcmp(integer->text, other->text) == 0;
    if (!isfinite(other->number) || other->number != floor(other->number))
        return false;
    snprintf(digits, sizeof digits, "%.0f", other->number);
    return strcmp(integer->text, strcmp(digits, "-0") == 0 ? "0" : digits) == 0;
}

/* Memory is measured by instruments that differ in small change, so MiB count whole. */
static bool whole_equal(double left, double right)
{
    return isfinite(left) && isfinite(right) ? round(left) == round(right)
                                             : left == right;
}

static parity_match match_numbers(const parity_comparison *ask, const parity_value *left,
                                  const parity_value *right)
{
    bool equal;
    if (left->kind == PARITY_VALUE_MIB || right->kind == PARITY_VALUE_MIB)
        equal = whole_equal(number_of(left), number_of(right));
    else if (left->kind == PARITY_VALUE_INT)
        equal = integer_is(left, right);
    else if (right->kind == PARITY_VALUE_INT)
        equal = integer_is(right, left);
    else {
        parity_dtype type = left->dtype == PARITY_F32 || right->dtype == PARITY_F32
                                ? PARITY_F32
                                : PARITY_F64;
        equal = parity_close(left->number, right->number, type, ask->bound,
                             fmax(fabs(left->number), fabs(right->number)));
    }
    return equal ? PARITY_EQUAL : values_differ(ask, NULL, left, right);
}

static parity_match match_items(const parity_comparison *ask, const parity_value *left,
                                const parity_value *right)
{
    if (left->nitems != right->nitems) {
        char texts[2][32];
        snprintf(texts[0], sizeof texts[0], "%zu", left->nitems);
        snprintf(texts[1], sizeof texts[1], "%zu", right->nitems);
        return parity_differ(ask, "number of items", texts[0], texts[1]);
    }
    for (size_t i = 0; i < left->nitems; i++) {
        parity_buffer why = {0};
        parity_comparison inner = *ask;
        inner.why = &why;
        parity_match match = parity_match_values(&inner, left->items[i], right->items[i]);
        if (match != PARITY_EQUAL) {
            if (left->kind == PARITY_VALUE_LIST)
                parity_buffer_printf(ask->why, "item %zu: ", i);
            parity_buffer_add(ask->why, why.data, why.length);
        }
        parity_buffer_free(&why);
        if (match != PARITY_EQUAL)
            return match;
    }
    return PARITY_EQUAL;
}

static parity_match incomparable(const parity_comparison *ask, const char *why)
{
    parity_buffer_text(ask->why, why);
    return PARITY_INCOMPARABLE;
}

bool parity_is_slip(const char *type)
{
    static const char *const types[] = {
        "SyntaxError",    "IndentationError",  "TabError",    "NameError",
        "AttributeError", "UnboundLocalError", "ImportError", "ModuleNotFoundError",
    };
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i]) == 0)
            return true;
    return false;
}

/* What two languages make comparable although the kinds differ. PARITY_DIFFERENT: nothing
 * does. */
static parity_match bridge_kinds(const parity_comparison *ask, const parity_value *left,
                                 const parity_value *right, bool *decided)
{
    /* A Rust () is what a call that only writes gives, whatever Python's gives. Python's
     * None is a value, such as that of a gradient which is not there. */
    bool unit = left->kind == PARITY_VALUE_UNIT ||
                (right->kind == PARITY_VALUE_UNIT && left->kind == PARITY_VALUE_NONE);
    bool failures = is_failure(left) && is_failure(right);
    *decided = true;
    if (failures)
        return PARITY_EQUAL;
    if (is_failure(left) || is_failure(right))
        return values_differ(ask, NULL, left, right);
    if (unit)
        return PARITY_EQUAL;
    if (left->kind == PARITY_VALUE_OTHER || right->kind == PARITY_VALUE_OTHER)
        return incomparable(ask,
                            "what a type of one language prints has no counterpart in "
                            "the other");
    if ((left->kind == PARITY_VALUE_ID) != (right->kind == PARITY_VALUE_ID))
        return incomparable(ask,
                            "an identifier has no counterpart in the other language");
    if (is_number(left) && is_number(right))
        return match_numbers(ask, left, right);
    *decided = false;
    return PARITY_DIFFERENT;
}

static bool same_text(const char *left, const char *right)
{
    return strcmp(left ? left : "", right ? right : "") == 0;
}

static parity_match match_texts(const parity_comparison *ask, const parity_value *left,
                                const parity_value *right)
{
    bool equal = same_text(left->text, right->text) && same_text(left->type, right->type);
    return equal ? PARITY_EQUAL : values_differ(ask, NULL, left, right);
}

static parity_match match_floats(const parity_comparison *ask, const parity_value *left,
                                 const parity_value *right)
{
    if (left->dtype != right->dtype)
        return parity_differ(ask, "type", parity_dtype_name(left->dtype),
                             parity_dtype_name(right->dtype));
    parity_match match = match_numbers(ask, left, right);
    if (match != PARITY_EQUAL)
        parity_add_ulps(ask->why, left->number, right->number, left->dtype);
    return match;
}

static parity_match match_same_kind(const parity_comparison *ask,
                                    const parity_value *left, const parity_value *right)
{
    switch (left->kind) {
    case PARITY_VALUE_UNIT:
    case PARITY_VALUE_NONE:
        return PARITY_EQUAL;
    case PARITY_VALUE_BOOL:
        return left->boolean == right->boolean ? PARITY_EQUAL
                                               : values_differ(ask, NULL, left, right);
    case PARITY_VALUE_FLOAT:
        return match_floats(ask, left, right);
    case PARITY_VALUE_INT:
    case PARITY_VALUE_MIB:
        return match_numbers(ask, left, right);
    case PARITY_VALUE_TENSOR:
        return parity_match_tensors(ask, left->tensor, right->tensor);
    case PARITY_VALUE_LIST:
    case PARITY_VALUE_OK:
    case PARITY_VALUE_SOME:
        return match_items(ask, left, right);
    case PARITY_VALUE_TEXT:
    case PARITY_VALUE_ID:
    case PARITY_VALUE_ERR:
    case PARITY_VALUE_RAISED:
    case PARITY_VALUE_OTHER:
        break;
    }
    return match_texts(ask, left, right);
}

parity_match parity_match_values(const parity_comparison *ask, const parity_value *left,
                                 const parity_value *right)
{
    if (ask->across) {
        bool decided;
        left = stands_for(left);
        right = stands_for(right);
        parity_match match = bridge_kinds(ask, left, right, &decided);
        if (decided)
            return match;
    }
    if (left->kind != right->kind)
        return values_differ(ask, NULL, left, right);
    return match_same_kind(ask, left, right);
}

/* A failure is an outcome (`?` returned Err, an exception) or a value (Err(…), attempt).
 */
static bool failed(const parity_outcome *outcome)
{
    return outcome->kind == PARITY_ERROR ||
           (outcome->kind == PARITY_VALUE && outcome->value &&
            is_failure(stands_for(outcome->value)));
}

/* `right` has failed. */
static bool slipped(const parity_outcome *right)
{
    return parity_is_slip(right->kind == PARITY_ERROR ? right->type
                                                      : stands_for(right->value)->type);
}

static bool same_ending(const parity_outcome *left, const parity_outcome *right)
{
    switch (left->kind) {
    case PARITY_HANG:
        return true;
    case PARITY_REFUSED: /* the code; the text of a compiler is its own */
        return same_text(left->type, right->type);
    default:
        return same_text(left->type, right->type) && same_text(left->text, right->text);
    }
}

parity_match parity_match_outcomes(const parity_comparison *ask,
                                   const parity_outcome *left,
                                   const parity_outcome *right)
{
    const parity_outcome *outcomes[2] = {left, right};
    const parity_value *values[2] = {left->value, right->value};
    if (ask->across && failed(left) && failed(right))
        return slipped(right) ? incomparable(ask, "the Python exception tells of a slip "
                                                  "in the case, not of PyTorch")
                              : PARITY_EQUAL;
    if (left->kind != right->kind || (!left->value) != (!right->value))
        return shown_differ(ask, NULL, outcomes, values);
    if (left->kind == PARITY_VALUE && left->value)
        return parity_match_values(ask, left->value, right->value);
    if (left->kind == PARITY_VALUE || ask->across || same_ending(left, right))
        return PARITY_EQUAL;
    return shown_differ(ask, NULL, outcomes, values);
}

bool parity_same_value(const parity_value *left, const parity_value *right)
{
    parity_buffer why = {0};
    parity_comparison ask = {
        .across = true, .style = {&parity_style_rust, &parity_style_rust}, .why = &why};
    left = stands_for(left);
    right = stands_for(right);
    bool same = left->kind == right->kind &&
                parity_match_values(&ask, left, right) == PARITY_EQUAL;
    parity_buffer_free(&why);
    return same;
}

char *parity_difference(const parity_outcome *left, const parity_outcome *right,
                        parity_relation relation)
{
    parity_buffer why = {0};
    bool across = relation == PARITY_CONTRAST;
    parity_comparison ask = {
        .across = across,
        .style = {&parity_style_rust, across ? &parity_style_python : &parity_style_rust},
        .why = &why};
    if (parity_match_outcomes(&ask, left, right) != PARITY_EQUAL)
        return parity_buffer_take(&why);
    parity_buffer_free(&why);
    return NULL;
}
