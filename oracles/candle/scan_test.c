/* scan: what is code and what is not, and where statements begin. */
#include "oracles/candle/scan.h"
#include "tools/test_main.h"

#include <string.h>

static const struct {
    const char *name;
    const char *text;
    const char *tokens; /* W word, T text, ( open, ) close, P other, U unended */
} token_rows[] = {
    {"words and brackets", "let a = (1.5, [x]);", "WWP(WPWP(W))P"},
    {"comments vanish", "a // b \"\n /* c /* d */ e */ f", "WW"},
    {"strings", "\"a\\\"b\" b\"c\" c\"d\" 'e' '\\'' b'\\n'", "TTTTTT"},
    {"raw strings", "r\"a\\\" r#\"b\"c\"# br##\"\"#\"##", "TTT"},
    {"raw identifier", "r#type", "WPW"},
    {"lifetimes", "'a: loop { break 'a; }", "PWPW(WPWP)"},
    {"character of several bytes", "'é' 'x", "TPW"},
    {"string without end", "a \"b", "WU"},
    {"comment without end", "a /* /* */", "WU"},
    {"raw string without end", "r#\"a\"", "U"},
};

START_TEST(tokens)
{
    candle_scanner s = {token_rows[_i].text, strlen(token_rows[_i].text), 0};
    char seen[64] = "";
    for (candle_token t = candle_scan(&s); t.kind != CANDLE_END; t = candle_scan(&s)) {
        static const char letters[] = {
            [CANDLE_WORD] = 'W',  [CANDLE_TEXT] = 'T',  [CANDLE_OPEN] = '(',
            [CANDLE_CLOSE] = ')', [CANDLE_PUNCT] = 'P', [CANDLE_UNENDED] = 'U'};
        size_t length = strlen(seen);
        ck_assert_uint_lt(length, sizeof seen - 1);
        seen[length] = letters[t.kind];
        if (t.kind == CANDLE_UNENDED)
            break;
    }
    ck_assert_msg(strcmp(seen, token_rows[_i].tokens) == 0, "%s: %s, not %s",
                  token_rows[_i].name, seen, token_rows[_i].tokens);
}
END_TEST

static const struct {
    const char *expression;
    const char *why; /* part of the answer, or NULL: balanced */
} balance_rows[] = {
    {"vars[\"lin.weight\"]", NULL},
    {"f(&[1, 2], || { x })", NULL},
    {"\")\"", NULL},
    {"x // )", NULL},
    {"f(x", "not closed"},
    {"f(x))", "not opened"},
    {"f(x]", "not opened"},
    {"\"x", "does not end"},
};

START_TEST(balance)
{
    const char *why = candle_unbalanced(balance_rows[_i].expression);
    if (!balance_rows[_i].why)
        ck_assert_msg(why == NULL, "%s: %s", balance_rows[_i].expression, why);
    else
        ck_assert_msg(why && strstr(why, balance_rows[_i].why), "%s: %s",
                      balance_rows[_i].expression, why ? why : "balanced");
}
END_TEST

START_TEST(lines_in_strings)
{
    static const char text[] = "let a = \"x\ny\"; /* z\nz */\nlet b = r#\"\n\n\"#;\nc\n";
    candle_list lines = {0};
    candle_lines_in_strings(&lines, text);
    ck_assert_uint_eq(lines.count, 3);
    ck_assert_uint_eq(lines.items[0], 2);
    ck_assert_uint_eq(lines.items[1], 5);
    ck_assert_uint_eq(lines.items[2], 6);
    candle_list_free(&lines);
}
END_TEST

static const struct {
    const char *text; /* | marks where a statement must begin; no program below has one */
} statement_rows[] = {
    {"|let a = 1; |let b = S { c: 2 };\n|f();"},
    {"|for i in 0..2 { g(); }\n|let c = if a { 1 } else { 2 };\n|c"},
    {"|if a { 1 } else if b { 2 } else { 3 }\n|match x { _ => 1 }.to_string();\n|d"},
    {"|struct S { a: u8 }\n|impl S { fn f(&self) {} }\n|#[derive(Debug)] struct "
     "T;\n|h()"},
    {"|use a::{b, c};\n|unsafe { f() }\n|{ g() }\n|fn f() -> [u8; 2] { [1, 2] }\n|x"},
    {"|let s = \"; }\"; // ; }\n|/* ; */ let t = ';';"},
    {"|loop { break; }\n|while x { y(); }\n|a.b(c; d"},
};

START_TEST(statements)
{
    char text[256];
    size_t expected[16], count = 0, length = 0;
    for (const char *p = statement_rows[_i].text; *p; p++) {
        if (*p == '|')
            expected[count++] = length;
        else
            text[length++] = *p;
    }
    text[length] = '\0';
    candle_list starts = {0}, ends = {0};
    candle_statements(&starts, &ends, text);
    ck_assert_uint_eq(ends.count + 1 >= starts.count, 1);
    for (size_t i = 0; i < starts.count && i < count; i++) {
        size_t start = expected[i] + strspn(text + expected[i], " \n");
        if (strncmp(text + start, "/*", 2) == 0)
            start = (size_t)(strstr(text + start, "*/ ") - text) + 3;
        ck_assert_msg(starts.items[i] == start, "row %d, statement %zu: %s", _i, i,
                      text + starts.items[i]);
        if (i > 0)
            ck_assert(strchr(";}", text[ends.items[i - 1] - 1]) != NULL);
    }
    ck_assert_uint_eq(starts.count, count);
    candle_list_free(&starts);
    candle_list_free(&ends);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("candle scan");
    TCase *all = tcase_create("scan");
    tcase_add_loop_test(all, tokens, 0, ROWS(token_rows));
    tcase_add_loop_test(all, balance, 0, ROWS(balance_rows));
    tcase_add_test(all, lines_in_strings);
    tcase_add_loop_test(all, statements, 0, ROWS(statement_rows));
    suite_add_tcase(suite, all);
    return suite;
}
