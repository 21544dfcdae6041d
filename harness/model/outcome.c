#include "harness/model/outcome.h"
#include "harness/base/memory.h"

#include <stdlib.h>

void parity_outcome_clear(parity_outcome *outcome)
{
    parity_value_free(outcome->value);
    free(outcome->type);
    free(outcome->text);
    free(outcome->detail);
    *outcome = (parity_outcome){0};
}

void parity_outcome_set(parity_outcome *outcome, parity_outcome_kind kind,
                        const char *type, const char *text, parity_pos pos)
{
    char *new_type = parity_strdup(type); /* may point into the outcome itself */
    char *new_text = parity_strdup(text);
    parity_outcome_clear(outcome);
    outcome->kind = kind;
    outcome->type = new_type;
    outcome->text = new_text;
    outcome->pos = pos;
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static int place(int *out, const json_t *object, const char *key, parity_error *error)
{
    const json_t *number = json_object_get(object, key);
    if (!number)
        return 0;
    json_int_t n = json_integer_value(number);
    if (!json_is_integer(number) || n < 0 || n > 100000000)
        return parity_fail(error, "\"%s\" of an outcome must be a number from 1", key);
    *out = (int)n;
    return 0;
}

int parity_outcome_from_json(parity_outcome *out, const json_t *json,
                             parity_names *storages, parity_names *handles,
                             parity_error *error)
{
    if (!json_is_object(json) || json_object_size(json) != 1)
        return parity_fail(error, "an outcome must be an object with exactly one key");
    void *iter = json_object_iter((json_t *)json);
    const char *key = json_object_iter_key(iter);
    const json_t *body = json_object_iter_value(iter);
    parity_outcome_kind kind;
    if (!parity_outcome_from_name(&kind, key) || kind == PARITY_ABSENT)
        return parity_fail(error, "\"%s\" is no outcome", key);
    parity_outcome made = {.kind = kind};
    if (kind == PARITY_VALUE) {
        if (!json_is_null(body) &&
            parity_value_from_json(&made.value, body, storages, handles, error))
            return -1;
        *out = made;
        return 0;
    }
    if (!json_is_object(body))
        return parity_fail(error, "outcome \"%s\" must hold an object", key);
    if (place(&made.pos.line, body, "line", error) ||
        place(&made.pos.column, body, "column", error))
        return -1;
    if (kind != PARITY_NOT_REACHED && !text_of(body, "text"))
        return parity_fail(error, "outcome \"%s\" has no \"text\"", key);
    made.type = parity_strdup(text_of(body, "type"));
    made.text = parity_strdup(text_of(body, "text"));
    made.detail = parity_strdup(text_of(body, "detail"));
    *out = made;
    return 0;
}

static void put_text(json_t *object, const char *key, const char *text)
{
    /* A text that is not UTF-8 cannot be a JSON string; it is kept byte by byte as
     * Latin-1. */
    if (!text)
        return;
    json_t *string = json_string(text);
    if (!string) {
        parity_buffer wide = {0};
        for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
            if (*p < 0x80) {
                parity_buffer_char(&wide, (char)*p);
            } else {
                parity_buffer_char(&wide, (char)(0xC0 | *p >> 6));
                parity_buffer_char(&wide, (char)(0x80 | (*p & 0x3F)));
            }
        }
        string = json_string(wide.data);
        parity_buffer_free(&wide);
    }
    json_object_set_new(object, key, string);
}

json_t *parity_outcome_to_json(const parity_outcome *outcome)
{
    json_t *body;
    if (outcome->kind == PARITY_VALUE) {
        body = outcome->value ? parity_value_to_json(outcome->value) : json_null();
    } else {
        body = json_object();
        put_text(body, "type", outcome->type);
        put_text(body, "text",
                 outcome->text                         ? outcome->text
                 : outcome->kind == PARITY_NOT_REACHED ? NULL
                                                       : "");
        put_text(body, "detail", outcome->detail);
        if (outcome->pos.line)
            json_object_set_new(body, "line", json_integer(outcome->pos.line));
        if (outcome->pos.column)
            json_object_set_new(body, "column", json_integer(outcome->pos.column));
    }
    json_t *object = json_object();
    json_object_set_new(object, parity_outcome_name(outcome->kind), body);
    return object;
}
