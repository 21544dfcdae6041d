/* VarMap: names to variables behind a mutex (candle-nn var_map.rs, init.rs). */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    char *name;
    core_tensor *var;
} entry;

struct core_map {
    entry *entries;
    size_t count;
    size_t capacity;
};

struct core_varmap {
    size_t refs;
    core_lock lock;
    core_map map;
};

struct core_map_guard {
    core_hold hold;
    core_varmap *varmap;
};

static void clear_map(core_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        free(map->entries[i].name);
        core_tensor_unref(map->entries[i].var);
    }
    free(map->entries);
}

/* Takes the variable. */
static void add_entry(core_map *map, const char *name, core_tensor *var)
{
    if (map->count == map->capacity) {
        map->capacity = map->capacity ? 2 * map->capacity : 8;
        map->entries = core_realloc(map->entries, map->capacity * sizeof *map->entries);
    }
    map->entries[map->count++] = (entry){core_strdup(name), var};
}

core_varmap *core_varmap_new(core_context *context)
{
    (void)context;
    core_varmap *varmap = core_alloc(sizeof *varmap);
    *varmap = (core_varmap){.refs = 1};
    return varmap;
}

core_varmap *core_varmap_ref(core_varmap *varmap)
{
    varmap->refs++;
    return varmap;
}

void core_varmap_unref(core_varmap *varmap)
{
    if (!varmap || --varmap->refs)
        return;
    clear_map(&varmap->map);
    free(varmap);
}

/* --- the map --- */

core_map *core_map_clone(const core_map *map)
{
    core_map *copy = core_alloc(sizeof *copy);
    *copy = (core_map){0};
    for (size_t i = 0; i < map->count; i++)
        add_entry(copy, map->entries[i].name, core_tensor_ref(map->entries[i].var));
    return copy;
}

void core_map_free(core_map *map)
{
    if (!map)
        return;
    clear_map(map);
    free(map);
}

size_t core_map_count(const core_map *map)
{
    return map->count;
}

const core_tensor *core_map_get(const core_map *map, const char *name)
{
    for (size_t i = 0; i < map->count; i++)
        if (!strcmp(map->entries[i].name, name))
            return map->entries[i].var;
    return NULL;
}

/* --- the mutex --- */

static core_status lock(core_context *context, core_hold *hold, core_varmap *varmap,
                        const char *what, core_error *error)
{
    return core_lock_mutex(context, hold, &varmap->lock, what, "the mutex of the VarMap",
                           error);
}

core_status core_varmap_lock(core_context *context, core_map_guard **out,
                             core_varmap *varmap, core_error *error)
{
    core_map_guard *guard = core_alloc(sizeof *guard);
    core_status status =
        lock(context, &guard->hold, varmap, "the guard of data().lock()", error);
    if (status) {
        free(guard);
        return status;
    }
    guard->varmap = core_varmap_ref(varmap);
    *out = guard;
    return CORE_OK;
}

void core_map_guard_free(core_map_guard *guard)
{
    if (!guard)
        return;
    core_unlock(&guard->hold, CORE_OK);
    core_varmap_unref(guard->varmap);
    free(guard);
}

const core_map *core_map_guard_map(const core_map_guard *guard)
{
    return &guard->varmap->map;
}

core_status core_varmap_all_vars(core_context *context, core_tensor ***vars,
                                 size_t *count, core_varmap *varmap, core_error *error)
{
    core_hold hold;
    core_status status = lock(context, &hold, varmap, "VarMap::all_vars", error);
    if (status)
        return status;
    *count = varmap->map.count;
    *vars = core_alloc(*count * sizeof **vars);
    for (size_t i = 0; i < *count; i++)
        (*vars)[i] = core_tensor_ref(varmap->map.entries[i].var);
    core_unlock(&hold, CORE_OK);
    return CORE_OK;
}

/* --- Init (init.rs:100-150) --- */

static core_status constant_var(core_context *context, core_tensor **out, double value,
                                const core_shape *shape, core_dtype dtype,
                                core_device *device, core_error *error)
{
    if (value == 0.0)
        return core_var_zeros(context, out, shape, dtype, device, error);
    if (value == 1.0)
        return core_var_ones(context, out, shape, dtype, device, error);
    core_tensor *ones = NULL, *scaled = NULL;
    core_status status = core_tensor_ones(context, &ones, shape, dtype, device, error);
    if (!status)
        status = core_tensor_affine(context, &scaled, ones, value, 0.0, error);
    if (!status)
        status = core_var_from_tensor(context, out, scaled, error);
    core_tensor_unref(ones);
    core_tensor_unref(scaled);
    return status;
}

