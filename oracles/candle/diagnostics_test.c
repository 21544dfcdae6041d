/* diagnostics and blame: rustc's JSON, and whose fault an error is. The JSON is rustc's
 * own, shortened to the fields that are read. */
#include "harness/base/memory.h"
#include "oracles/candle/blame.h"
#include "tools/test_main.h"

#include <string.h>

#define SPAN(file, line, column, primary, expansion)                                     \
    "{\"file_name\":\"" file "\",\"line_start\":" #line ",\"column_start\":" #column     \
    ",\"is_primary\":" primary ",\"expansion\":" expansion "}"
#define ERROR(code, message, spans, children)                                            \
    "{\"$message_type\":\"diagnostic\",\"message\":\"" message "\",\"code\":" code       \
    ",\"level\":\"error\",\"spans\":[" spans "],\"children\":[" children "],"            \
    "\"rendered\":\"error: " message "\\n --> "                                          \
    "/home/me/.cargo/registry/src/index-1/candle-core-0.11.0/src/tensor.rs:6\"}\n"
#define CODE(text) "{\"code\":\"" text "\",\"explanation\":\"long\"}"

static candle_diagnostics parse(const char *text)
{
    candle_diagnostics all;
    candle_diagnostics_parse(&all, text, strlen(text));
    return all;
}

START_TEST(errors_only)
{
    candle_diagnostics all =
        parse("{\"message\":\"unused\",\"code\":null,\"level\":\"warning\",\"spans\":[],"
              "\"rendered\":"
              "\"w\"}\n" ERROR(
                  CODE("E0382"), "borrow of moved value: `a`\\nmore",
                  SPAN("src/a.rs", 4, 7, "false", "null") "," SPAN("src/a.rs", 7, 18,
                                                                   "true", "null"),
                  "") "not json {\n"
                      "{\"message\":\"aborting due to 1 previous error\",\"code\":null,"
                      "\"level\":\"error\",\"spans\":[],\"rendered\":\"x\"}\n"
                      "{\"message\":\"For more information\",\"code\":null,\"level\":"
                      "\"failure-note\",\"spans\":[],\"rendered\":\"x\"}");
    ck_assert_uint_eq(all.count, 1);
    const candle_diagnostic *d = &all.items[0];
    ck_assert_str_eq(d->code, "E0382");
    ck_assert_str_eq(d->message, "borrow of moved value: `a`");
    ck_assert_uint_eq(d->nspans, 2);
    ck_assert(d->spans[0].primary && !d->spans[1].primary);
    ck_assert_int_eq(d->spans[0].line, 7);
    ck_assert_int_eq(d->spans[0].column, 18);
    ck_assert_str_eq(all.rest, "not json {\n");
    candle_diagnostics_free(&all);
}
END_TEST

START_TEST(spans_lead_out_of_macros)
{
    candle_diagnostics all = parse(ERROR(
        "null", "expected expression",
        SPAN("<bail macros>", 1, 1, "true",
             "{\"span\":" SPAN("src/a.rs", 5, 3, "false", "null") "}"),
        "{\"message\":\"note\",\"spans\":[" SPAN("src/b.rs", 9, 9, "true", "null") "]}"));
    ck_assert_uint_eq(all.count, 1);
    ck_assert_ptr_null(all.items[0].code);
    ck_assert_uint_eq(all.items[0].nspans, 3);
    ck_assert_str_eq(all.items[0].spans[1].file, "src/a.rs");
    ck_assert(all.items[0].spans[1].primary);
    ck_assert(!all.items[0].spans[2].primary);
    candle_diagnostics_free(&all);
}
END_TEST

/* A module of a program of three lines (4 to 6) and two observations (8 to 10, 11 to 13).
 */
static parity_expr exprs[2] = {{.text = "a"}, {.text = "b"}};

