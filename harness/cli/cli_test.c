/* cli: options and snippets. */
#include "harness/cli/output.h"
#include "harness/cli/snippet.h"
#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int nothing(const cli_options *options)
{
    (void)options;
    return 0;
}

static const cli_command command = {.name = "run",
                                    .arguments = "",
                                    .about = "",
                                    .options = "--column --report -j --strict --deadline",
                                    .run = nothing};
const cli_command *const cli_commands[] = {&command, NULL};

const parity_report *parity_report_find(const char *name)
{
    (void)name;
    return NULL;
}
const parity_report *const parity_reports[] = {NULL};

static int parse(cli_options *options, parity_error *error, const char *line)
{
    static char copy[256]; /* the options point into it */
    char *argv[16];
    int argc = 0;
    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    return cli_parse(options, &command, argc, argv, error);
}

START_TEST(options_are_stored)
{
    cli_options o = {0};
    ck_assert_int_eq(
        parse(&o, NULL,
              "pages/* --column core --column=torch -j4 --strict --deadline 1.5 -- -x"),
        0);
    ck_assert_uint_eq(o.patterns.count, 2);
    ck_assert_str_eq(o.patterns.items[0], "pages/*");
    ck_assert_str_eq(o.patterns.items[1], "-x");
    ck_assert_uint_eq(o.columns.count, 2);
    ck_assert_str_eq(o.columns.items[1], "torch");
    ck_assert_int_eq(o.jobs, 4);
    ck_assert(o.strict);
    ck_assert(o.deadline == 1.5);
    cli_options_free(&o);
}
END_TEST

static const struct {
    const char *line;
    const char *says;
} wrong[] = {
    {"--colum core", "did you mean --column"},
    {"--lang zh", "unknown option --lang"},
    {"--column", "needs a value"},
    {"--strict=1", "takes no value"},
    {"-j 0", "a number from 1"},
    {"-j 2x", "a number from 1"},
    {"--deadline nan", "takes seconds"},
    {"--deadline -1", "takes seconds"},
    {"--zzzzzzzzzzz", "see parity run --help"},
};

START_TEST(wrong_options_say_what_to_do)
{
    cli_options o = {0};
    parity_error error = {0};
    ck_assert_int_eq(parse(&o, &error, wrong[_i].line), -1);
    ck_assert_msg(strstr(error.message, wrong[_i].says) != NULL, "%s: %s", wrong[_i].line,
                  error.message);
    cli_options_free(&o);
}
END_TEST

static const struct {
    const char *torch, *candle;
    const char *has[3];
} snippets[] = {
    {"x = torch.ones(2)\nx * 2",
     "let x = Tensor::ones(2, DType::F32, &dev)?; (x * 2.0)?",
     {"  x = torch.ones(2)\n  it = x * 2\n",
      "  let x = Tensor::ones(2, DType::F32, &dev)?; let it = (x * 2.0)?;\n",
      "candle: '{it}'"}},
    {"torch.full((2,), fill_value=1.0)",
     NULL,
     {"  it = torch.full((2,), fill_value=1.0)\n", "torch: '{it}'", NULL}},
    {NULL,
     "let s = \"a;b\"; s.len()",
     {"let s = \"a;b\"; let it = s.len();\n", NULL, NULL}},
    {NULL,
     "let x = 1;\nx\n  + 1",
     {"  let x = 1;\n  let it = x\n    + 1;\n", NULL, NULL}},
    {"x = 1", NULL, {"torch: |2\n  x = 1\n", NULL, NULL}},
    {"a == b", NULL, {"  it = a == b\n", NULL, NULL}},
};

START_TEST(last_expression_is_observed)
{
    parity_buffer out = {0};
    cli_list rows = {0};
    snippet_case(&out, snippets[_i].torch, snippets[_i].candle, &rows);
    for (int i = 0; i < 3 && snippets[_i].has[i]; i++)
        ck_assert_msg(strstr(out.data, snippets[_i].has[i]) != NULL, "'%s' is not in\n%s",
                      snippets[_i].has[i], out.data);
    parity_buffer_free(&out);
}
END_TEST

START_TEST(rows_split_at_the_bar)
{
    parity_buffer out = {0};
    const char *items[] = {"x['a'] | x || y"};
    cli_list rows = {items, 1, 1};
    snippet_case(&out, "x", "x", &rows);
    ck_assert(strstr(out.data, "torch: '{x[''a'']}'") != NULL);
    ck_assert(strstr(out.data, "candle: '{x || y}'") != NULL);
    parity_buffer_free(&out);
}
END_TEST

START_TEST(a_row_in_braces_is_not_wrapped_again)
{
    parity_buffer out = {0};
    const char *items[] = {"{x} | {x} {y}"};
    cli_list rows = {items, 1, 1};
    snippet_case(&out, "x", "x", &rows);
    ck_assert(strstr(out.data, "torch: '{x}'\n") != NULL);
    ck_assert(strstr(out.data, "candle: '{x} {y}'\n") != NULL);
    parity_buffer_free(&out);
}
END_TEST

static void expect_text(const char *path, const char *text)
{
    char found[16] = "";
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(found, 1, sizeof found - 1, file), strlen(text));
    fclose(file);
    ck_assert_str_eq(found, text);
}

/* A rename asks the folder alone; so the file itself has to be asked. Root may write to
 * every file, hence somebody else. */
START_TEST(a_read_only_file_stays)
{
    char folder[] = "/tmp/parity-cli-XXXXXX", path[64];
    parity_error error;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chmod(folder, 0777), 0);
    snprintf(path, sizeof path, "%s/page.md", folder);
    uid_t me = geteuid();
    ck_assert_int_eq(me ? 0 : seteuid(65534), 0);
    ck_assert_int_eq(output_write(path, "old", 3, &error), 0);
    ck_assert_int_eq(chmod(path, 0444), 0);
    ck_assert_int_ne(output_write(path, "new", 3, &error), 0);
    ck_assert_ptr_nonnull(strstr(error.message, "page.md cannot be written: Permission"));
    expect_text(path, "old");
    ck_assert_int_eq(chmod(path, 0640), 0);
    ck_assert_int_eq(output_write(path, "new", 3, &error), 0);
    expect_text(path, "new");
    ck_assert_int_eq(me ? 0 : seteuid(me), 0);
    ck_assert_int_eq(remove(path), 0);
    ck_assert_int_eq(rmdir(folder), 0); /* fails where another file was left */
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("cli");
    TCase *all = tcase_create("cli");
    tcase_add_test(all, options_are_stored);
    tcase_add_loop_test(all, wrong_options_say_what_to_do, 0,
                        sizeof wrong / sizeof *wrong);
    tcase_add_loop_test(all, last_expression_is_observed, 0,
                        sizeof snippets / sizeof *snippets);
    tcase_add_test(all, rows_split_at_the_bar);
    tcase_add_test(all, a_row_in_braces_is_not_wrapped_again);
    tcase_add_test(all, a_read_only_file_stays);
    suite_add_tcase(suite, all);
    return suite;
}
