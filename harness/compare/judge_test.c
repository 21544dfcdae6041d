/* Verdicts on whole cases: every relation in every state, fates, exit codes. */
#include "harness/base/memory.h"
#include "harness/compare/sample.h"
#include "tools/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORE, CANDLE, TORCH, LIVE };

/* A stage for one case: three live columns on the CPU, more when a test wants them. */
static parity_column columns[8];
static parity_run runs[8];
static size_t ncolumns;
static parity_case_result result;
static parity_recorded blocks[4];
static const parity_recorded *records[4];
static size_t nrecords;

static parity_value *f32(double number)
{
    return sample_tensor(PARITY_F32, 1, SHAPE(1), OF(number));
}

static parity_value *placed(double number, uint32_t storage)
{
    return sample_place(f32(number), storage, storage);
}

static void set_up(void)
{
    memset(runs, 0, sizeof runs);
    columns[CORE] = sample_column(&sample_core, "core/cpu", NULL, "cpu");
    columns[CANDLE] = sample_column(&sample_candle, "candle@0.11.0/cpu", "0.11.0", "cpu");
    columns[TORCH] = sample_column(&sample_torch, "torch@2.15.0/cpu", "2.15.0", "cpu");
    ncolumns = LIVE;
    nrecords = 0;
    result = (parity_case_result){0};
}

static void tear_down(void)
{
    parity_judge_clear(&result);
    sample_free();
}

static void judge(const parity_case *test, bool with_records)
{
    parity_judge_clear(&result);
    result = (parity_case_result){.test = test, .runs = runs};
    for (size_t i = 0; i < nrecords; i++)
        records[i] = &blocks[i];
    parity_judge(&result, columns, ncolumns, with_records ? records : NULL,
                 with_records ? nrecords : 0);
}

/* The one verdict on a row (PARITY_NONE: the program); NULL: none. */
static const parity_verdict *find(parity_relation relation, size_t row, size_t left)
{
    const parity_verdict *found = NULL;
    for (size_t i = 0; i < result.nverdicts; i++) {
        const parity_verdict *one = &result.verdicts[i];
        if (one->relation != relation || one->row != row || one->left != left)
            continue;
        ck_assert_msg(!found, "two verdicts: %s and %s", found->why, one->why);
        found = one;
    }
    return found;
}

static void expect(parity_relation relation, size_t row, size_t left, parity_state state,
                   const char *why)
{
    const parity_verdict *one = find(relation, row, left);
    ck_assert_msg(one != NULL, "no %s verdict on row %d", parity_relation_name(relation),
                  (int)row);
    ck_assert_msg(one->state == state, "%s, not %s: %s", parity_state_name(one->state),
                  parity_state_name(state), one->why ? one->why : "");
    if (why)
        ck_assert_msg(one->why && strstr(one->why, why), "'%s' is not in '%s'", why,
                      one->why ? one->why : "");
}

static void observe(size_t column, size_t count, parity_value *const *values)
{
    sample_run(&runs[column], count, values);
}

static void end(size_t column, parity_outcome_kind kind, const char *type,
                const char *text)
{
    runs[column] = (parity_run){.ran = true, .end = sample_ending(kind, type, text)};
}

#define PROGRAMS                                                                         \
    "title: t\ntorch: |\n  x = 1\n  y = x\ncandle: |\n  let a = 1;\n  a += &b;\n"
#define ROW "rows:\n  - {id: r, torch: '{x}', candle: '{x}'"

static const char plain[] = PROGRAMS ROW "}\n";
static const char explained[] = PROGRAMS ROW ", finding: they differ}\n";

START_TEST(contrast_in_every_state)
{
    parity_value *one = f32(1), *two = f32(2), *nan = f32(NAN);
    const struct {
        const char *yaml;
        parity_value *candle, *torch;
        parity_state state;
    } table[] = {
        {plain, one, one, PARITY_AGREE},
        {plain, one, two, PARITY_UNDOCUMENTED},
        {explained, one, two, PARITY_FINDING},
        {explained, one, one, PARITY_FINDING_GONE},
        {plain, nan, one, PARITY_UNDOCUMENTED},
        {plain, one, nan, PARITY_UNDOCUMENTED},
        {explained, nan, nan, PARITY_FINDING_GONE},
        {plain, nan, nan, PARITY_AGREE},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        observe(CORE, 1, &table[i].candle);
        observe(CANDLE, 1, &table[i].candle);
        observe(TORCH, 1, &table[i].torch);
        judge(sample_case(table[i].yaml), false);
        expect(PARITY_CONTRAST, 0, CANDLE, table[i].state, NULL);
        expect(PARITY_FIDELITY, 0, CORE, PARITY_AGREE, NULL);
        expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_AGREE, NULL);
    }
    ck_assert_ptr_null(find(PARITY_STATED, PARITY_NONE, CANDLE));
}
END_TEST

