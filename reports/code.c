/* The programs of the cases as a page quotes them: between the ANCHOR lines of a name, or
 * whole. ANCHOR lines themselves are left out, and so is the indentation that all lines
 * have. A name may be opened again: its pieces are joined. */
#include "harness/base/memory.h"
#include "reports/digest.h"

#include <stdlib.h>
#include <string.h>

typedef struct piece {
    const char *text;
    size_t length;
} piece;

typedef struct pieces {
    piece *items;
    size_t count;
    size_t capacity;
} pieces;

/* Whether the line is a comment `ANCHOR: name` or `ANCHOR_END: name`. */
static bool marks(const piece *line, const char *word, piece *name)
{
    const char *at = line->text, *end = line->text + line->length;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at < end && *at == '#')
        at++;
    else if (end - at > 1 && at[0] == '/' && at[1] == '/')
        at += 2;
    else
        return false;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    size_t length = strlen(word);
    if ((size_t)(end - at) < length || memcmp(at, word, length) != 0)
        return false;
    for (at += length; at < end && (*at == ' ' || *at == '\t');)
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    *name = (piece){at, (size_t)(end - at)};
    return true;
}

static bool is(const piece *name, const char *anchor)
{
    return name->length == strlen(anchor) &&
           memcmp(name->text, anchor, name->length) == 0;
}

/* The lines to print; returns whether the anchor occurs. */
static bool choose(pieces *out, const char *text, const char *anchor)
{
    bool inside = !anchor, found = !anchor;
    while (*text) {
        piece line = {text, strcspn(text, "\n")}, name;
        text += line.length + (text[line.length] == '\n');
        if (marks(&line, "ANCHOR:", &name)) {
            if (anchor && is(&name, anchor))
                inside = found = true;
        } else if (marks(&line, "ANCHOR_END:", &name)) {
            if (anchor && is(&name, anchor))
                inside = false;
        } else if (inside) {
            PARITY_GROW(out->items, out->count, out->capacity);
            out->items[out->count++] = line;
        }
    }
    return found;
}

static size_t indent_of(const piece *line)
{
    size_t at = 0;
    while (at < line->length && line->text[at] == ' ')
        at++;
    return at == line->length ? SIZE_MAX : at;
}

static void print(parity_buffer *out, const pieces *lines)
{
    size_t indent = SIZE_MAX, first = 0, last = lines->count;
    for (size_t i = 0; i < lines->count; i++)
        if (indent_of(&lines->items[i]) < indent)
            indent = indent_of(&lines->items[i]);
    while (first < last && indent_of(&lines->items[first]) == SIZE_MAX)
        first++;
    while (last > first && indent_of(&lines->items[last - 1]) == SIZE_MAX)
        last--;
    for (size_t i = first; i < last; i++) {
        const piece *line = &lines->items[i];
        if (indent_of(line) != SIZE_MAX)
            parity_buffer_add(out, line->text + indent, line->length - indent);
        parity_buffer_char(out, '\n');
    }
}

static void add_names(parity_buffer *out, const char *text)
{
    while (*text) {
        piece line = {text, strcspn(text, "\n")}, name;
        text += line.length + (text[line.length] == '\n');
        if (marks(&line, "ANCHOR:", &name))
            parity_buffer_printf(out, "%s%.*s", out->length ? ", " : "", (int)name.length,
                                 name.text);
    }
}

static int no_anchor(const parity_result *result, const char *anchor, parity_error *error)
{
    parity_buffer names = {0};
    for (size_t i = 0; i < result->ncases; i++)
        for (int l = 0; l < PARITY_LANGUAGES; l++)
            if (result->cases[i].test->program[l].text)
                add_names(&names, result->cases[i].test->program[l].text);
    parity_fail(error, "no line `ANCHOR: %s` is in the program; there is %s", anchor,
                names.length ? names.data : "none");
    parity_buffer_free(&names);
    return -1;
}

static bool shows_language(const parity_result *result, parity_language language)
{
    for (size_t i = 0; i < result->ncolumns; i++)
        if (report_shows(&result->columns[i]) &&
            result->columns[i].engine->language == language)
            return true;
    return false;
}

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    size_t found = 0;
    for (size_t i = 0; i < result->ncases; i++)
        for (int l = 0; l < PARITY_LANGUAGES; l++) {
            const char *text = result->cases[i].test->program[l].text;
            pieces lines = {0};
            if (!text || !shows_language(result, (parity_language)l))
                continue;
            if (choose(&lines, text, options->anchor)) {
                parity_buffer_text(out, found++ ? "\n" : "");
                print(out, &lines);
            }
            free(lines.items);
        }
    if (!found && options->anchor)
        return no_anchor(result, options->anchor, error);
    return 0;
}

const parity_report parity_report_code = {
    .name = "code",
    .about = "the programs as a page quotes them, whole or by ANCHOR",
    .page = PARITY_PAGE_PROGRAM,
    .keys = "anchor",
    .render = render,
};
