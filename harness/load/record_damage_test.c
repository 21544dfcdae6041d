/* Damaged records: an error with a place, never a crash. */
#include "harness/base/memory.h"
#include "harness/load/record.h"
#include "tools/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK "parity record 1\n\ncase c\ncolumn k\ntext torch 0123456789abcdef\n"
#define ROW   BLOCK "ends value\nobserved 1\n  a.0  "

/* Damaged records and where they are. */
static const struct damaged {
    const char *text;
    const char *error;
} damaged[] = {
    {"", "1:1: this is no record: the first line must be `parity record 1`"},
    {"parity record 2\n",
     "1:15: this record has another version than 1; record it again"},
    {"parity record 1\nfoo\n", "2:1: a line `case …` is missing here"},
    {"parity record 1\ncase \n", "2:6: `case` is empty"},
    {"parity record 1\ncase c\ntext\n", "3:1: a line `column …` is missing here"},
    {"parity record 1\ncase c\ncolumn k\ntext ruby 0\n",
     "4:6: torch or candle is missing here"},
    {"parity record 1\ncase c\ncolumn k\ntext torch 12\n",
     "4:12: a hash has 16 hex digits"},
    {BLOCK "with a\n", "6:7: a name and a text are missing here"},
    {BLOCK "with a \"b\n", "6:8: this text is not closed"},
    {BLOCK "ends valve\n", "6:6: `valve` is no kind of value"},
    {BLOCK "ends value x\n", "6:12: nothing more is expected in this line"},
    {BLOCK "ends value\n", "7:1: a line `observed COUNT` is missing here"},
    {BLOCK "ends value\nobserved 99999999\n",
     "7:10: a count from 0 to 1048576 is missing here"},
    {BLOCK "ends value\nobserved 2\n  a.0  unit\n",
     "9:1: only 1 of 2 observations; the file is cut"},
    {BLOCK "ends value\nobserved 0\n  a.0  unit\n",
     "8:1: a line `case …` is missing here"},
    {BLOCK "ends value\nobserved 0\ncase c\ncolumn k\n",
     "10:1: c is recorded twice for k; the first is in line 3"},
    {ROW "bool maybe\n", "8:13: true or false is missing here"},
    {ROW "int x\n", "8:12: digits are missing here"},
    {ROW "float f16 00\n", "8:17: a float is f32 or f64"},
    {ROW "float f32 0000\n", "8:18: 8 hex digits are missing here"},
    {ROW "text \"a\\q\"\n", "8:15: unknown escape; known are \\n \\t \\\\ \\\" \\x1f"},
    {ROW "text \"\\x00\"\n", "8:14: unknown escape; known are \\n \\t \\\\ \\\" \\x1f"},
    {ROW "ok(unit\n", "8:15: a `)` is missing here"},
    {ROW "ok(unit, unit)\n", "8:17: too many values in one"},
    {ROW "host f23 [1] bits=\n", "8:13: `f23` is no dtype"},
    {ROW "host f32 [1 bits=\n", "8:19: a `]` is missing here"},
    {ROW "host f32 [-1] bits=\n",
     "8:18: a whole number from 0 to 9223372036854775807 is missing here"},
    {ROW "host f32 [1] bits=AACAPwAAAEA=\n",
     "8:38: 8 bytes of bits, but the shape takes 4"},
    {ROW "host f32 [9223372036854775807, 9] bits=\n",
     "8:47: 0 bytes of bits, but the shape takes 18446744073709551615"},
    {ROW "host f32 [1000] hash=01 head= tail=\n", "8:29: a hash has 16 hex digits"},
    {ROW "tensor f32 [] strides [1] offset 0 storage 1 handle 1 bits=AACAPw==\n",
     "8:33: 1 strides for 0 dimensions"},
    {ROW "error \"a\"\n", "8:17: a text is missing here"},
    {ROW "error \"a\" \"b\" at 3\n", "8:26: a place is line:column"},
    {ROW "权\n", "8:8: `` is no kind of value"},
};

START_TEST(damaged_records_say_where)
{
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        parity_record_file file;
        parity_error error = {{0}};
        int code = parity_record_parse(&file, "r.out", damaged[i].text,
                                       strlen(damaged[i].text), &error);
        ck_assert_int_eq(code, -1);
        char found[1200];
        snprintf(found, sizeof found, "%d:%d: %s", error.pos.line, error.pos.column,
                 error.message);
        ck_assert_msg(strcmp(found, damaged[i].error) == 0,
                      "%s\nexpected %s\nfound    %s", damaged[i].text, damaged[i].error,
                      found);
        ck_assert_str_eq(error.file, "r.out");
    }
}
END_TEST