START_TEST(texts_teach)
{
    observe(CORE, 1, (parity_value *[]){f32(1)});
    observe(CANDLE, 1, (parity_value *[]){f32(1.5)});
    observe(TORCH, 1, (parity_value *[]){f32(2.5)});
    judge(sample_case(plain), false);
    ck_assert_str_eq(
        find(PARITY_CONTRAST, 0, CANDLE)->why,
        "element [0]: 1.5 (candle@0.11.0/cpu) against 2.5 (torch@2.15.0/cpu)");
    ck_assert_str_eq(find(PARITY_FIDELITY, 0, CORE)->why,
                     "element [0]: 1.0 (core/cpu) against 1.5 (candle@0.11.0/cpu)");
    ck_assert_int_eq(find(PARITY_FIDELITY, 0, CORE)->state, PARITY_CHANGED);
    ck_assert_int_eq(find(PARITY_FIDELITY, 0, CORE)->pos.line, 9);
}
END_TEST

START_TEST(bound_loosens_contrast_only)
{
    parity_value *near[] = {f32(1), f32(1 + 0x1p-23), f32(1 + 0x1p-20)};
    parity_case test = *sample_case(plain);
    test.rows[0].bound = "elementary";
    observe(CORE, 1, &near[1]);
    observe(CANDLE, 1, &near[0]);
    observe(TORCH, 1, &near[1]);
    judge(&test, false);
    expect(PARITY_CONTRAST, 0, CANDLE, PARITY_AGREE, NULL);
    expect(PARITY_FIDELITY, 0, CORE, PARITY_CHANGED, "1 ULP");
    observe(TORCH, 1, &near[2]);
    judge(&test, false);
    expect(PARITY_CONTRAST, 0, CANDLE, PARITY_UNDOCUMENTED,
           "beyond the bound for elementary");
}
END_TEST

START_TEST(what_cannot_be_seen_is_not_judged)
{
    observe(CORE, 1, (parity_value *[]){f32(1)});
    observe(CANDLE, 1, (parity_value *[]){f32(1)});
    observe(TORCH, 1, (parity_value *[]){f32(1)});
    runs[TORCH].observed[0] = sample_ending(PARITY_UNSUPPORTED, NULL, "measure");
    end(CORE, PARITY_UNSUPPORTED, NULL, "no traits");
    judge(sample_case(explained), false);
    expect(PARITY_CONTRAST, 0, CANDLE, PARITY_NOT_JUDGED,
           "torch@2.15.0/cpu: unsupported: measure");
    expect(PARITY_FIDELITY, 0, CORE, PARITY_NOT_JUDGED,
           "not reached, the program: unsupported: no traits");
    expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_NOT_JUDGED, "no traits");
    ck_assert_ptr_null(find(PARITY_STATED, PARITY_NONE, CORE));
    runs[TORCH].protocol_broken = true;
    judge(sample_case(explained), false);
    expect(PARITY_CONTRAST, 0, CANDLE, PARITY_NOT_JUDGED, "broke the protocol");
}
END_TEST

/* Two observations: which of them share a storage is compared, not how the storages are
 * named. */
