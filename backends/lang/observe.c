/* What is seen of a value after the program has ended: consumes no identifier, takes read
 * locks only. The twin of the prelude's Observe trait. */
#include "backends/lang/interp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Keeps all bits, or hash, head and tail when they are too many. Takes `bits`. */
static void set_bits(parity_tensor *tensor, void *bits, size_t nbytes, size_t size)
{
    size_t edge = PARITY_EDGE_ELEMENTS * size;
    tensor->bits = bits;
    tensor->nbytes = nbytes;
    if (nbytes <= PARITY_BITS_LIMIT)
        return;
    tensor->hashed = true;
    tensor->hash = XXH3_64bits(bits, nbytes);
    unsigned char *edges = parity_alloc(2 * edge);
    memcpy(edges, bits, edge);
    memcpy(edges + edge, (unsigned char *)bits + nbytes - edge, edge);
    free(bits);
    tensor->bits = edges;
    tensor->nbytes = 2 * edge;
}

lang_flow lang_read_tensor(lang_interp *it, parity_pos pos, const core_tensor *tensor,
                           parity_value **out)
{
    core_error error;
    const core_dtype_row *dtype = core_dtype_info(core_tensor_dtype(tensor));
    const core_layout *layout = core_tensor_layout(tensor);
    size_t nbytes;
    void *bits;
    if (core_tensor_room(&bits, &nbytes, tensor, &error) != CORE_OK)
        return lang_core_stop(it, pos, &error);
    core_context_at(it->context, pos.line, pos.column);
    if (core_tensor_read(it->context, bits, tensor, &error) != CORE_OK) {
        free(bits);
        return lang_core_stop(it, pos, &error);
    }
    parity_value *value = parity_value_new(PARITY_VALUE_TENSOR);
    value->tensor = parity_alloc(sizeof *value->tensor);
    parity_dtype_from_name(&value->tensor->dtype, dtype->name);
    value->tensor->rank = layout->shape.rank;
    for (size_t i = 0; i < layout->shape.rank; i++)
        value->tensor->shape[i] = (int64_t)layout->shape.dims[i];
    set_bits(value->tensor, bits, nbytes, dtype->size);
    *out = value;
    return LANG_GO;
}

static void add_fact(parity_tensor *tensor, const char *name, bool fact)
{
    tensor->facts =
        parity_realloc(tensor->facts, (tensor->nfacts + 1) * sizeof *tensor->facts);
    tensor->facts[tensor->nfacts++] =
        (parity_fact){parity_strdup(name), parity_strdup(fact ? "true" : "false")};
}

static lang_flow observe_tensor(lang_interp *it, const core_tensor *tensor,
                                lang_identities *identities, parity_value **out)
{
    char text[32];
    lang_flow flow = lang_read_tensor(it, (parity_pos){0}, tensor, out);
    if (flow)
        return flow;
    const core_layout *layout = core_tensor_layout(tensor);
    parity_tensor *seen = (*out)->tensor;
    for (size_t i = 0; i < layout->shape.rank; i++)
        seen->strides[i] = (int64_t)layout->stride[i];
    seen->offset = (int64_t)layout->offset;
    snprintf(text, sizeof text, "%p", core_tensor_memory(tensor));
    seen->storage = parity_names_number(&identities->storages, text);
    snprintf(text, sizeof text, "%llu", (unsigned long long)core_tensor_id(tensor));
    seen->handle = parity_names_number(&identities->handles, text);
    add_fact(seen, "variable", core_tensor_is_variable(tensor));
    add_fact(seen, "tracked", core_tensor_tracked(tensor));
    lang_push(&identities->kept, lang_core(core_value_tensor(core_tensor_ref(tensor))));
    return LANG_GO;
}

static parity_value *with_text(parity_value_kind kind, const char *text)
{
    parity_value *value = parity_value_new(kind);
    value->text = parity_strdup(text);
    return value;
}

static lang_flow observe_number(lang_interp *it, lang_number number, parity_value **out)
{
    char text[32];
    lang_flow flow = lang_refuse_if(it, (parity_pos){0}, lang_number_show(&number));
    if (flow)
        return flow;
    if (number.is_float) {
        *out = parity_value_new(PARITY_VALUE_FLOAT);
        (*out)->dtype = number.type == LANG_F32 ? PARITY_F32 : PARITY_F64;
        (*out)->number = number.d;
        return LANG_GO;
    }
    bool minus = number.i < 0;
    snprintf(text, sizeof text, "%s%llu", minus ? "-" : "",
             (unsigned long long)(minus ? -number.i : number.i));
    *out = with_text(PARITY_VALUE_INT, text);
    return LANG_GO;
}