static const struct {
    const char *name;
    const char *program;
    const char *said;
    int program_line; /* 0: the program is not refused */
    int program_column;
    size_t observation; /* refused, or PARITY_NONE */
    bool found;
} blame_rows[] = {
    {"in the program", "let a = 1;\nlet b = 2;\nc\n",
     ERROR(CODE("E0425"), "no c", SPAN("src/a.rs", 6, 3, "true", "null"), ""), 3, 1,
     PARITY_NONE, true},
    {"in another module", "let a = 1;\nlet b = 2;\nc\n",
     ERROR(CODE("E0425"), "no c", SPAN("src/b.rs", 6, 3, "true", "null"), ""), 0, 0,
     PARITY_NONE, false},
    {"in an observation", "let a = 1;\nlet b = 2;\nc\n",
     ERROR(CODE("E0425"), "no b", SPAN("src/a.rs", 12, 1, "true", "null"), ""), 0, 0, 1,
     true},
    {"in the program, because of an observation", "let a = 1;\nlet b = 2;\nc\n",
     ERROR(CODE("E0505"), "cannot move",
           SPAN("src/a.rs", 6, 3, "true", "null") "," SPAN("src/a.rs", 9, 1, "false",
                                                           "null"),
           ""),
     0, 0, 0, true},
    {"through a macro", "let a = 1;\nlet b = 2;\nbail!()\n",
     ERROR("null", "bad",
           SPAN("<x macros>", 1, 1, "true",
                "{\"span\":" SPAN("src/a.rs", 6, 3, "false", "null") "}"),
           ""),
     3, 1, PARITY_NONE, true},
    {"in candle, on behalf of the program", "let a = 1;\nlet b = 2;\nc\n",
     ERROR(
         CODE("E0080"), "bad constant",
         SPAN("/home/me/.cargo/registry/src/i/candle/x.rs", 600, 1, "true", "null"),
         "{\"message\":\"note\",\"spans\":[" SPAN("src/a.rs", 5, 7, "true", "null") "]}"),
     2, 5, PARITY_NONE, true},
    {"behind the program", "let a = 1;\nlet b = 2;\nc + \n",
     ERROR("null", "expected expression", SPAN("src/a.rs", 7, 1, "true", "null"), ""), 3,
     4, PARITY_NONE, true},
    {"brackets of the program show in an observation", "let a = (1;\nlet b = 2;\nc\n",
     ERROR("null", "mismatched closing delimiter",
           SPAN("src/a.rs", 12, 1, "true", "null") "," SPAN("src/a.rs", 4, 11, "false",
                                                            "null"),
           ""),
     3, 2, PARITY_NONE, true},
    {"of nobody", "let a = 1;\nlet b = 2;\nc\n", ERROR("null", "linking failed", "", ""),
     0, 0, PARITY_NONE, false},
};

START_TEST(blame)
{
    parity_case test = {.id = "a"};
    candle_module module;
    parity_outcome program = {0}, refused[2] = {{0}, {0}};
    test.program[PARITY_CANDLE].text = blame_rows[_i].program;
    test.observe[PARITY_CANDLE] = exprs;
    test.nobserve[PARITY_CANDLE] = 2;
    candle_generate(&module, &test, NULL, false);
    ck_assert_uint_eq(module.observed[0].first, 8);
    ck_assert_uint_eq(module.observed[1].last, 13);
    candle_diagnostics all = parse(blame_rows[_i].said);
    ck_assert_uint_eq(all.count, 1);

    bool found = candle_blame(&program, refused, &module, &test, &all);
    const char *name = blame_rows[_i].name;
    ck_assert_msg(found == blame_rows[_i].found, "%s", name);
    bool refuses = blame_rows[_i].program_line > 0;
    ck_assert_msg((program.kind == PARITY_REFUSED) == refuses, "%s", name);
    ck_assert_msg(program.pos.line == blame_rows[_i].program_line, "%s: line %d", name,
                  program.pos.line);
    ck_assert_msg(program.pos.column == blame_rows[_i].program_column, "%s: column %d",
                  name, program.pos.column);
    for (size_t i = 0; i < 2; i++)
        ck_assert_msg((refused[i].kind == PARITY_REFUSED) ==
                          (i == blame_rows[_i].observation),
                      "%s: observation %zu", name, i);
    if (refuses) {
        ck_assert_ptr_nonnull(
            strstr(program.detail, ".../candle-core-0.11.0/src/tensor.rs"));
        ck_assert_ptr_null(strstr(program.detail, "/home/me"));
    }
    for (size_t i = 0; i < 2; i++)
        parity_outcome_clear(&refused[i]);
    parity_outcome_clear(&program);
    candle_module_free(&module);
    candle_diagnostics_free(&all);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("candle diagnostics");
    TCase *all = tcase_create("diagnostics");
    tcase_add_test(all, errors_only);
    tcase_add_test(all, spans_lead_out_of_macros);
    tcase_add_loop_test(all, blame, 0, (int)(sizeof blame_rows / sizeof *blame_rows));
    suite_add_tcase(suite, all);
    return suite;
}
