/* The same language twice: another engine, device, version, or an earlier time. */
#include "harness/base/memory.h"
#include "harness/compare/departure.h"
#include "harness/compare/judge.h"

#include <stdlib.h>
#include <string.h>

static parity_comparison exact(const parity_side *left, const parity_side *right,
                               parity_buffer *why)
{
    return (parity_comparison){
        .names = {left->name, right->name},
        .style = {parity_style_of(left->language), parity_style_of(right->language)},
        .why = why};
}

/* The core's promise is about what rustc accepts, so a refusal on one side alone says
 * nothing. */
static bool refused_alone(const parity_side *left, const parity_outcome *l,
                          const parity_side *right, const parity_outcome *r,
                          parity_buffer *why)
{
    bool refused[2] = {l->kind == PARITY_REFUSED, r->kind == PARITY_REFUSED};
    if (refused[0] == refused[1])
        return false;
    const char *type = (refused[0] ? l : r)->type;
    parity_buffer_printf(why, "%s: refused %s: only a compiler can refuse a program",
                         (refused[0] ? left : right)->name, type ? type : "");
    return true;
}

/* Two runs of one case, and how their memory relates (parity_partition). */
typedef struct pair {
    parity_relation relation;
    const parity_case *test;
    const parity_side *left;
    const parity_side *right;
    char *const *partition;
} pair;

/* EQUAL, DIFFERENT with the first difference in `why`, or INCOMPARABLE with the reason.
 */
static parity_match match_observation(const pair *p, size_t observe,
                                      const parity_bound *bound, bool named,
                                      parity_buffer *why)
{
    const parity_side *left = p->left, *right = p->right;
    const parity_outcome *l = parity_side_outcome(left, observe);
    const parity_outcome *r = parity_side_outcome(right, observe);
    if (parity_unjudgeable(why, left, l) || parity_unjudgeable(why, right, r) ||
        (p->relation == PARITY_FIDELITY && refused_alone(left, l, right, r, why)))
        return PARITY_INCOMPARABLE;
    parity_buffer text = {0};
    parity_comparison ask = exact(left, right, &text);
    ask.bound = bound;
    parity_match match = parity_match_outcomes(&ask, l, r);
    if (match != PARITY_EQUAL && named)
        parity_buffer_printf(why,
                             "{%s}: ", p->test->observe[left->language][observe].text);
    if (match != PARITY_EQUAL)
        parity_buffer_add(why, text.data, text.length);
    parity_buffer_free(&text);
    if (match == PARITY_EQUAL && p->partition[observe]) {
        parity_buffer_text(why, p->partition[observe]);
        match = PARITY_DIFFERENT;
    }
    return match;
}

/* A difference anywhere decides; else the first that cannot be compared leaves all open.
 * Keeps in `why` what belongs to `worst`, and empties `one`. */
static void keep_worst(parity_match *worst, parity_match match, parity_buffer *why,
                       parity_buffer *one)
{
    if (match == PARITY_DIFFERENT || (match != PARITY_EQUAL && *worst == PARITY_EQUAL)) {
        parity_buffer_free(why);
        parity_buffer_add(why, one->data, one->length);
        *worst = match;
    }
    parity_buffer_free(one);
}

static parity_match match_row(const pair *p, size_t row, const parity_bound *bound,
                              parity_buffer *why)
{
    const parity_template *text = &p->test->rows[row].text[p->left->language];
    size_t observations = parity_observations(text);
    parity_match worst = PARITY_EQUAL;
    for (size_t i = 0; i < text->npieces && worst != PARITY_DIFFERENT; i++) {
        if (text->pieces[i].literal)
            continue;
        parity_buffer one = {0};
        parity_match match =
            match_observation(p, text->pieces[i].observe, bound, observations > 1, &one);
        keep_worst(&worst, match, why, &one);
    }
    return worst;
}

/* What the subjects were and are: observed for the fates, and compared with the program.
 */
static parity_match match_subjects(const pair *p, parity_buffer *why)
{
    parity_match worst = PARITY_EQUAL;
    for (size_t i = 0; i < 2 * p->test->nsubjects && worst != PARITY_DIFFERENT; i++) {
        const parity_subject *subject = &p->test->subjects[i / 2];
        size_t observe = (i % 2 ? subject->now : subject->was)[p->left->language];
        if (observe == PARITY_NONE)
            continue;
        parity_buffer text = {0}, one = {0};
        parity_match match = match_observation(p, observe, NULL, true, &text);
        parity_buffer_printf(&one, "subject %s: %s", subject->name,
                             text.data ? text.data : "");
        parity_buffer_free(&text);
        keep_worst(&worst, match, why, &one);
    }
    return worst;
}

