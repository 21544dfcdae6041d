#include "oracles/candle/diagnostics.h"

#include "harness/base/buffer.h"
#include "harness/base/memory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A macro may expand within a macro; rustc itself stops at 128. */
#define DEEPEST_EXPANSION 128

static char *text_of(const json_t *object, const char *key)
{
    return parity_strdup(json_string_value(json_object_get(object, key)));
}

static int number_of(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static void add_span(candle_diagnostic *d, const json_t *json, bool primary)
{
    for (int depth = 0; json_is_object(json) && depth < DEEPEST_EXPANSION; depth++) {
        d->spans = parity_realloc(d->spans, (d->nspans + 1) * sizeof *d->spans);
        candle_span *span = &d->spans[d->nspans++];
        span->file = text_of(json, "file_name");
        span->line = number_of(json, "line_start");
        span->column = number_of(json, "column_start");
        span->primary = primary;
        json = json_object_get(json_object_get(json, "expansion"), "span");
    }
}

/* Primary spans first, then the others, then those of the notes. */
static void add_spans(candle_diagnostic *d, const json_t *json)
{
    size_t i;
    json_t *item;
    for (int primary = 1; primary >= 0; primary--)
        json_array_foreach (json_object_get(json, "spans"), i, item)
            if (json_is_true(json_object_get(item, "is_primary")) == (primary == 1))
                add_span(d, item, primary == 1);
    json_array_foreach (json_object_get(json, "children"), i, item) {
        size_t k;
        json_t *span;
        json_array_foreach (json_object_get(item, "spans"), k, span)
            add_span(d, span, false);
    }
}

static bool is_error(const json_t *json)
{
    const char *level = json_string_value(json_object_get(json, "level"));
    const char *message = json_string_value(json_object_get(json, "message"));
    if (!level || !message || strncmp(level, "error", 5) != 0)
        return false;
    bool closing = json_array_size(json_object_get(json, "spans")) == 0 &&
                   strncmp(message, "aborting due to", 15) == 0;
    return !closing;
}

static void add(candle_diagnostics *out, const json_t *json)
{
    PARITY_GROW(out->items, out->count, out->capacity);
    candle_diagnostic *d = &out->items[out->count++];
    *d = (candle_diagnostic){0};
    d->code = text_of(json_object_get(json, "code"), "code");
    d->rendered = text_of(json, "rendered");
    d->message = text_of(json, "message");
    d->message[strcspn(d->message, "\n")] = '\0';
    add_spans(d, json);
}

void candle_diagnostics_parse(candle_diagnostics *out, const char *text, size_t length)
{
    parity_buffer rest = {0};
    const char *end = text + length;
    *out = (candle_diagnostics){0};
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t line = newline ? (size_t)(newline - text) : (size_t)(end - text);
        json_t *json = json_loadb(text, line, 0, NULL);
        if (json_is_object(json)) {
            if (is_error(json))
                add(out, json);
        } else {
            parity_buffer_add(&rest, text, line);
            parity_buffer_char(&rest, '\n');
        }
        json_decref(json);
        text += line + (newline != NULL);
    }
    out->rest = parity_buffer_take(&rest);
}

void candle_diagnostics_free(candle_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        candle_diagnostic *d = &diagnostics->items[i];
        for (size_t k = 0; k < d->nspans; k++)
            free(d->spans[k].file);
        free(d->spans);
        free(d->code);
        free(d->message);
        free(d->rendered);
    }
    free(diagnostics->items);
    free(diagnostics->rest);
    *diagnostics = (candle_diagnostics){0};
}
