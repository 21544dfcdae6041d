#include "harness/run/worker.h"

#include "harness/base/base64.h"

#include <stdlib.h>
#include <string.h>

/* Reads an optional member of a given type; 1 if it is there, 0 if not, -1 if it is
 * another type. */
static int member(const json_t **out, const json_t *object, const char *key,
                  json_type type, parity_error *error)
{
    *out = json_object_get(object, key);
    if (*out == NULL || json_is_null(*out))
        return 0;
    json_type found = json_typeof(*out);
    if (found == type || (type == JSON_TRUE && found == JSON_FALSE))
        return 1;
    return parity_fail(error, "\"%s\" has a wrong type", key);
}

static int text_member(const char **out, const json_t *object, const char *key,
                       parity_error *error)
{
    const json_t *json;
    int found = member(&json, object, key, JSON_STRING, error);
    *out = found == 1 ? json_string_value(json) : NULL;
    return found;
}

static int flag_member(bool *out, const json_t *object, const char *key,
                       parity_error *error)
{
    const json_t *json;
    int found = member(&json, object, key, JSON_TRUE, error);
    *out = found == 1 && json_is_true(json);
    return found;
}

static int shape_of(parity_data *data, int64_t *count, const json_t *shape,
                    parity_error *error)
{
    *count = 1;
    data->rank = json_array_size(shape);
    if (data->rank > PARITY_MAX_RANK)
        return parity_fail(error, "data \"%s\" has more than %d dimensions", data->name,
                           PARITY_MAX_RANK);
    for (size_t i = 0; i < data->rank; i++) {
        const json_t *size = json_array_get(shape, i);
        data->shape[i] = json_is_integer(size) ? json_integer_value(size) : -1;
        if (data->shape[i] < 0 || __builtin_mul_overflow(*count, data->shape[i], count))
            return parity_fail(error, "data \"%s\" has an impossible shape", data->name);
    }
    return 0;
}

static int data_of(parity_data *data, const json_t *json, parity_error *error)
{
    const char *dtype, *bits;
    const json_t *shape;
    int64_t count;
    if (text_member(&data->name, json, "name", error) != 1 ||
        text_member(&dtype, json, "dtype", error) != 1 ||
        member(&shape, json, "shape", JSON_ARRAY, error) != 1 ||
        text_member(&bits, json, "bits", error) != 1)
        return parity_fail(error,
                           "an entry of \"data\" needs name, dtype, shape and bits");
    if (!parity_dtype_from_name(&data->dtype, dtype))
        return parity_fail(error, "data \"%s\" has an unknown dtype \"%s\"", data->name,
                           dtype);
    if (shape_of(data, &count, shape, error) != 0)
        return -1;
    void *bytes = NULL;
    if (parity_base64_decode(&bytes, &data->nbytes, bits, strlen(bits), error) != 0)
        return -1;
    data->bits = bytes;
    int64_t wanted;
    if (__builtin_mul_overflow(count, (int64_t)parity_dtype_size(data->dtype), &wanted) ||
        (int64_t)data->nbytes != wanted)
        return parity_fail(error,
                           "data \"%s\" has %zu bytes, which is not what its shape takes",
                           data->name, data->nbytes);
    return 0;
}

static int lists_of(parity_request *request, const json_t *run, parity_error *error)
{
    const json_t *observe, *data;
    int observes = member(&observe, run, "observe", JSON_ARRAY, error);
    int binds = observes < 0 ? -1 : member(&data, run, "data", JSON_ARRAY, error);
    if (binds < 0)
        return -1;
    size_t nobserve = observes == 1 ? json_array_size(observe) : 0;
    request->observe = parity_alloc((nobserve + 1) * sizeof *request->observe);
    for (; request->nobserve < nobserve; request->nobserve++) {
        const char *text = json_string_value(json_array_get(observe, request->nobserve));
        if (text == NULL)
            return parity_fail(error, "\"observe\" holds something that is no text");
        request->observe[request->nobserve] = text;
    }
    size_t ndata = binds == 1 ? json_array_size(data) : 0;
    request->data = parity_alloc((ndata + 1) * sizeof *request->data);
    while (request->ndata < ndata) {
        parity_data *one = &request->data[request->ndata++];
        if (data_of(one, json_array_get(data, request->ndata - 1), error) != 0)
            return -1;
    }
    return 0;
}

static int fields_of(parity_request *request, parity_error *error)
{
    const json_t *id = json_object_get(request->json, "id");
    const json_t *run = json_object_get(request->json, "run");
    const json_t *memory;
    if (!json_is_integer(id) || json_integer_value(id) < 0 || !json_is_object(run))
        return parity_fail(error, "a request needs \"id\" and \"run\"");
    request->id = (uint64_t)json_integer_value(id);
    if (text_member(&request->case_id, run, "case", error) != 1 ||
        text_member(&request->device, run, "device", error) != 1)
        return parity_fail(error, "\"run\" needs \"case\" and \"device\"");
    if (text_member(&request->program, run, "program", error) < 0 ||
        flag_member(&request->trace, run, "trace", error) < 0 ||
        flag_member(&request->calls, run, "calls", error) < 0 ||
        flag_member(&request->fresh, run, "fresh", error) < 0 ||
        member(&memory, run, "memory", JSON_INTEGER, error) < 0)
        return -1;
    json_int_t bytes = json_integer_value(memory);
    request->memory = bytes > 0 ? (uint64_t)bytes : 0;
    return lists_of(request, run, error);
}

int parity_request_parse(parity_request *request, const char *line, size_t length,
                         parity_error *error)
{
    json_error_t where;
    memset(request, 0, sizeof *request);
    request->json = json_loadb(line, length, JSON_REJECT_DUPLICATES, &where);
    if (!json_is_object(request->json)) {
        json_decref(request->json);
        request->json = NULL;
        return parity_fail(error, "a request is not a JSON object: %s", where.text);
    }
    if (fields_of(request, error) != 0) {
        parity_request_clear(request);
        return -1;
    }
    return 0;
}

void parity_request_clear(parity_request *request)
{
    for (size_t i = 0; i < request->ndata; i++)
        free((void *)request->data[i].bits);
    free(request->data);
    free(request->observe);
    json_decref(request->json);
    memset(request, 0, sizeof *request);
}

bool parity_cancel_parse(uint64_t *id, const char *line, size_t length)
{
    json_t *json = json_loadb(line, length, 0, NULL);
    const json_t *cancel = json_object_get(json, "cancel");
    bool is = json_is_integer(cancel) && json_integer_value(cancel) >= 0;
    if (is)
        *id = (uint64_t)json_integer_value(cancel);
    json_decref(json);
    return is;
}