static bool some_row_ends(const parity_judging *judging, const parity_side *left,
                          parity_departs departs, bool versions)
{
    const parity_case *test = judging->test;
    for (size_t i = 0; i < test->nrows; i++) {
        const parity_row *row = &test->rows[i];
        const parity_departure *departure = departs(
            versions ? row->versions : row->devices,
            versions ? row->nversions : row->ndevices, &judging->columns[left->column]);
        if (departure && departure->has_ends)
            return true;
    }
    return false;
}

static void judge_program(parity_judging *judging, const pair *p, parity_departs departs)
{
    const parity_case *test = judging->test;
    const parity_side *left = p->left, *right = p->right;
    parity_relation relation = p->relation;
    bool versions = relation == PARITY_VERSION, explained = false;
    parity_buffer why = {0};
    parity_state state = PARITY_NOT_JUDGED;
    if (departs)
        explained = departs(versions ? test->versions : test->devices,
                            versions ? test->nversions : test->ndevices,
                            &judging->columns[left->column]) ||
                    some_row_ends(judging, left, departs, versions);
    if (!parity_unjudgeable(&why, left, &left->run->end) &&
        !parity_unjudgeable(&why, right, &right->run->end) &&
        !(relation == PARITY_FIDELITY &&
          refused_alone(left, &left->run->end, right, &right->run->end, &why))) {
        parity_comparison ask = exact(left, right, &why);
        parity_match match =
            parity_match_outcomes(&ask, &left->run->end, &right->run->end);
        if (match == PARITY_EQUAL)
            match = match_subjects(p, &why);
        if (match != PARITY_INCOMPARABLE)
            state = parity_settle(match == PARITY_DIFFERENT, explained, !departs);
    }
    parity_verdict_add(judging, relation, state, PARITY_NONE, left->column,
                       relation == PARITY_RECORD ? PARITY_NONE : right->column, why.data);
    parity_buffer_free(&why);
}

static void judge_row(parity_judging *judging, const pair *p, size_t row,
                      parity_departs departs)
{
    const parity_row *one = &judging->test->rows[row];
    const parity_side *left = p->left, *right = p->right;
    parity_relation relation = p->relation;
    bool versions = relation == PARITY_VERSION;
    const parity_departure *departure =
        departs ? departs(versions ? one->versions : one->devices,
                          versions ? one->nversions : one->ndevices,
                          &judging->columns[left->column])
                : NULL;
    const parity_bound *bound =
        departs && one->bound ? parity_bound_find(one->bound) : NULL;
    parity_buffer why = {0};
    parity_match match = match_row(p, row, bound, &why);
    parity_state state =
        match == PARITY_INCOMPARABLE
            ? PARITY_NOT_JUDGED
            : parity_settle(match == PARITY_DIFFERENT, departure, !departs);
    if (departure && departure->has_ends) {
        parity_buffer_free(&why);
        bool holds = parity_ends_hold(&departure->ends, &left->run->end,
                                      judging->test->program[left->language].text, &why);
        if (holds)
            parity_ending_text(&why, &left->run->end);
        state = holds ? PARITY_FINDING : PARITY_FINDING_GONE;
    }
    parity_verdict_add(judging, relation, state, row, left->column,
                       relation == PARITY_RECORD ? PARITY_NONE : right->column, why.data);
    parity_buffer_free(&why);
}

void parity_judge_same(parity_judging *judging, parity_relation relation,
                       const parity_side *left, const parity_side *right,
                       parity_departs departs)
{
    const parity_case *test = judging->test;
    char **partition = parity_partition(test, left, right);
    pair p = {relation, test, left, right, partition};
    judge_program(judging, &p, departs);
    for (size_t row = 0; row < test->nrows; row++)
        if (parity_observations(&test->rows[row].text[left->language]))
            judge_row(judging, &p, row, departs);
    for (size_t i = 0; i < test->nobserve[left->language]; i++)
        free(partition[i]);
    free(partition);
}

/* The version that an engine without a version of its own answers for: its provenance
 * says "semantics: candle 0.11.0". NULL: any. */
static const char *semantics_of(const parity_column *column)
{
    for (size_t i = 0; i < column->nprovenance; i++)
        if (strcmp(column->provenance[i].name, "semantics") == 0) {
            const char *space = strrchr(column->provenance[i].text, ' ');
            return space ? space + 1 : column->provenance[i].text;
        }
    return NULL;
}

