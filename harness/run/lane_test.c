/* What an engine's row can ask of a lane: several workers, ends known beforehand, a
 * worker made for a trace, running in this process. */
#include "harness/model/engine.h"
#include "harness/run/testing/fixture.h"
#include "tools/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The rows are plain functions; what they need is here. */
static struct {
    const char *worker;  /* path of parity-test-worker */
    const char *trouble; /* prepare fails with this */
    int traces;          /* that were prepared */
    size_t shown;        /* cases that prepare was shown */
} row;

static void set_worker(parity_plan *plan, size_t index, const char *setting)
{
    parity_worker *worker = &plan->workers[index];
    worker->argv = parity_arena_alloc(plan->arena, 2 * sizeof *worker->argv);
    worker->argv[0] = row.worker;
    worker->env = parity_arena_alloc(plan->arena, 2 * sizeof *worker->env);
    worker->env[0] = setting;
}

/* Even cases go to worker 0, odd ones to worker 1; a program `refuse` to neither. */
static int prepare(parity_plan *plan, const parity_column *column,
                   const parity_paths *paths, const parity_case *const *cases,
                   size_t count, parity_error *error)
{
    (void)column;
    (void)paths;
    if (row.trouble)
        return parity_fail(error, "%s", row.trouble);
    row.shown = count;
    plan->nworkers = 2;
    plan->workers = parity_arena_alloc(plan->arena, 2 * sizeof *plan->workers);
    plan->cases = parity_arena_alloc(plan->arena, (count + 1) * sizeof *plan->cases);
    set_worker(plan, 0, "BATCH=even");
    set_worker(plan, 1, "BATCH=odd");
    for (size_t i = 0; i < count; i++) {
        plan->cases[i].worker = i % 2;
        if (strcmp(cases[i]->program[PARITY_TORCH].text, "refuse") != 0)
            continue;
        plan->cases[i].worker = PARITY_NONE;
        parity_outcome_set(&plan->cases[i].outcome, PARITY_REFUSED, "E0382", "moved",
                           (parity_pos){3, 5});
    }
    return 0;
}

static int prepare_trace(parity_plan *plan, const parity_column *column,
                         const parity_paths *paths, const parity_case *one,
                         parity_error *error)
{
    (void)column;
    (void)paths;
    (void)one;
    (void)error;
    row.traces++;
    plan->nworkers = 1;
    plan->workers = parity_arena_alloc(plan->arena, sizeof *plan->workers);
    plan->cases = parity_arena_alloc(plan->arena, sizeof *plan->cases);
    set_worker(plan, 0, "BATCH=trace");
    return 0;
}

static void open_row(parity_fixture *f)
{
    static const char *const none[] = {"true", NULL};
    parity_fixture_open(f, none);
    memset(&row, 0, sizeof row);
    row.worker = parity_fixture_program(f, "parity-test-worker");
    parity_engine *engine = (parity_engine *)f->column.engine;
    engine->worker = NULL;
    engine->prepare = prepare;
    engine->prepare_trace = prepare_trace;
}

START_TEST(each_case_goes_to_its_worker)
{
    parity_fixture f;
    open_row(&f);
    parity_fixture_add(&f, "skipped", "", "BATCH")->skip = "for a reason";
    parity_fixture_add(&f, "a", "", "BATCH cases");
    parity_fixture_add(&f, "b", "", "BATCH cases");
    parity_fixture_add(&f, "c", "refuse", "BATCH cases");
    parity_fixture_add(&f, "d", "raise 11", "BATCH cases");
    parity_fixture_add(&f, "e", "", "BATCH cases");
    parity_fixture_run(&f);
    ck_assert_uint_eq(row.shown, 5);
    ck_assert_str_eq(parity_fixture_text(&f, "a"), "value: even 1");
    ck_assert_str_eq(parity_fixture_text(&f, "b"), "value: odd 1");
    ck_assert_str_eq(parity_fixture_text(&f, "d"), "crash: SIGSEGV");
    ck_assert_str_eq(parity_fixture_text(&f, "e"), "value: even 2");
    const parity_run *refused = parity_fixture_find(&f, "c");
    ck_assert(refused->ran);
    ck_assert_str_eq(refused->end.type, "E0382");
    ck_assert_int_eq(refused->end.pos.column, 5);
    ck_assert_uint_eq(refused->nobserved, 2);
    ck_assert_int_eq(refused->observed[1].kind, PARITY_NOT_REACHED);
    parity_fixture_close(&f);
}
END_TEST

