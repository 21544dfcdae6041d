/* The kernels against the plain ones: the same operation on the same strided data, on the
 * device that walks in the longest runs and on the one that walks element by element,
 * must give the same bits. */
#include "backends/core/core.h"
#include "backends/cpu/kernels.h"
#include "tools/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rig {
    core_context *context;
    core_device *device[2]; /* the usual one, the plain one */
    unsigned state;
} rig;

static size_t below(rig *r, size_t limit)
{
    r->state = r->state * 1103515245u + 12345u;
    return (r->state >> 16) % limit;
}

static rig rig_new(unsigned seed)
{
    core_context *context = core_context_new();
    return (rig){context,
                 {core_context_device(context, "cpu"),
                  core_context_device(context, "cpu-reference")},
                 seed};
}

static void must(core_status status, const core_error *error)
{
    ck_assert_msg(status == CORE_OK, "%s", error->text);
}

static void replace(core_tensor **t, core_tensor *next)
{
    core_tensor_unref(*t);
    *t = next;
}

/* Small numbers with signs, zeros and, for floats, fractions. */
static void base_pair(rig *r, core_tensor *pair[2], core_dtype dtype,
                      const core_shape *shape)
{
    size_t count = 1;
    core_error error;
    for (size_t i = 0; i < shape->rank; i++)
        count *= shape->dims[i];
    double *numbers = malloc((count + 1) * sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = ((double)below(r, 41) - 20) / (below(r, 2) ? 1 : 8);
    for (size_t d = 0; d < 2; d++) {
        core_tensor *wide = NULL;
        must(core_tensor_from_data(r->context, &wide, numbers, count, shape, CORE_F64,
                                   r->device[d], &error),
             &error);
        must(core_tensor_to_dtype(r->context, &pair[d], wide, dtype, &error), &error);
        core_tensor_unref(wide);
    }
    free(numbers);
}

/* The same views of both, ending in the given shape of rank 3. */
static void view_pair(rig *r, core_tensor *pair[2], core_dtype dtype,
                      const core_shape *shape)
{
    core_shape base = *shape;
    core_error error;
    size_t kind = below(r, 5), dim = below(r, 3), extra = below(r, 3);
    if (kind == 1) {
        base.dims[0] = shape->dims[2];
        base.dims[2] = shape->dims[0];
    } else if (kind == 2) {
        base.dims[dim] += extra + 1;
    } else if (kind == 3) {
        base.dims[dim] = 1;
    }
    base_pair(r, pair, dtype, &base);
    for (size_t d = 0; d < 2; d++) {
        core_tensor *view = NULL;
        core_status status = CORE_OK;
        if (kind == 1)
            status = core_tensor_transpose(r->context, &view, pair[d], 0, 2, &error);
        else if (kind == 2)
            status = core_tensor_narrow(r->context, &view, pair[d], (core_dim)dim, extra,
                                        shape->dims[dim], &error);
        else if (kind == 3)
            status = core_tensor_broadcast_as(r->context, &view, pair[d], shape, &error);
        else
            view = core_tensor_ref(pair[d]);
        must(status, &error);
        replace(&pair[d], view);
    }
}

static void same_bits(rig *r, core_tensor *pair[2], const char *what)
{
    const core_layout *a = core_tensor_layout(pair[0]), *b = core_tensor_layout(pair[1]);
    core_dtype dtype = core_tensor_dtype(pair[0]);
    core_error error;
    ck_assert_uint_eq(a->shape.rank, b->shape.rank);
    size_t size = core_tensor_count(pair[0]) * core_dtype_info(dtype)->size;
    char *x = malloc(size + 1), *y = malloc(size + 1);
    must(core_tensor_read(r->context, x, pair[0], &error), &error);
    must(core_tensor_read(r->context, y, pair[1], &error), &error);
    ck_assert_msg(!memcmp(x, y, size), "%s of %s", what, core_dtype_info(dtype)->name);
    free(x);
    free(y);
}

static void drop(core_tensor *pair[2])
{
    core_tensor_unref(pair[0]);
    core_tensor_unref(pair[1]);
}

/* The operations, by number; false: there is none of that number. */
static bool operate(rig *r, core_tensor **out, size_t op, const core_tensor *x,
                    const core_tensor *y, core_status *status, core_error *error)
{
    core_context *c = r->context;
    bool real = core_dtype_info(core_tensor_dtype(x))->is_float;
    if (op < CORE_BINARY_COUNT && (op != CORE_DIV || real))
        *status = core_tensor_binary(c, out, (core_binary)op, x, y, error);
    else if (op < 12)
        *status = core_tensor_cmp(c, out, (core_cmp)(op % CORE_CMP_COUNT), x,
                                  &(core_operand){.tensor = y}, error);
    else if (op == 12)
        *status = core_tensor_affine(c, out, x, 1.5, -2.25, error);
    else if (op == 13)
        *status = core_tensor_force_contiguous(c, out, x, error);
    else if (op < 17)
        *status =
            core_tensor_sum(c, out, x, &(core_dim){(core_dim)op - 14}, 1, true, error);
    else if (op == 17)
        *status = core_tensor_sum_all(c, out, x, error);
    else if (op < 21)
        *status = core_tensor_reduce(c, out, (core_reduce)(CORE_MIN + op % 4), x,
                                     (core_dim)op - 18, false, error);
    else if (op < 28)
        *status =
            core_tensor_to_dtype(c, out, x,
                                 (core_dtype[]){CORE_U8, CORE_U32, CORE_I16, CORE_I32,
                                                CORE_I64, CORE_F32, CORE_F64}[op - 21],
                                 error);
    else if (op == 28)
        *status = core_tensor_unary(c, out, CORE_RELU, x, error);
    else if (op == 29)
        *status = core_tensor_unary(c, out, CORE_ABS, x, error);
    else if (op == 30 && real)
        *status = core_tensor_unary(c, out, CORE_TANH, x, error);
    else
        return op <= 30;
    return true;
}

static void compare(rig *r, core_dtype dtype)
{
    core_shape shape = {3, {1 + below(r, 5), 1 + below(r, 5), 1 + below(r, 9)}};
    core_tensor *x[2], *y[2];
    core_error error;
    view_pair(r, x, dtype, &shape);
    view_pair(r, y, dtype, &shape);
    for (size_t op = 0;; op++) {
        core_tensor *out[2] = {NULL, NULL};
        char what[32];
        core_status status = CORE_OK;
        bool more = true;
        for (size_t d = 0; d < 2; d++) {
            more = operate(r, &out[d], op, x[d], y[d], &status, &error);
            must(status, &error);
        }
        if (!more)
            break;
        snprintf(what, sizeof what, "operation %zu", op);
        if (out[0])
            same_bits(r, out, what);
        drop(out);
    }
    drop(x);
    drop(y);
}

static const core_dtype dtypes[] = {CORE_U8,  CORE_U32, CORE_I16, CORE_I32,
                                    CORE_I64, CORE_F32, CORE_F64};

START_TEST(fast_as_plain)
{
    rig r = rig_new(7);
    for (size_t round = 0; round < 150; round++)
        for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++)
            compare(&r, dtypes[d]);
    ck_assert_uint_eq(core_context_live(r.context), 0);
    core_context_free(r.context);
}
END_TEST

