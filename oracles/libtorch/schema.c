/* Whether an operator wrote and aliased no more than its schema declares. */
#include "oracles/libtorch/replay.h"

#include "harness/base/memory.h"
#include "oracles/libtorch/look.h"

#include <stdlib.h>
#include <string.h>

#define WATCHED_LIMIT ((size_t)1 << 20) /* bytes of a storage that is looked at */

/* Schemas that were asked for, for the life of the process. */
typedef struct known {
    char *name;
    char *overload;
    shim_schema schema;
} known;
static known **all;
static size_t count, capacity;

static const shim_schema *schema_of(const char *name, const char *overload)
{
    shim_error error;
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i]->name, name) == 0 && strcmp(all[i]->overload, overload) == 0)
            return &all[i]->schema;
    known *made = parity_alloc(sizeof *made);
    if (shim_schema_of(&made->schema, name, overload, &error) != 0) {
        free(made);
        return NULL;
    }
    made->name = parity_strdup(name);
    made->overload = parity_strdup(overload);
    PARITY_GROW(all, count, capacity);
    all[count++] = made;
    return &made->schema;
}

size_t libtorch_schema_place(const char *name, const char *overload, const char *argument)
{
    const shim_schema *schema = schema_of(name, overload);
    for (size_t i = 0; schema && i < schema->narguments; i++)
        if (strcmp(schema->names[i], argument) == 0)
            return i;
    return SIZE_MAX;
}

uint64_t libtorch_watched_hash(const shim_info *info)
{
    return info->bytes <= WATCHED_LIMIT ? libtorch_storage_hash(info) : 0;
}

static void note(libtorch_replay *r, const shim_schema *schema, const char *what,
                 size_t argument)
{
    parity_buffer_printf(r->notes, "schema: %s %s its argument %s: %s\n", r->calling,
                         what, schema->names[argument], schema->text);
}

/* Whether an argument on the same storage is declared to be written. */
static bool may_write(const shim_schema *schema, const libtorch_argument *arguments,
                      size_t n, size_t storage)
{
    for (size_t i = 0; i < n; i++)
        if (arguments[i].storage == storage && schema->writes[arguments[i].place])
            return true;
    return false;
}

/* 1: the call wrote the argument, 0: it did not, or that cannot be seen. */
static int written(libtorch_replay *r, const libtorch_argument *argument)
{
    shim_info after;
    if (libtorch_info(r, &after, argument->tensor) != 0)
        return -1;
    return after.data == argument->data && after.bytes == argument->bytes &&
           libtorch_watched_hash(&after) != argument->hash;
}

/* The first argument in whose storage a result lies; n: none, or it is declared. */
static size_t undeclared(const shim_schema *schema, const libtorch_argument *arguments,
                         size_t n, size_t result, const void *storage)
{
    size_t found = n;
    for (size_t i = 0; i < n; i++) {
        if (arguments[i].identity != storage)
            continue;
        if (schema->aliases[result] >> arguments[i].place & 1)
            return n;
        found = found == n ? i : found;
    }
    return found;
}

static int check_result(libtorch_replay *r, const shim_schema *schema,
                        const libtorch_argument *arguments, size_t n, size_t result,
                        const shim_value *value)
{
    shim_info info;
    for (size_t i = 0; value->kind == SHIM_LIST && i < value->count; i++)
        if (check_result(r, schema, arguments, n, result, &value->items[i]) != 0)
            return -1;
    if (value->kind != SHIM_TENSOR)
        return 0;
    if (libtorch_info(r, &info, value->tensor) != 0)
        return -1;
    size_t found =
        info.storage ? undeclared(schema, arguments, n, result, info.storage) : n;
    if (found < n)
        note(r, schema, "returned undeclared memory of", arguments[found].place);
    return 0;
}

int libtorch_schema_check(libtorch_replay *r, const char *name, const char *overload,
                          const libtorch_argument *arguments, size_t n,
                          const shim_value *results)
{
    const shim_schema *schema = schema_of(name, overload);
    if (schema == NULL)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (arguments[i].place >= schema->narguments)
            return libtorch_damaged(r, "an argument that the operator does not have");
    for (size_t i = 0; i < n; i++) {
        int wrote = written(r, &arguments[i]);
        if (wrote < 0)
            return -1;
        if (wrote && !may_write(schema, arguments, n, arguments[i].storage))
            note(r, schema, "wrote, undeclared,", arguments[i].place);
    }
    for (size_t i = 0; i < results->count && i < schema->nresults; i++)
        if (check_result(r, schema, arguments, n, i, &results->items[i]) != 0)
            return -1;
    return 0;
}
