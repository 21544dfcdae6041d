/* VarMap, Linear, optimizers. The numbers are those of candle's own tests
 * (candle-nn/tests/optim.rs) and of its source. */
#include "backends/core/testing.h"
#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>

static void expect(bench *b, const char *program, const char *text)
{
    char *got = bench_describe(b, program);
    ck_assert_msg(!strcmp(got, text), "%s:\n  %s\n  %s", program, got, text);
    free(got);
}

static core_tensor *var_of(bench *b, const char *name)
{
    for (size_t i = 0; i < b->count; i++)
        if (!strcmp(b->bound[i].name, name))
            return b->bound[i].value.tensor;
    return NULL;
}

/* sgd_optim: x towards 4.2 by 100 steps of rate 0.1. */
START_TEST(sgd_reaches_the_number)
{
    bench *b = bench_new("cpu");
    core_error error = {0};
    bench_let(b, "x", "Var::new(0f32, &dev)");
    core_tensor *x = var_of(b, "x");
    uint64_t id = core_tensor_id(x);
    core_sgd *sgd = core_sgd_new((const core_tensor *const[]){x}, 1, 0.1);
    for (int i = 0; i < 100; i++) {
        core_value loss;
        core_gradstore *grads = NULL;
        ck_assert_int_eq(bench_run(b, &loss, "((x.as_tensor() - 4.2)?.sqr())?", &error),
                         CORE_OK);
        ck_assert_int_eq(core_tensor_backward(b->context, &grads, loss.tensor, &error),
                         CORE_OK);
        ck_assert_int_eq(core_sgd_step(b->context, sgd, grads, &error), CORE_OK);
        core_gradstore_free(grads);
        core_value_clear(&loss);
    }
    expect(b, "x.to_scalar::<f32>()", "ids 0 4.199999");
    ck_assert_uint_eq(core_tensor_id(x), id);
    core_sgd_free(sgd);
    bench_free(b);
}
END_TEST

/* The page about snapshots: which of them follow the step. */
START_TEST(snapshots)
{
    bench *b = bench_new("cpu");
    bench_let(b, "varmap", "VarMap::new()");
    bench_let(b, "vb", "VarBuilder::from_varmap(&varmap, DType::F32, &dev)");
    bench_let(b, "lin", "linear_no_bias(2, 1, vb.pp(0))");
    bench_let(b, "w", "lin.weight()");
    core_tensor *w = var_of(b, "w");
    core_error error = {0};
    core_value one = {0};
    ck_assert_int_eq(bench_run(b, &one, "Tensor::new(&[[1f32, 2.]], &dev)", &error),
                     CORE_OK);
    ck_assert_int_eq(core_var_set(b->context, w, one.tensor, &error), CORE_OK);
    core_value_clear(&one);
    ck_assert(core_tensor_is_variable(w));
    bench_let(b, "clone", "w.clone()");
    bench_let(b, "detached", "w.detach()");
    bench_let(b, "copied", "w.copy()");
    bench_let(b, "times", "w * 1.0");
    bench_let(b, "device", "w.to_device(&dev)");
    core_gradstore *grads = NULL;
    ck_assert_int_eq(
        bench_run(b, &one, "lin.forward(&Tensor::new(&[[1f32, 1.]], &dev)?)?.sum_all()",
                  &error),
        CORE_OK);
    ck_assert_int_eq(core_tensor_backward(b->context, &grads, one.tensor, &error),
                     CORE_OK);
    core_sgd *sgd = core_sgd_new((const core_tensor *const[]){w}, 1, 0.5);
    ck_assert_int_eq(core_sgd_step(b->context, sgd, grads, &error), CORE_OK);
    core_value_clear(&one);
    core_gradstore_free(grads);
    core_sgd_free(sgd);
    expect(b, "clone.to_vec2::<f32>()", "ids 0 [[0.5, 1.5]]");
    expect(b, "detached.to_vec2::<f32>()", "ids 0 [[0.5, 1.5]]");
    expect(b, "copied.to_vec2::<f32>()", "ids 0 [[1.0, 2.0]]");
    expect(b, "times.to_vec2::<f32>()", "ids 0 [[1.0, 2.0]]");
    expect(b, "device.to_vec2::<f32>()", "ids 0 [[0.5, 1.5]]");
    bench_free(b);
}
END_TEST

