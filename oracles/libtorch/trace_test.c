#include "oracles/libtorch/trace.h"

#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>

static libtorch_word word(const char *text)
{
    return (libtorch_word){text, strlen(text)};
}

START_TEST(words_and_lines)
{
    libtorch_cursor cursor = {"call  a.b \"x \\\" y\" [1,\"a b\"]\n\n  t1", 1};
    static const char *const words[] = {"call", "a.b", "\"x \\\" y\"", "[1,\"a b\"]"};
    libtorch_word found;
    for (size_t i = 0; i < 4; i++) {
        ck_assert(libtorch_word_next(&cursor, &found));
        ck_assert_msg(libtorch_word_is(found, words[i]), "%s", words[i]);
    }
    ck_assert(!libtorch_word_next(&cursor, &found));
    ck_assert(libtorch_line_next(&cursor));
    ck_assert(!libtorch_word_next(&cursor, &found));
    ck_assert(libtorch_line_next(&cursor));
    ck_assert(libtorch_word_next(&cursor, &found) && libtorch_word_is(found, "t1"));
    ck_assert_int_eq(cursor.line, 3);
    ck_assert(!libtorch_line_next(&cursor));
}
END_TEST

START_TEST(a_quote_that_does_not_end_ends_with_the_line)
{
    libtorch_cursor cursor = {"a \"b c\\\nd", 1};
    libtorch_word found;
    ck_assert(libtorch_word_next(&cursor, &found) && libtorch_word_is(found, "a"));
    ck_assert(libtorch_word_next(&cursor, &found));
    ck_assert_ptr_null(libtorch_word_text(found));
    ck_assert(!libtorch_word_next(&cursor, &found));
    ck_assert(libtorch_line_next(&cursor));
}
END_TEST

START_TEST(names)
{
    ck_assert_uint_eq(libtorch_word_name(word("t12"), 't'), 12);
    static const char *const wrong[] = {
        "t", "t0", "t-1", "s1", "t1x", "t ", "1", "", "t+1", "t99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(libtorch_word_name(word(wrong[i]), 't') == 0, "%s", wrong[i]);
}
END_TEST

START_TEST(numbers)
{
    int64_t number, list[3];
    size_t count;
    ck_assert(libtorch_word_integer(word("-9223372036854775808"), &number));
    ck_assert_int_eq(number, INT64_MIN);
    ck_assert(!libtorch_word_integer(word("9223372036854775808"), &number));
    ck_assert(!libtorch_word_integer(word("0x1p+0"), &number));
    ck_assert(!libtorch_word_integer(word(""), &number));
    ck_assert(libtorch_word_integers(word("[]"), list, &count, 3) && count == 0);
    ck_assert(libtorch_word_integers(word("[1,-2,3]"), list, &count, 3));
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(list[1], -2);
    static const char *const wrong[] = {"[1,2,3,4]", "[1,]", "[,1]", "[1", "1]",
                                        "[",         "[a]",  "[ 1]", "",   "[1,,2]"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!libtorch_word_integers(word(wrong[i]), list, &count, 3), "%s",
                      wrong[i]);
}
END_TEST

START_TEST(texts)
{
    char *text = libtorch_word_text(word("\"a\\u00e9\\n\\\"\""));
    ck_assert_str_eq(text, "a\xc3\xa9\n\"");
    free(text);
    static const char *const wrong[] = {"a", "\"a", "\"", "", "\"\\x\"", "\"a\"b"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!libtorch_word_text(word(wrong[i])), "%s", wrong[i]);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("libtorch_trace");
    TCase *tests = tcase_create("trace");
    tcase_add_test(tests, words_and_lines);
    tcase_add_test(tests, a_quote_that_does_not_end_ends_with_the_line);
    tcase_add_test(tests, names);
    tcase_add_test(tests, numbers);
    tcase_add_test(tests, texts);
    suite_add_tcase(suite, tests);
    return suite;
}
