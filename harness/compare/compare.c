#include "harness/compare/compare.h"
#include "harness/base/memory.h"
#include "harness/compare/judge.h"

#include <stdlib.h>
#include <string.h>

parity_side parity_side_of(const parity_judging *judging, size_t column)
{
    return (parity_side){.run = &judging->result->runs[column],
                         .language = judging->columns[column].engine->language,
                         .name = judging->columns[column].id,
                         .column = column};
}

const parity_outcome *parity_side_outcome(const parity_side *side, size_t observe)
{
    static const parity_outcome missing = {.kind = PARITY_NOT_REACHED};
    return observe < side->run->nobserved ? &side->run->observed[observe] : &missing;
}

size_t parity_observations(const parity_template *text)
{
    size_t count = 0;
    for (size_t i = 0; i < text->npieces; i++)
        count += !text->pieces[i].literal;
    return count;
}

static parity_pos place_of(const parity_judging *judging, size_t row, size_t left)
{
    const parity_case *test = judging->test;
    if (row != PARITY_NONE)
        return test->rows[row].finding.en ? test->rows[row].finding.pos
                                          : test->rows[row].pos;
    parity_language language = left < judging->ncolumns
                                   ? judging->columns[left].engine->language
                                   : PARITY_CANDLE;
    if (test->ends[language].pos.line)
        return test->ends[language].pos;
    return test->finding.en ? test->finding.pos : test->program[language].pos;
}

void parity_verdict_add(parity_judging *judging, parity_relation relation,
                        parity_state state, size_t row, size_t left, size_t right,
                        const char *why)
{
    parity_case_result *result = judging->result;
    PARITY_GROW(result->verdicts, result->nverdicts, judging->capacity);
    result->verdicts[result->nverdicts++] = (parity_verdict){
        .relation = relation,
        .state = state,
        .row = row,
        .left = left,
        .right = right,
        .why = why && *why ? parity_strdup(why) : NULL,
        .pos = place_of(judging, row, left),
    };
}

parity_state parity_settle(bool differs, bool explained, bool strict)
{
    if (strict)
        return differs ? PARITY_CHANGED : PARITY_AGREE;
    if (differs)
        return explained ? PARITY_FINDING : PARITY_UNDOCUMENTED;
    return explained ? PARITY_FINDING_GONE : PARITY_AGREE;
}

void parity_ending_text(parity_buffer *out, const parity_outcome *end)
{
    if (end->kind == PARITY_VALUE) {
        parity_buffer_text(out, "ran through");
        return;
    }
    parity_buffer_text(out, parity_outcome_name(end->kind));
    if (end->type && *end->type && strcmp(end->type, "candle") != 0)
        parity_buffer_printf(out, " %s", end->type);
    if (end->text && *end->text)
        parity_buffer_printf(out, ": %.*s", (int)strcspn(end->text, "\r\n"), end->text);
}

bool parity_unjudgeable(parity_buffer *why, const parity_side *side,
                        const parity_outcome *outcome)
{
    const parity_run *run = side->run;
    if (run->protocol_broken)
        parity_buffer_printf(why, "%s: the worker broke the protocol: %s", side->name,
                             run->end.text ? run->end.text : "see the diagnostics");
    else if (outcome->kind == PARITY_UNSUPPORTED || outcome->kind == PARITY_ABSENT)
        parity_buffer_printf(why, "%s: %s: %s", side->name,
                             parity_outcome_name(outcome->kind),
                             outcome->text ? outcome->text : "no reason given");
    else if (outcome->kind == PARITY_NOT_REACHED) {
        bool told = run->end.kind == PARITY_UNSUPPORTED || run->end.kind == PARITY_ABSENT;
        parity_buffer_printf(
            why, told ? "%s: " : "%s: not reached, the program: ", side->name);
        parity_ending_text(why, &run->end);
    } else {
        return false;
    }
    return true;
}

/* A skipped case says so once, for every column that is shown. */
static void judge_skipped(parity_judging *judging)
{
    parity_buffer why = {0};
    parity_buffer_printf(&why, "skipped: %s", judging->test->skip);
    parity_verdict_add(judging, PARITY_STATED, PARITY_NOT_JUDGED, PARITY_NONE, 0,
                       PARITY_NONE, why.data);
    parity_buffer_free(&why);
}

void parity_judge(parity_case_result *result, const parity_column *columns,
                  size_t ncolumns, const parity_recorded *const *records, size_t nrecords)
{
    parity_judging judging = {.result = result,
                              .test = result->test,
                              .columns = columns,
                              .ncolumns = ncolumns,
                              .records = records,
                              .nrecords = nrecords};
    result->verdicts = NULL;
    result->nverdicts = 0;
    parity_fates(&judging);
    if (result->test->skip) {
        judge_skipped(&judging);
        return;
    }
    parity_judge_stated(&judging);
    parity_judge_fidelity(&judging);
    parity_judge_contrast(&judging);
    parity_judge_devices(&judging);
    parity_judge_versions(&judging);
    parity_judge_records(&judging);
}

void parity_judge_clear(parity_case_result *result)
{
    for (size_t i = 0; i < result->nverdicts; i++)
        free(result->verdicts[i].why);
    free(result->verdicts);
    free(result->fates);
    result->verdicts = NULL;
    result->nverdicts = 0;
    result->fates = NULL;
}

static bool found_missing(const parity_result *result, const bool *named, bool strict)
{
    for (size_t i = 0; i < result->ncolumns; i++)
        if (result->columns[i].absent && (strict || (named && named[i])))
            return true;
    return false;
}

int parity_exit_code(const parity_result *result, const bool *named, bool strict)
{
    bool judged = false, breach = false;
    for (size_t i = 0; i < result->ncases; i++) {
        const parity_case_result *one = &result->cases[i];
        for (size_t v = 0; v < one->nverdicts; v++) {
            if (parity_state_broken(one->verdicts[v].state))
                return 1;
            judged = judged || one->verdicts[v].state != PARITY_NOT_JUDGED;
        }
        for (size_t c = 0; c < result->ncolumns; c++)
            breach = breach || one->runs[c].protocol_broken;
    }
    return breach || !judged || found_missing(result, named, strict) ? 2 : 0;
}
