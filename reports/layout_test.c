/* Widths count cells: a line of Chinese characters takes two a character. */
#include "reports/layout.h"
#include "reports/writer.h"
#include "tools/test_main.h"

#include <string.h>

static const struct {
    int width;
    size_t indent;
    const char *text, *wrapped;
} wraps[] = {
    {24, 0, "one two three four five six", "one two three four five\nsix\n"},
    {26, 2, "one two three four five six", "  one two three four five\n  six\n"},
    {24, 0, "one  two ", "one  two\n"},
    {24, 0, "", "\n"},
    {24, 4, "averyveryveryverylongword and", "    averyveryveryverylongword\n    and\n"},
    {24, 0, "引用看得见原地写，克隆是一份拷贝。",
     "引用看得见原地写，克隆是\n一份拷贝。\n"},
    /* The comma would stand alone in front of a line. */
    {24, 0, "引用看得见原地写引用看得，克", "引用看得见原地写引用看\n得，克\n"},
    {24, 0, "\x1b[1m red", "\\x1b[1m red\n"},
};

START_TEST(words_are_wrapped)
{
    parity_buffer out = {0};
    const parity_report_options options = {.width = wraps[_i].width};
    const report_screen s = {.out = &out, .options = &options};
    report_wrapped(&s, wraps[_i].indent, wraps[_i].text);
    ck_assert_str_eq(out.data, wraps[_i].wrapped);
    parity_buffer_free(&out);
}
END_TEST

static const struct {
    size_t width;
    const char *left, *right, *both;
} pairs[] = {
    {60, "ab", "c\nd\n",
     "ab                   │ c\n"
     "                     │ d\n"},
    {60, "测试测试测试测试测试", "x\n\ty",
     "测试测试测试测试测试 │ x\n"
     "                     │     y\n"},
    /* Left is longer than its half and right needs little: left gets the rest. */
    {50, "0123456789012345678901234", "short", "0123456789012345678901234 │ short\n"},
    {43, "0123456789012345678901", "abcdefghijklmnopqrstuvwxyz",
     "01234567890123456789 │ abcdefghijklmnopqrst\n"
     "↪ 01                 │ ↪ uvwxyz\n"},
    /* A wide character that would stick out goes to the next line. */
    {43, "0123456789012345678测", "x",
     "0123456789012345678  │ x\n"
     "↪ 测                 │\n"},
    {43, "e\u0301e\u0301", "x", "e\u0301e\u0301                   │ x\n"},
};

START_TEST(sides_are_put_beside)
{
    parity_buffer out = {0};
    const parity_report_options options = {.width = (int)pairs[_i].width};
    const report_screen s = {.out = &out, .options = &options};
    report_lines left = {0}, right = {0};
    report_lines_add(&left, pairs[_i].left, NULL);
    report_lines_add(&right, pairs[_i].right, NULL);
    report_lines_beside(&s, &left, &right, pairs[_i].width);
    ck_assert_str_eq(out.data, pairs[_i].both);
    for (char *line = strtok(out.data, "\n"); line; line = strtok(NULL, "\n"))
        ck_assert_uint_le(report_width(line), pairs[_i].width);
    report_lines_free(&left);
    report_lines_free(&right);
    parity_buffer_free(&out);
}
END_TEST

/* A sentence is cut between words, beside another text and alone; a text of two lines
 * stays one of two. */
START_TEST(sentences_go_on_between_words)
{
    parity_buffer out = {0};
    const parity_report_options options = {.width = 24};
    const report_screen s = {.out = &out, .options = &options};
    report_lines left = {0}, right = {0};
    report_lines_add_prose(&left, "error: this is no\ntensor averyveryverylongword");
    report_lines_add(&right, "x", NULL);
    report_lines_beside(&s, &left, &right, 43);
    ck_assert_str_eq(out.data, "  error: this is no  │ x\n"
                               "  tensor             │\n"
                               "  averyveryverylongw │\n"
                               "  ord                │\n");
    out.length = 0;
    report_lines_print(&s, &left);
    ck_assert_str_eq(out.data,
                     "  error: this is no\n  tensor\n  averyveryverylongword\n");
    report_lines_free(&left);
    report_lines_free(&right);
    parity_buffer_free(&out);
}
END_TEST

START_TEST(colours_are_no_width)
{
    parity_buffer out = {0};
    const parity_report_options options = {.width = 60, .colour = true};
    const report_screen s = {.out = &out, .options = &options};
    report_lines left = {0}, right = {0};
    report_lines_add(&left, "head", "1");
    report_lines_add(&right, "head", "1");
    report_lines_beside(&s, &left, &right, 60);
    ck_assert_str_eq(out.data,
                     "\x1b[1mhead\x1b[0m                 │ \x1b[1mhead\x1b[0m\n");
    report_lines_free(&left);
    report_lines_free(&right);
    parity_buffer_free(&out);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("layout");
    TCase *all = tcase_create("layout");
    tcase_add_loop_test(all, words_are_wrapped, 0, COUNT(wraps));
    tcase_add_loop_test(all, sides_are_put_beside, 0, COUNT(pairs));
    tcase_add_test(all, sentences_go_on_between_words);
    tcase_add_test(all, colours_are_no_width);
    suite_add_tcase(suite, all);
    return suite;
}
