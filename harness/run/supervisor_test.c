#include "harness/run/process.h"
#include "harness/run/testing/fixture.h"
#include "tools/test_main.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const worker[] = {"parity-test-worker", NULL};
static const char *const cancelling[] = {"parity-test-worker", "cf", NULL};

START_TEST(values_arrive_in_order)
{
    parity_fixture f;
    static const float bits[] = {1.0f, -0.0f};
    parity_data data = {"x", PARITY_F32, 2, {1, 2}, bits, sizeof bits, {0, 0}};
    parity_fixture_open(&f, worker);
    parity_case *test = parity_fixture_add(&f, "a", "print hello", "data cases id LANG");
    test->data = &data;
    test->ndata = 1;
    parity_fixture_add(&f, "b", "", "cases PYTHONHASHSEED");
    parity_fixture_run(&f);
    parity_fixture_expect(&f, "a", "value: ? 1 1 C.UTF-8");
    parity_fixture_expect(&f, "b", "value: 2 0");
    const parity_run *run = parity_fixture_find(&f, "a");
    const parity_tensor *tensor = run->observed[0].value->tensor;
    ck_assert_int_eq(tensor->dtype, PARITY_F32);
    ck_assert_mem_eq(tensor->bits, bits, sizeof bits);
    ck_assert_str_eq(run->diagnostics, "hello\n");
    ck_assert_ptr_null(parity_fixture_find(&f, "b")->diagnostics);
    parity_fixture_close(&f);
}
END_TEST

static const struct {
    const char *program;
    const char *text;
} ends[] = {
    {"raise 11", "crash: SIGSEGV"},
    {"abort", "crash: SIGABRT"},
    {"raise 9", "crash: SIGKILL"},
    {"exit 0", "crash: exited with code 0"},
    {"exit 3", "crash: exited with code 3"},
    {"close 3", "value: 1 x"},
    {"close 2000", "crash: ..."},
    {"flood 10240", "value: 1 x"},
    {"print {\"id\": 1}", "value: 1 x"},
};

START_TEST(an_end_costs_only_its_case)
{
    parity_fixture f;
    parity_fixture_open(&f, worker);
    parity_fixture_add(&f, "before", "", "cases x");
    f.cases[0].fresh = true; /* so that the count starts again */
    parity_fixture_add(&f, "it", ends[_i].program, "cases x");
    parity_fixture_add(&f, "after", "", "x");
    parity_fixture_run(&f);
    parity_fixture_expect(&f, "before", "value: 1 x");
    parity_fixture_expect(&f, "it", ends[_i].text);
    parity_fixture_expect(&f, "after", "value: x");
    parity_fixture_close(&f);
}
END_TEST

START_TEST(a_crash_has_its_place_and_stderr)
{
    parity_fixture f;
    parity_fixture_open(&f, worker);
    parity_fixture_add(&f, "it", "print one\nprint two\nraise 11\nprint three", "x");
    parity_fixture_run(&f);
    const parity_run *run = parity_fixture_find(&f, "it");
    parity_fixture_expect(&f, "it", "crash: SIGSEGV");
    ck_assert_int_eq(run->end.pos.line, 3);
    ck_assert_str_eq(run->end.detail, "one\ntwo\n");
    ck_assert_int_eq(run->observed[0].kind, PARITY_NOT_REACHED);
    parity_fixture_close(&f);
}
END_TEST

START_TEST(stderr_is_bounded)
{
    parity_fixture f;
    parity_fixture_open(&f, worker);
    parity_fixture_add(&f, "it", "flood 10240\nprint the end\nexit 1", "x");
    parity_fixture_run(&f);
    const char *detail = parity_fixture_find(&f, "it")->end.detail;
    ck_assert_uint_le(strlen(detail), 64 << 10);
    ck_assert_str_eq(detail + strlen(detail) - 8, "the end\n");
    parity_fixture_close(&f);
}
END_TEST

static const char *const *const workers[] = {worker, cancelling};