START_TEST(a_trace_has_a_worker_of_its_own)
{
    parity_fixture f;
    open_row(&f);
    const char *file = parity_fixture_file(&f);
    char program[128];
    snprintf(program, sizeof program, "sleep_once %s", file);
    parity_fixture_add(&f, "once", program, "BATCH");
    parity_fixture_add(&f, "hang", "\nhang", "BATCH");
    parity_fixture_run(&f);
    ck_assert_int_eq(row.traces, 2);
    ck_assert_str_eq(parity_fixture_text(&f, "once"), "value: trace");
    ck_assert_int_eq(parity_fixture_find(&f, "hang")->end.pos.line, 2);
    unlink(file);
    parity_fixture_close(&f);
}
END_TEST

START_TEST(what_cannot_be_prepared_is_absent)
{
    parity_fixture f;
    open_row(&f);
    row.trouble = "no compiler";
    parity_fixture_add(&f, "a", "", "x");
    parity_fixture_add(&f, "b", "", "x");
    parity_fixture_run(&f);
    ck_assert_str_eq(parity_fixture_text(&f, "a"), "absent: no compiler");
    ck_assert_str_eq(parity_fixture_text(&f, "b"), "absent: no compiler");
    parity_fixture_close(&f);
}
END_TEST

static int in_process(parity_run *run, const parity_case *test, const char *device,
                      parity_error *error)
{
    if (strcmp(test->id, "bad") == 0)
        return parity_fail(error, "cannot go on");
    ck_assert_str_eq(device, "cpu");
    ck_assert_uint_eq(run->nobserved, 1);
    run->observed[0].kind = PARITY_VALUE;
    run->observed[0].value = parity_value_new(PARITY_VALUE_TEXT);
    run->observed[0].value->text = parity_strdup(test->id);
    return 0;
}

START_TEST(an_engine_runs_in_this_process)
{
    parity_fixture f;
    open_row(&f);
    ((parity_engine *)f.column.engine)->in_process = in_process;
    f.options.in_process = true;
    row.trouble = "must not be prepared";
    parity_fixture_add(&f, "a", "", "x");
    parity_fixture_add(&f, "bad", "", "x");
    parity_fixture_add(&f, "b", "", "x");
    parity_fixture_run(&f);
    ck_assert_str_eq(parity_fixture_text(&f, "a"), "value: a");
    ck_assert_str_eq(parity_fixture_text(&f, "bad"), "crash: cannot go on");
    ck_assert_str_eq(parity_fixture_text(&f, "b"), "value: b");
    parity_fixture_close(&f);
}
END_TEST

START_TEST(an_engine_that_cannot_runs_its_worker)
{
    parity_fixture f;
    open_row(&f);
    f.options.in_process = true;
    parity_fixture_add(&f, "a", "", "BATCH");
    parity_fixture_run(&f);
    ck_assert_str_eq(parity_fixture_text(&f, "a"), "value: even");
    parity_fixture_close(&f);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("lane");
    TCase *tests = tcase_create("lane");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, each_case_goes_to_its_worker);
    tcase_add_test(tests, a_trace_has_a_worker_of_its_own);
    tcase_add_test(tests, what_cannot_be_prepared_is_absent);
    tcase_add_test(tests, an_engine_runs_in_this_process);
    tcase_add_test(tests, an_engine_that_cannot_runs_its_worker);
    suite_add_tcase(suite, tests);
    return suite;
}
