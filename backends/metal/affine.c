/* affine, powf, elu. */
#include "backends/metal/tensors.h"

#include <stdio.h>

static core_status map(core_storage *out, core_view in, float a, float b,
                       core_error *error, const char *name, unsigned types)
{
    char kernel[32];
    core_dtype dtype = in.storage->dtype;
    if (!metal_has(types, dtype))
        return core_fail(error, CORE_ERROR, "Metal %s %s %s not implemented",
                         metal_layout_word(in.layout), name, metal_variant(dtype));
    snprintf(kernel, sizeof kernel, "%s_%s", name, core_dtype_info(dtype)->name);
    return metal_map(out, 0, in, a, b, error, "affine", kernel);
}

core_status metal_affine(core_storage *out, core_view in, double mul, double add,
                         core_error *error)
{
    return map(out, in, (float)mul, (float)add, error, "affine", METAL_USUAL);
}

core_status metal_powf(core_storage *out, core_view in, double exponent,
                       core_error *error)
{
    return map(out, in, (float)exponent, 0, error, "powf", METAL_F32);
}

core_status metal_elu(core_storage *out, core_view in, double alpha, core_error *error)
{
    return map(out, in, (float)alpha, 0, error, "elu", METAL_F32);
}
