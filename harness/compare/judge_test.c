/* Verdicts on whole cases: contrast, fidelity, fates, memory, and how programs end. */
#include "harness/compare/stage.h"
#include "tools/test_main.h"

#include <math.h>
#include <string.h>

START_TEST(contrast_in_every_state)
{
    parity_value *one = stage_f32(1), *two = stage_f32(2), *nan = stage_f32(NAN);
    const struct {
        const char *yaml;
        parity_value *candle, *torch;
        parity_state state;
    } table[] = {
        {PLAIN, one, one, PARITY_AGREE},
        {PLAIN, one, two, PARITY_UNDOCUMENTED},
        {EXPLAINED, one, two, PARITY_FINDING},
        {EXPLAINED, one, one, PARITY_FINDING_GONE},
        {PLAIN, nan, one, PARITY_UNDOCUMENTED},
        {PLAIN, one, nan, PARITY_UNDOCUMENTED},
        {EXPLAINED, nan, nan, PARITY_FINDING_GONE},
        {PLAIN, nan, nan, PARITY_AGREE},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        stage_observe(CORE, 1, &table[i].candle);
        stage_observe(CANDLE, 1, &table[i].candle);
        stage_observe(TORCH, 1, &table[i].torch);
        stage_judge(sample_case(table[i].yaml), false);
        stage_expect(PARITY_CONTRAST, 0, CANDLE, table[i].state, NULL);
        stage_expect(PARITY_FIDELITY, 0, CORE, PARITY_AGREE, NULL);
        stage_expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_AGREE, NULL);
    }
    ck_assert_ptr_null(stage_find(PARITY_STATED, PARITY_NONE, CANDLE));
}
END_TEST

START_TEST(texts_teach)
{
    stage_observe(CORE, 1, (parity_value *[]){stage_f32(1)});
    stage_observe(CANDLE, 1, (parity_value *[]){stage_f32(1.5)});
    stage_observe(TORCH, 1, (parity_value *[]){stage_f32(2.5)});
    stage_judge(sample_case(PLAIN), false);
    ck_assert_str_eq(
        stage_find(PARITY_CONTRAST, 0, CANDLE)->why,
        "element [0]: 1.5 (candle@0.11.0/cpu) against 2.5 (torch@2.15.0/cpu)");
    ck_assert_str_eq(stage_find(PARITY_FIDELITY, 0, CORE)->why,
                     "element [0]: 1.0 (core/cpu) against 1.5 (candle@0.11.0/cpu)");
    ck_assert_int_eq(stage_find(PARITY_FIDELITY, 0, CORE)->state, PARITY_CHANGED);
    ck_assert_int_eq(stage_find(PARITY_FIDELITY, 0, CORE)->pos.line, 9);
}
END_TEST

START_TEST(bound_loosens_contrast_only)
{
    parity_value *near[] = {stage_f32(1), stage_f32(1 + 0x1p-23), stage_f32(1 + 0x1p-20)};
    const parity_case *test = sample_case(PROGRAMS ROW ", bound: elementary}\n");
    stage_observe(CORE, 1, &near[1]);
    stage_observe(CANDLE, 1, &near[0]);
    stage_observe(TORCH, 1, &near[1]);
    stage_judge(test, false);
    stage_expect(PARITY_CONTRAST, 0, CANDLE, PARITY_AGREE, NULL);
    stage_expect(PARITY_FIDELITY, 0, CORE, PARITY_CHANGED, "1 ULP");
    stage_observe(TORCH, 1, &near[2]);
    stage_judge(test, false);
    stage_expect(PARITY_CONTRAST, 0, CANDLE, PARITY_UNDOCUMENTED,
                 "beyond the bound for elementary");
}
END_TEST