START_TEST(a_hang_is_confirmed)
{
    parity_fixture f;
    parity_fixture_open(&f, workers[_i]);
    parity_fixture_add(&f, "before", "", "x");
    parity_fixture_add(&f, "it", "print one\nhang\nprint two", "x");
    parity_fixture_add(&f, "after", "", "x");
    double start = parity_clock();
    parity_fixture_run(&f);
    double seconds = parity_clock() - start;
    parity_fixture_expect(&f, "before", "value: x");
    parity_fixture_expect(&f, "it",
                          "hang: did not end within 1.5 s; last statement begun: line 2");
    ck_assert_int_eq(parity_fixture_find(&f, "it")->end.pos.line, 2);
    parity_fixture_expect(&f, "after", "value: x");
    ck_assert_msg(seconds > 1.8 && seconds < 4, "took %g s", seconds);
    parity_fixture_close(&f);
}
END_TEST

START_TEST(a_cancelled_worker_lives_on)
{
    parity_fixture f;
    parity_fixture_open(&f, cancelling);
    parity_fixture_add(&f, "a", "", "pid");
    parity_fixture_add(&f, "it", "hang", "x");
    parity_fixture_add(&f, "b", "", "pid");
    parity_fixture_run(&f);
    ck_assert_str_eq(parity_fixture_text(&f, "a"), parity_fixture_text(&f, "b"));
    parity_fixture_expect(&f, "it", "hang...");
    parity_fixture_close(&f);
}
END_TEST

START_TEST(a_worker_deaf_to_all_is_killed)
{
    parity_fixture f;
    parity_fixture_open(&f, workers[_i]);
    parity_fixture_add(&f, "it", "deaf", "x");
    parity_fixture_add(&f, "after", "", "x");
    parity_fixture_run(&f);
    parity_fixture_expect(&f, "it",
                          "hang: did not end within 1.5 s; last statement begun: line 1");
    parity_fixture_expect(&f, "after", "value: x");
    parity_fixture_close(&f);
}
END_TEST

START_TEST(slow_is_no_hang)
{
    parity_fixture f;
    parity_fixture_open(&f, worker);
    parity_fixture_add(&f, "slow", "sleep 0.6", "x");
    parity_fixture_add(&f, "patient", "sleep 0.6", "x")->timeout = 5;
    parity_case *once = parity_fixture_add(&f, "once", "", "x");
    const char *file = parity_fixture_file(&f);
    char program[128];
    snprintf(program, sizeof program, "sleep_once %s", file);
    once->program[PARITY_TORCH].text = program;
    parity_fixture_run(&f);
    parity_fixture_expect(&f, "slow", "value: x");
    ck_assert_ptr_nonnull(strstr(parity_fixture_find(&f, "slow")->diagnostics, "slow: "));
    parity_fixture_expect(&f, "patient", "value: x");
    ck_assert_ptr_null(parity_fixture_find(&f, "patient")->diagnostics);
    parity_fixture_expect(&f, "once", "value: x");
    unlink(file);
    parity_fixture_close(&f);
}
END_TEST

START_TEST(fresh_has_a_process_of_its_own)
{
    parity_fixture f;
    parity_fixture_open(&f, worker);
    parity_fixture_add(&f, "a", "", "cases");
    parity_fixture_add(&f, "b", "", "cases")->fresh = true;
    parity_fixture_add(&f, "c", "", "cases");
    parity_fixture_add(&f, "d", "", "cases");
    parity_fixture_run(&f);
    parity_fixture_expect(&f, "a", "value: 1");
    parity_fixture_expect(&f, "b", "value: 1");
    parity_fixture_expect(&f, "c", "value: 1");
    parity_fixture_expect(&f, "d", "value: 2");
    parity_fixture_close(&f);
    parity_fixture_open(&f, cancelling); /* says that it can do so itself */
    parity_fixture_add(&f, "a", "", "cases");
    parity_fixture_add(&f, "b", "", "cases")->fresh = true;
    parity_fixture_run(&f);
    parity_fixture_expect(&f, "b", "value: 2");
    parity_fixture_close(&f);
}
END_TEST

