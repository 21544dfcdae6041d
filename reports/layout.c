#include "reports/layout.h"
#include "harness/base/memory.h"
#include "reports/writer.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define BAR    " │ "
#define FOLD   "↪ "
#define PROSE  "  "
#define NARROW 20 /* no side gets fewer cells */

static void add_line(report_lines *lines, const char *text, size_t length,
                     const char *colour)
{
    parity_buffer raw = {0}, plain = {0};
    size_t cell = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '\t') {
            parity_buffer_char(&raw, text[i]);
            cell += ((unsigned char)text[i] & 0xc0) != 0x80;
            continue;
        }
        do
            parity_buffer_char(&raw, ' ');
        while (++cell % 4);
    }
    parity_buffer_text(&plain, "");
    if (raw.length)
        report_plain(&plain, raw.data);
    PARITY_GROW(lines->items, lines->count, lines->capacity);
    lines->items[lines->count++] =
        (report_line){.text = parity_buffer_take(&plain), .colour = colour};
    parity_buffer_free(&raw);
}

void report_lines_add(report_lines *lines, const char *text, const char *colour)
{
    for (;;) {
        size_t length = strcspn(text, "\n");
        add_line(lines, text, length, colour);
        text += length;
        if (!*text || !text[1])
            return;
        text++;
    }
}

void report_lines_add_prose(report_lines *lines, const char *text)
{
    parity_buffer line = {0};
    for (bool more = true; more; more = *text && *++text) {
        size_t length = strcspn(text, "\n");
        line.length = 0;
        parity_buffer_text(&line, PROSE);
        parity_buffer_add(&line, text, length);
        add_line(lines, line.data, line.length, NULL);
        lines->items[lines->count - 1].prose = true;
        text += length;
    }
    parity_buffer_free(&line);
}

/* Of the widest line. */
static size_t width_of(const report_lines *lines)
{
    size_t widest = 0;
    for (size_t i = 0; i < lines->count; i++) {
        size_t width = report_width(lines->items[i].text);
        widest = width > widest ? width : widest;
    }
    return widest;
}

void report_lines_free(report_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->items[i].text);
    free(lines->items);
    *lines = (report_lines){0};
}

static void add_text(const report_screen *s, const char *text, const char *colour)
{
    if (colour)
        report_coloured(s, colour, text);
    else
        parity_buffer_text(s->out, text);
}

void report_lines_print(const report_screen *s, const report_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        const report_line *line = &lines->items[i];
        if (line->prose) {
            report_wrapped(s, strlen(PROSE), line->text + strlen(PROSE));
            continue;
        }
        add_text(s, line->text, line->colour);
        parity_buffer_char(s->out, '\n');
    }
}

/* Bytes of the longest beginning of a text that takes at most `width` cells; at least one
 * character, with the combining ones that belong to it. */
static size_t fitting(const char *text, size_t width)
{
    const char *p = text, *end = text;
    size_t used = 0;
    while (*p) {
        utf8proc_int32_t character;
        utf8proc_ssize_t size =
            utf8proc_iterate((const utf8proc_uint8_t *)p, -1, &character);
        size_t cells = size > 0 ? (size_t)utf8proc_charwidth(character) : 1;
        if (used + cells > width && end > text)
            break;
        used += cells;
        p += size > 0 ? size : 1;
        end = p;
    }
    return (size_t)(end - text);
}

/* Bytes of the beginning that ends before a blank, if it can: not of the indent. */
static size_t whole_words(const char *text, size_t length)
{
    size_t end = length;
    while (end > strlen(PROSE) && text[end] && text[end] != ' ')
        end--;
    return end > strlen(PROSE) ? end : length;
}

/* Lines of at most `width` cells. */
static report_lines folded(const report_lines *lines, size_t width)
{
    report_lines out = {0};
    for (size_t i = 0; i < lines->count; i++) {
        const report_line *line = &lines->items[i];
        const char *text = line->text;
        parity_buffer part = {0};
        do {
            const char *sign = text == line->text ? "" : line->prose ? PROSE : FOLD;
            size_t length = fitting(text, width - report_width(sign));
            if (line->prose)
                length = whole_words(text, length);
            part.length = 0;
            parity_buffer_text(&part, sign);
            parity_buffer_add(&part, text, length);
            add_line(&out, part.data, part.length, line->colour);
            text += length;
            text += line->prose ? strspn(text, " ") : 0;
        } while (*text);
        parity_buffer_free(&part);
    }
    return out;
}

