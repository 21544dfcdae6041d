/* Verdicts on other columns: records, devices, versions, absent judges; exit codes. */
#include "harness/compare/stage.h"
#include "tools/test_main.h"

#include <string.h>

START_TEST(record_in_every_state)
{
    const parity_case *test = sample_case(PLAIN);
    parity_value *one = stage_f32(1), *two = stage_f32(2);
    stage_observe(CORE, 1, &one);
    stage_observe(CANDLE, 1, &one);
    stage_observe(TORCH, 1, &one);
    stage_record(test, CANDLE, &one);
    stage_judge(test, true);
    stage_expect(PARITY_RECORD, 0, CANDLE, PARITY_AGREE, NULL);
    stage_expect(PARITY_RECORD, PARITY_NONE, TORCH, PARITY_NOT_JUDGED,
                 "no record of torch@2.15.0");
    ck_assert_ptr_null(stage_find(PARITY_RECORD, PARITY_NONE, CORE));
    stage.nrecords = 0;
    stage_record(test, CANDLE, &two);
    stage_judge(test, true);
    stage_expect(PARITY_RECORD, 0, CANDLE, PARITY_CHANGED,
                 "element [0]: 1.0 (candle@0.11.0/cpu) against 2.0 (recorded)");
    stage.blocks[0].text_hash ^= 1;
    stage_judge(test, true);
    stage_expect(PARITY_RECORD, PARITY_NONE, CANDLE, PARITY_NOT_JUDGED,
                 "made from other case text of candle@0.11.0/cpu");
    ck_assert_ptr_null(stage_find(PARITY_RECORD, 0, CANDLE));
    stage_judge(test, false);
    ck_assert_ptr_null(stage_find(PARITY_RECORD, PARITY_NONE, TORCH));
}
END_TEST

START_TEST(record_stands_in_for_an_absent_judge)
{
    const parity_case *test = sample_case(EXPLAINED);
    parity_value *one = stage_f32(1), *two = stage_f32(2);
    stage_observe(CORE, 1, &one);
    stage_observe(CANDLE, 1, &one);
    stage_observe(TORCH, 1, &two);
    stage.columns[TORCH].absent = "no PyTorch here";
    stage.columns[TORCH].recorded = true;
    stage_judge(test, false);
    stage_expect(PARITY_CONTRAST, 0, CANDLE, PARITY_FINDING, NULL);
    stage.columns[TORCH].recorded = false;
    stage_end(TORCH, PARITY_ABSENT, NULL, "no PyTorch here");
    stage_judge(test, false);
    stage_expect(PARITY_CONTRAST, PARITY_NONE, CANDLE, PARITY_NOT_JUDGED,
                 "no PyTorch here");
    stage_end(CANDLE, PARITY_ABSENT, NULL, "no cargo here");
    stage.columns[CANDLE].absent = "no cargo here";
    stage_judge(test, false);
    stage_expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_NOT_JUDGED, "no cargo here");
}
END_TEST

/* Without the judge the core speaks for candle: better than nothing for one's own
 * snippet. */
START_TEST(core_speaks_for_candle_at_the_end)
{
    stage_observe(CORE, 1, (parity_value *[]){stage_f32(1)});
    stage_end(CANDLE, PARITY_ABSENT, NULL, "no cargo here");
    stage.columns[CANDLE].absent = "no cargo here";
    stage_observe(TORCH, 1, (parity_value *[]){stage_f32(2)});
    stage_judge(sample_case(EXPLAINED), false);
    stage_expect(PARITY_CONTRAST, 0, CORE, PARITY_FINDING, NULL);
}
END_TEST

START_TEST(background_columns_only_judge)
{
    parity_value *one = stage_f32(1), *two = stage_f32(2);
    stage_observe(CORE, 1, &one);
    stage_observe(CANDLE, 1, &one);
    stage_observe(TORCH, 1, &two);
    stage.columns[CANDLE].background = stage.columns[CANDLE].recorded = true;
    stage.columns[TORCH].background = stage.columns[TORCH].recorded = true;
    stage_judge(sample_case(PLAIN), false);
    stage_expect(PARITY_FIDELITY, 0, CORE, PARITY_AGREE, NULL);
    ck_assert_ptr_null(stage_find(PARITY_CONTRAST, 0, CANDLE));
}
END_TEST

static const char on_metal[] = PROGRAMS ROW ", devices: {metal: shares the buffer}}\n";