START_TEST(memory_is_a_partition)
{
    const parity_case *test = sample_case("title: t\ncandle: |\n  let a = 1;\nrows:\n"
                                          "  - {id: base, candle: '{a}'}\n"
                                          "  - {id: view, candle: '{a.clone()}'}\n");
    observe(CORE, 2, (parity_value *[]){placed(1, 7), placed(1, 7)});
    observe(CANDLE, 2, (parity_value *[]){placed(1, 1), placed(1, 1)});
    judge(test, false);
    expect(PARITY_FIDELITY, 1, CORE, PARITY_AGREE, NULL);
    observe(CORE, 2, (parity_value *[]){placed(1, 1), placed(1, 2)});
    judge(test, false);
    expect(PARITY_FIDELITY, 0, CORE, PARITY_AGREE, NULL);
    expect(PARITY_FIDELITY, 1, CORE, PARITY_CHANGED, NULL);
    ck_assert_str_eq(
        find(PARITY_FIDELITY, 1, CORE)->why,
        "{a.clone()} shares memory with {a} of row base (candle@0.11.0/cpu), but "
        "not in the other (core/cpu)");
    runs[CORE].observed[1].value->tensor->storage = 1;
    judge(test, false);
    expect(PARITY_FIDELITY, 1, CORE, PARITY_CHANGED,
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
        observe(CORE, 3, (parity_value *[]){f32(c[0]), f32(c[1]), f32(c[2])});
        observe(CANDLE, 3, (parity_value *[]){f32(c[0]), f32(c[1]), f32(c[2])});
        observe(TORCH, 3, (parity_value *[]){f32(t[0]), f32(t[1]), f32(t[2])});
        judge(test, false);
        ck_assert_int_eq(result.fates[CANDLE], table[i].fate);
        expect(PARITY_CONTRAST, 0, CANDLE, table[i].state, table[i].why);
    }
    observe(CORE, 3, (parity_value *[]){f32(2), f32(0), f32(2)});
    judge(test, false);
    expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_CHANGED,
           "subject w: {w0}: element [0]");
}
END_TEST

START_TEST(ends_are_stated)
{
    const struct {
        const char *ends;
        parity_outcome_kind kind;
        const char *type, *text;
        parity_pos pos;
        parity_state state; /* of candle */
        const char *why;
    } table[] = {
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
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        parity_buffer yaml = {0};
        parity_buffer_printf(&yaml, "%s%s\n", plain, table[i].ends);
        observe(CORE, 0, NULL);
        observe(TORCH, 1, (parity_value *[]){f32(1)});
        end(CANDLE, table[i].kind, table[i].type, table[i].text);
        runs[CANDLE].end.pos = table[i].pos;
        judge(sample_case(yaml.data), false);
        expect(PARITY_STATED, PARITY_NONE, CANDLE, table[i].state, table[i].why);
        if (strstr(table[i].ends, "refused"))
            ck_assert_ptr_null(find(PARITY_STATED, PARITY_NONE, CORE));
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
        observe(CORE, 0, NULL);
        end(CANDLE, table[i].candle, "candle", "a");
        end(TORCH, table[i].torch, "RuntimeError", "b");
        judge(sample_case(yaml.data), false);
        expect(PARITY_CONTRAST, PARITY_NONE, CANDLE, table[i].state, NULL);
        parity_buffer_free(&yaml);
    }
}
END_TEST

START_TEST(refusal_is_the_compilers)
{
    const parity_case *test = sample_case(plain);
    end(CANDLE, PARITY_REFUSED, "E0382", "moved");
    observe(TORCH, 1, (parity_value *[]){f32(1)});
    observe(CORE, 1, (parity_value *[]){f32(1)});
    judge(test, false);
    expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_NOT_JUDGED, "refused E0382");
    end(CORE, PARITY_REFUSED, "E0382", "other words");
    judge(test, false);
    expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_AGREE, NULL);
    end(CORE, PARITY_REFUSED, "E0499", "other words");
    judge(test, false);
    expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_CHANGED, "E0499");
}
END_TEST

static void add_record(const parity_case *test, size_t column, parity_value *const *value)
{
    parity_recorded *block = &blocks[nrecords++];
    *block = (parity_recorded){.case_id = test->id, .column = columns[column].id};
    block->text_hash = test->text_hash[columns[column].engine->language];
    sample_run(&block->run, 1, value);
}