static const struct {
    const char *words[4];
    const char *text;
} bad[] = {
    {{"/nonexistent/worker"},
     "broken absent: the worker did not become ready: cannot start ..."},
    {{"sh", "-c", "echo no luck >&2; exit 7"},
     "broken absent: the worker did not become ready: exited with code 7 (no luck)"},
    {{"sh", "-c", "echo hello"},
     "broken absent: the worker did not become ready: a line that is no..."},
    {{"sh", "-c", "printf '{\"ready\"'"},
     "broken absent: the worker did not become ready: half a l..."},
    {{"sh", "-c", "sleep 100"},
     "broken absent: the worker did not become ready: was not ready with..."},
    {{"sh", "-c", "echo '{\"ready\":{\"protocol\":2,\"engine\":\"x\"}}'; sleep 100"},
     "broken absent: the worker did not become ready: the ready message must say "
     "\"protocol\": 1"},
    {{"sh", "-c", "echo '{\"ready\":{\"protocol\":1,\"engine\":\"x\"}}'"},
     "crash: exited with code 0"},
};

START_TEST(a_worker_that_never_works)
{
    parity_fixture f;
    parity_fixture_open(&f, bad[_i].words);
    f.options.startup = 0.5;
    parity_fixture_add(&f, "a", "", "x");
    parity_fixture_add(&f, "b", "", "x");
    parity_fixture_run(&f);
    parity_fixture_expect(&f, "a", bad[_i].text);
    parity_fixture_expect(&f, "b", bad[_i].text);
    parity_fixture_close(&f);
}
END_TEST

START_TEST(cases_that_are_not_for_the_column)
{
    parity_fixture f;
    parity_fixture_open(&f, worker);
    parity_fixture_add(&f, "skipped", "", "x")->skip = "for a reason";
    parity_fixture_add(&f, "other", "", "x")->program[PARITY_TORCH].text = NULL;
    parity_fixture_add(&f, "it", "", "x");
    parity_fixture_run(&f);
    parity_fixture_expect(&f, "skipped", "absent: for a reason");
    parity_fixture_expect(&f, "other", "absent: the case has no torch program");
    ck_assert(!parity_fixture_find(&f, "other")->ran);
    parity_fixture_expect(&f, "it", "value: x");
    parity_fixture_close(&f);
    parity_fixture_open(&f, worker);
    f.column.absent = "not installed";
    parity_fixture_add(&f, "it", "", "x");
    parity_fixture_run(&f);
    parity_fixture_expect(&f, "it", "absent: not installed");
    ck_assert_uint_eq(parity_fixture_find(&f, "it")->nobserved, 1);
    parity_fixture_close(&f);
}
END_TEST

static void *interrupt(void *context)
{
    (void)context;
    parity_fixture_sleep(0.3);
    kill(getpid(), SIGINT);
    return NULL;
}

static void *run_another(void *context)
{
    parity_fixture_run(context);
    return NULL;
}

START_TEST(runs_may_overlap)
{
    enum { RUNS = 3 };
    parity_fixture f[RUNS];
    pthread_t threads[RUNS];
    struct sigaction before, after;
    sigaction(SIGINT, NULL, &before);
    for (int i = 0; i < RUNS; i++) {
        parity_fixture_open(&f[i], worker);
        f[i].options.deadline = 10;
        parity_fixture_add(&f[i], "it",
                           i == 0   ? "sleep 0.3"
                           : i == 1 ? "sleep 0.1"
                                    : "",
                           "x");
        pthread_create(&threads[i], NULL, run_another, &f[i]);
        parity_fixture_sleep(0.02);
    }
    for (int i = 0; i < RUNS; i++) {
        pthread_join(threads[i], NULL);
        parity_fixture_expect(&f[i], "it", "value: x");
        parity_fixture_close(&f[i]);
    }
    sigaction(SIGINT, NULL, &after);
    ck_assert(before.sa_handler == after.sa_handler);
}
END_TEST

