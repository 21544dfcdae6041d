/* Files that nobody means well with: an error with a place, in bounded time and memory.
 */
#include "harness/base/memory.h"
#include "harness/load/load.h"
#include "tools/test_main.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256]; /* a fresh one for each test */

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "%s/parity-load-XXXXXX", P_tmpdir);
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st;
    (void)flag;
    (void)ftw;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *in_folder(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static parity_suite load_bytes(const char *text, size_t length)
{
    parity_suite suite = {0};
    parity_load_file(&suite, "h.yaml", "h", text, length);
    ck_assert(suite.nproblems > 0 || suite.ncases > 0);
    return suite;
}

/* What is said first about a text. */
static void check_first(const char *text, size_t length, const char *expected)
{
    parity_suite suite = load_bytes(text, length);
    ck_assert_uint_gt(suite.nproblems, 0);
    char found[1000];
    snprintf(found, sizeof found, "%d:%d: %s", suite.problems[0].pos.line,
             suite.problems[0].pos.column, suite.problems[0].message);
    ck_assert_str_eq(found, expected);
    ck_assert_uint_eq(suite.ncases, 0);
    parity_suite_free(&suite);
}

static void check_file(const char *path, const char *expected)
{
    parity_suite suite = {0};
    parity_load_file(&suite, path, "h", NULL, 0);
    ck_assert_uint_eq(suite.nproblems, 1);
    ck_assert_str_eq(suite.problems[0].message, expected);
    ck_assert_str_eq(suite.problems[0].file, path);
    ck_assert_uint_lt(parity_arena_bytes(suite.arena), 1 << 20);
    parity_suite_free(&suite);
}

START_TEST(odd_files)
{
    check_file(in_folder("none.yaml"), "cannot be opened: No such file or directory");
    check_file(folder, "is a directory, not a case file");
    ck_assert_int_eq(symlink("loop.yaml", in_folder("loop.yaml")), 0);
    check_file(in_folder("loop.yaml"),
               "cannot be opened: Too many levels of symbolic links");
    ck_assert_int_eq(mkfifo(in_folder("pipe.yaml"), 0600), 0);
    check_file(in_folder("pipe.yaml"), "is not a regular file; a case is a file of text");
    check_file("/dev/zero", "is not a regular file; a case is a file of text");
    write_file("big.yaml", "title: t\n");
    ck_assert_int_eq(truncate(in_folder("big.yaml"), 100000000), 0);
    check_file(in_folder("big.yaml"),
               "is larger than 1 MiB; put large tensors into a safetensors "
               "file and name it under data:");
    if (geteuid() != 0) {
        write_file("secret.yaml", "title: t\n");
        ck_assert_int_eq(chmod(in_folder("secret.yaml"), 0), 0);
        check_file(in_folder("secret.yaml"), "cannot be opened: Permission denied");
    }
}
END_TEST

START_TEST(trees)
{
    const char *good = "title: t\ntorch: x = 1\n";
    static const char *const folders[] = {"cases", "cases/b", "cases/selftest",
                                          "cases/b/.git", "cases/b d"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        ck_assert_int_eq(mkdir(in_folder(folders[i]), 0700), 0);
    static const char *const files[] = {
        "cases/z.yaml",      "cases/b/a.yaml",          "cases/b/c.yml",
        "cases/b/x y.yaml",  "cases/b/x[1].yaml",       "cases/b/.hidden.yaml",
        "cases/b/notes.txt", "cases/selftest/bad.yaml", "cases/b/.git/k.yaml"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        write_file(files[i], good);
    ck_assert_int_eq(symlink("..", in_folder("cases/b/up")), 0);
    ck_assert_int_eq(symlink("nowhere", in_folder("cases/b/dangling")), 0);
    parity_suite suite = {0};
    parity_load_tree(&suite, in_folder("cases"));
    parity_buffer found = {0};
    for (size_t i = 0; i < suite.ncases; i++)
        parity_buffer_printf(&found, "%s\n", suite.cases[i].id);
    for (size_t i = 0; i < suite.nproblems; i++)
        parity_buffer_printf(&found, "%s: %s\n", suite.problems[i].file + strlen(folder),
                             suite.problems[i].message);
    ck_assert_str_eq(
        found.data,
        "b/a\nz\n"
        "/cases/b/c.yml: is not read; rename it to .yaml\n"
        "/cases/b/dangling: cannot be read: No such file or directory\n"
        "/cases/b/up: is a link to a folder that holds it; remove it\n"
        "/cases/b/x y.yaml: rename it: a case id has letters, digits and _ . - only\n"
        "/cases/b/x[1].yaml: rename it: a case id has letters, digits and _ . - only\n"
        "/cases/b d: rename it: a case id has letters, digits and _ . - only\n");
    parity_buffer_free(&found);
    parity_suite_free(&suite);
    parity_load_tree(&suite, "/nonexistent");
    ck_assert_str_eq(suite.problems[0].message,
                     "cannot be read: No such file or directory");
    parity_suite_free(&suite);
}
END_TEST

static void repeat(parity_buffer *out, const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        parity_buffer_text(out, text);
}

START_TEST(bombs)
{
    parity_buffer text = {0};
    parity_buffer_text(&text, "title: t\ntorch: x\nrows: ");
    repeat(&text, "[", 500000);
    check_first(text.data, text.length, "3:38: nested deeper than 32 levels");
    text.length = 0;
    parity_buffer_text(&text, "title: t\ntorch: x\nrows: ");
    repeat(&text, "{a: ", 100000);
    check_first(text.data, text.length, "3:131: nested deeper than 32 levels");
    text.length = 0;
    parity_buffer_text(&text, "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n");
    check_first(
        text.data, text.length,
        "1:4: case files have no anchors (&name) and no tags (!name); quote a text that "
        "begins with &, * or !");
    text.length = 0;
    parity_buffer_text(&text, "title: t\ntorch: x\nabout: |\n  ");
    repeat(&text, "a", (1 << 20) + 1);
    check_first(text.data, text.length, "0:0: is larger than 1 MiB");
    text.length = 0;
    for (int i = 0; i < 60000; i++)
        parity_buffer_printf(&text, "k%d: 1\n", i);
    check_first(text.data, text.length, "1:1: the case has more than 1000 keys");
    parity_buffer_free(&text);
}
END_TEST

/* Inputs of up to a megabyte that could cost the square of their size. */
START_TEST(large_inputs_are_quick)
{
    parity_buffer text = {0};
    parity_buffer_text(&text, "title: t\ntorch: x\nrows:\n  - id: a\n    torch: '");
    repeat(&text, "{权}", 150000);
    parity_buffer_text(&text, "'\n");
    check_first(text.data, text.length,
                "5:6013: a template has at most 1000 expressions; split the row");
    text.length = 0;
    parity_buffer_text(&text, "title: t\ntorch: \"");
    repeat(&text, "a\\n", 300000);
    parity_buffer_text(&text, "\"\n");
    parity_suite suite = load_bytes(text.data, text.length);
    ck_assert_uint_eq(suite.ncases, 1);
    ck_assert_int_eq(
        parity_program_pos(&suite.cases[0].program[0], (parity_pos){1000, 1}).column,
        9 + 999 * 3);
    parity_suite_free(&suite);
    text.length = 0;
    parity_buffer_text(&text, "title: t\ntorch: x\ndata: {d: {dtype: u8, values: [");
    repeat(&text, "1,", 400000);
    parity_buffer_text(&text, "1]}}\n");
    suite = load_bytes(text.data, text.length);
    ck_assert_int_eq(suite.cases[0].data[0].shape[0], 400001);
    parity_suite_free(&suite);
    parity_buffer_free(&text);
}
END_TEST

START_TEST(matrices_are_bounded)
{
    parity_buffer text = {0};
    const char *head = "title: t\ntorch: ${a}${b}${c}\nmatrix:\n";
    parity_buffer_text(&text, head);
    for (char name = 'a'; name <= 'c'; name++) {
        parity_buffer_printf(&text, "  %c: [x", name);
        for (int i = 1; i < 11; i++)
            parity_buffer_printf(&text, ", %d", i);
        parity_buffer_text(&text, "]\n");
    }
    check_first(text.data, text.length,
                "6:3: the matrix makes more than 1024 cases; split the file");
    text.length = 0;
    parity_buffer_text(&text, "title: t\ntorch: |\n  ");
    repeat(&text, "${a}", 100000);
    parity_buffer_text(&text, "\nmatrix: {a: {x: '");
    repeat(&text, "long", 100000);
    parity_buffer_text(&text, "'}}\n");
    check_first(text.data, text.length,
                "2:8: is larger than 4 MiB after ${…} was replaced");
    text.length = 0;
    parity_buffer_text(&text, "title: ${a}\ntorch: |\n  ");
    repeat(&text, "${a} and more\n  ", 40000);
    parity_buffer_text(&text, "\nmatrix:\n  a: [0");
    for (int i = 1; i < 1000; i++)
        parity_buffer_printf(&text, ", %d", i);
    parity_buffer_text(&text, "]\n");
    check_first(text.data, text.length,
                "1:1: the cases of this file take more than 256 MiB; split the file");
    parity_buffer_free(&text);
}
END_TEST

START_TEST(problems_are_bounded)
{
    parity_buffer text = {0};
    parity_buffer_text(&text, "title: t\ntorch: x\nrows:\n");
    repeat(&text, "  - {idd: 1}\n", 500);
    parity_suite suite = load_bytes(text.data, text.length);
    ck_assert_uint_eq(suite.nproblems, 50);
    parity_suite_free(&suite);
    parity_buffer_free(&text);
}
END_TEST

/* A byte order mark and CRLF line ends are an editor's doing, not an error. */
START_TEST(windows_files)
{
    const char *text = "\xef\xbb\xbftitle: t\r\ntorch: |\r\n  a = 1\r\n  b = 2\r\n"
                       "rows:\r\n  - id: a\r\n    torch: '{b}'\r\n";
    parity_suite suite = load_bytes(text, strlen(text));
    ck_assert_uint_eq(suite.ncases, 1);
    ck_assert_str_eq(suite.cases[0].program[0].text, "a = 1\nb = 2\n");
    ck_assert_int_eq(suite.cases[0].observe[0][0].pos.line, 7);
    ck_assert_int_eq(suite.cases[0].observe[0][0].pos.column, 14);
    ck_assert_str_eq(suite.cases[0].title.en, "t");
    parity_suite_free(&suite);
}
END_TEST

static uint64_t state = 17;

static size_t below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % limit);
}

static char *read_page(const char *name, size_t *length)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/cases/%s", getenv("PARITY_ROOT"), name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    parity_buffer out = {0};
    for (int c; (c = getc(file)) != EOF;)
        parity_buffer_char(&out, (char)c);
    fclose(file);
    *length = out.length;
    return parity_buffer_take(&out);
}

