/* Where each byte of a YAML scalar's text stands in the file.
 *
 * libyaml gives the text and where it begins. What lies between (indentation, folded line
 * ends, doubled quotes, escapes) is found by walking both side by side: a blank of the
 * text is a blank, a line end or an escape of the source; anything else is itself, a
 * doubled quote or an escape. */
#include "harness/load/node.h"

#include <string.h>

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool block(const parity_node *node)
{
    return node->style == PARITY_LITERAL || node->style == PARITY_FOLDED;
}

static size_t spaces(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[n] == ' ')
        n++;
    return n;
}

/* First byte after the line end at or after `at`. */
static size_t next_line(const parity_source *source, size_t at)
{
    const char *end = memchr(source->text + at, '\n', source->length - at);
    return end != NULL ? (size_t)(end - source->text) + 1 : source->length;
}

/* Spaces that YAML takes off each line: what the first line that is not empty has more
 * than its text. */
static size_t block_indent(const parity_source *source, const parity_node *node,
                           size_t at)
{
    while (at < source->length) {
        size_t n = spaces(source->text + at, source->length - at);
        char c = source->text[at + n];
        if (c != '\n' && c != '\r' && c != '\0')
            break;
        at = next_line(source, at);
    }
    size_t have = spaces(source->text + at, source->length - at);
    size_t first = 0;
    while (first < node->length && node->text[first] == '\n')
        first++;
    size_t own = spaces(node->text + first, node->length - first);
    return have > own ? have - own : 0;
}

static void skip_indent(parity_walk *walk)
{
    for (size_t i = 0; i < walk->indent && walk->source->text[walk->offset] == ' '; i++)
        walk->offset++;
}

void parity_walk_open(parity_walk *walk, const parity_source *source,
                      const parity_node *node)
{
    *walk = (parity_walk){.source = source, .node = node, .offset = node->start};
    if (block(node)) {
        walk->offset = next_line(source, node->start);
        walk->indent = block_indent(source, node, walk->offset);
        skip_indent(walk);
    } else if (node->style != PARITY_PLAIN) {
        walk->offset++;
    }
}

/* Length of an escape of a double-quoted scalar, at its backslash. */
static size_t escape_length(const char *text)
{
    switch (text[1]) {
    case 'x':
        return 4;
    case 'u':
        return 6;
    case 'U':
        return 10;
    case '\0':
        return 1;
    default:
        return 2;
    }
}

/* Moves to where the next byte of the text was written. */
static void settle(parity_walk *walk)
{
    const char *text = walk->source->text;
    char c = walk->node->text[walk->at];
    bool quoted = walk->node->style == PARITY_DOUBLE;
    while (walk->offset < walk->node->end) {
        char s = text[walk->offset];
        bool joins = quoted && s == '\\' &&
                     (text[walk->offset + 1] == '\n' || text[walk->offset + 1] == '\r');
        if (joins)
            walk->offset = next_line(walk->source, walk->offset);
        else if (!blank(c) && blank(s))
            walk->offset++;
        else
            break;
    }
}

/* Over a blank of the text: one blank, or a line end with what YAML drops around it. */
static void over_blank(parity_walk *walk)
{
    const char *text = walk->source->text;
    char s = text[walk->offset];
    if (walk->node->style == PARITY_DOUBLE && s == '\\') {
        walk->offset += escape_length(text + walk->offset);
    } else if (s == '\n' || s == '\r') {
        walk->offset = next_line(walk->source, walk->offset);
        if (block(walk->node))
            skip_indent(walk);
        else
            walk->offset +=
                spaces(text + walk->offset, walk->source->length - walk->offset);
    } else if (blank(s)) {
        walk->offset++;
    }
}

static void over_other(parity_walk *walk)
{
    const char *text = walk->source->text;
    char s = text[walk->offset];
    if (walk->node->style == PARITY_DOUBLE && s == '\\') {
        walk->offset += escape_length(text + walk->offset);
        while (((unsigned char)walk->node->text[walk->at + 1] & 0xC0) == 0x80)
            walk->at++;
    } else if (walk->node->style == PARITY_SINGLE && s == '\'') {
        walk->offset += 2;
    } else {
        walk->offset++;
    }
}

size_t parity_walk_to(parity_walk *walk, size_t at)
{
    if (at < walk->at)
        parity_walk_open(walk, walk->source, walk->node);
    for (;;) {
        if (walk->at < walk->node->length)
            settle(walk);
        if (walk->at >= at || walk->at >= walk->node->length ||
            walk->offset >= walk->node->end)
            break;
        if (blank(walk->node->text[walk->at]))
            over_blank(walk);
        else
            over_other(walk);
        walk->at++;
    }
    return walk->offset < walk->node->end ? walk->offset : walk->node->end;
}
