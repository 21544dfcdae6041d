#include "oracles/torch/config.h"

#include "harness/model/engine.h"
#include "tools/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern const parity_engine parity_engine_torch;

static char root[64];
static char python[128], build[128];
static parity_arena *arena;
static parity_column *columns;
static size_t count;

/* An environment with torch and a build directory, as far as the row looks at them. */
static void make(const char *command)
{
    char text[2048];
    snprintf(text, sizeof text, "cd '%s' && %s", root, command);
    ck_assert_int_eq(system(text), 0);
}

static void set_up(void)
{
    strcpy(root, "/tmp/parity-engine-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(python, sizeof python, "%s/env/bin/python", root);
    snprintf(build, sizeof build, "%s/build", root);
    make("mkdir -p env/bin env/lib/python3.11/site-packages/torch build/oracles/torch");
    make("touch env/bin/python build/" PARITY_TORCH_WORKER);
    make("chmod +x env/bin/python build/" PARITY_TORCH_WORKER);
    make("echo \"__version__ = '2.15.0+cu132'\" >"
         "env/lib/python3.11/site-packages/torch/version.py");
    arena = parity_arena_new();
    columns = NULL;
    count = 0;
}

static void tear_down(void)
{
    make("cd / && rm -rf \"$OLDPWD\"");
    free(columns);
    parity_arena_free(arena);
}

static parity_column *look(const char *interpreter)
{
    parity_error error;
    parity_paths paths = {.root = root, .build = build, .python = interpreter};
    ck_assert_int_eq(parity_engine_torch.columns(&columns, &count, &paths, arena, &error),
                     0);
    return &columns[count - 1];
}

START_TEST(names_the_version_without_its_build)
{
    parity_column *column = look(python);
    if (PARITY_TORCH_ABSENT[0]) {
        ck_assert_str_eq(column->absent, PARITY_TORCH_ABSENT);
        return;
    }
    ck_assert_ptr_null(column->absent);
    ck_assert_str_eq(column->id, "torch@2.15.0/cpu");
    ck_assert_str_eq(column->version, "2.15.0");
    ck_assert_str_eq(column->provenance[0].name, "torch");
    ck_assert_str_eq(column->provenance[0].text, "2.15.0+cu132");
    ck_assert_str_eq(column->provenance[1].name, "python");
    ck_assert_str_eq(column->provenance[1].text, "3.11");
}
END_TEST

START_TEST(says_why_it_is_absent)
{
    static const struct {
        const char *command, *word;
    } faults[] = {
        {"rm env/bin/python", "can be run"},
        {"rm -r env/lib", "has no torch"},
        {"rm build/" PARITY_TORCH_WORKER, "not built"},
    };
    make(faults[_i].command);
    parity_column *column = look(python);
    ck_assert_ptr_nonnull(column->absent);
    if (!PARITY_TORCH_ABSENT[0])
        ck_assert_msg(strstr(column->absent, faults[_i].word) != NULL, "%s",
                      column->absent);
}
END_TEST

START_TEST(absent_without_an_interpreter)
{
    parity_column *column = look(NULL);
    ck_assert_ptr_nonnull(column->absent);
    ck_assert_str_eq(column->id, "torch/cpu");
    ck_assert_ptr_null(column->version);
}
END_TEST

START_TEST(appends_its_column)
{
    look(python);
    parity_column *second = look(NULL);
    ck_assert_uint_eq(count, 2);
    ck_assert_ptr_eq(second->engine, &parity_engine_torch);
    ck_assert_ptr_eq(columns[0].engine, &parity_engine_torch);
}
END_TEST

START_TEST(starts_its_worker_with_the_interpreter)
{
    parity_error error;
    parity_worker worker = {0};
    parity_paths paths = {.root = root, .build = build, .python = python};
    ck_assert_int_eq(
        parity_engine_torch.worker(&worker, look(python), &paths, arena, &error), 0);
    ck_assert_int_eq(strncmp(worker.argv[0], build, strlen(build)), 0);
    ck_assert_str_eq(worker.argv[0] + strlen(build), "/" PARITY_TORCH_WORKER);
    ck_assert_str_eq(worker.argv[1], python);
    ck_assert_ptr_null(worker.argv[2]);
    size_t settings = 0;
    while (worker.env[settings])
        ck_assert_ptr_nonnull(strchr(worker.env[settings++], '='));
    ck_assert_uint_gt(settings, 0);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("torch engine");
    TCase *tests = tcase_create("row");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, names_the_version_without_its_build);
    tcase_add_loop_test(tests, says_why_it_is_absent, 0, 3);
    tcase_add_test(tests, absent_without_an_interpreter);
    tcase_add_test(tests, appends_its_column);
    tcase_add_test(tests, starts_its_worker_with_the_interpreter);
    suite_add_tcase(suite, tests);
    return suite;
}