/* Changes a few places: bytes, syntax, moved and doubled pieces. */
static void mutate(parity_buffer *text)
{
    static const char *const pieces[] = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         "'",
                                         "\"",
                                         ":",
                                         ": ",
                                         "- ",
                                         "\n",
                                         "|\n",
                                         ">-\n",
                                         "${dtype}",
                                         "&a ",
                                         "*a",
                                         "!t ",
                                         "\t",
                                         "\xff",
                                         "\xe2\x80\xa8",
                                         "%",
                                         "#",
                                         "? ",
                                         ",",
                                         "~",
                                         "0x",
                                         "when: ",
                                         "ends: ",
                                         "---\n",
                                         "\xef\xbb\xbf",
                                         "  "};
    for (size_t n = 1 + below(4); n > 0; n--) {
        size_t at = below(text->length);
        size_t kind = below(4);
        if (kind == 0) {
            text->data[at] = (char)below(256);
            continue;
        }
        parity_buffer out = {0};
        size_t cut = below(40);
        size_t from = below(text->length);
        parity_buffer_add(&out, text->data, at);
        if (kind == 1)
            parity_buffer_text(&out, pieces[below(sizeof pieces / sizeof *pieces)]);
        else if (kind == 2)
            at = at + cut < text->length ? at + cut : at;
        else
            parity_buffer_add(&out, text->data + from,
                              from + cut < text->length ? cut : text->length - from);
        parity_buffer_add(&out, text->data + at, text->length - at);
        parity_buffer_free(text);
        *text = out;
    }
}