/* Large blocks come from another place than small ones, and are used again. */
START_TEST(large_blocks)
{
    rig r = rig_new(1);
    core_error error;
    core_shape shape = {1, {(size_t)5 << 18}};
    for (int round = 0; round < 3; round++) {
        core_tensor *ones = NULL, *zeros = NULL, *sum = NULL;
        must(core_tensor_ones(r.context, &ones, &shape, CORE_F64, r.device[0], &error),
             &error);
        core_tensor_unref(ones);
        must(core_tensor_zeros(r.context, &zeros, &shape, CORE_F64, r.device[0], &error),
             &error);
        must(core_tensor_sum_all(r.context, &sum, zeros, &error), &error);
        double total = 1;
        must(core_tensor_read(r.context, &total, sum, &error), &error);
        ck_assert_double_eq(total, 0.0);
        core_tensor_unref(zeros);
        core_tensor_unref(sum);
    }
    ck_assert_uint_eq(core_context_bytes(r.context), 3 * (2 * shape.dims[0] * 8 + 8));
    core_context_free(r.context);
}
END_TEST

/* Where the C library's erf gives another last bit; the values are those of candle. */
START_TEST(erf_as_upstream)
{
    ck_assert(core_erf_f64(0.75) == 0.7111556336535152);
    ck_assert(core_erf_f64(0x1.371b21b9589f8p+0) == 0x1.d4219d68d2c4ap-1);
    ck_assert(core_erf_f64(-0x1.14566a56c8d7ap+0) == -0x1.bf0af542f5b1ep-1);
    ck_assert(core_erf_f64(-0x1.2c90dec42f680p-2) == -0x1.49a8ba6b87530p-2);
    ck_assert(core_erf_f32(0x1.e98de6p-1f) == 0x1.a5bb2cp-1f);
    ck_assert(core_erf_f32(-0x1.284342p+0f) == -0x1.cbed1cp-1f);
    ck_assert(core_erf_f64(7) == 1 && core_erf_f64(-INFINITY) == -1);
    ck_assert(isnan(core_erf_f32(NAN)) && signbit(core_erf_f32(-0.0f)));
}
END_TEST

START_TEST(what_cannot_be_allocated)
{
    rig r = rig_new(1);
    core_error error;
    core_tensor *t = NULL;
    core_status status =
        core_tensor_zeros(r.context, &t, &(core_shape){1, {(size_t)1 << 62}}, CORE_F32,
                          r.device[0], &error);
    ck_assert_int_eq(status, CORE_PANIC);
    ck_assert_str_eq(error.text, "capacity overflow");
    status = core_tensor_zeros(r.context, &t, &(core_shape){1, {2}}, CORE_BF16,
                               r.device[0], &error);
    ck_assert_int_eq(status, CORE_UNSUPPORTED);
    core_context_free(r.context);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("cpu_kernels");
    TCase *tcase = tcase_create("kernels");
    tcase_add_test(tcase, fast_as_plain);
    tcase_add_test(tcase, large_blocks);
    tcase_add_test(tcase, erf_as_upstream);
    tcase_add_test(tcase, what_cannot_be_allocated);
    suite_add_tcase(suite, tcase);
    return suite;
}