START_TEST(what_cannot_be_seen_is_not_judged)
{
    stage_observe(CORE, 1, (parity_value *[]){stage_f32(1)});
    stage_observe(CANDLE, 1, (parity_value *[]){stage_f32(1)});
    stage_observe(TORCH, 1, (parity_value *[]){stage_f32(1)});
    stage.runs[TORCH].observed[0] = sample_ending(PARITY_UNSUPPORTED, NULL, "measure");
    stage_end(CORE, PARITY_UNSUPPORTED, NULL, "no traits");
    stage_judge(sample_case(EXPLAINED), false);
    stage_expect(PARITY_CONTRAST, 0, CANDLE, PARITY_NOT_JUDGED,
                 "torch@2.15.0/cpu: unsupported: measure");
    stage_expect(PARITY_FIDELITY, 0, CORE, PARITY_NOT_JUDGED,
                 "core/cpu: unsupported: no traits");
    stage_expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_NOT_JUDGED, "no traits");
    ck_assert_ptr_null(stage_find(PARITY_STATED, PARITY_NONE, CORE));
    stage.runs[TORCH].protocol_broken = true;
    stage_judge(sample_case(EXPLAINED), false);
    stage_expect(PARITY_CONTRAST, 0, CANDLE, PARITY_NOT_JUDGED, "broke the protocol");
}
END_TEST

/* A difference is not hidden behind something that cannot be compared. */
START_TEST(a_difference_decides)
{
    const parity_case *test =
        sample_case("title: t\ncandle: |\n  let a = 1;\nrows:\n"
                    "  - {id: r, candle: '{a} {b}'}\n  - {id: s, candle: '{c}'}\n");
    stage_observe(CORE, 3, (parity_value *[]){stage_f32(1), stage_f32(2), stage_f32(3)});
    stage_observe(CANDLE, 3,
                  (parity_value *[]){stage_f32(1), stage_f32(5), stage_f32(3)});
    stage.runs[CORE].observed[0] = sample_ending(PARITY_UNSUPPORTED, NULL, "no traits");
    stage.runs[CANDLE].observed[2] = sample_ending(PARITY_REFUSED, "E0599", "no method");
    stage_judge(test, false);
    stage_expect(PARITY_FIDELITY, 0, CORE, PARITY_CHANGED, "{b}: element [0]: 2.0");
    stage_expect(PARITY_FIDELITY, 1, CORE, PARITY_NOT_JUDGED, "only a compiler");
    stage_expect(PARITY_STATED, 1, CANDLE, PARITY_UNDOCUMENTED,
                 "{c}: refused E0599: no method");
    ck_assert_ptr_null(stage_find(PARITY_STATED, 0, CANDLE));
    stage.runs[CANDLE].observed[0] = sample_ending(PARITY_NOT_REACHED, NULL, NULL);
    stage_judge(test, false);
    stage_expect(PARITY_STATED, 0, CANDLE, PARITY_UNDOCUMENTED,
                 "{a}: the program returned before it could be seen");
}
END_TEST

/* Two observations: which of them share a storage is compared, not how the storages are
 * named. */
START_TEST(memory_is_a_partition)
{
    const parity_case *test = sample_case("title: t\ncandle: |\n  let a = 1;\nrows:\n"
                                          "  - {id: base, candle: '{a}'}\n"
                                          "  - {id: view, candle: '{a.clone()}'}\n");
    stage_observe(CORE, 2, (parity_value *[]){stage_placed(1, 7), stage_placed(1, 7)});
    stage_observe(CANDLE, 2, (parity_value *[]){stage_placed(1, 1), stage_placed(1, 1)});
    stage_judge(test, false);
    stage_expect(PARITY_FIDELITY, 1, CORE, PARITY_AGREE, NULL);
    stage_observe(CORE, 2, (parity_value *[]){stage_placed(1, 1), stage_placed(1, 2)});
    stage_judge(test, false);
    stage_expect(PARITY_FIDELITY, 0, CORE, PARITY_AGREE, NULL);
    stage_expect(PARITY_FIDELITY, 1, CORE, PARITY_CHANGED, NULL);
    ck_assert_str_eq(
        stage_find(PARITY_FIDELITY, 1, CORE)->why,
        "{a.clone()} shares memory with {a} of row base (candle@0.11.0/cpu), but "
        "not in the other (core/cpu)");
    stage.runs[CORE].observed[1].value->tensor->storage = 1;
    stage_judge(test, false);
    stage_expect(PARITY_FIDELITY, 1, CORE, PARITY_CHANGED,
                 "is the same tensor as {a} of row base");
}
END_TEST