START_TEST(mutated_cases_never_crash)
{
    static const char *const pages[] = {"pages/snapshot.yaml", "pages/references.yaml",
                                        "pages/references_moved.yaml",
                                        "var_set/shape.yaml"};
    for (size_t p = 0; p < sizeof pages / sizeof *pages; p++) {
        size_t length = 0;
        char *page = read_page(pages[p], &length);
        for (int i = 0; i < 400; i++) {
            parity_buffer text = {0};
            parity_buffer_add(&text, page, length);
            mutate(&text);
            parity_suite suite = load_bytes(text.data, text.length);
            parity_buffer out = {0};
            for (size_t k = 0; k < suite.nproblems; k++)
                parity_problem_print(&out, &suite.problems[k]);
            for (size_t k = 0; k < suite.ncases; k++)
                for (int line = 0; line < 60; line += 7)
                    parity_program_pos(&suite.cases[k].program[0],
                                       (parity_pos){line, line});
            parity_buffer_free(&out);
            parity_suite_free(&suite);
            parity_buffer_free(&text);
        }
        free(page);
    }
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("hostile");
    TCase *files = tcase_create("files");
    tcase_add_checked_fixture(files, make_folder, remove_folder);
    tcase_add_test(files, odd_files);
    tcase_add_test(files, trees);
    suite_add_tcase(suite, files);
    TCase *texts = tcase_create("texts");
    tcase_set_timeout(texts, 20);
    tcase_add_test(texts, bombs);
    tcase_add_test(texts, large_inputs_are_quick);
    tcase_add_test(texts, matrices_are_bounded);
    tcase_add_test(texts, problems_are_bounded);
    tcase_add_test(texts, windows_files);
    tcase_add_test(texts, mutated_cases_never_crash);
    suite_add_tcase(suite, texts);
    return suite;
}
