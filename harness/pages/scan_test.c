/* Where regions are found, what their markers say, and what is said about wrong ones. */
#include "harness/pages/region.h"
#include "tools/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPEN  "<!-- parity: transcript a -->\n"
#define CLOSE "<!-- /parity -->\n"

/* Pages whose markers are wrong, and everything that is said. */
static const struct {
    const char *page, *message;
} wrong[] = {
    {OPEN "x\n", "1:1: this region is not closed with <!-- /parity -->"},
    {"x\n" CLOSE, "2:1: no region is open here"},
    {OPEN OPEN CLOSE CLOSE,
     "2:1: a region inside the one of line 1; <!-- /parity --> ends a region"},
    {"text " OPEN CLOSE, "1:6: a marker stands on a line of its own"},
    {"é中 " OPEN CLOSE, "1:4: a marker stands on a line of its own"},
    {OPEN "text " CLOSE, "2:6: <!-- /parity --> stands on a line of its own"},
    {OPEN "<!-- /parity --> text\n", "2:1: <!-- /parity --> stands on a line of its own"},
    {OPEN "<!-- /parity\n-->\n", "2:1: <!-- /parity --> stands on a line of its own"},
    {OPEN "<!-- /parityx -->\n", "2:1: <!-- /parity --> stands on a line of its own"},
    {"<!-- parity: transcript a\n-->\n", "1:1: a marker ends on its line, with -->"},
    {"<!-- parity: transcript a --> b\n", "1:30: nothing may stand behind a marker"},
    {"<!-- parity: -->\n" CLOSE, "1:13: a marker begins with the name of a report: "
                                 "<!-- parity: transcript pages/snapshot -->"},
    {"<!-- parity: a colum=x -->\n" CLOSE,
     "1:16: `colum` is no key, did you mean `column`?"},
    {"<!-- parity: a zzzzzzzz=x -->\n" CLOSE, "1:16: `zzzzzzzz` is no key"},
    {"<!-- parity: a rows=x rows=y -->\n" CLOSE,
     "1:23: `rows` is here twice; several values are written rows=a,b"},
    {"<!-- parity: a rows= -->\n" CLOSE, "1:21: a value is missing for `rows`"},
    {"<!-- parity: a rows=x, -->\n" CLOSE, "1:23: a value is missing for `rows`"},
    {"<!-- parity: a rows=,x -->\n" CLOSE, "1:21: a value is missing for `rows`"},
    {"<!-- parity: a head=\"x -->\n" CLOSE,
     "1:21: this quote is not closed before the marker ends"},
    {"<!-- parity: a head=\"x --> y\" -->\n" CLOSE,
     "1:27: nothing may stand behind a marker"},
    {"<!-- parity: a head=\"x\"y -->\n" CLOSE,
     "1:24: behind a quote stands a blank or a comma"},
    {"<!-- parity: a head=\"\\n\" -->\n" CLOSE,
     "1:23: behind a backslash stands \" or \\"},
    {"> - 中 <!-- parity: a -->\n", "1:7: a marker stands on a line of its own"},
};

START_TEST(wrong_markers_have_places)
{
    parity_page page;
    parity_error error = {0};
    char said[1200];
    const char *text = wrong[_i].page;
    ck_assert_int_eq(parity_page_scan(&page, "p.md", text, strlen(text), &error), -1);
    snprintf(said, sizeof said, "%d:%d: %s", error.pos.line, error.pos.column,
             error.message);
    ck_assert_str_eq(error.file, "p.md");
    ck_assert_str_eq(said, wrong[_i].message);
    parity_page_free(&page);
}
END_TEST

static void scan(parity_page *page, const char *text)
{
    parity_error error = {0};
    int status = parity_page_scan(page, "p.md", text, strlen(text), &error);
    ck_assert_msg(status == 0, "%d:%d: %s in: %s", error.pos.line, error.pos.column,
                  error.message, text);
}

/* Pages and the prefixes of their regions, each in brackets; a ! where the region stands
 * in a code block. */
