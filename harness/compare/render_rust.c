/* Rust's {:?}, checked against rustc 1.95. */
#include "harness/compare/style.h"

static void exponent(parity_buffer *out, int power)
{
    parity_buffer_printf(out, "e%d", power);
}

static bool extends_grapheme(utf8proc_int32_t character)
{
    return utf8proc_get_property(character)->boundclass == UTF8PROC_BOUNDCLASS_EXTEND &&
           utf8proc_category(character) != UTF8PROC_CATEGORY_SK;
}

static void quoted(parity_buffer *out, const char *text)
{
    parity_buffer_char(out, '"');
    while (*text) {
        utf8proc_int32_t c = parity_next_character(&text);
        if (c == '"' || c == '\\')
            parity_buffer_printf(out, "\\%c", (char)c);
        else if (c == '\n')
            parity_buffer_text(out, "\\n");
        else if (c == '\r')
            parity_buffer_text(out, "\\r");
        else if (c == '\t')
            parity_buffer_text(out, "\\t");
        else if (!parity_printable(c) || extends_grapheme(c))
            parity_buffer_printf(out, "\\u{%x}", (unsigned)c);
        else
            parity_add_character(out, c);
    }
    parity_buffer_char(out, '"');
}

const parity_style parity_style_rust = {
    .yes = "true",
    .no = "false",
    .unit = "()",
    .nan = "NaN",
    .narrow_halves = true,
    .exponent = exponent,
    .quoted = quoted,
};
