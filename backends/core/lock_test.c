/* The lock model: what hangs in candle 0.11.0 is reported, what does not is not; panics
 * poison. */
#include "backends/core/testing.h"
#include "tools/test_main.h"

#include <string.h>

typedef struct row {
    const char *program;
    core_status status;
    const char *holds; /* what the text must contain */
} row;

/* w is a contiguous view of f, g a second storage, i a u32 tensor and j an alias of it.
 */
static const row rows[] = {
    {"f.inplace_op2(&f, &ops::add_assign())", CORE_DEADLOCK,
     "add_assign wants to lock the storage of TensorId(1) for reading and waits for "
     "ever: it is "
     "locked for writing by inplace_op2"},
    {"f.inplace_op2(&w, &ops::add_assign())", CORE_DEADLOCK, "TensorId(1)"},
    {"w.inplace_op2(&f.narrow(0, 0, 1)?, &ops::add_assign())", CORE_DEADLOCK,
     "inplace_op2"},
    {"f.inplace_op3(&g, &f, &ops::add_mul())", CORE_DEADLOCK, "inplace_op3"},
    {"f.inplace_op3(&f, &g, &ops::add_mul())", CORE_DEADLOCK, "inplace_op3"},
    {"f.inplace_op3(&g, &g, &ops::add_mul())", CORE_OK, NULL},
    {"f.inplace_op2(&g, &ops::add_assign())", CORE_OK, NULL},
    {"f.inplace_op2(&f.copy()?, &ops::add_assign())", CORE_OK, NULL},
    {"f.inplace_op1(&ops::fill(1.0))", CORE_OK, NULL},
    {"i.scatter_set(&j, &i.copy()?, 0)", CORE_DEADLOCK, "scatter_set"},
    {"i.scatter_add_set(&j, &i.copy()?, 0)", CORE_DEADLOCK, "scatter_add_set"},
    {"i.scatter_set(&i.copy()?, &i, 0)", CORE_ERROR, "share their storage"},
    {"f.slice_set(&f, 0, 0)", CORE_ERROR, "share their storage"},
    {"f.add(&f)", CORE_OK, NULL},
    {"f.where_cond(&f, &f)", CORE_ERROR, "unsupported dtype F32 for op where-cond"},
    {"f.apply_op2(&f, &ops::add_assign())", CORE_OK, NULL},
};

static bench *storages(void)
{
    bench *b = bench_new("cpu");
    bench_let(b, "f", "Tensor::new(&[[1f32, 2.], [3., 4.]], &dev)");
    bench_let(b, "w", "f.narrow(0, 1, 1)");
    bench_let(b, "g", "Tensor::new(&[[1f32, 2.], [3., 4.]], &dev)");
    bench_let(b, "i", "Tensor::new(&[[0u32, 1], [1, 0]], &dev)");
    bench_let(b, "j", "i.clone()");
    return b;
}

static void expect(bench *b, const char *program, core_status status, const char *text)
{
    core_value value = {0};
    core_error error = {0};
    core_status got = bench_run(b, &value, program, &error);
    ck_assert_msg(got == status, "%s: %s: %s", program, core_status_name(got),
                  error.text);
    if (text)
        ck_assert_msg(strstr(error.text, text) != NULL, "%s: %s", program, error.text);
    core_value_clear(&value);
}

START_TEST(deadlocks)
{
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        bench *b = storages();
        expect(b, rows[n].program, rows[n].status, rows[n].holds);
        /* Whatever happened, the locks are free again. */
        expect(b, "f.zero_set()?; g.zero_set()?; i.zero_set()", CORE_OK, NULL);
        bench_free(b);
    }
}
END_TEST

START_TEST(guard_blocks_writers_only)
{
    bench *b = storages();
    core_context_at(b->context, 3, 5);
    bench_let(b, "guard", "w.storage_and_layout()");
    core_context_at(b->context, 7, 1);
    expect(b, "f.zero_set()", CORE_DEADLOCK,
           "deadlock: const_set at line 7, column 1 wants to lock the storage of "
           "TensorId(1) "
           "for writing and waits for ever: it is locked for reading by the guard of "
           "storage_and_layout() at line 3, column 5");
    expect(b, "f.slice_set(&g, 0, 0)", CORE_DEADLOCK, "slice_set");
    expect(b, "f.inplace_op1(&ops::fill(1.0))", CORE_DEADLOCK, "inplace_op1");
    expect(b, "f.exp()?; f.copy()?; g.slice_set(&f, 0, 0)", CORE_OK, NULL);
    core_value_clear(&b->bound[b->count - 1].value);
    b->count--;
    expect(b, "f.zero_set()", CORE_OK, NULL);
    bench_free(b);
}
END_TEST

static void expect_poisoned(bench *b, const char *program)
{
    expect(b, program, CORE_PANIC,
           "called `Result::unwrap()` on an `Err` value: PoisonError { .. }");
}

START_TEST(panic_under_write_lock_poisons)
{
    bench *b = storages();
    expect(b, "f.apply_op1(&ops::fail())", CORE_PANIC, "parity::ops::fail");
    expect(b, "f.exp()", CORE_OK, NULL); /* a read lock does not poison */
    expect(b, "w.inplace_op1(&ops::fail())", CORE_PANIC, "parity::ops::fail");
    expect_poisoned(b, "f.exp()");
    expect_poisoned(b, "w.zero_set()");
    expect_poisoned(b, "f.to_vec2::<f32>()");
    expect_poisoned(b, "f.copy()");
    expect_poisoned(b, "g.slice_set(&f, 0, 0)");
    expect(b, "f.narrow(0, 0, 1)", CORE_OK, NULL); /* no lock */
    expect(b, "g.exp()", CORE_OK, NULL);
    bench_free(b);
}
END_TEST

START_TEST(short_source_poisons_the_target)
{
    bench *b = storages();
    expect(b, "g.slice_set(&Tensor::from_vec(vec![1f32, 2., 3.], (2, 2), &dev)?, 0, 0)",
           CORE_PANIC, "range end index 4 out of range for slice of length 3");
    expect_poisoned(b, "g.exp()");
    bench_free(b);
}
END_TEST

START_TEST(mutex_of_varmap)
{
    bench *b = bench_new("cpu");
    bench_let(b, "varmap", "VarMap::new()");
    bench_let(b, "vb", "VarBuilder::from_varmap(&varmap, DType::F32, &dev)");
    bench_let(b, "lin", "linear_no_bias(2, 1, vb.pp(0))");
    bench_let(b, "data", "varmap.data()");
    bench_let(b, "guard", "data.lock()");
    expect(b, "varmap.all_vars()", CORE_DEADLOCK,
           "VarMap::all_vars wants to lock the mutex of the VarMap and waits for ever: "
           "it is "
           "locked by the guard of data().lock()");
    expect(b, "vb.get((2, 2), Tensor::zeros(1, DType::F32, &dev))", CORE_UNSUPPORTED,
           NULL);
    expect(b, "data.lock()", CORE_DEADLOCK, "the mutex of the VarMap");
    core_value_clear(&b->bound[b->count - 1].value);
    b->count--;
    expect(b, "varmap.all_vars()", CORE_OK, NULL);
    bench_free(b);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("core_lock");
    TCase *tcase = tcase_create("locks");
    tcase_add_test(tcase, deadlocks);
    tcase_add_test(tcase, guard_blocks_writers_only);
    tcase_add_test(tcase, panic_under_write_lock_poisons);
    tcase_add_test(tcase, short_source_poisons_the_target);
    tcase_add_test(tcase, mutex_of_varmap);
    suite_add_tcase(suite, tcase);
    return suite;
}
