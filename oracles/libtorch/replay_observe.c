/* A line `observe`: what of the replay a row sees. */
#include "oracles/libtorch/replay.h"

#include "harness/base/memory.h"
#include "oracles/libtorch/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 32 };

static int read_value(libtorch_replay *r, parity_value **out, int depth);

static libtorch_tensor *next_tensor(libtorch_replay *r)
{
    libtorch_word word;
    if (!libtorch_word_next(&r->cursor, &word)) {
        libtorch_damaged(r, "a tensor is missing");
        return NULL;
    }
    return libtorch_tensor_used(r, word);
}

static int next_info(libtorch_replay *r, shim_info *info)
{
    const libtorch_tensor *tensor = next_tensor(r);
    return tensor ? libtorch_info(r, info, tensor->tensor) : -1;
}

/* Memory is known by its address; storages without bytes have none. */
static const void *memory_of(const shim_info *info)
{
    return info->data ? info->data : info->storage;
}

static void add_fact(parity_tensor *out, const char *name, const char *text)
{
    out->facts = parity_realloc(out->facts, (out->nfacts + 1) * sizeof *out->facts);
    out->facts[out->nfacts++] = (parity_fact){parity_strdup(name), parity_strdup(text)};
}

/* tensor t1@0, host t1@0, or unversioned t1@0: its version is another when nobody writes
 * the calls down. */
static int read_tensor(libtorch_replay *r, parity_value **out, libtorch_word how)
{
    bool host = libtorch_word_is(how, "host");
    shim_info info;
    parity_error reason;
    char text[32];
    *out = parity_value_new(PARITY_VALUE_TENSOR);
    parity_tensor *tensor = (*out)->tensor = parity_alloc(sizeof *tensor);
    tensor->host = host;
    if (next_info(r, &info) != 0)
        return -1;
    if (libtorch_look(tensor, &info, &reason) != 0 ||
        libtorch_bits(tensor, info.data, (int64_t)info.bytes, &reason) != 0)
        return libtorch_differ(r, "%s", reason.message);
    if (host)
        return 0;
    snprintf(text, sizeof text, "%p", memory_of(&info));
    tensor->storage = parity_names_number(&r->names, text);
    snprintf(text, sizeof text, "%lld", (long long)info.version);
    /* Replayed below autograd, so these two are not known. */
    add_fact(tensor, "requires_grad", "?");
    add_fact(tensor, "leaf", "?");
    add_fact(tensor, "version", libtorch_word_is(how, "unversioned") ? "?" : text);
    return 0;
}

static int read_shares(libtorch_replay *r, parity_value **out)
{
    shim_info left, right;
    if (next_info(r, &left) != 0 || next_info(r, &right) != 0)
        return -1;
    *out = parity_value_new(PARITY_VALUE_BOOL);
    (*out)->boolean = memory_of(&left) == memory_of(&right);
    return 0;
}

static parity_value *integer(int64_t number)
{
    char digits[24];
    parity_value *value = parity_value_new(PARITY_VALUE_INT);
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    value->text = parity_strdup(digits);
    return value;
}

static parity_value *integers(const int64_t *numbers, size_t count)
{
    parity_value *list = parity_value_new(PARITY_VALUE_LIST);
    list->items = parity_alloc((count + 1) * sizeof *list->items);
    for (; list->nitems < count; list->nitems++)
        list->items[list->nitems] = integer(numbers[list->nitems]);
    return list;
}

static bool is_contiguous(const shim_info *info)
{
    int64_t stride = 1;
    for (size_t i = 0; i < info->rank; i++)
        if (info->sizes[i] == 0)
            return true;
    for (size_t i = info->rank; i-- > 0;) {
        if (info->sizes[i] != 1 && info->strides[i] != stride)
            return false;
        stride *= info->sizes[i];
    }
    return true;
}

static int64_t elements(const shim_info *info)
{
    int64_t count = 1;
    for (size_t i = 0; i < info->rank; i++)
        count *= info->sizes[i];
    return count;
}

/* 1: it is a property, in *out; 0: it is none. */
static int read_property(libtorch_replay *r, parity_value **out, libtorch_word word)
{
    static const char *const names[] = {"shape", "stride",   "storage_offset", "dim",
                                        "numel", "_version", "is_contiguous"};
    size_t which = 0;
    shim_info info;
    while (which < 7 && !libtorch_word_is(word, names[which]))
        which++;
    if (which == 7)
        return 0;
    if (next_info(r, &info) != 0)
        return -1;
    switch (which) {
    case 0:
        *out = integers(info.sizes, info.rank);
        break;
    case 1:
        *out = integers(info.strides, info.rank);
        break;
    case 6:
        *out = parity_value_new(PARITY_VALUE_BOOL);
        (*out)->boolean = is_contiguous(&info);
        break;
    default:
        *out = integer(which == 2   ? info.offset
                       : which == 3 ? (int64_t)info.rank
                       : which == 4 ? elements(&info)
                                    : info.version);
    }
    return 1;
}