static size_t at_least(size_t number, size_t least)
{
    return number > least ? number : least;
}

void report_lines_beside(const report_screen *s, const report_lines *left,
                         const report_lines *right, size_t width)
{
    size_t bar = report_width(BAR), room = at_least(width, 2 * NARROW + bar) - bar;
    size_t need[2] = {width_of(left), width_of(right)};
    /* Half each, unless one of them needs less. */
    size_t first = need[0] <= room / 2 ? at_least(need[0], NARROW)
                   : need[1] < room / 2
                       ? at_least(room - at_least(need[1], NARROW), NARROW)
                       : room / 2;
    first = first > need[0] ? at_least(need[0], NARROW) : first;
    report_lines sides[2] = {folded(left, first), folded(right, room - first)};
    size_t count = at_least(sides[0].count, sides[1].count);
    for (size_t i = 0; i < count; i++) {
        size_t used = 0;
        if (i < sides[0].count) {
            used = report_width(sides[0].items[i].text);
            add_text(s, sides[0].items[i].text, sides[0].items[i].colour);
        }
        for (; used < first; used++)
            parity_buffer_char(s->out, ' ');
        const char *text = i < sides[1].count ? sides[1].items[i].text : "";
        parity_buffer_text(s->out, *text ? BAR : " │");
        if (*text)
            add_text(s, text, sides[1].items[i].colour);
        parity_buffer_char(s->out, '\n');
    }
    report_lines_free(&sides[0]);
    report_lines_free(&sides[1]);
}

/* Bytes up to where a line may end: behind a word or a wide character. */
static size_t word(const char *text)
{
    const char *p = text;
    while (*p && *p != ' ') {
        utf8proc_int32_t character;
        utf8proc_ssize_t size =
            utf8proc_iterate((const utf8proc_uint8_t *)p, -1, &character);
        bool wide = size > 0 && utf8proc_charwidth(character) == 2;
        if (wide && p > text)
            break;
        p += size > 0 ? size : 1;
        if (wide)
            break;
    }
    /* Punctuation stays with what it follows. */
    static const char *const closing[] = {"，", "。", "；", "：", "、", "）", "？", "！"};
    for (size_t i = 0; i < sizeof closing / sizeof *closing; i++)
        if (p > text && strncmp(p, closing[i], strlen(closing[i])) == 0)
            return (size_t)(p - text) + strlen(closing[i]);
    return (size_t)(p - text);
}

void report_wrapped(const report_screen *s, size_t indent, const char *text)
{
    size_t width = s->options->width > 0 ? (size_t)s->options->width : 80;
    size_t room = at_least(width, indent + NARROW) - indent, used = 0;
    parity_buffer plain = {0}, part = {0};
    report_plain(&plain, text);
    const char *p = plain.data ? plain.data : "";
    for (size_t i = 0; i < indent; i++)
        parity_buffer_char(s->out, ' ');
    while (*p) {
        size_t spaces = strspn(p, " "), length = word(p + spaces);
        if (!length)
            break;
        part.length = 0;
        parity_buffer_add(&part, p + spaces, length);
        size_t cells = report_width(part.data);
        if (used && used + spaces + cells > room) {
            parity_buffer_char(s->out, '\n');
            for (size_t i = 0; i < indent; i++)
                parity_buffer_char(s->out, ' ');
            used = spaces = 0;
        }
        for (size_t i = 0; i < spaces; i++)
            parity_buffer_char(s->out, ' ');
        parity_buffer_add(s->out, part.data, part.length);
        used += spaces + cells;
        p += strspn(p, " ") + length;
    }
    parity_buffer_char(s->out, '\n');
    parity_buffer_free(&plain);
    parity_buffer_free(&part);
}
