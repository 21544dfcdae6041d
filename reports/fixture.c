#include "reports/fixture.h"
#include "harness/compare/sample.h"

#include <math.h>
#include <string.h>

enum { CORE, CANDLE, TORCH, METAL, COLUMNS };

static const char first[] = "title: {en: 'Clones | `ticks`', zh: 克隆}\n"
                            "about: A *star*, a <tag> and 中文.\n"
                            "torch: |\n  x = 1\n"
                            "candle: |\n  let x = 1;\n"
                            "rows:\n"
                            "  - {id: same, torch: 'x  {x}', candle: 'x    {x}'}\n"
                            "  - {id: clone, torch: 'y  {y}', candle: 'y    {y}', "
                            "finding: 'The handle | sees `it`.'}\n"
                            "  - {id: broken, torch: 'z  {z}', candle: 'z    {z}'}\n"
                            "  - {id: nan, torch: {value: n}, candle: 'n    {n}'}\n"
                            "  - {id: text, candle: 't    {t}'}\n"
                            "  - {id: unseen, torch: 'u  {u}', candle: 'u    {u}'}\n";

static const char second[] = "title: refused\n"
                             "candle: |\n  let a = b;\n"
                             "ends:\n  candle: {refused: E0425, at: 'b'}\n";

static parity_column columns[COLUMNS];
static parity_run runs[2][COLUMNS];
static parity_case_result cases[2];
static parity_case tests[2];
static parity_provenance platforms[] = {{"platform", "linux x86_64"},
                                        {"rustc", "1.95.0"}};
static parity_result result;

static parity_value *f32(double number)
{
    return sample_tensor(PARITY_F32, 1, SHAPE(1), OF(number));
}

static void make_columns(void)
{
    columns[CORE] = sample_column(&sample_core, "core/cpu", NULL, "cpu");
    columns[CANDLE] = sample_column(&sample_candle, "candle@0.11.0/cpu", "0.11.0", "cpu");
    columns[TORCH] = sample_column(&sample_torch, "torch@2.15.0/cpu", "2.15.0", "cpu");
    columns[METAL] =
        sample_column(&sample_candle, "candle@0.11.0/metal", "0.11.0", "metal");
    columns[CANDLE].provenance = platforms;
    columns[CANDLE].nprovenance = 2;
    columns[TORCH].recorded = true;
    columns[TORCH].provenance = platforms;
    columns[TORCH].nprovenance = 1;
    columns[METAL].absent = "no Metal here";
}

static void fill_first(void)
{
    parity_value *text =
        sample_text(PARITY_VALUE_TEXT, "a|b `c` \"d\" \x1b[31m\u202e 中文");
    parity_value *core[] = {f32(1), f32(2), f32(3), f32(NAN), text, f32(4)};
    parity_value *candle[] = {f32(1), f32(2), f32(3.5), f32(NAN), text, f32(4)};
    parity_value *torch[] = {f32(1), f32(1), f32(3.5), f32(NAN), f32(4)};
    sample_run(&runs[0][CORE], 6, core);
    sample_run(&runs[0][CANDLE], 6, candle);
    sample_run(&runs[0][TORCH], 5, torch);
    runs[0][TORCH].observed[4] = sample_ending(PARITY_UNSUPPORTED, NULL, "no `u` | here");
    runs[0][METAL].end = sample_ending(PARITY_ABSENT, NULL, "no Metal here");
}

static void fill_second(void)
{
    char *detail = (char *)"error[E0425]: cannot find value `b`\n --> line 1\x1b[0m";
    runs[1][CORE].end = sample_ending(PARITY_UNSUPPORTED, NULL, "unknown name b");
    runs[1][CANDLE].end = sample_ending(PARITY_REFUSED, "E0425", "cannot find value `b`");
    runs[1][CANDLE].end.detail = detail;
    runs[1][CANDLE].end.pos = (parity_pos){1, 5};
    runs[1][TORCH].end =
        sample_ending(PARITY_ABSENT, NULL, "the case has no program for it");
    runs[1][METAL].end = sample_ending(PARITY_ABSENT, NULL, "no Metal here");
}

const parity_result *report_fixture(void)
{
    report_fixture_free();
    memset(runs, 0, sizeof runs);
    make_columns();
    fill_first();
    fill_second();
    tests[0] = *sample_case(first);
    tests[0].id = "测试/clone[f32]";
    tests[0].file = "cases/测试/clone.yaml";
    tests[1] = *sample_case(second);
    tests[1].id = "refused";
    tests[1].file = "cases/refused.yaml";
    for (int i = 0; i < 2; i++) {
        cases[i] = (parity_case_result){.test = &tests[i], .runs = runs[i]};
        parity_judge(&cases[i], columns, COLUMNS, NULL, 0);
    }
    result = (parity_result){.columns = columns,
                             .ncolumns = COLUMNS,
                             .cases = cases,
                             .ncases = 2,
                             .seconds = 1.25,
                             .started = "2026-01-02T03:04:05Z"};
    return &result;
}

void report_fixture_free(void)
{
    parity_judge_clear(&cases[0]);
    parity_judge_clear(&cases[1]);
    sample_free();
}
