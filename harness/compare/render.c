#include "harness/compare/render.h"
#include "harness/compare/digits.h"
#include "harness/compare/style.h"

#include <math.h>
#include <string.h>

#define EDGE 3 /* elements shown at each end of a tensor that travelled shortened */

const parity_style *parity_style_of(int language)
{
    return language == PARITY_TORCH ? &parity_style_python : &parity_style_rust;
}

bool parity_printable(utf8proc_int32_t character)
{
    if (character == ' ')
        return true;
    switch (utf8proc_category(character)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS:
        return false;
    default:
        return true;
    }
}

utf8proc_int32_t parity_next_character(const char **text)
{
    utf8proc_int32_t character;
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)*text, -1, &character);
    if (used <= 0) {
        ++*text;
        return 0xfffd;
    }
    *text += used;
    return character;
}

void parity_add_character(parity_buffer *out, utf8proc_int32_t character)
{
    utf8proc_uint8_t bytes[4];
    parity_buffer_add(out, bytes, (size_t)utf8proc_encode_char(character, bytes));
}

/* Both languages go over to an exponent below 1e-4 and from 1e16. */
static void shortest(parity_buffer *out, const parity_style *style, double number,
                     bool single)
{
    parity_digits d = parity_digits_shortest(number, single);
    if (d.negative)
        parity_buffer_char(out, '-');
    if (number != 0 && (d.exponent < -4 || d.exponent >= 16)) {
        parity_buffer_char(out, d.digits[0]);
        if (d.count > 1)
            parity_buffer_printf(out, ".%s", d.digits + 1);
        style->exponent(out, d.exponent);
        return;
    }
    if (d.exponent < 0) {
        parity_buffer_printf(out, "0.%.*s%s", -d.exponent - 1, "0000", d.digits);
        return;
    }
    for (int i = 0; i <= d.exponent; i++)
        parity_buffer_char(out, i < d.count ? d.digits[i] : '0');
    parity_buffer_printf(out, ".%s",
                         d.count > d.exponent + 1 ? d.digits + d.exponent + 1 : "0");
}

void parity_style_float(parity_buffer *out, const parity_style *style, double number,
                        parity_dtype dtype, int decimals)
{
    bool single = dtype == PARITY_F32 || (dtype != PARITY_F64 && style->narrow_halves);
    if (isnan(number))
        parity_buffer_text(out, style->nan);
    else if (isinf(number))
        parity_buffer_text(out, number < 0 ? "-inf" : "inf");
    else if (decimals >= 0)
        parity_buffer_printf(out, "%.*f", decimals, number);
    else
        shortest(out, style, number, single);
}

void parity_render_float(parity_buffer *out, double number, parity_dtype dtype,
                         parity_language language)
{
    parity_style_float(out, parity_style_of(language), number, dtype, -1);
}

static uint64_t unsigned_element(const unsigned char *bytes, size_t size)
{
    uint64_t bits = 0;
    for (size_t i = size; i-- > 0;)
        bits = bits << 8 | bytes[i];
    return bits;
}

static int64_t signed_element(const unsigned char *bytes, size_t size)
{
    uint64_t bits = unsigned_element(bytes, size);
    uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return (int64_t)((bits ^ sign) - sign);
}

void parity_style_element(parity_buffer *out, const parity_style *style,
                          const parity_tensor *tensor, size_t index, int decimals)
{
    size_t size = parity_dtype_size(tensor->dtype);
    const unsigned char *bytes = (const unsigned char *)tensor->bits + index * size;
    switch (parity_dtype_class(tensor->dtype)) {
    case PARITY_CLASS_BOOL:
        parity_buffer_text(out, *bytes ? style->yes : style->no);
        break;
    case PARITY_CLASS_UINT:
        parity_buffer_printf(out, "%llu",
                             (unsigned long long)unsigned_element(bytes, size));
        break;
    case PARITY_CLASS_INT:
        parity_buffer_printf(out, "%lld", (long long)signed_element(bytes, size));
        break;
    case PARITY_CLASS_FLOAT:
        parity_style_float(out, style, parity_dtype_to_double(tensor->dtype, bytes),
                           tensor->dtype, decimals);
        break;
    }
}

static void nested(parity_buffer *out, const parity_style *style,
                   const parity_tensor *tensor, size_t axis, size_t *next, int decimals)
{
    if (axis == tensor->rank) {
        parity_style_element(out, style, tensor, (*next)++, decimals);
        return;
    }
    parity_buffer_char(out, '[');
    for (int64_t i = 0; i < tensor->shape[axis]; i++) {
        if (i)
            parity_buffer_text(out, ", ");
        nested(out, style, tensor, axis + 1, next, decimals);
    }
    parity_buffer_char(out, ']');
}

