/* VarBuilder over a VarMap: a path of prefixes (candle-nn var_builder.rs). */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <stdlib.h>
#include <string.h>

struct core_varbuilder {
    core_varmap *varmap;
    char *prefix; /* parts joined with '.'; NULL: at the root */
    core_dtype dtype;
    core_device *device;
};

/* Takes the prefix. */
static core_varbuilder *builder(core_varmap *varmap, char *prefix, core_dtype dtype,
                                core_device *device)
{
    core_varbuilder *vb = core_alloc(sizeof *vb);
    *vb = (core_varbuilder){core_varmap_ref(varmap), prefix, dtype, device};
    return vb;
}

core_varbuilder *core_varbuilder_from_varmap(core_varmap *varmap, core_dtype dtype,
                                             core_device *device)
{
    return builder(varmap, NULL, dtype, device);
}

core_varbuilder *core_varbuilder_clone(const core_varbuilder *vb)
{
    char *prefix = vb->prefix ? core_strdup(vb->prefix) : NULL;
    return builder(vb->varmap, prefix, vb->dtype, vb->device);
}

void core_varbuilder_free(core_varbuilder *vb)
{
    if (!vb)
        return;
    core_varmap_unref(vb->varmap);
    free(vb->prefix);
    free(vb);
}

/* New. */
static char *path_of(const core_varbuilder *vb, const char *name)
{
    if (!vb->prefix)
        return core_strdup(name);
    core_text path = {0};
    core_text_printf(&path, "%s.%s", vb->prefix, name);
    return path.data;
}

core_varbuilder *core_varbuilder_pp(const core_varbuilder *vb, const char *name)
{
    return builder(vb->varmap, path_of(vb, name), vb->dtype, vb->device);
}

core_status core_varbuilder_get(core_context *context, core_tensor **out,
                                const core_varbuilder *vb, const core_shape *shape,
                                const char *name, core_init init, core_error *error)
{
    char *path = path_of(vb, name);
    core_status status = core_varmap_get(context, out, vb->varmap, shape, path, init,
                                         vb->dtype, vb->device, error);
    free(path);
    return status;
}

/* --- rows --- */

static core_value value_of(core_varbuilder *vb)
{
    return (core_value){.kind = CORE_KIND_VARBUILDER, .varbuilder = vb};
}

THUNK(from_varmap)
{
    if (args[0].kind != CORE_KIND_VARMAP)
        return core_fail(error, CORE_UNSUPPORTED, "VarBuilder::from_varmap of a %s",
                         core_kind_name(args[0].kind));
    *result = value_of(
        core_varbuilder_from_varmap(args[0].varmap, args[1].dtype, args[2].device));
    return CORE_OK;
}

THUNK(clone)
{
    *result = value_of(core_varbuilder_clone(self->varbuilder));
    return CORE_OK;
}

/* impl ToString: a text or a number. */
THUNK(pp)
{
    core_text name = {0};
    core_status status = core_value_display(context, &name, &args[0], error);
    if (!status)
        *result =
            value_of(core_varbuilder_pp(self->varbuilder, name.data ? name.data : ""));
    core_text_free(&name);
    return status;
}

THUNK(root)
{
    const core_varbuilder *vb = self->varbuilder;
    *result = value_of(builder(vb->varmap, NULL, vb->dtype, vb->device));
    return CORE_OK;
}

THUNK(set_prefix)
{
    const core_varbuilder *vb = self->varbuilder;
    *result = value_of(
        builder(vb->varmap, core_strdup(args[0].text.data), vb->dtype, vb->device));
    return CORE_OK;
}

THUNK(prefix)
{
    const char *text = self->varbuilder->prefix ? self->varbuilder->prefix : "";
    *result = core_value_text(text, strlen(text));
    return CORE_OK;
}

THUNK(dtype)
{
    *result = (core_value){.kind = CORE_KIND_DTYPE, .dtype = self->varbuilder->dtype};
    return CORE_OK;
}

THUNK(device)
{
    *result = (core_value){.kind = CORE_KIND_DEVICE, .device = self->varbuilder->device};
    return CORE_OK;
}

THUNK(to_dtype)
{
    core_varbuilder *vb = core_varbuilder_clone(self->varbuilder);
    vb->dtype = args[0].dtype;
    *result = value_of(vb);
    return CORE_OK;
}

THUNK(get)
{
    GIVE(core_varbuilder_get(context, &out, self->varbuilder, args[0].shape,
                             args[1].text.data, (core_init){CORE_INIT_CONST, 0.0, 0.0},
                             error));
}

THUNK(get_with_hints)
{
    if (args[2].kind != CORE_KIND_INIT)
        return core_fail(error, CORE_UNSUPPORTED, "get_with_hints without an Init");
    GIVE(core_varbuilder_get(context, &out, self->varbuilder, args[0].shape,
                             args[1].text.data, args[2].init, error));
}

THUNK(get_unchecked)
{
    return core_fail(error, CORE_ERROR,
                     "`get_unchecked` does not make sense for `VarMap`, use `get`.");
}

THUNK(contains_tensor)
{
    core_map_guard *guard = NULL;
    core_status status =
        core_varmap_lock(context, &guard, self->varbuilder->varmap, error);
    if (status)
        return status;
    char *path = path_of(self->varbuilder, args[0].text.data);
    *result = core_value_bool(core_map_get(core_map_guard_map(guard), path) != NULL);
    free(path);
    core_map_guard_free(guard);
    return CORE_OK;
}

const core_method core_methods_varbuilder[] = {
    FUNCTION("VarBuilder::from_varmap", "*DV", false, from_varmap),
    METHOD(VARBUILDER, "clone", "", false, clone),
    METHOD(VARBUILDER, "pp", "*", false, pp),
    METHOD(VARBUILDER, "push_prefix", "*", false, pp),
    METHOD(VARBUILDER, "set_prefix", "S", false, set_prefix),
    METHOD(VARBUILDER, "root", "", false, root),
    METHOD(VARBUILDER, "prefix", "", false, prefix),
    METHOD(VARBUILDER, "dtype", "", false, dtype),
    METHOD(VARBUILDER, "device", "", false, device),
    METHOD(VARBUILDER, "to_dtype", "D", false, to_dtype),
    METHOD(VARBUILDER, "get", "sS", true, get),
    METHOD(VARBUILDER, "get_with_hints", "sS*", true, get_with_hints),
    METHOD(VARBUILDER, "get_unchecked", "S", true, get_unchecked),
    METHOD(VARBUILDER, "contains_tensor", "S", false, contains_tensor),
    CORE_METHODS_END,
};
