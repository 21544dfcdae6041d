#include "oracles/libtorch/replay.h"

#include "harness/base/base64.h"
#include "harness/base/memory.h"
#include "oracles/libtorch/look.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 0 }; /* as oracles/torch/state.py sets it before each case */

static int end_with(libtorch_replay *r, const char *type, const char *format,
                    va_list args)
{
    parity_buffer text = {0};
    if (r->calling)
        parity_buffer_printf(&text, "call %zu, %s: ", r->calls, r->calling);
    parity_buffer_vprintf(&text, format, args);
    parity_outcome_set(&r->answer->end, PARITY_ERROR, type, text.data,
                       (parity_pos){r->cursor.line, 1});
    parity_buffer_free(&text);
    return -1;
}

int libtorch_differ(libtorch_replay *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    end_with(r, "ReplayDiffers", format, args);
    va_end(args);
    return -1;
}

static int damaged(libtorch_replay *r, const char *format, ...) PARITY_PRINTF(2, 3);
static int damaged(libtorch_replay *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    end_with(r, "DamagedTrace", format, args);
    va_end(args);
    return -1;
}

int libtorch_damaged(libtorch_replay *r, const char *what)
{
    return damaged(r, "line %d of the trace: %s", r->cursor.line, what);
}

libtorch_tensor *libtorch_tensor_named(libtorch_replay *r, libtorch_word word)
{
    size_t number = libtorch_word_name(word, 't');
    if (number == 0 || number > r->tensors.count ||
        !r->tensors.items[number - 1].tensor) {
        libtorch_damaged(r, "there is no tensor of that name");
        return NULL;
    }
    return &r->tensors.items[number - 1];
}

libtorch_tensor *libtorch_tensor_used(libtorch_replay *r, libtorch_word word)
{
    shim_info info;
    int64_t version = -1;
    const char *at = memchr(word.text, '@', word.length);
    libtorch_word name = {word.text, at ? (size_t)(at - word.text) : word.length};
    libtorch_word number = {at ? at + 1 : "", at ? word.length - name.length - 1 : 0};
    bool told = !libtorch_word_is(number, "?");
    if (told && !libtorch_word_integer(number, &version)) {
        libtorch_damaged(r, "a tensor without its version");
        return NULL;
    }
    libtorch_tensor *found = libtorch_tensor_named(r, name);
    if (found == NULL || libtorch_info(r, &info, found->tensor) != 0)
        return NULL;
    if (told && info.version != version) {
        libtorch_differ(r, "%.*s has version %lld, under Python %lld", (int)name.length,
                        name.text, (long long)info.version, (long long)version);
        return NULL;
    }
    return found;
}

libtorch_tensor *libtorch_tensor_new(libtorch_replay *r, libtorch_word word)
{
    if (libtorch_word_name(word, 't') != r->tensors.count + 1) {
        libtorch_damaged(r, "a new tensor must have the next name");
        return NULL;
    }
    PARITY_GROW(r->tensors.items, r->tensors.count, r->tensors.capacity);
    libtorch_tensor *made = &r->tensors.items[r->tensors.count++];
    *made = (libtorch_tensor){0};
    return made;
}

int libtorch_info(libtorch_replay *r, shim_info *info, const shim_tensor *tensor)
{
    shim_error error;
    if (shim_tensor_info(info, tensor, &error) != 0)
        return libtorch_differ(r, "%s", error.text);
    return 0;
}

int libtorch_storage_bind(libtorch_replay *r, libtorch_word word, const shim_info *info,
                          size_t *number)
{
    *number = libtorch_word_name(word, 's');
    if (*number == 0 || *number > r->storages.count + 1)
        return libtorch_damaged(r, "there is no storage of that name");
    if (*number <= r->storages.count) {
        if (r->storages.items[*number - 1].identity == info->storage)
            return 0;
        return libtorch_differ(r,
                               "the result does not lie in the memory of s%zu, as "
                               "under Python",
                               *number);
    }
    for (size_t i = 0; i < r->storages.count; i++)
        if (r->storages.items[i].identity == info->storage)
            return libtorch_differ(r,
                                   "the result lies in the memory of s%zu, and in "
                                   "new memory under Python",
                                   i + 1);
    PARITY_GROW(r->storages.items, r->storages.count, r->storages.capacity);
    r->storages.items[r->storages.count++] = (libtorch_storage){info->storage, NULL};
    return 0;
}

