/* Values to and from the JSON of docs/protocol.md. */
#include "harness/base/base64.h"
#include "harness/base/memory.h"
#include "harness/model/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 32

/* Where the decoder stands; the names give storages and handles their numbers. */
typedef struct decoder {
    parity_names *storages;
    parity_names *handles;
    parity_error *error;
    int depth;
} decoder;

static int decode(decoder *d, parity_value *out, const char *key, const json_t *body);

static int decode_child(decoder *d, parity_value **out, const json_t *json)
{
    if (!json_is_object(json) || json_object_size(json) != 1)
        return parity_fail(d->error, "a value must be an object with exactly one key");
    if (++d->depth > MAX_DEPTH)
        return parity_fail(d->error, "a value is nested more than %d deep", MAX_DEPTH);
    void *iter = json_object_iter((json_t *)json);
    parity_value *value = parity_value_new(PARITY_VALUE_UNIT);
    if (decode(d, value, json_object_iter_key(iter), json_object_iter_value(iter))) {
        parity_value_free(value);
        return -1;
    }
    d->depth--;
    *out = value;
    return 0;
}

static int dims(decoder *d, int64_t *out, size_t *rank, const json_t *array,
                const char *what, bool negative)
{
    if (!json_is_array(array) || json_array_size(array) > PARITY_MAX_RANK)
        return parity_fail(d->error, "\"%s\" must be a list of at most %d numbers", what,
                           PARITY_MAX_RANK);
    *rank = json_array_size(array);
    for (size_t i = 0; i < *rank; i++) {
        const json_t *item = json_array_get(array, i);
        if (!json_is_integer(item) || (!negative && json_integer_value(item) < 0))
            return parity_fail(d->error, "\"%s\" holds something that is no size", what);
        out[i] = json_integer_value(item);
    }
    return 0;
}

/* Bytes of all elements, or -1 when the shape is not one that memory can hold. */
static int64_t byte_count(const parity_tensor *t)
{
    int64_t bytes = (int64_t)parity_dtype_size(t->dtype);
    for (size_t i = 0; i < t->rank; i++)
        if (t->shape[i] == 0)
            return 0;
    for (size_t i = 0; i < t->rank; i++) {
        if (t->shape[i] > ((int64_t)1 << 48) / bytes)
            return -1;
        bytes *= t->shape[i];
    }
    return bytes;
}

static int part(decoder *d, const json_t *body, const char *key, void **out,
                size_t *count)
{
    const json_t *text = json_object_get(body, key);
    if (!json_is_string(text))
        return parity_fail(d->error, "a tensor has no \"%s\"", key);
    return parity_base64_decode(out, count, json_string_value(text),
                                json_string_length(text), d->error);
}

static int edges(decoder *d, parity_tensor *t, const json_t *body, const char *hash,
                 int64_t bytes)
{
    char *end;
    t->hashed = true;
    t->hash = strtoull(hash, &end, 16);
    if (strlen(hash) != 16 || *end)
        return parity_fail(d->error, "\"hash\" must be 16 hex digits");
    void *head = NULL, *tail = NULL;
    size_t nhead = 0, ntail = 0;
    size_t want = PARITY_EDGE_ELEMENTS * parity_dtype_size(t->dtype);
    int status = part(d, body, "head", &head, &nhead);
    if (!status)
        status = part(d, body, "tail", &tail, &ntail);
    if (!status && (nhead != want || ntail != want || (uint64_t)bytes < 2 * want))
        status = parity_fail(d->error, "\"head\" and \"tail\" must have %d elements each",
                             PARITY_EDGE_ELEMENTS);
    if (!status) {
        t->bits = parity_alloc(2 * want);
        t->nbytes = 2 * want;
        memcpy(t->bits, head, want);
        memcpy((char *)t->bits + want, tail, want);
    }
    free(head);
    free(tail);
    return status;
}

static int bits(decoder *d, parity_tensor *t, const json_t *body)
{
    int64_t bytes = byte_count(t);
    if (bytes < 0)
        return parity_fail(d->error, "a tensor's shape is larger than any memory");
    const char *hash = json_string_value(json_object_get(body, "hash"));
    if (hash)
        return edges(d, t, body, hash, bytes);
    if (part(d, body, "bits", &t->bits, &t->nbytes))
        return -1;
    if (t->nbytes != (uint64_t)bytes)
        return parity_fail(d->error, "a tensor of %" PRId64 " bytes came with %zu", bytes,
                           t->nbytes);
    return 0;
}

