/* Every fault of parity-faulty must come out as the right outcome, and all other cases as
 * they do without it. */
#include "harness/run/faulty/fault.h"
#include "harness/run/testing/fixture.h"
#include "tools/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVERYWHERE = -2, NOWHERE = -1 };

static const struct {
    const char *fault;
    const char *text; /* how the outcome begins */
    int changed; /* the observation that differs from a sound run; or one of the above */
} expected[] = {
    {"wrong_bit", "value", 0},
    {"wrong_shape", "value", 0},
    {"wrong_storage", "value",
     1}, /* numbers count by first appearance: the second is another now */
    {"wrong_id", "value", 2},
    {"short_bits", "broken crash: broke the protocol: observation 1: ", NOWHERE},
    {"extra_row", "broken crash: broke the protocol: 5 observations where 4 were",
     NOWHERE},
    {"missing_row", "broken crash: broke the protocol: 3 observations where 4", NOWHERE},
    {"wrong_request", "broken crash: broke the protocol: an answer to request ", NOWHERE},
    {"garbage_line", "broken crash: broke the protocol: a line that is no JSON", NOWHERE},
    {"unasked_line", "broken crash: broke the protocol: output after the answer",
     NOWHERE},
    {"half_line", "broken crash: broke the protocol: half a line (", NOWHERE},
    {"half_line_stall", "broken crash: broke the protocol: half a line (", NOWHERE},
    {"stale_answer", "broken crash: broke the protocol: an answer to request ", NOWHERE},
    {"endless_output", "broken crash: broke the protocol: a line longer than 64 MiB",
     NOWHERE},
    {"slow_line", "hang: did not end within 1.5 s", NOWHERE},
    {"stall", "hang: did not end within 1.5 s", NOWHERE},
    {"closed_pipe", "crash: closed its output", NOWHERE},
    {"exit", "crash: exited with code 3", NOWHERE},
    {"exit_0", "crash: exited with code 0", NOWHERE},
    {"sigsegv", "crash: SIGSEGV", NOWHERE},
    {"dead_start", "broken absent: the worker did not become ready: exited with code 3",
     EVERYWHERE},
    {"silent_start",
     "broken absent: the worker did not become ready: was not ready within 0.5 s",
     EVERYWHERE},
    {"wrong_ready",
     "broken absent: the worker did not become ready: the first line must be the",
     EVERYWHERE},
};

static const float bits[] = {1.0f, 2.0f};
static const parity_data data = {"x", PARITY_F32, 2, {1, 2}, bits, sizeof bits, {0, 0}};

static void run_cases(parity_fixture *f, const char *fault)
{
    const char *sound[] = {"parity-test-worker", NULL};
    const char *faulty[] = {"parity-faulty",      fault, "--case", "it", "--",
                            "parity-test-worker", NULL};
    static const char *const ids[] = {"first", "before", "it", "after", "last"};
    parity_fixture_open(f, fault ? faulty : sound);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        parity_case *test =
            parity_fixture_add(f, ids[i], "print hello", "data data id x");
        test->data = (parity_data *)&data;
        test->ndata = 1;
    }
    f->options.startup = 0.5;
    parity_fixture_run(f);
}

static char *json_of(const parity_outcome *outcome)
{
    json_t *json = parity_outcome_to_json(outcome);
    char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(json);
    return text;
}

/* The index of the first observation that differs, or NOWHERE. */
static int first_difference(const parity_run *left, const parity_run *right)
{
    int found = NOWHERE;
    ck_assert_uint_eq(left->nobserved, right->nobserved);
    for (size_t i = 0; found == NOWHERE && i < left->nobserved; i++) {
        char *a = json_of(&left->observed[i]), *b = json_of(&right->observed[i]);
        if (strcmp(a, b) != 0)
            found = (int)i;
        free(a);
        free(b);
    }
    return found;
}

static size_t expectation_of(const char *fault)
{
    size_t i = 0;
    while (i < sizeof expected / sizeof *expected &&
           strcmp(expected[i].fault, fault) != 0)
        i++;
    ck_assert_msg(i < sizeof expected / sizeof *expected, "what must %s come out as?",
                  fault);
    return i;
}

START_TEST(each_fault_has_its_outcome)
{
    parity_fixture sound, spoiled;
    const parity_fault *fault = &parity_faults[_i];
    size_t e = expectation_of(fault->name);
    run_cases(&sound, NULL);
    run_cases(&spoiled, fault->name);
    for (size_t i = 0; i < sound.ncases; i++) {
        const char *id = sound.cases[i].id;
        const char *text = parity_fixture_text(&spoiled, id);
        bool hit = expected[e].changed == EVERYWHERE || strcmp(id, "it") == 0;
        const char *wanted = hit ? expected[e].text : "value: ? ? 1 x";
        ck_assert_msg(strncmp(text, wanted, strlen(wanted)) == 0, "%s at %s: %s",
                      fault->name, id, text);
        int changed = first_difference(&sound.runs[i], &spoiled.runs[i]);
        if (!hit)
            ck_assert_msg(changed == NOWHERE, "%s changed %s", fault->name, id);
        else if (expected[e].changed >= 0)
            ck_assert_msg(changed == expected[e].changed, "%s changed observation %d",
                          fault->name, changed);
    }
    parity_fixture_close(&sound);
    parity_fixture_close(&spoiled);
}
END_TEST

START_TEST(the_list_names_every_fault)
{
    char command[4200], line[256];
    parity_fixture f;
    static const char *const none[] = {"true", NULL};
    parity_fixture_open(&f, none);
    snprintf(command, sizeof command, "%s --list",
             parity_fixture_program(&f, "parity-faulty"));
    FILE *list = popen(command, "re");
    ck_assert_ptr_nonnull(list);
    for (const parity_fault *fault = parity_faults; fault->name; fault++) {
        ck_assert_ptr_nonnull(fgets(line, sizeof line, list));
        ck_assert_msg(strncmp(line, fault->name, strlen(fault->name)) == 0, "%s", line);
        ck_assert_ptr_nonnull(strstr(line, fault->about));
    }
    ck_assert_ptr_null(fgets(line, sizeof line, list));
    ck_assert_int_eq(pclose(list), 0);
    parity_fixture_close(&f);
}
END_TEST

Suite *parity_test_suite(void)
{
    int count = 0;
    Suite *suite = suite_create("faulty");
    TCase *tests = tcase_create("faulty");
    while (parity_faults[count].name)
        count++;
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, each_fault_has_its_outcome, 0, count);
    tcase_add_test(tests, the_list_names_every_fault);
    suite_add_tcase(suite, tests);
    return suite;
}
