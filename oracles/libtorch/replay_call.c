/* A line `call` and the lines below it, which say what came of it under Python. */
#include "oracles/libtorch/replay.h"

#include "harness/base/memory.h"
#include "oracles/libtorch/look.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 64, DEPTH = 4, NAME = 128 };

/* A call while it is read. */
typedef struct call {
    libtorch_replay *replay;
    parity_arena *arena;
    char name[NAME];
    char overload[NAME];
    shim_value arguments[ARGUMENTS];
    size_t count;
    libtorch_argument tensors[ARGUMENTS]; /* the tensors among them, in order */
    size_t ntensors;
    size_t place; /* in the schema, of the argument that is read */
    shim_value results;
    int status; /* of the call; if not 0: */
    shim_error error;
} call;

static int read_number(call *c, shim_value *out, libtorch_word word)
{
    char *end, *text = parity_arena_strndup(c->arena, word.text, word.length);
    if (libtorch_word_integer(word, &out->integer)) {
        out->kind = SHIM_INT;
        return 0;
    }
    out->kind = SHIM_FLOAT;
    out->number = strtod(text, &end);
    /* Anything else that begins like a number is none. */
    if (*end != '\0' || end == text) {
        out->kind = SHIM_WORD;
        out->text = text;
    }
    return 0;
}

static int read_tensor(call *c, shim_value *out, libtorch_word word)
{
    shim_info info;
    libtorch_tensor *used = libtorch_tensor_used(c->replay, word);
    if (used == NULL || libtorch_info(c->replay, &info, used->tensor) != 0)
        return -1;
    if (c->ntensors == ARGUMENTS)
        return libtorch_damaged(c->replay, "more than 64 tensors in a call");
    c->tensors[c->ntensors++] = (libtorch_argument){.place = c->place,
                                                    .storage = used->storage,
                                                    .tensor = used->tensor,
                                                    .hash = libtorch_watched_hash(&info),
                                                    .identity = info.storage,
                                                    .data = info.data,
                                                    .bytes = info.bytes};
    *out = (shim_value){.kind = SHIM_TENSOR, .name = out->name, .tensor = used->tensor};
    return 0;
}

static int read_value(call *c, shim_value *out, libtorch_word word, int depth);

/* The end of an item of a list: brackets and quotes within it are passed. */
static size_t item_length(const char *at, const char *end)
{
    const char *start = at;
    for (int depth = 0; at < end; at++) {
        if (*at == '"')
            while (++at < end && *at != '"')
                at += *at == '\\';
        else if (*at == '[')
            depth++;
        else if (*at == ']')
            depth--;
        else if (*at == ',' && depth == 0)
            break;
    }
    return (size_t)((at < end ? at : end) - start);
}

static int read_list(call *c, shim_value *out, libtorch_word word, int depth)
{
    const char *at = word.text + 1, *end = word.text + word.length - 1;
    if (depth == DEPTH || word.length < 2 || *end != ']')
        return libtorch_damaged(c->replay, "a list that does not end");
    out->kind = SHIM_LIST;
    out->items = parity_arena_alloc(c->arena, (word.length + 1) * sizeof *out->items / 2 +
                                                  sizeof *out->items);
    while (at < end) {
        libtorch_word item = {at, item_length(at, end)};
        if (item.length == 0 || read_value(c, &out->items[out->count], item, depth + 1))
            return item.length ? -1 : libtorch_damaged(c->replay, "an empty item");
        out->count++;
        at += item.length + 1;
    }
    return 0;
}

static int read_storage(call *c, shim_value *out, libtorch_word word)
{
    out->kind = SHIM_STORAGE;
    out->tensor = libtorch_tensor_on(c->replay, libtorch_word_name(word, 's'));
    return out->tensor ? 0 : libtorch_damaged(c->replay, "there is no such storage");
}

