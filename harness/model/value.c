#include "harness/model/value.h"
#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>

parity_value *parity_value_new(parity_value_kind kind)
{
    parity_value *value = parity_alloc(sizeof *value);
    value->kind = kind;
    return value;
}

static void tensor_free(parity_tensor *tensor)
{
    if (!tensor)
        return;
    for (size_t i = 0; i < tensor->nfacts; i++) {
        free(tensor->facts[i].name);
        free(tensor->facts[i].text);
    }
    free(tensor->facts);
    free(tensor->bits);
    free(tensor);
}

void parity_value_free(parity_value *value)
{
    if (!value)
        return;
    for (size_t i = 0; i < value->nitems; i++)
        parity_value_free(value->items[i]);
    free(value->items);
    tensor_free(value->tensor);
    free(value->text);
    free(value->type);
    free(value);
}

int64_t parity_tensor_count(const parity_tensor *tensor)
{
    int64_t count = 1;
    for (size_t i = 0; i < tensor->rank; i++)
        count *= tensor->shape[i];
    return count;
}

uint32_t parity_names_number(parity_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->names[i], name) == 0)
            return (uint32_t)i + 1;
    PARITY_GROW(names->names, names->count, names->capacity);
    names->names[names->count++] = parity_strdup(name);
    return (uint32_t)names->count;
}

void parity_names_free(parity_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->names[i]);
    free(names->names);
    *names = (parity_names){0};
}
