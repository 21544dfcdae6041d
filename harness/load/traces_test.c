#include "harness/load/traces.h"

#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const parity_trace samples[] = {
    {"a/b", "torch@2.15.0/cpu", 0x0123456789abcdefu, "call x\n  t1\n\nends value\n"},
    {"a/b[1,view]", "torch@2.15.0/cpu", 1, ""},
    {"a/b", "torch@2.14.0/cpu", 2, "case a/b\ncolumn no column\n"},
};

static parity_buffer printed(void)
{
    parity_buffer text = {0};
    parity_traces_header(&text);
    for (size_t i = 0; i < 3; i++)
        parity_trace_print(&text, &samples[i]);
    return text;
}

START_TEST(what_is_printed_is_read)
{
    parity_error error;
    parity_traces traces;
    parity_buffer text = printed();
    ck_assert_int_eq(parity_traces_parse(&traces, "f", text.data, text.length, &error),
                     0);
    ck_assert_uint_eq(traces.ntraces, 3);
    for (size_t i = 0; i < 3; i++) {
        const parity_trace *found =
            parity_traces_find(&traces, samples[i].case_id, samples[i].column);
        ck_assert_ptr_nonnull(found);
        ck_assert_str_eq(found->text, samples[i].text);
        ck_assert_uint_eq(found->text_hash, samples[i].text_hash);
    }
    ck_assert_ptr_null(parity_traces_find(&traces, "a/c", samples[0].column));
    parity_traces_free(&traces);
    parity_buffer_free(&text);
}
END_TEST

/* Cut anywhere, it is another file or a damaged one, never half a trace. */
START_TEST(a_file_that_is_cut)
{
    parity_error error;
    parity_buffer text = printed();
    for (size_t length = 0; length < text.length; length++) {
        parity_traces traces;
        if (parity_traces_parse(&traces, "f", text.data, length, &error) != 0) {
            ck_assert_str_eq(error.file, "f");
            ck_assert_int_ge(error.pos.line, 1);
            continue;
        }
        for (size_t i = 0; i < traces.ntraces; i++)
            ck_assert_str_eq(traces.traces[i].text, samples[i].text);
        parity_traces_free(&traces);
    }
    parity_buffer_free(&text);
}
END_TEST

START_TEST(damage_is_told_with_its_line)
{
    static const struct {
        const char *text;
        int line;
        const char *word;
    } damaged[] = {
        {"", 1, "parity trace 1"},
        {"parity trace 2\n", 1, "parity trace 1"},
        {"parity trace 1\n\nhello\n", 3, "`case …`"},
        {"parity trace 1\ncase a\ncolumn c\ntext 12\nlines 0\n", 5, "16 hex digits"},
        {"parity trace 1\ncase a\ncolumn c\ntext 0000000000000001\nlines x\n", 6,
         "number"},
        {"parity trace 1\ncase a\ncolumn c\ntext 0000000000000001\nlines 2\nb\n", 7,
         "cut"},
        {"parity trace 1\ncase a\ncolumn c\ntext 0000000000000001\nlines 0\n"
         "case a\ncolumn c\ntext 0000000000000001\nlines 0\n",
         9, "twice"},
    };
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        parity_error error;
        parity_traces traces;
        const char *text = damaged[i].text;
        ck_assert_int_eq(parity_traces_parse(&traces, "f", text, strlen(text), &error),
                         -1);
        ck_assert_msg(error.pos.line == damaged[i].line &&
                          strstr(error.message, damaged[i].word),
                      "%zu: %d: %s", i, error.pos.line, error.message);
    }
}
END_TEST

START_TEST(files)
{
    parity_error error;
    parity_traces traces;
    char *path = parity_traces_path("cases/a/b.yaml");
    ck_assert_str_eq(path, "cases/a/b.trace");
    free(path);
    ck_assert_int_eq(parity_traces_read(&traces, "/nowhere/x.trace", &error), 0);
    ck_assert_uint_eq(traces.ntraces, 0);
    parity_traces_free(&traces);
    ck_assert_int_eq(parity_traces_read(&traces, "/", &error), -1);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("traces");
    TCase *tests = tcase_create("traces");
    tcase_add_test(tests, what_is_printed_is_read);
    tcase_add_test(tests, a_file_that_is_cut);
    tcase_add_test(tests, damage_is_told_with_its_line);
    tcase_add_test(tests, files);
    suite_add_tcase(suite, tests);
    return suite;
}