static double kaiming_std(const core_shape *shape)
{
    double fan = 1.0;
    if (shape->rank >= 2)
        for (size_t i = 1; i < shape->rank; i++)
            fan *= (double)shape->dims[i];
    return sqrt(2.0) / sqrt(fan);
}

static core_status init_var(core_context *context, core_tensor **out, core_init init,
                            const core_shape *shape, core_dtype dtype,
                            core_device *device, core_error *error)
{
    core_status status = CORE_OK;
    double std = kaiming_std(shape), bound = sqrt(3.0) * std;
    switch (init.kind) {
    case CORE_INIT_CONST:
        return constant_var(context, out, init.a, shape, dtype, device, error);
    case CORE_INIT_RANDN:
        status =
            core_tensor_randn(context, out, init.a, init.b, shape, dtype, device, error);
        break;
    case CORE_INIT_UNIFORM:
        status =
            core_tensor_rand(context, out, init.a, init.b, shape, dtype, device, error);
        break;
    case CORE_INIT_KAIMING_NORMAL:
        status = core_tensor_randn(context, out, 0.0, std, shape, dtype, device, error);
        break;
    case CORE_INIT_KAIMING_UNIFORM:
        status =
            core_tensor_rand(context, out, -bound, bound, shape, dtype, device, error);
        break;
    }
    if (!status)
        (*out)->is_variable = true;
    return status;
}

static core_status get_locked(core_context *context, core_tensor **out,
                              core_varmap *varmap, const core_shape *shape,
                              const char *path, core_init init, core_dtype dtype,
                              core_device *device, core_error *error)
{
    const core_tensor *old = core_map_get(&varmap->map, path);
    if (old && core_shape_equal(shape, &old->layout.shape))
        return core_same(out, old);
    if (old) {
        char wanted[CORE_SHAPE_TEXT], there[CORE_SHAPE_TEXT];
        return core_fail(error, CORE_ERROR, "shape mismatch on %s: %s <> %s", path,
                         core_shape_text(wanted, shape),
                         core_shape_text(there, &old->layout.shape));
    }
    core_tensor *var = NULL;
    core_status status = init_var(context, &var, init, shape, dtype, device, error);
    if (status)
        return status;
    add_entry(&varmap->map, path, var);
    return core_same(out, var);
}

core_status core_varmap_get(core_context *context, core_tensor **out, core_varmap *varmap,
                            const core_shape *shape, const char *path, core_init init,
                            core_dtype dtype, core_device *device, core_error *error)
{
    core_hold hold;
    core_status status = lock(context, &hold, varmap, "VarMap::get", error);
    if (status)
        return status;
    status = get_locked(context, out, varmap, shape, path, init, dtype, device, error);
    core_unlock(&hold, status);
    return status;
}

core_status core_varmap_set_one(core_context *context, core_varmap *varmap,
                                const char *name, const core_tensor *value,
                                core_error *error)
{
    core_hold hold;
    core_error inner = {0};
    core_status status = lock(context, &hold, varmap, "VarMap::set_one", error);
    if (status)
        return status;
    const core_tensor *var = core_map_get(&varmap->map, name);
    if (!var) {
        status = core_fail(error, CORE_ERROR, "cannot find %s in VarMap", name);
    } else {
        status = core_var_set(context, var, value, &inner);
        if (status == CORE_ERROR)
            core_fail(error, status, "error setting %s: %s", name, inner.text);
        else if (status)
            core_fail(error, status, "%s", inner.text);
    }
    core_unlock(&hold, status);
    return status;
}

/* --- rows --- */

THUNK(new_)
{
    *result = (core_value){.kind = CORE_KIND_VARMAP, .varmap = core_varmap_new(context)};
    return CORE_OK;
}

THUNK(clone)
{
    *result =
        (core_value){.kind = CORE_KIND_VARMAP, .varmap = core_varmap_ref(self->varmap)};
    return CORE_OK;
}

THUNK(data)
{
    *result =
        (core_value){.kind = CORE_KIND_MUTEX, .varmap = core_varmap_ref(self->varmap)};
    return CORE_OK;
}

THUNK(lock_)
{
    core_map_guard *guard = NULL;
    core_status status = core_varmap_lock(context, &guard, self->varmap, error);
    if (!status)
        *result = (core_value){.kind = CORE_KIND_MAP_GUARD, .map_guard = guard};
    return status;
}