/* Bytes in base64; `-` for none. */
static int bytes_of(libtorch_replay *r, libtorch_word word, void **bytes, size_t *count)
{
    parity_error error;
    *bytes = NULL;
    *count = 0;
    if (libtorch_word_is(word, "-"))
        return 0;
    if (parity_base64_decode(bytes, count, word.text, word.length, &error) != 0)
        return libtorch_damaged(r, error.message);
    return 0;
}

/* storage s1 BASE64: memory that no call made. The tensor that keeps it is not named. */
static int storage_line(libtorch_replay *r)
{
    libtorch_word name, bits;
    shim_info info;
    shim_error error;
    shim_tensor *tensor = NULL;
    void *bytes;
    size_t count, number;
    if (!libtorch_word_next(&r->cursor, &name) || !libtorch_word_next(&r->cursor, &bits))
        return libtorch_damaged(r, "a storage needs a name and bytes");
    if (libtorch_word_name(name, 's') != r->storages.count + 1)
        return libtorch_damaged(r, "a new storage must have the next name");
    if (bytes_of(r, bits, &bytes, &count) != 0)
        return -1;
    int status = shim_tensor_new(&tensor, bytes, count, &error);
    free(bytes);
    if (status != 0)
        return libtorch_differ(r, "%s", error.text);
    status = libtorch_info(r, &info, tensor);
    if (status == 0)
        status = libtorch_storage_bind(r, name, &info, &number);
    if (status == 0)
        r->storages.items[number - 1].keeper = tensor;
    else
        shim_tensor_free(tensor);
    return status;
}

shim_tensor *libtorch_tensor_on(const libtorch_replay *r, size_t storage)
{
    if (storage == 0 || storage > r->storages.count)
        return NULL;
    if (r->storages.items[storage - 1].keeper)
        return r->storages.items[storage - 1].keeper;
    for (size_t i = 0; i < r->tensors.count; i++)
        if (r->tensors.items[i].storage == storage && r->tensors.items[i].tensor)
            return r->tensors.items[i].tensor;
    return NULL;
}

int libtorch_geometry(libtorch_replay *r, shim_info *info)
{
    libtorch_word dtype, sizes, strides, offset;
    size_t rank;
    static const parity_dtype last = PARITY_DTYPE_COUNT;
    if (!libtorch_word_next(&r->cursor, &dtype) ||
        !libtorch_word_next(&r->cursor, &sizes) ||
        !libtorch_word_next(&r->cursor, &strides) ||
        !libtorch_word_next(&r->cursor, &offset) ||
        !libtorch_word_integers(sizes, info->sizes, &info->rank, SHIM_MAX_RANK) ||
        !libtorch_word_integers(strides, info->strides, &rank, SHIM_MAX_RANK) ||
        rank != info->rank || !libtorch_word_integer(offset, &info->offset))
        return libtorch_damaged(r, "a tensor needs dtype, sizes, strides and offset");
    for (int i = 0; i < (int)last; i++)
        if (libtorch_word_is(dtype, libtorch_dtype_name((parity_dtype)i)))
            info->dtype = libtorch_dtype_name((parity_dtype)i);
    return info->dtype ? 0 : libtorch_damaged(r, "a dtype of no such name");
}

/* tensor t1 s1 GEOMETRY t2|new@VERSION [grad]: a tensor that no call returned. */
static int tensor_line(libtorch_replay *r)
{
    libtorch_word name, storage, counter, grad;
    shim_info like = {0};
    shim_error error;
    shim_look look = {0};
    if (!libtorch_word_next(&r->cursor, &name) ||
        !libtorch_word_next(&r->cursor, &storage))
        return libtorch_damaged(r, "a tensor needs a name and a storage");
    if (libtorch_geometry(r, &like) != 0)
        return -1;
    if (!libtorch_word_next(&r->cursor, &counter))
        return libtorch_damaged(r, "a tensor needs a version counter");
    look = (shim_look){like.dtype,  like.rank, like.sizes, like.strides,
                       like.offset, NULL,      0,          false};
    if (counter.length > 4 && memcmp(counter.text, "new@", 4) == 0) {
        libtorch_word version = {counter.text + 4, counter.length - 4};
        int64_t number;
        if (!libtorch_word_integer(version, &number) || number < 0 || number > UINT32_MAX)
            return libtorch_damaged(r, "a version is a number");
        look.version = (uint32_t)number;
    } else {
        const libtorch_tensor *other = libtorch_tensor_named(r, counter);
        if (other == NULL)
            return -1;
        look.counter = other->tensor;
    }
    look.requires_grad =
        libtorch_word_next(&r->cursor, &grad) && libtorch_word_is(grad, "grad");
    size_t number = libtorch_word_name(storage, 's');
    const shim_tensor *on = libtorch_tensor_on(r, number);
    if (on == NULL)
        return libtorch_damaged(r, "there is no storage of that name");
    shim_tensor *tensor = NULL;
    if (shim_tensor_view(&tensor, on, &look, &error) != 0)
        return libtorch_differ(r, "%s", error.text);
    libtorch_tensor *made = libtorch_tensor_new(r, name);
    if (made == NULL) {
        shim_tensor_free(tensor);
        return -1;
    }
    *made = (libtorch_tensor){tensor, number};
    return 0;
}

