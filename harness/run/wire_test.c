/* Lines, requests and answers, without processes. */
#include "harness/run/channel.h"
#include "harness/run/message.h"
#include "harness/run/process.h"
#include "harness/run/run.h"
#include "harness/run/tail.h"
#include "harness/run/worker.h"
#include "tools/test_main.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

START_TEST(lines_come_in_any_pieces)
{
    static const char text[] = "one\n\nthree is longer\nfou";
    static const char *const lines[] = {"one", "", "three is longer"};
    parity_lines in = {0};
    int ends[2];
    const char *line;
    size_t length, found = 0;
    ck_assert_int_eq(pipe(ends), 0);
    for (size_t at = 0; at < sizeof text - 1; at += (size_t)_i) {
        size_t left = sizeof text - 1 - at;
        size_t count = left < (size_t)_i ? left : (size_t)_i;
        ck_assert_int_eq(parity_write_all(ends[1], text + at, count), 0);
        ck_assert_int_eq(parity_lines_read(&in, ends[0]), (ssize_t)count);
        while (parity_lines_peek(&in, &line, &length)) {
            ck_assert_uint_lt(found, 3);
            ck_assert_uint_eq(length, strlen(lines[found]));
            ck_assert_mem_eq(line, lines[found], length);
            found++;
            parity_lines_take(&in);
        }
    }
    ck_assert_uint_eq(found, 3);
    ck_assert_uint_eq(parity_lines_partial(&in), 3);
    close(ends[1]);
    ck_assert_int_eq(parity_lines_read(&in, ends[0]), 0);
    close(ends[0]);
    parity_lines_free(&in);
}
END_TEST

static const char good_request[] =
    "{\"id\":7,\"run\":{\"case\":\"a/b\",\"device\":\"cpu\",\"program\":\"x = "
    "1\",\"observe\":[\"x\","
    "\"y\"],\"data\":[{\"name\":\"d\",\"dtype\":\"f32\",\"shape\":[1,2],\"bits\":"
    "\"AACAPwAAAEA=\"}],"
    "\"memory\":4294967296,\"trace\":true,\"fresh\":false}}";

START_TEST(a_request_is_read)
{
    parity_request request;
    parity_error error;
    static const float bits[] = {1.0f, 2.0f};
    ck_assert_int_eq(
        parity_request_parse(&request, good_request, strlen(good_request), &error), 0);
    ck_assert_uint_eq(request.id, 7);
    ck_assert_str_eq(request.case_id, "a/b");
    ck_assert_str_eq(request.device, "cpu");
    ck_assert_str_eq(request.program, "x = 1");
    ck_assert_uint_eq(request.nobserve, 2);
    ck_assert_str_eq(request.observe[1], "y");
    ck_assert_uint_eq(request.ndata, 1);
    ck_assert_uint_eq(request.data[0].rank, 2);
    ck_assert_int_eq(request.data[0].shape[1], 2);
    ck_assert_mem_eq(request.data[0].bits, bits, sizeof bits);
    ck_assert_uint_eq(request.memory, (uint64_t)4 << 30);
    ck_assert(request.trace && !request.fresh);
    parity_request_clear(&request);
}
END_TEST

static const struct {
    const char *line;
    const char *message;
} bad_requests[] = {
    {"hello", "a request is not a JSON object: "},
    {"[]", "a request is not a JSON object: "},
    {"{\"id\":1}", "a request needs \"id\" and \"run\""},
    {"{\"id\":-1,\"run\":{}}", "a request needs \"id\" and \"run\""},
    {"{\"id\":1,\"run\":{\"case\":\"a\"}}", "\"run\" needs \"case\" and \"device\""},
    {"{\"id\":1,\"run\":{\"case\":\"a\",\"device\":\"cpu\",\"program\":1}}",
     "\"program\" has a wrong t"},
    {"{\"id\":1,\"run\":{\"case\":\"a\",\"device\":\"cpu\",\"observe\":[1]}}",
     "\"observe\" holds some"},
    {"{\"id\":1,\"run\":{\"case\":\"a\",\"device\":\"cpu\",\"trace\":1}}",
     "\"trace\" has a wrong type"},
    {"{\"id\":1,\"run\":{\"case\":\"a\",\"device\":\"cpu\",\"data\":[{\"name\":\"d\","
     "\"dtype\":\"f31\","
     "\"shape\":[1],\"bits\":\"\"}]}}",
     "data \"d\" has an unknown dtype \"f31\""},
    {"{\"id\":1,\"run\":{\"case\":\"a\",\"device\":\"cpu\",\"data\":[{\"name\":\"d\","
     "\"dtype\":\"f32\","
     "\"shape\":[1],\"bits\":\"AAAA\"}]}}",
     "data \"d\" has 3 bytes"},
    {"{\"id\":1,\"run\":{\"case\":\"a\",\"device\":\"cpu\",\"data\":[{\"name\":\"d\","
     "\"dtype\":\"f32\","
     "\"shape\":[9999999999,9999999999],\"bits\":\"\"}]}}",
     "data \"d\" has an impossible shape"},
};