START_TEST(device_in_every_state)
{
    parity_value *one = stage_f32(1), *two = stage_f32(2);
    const struct {
        const char *yaml;
        parity_value *metal;
        parity_state state;
    } table[] = {{PLAIN, one, PARITY_AGREE},
                 {PLAIN, two, PARITY_UNDOCUMENTED},
                 {on_metal, two, PARITY_FINDING},
                 {on_metal, one, PARITY_FINDING_GONE}};
    stage.columns[LIVE] =
        sample_column(&sample_candle, "candle@0.11.0/metal", "0.11.0", "metal");
    stage.columns[LIVE].recorded = true;
    stage.ncolumns = LIVE + 1;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        stage_observe(CORE, 1, &one);
        stage_observe(CANDLE, 1, &one);
        stage_observe(TORCH, 1, &one);
        stage_observe(LIVE, 1, &table[i].metal);
        stage_judge(sample_case(table[i].yaml), false);
        stage_expect(PARITY_DEVICE, 0, LIVE, table[i].state, NULL);
    }
    stage.columns[LIVE] =
        sample_column(&sample_core, "core/metal-soft", NULL, "metal-soft");
    stage_observe(LIVE, 1, &two);
    stage_judge(sample_case(on_metal), false);
    stage_expect(PARITY_DEVICE, 0, LIVE, PARITY_FINDING, NULL);
    stage_expect(PARITY_FIDELITY, PARITY_NONE, LIVE, PARITY_NOT_JUDGED, "on metal,");
}
END_TEST

static const char before[] = PROGRAMS ROW ", versions: {'<0.8.3': it was another}}\n";
static const char hung[] = PROGRAMS ROW ", versions: {'<0.8.3': {ends: hang}}}\n";

START_TEST(version_in_every_state)
{
    parity_value *one = stage_f32(1), *two = stage_f32(2);
    const struct {
        const char *yaml;
        parity_value *old;
        parity_state state;
    } table[] = {{PLAIN, one, PARITY_AGREE},
                 {PLAIN, two, PARITY_UNDOCUMENTED},
                 {before, two, PARITY_FINDING},
                 {before, one, PARITY_FINDING_GONE}};
    stage.columns[LIVE] =
        sample_column(&sample_candle, "candle@0.8.2/cpu", "0.8.2", "cpu");
    stage.ncolumns = LIVE + 1;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const parity_case *test = sample_case(table[i].yaml);
        stage.nrecords = 0;
        stage_record(test, CANDLE, &one);
        stage_observe(CORE, 1, &one);
        stage_observe(CANDLE, 1, &one);
        stage_observe(TORCH, 1, &one);
        stage_observe(LIVE, 1, &table[i].old);
        stage_judge(test, true);
        stage_expect(PARITY_VERSION, 0, LIVE, table[i].state, NULL);
        ck_assert_ptr_null(stage_find(PARITY_VERSION, 0, CANDLE));
        stage_expect(PARITY_FIDELITY, 0, CORE, PARITY_AGREE, NULL);
    }
    const parity_case *test = sample_case(hung);
    stage.nrecords = 0;
    stage_record(test, CANDLE, &one);
    stage_end(LIVE, PARITY_HANG, NULL, "waited for the lock");
    stage_judge(test, true);
    stage_expect(PARITY_STATED, PARITY_NONE, LIVE, PARITY_AGREE, NULL);
    stage_expect(PARITY_VERSION, 0, LIVE, PARITY_FINDING, "hang");
    stage_expect(PARITY_VERSION, PARITY_NONE, LIVE, PARITY_FINDING, "hang");
    stage_observe(LIVE, 1, &one);
    stage_judge(test, true);
    stage_expect(PARITY_STATED, PARITY_NONE, LIVE, PARITY_CHANGED, "ran through");
    stage_expect(PARITY_VERSION, 0, LIVE, PARITY_FINDING_GONE, NULL);
}
END_TEST

/* The record of the version that was recorded goes before a live judge of another one. */
START_TEST(record_goes_before_another_version)
{
    parity_value *one = stage_f32(1), *two = stage_f32(2);
    const parity_case *test = sample_case(PLAIN);
    stage.columns[CANDLE] =
        sample_column(&sample_candle, "candle@0.8.2/cpu", "0.8.2", "cpu");
    stage.columns[LIVE] =
        sample_column(&sample_candle, "candle@0.11.0/cpu", "0.11.0", "cpu");
    stage.columns[LIVE].recorded = stage.columns[LIVE].background = true;
    stage.ncolumns = LIVE + 1;
    stage_record(test, LIVE, &one);
    stage_observe(CORE, 1, &one);
    stage_observe(CANDLE, 1, &two);
    stage_observe(TORCH, 1, &one);
    stage_observe(LIVE, 1, &one);
    stage_judge(test, true);
    stage_expect(PARITY_CONTRAST, 0, LIVE, PARITY_AGREE, NULL);
    stage_expect(PARITY_VERSION, 0, CANDLE, PARITY_UNDOCUMENTED, "candle@0.11.0/cpu");
    stage_expect(PARITY_FIDELITY, 0, CORE, PARITY_AGREE, NULL);
}
END_TEST

/* The core models one version and is not held against another. */
START_TEST(core_answers_for_its_own_version)
{
    parity_provenance semantics = {"semantics", "candle 0.11.0"};
    stage.columns[CORE].provenance = &semantics;
    stage.columns[CORE].nprovenance = 1;
    stage.columns[CANDLE] =
        sample_column(&sample_candle, "candle@0.8.2/cpu", "0.8.2", "cpu");
    stage_observe(CORE, 1, (parity_value *[]){stage_f32(1)});
    stage_observe(CANDLE, 1, (parity_value *[]){stage_f32(2)});
    stage_observe(TORCH, 1, (parity_value *[]){stage_f32(1)});
    stage_judge(sample_case(PLAIN), false);
    stage_expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_NOT_JUDGED,
                 "no column of candle 0.11.0");
}
END_TEST

