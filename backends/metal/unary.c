/* Functions of one element. candle's refusals name its kernels: "urelu". */
#include "backends/metal/tensors.h"

#include <stdio.h>

static const struct {
    const char *name;
    unsigned dense;   /* element types for contiguous layouts */
    unsigned strided; /* and for the others */
} rows[CORE_UNARY_COUNT] = {
    [CORE_EXP] = {"exp", METAL_F32, METAL_F32},
    [CORE_LOG] = {"log", METAL_F32, METAL_F32},
    [CORE_SIN] = {"sin", METAL_F32, METAL_F32},
    [CORE_COS] = {"cos", METAL_F32, METAL_F32},
    [CORE_ABS] = {"abs", METAL_F32, METAL_F32},
    [CORE_NEG] = {"neg", METAL_F32, METAL_F32},
    [CORE_RECIP] = {"recip", METAL_F32, 0},
    [CORE_SQR] = {"sqr", METAL_F32, METAL_F32},
    [CORE_SQRT] = {"sqrt", METAL_F32, METAL_F32},
    [CORE_GELU] = {"gelu", METAL_F32, METAL_F32},
    [CORE_GELU_ERF] = {"gelu_erf", METAL_F32, METAL_F32},
    [CORE_ERF] = {"erf", METAL_F32, METAL_F32},
    [CORE_RELU] = {"relu", METAL_F32, METAL_F32},
    [CORE_SILU] = {"silu", METAL_F32, METAL_F32},
    [CORE_TANH] = {"tanh", METAL_F32, METAL_F32},
    [CORE_FLOOR] = {"floor", METAL_F32, METAL_F32},
    [CORE_CEIL] = {"ceil", METAL_F32, METAL_F32},
    [CORE_ROUND] = {"round", METAL_F32, METAL_F32},
    /* For I64 candle asks for sign_i64, which unary.metal does not have. */
    [CORE_SIGN] = {"sign", METAL_F32 | METAL_I64, 0},
};

core_status metal_unary(core_storage *out, core_unary op, core_view in, core_error *error)
{
    char kernel[32];
    core_dtype dtype = in.storage->dtype;
    bool dense = core_layout_contiguous(in.layout);
    if (!metal_has(dense ? rows[op].dense : rows[op].strided, dtype))
        return core_fail(error, CORE_ERROR, "Metal %s unary u%s %s not implemented",
                         metal_layout_word(in.layout), rows[op].name,
                         metal_variant(dtype));
    snprintf(kernel, sizeof kernel, "%s_%s", rows[op].name, core_dtype_info(dtype)->name);
    return metal_map(out, 0, in, 0, 0, error, "unary", kernel);
}
