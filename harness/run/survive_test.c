/* What a run must survive, and what it must not leave behind. */
#include "harness/run/process.h"
#include "harness/run/testing/fixture.h"
#include "tools/test_main.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const worker[] = {"parity-test-worker", NULL};

static int count_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

START_TEST(grandchildren_die_with_the_group)
{
    static const char *const then[] = {"exit 0", "hang", "raise 11", ""};
    parity_fixture f;
    char program[256];
    parity_fixture_open(&f, worker);
    const char *file = parity_fixture_file(&f);
    snprintf(program, sizeof program, "fork %s\n%s", file, then[_i]);
    parity_fixture_add(&f, "it", program, "x")->timeout = 1;
    parity_fixture_run(&f);
    char *text = parity_fixture_read(file), *rest = text, *line;
    int count = 0;
    while ((line = strsep(&rest, "\n")) && *line) {
        for (int i = 0; i < 100 && parity_fixture_alive((pid_t)atoi(line)); i++)
            parity_fixture_sleep(
                0.02); /* a kill takes effect when the process is next scheduled */
        ck_assert_msg(!parity_fixture_alive((pid_t)atoi(line)), "process %s is left",
                      line);
        count++;
    }
    ck_assert_msg(count >= 20, "%d processes", count);
    ck_assert_msg(_i == 3 || parity_fixture_find(&f, "it")->end.kind != PARITY_VALUE,
                  "no end");
    free(text);
    unlink(file);
    parity_fixture_close(&f);
}
END_TEST

/* Kills the worker that writes its number to the file at every case, as soon as it has
 * got through one, so that no case is killed twice. */
typedef struct killer {
    const char *file;
    atomic_int stop;
    int kills;
} killer;

/* The process of the last two lines; 0 when they differ. */
static pid_t twice_there(const char *file)
{
    char *text = parity_fixture_read(file), *rest = text, *line;
    long before = 0, last = 0;
    while ((line = strsep(&rest, "\n")) && rest) {
        before = last;
        last = atol(line);
    }
    free(text);
    return before == last ? (pid_t)last : 0;
}

static void *kill_workers(void *context)
{
    killer *k = context;
    while (!atomic_load(&k->stop) && k->kills < 10) {
        pid_t pid = twice_there(k->file);
        if (pid > 1 && kill(pid, SIGKILL) == 0)
            k->kills++;
        parity_fixture_sleep(0.002);
    }
    return NULL;
}

START_TEST(a_kill_from_outside_loses_nothing)
{
    enum { CASES = 300 };
    parity_fixture f;
    char program[256];
    pthread_t thread;
    parity_fixture_open(&f, worker);
    killer k = {.file = parity_fixture_file(&f)};
    snprintf(program, sizeof program, "pid_to %s\nsleep 0.003", k.file);
    for (int i = 0; i < CASES; i++) {
        char id[16];
        snprintf(id, sizeof id, "%d", i);
        parity_fixture_add(&f, id, program, id);
    }
    pthread_create(&thread, NULL, kill_workers, &k);
    parity_fixture_run(&f);
    atomic_store(&k.stop, 1);
    pthread_join(thread, NULL);
    ck_assert_msg(k.kills >= 5, "only %d kills", k.kills);
    for (int i = 0; i < CASES; i++) {
        char id[16], text[32];
        snprintf(id, sizeof id, "%d", i);
        snprintf(text, sizeof text, "value: %s", id);
        parity_fixture_expect(&f, id, text);
    }
    unlink(k.file);
    parity_fixture_close(&f);
}
END_TEST

START_TEST(a_kill_before_ready_loses_nothing)
{
    static const char script[] = "echo x >>\"$1\"; if test $(wc -l <\"$1\") -le 4; then "
                                 "kill -9 $$; fi; exec \"$0\"";
    const char *command[] = {"sh", "-c", script, "parity-test-worker", "file", NULL};
    parity_fixture f;
    parity_fixture_open(&f, command);
    char *kept = parity_strdup(parity_fixture_file(&f));
    parity_fixture_close(&f);
    command[4] = kept;
    parity_fixture_open(&f, command);
    parity_fixture_add(&f, "a", "", "cases");
    parity_fixture_run(&f);
    parity_fixture_expect(&f, "a", "value: 1");
    char *text = parity_fixture_read(kept);
    ck_assert_str_eq(text, "x\nx\nx\nx\nx\n"); /* killed four times */
    free(text);
    unlink(kept);
    free(kept);
    parity_fixture_close(&f);
}
END_TEST

START_TEST(a_death_costs_fifty_milliseconds)
{
    enum { DEATHS = 10 };
    parity_fixture f;
    parity_fixture_open(&f, worker);
    for (int i = 0; i < DEATHS; i++) {
        char id[16];
        snprintf(id, sizeof id, "%d", i);
        parity_fixture_add(&f, id, "raise 9", "");
    }
    double start = parity_clock();
    parity_fixture_run(&f);
    double each = (parity_clock() - start) / (3 * DEATHS);
    ck_assert_msg(each < 0.25, "a death costs %g s",
                  each); /* generous: sanitizers, busy machines */
    parity_fixture_close(&f);
}
END_TEST

START_TEST(nothing_is_left_behind)
{
    int before = count_descriptors();
    for (int i = 0; i < 3; i++) {
        parity_fixture f;
        parity_fixture_open(&f, worker);
        parity_fixture_add(&f, "a", "raise 11", "x");
        parity_fixture_add(&f, "b", "exit 0", "x");
        parity_fixture_add(&f, "c", "hang", "x");
        parity_fixture_run(&f);
        parity_fixture_close(&f);
    }
    ck_assert_int_eq(count_descriptors(), before);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}
END_TEST

/* glibc tells; a sanitizer's allocator keeps what was freed. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MEMORY_IS_TOLD
#endif

#ifdef MEMORY_IS_TOLD
#include <malloc.h>

static size_t bytes_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static struct {
    size_t early, late;
} in_use;

static void measure(void *context, const parity_column *column, size_t done, size_t total)
{
    (void)context;
    (void)column;
    if (done == total / 10)
        in_use.early = bytes_in_use();
    if (done == total)
        in_use.late = bytes_in_use();
}

START_TEST(memory_is_flat_in_the_number_of_cases)
{
    enum { CASES = 5000 };
    parity_fixture f;
    parity_fixture_open(&f, worker);
    f.options.progress = measure;
    for (int i = 0; i < CASES; i++)
        parity_fixture_add(&f, "same", "", "x");
    parity_fixture_run(&f);
    parity_fixture_expect(&f, "same", "value: x");
    size_t outcome = sizeof(parity_outcome) * 2 + sizeof(parity_value) + 100;
    size_t each = (in_use.late - in_use.early) / (CASES * 9 / 10);
    ck_assert_msg(each <= outcome, "%zu bytes a case, more than the %zu of its outcome",
                  each, outcome);
    parity_fixture_close(&f);
}
END_TEST
#endif

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("survive");
    TCase *tests = tcase_create("survive");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, grandchildren_die_with_the_group, 0, 4);
    tcase_add_test(tests, a_kill_from_outside_loses_nothing);
    tcase_add_test(tests, a_kill_before_ready_loses_nothing);
    tcase_add_test(tests, a_death_costs_fifty_milliseconds);
    tcase_add_test(tests, nothing_is_left_behind);
#ifdef MEMORY_IS_TOLD
    tcase_add_test(tests, memory_is_flat_in_the_number_of_cases);
#endif
    suite_add_tcase(suite, tests);
    return suite;
}
