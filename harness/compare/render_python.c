/* Python's repr, checked against CPython 3.11. */
#include "harness/compare/style.h"

#include <string.h>

static void exponent(parity_buffer *out, int power)
{
    parity_buffer_printf(out, "e%c%02d", power < 0 ? '-' : '+',
                         power < 0 ? -power : power);
}

static void escaped(parity_buffer *out, utf8proc_int32_t c, char quote)
{
    if (c == quote || c == '\\')
        parity_buffer_printf(out, "\\%c", (char)c);
    else if (c == '\n')
        parity_buffer_text(out, "\\n");
    else if (c == '\r')
        parity_buffer_text(out, "\\r");
    else if (c == '\t')
        parity_buffer_text(out, "\\t");
    else if (parity_printable(c))
        parity_add_character(out, c);
    else if (c <= 0xff)
        parity_buffer_printf(out, "\\x%02x", (unsigned)c);
    else if (c <= 0xffff)
        parity_buffer_printf(out, "\\u%04x", (unsigned)c);
    else
        parity_buffer_printf(out, "\\U%08x", (unsigned)c);
}

static void quoted(parity_buffer *out, const char *text)
{
    char quote = strchr(text, '\'') && !strchr(text, '"') ? '"' : '\'';
    parity_buffer_char(out, quote);
    while (*text)
        escaped(out, parity_next_character(&text), quote);
    parity_buffer_char(out, quote);
}

const parity_style parity_style_python = {
    .yes = "True",
    .no = "False",
    .unit = "None",
    .nan = "nan",
    .narrow_halves = false,
    .exponent = exponent,
    .quoted = quoted,
};
