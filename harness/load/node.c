/* libyaml events to a tree. */
#include "harness/load/node.h"

#include <string.h>
#include <yaml.h>

typedef struct reader {
    parity_suite *suite;
    parity_source *source;
    parity_arena *arena;
    yaml_parser_t parser;
    size_t index;  /* libyaml counts characters; this character… */
    size_t offset; /* …is this byte */
    bool failed;
} reader;

static bool inside(const char *text, size_t at)
{
    return ((unsigned char)text[at] & 0xC0) == 0x80;
}

static size_t offset_of(reader *r, const yaml_mark_t *mark)
{
    const char *text = r->source->text;
    for (; r->index < mark->index && r->offset < r->source->length; r->index++)
        do
            r->offset++;
        while (inside(text, r->offset));
    for (; r->index > mark->index && r->offset > 0; r->index--)
        do
            r->offset--;
        while (inside(text, r->offset));
    return r->offset;
}

static parity_node *fail(reader *r, size_t offset, const char *format, ...)
    PARITY_PRINTF(3, 4);
static parity_node *fail(reader *r, size_t offset, const char *format, ...)
{
    r->failed = true;
    va_list args;
    va_start(args, format);
    parity_problem_addv(r->suite, r->source, offset, format, args);
    va_end(args);
    return NULL;
}

static bool line_has(const parity_source *source, size_t at, const char *text)
{
    size_t length = strlen(text);
    size_t start = at;
    while (start > 0 && source->text[start - 1] != '\n')
        start--;
    for (; start + length <= at; start++)
        if (memcmp(source->text + start, text, length) == 0)
            return true;
    return false;
}

/* What libyaml says, with the usual cause where there is one. */
static void syntax(reader *r)
{
    const yaml_parser_t *p = &r->parser;
    size_t at = offset_of(r, &p->problem_mark);
    const char *problem = p->problem != NULL ? p->problem : "not readable";
    if (strstr(problem, "did not find expected ','") != NULL &&
        line_has(r->source, at, "${"))
        fail(r, at, "not YAML: inside [ ] and { }, a text with ${…} must be quoted");
    else if (at < r->source->length && r->source->text[at] == '\t')
        fail(r, at, "YAML cannot be indented with a tab; use spaces");
    else if (p->context != NULL)
        fail(r, at, "not YAML: %s, %s that starts in line %zu", problem, p->context,
             p->context_mark.line + 1);
    else
        fail(r, at, "not YAML: %s", problem);
}

static bool next(reader *r, yaml_event_t *event)
{
    if (yaml_parser_parse(&r->parser, event))
        return true;
    syntax(r);
    return false;
}

static parity_style style_of(yaml_scalar_style_t style)
{
    switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
        return PARITY_SINGLE;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
        return PARITY_DOUBLE;
    case YAML_LITERAL_SCALAR_STYLE:
        return PARITY_LITERAL;
    case YAML_FOLDED_SCALAR_STYLE:
        return PARITY_FOLDED;
    default:
        return PARITY_PLAIN;
    }
}

static void push(reader *r, parity_node *node, parity_node *item)
{
    if (node->nitems == node->capacity) {
        node->capacity = node->capacity ? 2 * node->capacity : 8;
        parity_node **items =
            parity_arena_alloc(r->arena, node->capacity * sizeof *items);
        if (node->nitems > 0)
            memcpy(items, node->items, node->nitems * sizeof *items);
        node->items = items;
    }
    node->items[node->nitems++] = item;
}

static parity_node *scalar(reader *r, parity_node *node, const yaml_event_t *event)
{
    const char *value = (const char *)event->data.scalar.value;
    node->shape = PARITY_SCALAR;
    node->style = style_of(event->data.scalar.style);
    node->length = event->data.scalar.length;
    node->text = parity_arena_strndup(r->arena, value, node->length);
    if (memchr(value, 0, node->length) != NULL)
        return fail(r, node->start,
                    "contains an escaped NUL character, which no program can");
    return node;
}

static parity_node *value(reader *r, const yaml_event_t *event, int depth);

