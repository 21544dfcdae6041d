/* The table of all families, and calling a row. */
#include "backends/core/args.h"
#include "backends/core/internal.h"
#include "backends/core/method.h"

#include <string.h>

/* The families. A new one is declared and named here. */
extern const core_method core_methods_create[], core_methods_array[],
    core_methods_alias[], core_methods_shape[], core_methods_slice[],
    core_methods_affine[], core_methods_binary[], core_methods_cmp[],
    core_methods_unary[], core_methods_reduce[], core_methods_matmul[],
    core_methods_index[], core_methods_cat[], core_methods_write[], core_methods_custom[],
    core_methods_var[], core_methods_read[], core_methods_backward[],
    core_methods_varmap[], core_methods_varbuilder[], core_methods_linear[],
    core_methods_optim[], core_methods_compose[], core_methods_constants[];
static const core_method *const families[] = {
    core_methods_create, core_methods_array,      core_methods_alias,
    core_methods_shape,  core_methods_slice,      core_methods_affine,
    core_methods_binary, core_methods_cmp,        core_methods_unary,
    core_methods_reduce, core_methods_matmul,     core_methods_index,
    core_methods_cat,    core_methods_write,      core_methods_custom,
    core_methods_var,    core_methods_read,       core_methods_backward,
    core_methods_varmap, core_methods_varbuilder, core_methods_linear,
    core_methods_optim,  core_methods_compose,    core_methods_constants,
};

static const core_method *find(core_kind receiver, const char *name)
{
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (const core_method *row = families[f]; row->name; row++)
            if (row->receiver == receiver && row->name[0] == name[0] &&
                !strcmp(row->name, name))
                return row;
    return NULL;
}

const core_method *core_method_find(core_kind receiver, const char *name)
{
    if (receiver == CORE_KIND_UNIT)
        return NULL;
    const core_method *row = find(receiver, name);
    if (!row && receiver == CORE_KIND_VAR)
        row = find(CORE_KIND_TENSOR, name);
    if (!row && receiver == CORE_KIND_MAP_GUARD)
        row = find(CORE_KIND_MAP, name);
    return row;
}

const core_method *core_path_find(const char *path)
{
    static const char *const prefixes[] = {
        "candle_core::", "candle_nn::", "candle::", "parity::", "crate::", NULL};
    for (size_t i = 0; prefixes[i]; i++)
        if (!strncmp(path, prefixes[i], strlen(prefixes[i]))) {
            path += strlen(prefixes[i]);
            break;
        }
    return find(CORE_KIND_UNIT, path);
}

const core_method *core_method_at(size_t index)
{
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (const core_method *row = families[f]; row->name; row++)
            if (index-- == 0)
                return row;
    return NULL;
}

size_t core_method_count(void)
{
    size_t count = 0;
    while (core_method_at(count))
        count++;
    return count;
}

enum { MAX_ARGS = 8 };

typedef struct call {
    core_value args[MAX_ARGS];
    bool owned[MAX_ARGS];
    size_t count;
} call;

/* A type argument: what was written, or unit. */
static core_status take_type(call *c, const core_value *types, size_t ntypes,
                             core_error *error)
{
    if (ntypes > 1 || (ntypes == 1 && types[0].kind != CORE_KIND_DTYPE))
        return core_fail(error, CORE_UNSUPPORTED,
                         "a type argument that is no element type");
    c->owned[c->count] = false;
    c->args[c->count++] = ntypes ? types[0] : (core_value){0};
    return CORE_OK;
}

static core_status take_args(call *c, const core_method *method, const core_value *args,
                             size_t nargs, const char *letters, core_error *error)
{
    size_t used = 0;
    for (; *letters; letters++) {
        bool optional = *letters == '?';
        letters += optional;
        if (used == nargs && optional)
            break;
        if (used == nargs)
            return core_fail(error, CORE_UNSUPPORTED, "%s with %zu arguments",
                             method->name, nargs);
        core_status status = core_arg_convert(&c->args[c->count], &c->owned[c->count],
                                              *letters, &args[used++], error);
        if (status)
            return status;
        c->count++;
    }
    if (used < nargs)
        return core_fail(error, CORE_UNSUPPORTED, "%s with %zu arguments", method->name,
                         nargs);
    return CORE_OK;
}

core_status core_method_call(core_context *context, core_value *result,
                             const core_method *method, const core_value *self,
                             const core_value *types, size_t ntypes,
                             const core_value *args, size_t nargs, core_error *error)
{
    call c = {.count = 0};
    core_status status = CORE_OK;
    const char *letters = method->signature;
    if (letters[0] == '<') {
        letters = strchr(letters, '>') + 1;
        status = take_type(&c, types, ntypes, error);
    } else if (ntypes) {
        status =
            core_fail(error, CORE_UNSUPPORTED, "%s with type arguments", method->name);
    }
    if (!status)
        status = take_args(&c, method, args, nargs, letters, error);
    *result = (core_value){0};
    if (!status)
        status = method->call(context, result, self, c.args, c.count, error);
    for (size_t i = 0; i < c.count; i++)
        if (c.owned[i])
            core_value_clear(&c.args[i]);
    return status;
}