THUNK(all_vars)
{
    core_tensor **vars = NULL;
    size_t count = 0;
    core_status status =
        core_varmap_all_vars(context, &vars, &count, self->varmap, error);
    if (status)
        return status;
    core_value *items = core_alloc(count * sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = core_value_var(vars[i]);
    *result = core_value_items(CORE_KIND_LIST, items, count);
    free(items);
    free(vars);
    return CORE_OK;
}

THUNK(get)
{
    if (args[2].kind != CORE_KIND_INIT)
        return core_fail(error, CORE_UNSUPPORTED, "VarMap::get without an Init");
    GIVE(core_varmap_get(context, &out, self->varmap, args[0].shape, args[1].text.data,
                         args[2].init, args[3].dtype, args[4].device, error));
}

THUNK(set_one)
{
    return core_varmap_set_one(context, self->varmap, args[0].text.data, args[1].tensor,
                               error);
}

static const core_map *map_of(const core_value *self)
{
    return self->kind == CORE_KIND_MAP ? self->map : core_map_guard_map(self->map_guard);
}

THUNK(map_clone)
{
    *result = (core_value){.kind = CORE_KIND_MAP, .map = core_map_clone(map_of(self))};
    return CORE_OK;
}

THUNK(map_len)
{
    *result = core_value_usize(core_map_count(map_of(self)));
    return CORE_OK;
}

THUNK(map_is_empty)
{
    *result = core_value_bool(core_map_count(map_of(self)) == 0);
    return CORE_OK;
}

THUNK(map_contains)
{
    *result = core_value_bool(core_map_get(map_of(self), args[0].text.data) != NULL);
    return CORE_OK;
}

THUNK(map_get)
{
    const core_tensor *var = core_map_get(map_of(self), args[0].text.data);
    core_value some = var ? core_value_var(core_tensor_ref(var)) : (core_value){0};
    *result = var ? core_value_items(CORE_KIND_SOME, &some, 1)
                  : (core_value){.kind = CORE_KIND_NONE};
    return CORE_OK;
}

static core_status map_list(core_value *result, const core_map *map, bool names)
{
    core_value *items = core_alloc(map->count * sizeof *items);
    for (size_t i = 0; i < map->count; i++) {
        const entry *e = &map->entries[i];
        items[i] = names ? core_value_text(e->name, strlen(e->name))
                         : core_value_var(core_tensor_ref(e->var));
    }
    *result = core_value_items(CORE_KIND_LIST, items, map->count);
    free(items);
    return CORE_OK;
}

THUNK(map_keys)
{
    return map_list(result, map_of(self), true);
}

THUNK(map_values)
{
    return map_list(result, map_of(self), false);
}

static core_status init_value(core_value *result, core_init_kind kind, double a)
{
    *result = (core_value){.kind = CORE_KIND_INIT, .init = {kind, a, 0.0}};
    return CORE_OK;
}

THUNK(init_const)
{
    return init_value(result, CORE_INIT_CONST, args[0].number.value);
}

THUNK(init_zero)
{
    return init_value(result, CORE_INIT_CONST, 0.0);
}

THUNK(init_one)
{
    return init_value(result, CORE_INIT_CONST, 1.0);
}

THUNK(init_kaiming_normal)
{
    return init_value(result, CORE_INIT_KAIMING_NORMAL, 0.0);
}

THUNK(init_kaiming_uniform)
{
    return init_value(result, CORE_INIT_KAIMING_UNIFORM, 0.0);
}

const core_method core_methods_varmap[] = {
    FUNCTION("VarMap::new", "", false, new_),
    METHOD(VARMAP, "clone", "", false, clone),
    METHOD(VARMAP, "data", "", false, data),
    METHOD(VARMAP, "all_vars", "", false, all_vars),
    METHOD(VARMAP, "get", "sS*DV", true, get),
    METHOD(VARMAP, "set_one", "St", true, set_one),
    METHOD(MUTEX, "lock", "", true, lock_),
    METHOD(MAP, "clone", "", false, map_clone),
    METHOD(MAP, "len", "", false, map_len),
    METHOD(MAP, "is_empty", "", false, map_is_empty),
    METHOD(MAP, "contains_key", "S", false, map_contains),
    METHOD(MAP, "get", "S", false, map_get),
    METHOD(MAP, "keys", "", false, map_keys),
    METHOD(MAP, "values", "", false, map_values),
    FUNCTION("Init::Const", "f", false, init_const),
    FUNCTION("init::ZERO", "", false, init_zero),
    FUNCTION("init::ONE", "", false, init_one),
    FUNCTION("init::DEFAULT_KAIMING_NORMAL", "", false, init_kaiming_normal),
    FUNCTION("init::DEFAULT_KAIMING_UNIFORM", "", false, init_kaiming_uniform),
    CORE_METHODS_END,
};
