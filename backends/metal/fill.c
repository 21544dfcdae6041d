/* const_set. */
#include "backends/core/text.h"
#include "backends/metal/tensors.h"

#include <string.h>

/* candle compares the dtypes in the same match that chooses the kernel. */
static core_status refused(core_dtype expected, core_scalar value, core_error *error)
{
    if (expected == CORE_F64 && value.dtype == CORE_F64)
        return core_fail(error, CORE_ERROR, "unsupported const-set f64");
    core_text text = {0};
    core_status status =
        core_fail(error, CORE_ERROR, "dtype mismatch, expected %s, got %s",
                  metal_variant(expected), core_scalar_text(&text, value));
    core_text_free(&text);
    return status;
}

core_status metal_const_set(core_view self, core_scalar value, core_error *error)
{
    core_dtype dtype = self.storage->dtype;
    if (dtype != value.dtype || !metal_has(METAL_USUAL, dtype))
        return refused(dtype, value, error);
    size_t count = core_shape_count(&self.layout->shape),
           size = core_dtype_info(value.dtype)->size;
    float real = (float)value.real;
    uint64_t bits = (uint64_t)value.integer;
    if (value.dtype == CORE_F32) {
        bits = 0;
        memcpy(&bits, &real, sizeof real);
    }
    metal_fill_args args = {
        .count = (uint32_t)count, .low = (uint32_t)bits, .high = (uint32_t)(bits >> 32)};
    core_status status = metal_walk(&args.out, self, error);
    if (status)
        return status;
    const metal_call call = {
        .family = "copy",
        .args = &args,
        .args_size = sizeof args,
        .operands = {metal_at(self.storage, self.layout->offset)},
        .noperands = 1,
        .threads = count,
    };
    return metal_run(self.storage, &call, error, "fill_%zu", 8 * size);
}