/* Every engine that is no judge against the judge of its language on its device. */
void parity_judge_fidelity(parity_judging *judging)
{
    for (size_t i = 0; i < judging->ncolumns; i++) {
        const parity_column *column = &judging->columns[i];
        if (column->engine->judge || column->background ||
            !parity_column_usable(judging, i))
            continue;
        parity_side left = parity_side_of(judging, i);
        parity_buffer why = {0};
        size_t judge = parity_pick(judging, left.language, column->device,
                                   semantics_of(column), false, &why);
        if (judge == PARITY_NONE) {
            parity_verdict_add(judging, PARITY_FIDELITY, PARITY_NOT_JUDGED, PARITY_NONE,
                               i, PARITY_NONE, why.data);
        } else {
            parity_side right = parity_side_of(judging, judge);
            parity_judge_same(judging, PARITY_FIDELITY, &left, &right, NULL);
        }
        parity_buffer_free(&why);
    }
}

static bool same_engine(const parity_column *left, const parity_column *right)
{
    return strcmp(left->engine->name, right->engine->name) == 0;
}

static bool same_version(const parity_column *left, const parity_column *right)
{
    return (!left->version && !right->version) ||
           (left->version && right->version &&
            parity_version_compare(left->version, right->version) == 0);
}

/* Every column elsewhere against its own engine on the CPU. */
void parity_judge_devices(parity_judging *judging)
{
    for (size_t i = 0; i < judging->ncolumns; i++) {
        const parity_column *column = &judging->columns[i];
        if (strcmp(column->device, "cpu") == 0 || !parity_column_usable(judging, i))
            continue;
        for (size_t j = 0; j < judging->ncolumns; j++) {
            const parity_column *cpu = &judging->columns[j];
            if (strcmp(cpu->device, "cpu") != 0 || !same_engine(column, cpu) ||
                !same_version(column, cpu) || !parity_column_usable(judging, j) ||
                (column->background && cpu->background))
                continue;
            parity_side left = parity_side_of(judging, i),
                        right = parity_side_of(judging, j);
            parity_judge_same(judging, PARITY_DEVICE, &left, &right,
                              parity_device_departure);
            break;
        }
    }
}

/* Every live judge of another version against the version that is recorded. */
void parity_judge_versions(parity_judging *judging)
{
    for (size_t i = 0; i < judging->ncolumns; i++) {
        const parity_column *column = &judging->columns[i];
        if (!column->engine->judge || column->recorded || column->background ||
            !parity_column_usable(judging, i))
            continue;
        parity_buffer why = {0};
        size_t judge = parity_pick(judging, column->engine->language, column->device,
                                   NULL, false, &why);
        if (judge != PARITY_NONE && judge != i &&
            same_engine(column, &judging->columns[judge]) &&
            !same_version(column, &judging->columns[judge])) {
            parity_side left = parity_side_of(judging, i),
                        right = parity_side_of(judging, judge);
            parity_judge_same(judging, PARITY_VERSION, &left, &right,
                              parity_version_departure);
        }
        parity_buffer_free(&why);
    }
}

static const parity_recorded *record_of(const parity_judging *judging, const char *column)
{
    for (size_t i = 0; i < judging->nrecords; i++)
        if (strcmp(judging->records[i]->column, column) == 0)
            return judging->records[i];
    return NULL;
}

/* Every live judge against what was recorded of it. */
void parity_judge_records(parity_judging *judging)
{
    if (!judging->records)
        return;
    for (size_t i = 0; i < judging->ncolumns; i++) {
        const parity_column *column = &judging->columns[i];
        if (!column->engine->judge || column->recorded || column->background ||
            !parity_column_usable(judging, i))
            continue;
        parity_side left = parity_side_of(judging, i);
        const parity_recorded *record = record_of(judging, column->id);
        if (record && record->text_hash == judging->test->text_hash[left.language]) {
            parity_side right = left;
            right.run = &record->run;
            right.name = "recorded";
            parity_judge_same(judging, PARITY_RECORD, &left, &right, NULL);
            continue;
        }
        parity_buffer why = {0};
        parity_buffer_printf(
            &why, "%s of %s: accept it with parity bless",
            record ? "only a record made from other case text" : "no record", column->id);
        parity_verdict_add(judging, PARITY_RECORD, PARITY_NOT_JUDGED, PARITY_NONE, i,
                           PARITY_NONE, why.data);
        parity_buffer_free(&why);
    }
}