static int read_value(call *c, shim_value *out, libtorch_word word, int depth)
{
    if (word.text[0] == '[')
        return read_list(c, out, word, depth);
    if (word.text[0] == '"') {
        char *text = libtorch_word_text(word);
        out->kind = SHIM_TEXT;
        out->text = parity_arena_strdup(c->arena, text);
        free(text);
        return out->text ? 0 : libtorch_damaged(c->replay, "a text that is none");
    }
    if (word.text[0] == 't' && memchr(word.text, '@', word.length))
        return read_tensor(c, out, word);
    if (libtorch_word_name(word, 's'))
        return read_storage(c, out, word);
    out->kind = SHIM_NONE;
    if (libtorch_word_is(word, "none"))
        return 0;
    out->kind = SHIM_BOOL;
    out->boolean = libtorch_word_is(word, "true");
    if (out->boolean || libtorch_word_is(word, "false"))
        return 0;
    return read_number(c, out, word);
}

/* NAME=VALUE or VALUE; a value has no `=` before a quote. */
static int read_argument(call *c, libtorch_word word)
{
    shim_value *out = &c->arguments[c->count];
    const char *equals = memchr(word.text, '=', strcspn(word.text, "\" \n["));
    if (c->count == ARGUMENTS)
        return libtorch_damaged(c->replay, "more than 64 arguments");
    *out = (shim_value){0};
    c->place = c->count++;
    if (equals && equals < word.text + word.length) {
        size_t length = (size_t)(equals - word.text);
        out->name = parity_arena_strndup(c->arena, word.text, length);
        c->place = libtorch_schema_place(c->name, c->overload, out->name);
        word.text += length + 1;
        word.length -= length + 1;
    }
    if (word.length == 0)
        return libtorch_damaged(c->replay, "an argument without a value");
    return read_value(c, out, word, 0);
}

/* aten::add.Tensor ARGUMENT… */
static int read_call(call *c)
{
    libtorch_replay *r = c->replay;
    libtorch_word word;
    if (!libtorch_word_next(&r->cursor, &word) || word.length >= NAME)
        return libtorch_damaged(r, "a call needs an operator");
    free(r->calling);
    r->calling = parity_strndup(word.text, word.length);
    r->calls++;
    const char *dot = memchr(word.text, '.', word.length);
    size_t length = dot ? (size_t)(dot - word.text) : word.length;
    memcpy(c->name, word.text, length);
    if (dot)
        memcpy(c->overload, dot + 1, word.length - length - 1);
    while (libtorch_word_next(&r->cursor, &word))
        if (read_argument(c, word) != 0)
            return -1;
    return 0;
}

static void write_sizes(parity_buffer *out, const int64_t *sizes, size_t count)
{
    parity_buffer_char(out, '[');
    for (size_t i = 0; i < count; i++)
        parity_buffer_printf(out, "%s%lld", i ? "," : "", (long long)sizes[i]);
    parity_buffer_char(out, ']');
}

static void write_geometry(parity_buffer *out, const shim_info *info)
{
    parity_buffer_printf(out, "%s ", info->dtype);
    write_sizes(out, info->sizes, info->rank);
    parity_buffer_text(out, " strides ");
    write_sizes(out, info->strides, info->rank);
    parity_buffer_printf(out, " offset %lld", (long long)info->offset);
}

static int compare_geometry(libtorch_replay *r, const shim_info *found,
                            const shim_info *wanted)
{
    size_t bytes = found->rank * sizeof *found->sizes;
    if (found->rank == wanted->rank && strcmp(found->dtype, wanted->dtype) == 0 &&
        memcmp(found->sizes, wanted->sizes, bytes) == 0 &&
        memcmp(found->strides, wanted->strides, bytes) == 0 &&
        found->offset == wanted->offset)
        return 0;
    parity_buffer text = {0};
    parity_buffer_text(&text, "the result is ");
    write_geometry(&text, found);
    parity_buffer_text(&text, ", under Python ");
    write_geometry(&text, wanted);
    libtorch_differ(r, "%s", text.data);
    parity_buffer_free(&text);
    return -1;
}