START_TEST(varmap_errors)
{
    bench *b = bench_new("cpu");
    bench_let(b, "varmap", "VarMap::new()");
    bench_let(b, "lin",
              "linear_no_bias(2, 1, VarBuilder::from_varmap(&varmap, DType::F32, &dev))");
    core_value map = b->bound[0].value;
    core_error error = {0};
    core_tensor *t = NULL, *w = NULL;
    core_init zero = {CORE_INIT_CONST, 0.0, 0.0};
    core_status status =
        core_varmap_get(b->context, &w, map.varmap, &(core_shape){2, {2, 2}}, "weight",
                        zero, CORE_F32, b->device, &error);
    ck_assert_int_eq(status, CORE_ERROR);
    ck_assert_str_eq(error.text, "shape mismatch on weight: [2, 2] <> [1, 2]");
    status = core_tensor_zeros(b->context, &t, &(core_shape){1, {2}}, CORE_F32, b->device,
                               &error);
    ck_assert_int_eq(status, CORE_OK);
    status = core_varmap_set_one(b->context, map.varmap, "bias", t, &error);
    ck_assert_str_eq(error.text, "cannot find bias in VarMap");
    status = core_varmap_set_one(b->context, map.varmap, "weight", t, &error);
    ck_assert_str_eq(
        error.text, "error setting weight: shape mismatch in set, lhs: [1, 2], rhs: [2]");
    core_tensor_unref(t);
    bench_free(b);
}
END_TEST

/* adamw_linear_regression ends at [[2.7257, 0.7097]] and 0.7873 after 100 steps of rate
 * 0.1. */
START_TEST(adamw_linear_regression)
{
    bench *b = bench_new("cpu");
    core_error error = {0};
    bench_let(b, "xs",
              "Tensor::new(&[[2f32, 1.], [7., 4.], [-4., 12.], [5., 8.]], &dev)");
    bench_let(b, "ys", "Tensor::new(&[[5f32], [23.], [-2.], [21.]], &dev)");
    bench_let(b, "w", "Var::new(&[[0f32, 0.]], &dev)");
    bench_let(b, "b", "Var::new(0f32, &dev)");
    core_tensor *w = var_of(b, "w"), *bias = var_of(b, "b");
    core_adamw_params params = CORE_ADAMW_DEFAULT;
    params.lr = 0.1;
    core_adamw *adamw = NULL;
    ck_assert_int_eq(core_adamw_new(b->context, &adamw,
                                    (const core_tensor *const[]){w, bias}, 2, params,
                                    &error),
                     CORE_OK);
    for (int i = 0; i < 100; i++) {
        core_value loss;
        core_gradstore *grads = NULL;
        core_status status = bench_run(
            b, &loss, "xs.matmul(&w.t()?)?.broadcast_add(&b)?.sub(&ys)?.sqr()?.sum_all()",
            &error);
        ck_assert_msg(status == CORE_OK, "%s", error.text);
        ck_assert_int_eq(core_tensor_backward(b->context, &grads, loss.tensor, &error),
                         CORE_OK);
        ck_assert_int_eq(core_adamw_step(b->context, adamw, grads, &error), CORE_OK);
        core_gradstore_free(grads);
        core_value_clear(&loss);
    }
    float weight[2], offset;
    ck_assert_int_eq(core_tensor_read(b->context, weight, w, &error), CORE_OK);
    ck_assert_int_eq(core_tensor_read(b->context, &offset, bias, &error), CORE_OK);
    ck_assert_float_eq_tol(weight[0], 2.7257f, 5e-5f);
    ck_assert_float_eq_tol(weight[1], 0.7097f, 5e-5f);
    ck_assert_float_eq_tol(offset, 0.7873f, 5e-5f);
    core_adamw_free(adamw);
    bench_free(b);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("core_nn");
    TCase *tcase = tcase_create("nn");
    tcase_add_test(tcase, sgd_reaches_the_number);
    tcase_add_test(tcase, snapshots);
    tcase_add_test(tcase, varmap_errors);
    tcase_add_test(tcase, adamw_linear_regression);
    suite_add_tcase(suite, tcase);
    return suite;
}
