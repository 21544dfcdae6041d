#include "harness/pages/body.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static size_t longest_run(const char *text, char c)
{
    size_t longest = 0, run = 0;
    for (; *text; text++) {
        run = *text == c ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static bool holds_marker(const char *text)
{
    for (const char *at = text; (at = strstr(at, "<!--")) != NULL; at += 4) {
        const char *word = at + 4 + strspn(at + 4, " \t");
        if (strncmp(word, "parity:", 7) == 0 || strncmp(word, "/parity", 7) == 0)
            return true;
    }
    return false;
}

/* The lines of a text, without the empty ones at its end. */
static void add_lines(parity_buffer *out, const char *text)
{
    size_t length = strlen(text);
    while (length && (text[length - 1] == '\n'))
        length--;
    parity_buffer_add(out, text, length);
    parity_buffer_char(out, '\n');
}

static void add_caption(parity_buffer *out, const char *caption)
{
    parity_buffer_text(out, "\n*");
    for (; *caption; caption++) {
        if (strchr("\\*`<[", *caption))
            parity_buffer_char(out, '\\');
        parity_buffer_char(out, *caption);
    }
    parity_buffer_text(out, "*\n");
}

int parity_body_wrap(parity_buffer *out, const parity_page *page,
                     const parity_region *region, const char *text, const char *info,
                     const char *caption, parity_error *error)
{
    size_t ticks = longest_run(text, '`');
    if (holds_marker(text) || (caption && holds_marker(caption)))
        return parity_fail_at(error, page->file, region->pos,
                              "the text of this region holds a marker of a region");
    if (region->in_block) {
        if (caption)
            add_lines(out, caption);
        add_lines(out, text);
        return 0;
    }
    size_t start = out->length;
    for (size_t i = 0; *info && i < (ticks < 3 ? 3 : ticks + 1); i++)
        parity_buffer_char(out, '`');
    size_t fence = out->length - start;
    parity_buffer_printf(out, "%s\n", info);
    add_lines(out, text);
    for (size_t i = 0; i < fence; i++)
        parity_buffer_char(out, '`');
    parity_buffer_text(out, fence ? "\n" : "");
    if (caption)
        add_caption(out, caption);
    if (!fence)
        parity_buffer_char(out, '\n');
    return 0;
}

/* The length of the prefix without the blanks at its end, as it stands before an empty
 * line. */
static size_t bare_prefix(const char *prefix)
{
    size_t length = strlen(prefix);
    while (length && (prefix[length - 1] == ' ' || prefix[length - 1] == '\t'))
        length--;
    return length;
}

/* The lines of the page without prefix and with LF. A line that does not begin with the
 * prefix stays whole, so that its checksum cannot fit. */
static void normalise(parity_buffer *out, const parity_page *page,
                      const parity_region *region)
{
    size_t full = strlen(region->prefix), bare = bare_prefix(region->prefix);
    size_t eol = strlen(region->eol);
    for (size_t at = region->body; at < region->body_end;) {
        const char *text = page->text + at;
        const char *newline = memchr(text, '\n', region->body_end - at);
        size_t whole = newline ? (size_t)(newline - text) + 1 : region->body_end - at;
        size_t length = whole;
        if (length >= eol && memcmp(text + length - eol, region->eol, eol) == 0)
            length -= eol;
        if (length >= full && memcmp(text, region->prefix, full) == 0)
            parity_buffer_add(out, text + full, length - full);
        else if (length != bare || memcmp(text, region->prefix, bare) != 0)
            parity_buffer_add(out, text, length);
        parity_buffer_char(out, '\n');
        at += whole;
    }
}

static uint64_t sum_of(const char *text, size_t length)
{
    return XXH3_64bits(text, length);
}

bool parity_body_untouched(const parity_page *page, const parity_region *region)
{
    parity_buffer now = {0};
    char sum[17];
    normalise(&now, page, region);
    bool empty = !now.length || strspn(now.data, " \t\n") == now.length;
    snprintf(sum, sizeof sum, "%016" PRIx64,
             sum_of(now.data ? now.data : "", now.length));
    const parity_words *stated = &region->value[PARITY_KEY_SUM];
    bool same = stated->count == 1 && strcmp(stated->items[0].text, sum) == 0;
    parity_buffer_free(&now);
    return empty || same;
}

/* The marker as its author wrote it, with another checksum. */
static void place_marker(parity_buffer *out, const parity_page *page,
                         const parity_region *region, const char *body)
{
    size_t from = region->sum, to = region->sum_end;
    if (!to) {
        from = to = region->marker_end - strlen("-->");
        while (page->text[from - 1] == ' ' || page->text[from - 1] == '\t')
            from--;
        to = from;
    }
    parity_buffer_add(out, page->text + region->marker, from - region->marker);
    parity_buffer_printf(out, "%s%016" PRIx64,
                         region->sum_end ? "" : " sum=", sum_of(body, strlen(body)));
    parity_buffer_add(out, page->text + to, region->marker_end - to);
}

void parity_body_place(parity_buffer *out, const parity_page *page,
                       const parity_region *region, const char *body)
{
    place_marker(out, page, region, body);
    parity_buffer_add(out, page->text + region->marker_end,
                      region->body - region->marker_end);
    while (*body) {
        size_t length = strcspn(body, "\n");
        parity_buffer_add(out, region->prefix,
                          length ? strlen(region->prefix) : bare_prefix(region->prefix));
        parity_buffer_add(out, body, length);
        parity_buffer_text(out, region->eol);
        body += length + (body[length] == '\n');
    }
}
