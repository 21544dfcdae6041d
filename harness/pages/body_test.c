/* What is put between the markers of a region, and that nothing else changes. */
#include "harness/pages/body.h"
#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>

static void scan(parity_page *page, const char *text)
{
    parity_error error = {0};
    ck_assert_int_eq(parity_page_scan(page, "p.md", text, strlen(text), &error), 0);
}

/* The page with each region filled with `text`, as the command does it. */
static char *filled(const char *page_text, const char *text, const char *info,
                    const char *caption)
{
    parity_page page;
    parity_buffer out = {0};
    parity_error error = {0};
    size_t at = 0;
    scan(&page, page_text);
    for (size_t i = 0; i < page.count; i++) {
        const parity_region *r = &page.regions[i];
        parity_buffer body = {0};
        ck_assert_int_eq(parity_body_wrap(&body, &page, r, text, info, caption, &error),
                         0);
        parity_buffer_add(&out, page.text + at, r->marker - at);
        parity_body_place(&out, &page, r, body.data);
        at = r->body_end;
        parity_buffer_free(&body);
    }
    parity_buffer_add(&out, page.text + at, page.length - at);
    parity_page_free(&page);
    return parity_buffer_take(&out);
}

/* With the checksums taken out, to be read. */
static void drop_sums(char *text)
{
    for (char *sum; (sum = strstr(text, " sum=")) != NULL;)
        memmove(sum, sum + 21, strlen(sum + 21) + 1);
}

#define OPEN "<!-- parity: t -->"
#define END  "<!-- /parity -->"

static const struct {
    const char *page, *text, *info, *caption, *expected;
} places[] = {
    {OPEN "\n" END "\n", "a\nb\n", "text", NULL, OPEN "\n```text\na\nb\n```\n" END "\n"},
    {"x\n" OPEN "\nold\n\n" END " \ny", "a", "text", NULL,
     "x\n" OPEN "\n```text\na\n```\n" END " \ny"},
    {OPEN "\n" END, "a\n\n\n", "", NULL, OPEN "\n\na\n\n" END},
    {OPEN "\n" END, "a", "", "torch *1*", OPEN "\n\na\n\n*torch \\*1\\**\n\n" END},
    {OPEN "\n" END, "a", "text", "torch", OPEN "\n```text\na\n```\n\n*torch*\n" END},
    {OPEN "\n" END, "``` and ````", "text", NULL,
     OPEN "\n`````text\n``` and ````\n`````\n" END},
    {"> - " OPEN "\r\n>   old\r\n>   " END "\r\nrest", "a\n\nb", "text", NULL,
     "> - " OPEN "\r\n>   ```text\r\n>   a\r\n>\r\n>   b\r\n>   ```\r\n>   " END
     "\r\nrest"},
    {"  " OPEN "\n  " END, "a\n\n  b", "text", NULL,
     "  " OPEN "\n  ```text\n  a\n\n    b\n  ```\n  " END},
    {"~~~\n" OPEN "\n" END "\n~~~\n", "a\n", "text", NULL,
     "~~~\n" OPEN "\na\n" END "\n~~~\n"},
    {"~~~\n" OPEN "\n" END "\n~~~\n", "a\n", "", "torch *1*",
     "~~~\n" OPEN "\ntorch *1*\na\n" END "\n~~~\n"},
    {"<!--  parity:   t\trows=x   -->\t\nold\n" END, "a", "", NULL,
     "<!--  parity:   t\trows=x   -->\t\n\na\n\n" END},
};

START_TEST(regions_are_placed)
{
    char *text =
        filled(places[_i].page, places[_i].text, places[_i].info, places[_i].caption);
    char *again = filled(text, places[_i].text, places[_i].info, places[_i].caption);
    ck_assert_str_eq(text, again);
    drop_sums(text);
    ck_assert_str_eq(text, places[_i].expected);
    free(text);
    free(again);
}
END_TEST

