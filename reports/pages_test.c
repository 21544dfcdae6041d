/* The documented pages, byte for byte, from values made by hand. */
#include "harness/base/memory.h"
#include "harness/compare/sample.h"
#include "harness/model/report.h"
#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>

#define M12(a, b)       sample_tensor(PARITY_F32, 2, SHAPE(1, 2), OF(a, b))
#define M22(a, b, c, d) sample_tensor(PARITY_F32, 2, SHAPE(2, 2), OF(a, b, c, d))
#define M23(a, b, c, d, e, f)                                                            \
    sample_tensor(PARITY_F32, 2, SHAPE(2, 3), OF(a, b, c, d, e, f))
#define V3(a, b, c)    sample_tensor(PARITY_F32, 1, SHAPE(3), OF(a, b, c))
#define V4(a, b, c, d) sample_tensor(PARITY_F32, 1, SHAPE(4), OF(a, b, c, d))
#define ID(digits)     sample_text(PARITY_VALUE_ID, digits)
#define ERR(text)      sample_text(PARITY_VALUE_ERR, text)

static parity_column columns[3];
static parity_run runs[3];
static parity_suite suite_of_page;

static char *file_of(const char *name)
{
    const char *root = getenv("PARITY_ROOT");
    parity_buffer path = {0};
    parity_buffer_printf(&path, "%s/%s", root ? root : ".", name);
    return parity_buffer_take(&path);
}

static char *read_file(const char *name)
{
    char *path = file_of(name), block[4096];
    parity_buffer text = {0};
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    for (size_t count; (count = fread(block, 1, sizeof block, file)) > 0;)
        parity_buffer_add(&text, block, count);
    fclose(file);
    free(path);
    return parity_buffer_take(&text);
}

static const parity_case *page(const char *name)
{
    char *path = file_of(name);
    parity_load_file(&suite_of_page, path, "page", NULL, 0);
    free(path);
    ck_assert_uint_eq(suite_of_page.nproblems, 0);
    ck_assert_uint_eq(suite_of_page.ncases, 1);
    return &suite_of_page.cases[0];
}

static void expect_transcript(const parity_case *test, size_t ncolumns, const char *file)
{
    parity_case_result one = {.test = test, .runs = runs};
    parity_result result = {
        .columns = columns, .ncolumns = ncolumns, .cases = &one, .ncases = 1};
    parity_buffer out = {0};
    char *expected = read_file(file);
    for (size_t i = 0; i < ncolumns; i++)
        ck_assert_uint_eq(runs[i].nobserved, test->nobserve[columns[i].engine->language]);
    parity_judge(&one, columns, ncolumns, NULL, 0);
    ck_assert_int_eq(parity_report_find("transcript")
                         ->render(&out, &result, &(parity_report_options){0}, NULL),
                     0);
    ck_assert_str_eq(out.data, expected);
    parity_judge_clear(&one);
    parity_buffer_free(&out);
    free(expected);
}

#define RUN(column, ...)                                                                 \
    sample_run(&runs[column],                                                            \
               sizeof((parity_value *[]){__VA_ARGS__}) / sizeof(parity_value *),         \
               (parity_value *[]){__VA_ARGS__})

START_TEST(snapshot_in_candle)
{
    columns[0] = sample_column(&sample_candle, "candle@0.11.0/cpu", "0.11.0", "cpu");
    columns[1] = sample_column(&sample_core, "core/cpu", NULL, "cpu");
    columns[2] = sample_column(&sample_candle, "candle@0.11.0/metal", "0.11.0", "metal");
    columns[2].recorded = true;
    for (int column = 0; column < 3; column++) {
        bool metal = column == 2;
        parity_value *old = M12(1, 2), *new = M12(0.5, 1.5), *zero = M22(0, 0, 0, 0);
        parity_value *written = M22(7, 7, 0, 0);
        RUN(column, new, new, new, metal ? new : old, old, metal ? old : new, written,
            metal ? written : zero, old, new, zero, written);
    }
    expect_transcript(page("cases/pages/snapshot.yaml"), 3,
                      "cases/pages/expected/snapshot.candle.txt");
}
END_TEST

START_TEST(snapshot_in_torch)
{
    columns[0] = sample_column(&sample_torch, "torch@2.15.0/cpu", "2.15.0", "cpu");
    parity_value *old = M12(1, 2), *new = M12(0.5, 1.5), *zero = M22(0, 0, 0, 0);
    RUN(0, new, new, old, old, old, new, zero, old, new, zero, M22(7, 7, 0, 0));
    expect_transcript(page("cases/pages/snapshot.yaml"), 1,
                      "cases/pages/expected/snapshot.torch.txt");
}
END_TEST

START_TEST(references_in_candle)
{
    columns[0] = sample_column(&sample_candle, "candle@0.11.0/cpu", "0.11.0", "cpu");
    parity_value *unit = sample_text(PARITY_VALUE_UNIT, "");
    parity_value *one = V3(1, 1, 1), *threes = M12(3, 3);
    RUN(0, one, one, V3(2, 2, 2), threes, threes, sample_mib(0), sample_bool(true),
        sample_mib(64.0002), sample_bool(false), ID("4"), ID("4"), ID("5"),
        V4(9, 2, 3, 4), V4(9, 2, 3, 4), V4(1, 2, 3, 4), M23(0, 0, 0, 7, 8, 9),
        ERR("cannot use slice_set when self and src share their storage"),
        ERR("slice-set only supports contiguous tensors"), V3(0, 0, 0), V3(2, 4, 6),
        sample_items(PARITY_VALUE_OK, ITEMS(unit)),
        ERR("cannot set variable cannot set a variable to a tensor that is derived from "
            "its "
            "value"),
        V3(0, 0, 0));
    expect_transcript(page("cases/pages/references.yaml"), 1,
                      "cases/pages/expected/references.candle.txt");
}
END_TEST

START_TEST(references_in_torch)
{
    columns[0] = sample_column(&sample_torch, "torch@2.15.0/cpu", "2.15.0", "cpu");
    parity_value *one = V3(1, 1, 1);
    RUN(0, one, one, V3(2, 2, 2), sample_bool(true), sample_mib(0), sample_bool(false),
        sample_mib(64.3), V4(9, 2, 3, 4), V4(9, 2, 3, 4), V4(1, 2, 3, 4),
        M23(0, 0, 0, 7, 8, 9), V4(9, 2, 3, 4),
        sample_tensor(PARITY_F32, 1, SHAPE(2), OF(0, 0)), V3(0, 0, 0), V3(2, 4, 6),
        V3(0, 0, 0));
    expect_transcript(page("cases/pages/references.yaml"), 1,
                      "cases/pages/expected/references.torch.txt");
}
END_TEST

static void tear_down(void)
{
    sample_free();
    parity_suite_free(&suite_of_page);
    suite_of_page = (parity_suite){0};
}

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("pages");
    TCase *all = tcase_create("pages");
    tcase_add_checked_fixture(all, NULL, tear_down);
    tcase_add_test(all, snapshot_in_candle);
    tcase_add_test(all, snapshot_in_torch);
    tcase_add_test(all, references_in_candle);
    tcase_add_test(all, references_in_torch);
    suite_add_tcase(suite, all);
    return suite;
}