START_TEST(record_in_every_state)
{
    const parity_case *test = sample_case(plain);
    parity_value *one = f32(1), *two = f32(2);
    observe(CORE, 1, &one);
    observe(CANDLE, 1, &one);
    observe(TORCH, 1, &one);
    add_record(test, CANDLE, &one);
    judge(test, true);
    expect(PARITY_RECORD, 0, CANDLE, PARITY_AGREE, NULL);
    expect(PARITY_RECORD, PARITY_NONE, TORCH, PARITY_NOT_JUDGED,
           "no record of torch@2.15.0");
    ck_assert_ptr_null(find(PARITY_RECORD, PARITY_NONE, CORE));
    nrecords = 0;
    add_record(test, CANDLE, &two);
    judge(test, true);
    expect(PARITY_RECORD, 0, CANDLE, PARITY_CHANGED,
           "element [0]: 1.0 (candle@0.11.0/cpu) against 2.0 (recorded)");
    blocks[0].text_hash ^= 1;
    judge(test, true);
    expect(PARITY_RECORD, PARITY_NONE, CANDLE, PARITY_NOT_JUDGED,
           "made from other case text of candle@0.11.0/cpu");
    ck_assert_ptr_null(find(PARITY_RECORD, 0, CANDLE));
    judge(test, false);
    ck_assert_ptr_null(find(PARITY_RECORD, PARITY_NONE, TORCH));
}
END_TEST

START_TEST(record_stands_in_for_an_absent_judge)
{
    const parity_case *test = sample_case(explained);
    parity_value *one = f32(1), *two = f32(2);
    observe(CORE, 1, &one);
    observe(CANDLE, 1, &one);
    observe(TORCH, 1, &two);
    columns[TORCH].absent = "no PyTorch here";
    columns[TORCH].recorded = true;
    judge(test, false);
    expect(PARITY_CONTRAST, 0, CANDLE, PARITY_FINDING, NULL);
    columns[TORCH].recorded = false;
    end(TORCH, PARITY_ABSENT, NULL, "no PyTorch here");
    judge(test, false);
    expect(PARITY_CONTRAST, PARITY_NONE, CANDLE, PARITY_NOT_JUDGED, "no PyTorch here");
    end(CANDLE, PARITY_ABSENT, NULL, "no cargo here");
    columns[CANDLE].absent = "no cargo here";
    judge(test, false);
    expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_NOT_JUDGED, "no cargo here");
}
END_TEST

/* Without the judge the core speaks for candle: better than nothing for one's own
 * snippet. */
START_TEST(core_speaks_for_candle_at_the_end)
{
    observe(CORE, 1, (parity_value *[]){f32(1)});
    end(CANDLE, PARITY_ABSENT, NULL, "no cargo here");
    columns[CANDLE].absent = "no cargo here";
    observe(TORCH, 1, (parity_value *[]){f32(2)});
    judge(sample_case(explained), false);
    expect(PARITY_CONTRAST, 0, CORE, PARITY_FINDING, NULL);
}
END_TEST

START_TEST(background_columns_only_judge)
{
    parity_value *one = f32(1), *two = f32(2);
    observe(CORE, 1, &one);
    observe(CANDLE, 1, &one);
    observe(TORCH, 1, &two);
    columns[CANDLE].background = columns[CANDLE].recorded = true;
    columns[TORCH].background = columns[TORCH].recorded = true;
    judge(sample_case(plain), false);
    expect(PARITY_FIDELITY, 0, CORE, PARITY_AGREE, NULL);
    ck_assert_ptr_null(find(PARITY_CONTRAST, 0, CANDLE));
}
END_TEST

static const char on_metal[] = PROGRAMS ROW ", devices: {metal: shares the buffer}}\n";

START_TEST(device_in_every_state)
{
    parity_value *one = f32(1), *two = f32(2);
    const struct {
        const char *yaml;
        parity_value *metal;
        parity_state state;
    } table[] = {{plain, one, PARITY_AGREE},
                 {plain, two, PARITY_UNDOCUMENTED},
                 {on_metal, two, PARITY_FINDING},
                 {on_metal, one, PARITY_FINDING_GONE}};
    columns[LIVE] =
        sample_column(&sample_candle, "candle@0.11.0/metal", "0.11.0", "metal");
    columns[LIVE].recorded = true;
    ncolumns = LIVE + 1;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        observe(CORE, 1, &one);
        observe(CANDLE, 1, &one);
        observe(TORCH, 1, &one);
        observe(LIVE, 1, &table[i].metal);
        judge(sample_case(table[i].yaml), false);
        expect(PARITY_DEVICE, 0, LIVE, table[i].state, NULL);
    }
    columns[LIVE] = sample_column(&sample_core, "core/metal-soft", NULL, "metal-soft");
    observe(LIVE, 1, &two);
    judge(sample_case(on_metal), false);
    expect(PARITY_DEVICE, 0, LIVE, PARITY_FINDING, NULL);
    expect(PARITY_FIDELITY, PARITY_NONE, LIVE, PARITY_NOT_JUDGED, "metal-soft");
}
END_TEST

