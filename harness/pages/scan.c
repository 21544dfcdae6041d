/* Finds the regions of a page, line by line. */
#include "harness/pages/region.h"

#include <stdlib.h>
#include <string.h>

typedef struct line {
    const char *text; /* without its end */
    size_t length;
    size_t start, end; /* bytes of the page, with its end */
    int number;
} line;

typedef struct scanner {
    parity_page *page;
    parity_region *open; /* NULL outside of regions */
    /* The code block that is open: its character, 0 outside, and what closes it. */
    char fence;
    size_t fence_length;
    size_t fence_quotes;
    bool example; /* its text is Markdown or HTML */
    parity_error *error;
} scanner;

static int column_of(const line *l, size_t at)
{
    int column = 1;
    for (size_t i = 0; i < at; i++)
        column += ((unsigned char)l->text[i] & 0xc0) != 0x80;
    return column;
}

static bool next_line(const parity_page *page, line *l)
{
    if (l->end >= page->length)
        return false;
    const char *from = page->text + l->end;
    const char *newline = memchr(from, '\n', page->length - l->end);
    size_t whole = newline ? (size_t)(newline - from) + 1 : page->length - l->end;
    *l = (line){from, whole - (newline ? 1 : 0), l->end, l->end + whole, l->number + 1};
    if (newline && l->length && from[l->length - 1] == '\r')
        l->length--;
    return true;
}

/* Bytes of a line that belong to quotes and lists around its text. */
static size_t container(const line *l, size_t *quotes)
{
    size_t at = 0;
    *quotes = 0;
    for (;;) {
        while (at < l->length && (l->text[at] == ' ' || l->text[at] == '\t'))
            at++;
        size_t mark = at;
        if (at < l->length && l->text[at] == '>') {
            ++*quotes;
            at++;
            continue;
        }
        while (mark < l->length && l->text[mark] >= '0' && l->text[mark] <= '9')
            mark++;
        bool item =
            mark < l->length && (mark > at ? strchr(".)", l->text[mark]) != NULL
                                           : strchr("-*+", l->text[mark]) != NULL);
        if (!item || mark + 1 >= l->length || l->text[mark + 1] != ' ')
            return at;
        at = mark + 1;
    }
}

/* The prefix of the lines that follow: the quotes stay, the signs of a list are blanks.
 */
static const char *prefix_of(parity_page *page, const line *l, size_t length)
{
    char *prefix = parity_arena_strndup(page->arena, l->text, length);
    for (char *c = prefix; *c; c++)
        if (*c != '>' && *c != '\t')
            *c = ' ';
    return prefix;
}

