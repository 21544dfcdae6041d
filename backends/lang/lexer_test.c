#include "backends/lang/lexer.h"
#include "tools/test_main.h"

#include <string.h>

static parity_arena *arena;
static lang_interner *names;

static void setup(void)
{
    arena = parity_arena_new();
    names = lang_interner_new(arena);
}

static void teardown(void)
{
    parity_arena_free(arena);
}

static lang_tokens lex(const char *text)
{
    return lang_lex(arena, names, text);
}

static const lang_token *only(const char *text)
{
    lang_tokens tokens = lex(text);
    ck_assert_msg(tokens.count == 2, "%s gives %zu tokens", text, tokens.count - 1);
    ck_assert_int_eq(tokens.items[1].kind, LANG_END);
    return &tokens.items[0];
}

START_TEST(numbers)
{
    static const struct {
        const char *text;
        lang_token_kind kind;
        const char *digits;
        const char *suffix;
    } rows[] = {
        {"12", LANG_INT, "12", NULL},
        {"1_000", LANG_INT, "1000", NULL},
        {"0xFF", LANG_INT, "0xFF", NULL},
        {"0b1_0u8", LANG_INT, "0b10", "u8"},
        {"1f32", LANG_INT, "1", "f32"},
        {"1.", LANG_FLOAT, "1.", NULL},
        {"2.5e-3f64", LANG_FLOAT, "2.5e-3", "f64"},
        {"1e5", LANG_FLOAT, "1e5", NULL},
        {"7usize", LANG_INT, "7", "usize"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const lang_token *t = only(rows[i].text);
        ck_assert_msg(t->kind == rows[i].kind, "%s", rows[i].text);
        ck_assert_str_eq(t->text, rows[i].digits);
        ck_assert_msg(rows[i].suffix ? t->suffix && !strcmp(t->suffix, rows[i].suffix)
                                     : !t->suffix,
                      "suffix of %s", rows[i].text);
    }
}
END_TEST

START_TEST(dots_after_numbers)
{
    lang_tokens range = lex("0..3");
    ck_assert_uint_eq(range.count, 4);
    ck_assert_str_eq(range.items[1].text, "..");
    lang_tokens method = lex("1.max(2)");
    ck_assert_int_eq(method.items[0].kind, LANG_INT);
    ck_assert_str_eq(method.items[2].text, "max");
    lang_tokens nested = lex("t.0.1");
    ck_assert_uint_eq(nested.count, 6);
    ck_assert_str_eq(nested.items[2].text, "0");
    ck_assert_str_eq(nested.items[4].text, "1");
}
END_TEST

START_TEST(texts)
{
    const lang_token *t = only("\"a\\n\\\"\\u{e9}\\x41\\\n   b\"");
    ck_assert_int_eq(t->kind, LANG_STRING);
    ck_assert_str_eq(t->text, "a\n\"\xC3\xA9"
                              "Ab");
    ck_assert_str_eq(only("r#\"a\"\\b\"#")->text, "a\"\\b");
    ck_assert_int_eq(only("'a")->kind, LANG_LIFETIME);
}
END_TEST

START_TEST(comments_and_places)
{
    lang_tokens tokens = lex("// é\n/* a /* b */ é */ x é y");
    ck_assert_uint_eq(tokens.count, 4);
    ck_assert_int_eq(tokens.items[0].pos.line, 2);
    ck_assert_int_eq(tokens.items[0].pos.column, 19);
    ck_assert_int_eq(tokens.items[2].pos.column, 23);
}
END_TEST

START_TEST(greater_signs_stay_apart)
{
    lang_tokens tokens = lex("a >> b > > c");
    ck_assert_str_eq(tokens.items[1].text, ">");
    ck_assert(tokens.items[1].glued);
    ck_assert(!tokens.items[4].glued);
}
END_TEST

START_TEST(what_cannot_be_read_says_why)
{
    static const struct {
        const char *text;
        const char *why;
        int column;
    } rows[] = {
        {"x \"abc", "closing quote", 3}, {"x /* y", "comment", 2},
        {"x 'a'", "character", 3},       {"x \"\\q\"", "escape", 3},
        {"x \x01", "character", 3},      {"r\"abc", "raw string", 1},
        {"b\"x\"", "byte", 1},           {"\"\\u{D800}\"", "escape", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lang_tokens tokens = lex(rows[i].text);
        const lang_token *bad = NULL;
        for (size_t t = 0; t < tokens.count && !bad; t++)
            bad = tokens.items[t].kind == LANG_BAD ? &tokens.items[t] : NULL;
        ck_assert_msg(bad && strstr(bad->text, rows[i].why), "%s", rows[i].text);
        ck_assert_msg(bad->pos.column == rows[i].column, "%s at %d", rows[i].text,
                      bad->pos.column);
    }
}
END_TEST

START_TEST(names_are_interned)
{
    lang_tokens tokens = lex("abc abd abc");
    ck_assert_ptr_eq(tokens.items[0].text, tokens.items[2].text);
    ck_assert_ptr_ne(tokens.items[0].text, tokens.items[1].text);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("lang_lexer");
    TCase *tc = tcase_create("tokens");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, numbers);
    tcase_add_test(tc, dots_after_numbers);
    tcase_add_test(tc, texts);
    tcase_add_test(tc, comments_and_places);
    tcase_add_test(tc, greater_signs_stay_apart);
    tcase_add_test(tc, what_cannot_be_read_says_why);
    tcase_add_test(tc, names_are_interned);
    suite_add_tcase(suite, tc);
    return suite;
}