START_TEST(an_interrupt_keeps_what_is_finished)
{
    parity_fixture f;
    pthread_t thread;
    bool interrupted = false;
    parity_fixture_open(&f, worker);
    f.options.deadline = 60;
    f.options.interrupted = &interrupted;
    const char *file = parity_fixture_file(&f);
    char program[256];
    snprintf(program, sizeof program, "pid_to %s\nhang", file);
    parity_fixture_add(&f, "done", "", "x");
    parity_fixture_add(&f, "it", program, "x");
    parity_fixture_add(&f, "left", "", "x");
    pthread_create(&thread, NULL, interrupt, NULL);
    double start = parity_clock();
    parity_fixture_run(&f);
    ck_assert_msg(parity_clock() - start < 5, "took %g s", parity_clock() - start);
    pthread_join(thread, NULL);
    ck_assert(interrupted);
    parity_fixture_expect(&f, "done", "value: x");
    parity_fixture_expect(&f, "it", "absent: interrupted");
    parity_fixture_expect(&f, "left", "absent: interrupted");
    char *pid = parity_fixture_read(file);
    ck_assert(!parity_fixture_alive((pid_t)atoi(pid)));
    free(pid);
    unlink(file);
    parity_fixture_close(&f);
}
END_TEST

static atomic_int inside;

static void alone(void *context, const parity_column *column, size_t done, size_t total)
{
    int *calls = context;
    ck_assert_int_eq(atomic_fetch_add(&inside, 1), 0);
    ck_assert_str_eq(column->id, "fixture/cpu");
    ck_assert_uint_le(done, total);
    (*calls)++;
    atomic_fetch_sub(&inside, 1);
}

START_TEST(columns_run_side_by_side)
{
    enum { COLUMNS = 4, CASES = 20 };
    parity_fixture f;
    int calls = 0;
    parity_column columns[COLUMNS];
    parity_run runs[COLUMNS * CASES];
    const parity_case *list[CASES];
    parity_run_options options = {
        .jobs = _i ? 2 : COLUMNS, .deadline = 5, .progress = alone, .context = &calls};
    memset(runs, 0, sizeof runs);
    parity_fixture_open(&f, worker);
    for (int i = 0; i < COLUMNS; i++)
        columns[i] = f.column;
    columns[1].recorded = true;
    for (int i = 0; i < CASES; i++) {
        char id[16];
        snprintf(id, sizeof id, "%d", i);
        parity_fixture_add(&f, id, i == 7 ? "raise 11" : "", id);
    }
    for (int i = 0; i < CASES; i++)
        list[i] = &f.cases[i];
    ck_assert_int_eq(
        parity_run_cases(runs, list, CASES, columns, COLUMNS, NULL, &options, NULL), 0);
    for (int i = 0; i < CASES * COLUMNS; i++) {
        parity_run *run = &runs[i];
        if (i % COLUMNS == 1)
            ck_assert_ptr_null(run->observed);
        else if (i / COLUMNS == 7)
            ck_assert_str_eq(run->end.text, "SIGSEGV");
        else
            ck_assert_str_eq(run->observed[0].value->text, list[i / COLUMNS]->id);
        parity_run_clear(run);
    }
    ck_assert_int_eq(calls, (COLUMNS - 1) * CASES);
    parity_fixture_close(&f);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("supervisor");
    TCase *tests = tcase_create("supervisor");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, values_arrive_in_order);
    tcase_add_loop_test(tests, an_end_costs_only_its_case, 0, sizeof ends / sizeof *ends);
    tcase_add_test(tests, a_crash_has_its_place_and_stderr);
    tcase_add_test(tests, stderr_is_bounded);
    tcase_add_loop_test(tests, a_hang_is_confirmed, 0, 2);
    tcase_add_test(tests, a_cancelled_worker_lives_on);
    tcase_add_loop_test(tests, a_worker_deaf_to_all_is_killed, 0, 2);
    tcase_add_test(tests, slow_is_no_hang);
    tcase_add_test(tests, fresh_has_a_process_of_its_own);
    tcase_add_loop_test(tests, a_worker_that_never_works, 0, sizeof bad / sizeof *bad);
    tcase_add_test(tests, cases_that_are_not_for_the_column);
    tcase_add_test(tests, runs_may_overlap);
    tcase_add_test(tests, an_interrupt_keeps_what_is_finished);
    tcase_add_loop_test(tests, columns_run_side_by_side, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
