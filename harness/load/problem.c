/* Problems of case files: collecting and printing them. */
#include "harness/load/source.h"
#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Characters of a line shown with a problem, and how many of them stand before the caret
 * when the line is longer. */
enum { SHOWN = 120, SHOWN_BEFORE = 60 };

/* One code point; an invalid byte counts as one character and comes out as U+FFFD. */
static size_t next_point(const char *text, size_t length, utf8proc_int32_t *point)
{
    utf8proc_ssize_t n =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, point);
    if (n > 0)
        return (size_t)n;
    *point = 0xFFFD;
    return 1;
}

static void add_point(parity_buffer *out, utf8proc_int32_t point)
{
    utf8proc_category_t category = utf8proc_category(point);
    if (point != '\t' &&
        (category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP))
        point = 0xFFFD;
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t n = utf8proc_encode_char(point, bytes);
    parity_buffer_add(out, bytes, (size_t)n);
}

/* A message may quote a text whose escapes stand for control characters. */
static void add_text(parity_buffer *out, const char *text)
{
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        utf8proc_int32_t point;
        at += next_point(text + at, length - at, &point);
        add_point(out, point);
    }
}

/* The line of a place, cut around it, and where in it the caret goes. */
static char *cut_line(const parity_source *source, parity_pos pos, int *caret)
{
    size_t at = source->lines[pos.line - 1];
    size_t end = at;
    while (end < source->length && source->text[end] != '\n')
        end++;
    if (end > at && source->text[end - 1] == '\r')
        end--;
    parity_buffer out = {0};
    int first = pos.column > SHOWN - SHOWN_BEFORE ? pos.column - SHOWN_BEFORE : 1;
    *caret = pos.column - first;
    if (first > 1) {
        parity_buffer_text(&out, "…");
        *caret += 1;
    }
    int column = 1;
    for (; at < end && column < first + SHOWN; column++) {
        utf8proc_int32_t point;
        at += next_point(source->text + at, end - at, &point);
        if (column >= first)
            add_point(&out, point);
    }
    if (at < end)
        parity_buffer_text(&out, "…");
    return parity_buffer_take(&out);
}

static size_t problems_of(const parity_suite *suite, const char *file)
{
    size_t count = 0;
    while (count < suite->nproblems &&
           strcmp(suite->problems[suite->nproblems - 1 - count].file, file) == 0)
        count++;
    return count;
}

/* Takes `message` and `line`. */
static void append(parity_suite *suite, const char *file, parity_pos pos, char *message,
                   char *line, int caret)
{
    size_t count = problems_of(suite, file);
    bool drop = count >= PARITY_PROBLEM_LIMIT;
    for (size_t i = 0; i < count && !drop; i++) {
        const parity_problem *p = &suite->problems[suite->nproblems - 1 - i];
        drop = p->pos.line == pos.line && p->pos.column == pos.column &&
               strcmp(p->message, message) == 0;
    }
    if (!drop) {
        PARITY_GROW(suite->problems, suite->nproblems, suite->problems_capacity);
        suite->problems[suite->nproblems++] =
            (parity_problem){parity_strdup(file), pos, message, line, caret};
        return;
    }
    free(message);
    free(line);
}

void parity_problem_addv(parity_suite *suite, parity_source *source, size_t offset,
                         const char *format, va_list args)
{
    parity_buffer message = {0};
    parity_buffer_vprintf(&message, format, args);
    parity_pos pos = parity_source_pos(source, offset);
    int caret = 0;
    char *line = cut_line(source, pos, &caret);
    append(suite, source->file, pos, parity_buffer_take(&message), line, caret);
}

void parity_problem_add(parity_suite *suite, parity_source *source, size_t offset,
                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    parity_problem_addv(suite, source, offset, format, args);
    va_end(args);
}

void parity_problem_file(parity_suite *suite, const char *file, const char *format, ...)
{
    parity_buffer message = {0};
    va_list args;
    va_start(args, format);
    parity_buffer_vprintf(&message, format, args);
    va_end(args);
    append(suite, file, (parity_pos){0, 0}, parity_buffer_take(&message), NULL, 0);
}

/* Blanks as wide as the characters before the caret; tabs stay tabs. */
static void print_caret(parity_buffer *out, const parity_problem *problem)
{
    const char *text = problem->line;
    size_t length = strlen(text);
    size_t at = 0;
    for (int i = 0; i < problem->caret; i++) {
        utf8proc_int32_t point = ' ';
        if (at < length)
            at += next_point(text + at, length - at, &point);
        int width = utf8proc_charwidth(point);
        if (point == '\t')
            parity_buffer_char(out, '\t');
        for (; point != '\t' && width > 0; width--)
            parity_buffer_char(out, ' ');
    }
    parity_buffer_text(out, "^\n");
}

void parity_problem_print(parity_buffer *out, const parity_problem *problem)
{
    parity_buffer_text(out, problem->file);
    if (problem->pos.line > 0)
        parity_buffer_printf(out, ":%d:%d", problem->pos.line, problem->pos.column);
    parity_buffer_text(out, ": ");
    add_text(out, problem->message);
    parity_buffer_char(out, '\n');
    if (problem->line == NULL)
        return;
    parity_buffer_printf(out, "    %s\n    ", problem->line);
    print_caret(out, problem);
}