static bool untouched(const char *text)
{
    parity_page page;
    scan(&page, text);
    bool is = parity_body_untouched(&page, &page.regions[0]);
    parity_page_free(&page);
    return is;
}

START_TEST(edits_are_noticed)
{
    static const char *const pages[] = {OPEN "\n" END "\n",
                                        "> " OPEN "\n> " END "\n",
                                        "- " OPEN "\r\n  " END "\r\n",
                                        "~~~\n" OPEN "\n" END "\n~~~\n",
                                        "<!-- parity: t sum=1 -->\n" END,
                                        "<!-- parity: t head=\" sum=1\" -->\n" END};
    char *text = filled(pages[_i], "1.0\n\n2.0", "text", NULL);
    ck_assert(untouched(pages[_i]));
    ck_assert(untouched(text));
    char *digit = strstr(strstr(text, "-->"), "1.0");
    *digit = '7';
    ck_assert(!untouched(text));
    *digit = '1';
    ck_assert(untouched(text));
    char *blank = strstr(text, "1.0") + 3; /* the line end becomes a blank */
    *blank = ' ';
    ck_assert(!untouched(text));
    free(text);
}
END_TEST

/* Text that is there but was never written by us is somebody's. */
START_TEST(text_without_a_checksum_is_an_edit)
{
    ck_assert(!untouched(OPEN "\nmine\n" END));
    ck_assert(!untouched("<!-- parity: t sum=zzz -->\nmine\n" END));
    ck_assert(untouched(OPEN "\n \n\n" END));
}
END_TEST

START_TEST(a_text_with_a_marker_is_refused)
{
    static const char *const texts[] = {"x <!-- /parity -->", "<!--parity: x",
                                        "<!--   /parity"};
    parity_page page;
    scan(&page, "\n " OPEN "\n " END);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        parity_buffer body = {0};
        parity_error error = {0};
        ck_assert_int_eq(parity_body_wrap(&body, &page, &page.regions[0], texts[i],
                                          "text", NULL, &error),
                         -1);
        ck_assert_int_eq(error.pos.line, 2);
        ck_assert_int_eq(error.pos.column, 2);
        parity_buffer_free(&body);
    }
    parity_page_free(&page);
}
END_TEST

static const struct {
    const char *old, *fresh, *diff;
} diffs[] = {
    {"a\nb\n", "a\nb\n", ""},
    {"a\nb\nc\n", "a\nB\nc\n", "p.md:11:\n  - b\n  + B\n"},
    {"a\nb\nc\nd\n", "A\nb\nc\nD\n", "p.md:10:\n  - a\n  + A\np.md:13:\n  - d\n  + D\n"},
    {"", "a\nb\n", "p.md:10:\n  + a\n  + b\n"},
    {"a\nb\n", "", "p.md:10:\n  - a\n  - b\n"},
    {"a\nc\n", "a\nb\nc\n", "p.md:11:\n  + b\n"},
    {"a\nb\na\n", "a\na\n", "p.md:11:\n  - b\n"},
    {"a", "b", "p.md:10:\n  - a\n  + b\n"},
};

START_TEST(differences_have_lines)
{
    parity_buffer out = {0};
    parity_buffer_text(&out, "");
    parity_lines_diff(&out, "p.md", 10, diffs[_i].old, strlen(diffs[_i].old),
                      diffs[_i].fresh, strlen(diffs[_i].fresh));
    ck_assert_str_eq(out.data, diffs[_i].diff);
    parity_buffer_free(&out);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("body");
    TCase *all = tcase_create("body");
    tcase_add_loop_test(all, regions_are_placed, 0, sizeof places / sizeof *places);
    tcase_add_loop_test(all, edits_are_noticed, 0, 6);
    tcase_add_test(all, text_without_a_checksum_is_an_edit);
    tcase_add_test(all, a_text_with_a_marker_is_refused);
    tcase_add_loop_test(all, differences_have_lines, 0, sizeof diffs / sizeof *diffs);
    suite_add_tcase(suite, all);
    return suite;
}
