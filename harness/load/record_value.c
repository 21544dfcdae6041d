/* Outcomes and values from the text of records. */
#include "harness/base/base64.h"
#include "harness/base/memory.h"
#include "harness/load/record_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64, DEPTH = 32, ITEMS = 1 << 20, FACTS = 64 };

const char *const parity_record_value_names[] = {
    [PARITY_VALUE_UNIT] = "unit",   [PARITY_VALUE_BOOL] = "bool",
    [PARITY_VALUE_INT] = "int",     [PARITY_VALUE_FLOAT] = "float",
    [PARITY_VALUE_TEXT] = "text",   [PARITY_VALUE_ID] = "id",
    [PARITY_VALUE_MIB] = "mib",     [PARITY_VALUE_TENSOR] = "tensor",
    [PARITY_VALUE_LIST] = "list",   [PARITY_VALUE_OK] = "ok",
    [PARITY_VALUE_ERR] = "err",     [PARITY_VALUE_SOME] = "some",
    [PARITY_VALUE_NONE] = "none",   [PARITY_VALUE_RAISED] = "raised",
    [PARITY_VALUE_OTHER] = "other",
};
enum {
    VALUE_KINDS = sizeof parity_record_value_names / sizeof *parity_record_value_names
};

static int take_number(parity_cursor *c, int64_t *out, int64_t min, int64_t max)
{
    char *end = NULL;
    errno = 0;
    long long number = strtoll(c->at, &end, 10);
    bool starts = *c->at == '-' || (*c->at >= '0' && *c->at <= '9');
    if (!starts || end == c->at || errno == ERANGE || number < min || number > max)
        return parity_cursor_fail(
            c, "a whole number from %" PRId64 " to %" PRId64 " is missing here", min,
            max);
    *out = number;
    c->at = end;
    return 0;
}

static int take_dtype(parity_cursor *c, parity_dtype *out)
{
    char word[WORD];
    const char *start = c->at;
    if (parity_cursor_word(c, word, sizeof word) != 0)
        return -1;
    if (parity_dtype_from_name(out, word))
        return 0;
    c->at = start;
    return parity_cursor_fail(c, "`%s` is no dtype", word);
}

static int take_dims(parity_cursor *c, int64_t *dims, size_t *rank, int64_t min)
{
    *rank = 0;
    if (!parity_cursor_take(c, "["))
        return parity_cursor_fail(c, "a `[` is missing here");
    if (parity_cursor_take(c, "]"))
        return 0;
    do {
        if (*rank == PARITY_MAX_RANK)
            return parity_cursor_fail(c, "more than %d dimensions", PARITY_MAX_RANK);
        if (take_number(c, &dims[*rank], min, INT64_MAX) != 0)
            return -1;
        ++*rank;
    } while (parity_cursor_take(c, ", "));
    return parity_cursor_take(c, "]") ? 0
                                      : parity_cursor_fail(c, "a `]` is missing here");
}