START_TEST(a_bad_request_is_refused)
{
    parity_request request;
    parity_error error;
    const char *line = bad_requests[_i].line, *message = bad_requests[_i].message;
    ck_assert_int_eq(parity_request_parse(&request, line, strlen(line), &error), -1);
    ck_assert_msg(strncmp(error.message, message, strlen(message)) == 0, "%s",
                  error.message);
    ck_assert_ptr_null(request.json);
}
END_TEST

START_TEST(what_one_side_writes_the_other_reads)
{
    parity_request request;
    parity_answer answer;
    parity_error error;
    parity_run run = {0};
    parity_pos at;
    ck_assert_int_eq(
        parity_request_parse(&request, good_request, strlen(good_request), NULL), 0);
    parity_answer_init(&answer, &request);
    answer.observed[0].kind = PARITY_VALUE;
    answer.observed[0].value = parity_value_new(PARITY_VALUE_TEXT);
    answer.observed[0].value->text = parity_strdup("two\nlines \xE4\xB8\xAD");
    parity_outcome_set(&answer.observed[1], PARITY_PANIC, NULL, "oh", (parity_pos){4, 2});
    char *line = parity_answer_format(&request, &answer);
    ck_assert_ptr_eq(strchr(line, '\n'), line + strlen(line) - 1);
    ck_assert_int_eq(
        parity_message_parse(&run, &at, line, strlen(line) - 1, 7, 2, &error),
        PARITY_MESSAGE_ANSWER);
    ck_assert(run.ran);
    ck_assert_int_eq(run.end.kind, PARITY_VALUE);
    ck_assert_str_eq(run.observed[0].value->text, "two\nlines \xE4\xB8\xAD");
    ck_assert_str_eq(run.observed[1].text, "oh");
    ck_assert_int_eq(run.observed[1].pos.line, 4);
    free(line);
    parity_run_clear(&run);
    answer.cancelled = true;
    line = parity_answer_format(&request, &answer);
    ck_assert_str_eq(line, "{\"id\":7,\"cancelled\":true}\n");
    free(line);
    parity_answer_clear(&answer, &request);
    parity_request_clear(&request);
}
END_TEST

START_TEST(an_answer_too_long_says_so)
{
    parity_request request;
    parity_answer answer;
    ck_assert_int_eq(
        parity_request_parse(&request, good_request, strlen(good_request), NULL), 0);
    parity_answer_init(&answer, &request);
    answer.observed[0].kind = PARITY_VALUE;
    answer.observed[0].value = parity_value_new(PARITY_VALUE_TEXT);
    answer.observed[0].value->text = parity_alloc(PARITY_LINE_LIMIT + 1);
    memset(answer.observed[0].value->text, 'x', PARITY_LINE_LIMIT);
    char *line = parity_answer_format(&request, &answer);
    ck_assert_ptr_nonnull(
        strstr(line, "\"unsupported\":{\"text\":\"the answer is longer than"));
    free(line);
    parity_answer_clear(&answer, &request);
    parity_request_clear(&request);
}
END_TEST

static const struct {
    const char *line;
    const char *message;
} breaches[] = {
    {"tensor([1.])", "a line that is no JSON (column"},
    {"{\"id\":7", "a line that is no JSON (column"},
    {"", "a line that is no JSON (column"},
    {"[7]", "a line that is no JSON object: [7]"},
    {"{\"id\":7,\"id\":7}", "a line that is no JSON (column"},
    {"{\"id\":7,\"x\":\"\xFF\"}", "a line that is no JSON (column"},
    {"{\"ends\":{}}", "a line without \"id\""},
    {"{\"id\":\"7\"}", "a line without \"id\""},
    {"{\"id\":8}", "an answer to request 8 while request 7 ran"},
    {"{\"id\":7}", "an answer without \"ends\" or \"observed\""},
    {"{\"id\":7,\"ends\":{\"value\":null}}",
     "an answer without \"ends\" or \"observed\""},
    {"{\"id\":7,\"ends\":{\"value\":null},\"observed\":[]}",
     "0 observations where 1 were asked for"},
    {"{\"id\":7,\"ends\":{\"value\":{\"unit\":null}},\"observed\":[{\"value\":{\"unit\":"
     "null}}]}",
     "\"ends\" with a value that is not null"},
    {"{\"id\":7,\"ends\":{\"not_reached\":{}},\"observed\":[{\"not_reached\":{}}]}",
     "\"ends\" that was not reached"},
    {"{\"id\":7,\"at\":3}", "\"at\" without a line from 1"},
    {"{\"id\":7,\"at\":{\"line\":-3}}", "\"at\" without a line from 1"},
    {"{\"id\":7,\"at\":{\"line\":4294967297}}", "\"at\" without a line from 1"},
    {"{\"id\":7,\"ends\":{\"value\":null},\"observed\":[{\"value\":null}]}",
     "observation 1 has no value"},
    {"{\"id\":7,\"ends\":{\"value\":null},\"observed\":[{\"colour\":{}}]}",
     "observation 1: "},
    {"{\"id\":7,\"ends\":{\"value\":null},\"observed\":[{\"absent\":{\"text\":\"x\"}}]}",
     "observation 1: "},
    {"{\"id\":7,\"ends\":{\"value\":null},\"observed\":[{\"value\":{\"tensor\":{"
     "\"dtype\":\"f32\","
     "\"shape\":[2],\"host\":true,\"bits\":\"AACAPw==\"}}}]}",
     "observation 1: "},
    {"{\"id\":7,\"ends\":{\"panic\":{\"text\":\"x\"}},\"observed\":[{\"value\":{\"unit\":"
     "null}}]}",
     "observation 1 of a program that did not run through"},
};

