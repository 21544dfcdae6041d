/* `${name}`: values of the matrix in texts, and where each byte came from. */
#include "harness/load/loader.h"

#include <string.h>

/* From byte `out` of the expanded text on, bytes come from `in` of the node's text: one
 * by one, or, inside a value, all from there. */
typedef struct parity_splice {
    size_t out;
    size_t in;
    bool value;
} parity_splice;

typedef struct expansion {
    parity_loader *loader;
    const parity_node *node;
    int reader;
    parity_walk walk;
    parity_buffer out;
    parity_splice *splices;
    size_t count;
    size_t capacity;
} expansion;

static void splice(expansion *e, size_t in, bool value)
{
    if (e->count == e->capacity) {
        e->capacity = e->capacity ? 2 * e->capacity : 8;
        parity_splice *more =
            parity_arena_alloc(e->loader->suite->arena, e->capacity * sizeof *more);
        if (e->count > 0)
            memcpy(more, e->splices, e->count * sizeof *more);
        e->splices = more;
    }
    e->splices[e->count++] = (parity_splice){e->out.length, in, value};
}

static void problem(expansion *e, size_t at, const char *format, ...) PARITY_PRINTF(3, 4);
static void problem(expansion *e, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    parity_problem_addv(e->loader->suite, &e->loader->source,
                        parity_walk_to(&e->walk, at), format, args);
    va_end(args);
}

/* The value of the name at `${`, `length` bytes long; reports when there is none. */
static const parity_node *value_of(expansion *e, size_t at, size_t length)
{
    const char *names[PARITY_MATRIX_LIMIT];
    const char *name = e->node->text + at + 2;
    for (size_t i = 0; i < e->loader->naxes; i++) {
        parity_axis *axis = &e->loader->axes[i];
        names[i] = axis->name;
        if (strlen(axis->name) != length || memcmp(axis->name, name, length) != 0)
            continue;
        axis->used = true;
        if (e->reader == PARITY_LANGUAGES)
            return axis->labels[axis->chosen];
        const parity_node *text = axis->texts[e->reader][axis->chosen];
        if (text == NULL)
            problem(e, at, "the value `%s` of %s has no %s: text",
                    axis->labels[axis->chosen]->text, axis->name,
                    parity_language_name((parity_language)e->reader));
        return text;
    }
    char word[64] = "";
    memcpy(word, name, length < 63 ? length : 63);
    parity_hint hint;
    problem(e, at,
            "`${%s}` is no name of the matrix%s (write $${%s} for the text itself)", word,
            parity_suggest(&hint, word, names, e->loader->naxes), word);
    return NULL;
}

/* Length of the name in `${name}` at `text`, or 0 when it is something else. */
static size_t reference(const char *text)
{
    if (text[0] != '$' || text[1] != '{')
        return 0;
    size_t n = strspn(text + 2, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return text[2 + n] == '}' ? n : 0;
}

static void expand(expansion *e)
{
    const char *text = e->node->text;
    size_t length = e->node->length;
    for (size_t at = 0; at < length && e->out.length <= PARITY_TEXT_LIMIT;) {
        const char *dollar = memchr(text + at, '$', length - at);
        size_t plain = dollar != NULL ? (size_t)(dollar - text) - at : length - at;
        parity_buffer_add(&e->out, text + at, plain);
        at += plain;
        if (dollar == NULL)
            break;
        size_t name = reference(text + at);
        if (name > 0) {
            const parity_node *value = value_of(e, at, name);
            splice(e, at, true);
            if (value != NULL)
                parity_buffer_add(&e->out, value->text, value->length);
            at += name + 3;
            splice(e, at, false);
        } else {
            bool escaped = text[at + 1] == '$' && reference(text + at + 1) > 0;
            size_t skip = escaped ? 2 : 1;
            parity_buffer_char(&e->out, '$');
            at += skip;
            if (escaped) {
                size_t rest = reference(text + at - 1) + 2;
                splice(e, at, false);
                parity_buffer_add(&e->out, text + at, rest);
                at += rest;
            }
        }
    }
}

parity_text parity_text_of(parity_loader *loader, const parity_node *node, int reader)
{
    parity_text out = {.length = node->length};
    parity_walk_open(&out.walk, &loader->source, node);
    if (loader->naxes == 0 || strstr(node->text, "${") == NULL) {
        out.text = parity_arena_strndup(loader->suite->arena, node->text, node->length);
        return out;
    }
    expansion e = {loader, node, reader, out.walk, {0}, NULL, 0, 0};
    expand(&e);
    if (e.out.length > PARITY_TEXT_LIMIT) {
        parity_loader_problem(loader, node,
                              "is larger than 4 MiB after ${…} was replaced");
        e.out.length = 0;
    }
    parity_buffer_char(&e.out, '\0');
    out.length = e.out.length - 1;
    out.text = parity_arena_strndup(loader->suite->arena, e.out.data, out.length);
    out.splices = e.splices;
    out.nsplices = e.count;
    parity_buffer_free(&e.out);
    return out;
}

size_t parity_text_offset(parity_text *text, size_t at)
{
    size_t low = 0;
    size_t high = text->nsplices;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (text->splices[middle].out <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) {
        const parity_splice *s = &text->splices[low - 1];
        at = s->value ? s->in : s->in + (at - s->out);
    }
    return parity_walk_to(&text->walk, at);
}

const char *parity_words_of(parity_loader *loader, const parity_node *node, int reader)
{
    return node != NULL ? parity_text_of(loader, node, reader).text : NULL;
}
