#include "harness/compare/stage.h"

#include <check.h>
#include <string.h>

stage_state stage;

parity_value *stage_f32(double number)
{
    return sample_tensor(PARITY_F32, 1, SHAPE(1), OF(number));
}

parity_value *stage_placed(double number, uint32_t storage)
{
    return sample_place(stage_f32(number), storage, storage);
}

void stage_set_up(void)
{
    memset(&stage, 0, sizeof stage);
    stage.columns[CORE] = sample_column(&sample_core, "core/cpu", NULL, "cpu");
    stage.columns[CANDLE] =
        sample_column(&sample_candle, "candle@0.11.0/cpu", "0.11.0", "cpu");
    stage.columns[TORCH] =
        sample_column(&sample_torch, "torch@2.15.0/cpu", "2.15.0", "cpu");
    stage.ncolumns = LIVE;
}

void stage_tear_down(void)
{
    parity_judge_clear(&stage.result);
    sample_free();
}

void stage_judge(const parity_case *test, bool with_records)
{
    const parity_recorded *records[4];
    parity_judge_clear(&stage.result);
    stage.result = (parity_case_result){.test = test, .runs = stage.runs};
    for (size_t i = 0; i < stage.nrecords; i++)
        records[i] = &stage.blocks[i];
    parity_judge(&stage.result, stage.columns, stage.ncolumns,
                 with_records ? records : NULL, with_records ? stage.nrecords : 0);
}

const parity_verdict *stage_find(parity_relation relation, size_t row, size_t left)
{
    const parity_verdict *found = NULL;
    for (size_t i = 0; i < stage.result.nverdicts; i++) {
        const parity_verdict *one = &stage.result.verdicts[i];
        if (one->relation != relation || one->row != row || one->left != left)
            continue;
        ck_assert_msg(!found, "two verdicts: %s", one->why ? one->why : "agree");
        found = one;
    }
    return found;
}

void stage_expect(parity_relation relation, size_t row, size_t left, parity_state state,
                  const char *why)
{
    const parity_verdict *one = stage_find(relation, row, left);
    ck_assert_msg(one != NULL, "no %s verdict on row %d", parity_relation_name(relation),
                  (int)row);
    ck_assert_msg(one->state == state, "%s, not %s: %s", parity_state_name(one->state),
                  parity_state_name(state), one->why ? one->why : "");
    if (why)
        ck_assert_msg(one->why && strstr(one->why, why), "'%s' is not in '%s'", why,
                      one->why ? one->why : "");
}

void stage_observe(size_t column, size_t count, parity_value *const *values)
{
    sample_run(&stage.runs[column], count, values);
}

void stage_end(size_t column, parity_outcome_kind kind, const char *type,
               const char *text)
{
    stage.runs[column] =
        (parity_run){.ran = true, .end = sample_ending(kind, type, text)};
}

void stage_record(const parity_case *test, size_t column, parity_value *const *value)
{
    parity_recorded *block = &stage.blocks[stage.nrecords++];
    const parity_column *one = &stage.columns[column];
    *block = (parity_recorded){.case_id = test->id, .column = one->id};
    block->text_hash = test->text_hash[one->engine->language];
    sample_run(&block->run, 1, value);
}
