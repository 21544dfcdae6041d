#include "harness/cli/snippet.h"
#include "harness/base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where the last statement of a program begins: behind the last `;`, in Python also the
 * last newline, that is outside brackets and quotes and has something after it. */
static size_t last_statement(const char *text, bool rust)
{
    size_t start = 0;
    int depth = 0;
    char quote = 0;
    for (size_t i = 0; text[i]; i++) {
        char c = text[i];
        if (quote) {
            if (c == '\\' && text[i + 1])
                i++;
            else if (c == quote)
                quote = 0;
        } else if (c == '"') {
            quote = c;
        } else if (strchr("([{", c)) {
            depth++;
        } else if (strchr(")]}", c)) {
            depth--;
        } else if (depth == 0 && (c == ';' || (c == '\n' && !rust))) {
            if (text[i + 1 + strspn(text + i + 1, " \n\t")])
                start = i + 1;
        }
    }
    return start + strspn(text + start, " \t\n");
}

static bool starts_with_word(const char *text, const char *const *words)
{
    for (; *words; words++) {
        size_t length = strlen(*words);
        if (strncmp(text, *words, length) == 0 && !isalnum((unsigned char)text[length]) &&
            text[length] != '_')
            return true;
    }
    return false;
}

/* Whether the text assigns at its top level: `x = …`, `x += …`, but not `f(a=1)` or `a ==
 * b`. */
static bool assigns(const char *text)
{
    int depth = 0;
    for (size_t i = 0; text[i]; i++) {
        if (strchr("([{", text[i]))
            depth++;
        else if (strchr(")]}", text[i]))
            depth--;
        else if (depth == 0 && text[i] == '=' && text[i + 1] != '=' &&
                 (i == 0 || !strchr("=!<>", text[i - 1])))
            return true;
        else if (depth == 0 && text[i] == '=')
            i++;
    }
    return false;
}

static bool is_expression(const char *statement)
{
    static const char *const words[] = {"let",    "use",   "fn",     "struct", "impl",
                                        "for",    "while", "import", "from",   "def",
                                        "class",  "with",  "if",     "del",    "raise",
                                        "return", "pass",  "assert", "try",    NULL};
    size_t length = strlen(statement);
    while (length && isspace((unsigned char)statement[length - 1]))
        length--;
    return length && statement[length - 1] != ';' &&
           !starts_with_word(statement, words) && !assigns(statement);
}

static void block(parity_buffer *out, const char *key, const char *text)
{
    parity_buffer_printf(out, "%s: |2\n", key);
    while (*text) {
        size_t length = strcspn(text, "\n");
        parity_buffer_text(out, "  ");
        parity_buffer_add(out, text, length);
        parity_buffer_char(out, '\n');
        text += length + (text[length] == '\n');
    }
}

/* The program with its last expression bound to `it`. Returns whether there was one. */
static bool bind_last(parity_buffer *out, const char *text, bool rust)
{
    size_t at = last_statement(text, rust);
    if (!is_expression(text + at)) {
        parity_buffer_text(out, text);
        return false;
    }
    parity_buffer_add(out, text, at);
    parity_buffer_text(out, rust ? "let it = " : "it = ");
    parity_buffer_text(out, text + at);
    if (rust)
        parity_buffer_char(out, ';');
    return true;
}

/* A row of an expression, or of what is a row already: `{x}`. */
static void quoted(parity_buffer *out, const char *text, size_t length)
{
    while (length && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    bool braced = length > 1 && text[0] == '{' && text[length - 1] == '}';
    parity_buffer_text(out, braced ? "'" : "'{");
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'')
            parity_buffer_char(out, '\'');
        parity_buffer_char(out, text[i]);
    }
    parity_buffer_text(out, braced ? "'" : "}'");
}

/* `a | b`: the bar that stands alone, so that `x || y` and `a|b` stay what they are. */
static const char *bar(const char *row)
{
    const char *found = strstr(row, " | ");
    return found ? found + 1 : NULL;
}

static void row(parity_buffer *out, size_t number, const char *text, bool torch,
                bool candle)
{
    const char *split = bar(text);
    size_t left = split ? (size_t)(split - text) : strlen(text);
    parity_buffer_printf(out, "  - id: row%zu\n", number);
    if (torch) {
        parity_buffer_text(out, "    torch: ");
        quoted(out, text, left);
        parity_buffer_char(out, '\n');
    }
    if (candle) {
        const char *right = split ? split + 1 : text;
        parity_buffer_text(out, "    candle: ");
        quoted(out, right, strlen(right));
        parity_buffer_char(out, '\n');
    }
}

void snippet_case(parity_buffer *out, const char *torch, const char *candle,
                  const cli_list *rows)
{
    parity_buffer programs[2] = {{0}, {0}};
    bool has_last[2] = {false, false};
    const char *texts[2] = {torch, candle};
    parity_buffer_text(out, "title: snippet\n");
    for (int i = 0; i < 2; i++) {
        if (!texts[i])
            continue;
        if (rows->count)
            parity_buffer_text(&programs[i], texts[i]);
        else
            has_last[i] = bind_last(&programs[i], texts[i], i == 1);
        block(out, i ? "candle" : "torch", programs[i].data ? programs[i].data : "");
        parity_buffer_free(&programs[i]);
    }
    if (rows->count || has_last[0] || has_last[1])
        parity_buffer_text(out, "rows:\n");
    for (size_t i = 0; i < rows->count; i++)
        row(out, i + 1, rows->items[i], torch != NULL, candle != NULL);
    if (!rows->count && (has_last[0] || has_last[1]))
        row(out, 1, "it", has_last[0], has_last[1]);
}
