/* Renders a report of a result that is always the same: report-sample REPORT renders the
 * hard one of the tests, report-sample REPORT ROWS one with so many rows. */
#include "harness/compare/sample.h"
#include "harness/model/report.h"
#include "reports/fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CORE, CANDLE, TORCH, METAL, SOFT, COLUMNS };
enum { ROWS = 20, THEMES = 5 };

static const char *const themes[THEMES] = {"clone", "detach", "copy", "narrow", "affine"};

static parity_provenance linux_box[] = {{"platform", "linux x86_64"}},
                         mac[] = {{"platform", "macos arm64"},
                                  {"recorded", "2026-01-01"}};
static parity_column columns[COLUMNS];
static parity_run runs[THEMES][COLUMNS];
static parity_case_result judged[THEMES];

static void make_columns(void)
{
    columns[CORE] = sample_column(&sample_core, "core/cpu", NULL, "cpu");
    columns[CANDLE] = sample_column(&sample_candle, "candle@0.11.0/cpu", "0.11.0", "cpu");
    columns[TORCH] = sample_column(&sample_torch, "torch@2.15.0/cpu", "2.15.0", "cpu");
    columns[METAL] =
        sample_column(&sample_candle, "candle@0.11.0/metal", "0.11.0", "metal");
    columns[SOFT] = sample_column(&sample_core, "core/metal-soft", NULL, "metal-soft");
    for (int i = 0; i < COLUMNS; i++) {
        columns[i].provenance = i == METAL ? mac : linux_box;
        columns[i].nprovenance = i == METAL ? 2 : 1;
    }
    columns[METAL].recorded = true;
}

/* Rows with a finding differ; of the second theme one differs without. */
static bool differs(int theme, int row)
{
    return row % 10 == 3 || (theme == 1 && row == 7);
}

static const parity_case *make_case(int theme)
{
    const char *word = themes[theme];
    parity_buffer text = {0};
    parity_buffer_printf(&text,
                         "title: {en: The theme %s, zh: 主题 %s}\n"
                         "about: What %s does to memory.\n"
                         "torch: |\n  x = torch.zeros(2)  # two\n  y = x.%s(\"%d\")\n"
                         "candle: |\n  let x = Tensor::zeros(2, DType::F32, &dev)?;\n"
                         "  let y = x.%s(%d)?;\nrows:\n",
                         word, word, word, word, theme, word, theme);
    for (int row = 0; row < ROWS; row++) {
        parity_buffer_printf(&text, "  - {id: row_%02d, torch: 'y  {y.at(%d)}', ", row,
                             row);
        parity_buffer_printf(&text, "candle: 'y  {y.at(%d)}'%s}\n", row,
                             row % 10 == 3 ? ", finding: Only one of them copies." : "");
    }
    const parity_case *made = sample_case(text.data);
    parity_buffer_free(&text);
    return made;
}

static void fill(int theme, int column)
{
    parity_value *values[ROWS];
    for (int row = 0; row < ROWS; row++) {
        double number = row + (column == TORCH && differs(theme, row) ? 0.5 : 0);
        values[row] = sample_place(
            sample_tensor(PARITY_F32, 1, SHAPE(2), OF(number, theme)),
            (uint32_t)(column == TORCH ? row + 1 : 1 + row % 3), (uint32_t)row + 1);
        values[row]->tensor->offset = column == TORCH ? 0 : row / 3;
    }
    sample_run(&runs[theme][column], ROWS, values);
}

static void make_theme(int theme)
{
    for (int column = 0; column < COLUMNS; column++)
        if (column != METAL || theme % 2)
            fill(theme, column);
        else
            runs[theme][column].end =
                sample_ending(PARITY_ABSENT, NULL, "no record of this case");
    if (theme == 4)
        runs[theme][TORCH].observed[0] = sample_ending(PARITY_UNSUPPORTED, NULL, "no at");
    judged[theme] = (parity_case_result){.test = make_case(theme), .runs = runs[theme]};
    parity_judge(&judged[theme], columns, COLUMNS, NULL, 0);
}

static parity_result large_result(size_t rows)
{
    size_t count = (rows + ROWS - 1) / ROWS;
    parity_case *tests = calloc(count, sizeof *tests);
    parity_case_result *cases = calloc(count, sizeof *cases);
    make_columns();
    for (int theme = 0; theme < THEMES; theme++)
        make_theme(theme);
    for (size_t i = 0; i < count; i++) {
        parity_buffer id = {0}, title = {0};
        const char *theme = themes[i % THEMES];
        parity_buffer_printf(&id, "%s/case_%03zu", theme, i);
        parity_buffer_printf(&title, "Number %03zu of %s", i, theme);
        cases[i] = judged[i % THEMES];
        tests[i] = *cases[i].test;
        tests[i].id = parity_buffer_take(&id);
        tests[i].title.en = parity_buffer_take(&title);
        cases[i].test = &tests[i];
    }
    return (parity_result){.columns = columns,
                           .ncolumns = COLUMNS,
                           .cases = cases,
                           .ncases = count,
                           .seconds = 12.5,
                           .started = "2026-01-02T03:04:05Z"};
}

static int nwords;
static char **words;

/* A test of Check, because the values are made with its assertions. */
START_TEST(render)
{
    static const parity_report_options options = {.lang = "en", .width = 80};
    const parity_report *report = parity_report_find(words[1]);
    parity_buffer out = {0};
    parity_error error = {0};
    ck_assert_msg(report != NULL, "no report %s", words[1]);
    parity_result result =
        nwords > 2 ? large_result(strtoul(words[2], NULL, 10)) : *report_fixture();
    ck_assert_msg(report->render(&out, &result, &options, &error) == 0, "%s",
                  error.message);
    ck_assert_uint_eq(fwrite(out.data, 1, out.length, stdout), out.length);
    ck_assert_int_eq(fflush(stdout), 0);
    parity_buffer_free(&out);
}
END_TEST

int main(int argc, char **argv)
{
    nwords = argc;
    words = argv;
    if (argc < 2) {
        fprintf(stderr, "report-sample REPORT [ROWS]\n");
        return 2;
    }
    Suite *suite = suite_create("sample");
    TCase *all = tcase_create("sample");
    tcase_add_test(all, render);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    if (failed)
        srunner_print(runner, CK_NORMAL);
    srunner_free(runner);
    return failed != 0;
}