/* scalar n1 float|int|bool */
static int read_scalar(libtorch_replay *r, parity_value **out)
{
    libtorch_word name, type;
    if (!libtorch_word_next(&r->cursor, &name) || !libtorch_word_next(&r->cursor, &type))
        return libtorch_damaged(r, "a number needs a name and a type");
    size_t number = libtorch_word_name(name, 'n');
    if (number == 0 || number > r->scalars.count)
        return libtorch_damaged(r, "there is no number of that name");
    const shim_value *scalar = &r->scalars.items[number - 1];
    double value = scalar->kind == SHIM_FLOAT  ? scalar->number
                   : scalar->kind == SHIM_BOOL ? scalar->boolean
                                               : (double)scalar->integer;
    if (libtorch_word_is(type, "bool")) {
        *out = parity_value_new(PARITY_VALUE_BOOL);
        (*out)->boolean = value != 0;
    } else if (libtorch_word_is(type, "int")) {
        *out = integer(scalar->kind == SHIM_INT ? scalar->integer : (int64_t)value);
    } else {
        *out = parity_value_new(PARITY_VALUE_FLOAT);
        (*out)->number = value;
        (*out)->dtype = PARITY_F64;
    }
    return 0;
}

static int read_mib(libtorch_replay *r, parity_value **out)
{
    libtorch_word name;
    size_t number =
        libtorch_word_next(&r->cursor, &name) ? libtorch_word_name(name, 'm') : 0;
    if (number == 0 || number > r->measures.count)
        return libtorch_damaged(r, "there is no measure of that name");
    *out = parity_value_new(PARITY_VALUE_MIB);
    (*out)->number = r->measures.items[number - 1].mib;
    return 0;
}

static const shim_error *next_error(libtorch_replay *r)
{
    libtorch_word name;
    size_t number =
        libtorch_word_next(&r->cursor, &name) ? libtorch_word_name(name, 'e') : 0;
    if (number > 0 && number <= r->errors.count)
        return &r->errors.items[number - 1];
    libtorch_damaged(r, "there is no exception of that name");
    return NULL;
}

static int read_raised(libtorch_replay *r, parity_value **out)
{
    const shim_error *error = next_error(r);
    if (error == NULL)
        return -1;
    *out = parity_value_new(PARITY_VALUE_RAISED);
    (*out)->type = parity_strdup(error->type);
    (*out)->text = parity_strdup(error->text);
    return 0;
}

static int read_list(libtorch_replay *r, parity_value **out, int depth)
{
    libtorch_word word;
    int64_t count;
    if (!libtorch_word_next(&r->cursor, &word) || !libtorch_word_integer(word, &count) ||
        count < 0 || depth == DEPTH)
        return libtorch_damaged(r, "a list without its length");
    size_t capacity = 0;
    parity_value *list = *out = parity_value_new(PARITY_VALUE_LIST);
    for (int64_t i = 0; i < count; i++) {
        PARITY_GROW(list->items, list->nitems, capacity);
        list->items[list->nitems] = NULL;
        if (read_value(r, &list->items[list->nitems++], depth + 1) != 0)
            return -1;
    }
    return 0;
}

static int read_value(libtorch_replay *r, parity_value **out, int depth)
{
    libtorch_word word;
    if (!libtorch_word_next(&r->cursor, &word))
        return libtorch_damaged(r, "what was observed is missing");
    if (libtorch_word_is(word, "tensor") || libtorch_word_is(word, "host") ||
        libtorch_word_is(word, "unversioned"))
        return read_tensor(r, out, word);
    if (libtorch_word_is(word, "list"))
        return read_list(r, out, depth);
    if (libtorch_word_is(word, "shares"))
        return read_shares(r, out);
    if (libtorch_word_is(word, "scalar"))
        return read_scalar(r, out);
    if (libtorch_word_is(word, "mib"))
        return read_mib(r, out);
    if (libtorch_word_is(word, "raised"))
        return read_raised(r, out);
    int property = read_property(r, out, word);
    if (property == 0)
        return libtorch_damaged(r, "it observes nothing that is known");
    return property > 0 ? 0 : -1;
}

/* unsupported "reason", or failed e1: the expression raised. 1: it was one of them. */
static int without_value(libtorch_replay *r, parity_outcome *out)
{
    libtorch_cursor start = r->cursor;
    libtorch_word how, what;
    if (libtorch_word_next(&r->cursor, &how) && libtorch_word_is(how, "failed")) {
        const shim_error *error = next_error(r);
        if (error)
            parity_outcome_set(out, PARITY_ERROR, error->type, error->text,
                               (parity_pos){0, 0});
        return error ? 1 : -1;
    }
    if (libtorch_word_is(how, "unsupported") && libtorch_word_next(&r->cursor, &what)) {
        char *reason = libtorch_word_text(what);
        if (reason == NULL)
            return libtorch_damaged(r, "a reason is missing");
        parity_outcome_set(out, PARITY_UNSUPPORTED, NULL, reason, (parity_pos){0, 0});
        free(reason);
        return 1;
    }
    r->cursor = start;
    return 0;
}

int libtorch_observe(libtorch_replay *r)
{
    if (r->observed == r->request->nobserve || !r->ended)
        return libtorch_damaged(r, "nothing more is to be observed");
    parity_outcome *out = &r->answer->observed[r->observed];
    int status = without_value(r, out);
    if (status == 0) {
        parity_value *value = NULL;
        status = read_value(r, &value, 0);
        if (status == 0) {
            parity_outcome_clear(out);
            out->kind = PARITY_VALUE;
            out->value = value;
        } else {
            parity_value_free(value);
        }
    }
    if (status < 0)
        return -1;
    r->observed++;
    return 0;
}