/* free s1: nothing under Python holds it any more. */
static int free_line(libtorch_replay *r)
{
    libtorch_word name;
    size_t number =
        libtorch_word_next(&r->cursor, &name) ? libtorch_word_name(name, 's') : 0;
    if (number == 0 || number > r->storages.count)
        return libtorch_damaged(r, "there is no storage of that name");
    for (size_t i = 0; i < r->tensors.count; i++)
        if (r->tensors.items[i].storage == number) {
            shim_tensor_free(r->tensors.items[i].tensor);
            r->tensors.items[i].tensor = NULL;
        }
    shim_tensor_free(r->storages.items[number - 1].keeper);
    r->storages.items[number - 1] = (libtorch_storage){0};
    return 0;
}

static int seed_line(libtorch_replay *r)
{
    libtorch_word word;
    shim_error error;
    char digits[32];
    if (!libtorch_word_next(&r->cursor, &word) || word.length >= sizeof digits)
        return libtorch_damaged(r, "a seed is a number");
    memcpy(digits, word.text, word.length);
    digits[word.length] = '\0';
    if (shim_seed(strtoull(digits, NULL, 10), &error) != 0)
        return libtorch_differ(r, "%s", error.text);
    return 0;
}

static int generator_line(libtorch_replay *r)
{
    libtorch_word word;
    shim_error error;
    void *bytes;
    size_t count;
    if (!libtorch_word_next(&r->cursor, &word) || bytes_of(r, word, &bytes, &count) != 0)
        return libtorch_damaged(r, "a generator needs its state");
    int status = shim_generator_set(bytes, count, &error);
    free(bytes);
    return status == 0 ? 0 : libtorch_differ(r, "%s", error.text);
}

static int dtype_line(libtorch_replay *r)
{
    libtorch_word word;
    shim_error error;
    char name[32];
    if (!libtorch_word_next(&r->cursor, &word) || word.length >= sizeof name)
        return libtorch_damaged(r, "a dtype is missing");
    memcpy(name, word.text, word.length);
    name[word.length] = '\0';
    if (shim_default_dtype(name, &error) != 0)
        return libtorch_differ(r, "%s", error.text);
    return 0;
}

/* measure m1 requested|peak */
static int measure_line(libtorch_replay *r)
{
    libtorch_word name, what;
    if (!libtorch_word_next(&r->cursor, &name) ||
        !libtorch_word_next(&r->cursor, &what) ||
        libtorch_word_name(name, 'm') != r->measures.count + 1)
        return libtorch_damaged(r, "a measure needs the next name, and what it measures");
    PARITY_GROW(r->measures.items, r->measures.count, r->measures.capacity);
    libtorch_measure *made = &r->measures.items[r->measures.count++];
    *made = (libtorch_measure){.peak = libtorch_word_is(what, "peak")};
    shim_memory_mark();
    shim_memory now = shim_memory_now();
    made->before = made->peak ? now.live : now.requested;
    return 0;
}

static int end_line(libtorch_replay *r)
{
    libtorch_word name;
    size_t number =
        libtorch_word_next(&r->cursor, &name) ? libtorch_word_name(name, 'm') : 0;
    if (number == 0 || number > r->measures.count)
        return libtorch_damaged(r, "there is no measure of that name");
    libtorch_measure *made = &r->measures.items[number - 1];
    shim_memory now = shim_memory_now();
    uint64_t after = made->peak ? now.peak : now.requested;
    made->mib = (double)(after - made->before) / (1 << 20);
    return 0;
}