static const char before[] = PROGRAMS ROW ", versions: {'<0.8.3': it was another}}\n";
static const char hung[] = PROGRAMS ROW ", versions: {'<0.8.3': {ends: hang}}}\n";

START_TEST(version_in_every_state)
{
    parity_value *one = f32(1), *two = f32(2);
    const struct {
        const char *yaml;
        parity_value *old;
        parity_state state;
    } table[] = {{plain, one, PARITY_AGREE},
                 {plain, two, PARITY_UNDOCUMENTED},
                 {before, two, PARITY_FINDING},
                 {before, one, PARITY_FINDING_GONE}};
    columns[LIVE] = sample_column(&sample_candle, "candle@0.8.2/cpu", "0.8.2", "cpu");
    ncolumns = LIVE + 1;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const parity_case *test = sample_case(table[i].yaml);
        nrecords = 0;
        add_record(test, CANDLE, &one);
        observe(CORE, 1, &one);
        observe(CANDLE, 1, &one);
        observe(TORCH, 1, &one);
        observe(LIVE, 1, &table[i].old);
        judge(test, true);
        expect(PARITY_VERSION, 0, LIVE, table[i].state, NULL);
        ck_assert_ptr_null(find(PARITY_VERSION, 0, CANDLE));
        expect(PARITY_FIDELITY, 0, CORE, PARITY_AGREE, NULL);
    }
    const parity_case *test = sample_case(hung);
    nrecords = 0;
    add_record(test, CANDLE, &one);
    end(LIVE, PARITY_HANG, NULL, "waited for the lock");
    judge(test, true);
    expect(PARITY_STATED, PARITY_NONE, LIVE, PARITY_AGREE, NULL);
    expect(PARITY_VERSION, 0, LIVE, PARITY_FINDING, "hang");
    expect(PARITY_VERSION, PARITY_NONE, LIVE, PARITY_FINDING, "hang");
    observe(LIVE, 1, &one);
    judge(test, true);
    expect(PARITY_STATED, PARITY_NONE, LIVE, PARITY_CHANGED, "ran through");
    expect(PARITY_VERSION, 0, LIVE, PARITY_FINDING_GONE, NULL);
}
END_TEST

/* The record of the version that was recorded goes before a live judge of another one. */
START_TEST(record_goes_before_another_version)
{
    parity_value *one = f32(1), *two = f32(2);
    const parity_case *test = sample_case(plain);
    columns[CANDLE] = sample_column(&sample_candle, "candle@0.8.2/cpu", "0.8.2", "cpu");
    columns[LIVE] = sample_column(&sample_candle, "candle@0.11.0/cpu", "0.11.0", "cpu");
    columns[LIVE].recorded = columns[LIVE].background = true;
    ncolumns = LIVE + 1;
    add_record(test, LIVE, &one);
    observe(CORE, 1, &one);
    observe(CANDLE, 1, &two);
    observe(TORCH, 1, &one);
    observe(LIVE, 1, &one);
    judge(test, true);
    expect(PARITY_CONTRAST, 0, LIVE, PARITY_AGREE, NULL);
    expect(PARITY_VERSION, 0, CANDLE, PARITY_UNDOCUMENTED, "candle@0.11.0/cpu");
    expect(PARITY_FIDELITY, 0, CORE, PARITY_AGREE, NULL);
}
END_TEST

/* The core models one version and is not held against another. */
START_TEST(core_answers_for_its_own_version)
{
    parity_provenance semantics = {"semantics", "candle 0.11.0"};
    columns[CORE].provenance = &semantics;
    columns[CORE].nprovenance = 1;
    columns[CANDLE] = sample_column(&sample_candle, "candle@0.8.2/cpu", "0.8.2", "cpu");
    observe(CORE, 1, (parity_value *[]){f32(1)});
    observe(CANDLE, 1, (parity_value *[]){f32(2)});
    observe(TORCH, 1, (parity_value *[]){f32(1)});
    judge(sample_case(plain), false);
    expect(PARITY_FIDELITY, PARITY_NONE, CORE, PARITY_NOT_JUDGED,
           "no column of candle 0.11.0");
}
END_TEST

