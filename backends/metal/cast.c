/* to_dtype. */
#include "backends/metal/tensors.h"

#include <stdio.h>

static const unsigned targets[CORE_DTYPE_COUNT] = {
    [CORE_U8] = METAL_U32 | METAL_I64 | METAL_F32,
    [CORE_U32] = METAL_U8 | METAL_I64 | METAL_F32,
    [CORE_I64] = METAL_U8 | METAL_U32 | METAL_F32,
    [CORE_F32] = METAL_U8 | METAL_U32 | METAL_I64,
};

core_status metal_cast(core_storage *out, core_view in, core_error *error)
{
    char kernel[32];
    core_dtype from = in.storage->dtype, to = out->dtype;
    if (!metal_has(targets[from], to))
        return core_fail(error, CORE_ERROR, "Metal %s to_dtype %s %s not implemented",
                         metal_layout_word(in.layout), metal_variant(from),
                         metal_variant(to));
    snprintf(kernel, sizeof kernel, "cast_%s_%s", core_dtype_info(from)->name,
             core_dtype_info(to)->name);
    return metal_map(out, 0, in, 0, 0, error, "cast", kernel);
}