static void shortened(parity_buffer *out, const parity_style *style,
                      const parity_tensor *tensor, int decimals)
{
    size_t kept = tensor->nbytes / parity_dtype_size(tensor->dtype);
    parity_buffer_char(out, '[');
    for (size_t i = 0; i < EDGE; i++) {
        parity_style_element(out, style, tensor, i, decimals);
        parity_buffer_text(out, ", ");
    }
    parity_buffer_text(out, "…");
    for (size_t i = kept - EDGE; i < kept; i++) {
        parity_buffer_text(out, ", ");
        parity_style_element(out, style, tensor, i, decimals);
    }
    parity_buffer_text(out, "] (shortened, shape [");
    for (size_t i = 0; i < tensor->rank; i++)
        parity_buffer_printf(out, "%s%lld", i ? ", " : "", (long long)tensor->shape[i]);
    parity_buffer_text(out, "])");
}

static void add_tensor(parity_buffer *out, const parity_style *style,
                       const parity_tensor *tensor, int decimals)
{
    size_t next = 0;
    if (tensor->hashed)
        shortened(out, style, tensor, decimals);
    else
        nested(out, style, tensor, 0, &next, decimals);
}

static void add_items(parity_buffer *out, const parity_style *style, const char *before,
                      const parity_value *value, const char *after, int decimals)
{
    parity_buffer_text(out, before);
    for (size_t i = 0; i < value->nitems; i++) {
        if (i)
            parity_buffer_text(out, ", ");
        if (value->items[i]->kind == PARITY_VALUE_TEXT)
            style->quoted(out, value->items[i]->text);
        else
            parity_style_value(out, style, value->items[i], decimals);
    }
    parity_buffer_text(out, after);
}

/* The name of the exception and its first line in double quotes, whatever the text
 * contains. */
static void add_raised(parity_buffer *out, const parity_value *value)
{
    parity_buffer_printf(out, "%s(", value->type);
    parity_style_rust.quoted(out, value->text);
    parity_buffer_char(out, ')');
}

void parity_style_value(parity_buffer *out, const parity_style *style,
                        const parity_value *value, int decimals)
{
    switch (value->kind) {
    case PARITY_VALUE_UNIT:
        parity_buffer_text(out, style->unit);
        break;
    case PARITY_VALUE_BOOL:
        parity_buffer_text(out, value->boolean ? style->yes : style->no);
        break;
    case PARITY_VALUE_FLOAT:
        parity_style_float(out, style, value->number, value->dtype, decimals);
        break;
    case PARITY_VALUE_MIB:
        parity_style_float(out, style, value->number, PARITY_F64, decimals);
        break;
    case PARITY_VALUE_ID:
        parity_buffer_printf(out, "TensorId(%s)", value->text);
        break;
    case PARITY_VALUE_INT:
    case PARITY_VALUE_TEXT:
    case PARITY_VALUE_OTHER:
        parity_buffer_text(out, value->text);
        break;
    case PARITY_VALUE_TENSOR:
        add_tensor(out, style, value->tensor, decimals);
        break;
    case PARITY_VALUE_LIST:
        add_items(out, style, "[", value, "]", decimals);
        break;
    case PARITY_VALUE_OK:
        add_items(out, style, "Ok(", value, ")", decimals);
        break;
    case PARITY_VALUE_SOME:
        add_items(out, style, "Some(", value, ")", decimals);
        break;
    case PARITY_VALUE_NONE:
        parity_buffer_text(out, "None");
        break;
    case PARITY_VALUE_ERR:
        parity_buffer_text(out, "Err(");
        style->quoted(out, value->text);
        parity_buffer_char(out, ')');
        break;
    case PARITY_VALUE_RAISED:
        add_raised(out, value);
        break;
    }
}

/* An outcome without a value: <panic: text>, on one line. */
static void add_ending(parity_buffer *out, const parity_outcome *outcome)
{
    const char *name = parity_outcome_name(outcome->kind);
    parity_buffer_char(out, '<');
    for (; *name; name++)
        parity_buffer_char(out, *name == '_' ? ' ' : *name);
    if (outcome->type && *outcome->type && strcmp(outcome->type, "candle") != 0)
        parity_buffer_printf(out, ": %s", outcome->type);
    if (outcome->text && *outcome->text) {
        parity_buffer_text(out, ": ");
        for (const char *p = outcome->text; *p; p++)
            parity_buffer_char(out, *p == '\n' || *p == '\r' ? ' ' : *p);
    }
    parity_buffer_char(out, '>');
}

void parity_render_outcome(parity_buffer *out, const parity_outcome *outcome,
                           parity_language language, int decimals)
{
    const parity_style *style = parity_style_of(language);
    if (outcome->kind != PARITY_VALUE)
        add_ending(out, outcome);
    else if (outcome->value)
        parity_style_value(out, style, outcome->value, decimals);
    else
        parity_buffer_text(out, style->unit);
}

void parity_render_row(parity_buffer *out, const parity_case *test, size_t row,
                       parity_language language, const parity_run *run)
{
    static const parity_outcome missing = {.kind = PARITY_NOT_REACHED};
    const parity_template *text = &test->rows[row].text[language];
    for (size_t i = 0; i < text->npieces; i++) {
        const parity_piece *piece = &text->pieces[i];
        if (piece->literal) {
            parity_buffer_text(out, piece->literal);
            continue;
        }
        const parity_outcome *outcome =
            piece->observe < run->nobserved ? &run->observed[piece->observe] : &missing;
        parity_render_outcome(out, outcome, language,
                              test->observe[language][piece->observe].decimals);
    }
}
