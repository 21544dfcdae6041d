/* matmul (candle-metal-kernels kernels/mlx_gemm.rs): both sides row- or column-major, one
 * stride between the batches. */
#include "backends/metal/tensors.h"

/* A side of rows × cols. False: neither row- nor column-major. */
static bool major(uint32_t *row, uint32_t *col, const core_layout *layout, size_t rows,
                  size_t cols)
{
    size_t rank = layout->shape.rank, outer = layout->stride[rank - 2],
           inner = layout->stride[rank - 1];
    if ((inner == 1 || cols == 1) && (outer == cols || rows == 1)) {
        *row = (uint32_t)cols;
        *col = 1;
        return true;
    }
    if ((inner == rows || cols == 1) && (outer == 1 || rows == 1)) {
        *row = 1;
        *col = (uint32_t)rows;
        return true;
    }
    return false;
}

static core_status striding(const core_layout *lhs, const core_layout *rhs,
                            const size_t bmnk[4], core_error *error)
{
    char l[CORE_SHAPE_TEXT], r[CORE_SHAPE_TEXT];
    return core_fail(
        error, CORE_ERROR, "Metal error Invalid matmul arguments %s %s (%zu, %zu, %zu)",
        core_dims_text(l, lhs->stride, lhs->shape.rank),
        core_dims_text(r, rhs->stride, rhs->shape.rank), bmnk[1], bmnk[2], bmnk[3]);
}

/* Only the innermost of several batch dims is looked at. */
static size_t batch_stride(const core_layout *layout, size_t dense)
{
    size_t rank = layout->shape.rank;
    return rank > 2 ? layout->stride[rank - 3] : dense;
}

static core_status inside(const core_storage *storage, size_t last, core_error *error)
{
    if (last < storage->count)
        return CORE_OK;
    return core_fail(error, CORE_UNSUPPORTED,
                     "a product for which candle reads beyond the storage on Metal "
                     "(undefined behaviour)");
}

core_status metal_matmul(core_storage *out, core_view lhs, core_view rhs,
                         const size_t bmnk[4], core_error *error)
{
    size_t b = bmnk[0], m = bmnk[1], n = bmnk[2], k = bmnk[3];
    if (out->dtype != CORE_F32)
        return core_fail(error, CORE_ERROR, "Metal error mlx matmul doesn't support %s",
                         metal_variant(out->dtype));
    metal_matmul_args args = {
        .batches = (uint32_t)b, .m = (uint32_t)m, .n = (uint32_t)n, .k = (uint32_t)k};
    if (!major(&args.lhs_row, &args.lhs_col, lhs.layout, m, k) ||
        !major(&args.rhs_row, &args.rhs_col, rhs.layout, k, n))
        return striding(lhs.layout, rhs.layout, bmnk, error);
    args.lhs_batch = (uint32_t)batch_stride(lhs.layout, m * k);
    args.rhs_batch = (uint32_t)batch_stride(rhs.layout, n * k);
    core_status status = inside(
        lhs.storage, lhs.layout->offset + (b - 1) * args.lhs_batch + m * k - 1, error);
    if (!status)
        status = inside(rhs.storage,
                        rhs.layout->offset + (b - 1) * args.rhs_batch + n * k - 1, error);
    if (status)
        return status;
    const metal_call call = {
        .family = "matmul",
        .args = &args,
        .args_size = sizeof args,
        .operands = {metal_at(lhs.storage, lhs.layout->offset),
                     metal_at(rhs.storage, rhs.layout->offset), metal_at(out, 0)},
        .noperands = 3,
        .threads = b * m * n,
    };
    return metal_run(out, &call, error, "matmul_f32");
}
