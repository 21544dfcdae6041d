#include "harness/run/message.h"
#include "harness/run/channel.h"
#include "harness/run/run.h"

#include "harness/base/base64.h"
#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Of a process's data segment, unless the case says otherwise. */
static const uint64_t default_memory = (uint64_t)4 << 30;

/* A breach is shown with the beginning of the line, made printable. */
static void quote(char *out, size_t size, const char *line, size_t length)
{
    size_t shown = length < size - 4 ? length : size - 4;
    for (size_t i = 0; i < shown; i++)
        out[i] = line[i] >= ' ' && line[i] <= '~' ? line[i] : '?';
    strcpy(out + shown, shown < length ? "..." : "");
}

static json_t *object_of(const char *line, size_t length, parity_error *error)
{
    char shown[80];
    json_error_t where;
    json_t *json = json_loadb(line, length, JSON_REJECT_DUPLICATES, &where);
    if (json_is_object(json))
        return json;
    quote(shown, sizeof shown, line, length);
    if (json)
        parity_fail(error, "a line that is no JSON object: %s", shown);
    else
        parity_fail(error, "a line that is no JSON (column %d: %s): %s", where.column,
                    where.text, shown);
    json_decref(json);
    return NULL;
}

static int flag(bool *out, const json_t *object, const char *key, parity_error *error)
{
    const json_t *json = json_object_get(object, key);
    *out = json_is_true(json);
    return json == NULL || json_is_boolean(json)
               ? 0
               : parity_fail(error, "\"%s\" of the ready message must be true or false",
                             key);
}

static int ready_fields(parity_ready *ready, const json_t *json, parity_error *error)
{
    const json_t *body = json_object_get(json, "ready");
    const json_t *version = json_object_get(body, "version");
    json_t *provenance = json_object_get(body, "provenance");
    const char *key;
    json_t *text;
    if (!json_is_object(body))
        return parity_fail(error, "the first line must be the ready message");
    if (json_integer_value(json_object_get(body, "protocol")) != 1)
        return parity_fail(error, "the ready message must say \"protocol\": 1");
    if (!json_is_string(json_object_get(body, "engine")))
        return parity_fail(error, "the ready message must name its \"engine\"");
    if (version && !json_is_null(version) && !json_is_string(version))
        return parity_fail(error,
                           "\"version\" of the ready message must be a text or null");
    if (provenance && !json_is_object(provenance))
        return parity_fail(error,
                           "\"provenance\" of the ready message must be an object");
    json_object_foreach (provenance, key, text)
        if (!json_is_string(text))
            return parity_fail(error,
                               "\"provenance\" of the ready message must hold texts");
    ready->engine = parity_strdup(json_string_value(json_object_get(body, "engine")));
    ready->version = parity_strdup(json_string_value(version));
    ready->provenance = json_incref(provenance);
    return flag(&ready->cancel, body, "cancel", error) ||
                   flag(&ready->fresh, body, "fresh", error)
               ? -1
               : 0;
}

int parity_ready_parse(parity_ready *ready, const char *line, size_t length,
                       parity_error *error)
{
    memset(ready, 0, sizeof *ready);
    json_t *json = object_of(line, length, error);
    if (!json)
        return -1;
    int status = ready_fields(ready, json, error);
    json_decref(json);
    if (status != 0)
        parity_ready_clear(ready);
    return status;
}

void parity_ready_clear(parity_ready *ready)
{
    free(ready->engine);
    free(ready->version);
    json_decref(ready->provenance);
    memset(ready, 0, sizeof *ready);
}

static json_t *data_json(const parity_data *data)
{
    parity_buffer bits = {0};
    json_t *shape = json_array();
    for (size_t i = 0; i < data->rank; i++)
        json_array_append_new(shape, json_integer(data->shape[i]));
    parity_base64_encode(&bits, data->bits, data->nbytes);
    json_t *json = json_pack("{s:s, s:s, s:o, s:s#}", "name", data->name, "dtype",
                             parity_dtype_name(data->dtype), "shape", shape, "bits",
                             bits.data ? bits.data : "", (int)bits.length);
    parity_buffer_free(&bits);
    return json;
}

int parity_request_format(parity_buffer *out, uint64_t id, const parity_case *test,
                          const parity_asked *asked, parity_error *error)
{
    parity_language language = asked->language;
    const char *program = asked->program ? asked->program : test->program[language].text;
    uint64_t memory = test->memory ? test->memory : default_memory;
    json_t *observe = json_array();
    json_t *data = json_array();
    for (size_t i = 0; i < test->nobserve[language]; i++)
        json_array_append_new(observe, json_string(test->observe[language][i].text));
    for (size_t i = 0; i < test->ndata; i++)
        json_array_append_new(data, data_json(&test->data[i]));
    json_t *json = json_pack("{s:I, s:{s:s, s:s, s:s, s:o, s:o, s:I, s:b, s:b, s:b}}",
                             "id", (json_int_t)id, "run", "case", test->id, "device",
                             asked->device, "program", program, "observe", observe,
                             "data", data, "memory", (json_int_t)memory, "trace",
                             asked->trace, "calls", asked->calls, "fresh", test->fresh);
    char *line = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    if (line == NULL)
        return parity_fail(error, "the case holds a text that is not UTF-8");
    out->length = 0;
    parity_buffer_text(out, line);
    parity_buffer_char(out, '\n');
    free(line);
    if (out->length > PARITY_LINE_LIMIT)
        return parity_fail(error,
                           "the request takes %zu bytes, which is more than the 64 MiB "
                           "of a line; use smaller data",
                           out->length);
    return 0;
}