static bool example_of(const char *info, size_t length)
{
    static const char *const names[] = {"markdown", "md", "html"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (length >= strlen(names[i]) &&
            strncmp(info, names[i], strlen(names[i])) == 0 &&
            (length == strlen(names[i]) || strchr(" \t{,", info[strlen(names[i])])))
            return true;
    return false;
}

static void follow_fence(scanner *s, const line *l)
{
    size_t quotes, at = container(l, &quotes), run = at;
    if (s->fence && quotes < s->fence_quotes)
        s->fence = 0;
    char c = at < l->length ? l->text[at] : 0;
    while (run < l->length && l->text[run] == c)
        run++;
    if ((c != '`' && c != '~') || run - at < 3)
        return;
    size_t rest = run;
    while (rest < l->length && (l->text[rest] == ' ' || l->text[rest] == '\t'))
        rest++;
    if (s->fence) {
        if (c == s->fence && run - at >= s->fence_length && rest == l->length)
            s->fence = 0;
        return;
    }
    if (c == '`' && memchr(l->text + rest, '`', l->length - rest))
        return;
    s->fence = c;
    s->fence_length = run - at;
    s->fence_quotes = quotes;
    s->example = example_of(l->text + rest, l->length - rest);
}

static int at_line(scanner *s, const line *l, size_t at, const char *message)
{
    parity_pos pos = {l->number, column_of(l, at)};
    return parity_fail_at(s->error, s->page->file, pos, "%s", message);
}

/* Where `<!--`, blanks and `word` begin in the line, or its length. `behind` is the byte
 * behind the word. */
static size_t find_marker(const line *l, const char *word, size_t *behind)
{
    for (size_t at = 0; at + 4 <= l->length; at++) {
        if (memcmp(l->text + at, "<!--", 4) != 0)
            continue;
        size_t to = at + 4;
        while (to < l->length && (l->text[to] == ' ' || l->text[to] == '\t'))
            to++;
        if (l->length - to >= strlen(word) &&
            memcmp(l->text + to, word, strlen(word)) == 0) {
            *behind = to + strlen(word);
            return at;
        }
    }
    return l->length;
}

/* A marker between backticks is text about markers. */
static bool in_code_span(const line *l, size_t at)
{
    size_t before = 0, after = 0;
    for (size_t i = 0; i < l->length; i++)
        if (l->text[i] == '`')
            ++*(i < at ? &before : &after);
    return before % 2 == 1 && after > 0;
}

static bool blank_between(const line *l, size_t at, size_t end)
{
    while (at < end && (l->text[at] == ' ' || l->text[at] == '\t'))
        at++;
    return at >= end;
}

/* The byte of `-->` at or behind `at`, or the length of the line. */
static size_t comment_end(const line *l, size_t at)
{
    for (; at + 3 <= l->length; at++)
        if (memcmp(l->text + at, "-->", 3) == 0)
            return at;
    return l->length;
}

static int open_region(scanner *s, const line *l, size_t at, size_t words)
{
    parity_page *page = s->page;
    size_t quotes, end = comment_end(l, words);
    parity_pos pos = {l->number, column_of(l, at)};
    if (s->open)
        return parity_fail_at(
            s->error, page->file, pos,
            "a region inside the one of line %d; <!-- /parity --> ends a "
            "region",
            s->open->pos.line);
    if (at != container(l, &quotes))
        return at_line(s, l, at, "a marker stands on a line of its own");
    if (end == l->length)
        return at_line(s, l, at, "a marker ends on its line, with -->");
    if (!blank_between(l, end + 3, l->length))
        return at_line(s, l, end + 3, "nothing may stand behind a marker");
    PARITY_GROW(page->regions, page->count, page->capacity);
    s->open = &page->regions[page->count++];
    *s->open = (parity_region){
        .pos = pos,
        .prefix = prefix_of(page, l, at),
        .eol = l->start + l->length + 2 == l->end ? "\r\n" : "\n",
        .in_block = s->fence != 0,
        .marker = l->start + at,
        .marker_end = l->start + end + 3,
        .body = l->end,
    };
    return parity_marker_read(page, s->open, l->text + words, end - words,
                              (parity_pos){l->number, column_of(l, words)}, s->error);
}

static int close_region(scanner *s, const line *l, size_t at, size_t behind)
{
    size_t quotes, end = comment_end(l, behind);
    if (!s->open)
        return at_line(s, l, at, "no region is open here");
    if (at != container(l, &quotes) || end == l->length ||
        !blank_between(l, behind, end) || !blank_between(l, end + 3, l->length))
        return at_line(s, l, at, "<!-- /parity --> stands on a line of its own");
    s->open->body_end = l->start;
    s->open = NULL;
    return 0;
}

static int take_line(scanner *s, const line *l)
{
    size_t behind = 0;
    if (!s->open)
        follow_fence(s, l);
    if (s->fence && s->example)
        return 0;
    size_t at = find_marker(l, "/parity", &behind);
    if (at < l->length && !(in_code_span(l, at) && !s->fence))
        return close_region(s, l, at, behind);
    at = find_marker(l, "parity:", &behind);
    if (at < l->length && !(in_code_span(l, at) && !s->fence))
        return open_region(s, l, at, behind);
    return 0;
}

int parity_page_scan(parity_page *page, const char *file, const char *text, size_t length,
                     parity_error *error)
{
    *page = (parity_page){
        .file = file, .text = text, .length = length, .arena = parity_arena_new()};
    scanner s = {.page = page, .error = error};
    bool bom = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    line l = {.end = bom ? 3 : 0};
    while (next_line(page, &l))
        if (take_line(&s, &l))
            return -1;
    if (s.open)
        return parity_fail_at(error, file, s.open->pos,
                              "this region is not closed with <!-- /parity -->");
    return 0;
}

void parity_page_free(parity_page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        free(page->regions[i].cases.items);
        for (int key = 0; key < PARITY_KEYS; key++)
            free(page->regions[i].value[key].items);
    }
    free(page->regions);
    parity_arena_free(page->arena);
    *page = (parity_page){0};
}