/* Lists in lists without end are an error, not a full stack. */
START_TEST(nesting_is_bounded)
{
    parity_buffer text = {0};
    parity_buffer_text(&text, ROW);
    for (int i = 0; i < 100000; i++)
        parity_buffer_text(&text, "list(");
    parity_record_file file;
    parity_error error;
    ck_assert_int_eq(parity_record_parse(&file, "r", text.data, text.length, &error), -1);
    ck_assert_str_eq(error.message, "nested deeper than 32 levels");
    parity_buffer_free(&text);
}
END_TEST

static uint64_t state = 5;

static size_t below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % limit);
}

static const char whole[] = ROW
    "list(ok(err \"a\\n\"), some(none), float f64 0000000000000000)  # x\n"
    "\ncase d\ncolumn k\ntext candle 0123456789abcdef\nwith rustc \"1.95.0\"\n"
    "ends refused \"E0382\" \"moved\" at 3:14\n  | error[E0382]\n  |\nobserved 3\n"
    "  a.0  tensor f32 [1, 2] strides [2, 1] offset 0 storage 2 handle 3 variable=true "
    "\"odd name\"=\"\" bits=AACAPwAAAEA=\n"
    "  a.b  raised \"RuntimeError\" \"first line\"\n"
    "  @w.was  host i64 [0] bits=\n";

START_TEST(the_whole_text_is_good)
{
    parity_record_file file;
    parity_error error;
    ck_assert_int_eq(parity_record_parse(&file, "r", whole, strlen(whole), &error), 0);
    ck_assert_uint_eq(file.nblocks, 2);
    ck_assert_str_eq(file.blocks[1].run.end.detail, "error[E0382]\n");
    ck_assert_str_eq(file.blocks[1].run.observed[0].value->tensor->facts[1].name,
                     "odd name");
    parity_record_free(&file);
}
END_TEST

/* Every cut of a record is an error, except at the end of a block. */
START_TEST(cut_records_are_errors)
{
    size_t good = 0;
    for (size_t length = 0; length < strlen(whole); length++) {
        parity_record_file file;
        parity_error error;
        if (parity_record_parse(&file, "r", whole, length, &error) == 0) {
            good++;
            parity_record_free(&file);
        }
    }
    /* The header alone (with or without its empty line), and the first block: its last
     * value with any part of the comment and the empty line behind it; the last value of
     * all without its line feed. */
    ck_assert_uint_eq(good, 2 + strlen("  # x\n\n") + 1 + 1);
}
END_TEST

START_TEST(mutated_records_never_crash)
{
    for (int i = 0; i < 20000; i++) {
        char *copy = parity_strdup(whole);
        size_t length = strlen(whole);
        for (size_t n = 1 + below(3); n > 0; n--)
            copy[below(length)] = (char)below(256);
        parity_record_file file;
        parity_error error;
        if (parity_record_parse(&file, "r", copy, length, &error) == 0)
            parity_record_free(&file);
        free(copy);
    }
}
END_TEST

START_TEST(paths_of_records)
{
    char *path = parity_record_path("cases/pages/snapshot.yaml");
    ck_assert_str_eq(path, "cases/pages/snapshot.out");
    free(path);
    parity_record_file file;
    parity_error error;
    ck_assert_int_eq(parity_record_read(&file, "/nonexistent/x.out", &error), 0);
    ck_assert_uint_eq(file.nblocks, 0);
    parity_record_free(&file);
    ck_assert_int_eq(parity_record_read(&file, "/", &error), -1);
    ck_assert_str_eq(error.message, "is not a regular file");
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("record_damage");
    TCase *tests = tcase_create("record_damage");
    tcase_add_test(tests, damaged_records_say_where);
    tcase_add_test(tests, nesting_is_bounded);
    tcase_add_test(tests, the_whole_text_is_good);
    tcase_add_test(tests, cut_records_are_errors);
    tcase_add_test(tests, mutated_records_never_crash);
    tcase_add_test(tests, paths_of_records);
    suite_add_tcase(suite, tests);
    return suite;
}