START_TEST(observations_pair_by_name)
{
    const parity_case *test =
        sample_case(PROGRAMS "rows:\n  - {id: r, torch: '{s=a} {m=b:.0} {c}', candle: "
                             "'{m=b:.3} {s=a} {c}'}\n");
    stage_observe(CORE, 3,
                  (parity_value *[]){sample_mib(64.01), sample_bool(true), stage_f32(1)});
    stage_observe(CANDLE, 3,
                  (parity_value *[]){sample_mib(64.01), sample_bool(true), stage_f32(1)});
    stage_observe(TORCH, 3,
                  (parity_value *[]){sample_bool(true), sample_mib(64.3), stage_f32(1)});
    stage_judge(test, false);
    stage_expect(PARITY_CONTRAST, 0, CANDLE, PARITY_AGREE, NULL);
    stage_observe(TORCH, 3,
                  (parity_value *[]){sample_bool(false), sample_mib(64.3), stage_f32(1)});
    stage_judge(test, false);
    stage_expect(PARITY_CONTRAST, 0, CANDLE, PARITY_UNDOCUMENTED, "{a}: true");
}
END_TEST

/* A row of plain text on both sides proves nothing. */
START_TEST(rows_without_observations_are_silent)
{
    stage_observe(CORE, 0, NULL);
    stage_observe(CANDLE, 0, NULL);
    stage_observe(TORCH, 0, NULL);
    stage_judge(sample_case(PROGRAMS "rows:\n  - {id: r, torch: 'x', candle: 'x'}\n"),
                false);
    for (size_t i = 0; i < stage.result.nverdicts; i++)
        ck_assert_msg(stage.result.verdicts[i].row == PARITY_NONE,
                      "a verdict on the row");
}
END_TEST

START_TEST(skipped_says_so)
{
    stage_judge(sample_case("title: t\ntorch: |\n  x = 1\nskip: not today\n"), false);
    ck_assert_uint_eq(stage.result.nverdicts, 1);
    ck_assert_str_eq(stage.result.verdicts[0].why, "skipped: not today");
    ck_assert_int_eq(stage.result.verdicts[0].state, PARITY_NOT_JUDGED);
}
END_TEST

START_TEST(exit_codes)
{
    parity_verdict verdicts[2] = {{.state = PARITY_AGREE}, {.state = PARITY_NOT_JUDGED}};
    parity_case_result one = {.runs = stage.runs, .verdicts = verdicts, .nverdicts = 2};
    parity_result all = {
        .columns = stage.columns, .ncolumns = LIVE, .cases = &one, .ncases = 1};
    bool named[LIVE] = {false};
    ck_assert_int_eq(parity_exit_code(&all, named, false), 0);
    ck_assert_int_eq(parity_exit_code(&all, NULL, false), 0);
    stage.columns[TORCH].absent = "not here";
    ck_assert_int_eq(parity_exit_code(&all, named, false), 0);
    ck_assert_int_eq(parity_exit_code(&all, named, true), 2);
    named[TORCH] = true;
    ck_assert_int_eq(parity_exit_code(&all, named, false), 2);
    stage.columns[TORCH].absent = NULL;
    stage.runs[TORCH].protocol_broken = true;
    ck_assert_int_eq(parity_exit_code(&all, named, false), 2);
    for (int state = PARITY_UNDOCUMENTED; state <= PARITY_CHANGED; state++) {
        verdicts[1].state = (parity_state)state;
        ck_assert_int_eq(parity_exit_code(&all, named, false), 1);
    }
    stage.runs[TORCH].protocol_broken = false;
    verdicts[0].state = verdicts[1].state = PARITY_NOT_JUDGED;
    ck_assert_int_eq(parity_exit_code(&all, named, false), 2);
    all.ncases = 0;
    ck_assert_int_eq(parity_exit_code(&all, named, false), 2);
    all.ncases = 1;
    verdicts[0].state = PARITY_FINDING;
    ck_assert_int_eq(parity_exit_code(&all, named, false), 0);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("elsewhere");
    TCase *all = tcase_create("elsewhere");
    tcase_add_checked_fixture(all, stage_set_up, stage_tear_down);
    tcase_add_test(all, record_in_every_state);
    tcase_add_test(all, record_stands_in_for_an_absent_judge);
    tcase_add_test(all, core_speaks_for_candle_at_the_end);
    tcase_add_test(all, background_columns_only_judge);
    tcase_add_test(all, device_in_every_state);
    tcase_add_test(all, version_in_every_state);
    tcase_add_test(all, record_goes_before_another_version);
    tcase_add_test(all, core_answers_for_its_own_version);
    tcase_add_test(all, observations_pair_by_name);
    tcase_add_test(all, rows_without_observations_are_silent);
    tcase_add_test(all, skipped_says_so);
    tcase_add_test(all, exit_codes);
    suite_add_tcase(suite, all);
    return suite;
}