static int stop_line(libtorch_replay *r)
{
    libtorch_word word;
    free(r->stopped);
    r->stopped = libtorch_word_next(&r->cursor, &word) ? libtorch_word_text(word) : NULL;
    return r->stopped ? 0 : libtorch_damaged(r, "a reason is missing");
}

/* ends value | raised e1 | unsupported "reason" */
static int ends_line(libtorch_replay *r)
{
    libtorch_word how, what = {"", 0};
    if (!libtorch_word_next(&r->cursor, &how))
        return libtorch_damaged(r, "how the program ended is missing");
    libtorch_word_next(&r->cursor, &what);
    r->ended = true;
    if (libtorch_word_is(how, "value"))
        return 0;
    if (libtorch_word_is(how, "raised")) {
        size_t number = libtorch_word_name(what, 'e');
        if (number == 0 || number > r->errors.count)
            return libtorch_damaged(r, "there is no exception of that name");
        const shim_error *error = &r->errors.items[number - 1];
        parity_outcome_set(&r->answer->end, PARITY_ERROR, error->type, error->text,
                           (parity_pos){0, 0});
        return 0;
    }
    char *reason = libtorch_word_text(what);
    if (!libtorch_word_is(how, "unsupported") || reason == NULL) {
        free(reason);
        return libtorch_damaged(r, "no such end");
    }
    parity_outcome_set(&r->answer->end, PARITY_UNSUPPORTED, NULL, reason,
                       (parity_pos){0, 0});
    free(reason);
    return 0;
}

static int replay_line(libtorch_replay *r, libtorch_word key)
{
    static const struct {
        const char *word;
        int (*replay)(libtorch_replay *);
    } lines[] = {
        {"call", libtorch_call},       {"observe", libtorch_observe},
        {"tensor", tensor_line},       {"storage", storage_line},
        {"free", free_line},           {"seed", seed_line},
        {"generator", generator_line}, {"dtype", dtype_line},
        {"measure", measure_line},     {"end", end_line},
        {"ends", ends_line},           {"stop", stop_line},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (libtorch_word_is(key, lines[i].word))
            return lines[i].replay(r);
    return libtorch_damaged(r, "it begins with no known word");
}

static void release(libtorch_replay *r)
{
    for (size_t i = 0; i < r->tensors.count; i++)
        shim_tensor_free(r->tensors.items[i].tensor);
    for (size_t i = 0; i < r->storages.count; i++)
        shim_tensor_free(r->storages.items[i].keeper);
    free(r->tensors.items);
    free(r->storages.items);
    free(r->measures.items);
    free(r->scalars.items);
    free(r->errors.items);
    free(r->calling);
    free(r->stopped);
    parity_names_free(&r->names);
}

/* A trace that ends early leaves what comes after it unsupported. */
static void conclude(libtorch_replay *r)
{
    parity_answer *answer = r->answer;
    parity_pos nowhere = {0, 0};
    const char *reason =
        r->stopped ? r->stopped : "the trace ends before all was observed";
    if (!r->ended && answer->end.kind == PARITY_VALUE)
        parity_outcome_set(&answer->end, PARITY_UNSUPPORTED, NULL, reason, nowhere);
    bool through = answer->end.kind == PARITY_VALUE;
    for (size_t i = 0; i < r->request->nobserve; i++)
        if (!through)
            parity_outcome_clear(&answer->observed[i]),
                answer->observed[i].kind = PARITY_NOT_REACHED;
        else if (i >= r->observed)
            parity_outcome_set(&answer->observed[i], PARITY_UNSUPPORTED, NULL, reason,
                               nowhere);
}

void libtorch_replay_run(const parity_request *request, parity_answer *answer,
                         parity_buffer *notes)
{
    shim_error error;
    libtorch_word key;
    libtorch_replay r = {.request = request,
                         .answer = answer,
                         .cursor = {request->program, 1},
                         .notes = notes};
    int status = 0;
    if (shim_seed(SEED, &error) != 0 || shim_default_dtype("float32", &error) != 0)
        status = libtorch_differ(&r, "%s", error.text);
    while (status == 0 && *r.cursor.at != '\0' && !r.stopped) {
        if (libtorch_word_next(&r.cursor, &key))
            status = replay_line(&r, key);
        /* Those of a call stop at the last line that belongs to it. */
        if (status == 0 && !libtorch_line_next(&r.cursor))
            break;
    }
    conclude(&r);
    release(&r);
}
