#include "oracles/torch/relay.h"

#include "harness/run/channel.h"
#include "tools/test_main.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What the children of this test do: the program is the name of a deed. */
static int cases; /* that this process has run */

static void deed(const char *name)
{
    if (strcmp(name, "exit") == 0)
        _exit(3);
    if (strcmp(name, "segv") == 0) {
        signal(SIGSEGV, SIG_DFL); /* sanitizers handle it */
        raise(SIGSEGV);
    }
    if (strcmp(name, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(name, "kill once") == 0 && access(getenv("RELAY_MARK"), F_OK) != 0) {
        fclose(fopen(getenv("RELAY_MARK"), "w"));
        kill(getpid(), SIGKILL);
    }
    if (strcmp(name, "hang") == 0)
        for (;;)
            pause();
    if (strcmp(name, "close") == 0)
        for (int fd = 3; fd < 1024; fd++)
            close(fd);
    if (strcmp(name, "garbage") == 0) /* below are the pipes of Check */
        for (int fd = 800; fd < 1024; fd++)
            if (write(fd, "nonsense\n", 9) < 0)
                continue;
    /* The orphan holds the channel while the child is gone. */
    if (strcmp(name, "orphan") == 0 && fork() > 0)
        _exit(4);
    if (strcmp(name, "orphan") == 0)
        sleep(20);
    if (strcmp(name, "fork") == 0)
        fork();
}

static bool run(void *context, const parity_request *request, parity_answer *answer)
{
    (void)context;
    cases++;
    if (request->trace)
        torch_relay_at(request, (parity_pos){2, 1});
    deed(request->program);
    char text[16];
    snprintf(text, sizeof text, "%d", cases);
    for (size_t i = 0; i < request->nobserve; i++) {
        answer->observed[i].kind = PARITY_VALUE;
        answer->observed[i].value = parity_value_new(PARITY_VALUE_INT);
        answer->observed[i].value->text = strdup(text);
    }
    return strcmp(request->program, "leave") != 0;
}

static pid_t plain_fork(void *context)
{
    (void)context;
    return fork();
}

static int to, from;
static pid_t worker;
static parity_lines lines;

static void set_up(void)
{
    int in[2], out[2];
    ck_assert_int_eq(pipe(in), 0);
    ck_assert_int_eq(pipe(out), 0);
    signal(SIGPIPE, SIG_IGN);
    worker = fork();
    if (worker == 0) {
        close(in[1]);
        close(out[0]);
        torch_relay relay = {in[0], out[1], plain_fork, run, NULL};
        _exit(torch_relay_serve(&relay));
    }
    close(in[0]);
    close(out[1]);
    to = in[1];
    from = out[0];
    lines = (parity_lines){0};
}

static int finish(void)
{
    int status = -1;
    if (to >= 0)
        close(to);
    to = -1;
    ck_assert_int_eq(waitpid(worker, &status, 0), worker);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void tear_down(void)
{
    ck_assert_int_eq(finish(), 0);
    close(from);
    parity_lines_free(&lines);
}

static void ask(int id, const char *program, const char *flags)
{
    char line[512];
    int length = snprintf(line, sizeof line,
                          "{\"id\":%d,\"run\":{\"case\":\"t\",\"device\":\"cpu\","
                          "\"program\":\"%s\",\"observe\":[\"x\"]%s}}\n",
                          id, program, flags);
    ck_assert_int_eq(parity_write_all(to, line, (size_t)length), 0);
}

static void expect(const char *wanted)
{
    const char *line;
    size_t length;
    while (!parity_lines_peek(&lines, &line, &length))
        ck_assert_msg(parity_lines_read(&lines, from) > 0, "no answer; wanted %s",
                      wanted);
    ck_assert_msg(length == strlen(wanted) && strncmp(line, wanted, length) == 0,
                  "%.*s; wanted %s", (int)length, line, wanted);
    parity_lines_take(&lines);
}

static void expect_case(int id, int number)
{
    char line[128];
    snprintf(line, sizeof line,
             "{\"id\":%d,\"ends\":{\"value\":null},\"observed\":[{\"value\":{\"int\":\"%"
             "d\"}}]}",
             id, number);
    expect(line);
}

static void expect_crash(int id, const char *text)
{
    char line[256];
    snprintf(line, sizeof line,
             "{\"id\":%d,\"ends\":{\"crash\":{\"text\":\"%s\"}},"
             "\"observed\":[{\"not_reached\":{}}]}",
             id, text);
    expect(line);
}

START_TEST(one_child_serves_many)
{
    for (int i = 1; i <= 3; i++) {
        ask(i, "work", "");
        expect_case(i, i);
    }
}
END_TEST

START_TEST(a_death_costs_its_case)
{
    static const char *const deaths[][2] = {
        {"exit", "exited with code 3"},
        {"segv", "SIGSEGV"},
        {"kill", "SIGKILL"},
        {"orphan", "exited with code 4"},
        {"close", "the program closed the channel of the worker"},
        {"garbage", "the program wrote to the channel of the worker"},
    };
    ask(1, "work", "");
    expect_case(1, 1);
    ask(2, deaths[_i][0], "");
    expect_crash(2, deaths[_i][1]);
    ask(3, "work", "");
    expect_case(3, 1);
}
END_TEST

START_TEST(a_kill_from_outside_is_tried_again)
{
    char mark[] = "/tmp/parity-relay-XXXXXX";
    finish();
    ck_assert_int_ge(mkstemp(mark), 0);
    unlink(mark);
    setenv("RELAY_MARK", mark, 1);
    close(from);
    set_up();
    ask(1, "kill once", "");
    expect_case(1, 1);
    unlink(mark);
}
END_TEST

START_TEST(requests_wait_for_their_turn)
{
    ask(1, "exit", "");
    ask(2, "work", "");
    ask(3, "work", "");
    expect_crash(1, "exited with code 3");
    expect_case(2, 1);
    expect_case(3, 2);
}
END_TEST

START_TEST(fresh_gets_a_process_of_its_own)
{
    ask(1, "work", "");
    expect_case(1, 1);
    ask(2, "work", ",\"fresh\":true");
    expect_case(2, 1);
    ask(3, "work", "");
    expect_case(3, 2);
}
END_TEST

START_TEST(what_cannot_be_undone_ends_the_child)
{
    ask(1, "leave", "");
    expect_case(1, 1);
    ask(2, "work", "");
    expect_case(2, 1);
}
END_TEST

START_TEST(cancel_kills_the_running_case)
{
    ask(1, "hang", "");
    ask(2, "work", "");
    ask(3, "work", "");
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    static const char cancels[] = "{\"cancel\":3}\n{\"cancel\":1}\n{\"cancel\":99}\n";
    ck_assert_int_eq(parity_write_all(to, cancels, sizeof cancels - 1), 0);
    expect("{\"id\":3,\"cancelled\":true}");
    expect("{\"id\":1,\"cancelled\":true}");
    expect_case(2, 1);
}
END_TEST

START_TEST(places_come_before_the_answer)
{
    ask(1, "work", ",\"trace\":true");
    expect("{\"id\":1,\"at\":{\"line\":2,\"column\":1}}");
    expect_case(1, 1);
}
END_TEST

START_TEST(a_forked_copy_does_not_answer)
{
    ask(1, "fork", "");
    expect_case(1, 1);
    ask(2, "work", "");
    expect_case(2, 2);
}
END_TEST

/* What waits is answered after the end of the input, unless nobody reads the answers. */
START_TEST(the_end_of_the_input)
{
    ask(1, "work", "");
    ask(2, "work", "");
    close(to);
    to = -1;
    expect_case(1, 1);
    expect_case(2, 2);
}
END_TEST

START_TEST(nobody_reads)
{
    ask(1, "hang", "");
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    close(from);
    ck_assert_int_eq(finish(), 0);
}
END_TEST

START_TEST(no_request)
{
    static const char line[] = "{\"id\":1}\n";
    ck_assert_int_eq(parity_write_all(to, line, sizeof line - 1), 0);
    ck_assert_int_eq(finish(), 1);
    close(from);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("torch relay");
    TCase *tests = tcase_create("serves");
    tcase_set_timeout(tests, 20);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, one_child_serves_many);
    tcase_add_loop_test(tests, a_death_costs_its_case, 0, 6);
    tcase_add_test(tests, a_kill_from_outside_is_tried_again);
    tcase_add_test(tests, requests_wait_for_their_turn);
    tcase_add_test(tests, fresh_gets_a_process_of_its_own);
    tcase_add_test(tests, what_cannot_be_undone_ends_the_child);
    tcase_add_test(tests, cancel_kills_the_running_case);
    tcase_add_test(tests, places_come_before_the_answer);
    tcase_add_test(tests, a_forked_copy_does_not_answer);
    tcase_add_test(tests, the_end_of_the_input);
    suite_add_tcase(suite, tests);
    TCase *ends = tcase_create("ends");
    tcase_add_checked_fixture(ends, set_up, NULL);
    tcase_add_test(ends, nobody_reads);
    tcase_add_test(ends, no_request);
    suite_add_tcase(suite, ends);
    return suite;
}