static int identity(decoder *d, parity_tensor *t, const json_t *body)
{
    size_t rank;
    if (dims(d, t->strides, &rank, json_object_get(body, "strides"), "strides", true))
        return -1;
    if (rank != t->rank)
        return parity_fail(d->error, "a tensor of rank %zu has %zu strides", t->rank,
                           rank);
    const json_t *offset = json_object_get(body, "offset");
    const char *storage = json_string_value(json_object_get(body, "storage"));
    const char *handle = json_string_value(json_object_get(body, "handle"));
    if (!json_is_integer(offset) || !storage)
        return parity_fail(d->error, "a tensor needs \"offset\" and \"storage\"");
    t->offset = json_integer_value(offset);
    t->storage = parity_names_number(d->storages, storage);
    /* An engine that has no objects states no handle. */
    if (handle)
        t->handle = parity_names_number(d->handles, handle);
    json_t *facts = json_object_get(body, "facts");
    t->facts = parity_alloc(json_object_size(facts) * sizeof *t->facts);
    const char *name;
    json_t *text;
    json_object_foreach (facts, name, text) {
        if (!json_is_string(text))
            return parity_fail(d->error, "fact \"%s\" must be a text", name);
        t->facts[t->nfacts++] =
            (parity_fact){parity_strdup(name), parity_strdup(json_string_value(text))};
    }
    return 0;
}

static int tensor(decoder *d, parity_value *out, const json_t *body)
{
    parity_tensor *t = out->tensor = parity_alloc(sizeof *t);
    const char *dtype = json_string_value(json_object_get(body, "dtype"));
    if (!dtype || !parity_dtype_from_name(&t->dtype, dtype))
        return parity_fail(d->error, "a tensor has no known \"dtype\"%s%s",
                           dtype ? ": " : "", dtype ? dtype : "");
    if (dims(d, t->shape, &t->rank, json_object_get(body, "shape"), "shape", false))
        return -1;
    t->printed = json_is_true(json_object_get(body, "printed"));
    t->host = t->printed || json_is_true(json_object_get(body, "host"));
    if (bits(d, t, body))
        return -1;
    return t->host ? 0 : identity(d, t, body);
}

static int integer(decoder *d, parity_value *out, const char *text)
{
    const char *p = *text == '-' ? text + 1 : text;
    size_t length = strspn(p, "0123456789");
    bool canonical = length > 0 && p[length] == '\0' && (length == 1 || *p != '0') &&
                     strcmp(text, "-0") != 0;
    if (!canonical)
        return parity_fail(d->error, "\"%s\" is no integer", text);
    out->text = parity_strdup(text);
    return 0;
}

static int floating(decoder *d, parity_value *out, const char *hex, const json_t *dtype)
{
    const char *name = json_string_value(dtype);
    if (!name || !parity_dtype_from_name(&out->dtype, name) ||
        (out->dtype != PARITY_F32 && out->dtype != PARITY_F64))
        return parity_fail(d->error, "a float needs \"dtype\" f32 or f64");
    unsigned char bytes[8];
    size_t size = parity_dtype_size(out->dtype);
    bool whole = strlen(hex) == 2 * size;
    for (size_t i = 0; whole && i < size; i++) {
        unsigned byte;
        int used = 0;
        whole = sscanf(hex + 2 * i, "%2x%n", &byte, &used) == 1 && used == 2;
        bytes[i] = whole ? (unsigned char)byte : 0;
    }
    if (!whole)
        return parity_fail(d->error, "\"%s\" is not the bytes of an %s", hex, name);
    out->number = parity_dtype_to_double(out->dtype, bytes);
    return 0;
}

static int list(decoder *d, parity_value *out, const json_t *body)
{
    if (!json_is_array(body))
        return parity_fail(d->error, "a \"list\" must hold a list");
    size_t count = json_array_size(body);
    out->items = parity_alloc(count * sizeof *out->items);
    for (size_t i = 0; i < count; i++) {
        if (decode_child(d, &out->items[i], json_array_get(body, i)))
            return -1;
        out->nitems++;
    }
    return 0;
}