/* Items up to the event that closes the collection. */
static parity_node *collection(reader *r, parity_node *node, yaml_event_type_t end,
                               int depth)
{
    node->shape = end == YAML_MAPPING_END_EVENT ? PARITY_MAPPING : PARITY_SEQUENCE;
    if (depth == PARITY_DEPTH_LIMIT)
        return fail(r, node->start, "nested deeper than %d levels", PARITY_DEPTH_LIMIT);
    for (;;) {
        yaml_event_t event;
        if (!next(r, &event))
            return NULL;
        bool closes = event.type == end;
        if (closes)
            node->end = offset_of(r, &event.end_mark);
        parity_node *item = closes ? NULL : value(r, &event, depth + 1);
        yaml_event_delete(&event);
        if (closes)
            return node;
        if (item == NULL)
            return NULL;
        if (node->shape == PARITY_MAPPING && node->nitems % 2 == 0 &&
            item->shape != PARITY_SCALAR)
            return fail(r, item->start, "a key must be a word");
        push(r, node, item);
    }
}

static bool has_extras(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor != NULL || event->data.scalar.tag != NULL;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor != NULL ||
               event->data.sequence_start.tag != NULL;
    default:
        return event->data.mapping_start.anchor != NULL ||
               event->data.mapping_start.tag != NULL;
    }
}

static parity_node *value(reader *r, const yaml_event_t *event, int depth)
{
    size_t start = offset_of(r, &event->start_mark);
    if (event->type == YAML_ALIAS_EVENT)
        return fail(r, start,
                    "case files have no aliases (*name); write it out, or use matrix:");
    if (has_extras(event))
        return fail(r, start,
                    "case files have no anchors (&name) and no tags (!name); quote a "
                    "text that begins with &, * or !");
    parity_node *node = parity_arena_alloc(r->arena, sizeof *node);
    node->start = start;
    node->end = offset_of(r, &event->end_mark);
    if (event->type == YAML_SCALAR_EVENT)
        return scalar(r, node, event);
    if (event->type == YAML_SEQUENCE_START_EVENT)
        return collection(r, node, YAML_SEQUENCE_END_EVENT, depth);
    return collection(r, node, YAML_MAPPING_END_EVENT, depth);
}

/* Stream start, document start, one value, document end, stream end. */
static parity_node *document(reader *r)
{
    parity_node *root = NULL;
    for (bool more = true; more && !r->failed;) {
        yaml_event_t event;
        if (!next(r, &event))
            return NULL;
        if (event.type == YAML_STREAM_END_EVENT)
            more = false;
        else if (event.type == YAML_DOCUMENT_START_EVENT && root != NULL)
            fail(r, offset_of(r, &event.start_mark),
                 "a case file holds one case; put the "
                 "next document into a file of its own");
        else if (event.type != YAML_STREAM_START_EVENT &&
                 event.type != YAML_DOCUMENT_START_EVENT &&
                 event.type != YAML_DOCUMENT_END_EVENT)
            root = value(r, &event, 0);
        yaml_event_delete(&event);
    }
    if (root == NULL && !r->failed)
        fail(r, 0, "is empty; a case has at least a title and a program");
    return r->failed ? NULL : root;
}

parity_node *parity_node_read(parity_suite *suite, parity_source *source,
                              parity_arena *arena)
{
    if (!parity_source_valid(suite, source))
        return NULL;
    reader r = {.suite = suite, .source = source, .arena = arena};
    if (!yaml_parser_initialize(&r.parser)) {
        parity_problem_file(suite, source->file, "no memory for the YAML parser");
        return NULL;
    }
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)source->text,
                                 source->length);
    parity_node *root = document(&r);
    yaml_parser_delete(&r.parser);
    return root;
}

const parity_node *parity_node_get(const parity_node *node, const char *key)
{
    if (node == NULL || node->shape != PARITY_MAPPING)
        return NULL;
    for (size_t i = 0; i + 1 < node->nitems; i += 2)
        if (strcmp(node->items[i]->text, key) == 0)
            return node->items[i + 1];
    return NULL;
}
