/* Batched matrix product in f32 and f64 (struct MatMul).
 *
 * out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, k, n], added in order of k. candle's
 * gemm adds in blocks and fuses multiply and add, so values whose products and sums are
 * not exact differ in their last bits. */
#include "backends/cpu/kernels.h"

#include <string.h>

/* Steps: from one batch, row, column to the next. */
typedef struct matrix {
    size_t offset;
    size_t batch;
    size_t row;
    size_t col;
} matrix;

/* Does the sum begin with the first product, and not with 0? It tells in the sign of
 * zeros: -0 + -0 is -0. gemm has paths of its own for dot products, short sums and one
 * row or column (gemm-common, gemm_basic_generic). */
static bool begins_with_product(matrix l, matrix r, const size_t bmnk[4])
{
    size_t m = bmnk[1], n = bmnk[2];
    bool dots = l.col == 1 && r.row == 1;
    if (dots && m * n <= 256)
        return false;
    if (bmnk[3] <= 2)
        return true;
    if (n > 1)
        return m <= 1 && r.col == 1;
    return l.row == 1 || (m <= 1 && r.col == 1 && !dots);
}

#define MATMUL(dtype, s, T, A)                                                           \
    static void matmul_##s(void *out, const void *lhs, matrix l, const void *rhs,        \
                           matrix r, const size_t bmnk[4])                               \
    {                                                                                    \
        const size_t m = bmnk[1], n = bmnk[2], k = bmnk[3];                              \
        const T zero = begins_with_product(l, r, bmnk) ? (T)-0.0 : 0;                    \
        memset(out, 0, bmnk[0] * m * n * sizeof(T));                                     \
        for (size_t b = 0; b < bmnk[0]; b++)                                             \
            for (size_t i = 0; i < m; i++) {                                             \
                T *restrict y = (T *)out + (b * m + i) * n;                              \
                const T *x = (const T *)lhs + l.offset + b * l.batch + i * l.row;        \
                const T *w = (const T *)rhs + r.offset + b * r.batch;                    \
                for (size_t c = 0; k && c < n; c++)                                      \
                    y[c] = zero; /* -0 + x is x, whatever its sign */                    \
                for (size_t j = 0; j < k; j++) {                                         \
                    const T v = x[j * l.col];                                            \
                    const T *row = w + j * r.row;                                        \
                    if (r.col == 1)                                                      \
                        for (size_t c = 0; c < n; c++)                                   \
                            y[c] += v * row[c];                                          \
                    else                                                                 \
                        for (size_t c = 0; c < n; c++)                                   \
                            y[c] += v * row[c * r.col];                                  \
                }                                                                        \
            }                                                                            \
    }
CORE_FOR_FLOATS(MATMUL)

/* How far apart the batches are (ab_skip): false when the strides allow no single step.
 */
static bool batch_step(size_t *step, const core_layout *layout, size_t plain)
{
    size_t batches = layout->shape.rank - 2;
    const size_t *dims = layout->shape.dims, *stride = layout->stride;
    if (batches == 0) {
        *step = plain;
    } else if (batches == 1) {
        *step = stride[0];
    } else if (batches == 2 && stride[0] == stride[1] * dims[1]) {
        *step = stride[1];
    } else if (batches == 2 && dims[0] == 1) {
        *step = stride[1];
    } else if (batches == 2 && dims[1] == 1) {
        *step = stride[0];
    } else {
        return false;
    }
    return true;
}

static void layout_debug(core_text *out, const core_layout *layout)
{
    char shape[CORE_SHAPE_TEXT], stride[CORE_SHAPE_TEXT];
    core_text_printf(out, "Layout { shape: %s, stride: %s, start_offset: %zu }",
                     core_shape_text(shape, &layout->shape),
                     core_dims_text(stride, layout->stride, layout->shape.rank),
                     layout->offset);
}

static core_status striding_error(core_view lhs, core_view rhs, const size_t bmnk[4],
                                  const char *message, core_error *error)
{
    core_text text = {0};
    core_text_printf(&text, "MatMulUnexpectedStriding { lhs_l: ");
    layout_debug(&text, lhs.layout);
    core_text_printf(&text, ", rhs_l: ");
    layout_debug(&text, rhs.layout);
    core_text_printf(&text, ", bmnk: (%zu, %zu, %zu, %zu), msg: \"%s\" }", bmnk[0],
                     bmnk[1], bmnk[2], bmnk[3], message);
    core_status status = core_fail(error, CORE_ERROR, "%s", text.data);
    core_text_free(&text);
    return status;
}

static bool inside(matrix x, size_t rows, size_t cols, size_t count)
{
    return x.offset + (rows - 1) * x.row + (cols - 1) * x.col < count;
}

/* candle folds batches into the rows or columns when one side repeats, without a look at
 * the strides inside: where those do not fit its result is wrong, and so is this one. */
static core_status fold(size_t folded[4], const matrix *l, const matrix *r,
                        const size_t bmnk[4], size_t lcount, size_t rcount,
                        core_error *error)
{
    size_t b = bmnk[0], m = bmnk[1], n = bmnk[2], k = bmnk[3];
    memcpy(folded, bmnk, 4 * sizeof folded[0]);
    if (r->batch == 0 && l->batch == m * k) {
        folded[0] = 1;
        folded[1] = b * m;
    } else if (l->batch == 0 && r->batch == n * k) {
        if (b > 1 && m > 1)
            return core_fail(
                error, CORE_UNSUPPORTED,
                "a product of a repeated lhs with a batch: candle writes its rows "
                "over each other, in an order of its matrix library's own");
        folded[0] = 1;
        folded[2] = b * n;
    } else {
        return CORE_OK;
    }
    if (inside(*l, folded[1], k, lcount) && inside(*r, k, folded[2], rcount))
        return CORE_OK;
    return core_fail(
        error, CORE_UNSUPPORTED,
        "a product for which candle reads beyond the storage (undefined behaviour)");
}

core_status core_cpu_matmul(core_storage *out, core_view lhs, core_view rhs,
                            const size_t bmnk[4], core_error *error)
{
    size_t m = bmnk[1], n = bmnk[2], k = bmnk[3], rank = lhs.layout->shape.rank;
    if (out->dtype != CORE_F32 && out->dtype != CORE_F64)
        return core_err_dtype_op(error, out->dtype, "matmul");
    const size_t *ls = lhs.layout->stride, *rs = rhs.layout->stride;
    matrix l = {lhs.layout->offset, 0, ls[rank - 2], ls[rank - 1]};
    matrix r = {rhs.layout->offset, 0, rs[rank - 2], rs[rank - 1]};
    if (!batch_step(&l.batch, lhs.layout, m * k))
        return striding_error(lhs, rhs, bmnk, "non-contiguous lhs", error);
    if (!batch_step(&r.batch, rhs.layout, n * k))
        return striding_error(lhs, rhs, bmnk, "non-contiguous rhs", error);
    core_status status = core_cpu_bounds(lhs, true, error);
    if (!status)
        status = core_cpu_bounds(rhs, true, error);
    if (status)
        return status;
    size_t folded[4];
    status = fold(folded, &l, &r, bmnk, lhs.storage->count, rhs.storage->count, error);
    if (status)
        return status;
    if (out->dtype == CORE_F32)
        matmul_f32(out->data, lhs.storage->data, l, rhs.storage->data, r, folded);
    else
        matmul_f64(out->data, lhs.storage->data, l, rhs.storage->data, r, folded);
    return CORE_OK;
}