static int one_child(decoder *d, parity_value *out, const json_t *body)
{
    out->items = parity_alloc(sizeof *out->items);
    if (decode_child(d, &out->items[0], body))
        return -1;
    out->nitems = 1;
    return 0;
}

static int typed_text(decoder *d, parity_value *out, const json_t *body, const char *key)
{
    const char *type = json_string_value(json_object_get(body, "type"));
    const char *text = json_string_value(json_object_get(body, "text"));
    if (!type || !text)
        return parity_fail(d->error, "\"%s\" needs \"type\" and \"text\"", key);
    out->type = parity_strdup(type);
    out->text = parity_strdup(text);
    return 0;
}

static int plain_text(decoder *d, parity_value *out, const json_t *body, const char *key)
{
    if (!json_is_string(body))
        return parity_fail(d->error, "\"%s\" must hold a text", key);
    out->text = parity_strdup(json_string_value(body));
    return 0;
}

/* The kinds and their keys; the first column of the table in docs/protocol.md. */
static const char *const keys[] = {
    [PARITY_VALUE_UNIT] = "unit",   [PARITY_VALUE_BOOL] = "bool",
    [PARITY_VALUE_INT] = "int",     [PARITY_VALUE_FLOAT] = "float",
    [PARITY_VALUE_TEXT] = "text",   [PARITY_VALUE_ID] = "id",
    [PARITY_VALUE_MIB] = "mib",     [PARITY_VALUE_TENSOR] = "tensor",
    [PARITY_VALUE_LIST] = "list",   [PARITY_VALUE_OK] = "ok",
    [PARITY_VALUE_ERR] = "err",     [PARITY_VALUE_SOME] = "some",
    [PARITY_VALUE_NONE] = "none",   [PARITY_VALUE_RAISED] = "raised",
    [PARITY_VALUE_OTHER] = "other",
};
#define NKINDS (sizeof keys / sizeof *keys)

static int decode(decoder *d, parity_value *out, const char *key, const json_t *body)
{
    size_t kind = 0;
    while (kind < NKINDS && strcmp(keys[kind], key) != 0)
        kind++;
    if (kind == NKINDS)
        return parity_fail(d->error, "\"%s\" is no kind of value", key);
    out->kind = (parity_value_kind)kind;
    switch (out->kind) {
    case PARITY_VALUE_UNIT:
    case PARITY_VALUE_NONE:
        return 0;
    case PARITY_VALUE_BOOL:
        if (!json_is_boolean(body))
            return parity_fail(d->error, "a \"bool\" must hold true or false");
        out->boolean = json_is_true(body);
        return 0;
    case PARITY_VALUE_INT:
        return json_is_string(body)
                   ? integer(d, out, json_string_value(body))
                   : parity_fail(d->error, "an \"int\" must hold digits");
    case PARITY_VALUE_ID:
        if (!json_is_integer(body))
            return parity_fail(d->error, "an \"id\" must hold a number");
        out->text = parity_alloc(24);
        snprintf(out->text, 24, "%" JSON_INTEGER_FORMAT, json_integer_value(body));
        return 0;
    case PARITY_VALUE_MIB:
        if (!json_is_number(body))
            return parity_fail(d->error, "a \"mib\" must hold a number");
        out->number = json_number_value(body);
        return 0;
    case PARITY_VALUE_TEXT:
    case PARITY_VALUE_ERR:
        return plain_text(d, out, body, key);
    case PARITY_VALUE_FLOAT:
        return json_is_object(body)
                   ? floating(d, out,
                              json_string_value(json_object_get(body, "bits"))
                                  ? json_string_value(json_object_get(body, "bits"))
                                  : "",
                              json_object_get(body, "dtype"))
                   : parity_fail(d->error,
                                 "a \"float\" must hold \"bits\" and \"dtype\"");
    case PARITY_VALUE_TENSOR:
        return tensor(d, out, body);
    case PARITY_VALUE_LIST:
        return list(d, out, body);
    case PARITY_VALUE_OK:
    case PARITY_VALUE_SOME:
        return one_child(d, out, body);
    case PARITY_VALUE_RAISED:
    case PARITY_VALUE_OTHER:
        return typed_text(d, out, body, key);
    }
    return parity_fail(d->error, "\"%s\" is no kind of value", key);
}

