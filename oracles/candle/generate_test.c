/* generate: the module of a case, and the way back from its places to those of the
 * program. */
#include "oracles/candle/generate.h"
#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>

static parity_expr exprs[4];

static parity_case a_case(const char *id, const char *program, size_t nobserve)
{
    parity_case test = {.id = id};
    test.program[PARITY_CANDLE].text = program;
    test.observe[PARITY_CANDLE] = exprs;
    test.nobserve[PARITY_CANDLE] = nobserve;
    return test;
}

static const char *line_of(const char *text, int number)
{
    static char line[512];
    while (--number > 0)
        text = strchr(text, '\n') + 1;
    size_t length = strcspn(text, "\n");
    ck_assert_uint_lt(length, sizeof line);
    memcpy(line, text, length);
    line[length] = '\0';
    return line;
}

START_TEST(places_of_the_page)
{
    exprs[0].text = "a";
    exprs[1].text = "a // the last";
    parity_case test = a_case("pages/moved", "let a = 1;\n\n  f(a);", 2);
    candle_module module;
    candle_generate(&module, &test, NULL, false);
    ck_assert_str_eq(module.name, "pages.moved.rs");
    ck_assert_str_eq(line_of(module.text, 2), "");
    ck_assert_ptr_nonnull(strstr(line_of(module.text, 3), "fn main() -> Result<()> {"));
    ck_assert_str_eq(line_of(module.text, 4), "  let a = 1;");
    ck_assert_str_eq(line_of(module.text, 5), "");
    ck_assert_str_eq(line_of(module.text, 6), "    f(a);");
    ck_assert_uint_eq(module.lines, 3);

    parity_pos pos;
    size_t observation;
    ck_assert_int_eq(candle_locate(&module, 6, 7, &pos, &observation), CANDLE_PROGRAM);
    ck_assert_int_eq(pos.line, 3);
    ck_assert_int_eq(pos.column, 5);
    ck_assert_int_eq(candle_locate(&module, 3, 1, &pos, &observation), CANDLE_GENERATED);
    ck_assert_int_eq(candle_locate(&module, 7, 1, &pos, &observation), CANDLE_GENERATED);
    size_t line = module.observed[1].first;
    ck_assert_str_eq(line_of(module.text, (int)line + 1), "a // the last");
    ck_assert_int_eq(candle_locate(&module, (int)line + 1, 1, &pos, &observation),
                     CANDLE_OBSERVATION);
    ck_assert_uint_eq(observation, 1);
    pos = candle_program_end(&test);
    ck_assert_int_eq(pos.line, 3);
    ck_assert_int_eq(pos.column, 8);
    candle_module_free(&module);
}
END_TEST

START_TEST(strings_stay_as_they_are)
{
    parity_case test = a_case("s", "let s = \"x\ny\";\nlet t = 1;\n", 0);
    candle_module module;
    parity_pos pos;
    size_t observation;
    candle_generate(&module, &test, NULL, false);
    ck_assert_str_eq(line_of(module.text, 5), "y\";");
    ck_assert_str_eq(line_of(module.text, 6), "  let t = 1;");
    candle_locate(&module, 5, 2, &pos, &observation);
    ck_assert_int_eq(pos.column, 2);
    ck_assert_ptr_nonnull(strstr(module.text, "unindented: &[2, ]"));
    candle_module_free(&module);
}
END_TEST

START_TEST(last_ok_is_said_once)
{
    exprs[0].text = "a";
    parity_case test = a_case("ok", "let a = 1;\nOk(())\n", 1);
    candle_module module;
    candle_generate(&module, &test, NULL, false);
    ck_assert_uint_eq(module.lines, 2);
    ck_assert_str_eq(line_of(module.text, 5), "");
    const char *ok = strstr(module.text, "Ok(())");
    ck_assert_ptr_nonnull(ok);
    ck_assert_ptr_null(strstr(ok + 1, "Ok(())"));
    ck_assert(ok > strstr(module.text, "::parity::observe(0"));
    candle_module_free(&module);
}
END_TEST

START_TEST(refused_observations_answer_themselves)
{
    exprs[0].text = "a";
    exprs[1].text = "f(a";
    parity_case test = a_case("r", "let a = 1;", 2);
    parity_outcome refused[2] = {{0}, {0}};
    candle_module module;
    parity_outcome_set(&refused[0], PARITY_REFUSED, "E0425", "no \"a\"\n",
                       (parity_pos){0, 0});
    candle_generate(&module, &test, refused, false);
    ck_assert_ptr_nonnull(strstr(
        module.text, "::parity::refused(0, \"E0425\", \"no \\\"a\\\"\\x0a\", \"\");"));
    ck_assert_ptr_nonnull(strstr(module.text,
                                 "::parity::refused(1, \"error\", \"a bracket is "
                                 "not closed\", \"f(a\");"));
    ck_assert_ptr_null(strstr(module.text, "::parity::observe("));
    candle_module_free(&module);
    parity_outcome_clear(&refused[0]);
}
END_TEST

START_TEST(trace_moves_no_statement)
{
    parity_case test =
        a_case("t", "let a = 1; // one\nfor i in 0..2 {\n  f();\n}\ng();\n", 0);
    candle_module module;
    candle_generate(&module, &test, NULL, true);
    ck_assert_ptr_nonnull(strstr(line_of(module.text, 3), "::parity::at(1, 1);"));
    ck_assert_str_eq(line_of(module.text, 4), "  let a = 1; ::parity::at(2, 1); // one");
    ck_assert_str_eq(line_of(module.text, 5), "  for i in 0..2 {");
    ck_assert_str_eq(line_of(module.text, 7), "  } ::parity::at(5, 1);");
    ck_assert_str_eq(line_of(module.text, 8), "  g();");
    candle_module_free(&module);
}
END_TEST

START_TEST(names_of_files_differ)
{
    static const char *const ids[] = {"a/b", "a.b", "a[b]", "a(b)", "a-b", "a/[b]"};
    char *names[6];
    for (size_t i = 0; i < 6; i++) {
        parity_case test = a_case(ids[i], "", 0);
        candle_module module;
        candle_generate(&module, &test, NULL, false);
        ck_assert_ptr_null(strpbrk(module.name, "/[]()\"\\"));
        names[i] = strdup(module.name);
        for (size_t k = 0; k < i; k++)
            ck_assert_str_ne(names[k], names[i]);
        candle_module_free(&module);
    }
    for (size_t i = 0; i < 6; i++)
        free(names[i]);
}
END_TEST

START_TEST(data_is_bound)
{
    parity_data data = {.name = "x"};
    parity_case test = a_case("d", "", 0);
    test.data = &data;
    test.ndata = 1;
    candle_module module;
    candle_generate(&module, &test, NULL, false);
    ck_assert_ptr_nonnull(
        strstr(line_of(module.text, 3), "let x = ::parity::data(\"x\");"));
    candle_module_free(&module);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("candle generate");
    TCase *all = tcase_create("generate");
    tcase_add_test(all, places_of_the_page);
    tcase_add_test(all, strings_stay_as_they_are);
    tcase_add_test(all, last_ok_is_said_once);
    tcase_add_test(all, refused_observations_answer_themselves);
    tcase_add_test(all, trace_moves_no_statement);
    tcase_add_test(all, names_of_files_differ);
    tcase_add_test(all, data_is_bound);
    suite_add_tcase(suite, all);
    return suite;
}