static int take_base64(parity_cursor *c, void **bytes, size_t *count)
{
    size_t length = strspn(c->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789+/=");
    parity_error why;
    if (parity_base64_decode(bytes, count, c->at, length, &why) != 0)
        return parity_cursor_fail(c, "%s", why.message);
    c->at += length;
    return 0;
}

/* Bytes of all elements; SIZE_MAX when no memory could hold them. */
static size_t shape_bytes(const parity_tensor *t)
{
    size_t bytes = parity_dtype_size(t->dtype);
    for (size_t i = 0; i < t->rank; i++)
        if (__builtin_mul_overflow(bytes, (size_t)t->shape[i], &bytes))
            return SIZE_MAX;
    return bytes;
}

static int take_edges(parity_cursor *c, parity_tensor *t)
{
    size_t want = PARITY_EDGE_ELEMENTS * parity_dtype_size(t->dtype);
    void *part[2] = {NULL, NULL};
    size_t count[2] = {0, 0};
    t->hashed = true;
    size_t digits = strspn(c->at, "0123456789abcdef");
    if (digits != 16)
        return parity_cursor_fail(c, "a hash has 16 hex digits");
    t->hash = strtoull(c->at, NULL, 16);
    c->at += digits;
    int code = 0;
    for (int i = 0; i < 2 && code == 0; i++) {
        const char *name = i == 0 ? " head=" : " tail=";
        if (!parity_cursor_take(c, name))
            code = parity_cursor_fail(c, "`%s` is missing here", name + 1);
        else
            code = take_base64(c, &part[i], &count[i]);
        if (code == 0 && count[i] != want)
            code = parity_cursor_fail(c, "%s has %zu bytes instead of %zu", name + 1,
                                      count[i], want);
    }
    if (code == 0) {
        t->nbytes = 2 * want;
        t->bits = parity_alloc(t->nbytes);
        memcpy(t->bits, part[0], want);
        memcpy((char *)t->bits + want, part[1], want);
    }
    free(part[0]);
    free(part[1]);
    return code;
}

static int take_bits(parity_cursor *c, parity_tensor *t)
{
    if (parity_cursor_take(c, " hash="))
        return take_edges(c, t);
    if (!parity_cursor_take(c, " bits="))
        return parity_cursor_fail(c, "` bits=` or ` hash=` is missing here");
    size_t want = shape_bytes(t);
    if (take_base64(c, &t->bits, &t->nbytes) != 0)
        return -1;
    if (t->nbytes != want)
        return parity_cursor_fail(c, "%zu bytes of bits, but the shape takes %zu",
                                  t->nbytes, want);
    return 0;
}

/* A plain word, or a quoted text. *out is new. */
static int take_name(parity_cursor *c, char **out)
{
    if (*c->at == '"')
        return parity_cursor_string(c, out);
    char word[1024];
    if (parity_cursor_word(c, word, sizeof word) != 0)
        return -1;
    if (*word == '\0')
        return parity_cursor_fail(c, "a name is missing here");
    *out = parity_strdup(word);
    return 0;
}

static int take_facts(parity_cursor *c, parity_tensor *t)
{
    t->facts = parity_alloc(FACTS * sizeof *t->facts);
    while (*c->at == ' ' && strncmp(c->at, " bits=", 6) != 0 &&
           strncmp(c->at, " hash=", 6) != 0) {
        if (t->nfacts == FACTS)
            return parity_cursor_fail(c, "more than %d facts", FACTS);
        parity_fact *fact = &t->facts[t->nfacts++];
        c->at++;
        if (take_name(c, &fact->name) != 0)
            return -1;
        if (!parity_cursor_take(c, "="))
            return parity_cursor_fail(c, "a `=` is missing here");
        if (take_name(c, &fact->text) != 0)
            return -1;
    }
    return 0;
}

static int take_place(parity_cursor *c, parity_tensor *t)
{
    size_t rank = 0;
    int64_t storage = 0;
    int64_t handle = 0;
    if (!parity_cursor_take(c, " strides "))
        return parity_cursor_fail(c, "` strides ` is missing here");
    if (take_dims(c, t->strides, &rank, INT64_MIN) != 0)
        return -1;
    if (rank != t->rank)
        return parity_cursor_fail(c, "%zu strides for %zu dimensions", rank, t->rank);
    if (!parity_cursor_take(c, " offset ") ||
        take_number(c, &t->offset, INT64_MIN, INT64_MAX))
        return parity_cursor_fail(c, "` offset ` and a number are missing here");
    if (!parity_cursor_take(c, " storage ") || take_number(c, &storage, 0, UINT32_MAX))
        return parity_cursor_fail(c, "` storage ` and a number are missing here");
    if (!parity_cursor_take(c, " handle ") || take_number(c, &handle, 0, UINT32_MAX))
        return parity_cursor_fail(c, "` handle ` and a number are missing here");
    t->storage = (uint32_t)storage;
    t->handle = (uint32_t)handle;
    return take_facts(c, t);
}

static int take_tensor(parity_cursor *c, parity_value *value, const char *word)
{
    parity_tensor *t = value->tensor = parity_alloc(sizeof *t);
    t->printed = strcmp(word, "printed") == 0;
    t->host = t->printed || strcmp(word, "host") == 0;
    if (take_dtype(c, &t->dtype) != 0)
        return -1;
    if (!parity_cursor_take(c, " "))
        return parity_cursor_fail(c, "the shape is missing here");
    if (take_dims(c, t->shape, &t->rank, 0) != 0)
        return -1;
    if (!t->host && take_place(c, t) != 0)
        return -1;
    return take_bits(c, t);
}

static int take_float(parity_cursor *c, parity_value *value)
{
    if (take_dtype(c, &value->dtype) != 0)
        return -1;
    if (value->dtype != PARITY_F32 && value->dtype != PARITY_F64)
        return parity_cursor_fail(c, "a float is f32 or f64");
    size_t size = parity_dtype_size(value->dtype);
    if (!parity_cursor_take(c, " ") || strspn(c->at, "0123456789abcdef") != 2 * size)
        return parity_cursor_fail(c, "%zu hex digits are missing here", 2 * size);
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) {
        const char pair[] = {c->at[2 * i], c->at[2 * i + 1], '\0'};
        bytes[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    c->at += 2 * size;
    value->number = parity_dtype_to_double(value->dtype, bytes);
    return 0;
}

static int take_digits(parity_cursor *c, parity_value *value)
{
    size_t sign = *c->at == '-';
    size_t digits = strspn(c->at + sign, "0123456789");
    if (digits == 0)
        return parity_cursor_fail(c, "digits are missing here");
    value->text = parity_strndup(c->at, sign + digits);
    c->at += sign + digits;
    return 0;
}

static int take_mib(parity_cursor *c, parity_value *value)
{
    char *end = NULL;
    value->number = strtod(c->at, &end);
    if (end == c->at || !isfinite(value->number))
        return parity_cursor_fail(c, "a number is missing here");
    c->at = end;
    return 0;
}

static int take_value(parity_cursor *c, parity_value **out);

static int take_items(parity_cursor *c, parity_value *value, size_t most)
{
    size_t capacity = 0;
    if (most > 1 && parity_cursor_take(c, ")"))
        return 0;
    do {
        if (value->nitems == most)
            return parity_cursor_fail(c, "too many values in one");
        PARITY_GROW(value->items, value->nitems, capacity);
        value->items[value->nitems] = NULL;
        if (take_value(c, &value->items[value->nitems++]) != 0)
            return -1;
    } while (parity_cursor_take(c, ", "));
    return parity_cursor_take(c, ")") ? 0
                                      : parity_cursor_fail(c, "a `)` is missing here");
}

static int take_typed(parity_cursor *c, parity_value *value)
{
    if (parity_cursor_string(c, &value->type) != 0)
        return -1;
    if (!parity_cursor_take(c, " "))
        return parity_cursor_fail(c, "a text is missing here");
    return parity_cursor_string(c, &value->text);
}

/* What follows the word of a kind, which the separator of the kind ends. */
static int take_body(parity_cursor *c, parity_value *value, const char *word)
{
    bool items = value->kind == PARITY_VALUE_LIST || value->kind == PARITY_VALUE_OK ||
                 value->kind == PARITY_VALUE_SOME;
    bool bare = value->kind == PARITY_VALUE_UNIT || value->kind == PARITY_VALUE_NONE;
    if (!bare && !parity_cursor_take(c, items ? "(" : " "))
        return parity_cursor_fail(c, "the value itself is missing here");
    switch (value->kind) {
    case PARITY_VALUE_UNIT:
    case PARITY_VALUE_NONE:
        return 0;
    case PARITY_VALUE_BOOL:
        value->boolean = parity_cursor_take(c, "true");
        return value->boolean || parity_cursor_take(c, "false")
                   ? 0
                   : parity_cursor_fail(c, "true or false is missing here");
    case PARITY_VALUE_INT:
    case PARITY_VALUE_ID:
        return take_digits(c, value);
    case PARITY_VALUE_FLOAT:
        return take_float(c, value);
    case PARITY_VALUE_MIB:
        return take_mib(c, value);
    case PARITY_VALUE_TENSOR:
        return take_tensor(c, value, word);
    case PARITY_VALUE_TEXT:
    case PARITY_VALUE_ERR:
        return parity_cursor_string(c, &value->text);
    case PARITY_VALUE_RAISED:
    case PARITY_VALUE_OTHER:
        return take_typed(c, value);
    case PARITY_VALUE_LIST:
        return take_items(c, value, ITEMS);
    case PARITY_VALUE_OK:
    case PARITY_VALUE_SOME:
        return take_items(c, value, 1);
    }
    return -1;
}

static int take_value(parity_cursor *c, parity_value **out)
{
    char word[WORD];
    const char *start = c->at;
    if (parity_cursor_word(c, word, sizeof word) != 0)
        return -1;
    bool host = strcmp(word, "host") == 0 || strcmp(word, "printed") == 0;
    int kind = host ? PARITY_VALUE_TENSOR : 0;
    while (!host && kind < VALUE_KINDS &&
           strcmp(parity_record_value_names[kind], word) != 0)
        kind++;
    if (kind == VALUE_KINDS || c->depth == DEPTH) {
        c->at = start;
        return c->depth == DEPTH
                   ? parity_cursor_fail(c, "nested deeper than %d levels", DEPTH)
                   : parity_cursor_fail(c, "`%s` is no kind of value", word);
    }
    c->depth++;
    *out = parity_value_new((parity_value_kind)kind);
    int code = take_body(c, *out, word);
    c->depth--;
    return code;
}

static int take_failure(parity_cursor *c, parity_outcome *out)
{
    int64_t line = 0;
    int64_t column = 0;
    if (strncmp(c->at, " \"", 2) == 0 || strncmp(c->at, " -", 2) == 0) {
        c->at++;
        if (parity_cursor_string(c, &out->type) != 0)
            return -1;
        if (!parity_cursor_take(c, " "))
            return parity_cursor_fail(c, "a text is missing here");
        if (parity_cursor_string(c, &out->text) != 0)
            return -1;
    }
    if (!parity_cursor_take(c, " at "))
        return 0;
    if (take_number(c, &line, 1, INT32_MAX) != 0)
        return -1;
    if (!parity_cursor_take(c, ":"))
        return parity_cursor_fail(c, "a place is line:column");
    if (take_number(c, &column, 0, INT32_MAX) != 0)
        return -1;
    out->pos = (parity_pos){(int)line, (int)column};
    return 0;
}

int parity_cursor_outcome(parity_cursor *cursor, parity_outcome *out)
{
    char word[WORD];
    const char *start = cursor->at;
    if (parity_cursor_word(cursor, word, sizeof word) != 0)
        return -1;
    if (!parity_outcome_from_name(&out->kind, word)) {
        cursor->at = start;
        out->kind = PARITY_VALUE;
        return take_value(cursor, &out->value);
    }
    return out->kind == PARITY_VALUE ? 0 : take_failure(cursor, out);
}