int parity_value_from_json(parity_value **out, const json_t *json, parity_names *storages,
                           parity_names *handles, parity_error *error)
{
    decoder d = {storages, handles, error, 0};
    return decode_child(&d, out, json);
}

static json_t *base64(const void *bytes, size_t count)
{
    parity_buffer text = {0};
    parity_base64_encode(&text, bytes, count);
    json_t *json = json_stringn(text.data ? text.data : "", text.length);
    parity_buffer_free(&text);
    return json;
}

static json_t *numbers(const int64_t *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_integer(values[i]));
    return array;
}

static json_t *tensor_json(const parity_tensor *t)
{
    json_t *out = json_object();
    json_object_set_new(out, "dtype", json_string(parity_dtype_name(t->dtype)));
    json_object_set_new(out, "shape", numbers(t->shape, t->rank));
    if (t->hashed) {
        char hash[17];
        snprintf(hash, sizeof hash, "%016" PRIx64, t->hash);
        json_object_set_new(out, "hash", json_string(hash));
        json_object_set_new(out, "head", base64(t->bits, t->nbytes / 2));
        json_object_set_new(out, "tail",
                            base64((char *)t->bits + t->nbytes / 2, t->nbytes / 2));
    } else {
        json_object_set_new(out, "bits", base64(t->bits, t->nbytes));
    }
    if (t->host) {
        json_object_set_new(out, t->printed ? "printed" : "host", json_true());
        return out;
    }
    json_object_set_new(out, "strides", numbers(t->strides, t->rank));
    json_object_set_new(out, "offset", json_integer(t->offset));
    json_object_set_new(out, "storage", json_sprintf("s%u", t->storage));
    if (t->handle)
        json_object_set_new(out, "handle", json_sprintf("h%u", t->handle));
    json_t *facts = json_object();
    for (size_t i = 0; i < t->nfacts; i++)
        json_object_set_new(facts, t->facts[i].name, json_string(t->facts[i].text));
    json_object_set_new(out, "facts", facts);
    return out;
}

static json_t *float_json(const parity_value *value)
{
    unsigned char bytes[8];
    float f = (float)value->number;
    if (value->dtype == PARITY_F32)
        memcpy(bytes, &f, sizeof f);
    else
        memcpy(bytes, &value->number, sizeof value->number);
    char hex[17] = "";
    for (size_t i = 0; i < parity_dtype_size(value->dtype); i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    return json_pack("{s:s, s:s}", "bits", hex, "dtype", parity_dtype_name(value->dtype));
}

static json_t *text_json(const char *text)
{
    json_t *json = json_string(text ? text : "");
    return json ? json : json_string("(not UTF-8)");
}

static json_t *body_json(const parity_value *value)
{
    switch (value->kind) {
    case PARITY_VALUE_BOOL:
        return json_boolean(value->boolean);
    case PARITY_VALUE_ID:
        return json_integer(strtoll(value->text, NULL, 10));
    case PARITY_VALUE_MIB:
        return json_real(value->number);
    case PARITY_VALUE_INT:
    case PARITY_VALUE_TEXT:
    case PARITY_VALUE_ERR:
        return text_json(value->text);
    case PARITY_VALUE_FLOAT:
        return float_json(value);
    case PARITY_VALUE_TENSOR:
        return tensor_json(value->tensor);
    case PARITY_VALUE_LIST: {
        json_t *array = json_array();
        for (size_t i = 0; i < value->nitems; i++)
            json_array_append_new(array, parity_value_to_json(value->items[i]));
        return array;
    }
    case PARITY_VALUE_OK:
    case PARITY_VALUE_SOME:
        return parity_value_to_json(value->items[0]);
    case PARITY_VALUE_RAISED:
    case PARITY_VALUE_OTHER: {
        json_t *object = json_object();
        json_object_set_new(object, "type", text_json(value->type));
        json_object_set_new(object, "text", text_json(value->text));
        return object;
    }
    case PARITY_VALUE_UNIT:
    case PARITY_VALUE_NONE:
        break;
    }
    return json_null();
}

json_t *parity_value_to_json(const parity_value *value)
{
    json_t *object = json_object();
    json_object_set_new(object, keys[value->kind], body_json(value));
    return object;
}
