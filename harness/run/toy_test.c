/* An engine written from docs/protocol.md alone, under the supervisor. */
#include "harness/run/testing/fixture.h"
#include "tools/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void open_toy(parity_fixture *f)
{
    char command[4300];
    parity_error error;
    static const char *const none[] = {"true", NULL};
    const char *root = getenv("PARITY_ROOT");
    parity_fixture_open(f, none);
    snprintf(command, sizeof command,
             "toy:torch=python3 '%s/harness/run/testing/toy_engine.py'",
             root ? root : ".");
    ck_assert_int_eq(parity_column_external(&f->column, command, f->arena, &error), 0);
    ck_assert_msg(!f->column.absent, "%s", f->column.absent);
}

static const struct {
    const char *program;
    const char *observe;
    const char *text;
} programs[] = {
    {"a = 3\nb = [a, 4.5, 'five', None, True]", "a b len(b)", "value: 3 ? 5"},
    {"a = 1\nprint('hello')\na = 2", "a", "value: 2"},
    {"a = 1\nb = a / 0\nc = 2", "a", "error: division by zero"},
    {"a = = 1", "a", "error: invalid syntax (case, line 1)"},
    {"b = x[1] + len(x)", "int(b)", "value: 4"},
    {"import os\nos._exit(0)", "a", "crash: exited with code 0"},
    {"import os\nos.abort()", "a", "crash: SIGABRT"},
    {"import os\nos.closerange(0, 3)", "1", "value: 1"},
    {"while True: pass", "a", "hang: did not end within 1.5 s"},
    {"a = 2 ** 70", "a", "value: 1180591620717411303424"},
    {"a = '\\u00e9\\n\\u4e2d'", "a", "value: \xC3\xA9\n\xE4\xB8\xAD"},
};

START_TEST(programs_have_their_outcomes)
{
    enum { COUNT = sizeof programs / sizeof *programs };
    static const float bits[] = {1.0f, 2.0f};
    parity_data data = {"x", PARITY_F32, 1, {2}, bits, sizeof bits, {0, 0}};
    parity_fixture f;
    open_toy(&f);
    for (int i = 0; i < COUNT; i++) {
        char id[16];
        snprintf(id, sizeof id, "%d", i);
        parity_case *test =
            parity_fixture_add(&f, id, programs[i].program, programs[i].observe);
        test->data = &data;
        test->ndata = 1;
    }
    parity_fixture_run(&f);
    for (int i = 0; i < COUNT; i++)
        ck_assert_str_eq(parity_fixture_text(&f, f.cases[i].id), programs[i].text);
    ck_assert_int_eq(f.runs[2].end.pos.line, 2);
    ck_assert_str_eq(f.runs[2].end.type, "ZeroDivisionError");
    ck_assert_str_eq(f.runs[1].diagnostics, "hello\n");
    parity_fixture_close(&f);
}
END_TEST

START_TEST(the_ready_message_describes_the_column)
{
    parity_fixture f;
    open_toy(&f);
    ck_assert_str_eq(f.column.id, "toy/cpu");
    ck_assert_ptr_null(f.column.version);
    ck_assert_uint_eq(f.column.nprovenance, 1);
    ck_assert_str_eq(f.column.provenance[0].name, "python");
    ck_assert_int_eq(f.column.provenance[0].text[0], '3');
    parity_fixture_close(&f);
}
END_TEST

static const struct {
    const char *text;
    const char *message;
} wrong[] = {
    {"toy", "--engine takes NAME:LANGUAGE=COMMAND"},
    {"toy=x", "--engine takes NAME:LANGUAGE=COMMAND"},
    {":torch=x", "--engine takes NAME:LANGUAGE=COMMAND"},
    {"toy:torch=", "--engine takes NAME:LANGUAGE=COMMAND"},
    {"toy:jax=x", "--engine toy:jax=x: the language is torch or candle, not \"jax\""},
    {"a/b:torch=x", "--engine a/b:torch=x: a name has no"},
};

START_TEST(wrong_usage_is_refused)
{
    parity_column column;
    parity_error error;
    parity_arena *arena = parity_arena_new();
    ck_assert_int_eq(parity_column_external(&column, wrong[_i].text, arena, &error), -1);
    ck_assert_msg(strncmp(error.message, wrong[_i].message, strlen(wrong[_i].message)) ==
                      0,
                  "%s", error.message);
    parity_arena_free(arena);
}
END_TEST

START_TEST(a_command_that_is_no_engine_is_absent)
{
    parity_column column;
    parity_error error;
    parity_arena *arena = parity_arena_new();
    ck_assert_int_eq(parity_column_external(&column, "x:candle=echo oh dear >&2; exit 4",
                                            arena, &error),
                     0);
    ck_assert_str_eq(column.absent,
                     "the worker did not become ready: exited with code 4 (oh dear)");
    ck_assert_str_eq(column.id, "x/cpu");
    parity_arena_free(arena);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("toy");
    TCase *tests = tcase_create("toy");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, programs_have_their_outcomes);
    tcase_add_test(tests, the_ready_message_describes_the_column);
    tcase_add_loop_test(tests, wrong_usage_is_refused, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(tests, a_command_that_is_no_engine_is_absent);
    suite_add_tcase(suite, tests);
    return suite;
}