static const char fates[] =
    PROGRAMS "subjects:\n  w: {torch: {was: w0, now: w}, candle: {was: w0, now: w}}\n"
             "rows:\n  - {id: s, of: w, torch: '{s}', candle: '{s}'}\n";

START_TEST(fate_decides_with_the_value)
{
    const struct {
        double candle[3], torch[3]; /* snapshot, was, now */
        parity_fate fate;
        parity_state state;
        const char *why;
    } table[] = {
        {{2, 1, 2}, {2, 1, 2}, PARITY_FOLLOWS, PARITY_AGREE, NULL},
        {{1, 1, 2}, {1, 1, 2}, PARITY_KEEPS, PARITY_AGREE, NULL},
        {{3, 1, 2}, {3, 1, 2}, PARITY_NEITHER, PARITY_AGREE, NULL},
        {{2, 1, 2},
         {1, 1, 2},
         PARITY_FOLLOWS,
         PARITY_UNDOCUMENTED,
         "follows (candle@0.11.0/cpu) against keeps (torch@2.15.0/cpu); element [0]"},
        {{2, 1, 2}, {2, 2, 1}, PARITY_FOLLOWS, PARITY_UNDOCUMENTED, "follows"},
        {{2, 2, 2}, {2, 2, 2}, PARITY_FATE_NONE, PARITY_NOT_JUDGED, "did not change"},
        {{NAN, 1, NAN}, {NAN, 1, NAN}, PARITY_FOLLOWS, PARITY_AGREE, NULL},
    };
    const parity_case *test = sample_case(fates);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const double *c = table[i].candle, *t = table[i].torch;
        stage_observe(
            CORE, 3,
            (parity_value *[]){stage_f32(c[0]), stage_f32(c[1]), stage_f32(c[2])});
        stage_observe(
            CANDLE, 3,
            (parity_value *[]){stage_f32(c[0]), stage_f32(c[1]), stage_f32(c[2])});
        stage_observe(
            TORCH, 3,
            (parity_value *[]){stage_f32(t[0]), stage_f32(t[1]), stage_f32(t[2])});
        stage_judge(test, false);
        ck_assert_int_eq(stage.result.fates[CANDLE], table[i].fate);
        stage_expect(PARITY_CONTRAST, 0, CANDLE, table[i].state, table[i].why);
    }
    stage_observe(CORE, 3, (parity_value *[]){stage_f32(2), stage_f32(0), stage_f32(2)});
    stage_judge(test, false);
    stage_expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_CHANGED,
                 "subject w: {w0}: element [0]");
}
END_TEST

static const struct {
    const char *ends;
    parity_outcome_kind kind;
    const char *type, *text;
    parity_pos pos;
    parity_state state; /* of candle */
    const char *why;
} ends[] = {
    {"", PARITY_PANIC, NULL, "no", {0, 0}, PARITY_UNDOCUMENTED, "it was: panic: no"},
    {"ends: {candle: panic}", PARITY_PANIC, NULL, "no", {0, 0}, PARITY_AGREE, NULL},
    {"ends: {candle: panic}",
     PARITY_VALUE,
     NULL,
     NULL,
     {0, 0},
     PARITY_CHANGED,
     "ran through"},
    {"ends: {candle: {panic: divide}}",
     PARITY_PANIC,
     NULL,
     "to divide by zero",
     {0, 0},
     PARITY_AGREE,
     NULL},
    {"ends: {candle: {panic: add}}",
     PARITY_PANIC,
     NULL,
     "to divide by zero",
     {0, 0},
     PARITY_CHANGED,
     "add"},
    {"ends: {candle: {refused: E0368, at: 'a += &b'}}",
     PARITY_REFUSED,
     "E0368",
     "x",
     {2, 1},
     PARITY_AGREE,
     NULL},
    {"ends: {candle: {refused: E0368, at: 'a += &b'}}",
     PARITY_REFUSED,
     "E0382",
     "x",
     {2, 1},
     PARITY_CHANGED,
     "E0368"},
    {"ends: {candle: {refused: E0368, at: 'a += &b'}}",
     PARITY_REFUSED,
     "E0368",
     "x",
     {1, 5},
     PARITY_CHANGED,
     "line 1, column 5"},
    {"ends: {candle: {refused: E0368, at: 'a += &b'}}",
     PARITY_REFUSED,
     "E0368",
     "x",
     {0, 0},
     PARITY_CHANGED,
     "no place"},
    {"ends: {candle: hang}", PARITY_HANG, NULL, "lock", {0, 0}, PARITY_AGREE, NULL},
};