START_TEST(a_breach_is_named)
{
    parity_run run = {0};
    parity_pos at;
    parity_error error;
    const char *line = breaches[_i].line, *message = breaches[_i].message;
    ck_assert_int_eq(parity_message_parse(&run, &at, line, strlen(line), 7, 1, &error),
                     PARITY_MESSAGE_BREACH);
    ck_assert_msg(strncmp(error.message, message, strlen(message)) == 0, "%s",
                  error.message);
    ck_assert(!run.ran);
    ck_assert_ptr_null(run.observed);
}
END_TEST

START_TEST(the_tail_is_text)
{
    parity_buffer tail = {0};
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    ck_assert_int_eq(parity_write_all(ends[1], "a\0b\xFF\xE4\xB8\xAD\xE4\xB8", 9), 0);
    ck_assert(parity_tail_read(&tail, ends[0]));
    char *text = parity_tail_text(&tail);
    ck_assert_str_eq(text, "a\xEF\xBF\xBD"
                           "b\xEF\xBF\xBD\xE4\xB8\xAD\xEF\xBF\xBD\xEF\xBF\xBD");
    free(text);
    close(ends[1]);
    ck_assert(!parity_tail_read(&tail, ends[0]));
    close(ends[0]);
    parity_buffer_free(&tail);
}
END_TEST

static const char *setting(char *const *environment, const char *name)
{
    const char *found = NULL;
    for (size_t length = strlen(name); *environment; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') {
            ck_assert_msg(!found, "%s twice", name);
            found = *environment + length + 1;
        }
    return found;
}

START_TEST(the_environment_is_scrubbed)
{
    static const char *const extra[] = {"PYTHONHOME=/somewhere", "TZ=Mars", NULL};
    setenv("PATH", "/a:/b", 1);
    setenv("LANG", "tlh", 1);
    setenv("LC_TIME", "tlh", 1);
    setenv("PATHOLOGY", "x", 1);
    setenv("PARITY_TEST", "y", 1);
    setenv("LD_PRELOAD_", "z", 1);
    setenv("OMP_NUM_THREADS", "8", 1);
    char **environment = parity_environment(extra);
    ck_assert_str_eq(setting(environment, "PATH"), "/a:/b");
    ck_assert_str_eq(setting(environment, "LANG"), "C.UTF-8");
    ck_assert_str_eq(setting(environment, "OMP_NUM_THREADS"), "1");
    ck_assert_str_eq(setting(environment, "PARITY_TEST"), "y");
    ck_assert_str_eq(setting(environment, "PYTHONHOME"), "/somewhere");
    ck_assert_str_eq(setting(environment, "TZ"), "Mars");
    ck_assert_ptr_null(setting(environment, "LC_TIME"));
    ck_assert_ptr_null(setting(environment, "PATHOLOGY"));
    ck_assert_ptr_null(setting(environment, "LD_PRELOAD_"));
    parity_environment_free(environment);
}
END_TEST

START_TEST(statuses_have_names)
{
    static const struct {
        int status;
        const char *text;
    } rows[] = {{0, "exited with code 0"},
                {3 << 8, "exited with code 3"},
                {SIGSEGV, "SIGSEGV"},
                {SIGABRT | 128, "SIGABRT"},
                {34, "signal 34"}};
    char text[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parity_status_text(text, sizeof text, rows[i].status);
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("wire");
    TCase *tests = tcase_create("wire");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, lines_come_in_any_pieces, 1, 24);
    tcase_add_test(tests, a_request_is_read);
    tcase_add_loop_test(tests, a_bad_request_is_refused, 0,
                        sizeof bad_requests / sizeof *bad_requests);
    tcase_add_test(tests, what_one_side_writes_the_other_reads);
    tcase_add_test(tests, an_answer_too_long_says_so);
    tcase_add_loop_test(tests, a_breach_is_named, 0, sizeof breaches / sizeof *breaches);
    tcase_add_test(tests, the_tail_is_text);
    tcase_add_test(tests, the_environment_is_scrubbed);
    tcase_add_test(tests, statuses_have_names);
    suite_add_tcase(suite, tests);
    return suite;
}
