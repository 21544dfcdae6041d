/* Operations of two operands. candle has a kernel for every combination of layouts and
 * finds out that there is none for a type by its name. */
#include "backends/metal/tensors.h"

#include <stdlib.h>

/* Layout::is_scalar_like: one element, or one that is repeated by strides of 0. */
static bool scalar_like(const core_layout *layout)
{
    bool repeated = true;
    for (size_t i = 0; i < layout->shape.rank; i++)
        repeated &= layout->stride[i] == 0;
    return repeated;
}

static const char *suffix(const core_layout *lhs, const core_layout *rhs)
{
    bool ls = scalar_like(lhs), rs = scalar_like(rhs);
    bool lc = core_layout_contiguous(lhs), rc = core_layout_contiguous(rhs);
    if (ls)
        return rs ? "_scalar" : rc ? "_sc" : "_rss";
    if (rs)
        return lc ? "_cs" : "_lss";
    return lc ? (rc ? "" : "_rstrided") : (rc ? "_lstrided" : "_strided");
}

static core_status pair(core_storage *out, const char *name, core_view lhs, core_view rhs,
                        core_error *error)
{
    const core_dtype_row *type = core_dtype_info(lhs.storage->dtype);
    if (!metal_has(METAL_USUAL, lhs.storage->dtype))
        return core_fail(error, CORE_ERROR,
                         "Metal error Error while loading function: %s_%s%s", name,
                         type->name, suffix(lhs.layout, rhs.layout));
    size_t count = core_shape_count(&lhs.layout->shape);
    metal_pair_args args = {.count = (uint32_t)count};
    core_status status = metal_walk(&args.lhs, lhs, error);
    if (!status)
        status = metal_walk(&args.rhs, rhs, error);
    if (status)
        return status;
    const metal_call call = {
        .family = "binary",
        .args = &args,
        .args_size = sizeof args,
        .operands = {metal_at(lhs.storage, lhs.layout->offset),
                     metal_at(rhs.storage, rhs.layout->offset), metal_at(out, 0)},
        .noperands = 3,
        .threads = count,
    };
    return metal_run(out, &call, error, "%s_%s", name, type->name);
}

/* Metal leaves the quotient open when an integer is divided by zero, or the least one by
 * -1. */
static core_status divisors(core_view rhs, core_error *error)
{
    size_t size = core_dtype_info(rhs.storage->dtype)->size,
           count = core_shape_count(&rhs.layout->shape);
    unsigned char *bytes = malloc(count * size + 1);
    if (!bytes)
        return core_fail(error, CORE_ABORT, "memory allocation of %zu bytes failed",
                         count * size);
    core_status status = rhs.storage->device->ops->read(bytes, rhs, error);
    for (size_t i = 0; i < count && !status; i++) {
        bool zeros = true, ones = size == 8;
        for (size_t k = 0; k < size; k++) {
            zeros &= bytes[i * size + k] == 0;
            ones &= bytes[i * size + k] == 0xff;
        }
        if (zeros || ones)
            status = core_fail(error, CORE_UNSUPPORTED,
                               "a quotient of integers that Metal leaves open: the "
                               "divisor is %s",
                               zeros ? "0" : "-1");
    }
    free(bytes);
    return status;
}

core_status metal_binary(core_storage *out, core_binary op, core_view lhs, core_view rhs,
                         core_error *error)
{
    static const char *const names[CORE_BINARY_COUNT] = {
        [CORE_ADD] = "badd", [CORE_SUB] = "bsub",         [CORE_MUL] = "bmul",
        [CORE_DIV] = "bdiv", [CORE_MAXIMUM] = "bmaximum", [CORE_MINIMUM] = "bminimum",
    };
    core_dtype dtype = lhs.storage->dtype;
    core_status status = CORE_OK;
    if (op == CORE_DIV && dtype != CORE_F32 && metal_has(METAL_USUAL, dtype))
        status = divisors(rhs, error);
    return status ? status : pair(out, names[op], lhs, rhs, error);
}

core_status metal_cmp(core_storage *out, core_cmp op, core_view lhs, core_view rhs,
                      core_error *error)
{
    static const char *const names[CORE_CMP_COUNT] = {
        [CORE_EQ] = "eq", [CORE_NE] = "ne", [CORE_LE] = "le",
        [CORE_GE] = "ge", [CORE_LT] = "lt", [CORE_GT] = "gt",
    };
    return pair(out, names[op], lhs, rhs, error);
}
