/* The table as a whole: rows are found, signatures are well formed, arguments are
 * checked. */
#include "backends/core/device.h"
#include "backends/core/testing.h"
#include "tools/test_main.h"

#include <string.h>

START_TEST(rows_are_well_formed)
{
    for (size_t i = 0; i < core_method_count(); i++) {
        const core_method *row = core_method_at(i);
        const char *letters = row->signature;
        if (!strncmp(letters, "<D>", 3))
            letters += 3;
        ck_assert_msg(strspn(letters, "tvodnifxshDVSrbkLMIA*?") == strlen(letters),
                      "%s: \"%s\"", row->name, row->signature);
        const core_method *found = row->receiver == CORE_KIND_UNIT
                                       ? core_path_find(row->name)
                                       : core_method_find(row->receiver, row->name);
        ck_assert_msg(found == row, "%s is there twice, or not found", row->name);
    }
    ck_assert_uint_ge(core_method_count(), 150);
    ck_assert_ptr_null(core_method_at(core_method_count()));
}
END_TEST

START_TEST(var_has_the_methods_of_a_tensor)
{
    ck_assert_ptr_eq(core_method_find(CORE_KIND_VAR, "narrow"),
                     core_method_find(CORE_KIND_TENSOR, "narrow"));
    ck_assert_ptr_nonnull(core_method_find(CORE_KIND_VAR, "set"));
    ck_assert_ptr_null(core_method_find(CORE_KIND_TENSOR, "set"));
    ck_assert_ptr_null(core_method_find(CORE_KIND_TENSOR, "split"));
    ck_assert_ptr_eq(core_path_find("parity::ops::fill"), core_path_find("ops::fill"));
    ck_assert_ptr_eq(core_path_find("candle_nn::linear"), core_path_find("linear"));
}
END_TEST

/* What rustc would refuse is unsupported, never misread. */
static const char *const misfits[] = {
    "x.narrow(0, 1)",
    "x.narrow(0, 1, 1, 1)",
    "x.narrow(0, 1.0, 1)",
    "x.narrow(0u8, 1, 1)",
    "x.affine(1, 0)",
    "x.affine(1f32, 0.)",
    "x.add(1.0)",
    "x.reshape((2, x))",
    "x.to_dtype(x)",
    "x.to_vec2()",
    "x.narrow::<f32>(0, 1, 1)",
    "x + 1",
    "x + 1f32",
    "Tensor::new(&[1., 2], &dev)",
    "Tensor::new(&[1f32, 2f64], &dev)",
    "Tensor::new(&[1usize], &dev)",
    ("Tensor::zeros((1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), DType::F32, "
     "&dev)"),
    "Tensor::zeros(1, DType::BF16, &dev)",
    "x.inplace_op1(&ops::add_assign())",
    "x.i(vec![1u8])",
};

START_TEST(misfits_are_unsupported)
{
    for (size_t i = 0; i < sizeof misfits / sizeof misfits[0]; i++) {
        bench *b = bench_new("cpu");
        core_value value = {0};
        core_error error = {0};
        bench_fixtures(b);
        core_status status = bench_run(b, &value, misfits[i], &error);
        ck_assert_msg(status == CORE_UNSUPPORTED, "%s: %s %s", misfits[i],
                      core_status_name(status), error.text);
        ck_assert_msg(!strstr(error.text, "the test"), "%s: %s", misfits[i], error.text);
        bench_free(b);
    }
}
END_TEST

START_TEST(guards_cannot_be_cloned)
{
    bench *b = bench_new("cpu");
    core_value copy = {0};
    core_error error = {0};
    bench_let(b, "x", "Tensor::new(&[1f32], &dev)");
    bench_let(b, "guard", "x.storage_and_layout()");
    ck_assert_int_eq(core_value_clone(&copy, &b->bound[1].value, &error),
                     CORE_UNSUPPORTED);
    ck_assert_str_eq(error.text, "clone() of a RwLockReadGuard");
    bench_free(b);
}
END_TEST

/* A chain of operations longer than any stack is deep. */
START_TEST(deep_graphs)
{
    bench *b = bench_new("cpu");
    core_error error = {0};
    bench_let(b, "v", "Var::new(&[1f32], &dev)");
    core_tensor *at = core_tensor_ref(b->bound[0].value.tensor);
    for (int i = 0; i < 200000; i++) {
        core_tensor *next = NULL;
        ck_assert_int_eq(core_tensor_affine(b->context, &next, at, 1.0, 1.0, &error),
                         CORE_OK);
        core_tensor_unref(at);
        at = next;
    }
    core_gradstore *grads = NULL;
    ck_assert_int_eq(core_tensor_backward(b->context, &grads, at, &error), CORE_OK);
    ck_assert_uint_eq(core_gradstore_count(grads), 1);
    core_gradstore_free(grads);
    core_tensor_unref(at);
    bench_free(b);
}
END_TEST

/* The core calls what is in the table without looking: a kernel that a device forgot
 * would end the worker. */
START_TEST(devices_have_every_kernel)
{
    typedef core_status kernel(void);
    enum { KERNELS = sizeof(core_kernels) / sizeof(kernel *) };
    for (size_t i = 0; core_device_table[i]; i++) {
        kernel *all[KERNELS];
        memcpy(all, &core_device_table[i]->kernels, sizeof all);
        for (size_t k = 0; k < KERNELS; k++)
            ck_assert_msg(all[k] != NULL,
                          "%s has no kernel for member %zu of core_kernels",
                          core_device_table[i]->name, k + 1);
    }
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("core_method");
    TCase *tcase = tcase_create("table");
    tcase_add_test(tcase, rows_are_well_formed);
    tcase_add_test(tcase, var_has_the_methods_of_a_tensor);
    tcase_add_test(tcase, misfits_are_unsupported);
    tcase_add_test(tcase, guards_cannot_be_cloned);
    tcase_add_test(tcase, deep_graphs);
    tcase_add_test(tcase, devices_have_every_kernel);
    suite_add_tcase(suite, tcase);
    return suite;
}