static int compare_digest(libtorch_replay *r, const shim_info *info, libtorch_word name)
{
    libtorch_word wanted;
    parity_error reason;
    char found[LIBTORCH_DIGEST];
    if (!libtorch_word_next(&r->cursor, &wanted))
        return libtorch_damaged(r, "the bits are missing");
    if (libtorch_digest(found, info, &reason) != 0)
        return libtorch_differ(r, "%s", reason.message);
    if (libtorch_word_is(wanted, found))
        return 0;
    return libtorch_differ(r, "the bits of %.*s are %s, under Python %.*s",
                           (int)name.length, name.text, found, (int)wanted.length,
                           wanted.text);
}

/* t3 s2 GEOMETRY DIGEST: a tensor that was returned. It moves into the replay. */
static int take_tensor(call *c, shim_value *result, libtorch_word name)
{
    libtorch_replay *r = c->replay;
    libtorch_word storage;
    shim_info found, wanted = {0};
    size_t number;
    if (result->kind != SHIM_TENSOR)
        return libtorch_differ(r, "it returned no tensor %.*s", (int)name.length,
                               name.text);
    if (!libtorch_word_next(&r->cursor, &storage))
        return libtorch_damaged(r, "a storage is missing");
    if (libtorch_info(r, &found, result->tensor) || libtorch_geometry(r, &wanted) ||
        compare_geometry(r, &found, &wanted) ||
        libtorch_storage_bind(r, storage, &found, &number))
        return -1;
    if (libtorch_word_name(name, 't') <= r->tensors.count) {
        /* An argument that was written and returned; some get another storage. */
        libtorch_tensor *argument = libtorch_tensor_named(r, name);
        if (argument == NULL)
            return -1;
        argument->storage = number;
    } else {
        libtorch_tensor *made = libtorch_tensor_new(r, name);
        if (made == NULL)
            return -1;
        *made = (libtorch_tensor){result->tensor, number};
        result->kind = SHIM_NONE;
        result->tensor = NULL;
    }
    return compare_digest(r, &found, name);
}

static bool same_scalar(const shim_value *left, const shim_value *right)
{
    if (left->kind != right->kind)
        return false;
    if (left->kind == SHIM_FLOAT && isnan(left->number) && isnan(right->number))
        return true;
    return left->boolean == right->boolean && left->integer == right->integer &&
           memcmp(&left->number, &right->number, sizeof left->number) == 0;
}

/* n1 VALUE */
static int take_scalar(call *c, const shim_value *result, libtorch_word name)
{
    libtorch_replay *r = c->replay;
    libtorch_word word;
    shim_value wanted = {0};
    if (libtorch_word_name(name, 'n') != r->scalars.count + 1 ||
        !libtorch_word_next(&r->cursor, &word))
        return libtorch_damaged(r, "a number needs the next name and a value");
    if (read_value(c, &wanted, word, 0) != 0)
        return -1;
    if (!same_scalar(result, &wanted))
        return libtorch_differ(r, "it did not return %.*s, as under Python",
                               (int)word.length, word.text);
    PARITY_GROW(r->scalars.items, r->scalars.count, r->scalars.capacity);
    r->scalars.items[r->scalars.count++] = wanted;
    return 0;
}

/* Whether the next line belongs to the call; the cursor is then at its first word. */
static bool detail_line(libtorch_replay *r, libtorch_word *word)
{
    const char *end = r->cursor.at + strcspn(r->cursor.at, "\n");
    if (*end != '\n' || end[1] != ' ')
        return false;
    libtorch_line_next(&r->cursor);
    return libtorch_word_next(&r->cursor, word);
}