START_TEST(ends_are_stated)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        parity_buffer yaml = {0};
        parity_buffer_printf(&yaml, "%s%s\n", PLAIN, ends[i].ends);
        stage_observe(CORE, 0, NULL);
        stage_observe(TORCH, 1, (parity_value *[]){stage_f32(1)});
        stage_end(CANDLE, ends[i].kind, ends[i].type, ends[i].text);
        stage.runs[CANDLE].end.pos = ends[i].pos;
        stage_judge(sample_case(yaml.data), false);
        stage_expect(PARITY_STATED, PARITY_NONE, CANDLE, ends[i].state, ends[i].why);
        if (strstr(ends[i].ends, "refused"))
            ck_assert_ptr_null(stage_find(PARITY_STATED, PARITY_NONE, CORE));
        parity_buffer_free(&yaml);
    }
}
END_TEST

START_TEST(ends_of_two_languages)
{
    const struct {
        bool finding;
        parity_outcome_kind candle, torch;
        parity_state state;
    } table[] = {
        {false, PARITY_ERROR, PARITY_ERROR, PARITY_AGREE},
        {false, PARITY_ERROR, PARITY_VALUE, PARITY_UNDOCUMENTED},
        {false, PARITY_PANIC, PARITY_ERROR, PARITY_UNDOCUMENTED},
        {true, PARITY_HANG, PARITY_VALUE, PARITY_FINDING},
        {true, PARITY_VALUE, PARITY_VALUE, PARITY_FINDING_GONE},
        {true, PARITY_UNSUPPORTED, PARITY_VALUE, PARITY_NOT_JUDGED},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        parity_buffer yaml = {0};
        parity_buffer_printf(&yaml, "%s%s", PROGRAMS,
                             table[i].finding ? "finding: so\n" : "");
        stage_observe(CORE, 0, NULL);
        stage_end(CANDLE, table[i].candle, "candle", "a");
        stage_end(TORCH, table[i].torch, "RuntimeError", "b");
        stage_judge(sample_case(yaml.data), false);
        stage_expect(PARITY_CONTRAST, PARITY_NONE, CANDLE, table[i].state, NULL);
        parity_buffer_free(&yaml);
    }
}
END_TEST

START_TEST(refusal_is_the_compilers)
{
    const parity_case *test = sample_case(PLAIN);
    stage_end(CANDLE, PARITY_REFUSED, "E0382", "moved");
    stage_observe(TORCH, 1, (parity_value *[]){stage_f32(1)});
    stage_observe(CORE, 1, (parity_value *[]){stage_f32(1)});
    stage_judge(test, false);
    stage_expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_NOT_JUDGED, "refused E0382");
    stage_end(CORE, PARITY_REFUSED, "E0382", "other words");
    stage_judge(test, false);
    stage_expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_AGREE, NULL);
    stage_end(CORE, PARITY_REFUSED, "E0499", "other words");
    stage_judge(test, false);
    stage_expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_CHANGED, "E0499");
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("judge");
    TCase *all = tcase_create("judge");
    tcase_add_checked_fixture(all, stage_set_up, stage_tear_down);
    tcase_add_test(all, contrast_in_every_state);
    tcase_add_test(all, texts_teach);
    tcase_add_test(all, bound_loosens_contrast_only);
    tcase_add_test(all, what_cannot_be_seen_is_not_judged);
    tcase_add_test(all, a_difference_decides);
    tcase_add_test(all, memory_is_a_partition);
    tcase_add_test(all, fate_decides_with_the_value);
    tcase_add_test(all, ends_are_stated);
    tcase_add_test(all, ends_of_two_languages);
    tcase_add_test(all, refusal_is_the_compilers);
    suite_add_tcase(suite, all);
    return suite;
}