static const struct {
    const char *page, *prefixes;
} right[] = {
    {"", ""},
    {"text\n<!-- a comment -->\n<!-- parity -->\n", ""},
    {OPEN CLOSE OPEN CLOSE, "[][]"},
    {"  " OPEN "  x\n  " CLOSE, "[  ]"},
    {"> " OPEN "> x\n> " CLOSE, "[> ]"},
    {">" OPEN ">" CLOSE, "[>]"},
    {"- " OPEN "  " CLOSE, "[  ]"},
    {"10. " OPEN "    " CLOSE, "[    ]"},
    {"> * > " OPEN ">   > " CLOSE, "[>   > ]"},
    {"\t" OPEN "\t" CLOSE, "[\t]"},
    {"```text\n" OPEN CLOSE "```\n", "[]!"},
    {"- ~~~\n  " OPEN "  " CLOSE "  ~~~\n" OPEN CLOSE, "[  ]![]"},
    {"> ```\n> x\n" OPEN CLOSE, "[]"},    /* the quote has ended, and its block with it */
    {"`````\n```\n" OPEN CLOSE, "[]!"},   /* too short to close */
    {"```\n~~~\n```\n" OPEN CLOSE, "[]"}, /* another character */
    {"```\n``` x\n" OPEN CLOSE, "[]!"},   /* a text behind it closes nothing */
    {"``` a`b\n" OPEN CLOSE, "[]"},       /* code in a line, not a block */
    {"```markdown\n" OPEN "```\n", ""},   /* shown to readers, and so not closed either */
    {"```md\n" CLOSE "```\n" OPEN CLOSE, "[]"},
    {"~~~html\n" OPEN OPEN "~~~\n", ""},
    {"```mdx\n" OPEN CLOSE "```\n", "[]!"},
    {"Write `<!-- parity: x -->` there.\n", ""},
    {"Write `<!-- /parity -->`.\n", ""},
    {OPEN "```\n" CLOSE OPEN CLOSE, "[][]"}, /* a damaged body hides no marker */
    {"<!--parity: a-->\n<!--/parity-->\n", "[]"},
    {OPEN "<!-- /parity -->", "[]"},
    {"<!-- parity: a -->\r\nx\r\n<!-- /parity -->\r\n", "[]"},
    {"\xef\xbb\xbf" OPEN CLOSE, "[]"}, /* a byte order mark */
};

START_TEST(regions_are_found)
{
    parity_page page;
    parity_buffer found = {0};
    parity_buffer_text(&found, "");
    scan(&page, right[_i].page);
    for (size_t i = 0; i < page.count; i++)
        parity_buffer_printf(&found, "[%s]%s", page.regions[i].prefix,
                             page.regions[i].in_block ? "!" : "");
    ck_assert_msg(strcmp(found.data, right[_i].prefixes) == 0, "%s: %s", right[_i].page,
                  found.data);
    parity_buffer_free(&found);
    parity_page_free(&page);
}
END_TEST

START_TEST(words_of_a_marker)
{
    parity_page page;
    scan(&page, "é\n  <!-- parity: flow  a/b[f32,x] c/* column=torch,core/cpu head=\"# "
                "\\\"中\\\\\",\"\",d lang=zh -->\n  <!-- /parity -->\n");
    const parity_region *r = &page.regions[0];
    ck_assert_str_eq(r->kind.text, "flow");
    ck_assert_int_eq(r->kind.pos.column, 16);
    ck_assert_uint_eq(r->cases.count, 2);
    ck_assert_str_eq(r->cases.items[0].text, "a/b[f32,x]");
    ck_assert_str_eq(r->cases.items[1].text, "c/*");
    const parity_words *columns = &r->value[PARITY_KEY_COLUMN];
    ck_assert_uint_eq(columns->count, 2);
    ck_assert_str_eq(columns->items[1].text, "core/cpu");
    ck_assert_int_eq(columns->items[1].pos.line, 2);
    ck_assert_int_eq(columns->items[1].pos.column, 50);
    const parity_words *heads = &r->value[PARITY_KEY_HEAD];
    ck_assert_uint_eq(heads->count, 3);
    ck_assert_str_eq(heads->items[0].text, "# \"中\\");
    ck_assert_str_eq(heads->items[1].text, "");
    ck_assert_str_eq(heads->items[2].text, "d");
    ck_assert_str_eq(r->value[PARITY_KEY_LANG].items[0].text, "zh");
    ck_assert_int_eq(r->key[PARITY_KEY_LANG].pos.column, 79);
    ck_assert_ptr_null(r->key[PARITY_KEY_ROWS].text);
    parity_page_free(&page);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("scan");
    TCase *all = tcase_create("scan");
    tcase_add_loop_test(all, wrong_markers_have_places, 0, sizeof wrong / sizeof *wrong);
    tcase_add_loop_test(all, regions_are_found, 0, sizeof right / sizeof *right);
    tcase_add_test(all, words_of_a_marker);
    suite_add_tcase(suite, all);
    return suite;
}