/* Anything else by its Debug text. */
static lang_flow observe_other(lang_interp *it, const lang_value *value,
                               parity_value **out)
{
    core_text text = {0};
    lang_flow flow = lang_print(it, (parity_pos){0}, &text, value, true, -1);
    if (!flow) {
        *out = with_text(PARITY_VALUE_OTHER, text.data ? text.data : "");
        (*out)->type = parity_strdup(lang_type_name(value));
    }
    core_text_free(&text);
    return flow;
}

static lang_flow observe_core(lang_interp *it, const lang_value *value,
                              lang_identities *identities, parity_value **out)
{
    char text[32];
    switch (value->core.kind) {
    case CORE_KIND_TENSOR:
    case CORE_KIND_VAR:
        return observe_tensor(it, value->core.tensor, identities, out);
    case CORE_KIND_ID:
        snprintf(text, sizeof text, "%llu", (unsigned long long)value->core.id);
        *out = with_text(PARITY_VALUE_ID, text);
        return LANG_GO;
    case CORE_KIND_DTYPE:
    case CORE_KIND_DEVICE:
    case CORE_KIND_SHAPE:
    case CORE_KIND_LAYOUT:
        return observe_other(it, value, out);
    default:
        return lang_refuse(it, (parity_pos){0}, "%s cannot be observed in the core",
                           lang_type_name(value));
    }
}

static lang_flow observe_items(lang_interp *it, const lang_value *value,
                               parity_value_kind kind, lang_identities *identities,
                               parity_value **out)
{
    size_t count = lang_count(value);
    *out = parity_value_new(kind);
    (*out)->items = parity_alloc((count + 1) * sizeof *(*out)->items);
    for (size_t i = 0; i < count; i++) {
        const lang_cell *cell = lang_item(value, i);
        lang_flow flow =
            cell->state == LANG_LIVE
                ? lang_observe(it, &cell->value, identities, &(*out)->items[i])
                : lang_refuse(it, (parity_pos){0}, "a part of this value was moved out");
        if (flow) {
            parity_value_free(*out);
            *out = NULL;
            return flow;
        }
        (*out)->nitems = i + 1;
    }
    return LANG_GO;
}

static lang_flow observe_err(lang_interp *it, const lang_value *value, parity_value **out)
{
    core_text text = {0};
    lang_flow flow =
        lang_print(it, (parity_pos){0}, &text, &lang_item(value, 0)->value, false, -1);
    if (!flow)
        *out = with_text(PARITY_VALUE_ERR, text.data ? text.data : "");
    core_text_free(&text);
    return flow;
}

static parity_value *copy_host(const parity_value *host)
{
    parity_value *value = parity_value_new(PARITY_VALUE_TENSOR);
    value->tensor = parity_alloc(sizeof *value->tensor);
    *value->tensor = *host->tensor;
    value->tensor->bits = parity_alloc(host->tensor->nbytes + 1);
    if (host->tensor->nbytes)
        memcpy(value->tensor->bits, host->tensor->bits, host->tensor->nbytes);
    return value;
}

lang_flow lang_observe(lang_interp *it, const lang_value *value,
                       lang_identities *identities, parity_value **out)
{
    const lang_value *v = lang_behind(value);
    *out = NULL;
    if (!v)
        return lang_refuse(it, (parity_pos){0},
                           "a reference to what was moved or dropped");
    switch (v->kind) {
    case LANG_UNIT:
        *out = parity_value_new(PARITY_VALUE_UNIT);
        return LANG_GO;
    case LANG_BOOL:
        *out = parity_value_new(PARITY_VALUE_BOOL);
        (*out)->boolean = v->boolean;
        return LANG_GO;
    case LANG_NUMBER:
        return observe_number(it, v->number, out);
    case LANG_TEXT:
        *out = with_text(PARITY_VALUE_TEXT, v->text.data);
        return LANG_GO;
    case LANG_ERROR:
        return observe_other(it, v, out);
    case LANG_CORE:
        return observe_core(it, v, identities, out);
    case LANG_LIST:
    case LANG_TUPLE:
        return observe_items(it, v, PARITY_VALUE_LIST, identities, out);
    case LANG_OK:
        return observe_items(it, v, PARITY_VALUE_OK, identities, out);
    case LANG_SOME:
        return observe_items(it, v, PARITY_VALUE_SOME, identities, out);
    case LANG_NONE:
        *out = parity_value_new(PARITY_VALUE_NONE);
        return LANG_GO;
    case LANG_ERR:
        return observe_err(it, v, out);
    case LANG_HOST:
        *out = copy_host(v->host->value);
        return LANG_GO;
    case LANG_MIB:
        *out = parity_value_new(PARITY_VALUE_MIB);
        (*out)->number = v->mib;
        return LANG_GO;
    default:
        return lang_refuse(it, (parity_pos){0}, "%s cannot be observed in the core",
                           lang_type_name(v));
    }
}