void parity_run_end(parity_run *run, size_t nobserve, parity_outcome_kind kind,
                    const char *text)
{
    parity_run_clear(run);
    run->ran = kind != PARITY_ABSENT;
    parity_outcome_set(&run->end, kind, NULL, text, (parity_pos){0, 0});
    run->observed = parity_alloc((nobserve + 1) * sizeof *run->observed);
    run->nobserved = nobserve;
    for (size_t i = 0; i < nobserve; i++)
        run->observed[i].kind = PARITY_NOT_REACHED;
}

static int observation(parity_outcome *out, const json_t *json, bool ended, size_t index,
                       parity_names *storages, parity_names *handles, parity_error *error)
{
    parity_error inner;
    parity_outcome made = {0};
    if (parity_outcome_from_json(&made, json, storages, handles, &inner) != 0)
        return parity_fail(error, "observation %zu: %s", index + 1, inner.message);
    *out = made;
    if (made.kind == PARITY_VALUE && made.value == NULL)
        return parity_fail(error, "observation %zu has no value", index + 1);
    if (ended && made.kind != PARITY_NOT_REACHED)
        return parity_fail(error, "observation %zu of a program that did not run through",
                           index + 1);
    return 0;
}

static int answer(parity_run *run, const json_t *json, size_t nobserve,
                  parity_error *error)
{
    const json_t *ends = json_object_get(json, "ends");
    const json_t *observed = json_object_get(json, "observed");
    const json_t *calls = json_object_get(json, "calls");
    const json_t *notes = json_object_get(json, "notes");
    parity_names storages = {0}, handles = {0};
    parity_run made = {0};
    parity_run_end(&made, nobserve, PARITY_VALUE, NULL);
    int status = 0;
    if (!ends || !json_is_array(observed))
        status = parity_fail(error, "an answer without \"ends\" or \"observed\"");
    else if (json_array_size(observed) != nobserve)
        status = parity_fail(error, "%zu observations where %zu were asked for",
                             json_array_size(observed), nobserve);
    else
        status = parity_outcome_from_json(&made.end, ends, &storages, &handles, error);
    if (status == 0 && made.end.value != NULL)
        status = parity_fail(error, "\"ends\" with a value that is not null");
    if (status == 0 && made.end.kind == PARITY_NOT_REACHED)
        status = parity_fail(error, "\"ends\" that was not reached");
    if (status == 0 && calls && !json_is_string(calls))
        status = parity_fail(error, "\"calls\" that are no text");
    if (status == 0 && notes && !json_is_string(notes))
        status = parity_fail(error, "\"notes\" that are no text");
    made.calls = parity_strdup(json_string_value(calls));
    made.notes = parity_strdup(json_string_value(notes));
    for (size_t i = 0; status == 0 && i < nobserve; i++)
        status =
            observation(&made.observed[i], json_array_get(observed, i),
                        made.end.kind != PARITY_VALUE, i, &storages, &handles, error);
    parity_names_free(&storages);
    parity_names_free(&handles);
    if (status == 0) {
        parity_run_clear(run);
        *run = made;
    } else {
        parity_run_clear(&made);
    }
    return status;
}

/* The place of a statement; the column may be left out. */
static parity_message trace_at(parity_pos *at, const json_t *place, parity_error *error)
{
    static const json_int_t most = 100000000;
    json_int_t line = json_integer_value(json_object_get(place, "line"));
    json_int_t column = json_integer_value(json_object_get(place, "column"));
    if (line < 1 || line > most || column < 0 || column > most) {
        parity_fail(error, "\"at\" without a line from 1");
        return PARITY_MESSAGE_BREACH;
    }
    *at = (parity_pos){(int)line, (int)column};
    return PARITY_MESSAGE_AT;
}

static parity_message classify(parity_run *run, parity_pos *at, const json_t *json,
                               uint64_t id, size_t nobserve, parity_error *error)
{
    const json_t *number = json_object_get(json, "id");
    const json_t *place = json_object_get(json, "at");
    if (!json_is_integer(number)) {
        parity_fail(error, "a line without \"id\"");
        return PARITY_MESSAGE_BREACH;
    }
    if (json_integer_value(number) != (json_int_t)id) {
        parity_fail(error, "an answer to request %lld while request %llu ran",
                    (long long)json_integer_value(number), (unsigned long long)id);
        return PARITY_MESSAGE_BREACH;
    }
    if (place)
        return trace_at(at, place, error);
    if (json_is_true(json_object_get(json, "cancelled")))
        return PARITY_MESSAGE_CANCELLED;
    return answer(run, json, nobserve, error) == 0 ? PARITY_MESSAGE_ANSWER
                                                   : PARITY_MESSAGE_BREACH;
}

parity_message parity_message_parse(parity_run *run, parity_pos *at, const char *line,
                                    size_t length, uint64_t id, size_t nobserve,
                                    parity_error *error)
{
    json_t *json = object_of(line, length, error);
    if (!json)
        return PARITY_MESSAGE_BREACH;
    parity_message message = classify(run, at, json, id, nobserve, error);
    json_decref(json);
    return message;
}