static int take_result(call *c, shim_value *result)
{
    libtorch_replay *r = c->replay;
    libtorch_word word, count;
    int64_t items;
    if (!detail_line(r, &word))
        return libtorch_differ(r, "it returned more than under Python");
    if (word.text[0] == 't')
        return take_tensor(c, result, word);
    if (!libtorch_word_is(word, "list"))
        return take_scalar(c, result, word);
    if (!libtorch_word_next(&r->cursor, &count) || !libtorch_word_integer(count, &items))
        return libtorch_damaged(r, "a list without its length");
    if (result->kind != SHIM_LIST || (int64_t)result->count != items)
        return libtorch_differ(r, "it did not return a list of %lld", (long long)items);
    for (size_t i = 0; i < result->count; i++)
        if (take_result(c, &result->items[i]) != 0)
            return -1;
    return 0;
}

/* wrote t3 DIGEST: an argument that was written and not returned. */
static int check_written(libtorch_replay *r)
{
    libtorch_word name;
    shim_info info;
    if (!libtorch_word_next(&r->cursor, &name))
        return libtorch_damaged(r, "a tensor is missing");
    const libtorch_tensor *tensor = libtorch_tensor_named(r, name);
    if (tensor == NULL || libtorch_info(r, &info, tensor->tensor) != 0)
        return -1;
    return compare_digest(r, &info, name);
}

/* raises e1 RuntimeError "text" */
static int check_raised(call *c)
{
    libtorch_replay *r = c->replay;
    libtorch_word name, type, text;
    if (!libtorch_word_next(&r->cursor, &name) ||
        !libtorch_word_next(&r->cursor, &type) ||
        !libtorch_word_next(&r->cursor, &text) ||
        libtorch_word_name(name, 'e') != r->errors.count + 1)
        return libtorch_damaged(r, "an exception needs the next name, type and text");
    char *wanted = libtorch_word_text(text);
    bool same = wanted && c->status != 0 && libtorch_word_is(type, c->error.type) &&
                strcmp(wanted, c->error.text) == 0;
    free(wanted);
    if (!same)
        return libtorch_differ(r, "%s%s%s, under Python %.*s: %.*s",
                               c->status ? c->error.type : "it ended well",
                               c->status ? ": " : "", c->status ? c->error.text : "",
                               (int)type.length, type.text, (int)text.length, text.text);
    PARITY_GROW(r->errors.items, r->errors.count, r->errors.capacity);
    r->errors.items[r->errors.count++] = c->error;
    return 0;
}

static int check_rest(call *c)
{
    libtorch_replay *r = c->replay;
    libtorch_word word;
    while (detail_line(r, &word)) {
        int status = libtorch_word_is(word, "wrote") ? check_written(r)
                     : libtorch_word_is(word, "raises")
                         ? check_raised(c)
                         : libtorch_differ(r, "it returned less than under Python");
        if (status != 0)
            return -1;
    }
    return 0;
}

static bool raised_under_python(const libtorch_replay *r)
{
    const char *line = strchr(r->cursor.at, '\n');
    return line && strncmp(line + 1, "  raises ", 9) == 0;
}

static int perform(call *c)
{
    libtorch_replay *r = c->replay;
    /* What an operator leaves as it was is the same in every run; as in calls.py. */
    shim_memory_fill(strstr(c->name, "empty") || strstr(c->name, "resize"));
    c->status =
        shim_call(&c->results, c->name, c->overload, c->arguments, c->count, &c->error);
    shim_memory_fill(false);
    if (raised_under_python(r))
        return check_rest(c);
    if (c->status != 0)
        return libtorch_differ(r, "%s: %s", c->error.type, c->error.text);
    if (libtorch_schema_check(r, c->name, c->overload, c->tensors, c->ntensors,
                              &c->results) != 0)
        return -1;
    for (size_t i = 0; i < c->results.count; i++)
        if (take_result(c, &c->results.items[i]) != 0)
            return -1;
    return check_rest(c);
}

int libtorch_call(libtorch_replay *r)
{
    call *c = parity_alloc(sizeof *c);
    c->replay = r;
    c->arena = parity_arena_new();
    int status = read_call(c);
    if (status == 0)
        status = perform(c);
    shim_results_free(&c->results);
    parity_arena_free(c->arena);
    free(c);
    return status;
}