START_TEST(observations_pair_by_name)
{
    const parity_case *test =
        sample_case(PROGRAMS "rows:\n  - {id: r, torch: '{s=a} {m=b:.0} {c}', candle: "
                             "'{m=b:.3} {s=a} {c}'}\n");
    observe(CORE, 3, (parity_value *[]){sample_mib(64.01), sample_bool(true), f32(1)});
    observe(CANDLE, 3, (parity_value *[]){sample_mib(64.01), sample_bool(true), f32(1)});
    observe(TORCH, 3, (parity_value *[]){sample_bool(true), sample_mib(64.3), f32(1)});
    judge(test, false);
    expect(PARITY_CONTRAST, 0, CANDLE, PARITY_AGREE, NULL);
    observe(TORCH, 3, (parity_value *[]){sample_bool(false), sample_mib(64.3), f32(1)});
    judge(test, false);
    expect(PARITY_CONTRAST, 0, CANDLE, PARITY_UNDOCUMENTED, "{a}: true");
}
END_TEST

/* A row of plain text on both sides proves nothing. */
START_TEST(rows_without_observations_are_silent)
{
    observe(CORE, 0, NULL);
    observe(CANDLE, 0, NULL);
    observe(TORCH, 0, NULL);
    judge(sample_case(PROGRAMS "rows:\n  - {id: r, torch: 'x', candle: 'x'}\n"), false);
    for (size_t i = 0; i < result.nverdicts; i++)
        ck_assert_msg(result.verdicts[i].row == PARITY_NONE, "a verdict on the row");
}
END_TEST

START_TEST(skipped_says_so)
{
    judge(sample_case("title: t\ntorch: |\n  x = 1\nskip: not today\n"), false);
    ck_assert_uint_eq(result.nverdicts, 1);
    ck_assert_str_eq(result.verdicts[0].why, "skipped: not today");
    ck_assert_int_eq(result.verdicts[0].state, PARITY_NOT_JUDGED);
}
END_TEST

START_TEST(exit_codes)
{
    parity_verdict verdicts[2] = {{.state = PARITY_AGREE}, {.state = PARITY_NOT_JUDGED}};
    parity_case_result one = {.runs = runs, .verdicts = verdicts, .nverdicts = 2};
    parity_result all = {
        .columns = columns, .ncolumns = LIVE, .cases = &one, .ncases = 1};
    bool named[LIVE] = {false};
    ck_assert_int_eq(parity_exit_code(&all, named, false), 0);
    ck_assert_int_eq(parity_exit_code(&all, NULL, false), 0);
    columns[TORCH].absent = "not here";
    ck_assert_int_eq(parity_exit_code(&all, named, false), 0);
    ck_assert_int_eq(parity_exit_code(&all, named, true), 2);
    named[TORCH] = true;
    ck_assert_int_eq(parity_exit_code(&all, named, false), 2);
    columns[TORCH].absent = NULL;
    runs[TORCH].protocol_broken = true;
    ck_assert_int_eq(parity_exit_code(&all, named, false), 2);
    for (int state = PARITY_UNDOCUMENTED; state <= PARITY_CHANGED; state++) {
        verdicts[1].state = (parity_state)state;
        ck_assert_int_eq(parity_exit_code(&all, named, false), 1);
    }
    runs[TORCH].protocol_broken = false;
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
    Suite *suite = suite_create("judge");
    TCase *all = tcase_create("judge");
    tcase_add_checked_fixture(all, set_up, tear_down);
    tcase_add_test(all, contrast_in_every_state);
    tcase_add_test(all, texts_teach);
    tcase_add_test(all, bound_loosens_contrast_only);
    tcase_add_test(all, what_cannot_be_seen_is_not_judged);
    tcase_add_test(all, memory_is_a_partition);
    tcase_add_test(all, fate_decides_with_the_value);
    tcase_add_test(all, ends_are_stated);
    tcase_add_test(all, ends_of_two_languages);
    tcase_add_test(all, refusal_is_the_compilers);
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
