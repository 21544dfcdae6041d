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
static bool refused_alone(const parity_side *left, const parity_side *right,
                          parity_buffer *why)
{
    bool refused[2] = {left->run->end.kind == PARITY_REFUSED,
                       right->run->end.kind == PARITY_REFUSED};
    if (refused[0] == refused[1])
        return false;
    const parity_side *one = refused[0] ? left : right;
    parity_buffer_printf(why, "%s: refused %s: only a compiler can refuse a program",
                         one->name, one->run->end.type ? one->run->end.type : "");
    return true;
}

/* EQUAL, DIFFERENT with the first difference in `why`, or INCOMPARABLE with the reason.
 */
static parity_match match_observation(const parity_case *test, const parity_side *left,
                                      const parity_side *right, size_t observe,
                                      const char *partition, const parity_bound *bound,
                                      bool named, parity_buffer *why)
{
    const parity_outcome *l = parity_side_outcome(left, observe);
    const parity_outcome *r = parity_side_outcome(right, observe);
    if (parity_unjudgeable(why, left, l) || parity_unjudgeable(why, right, r))
        return PARITY_INCOMPARABLE;
    parity_buffer text = {0};
    parity_comparison ask = exact(left, right, &text);
    ask.bound = bound;
    parity_match match = parity_match_outcomes(&ask, l, r);
    if (match != PARITY_EQUAL && named)
        parity_buffer_printf(why, "{%s}: ", test->observe[left->language][observe].text);
    if (match != PARITY_EQUAL)
        parity_buffer_add(why, text.data, text.length);
    parity_buffer_free(&text);
    if (match == PARITY_EQUAL && partition) {
        parity_buffer_text(why, partition);
        match = PARITY_DIFFERENT;
    }
    return match;
}

static parity_match match_row(const parity_case *test, size_t row,
                              const parity_side *left, const parity_side *right,
                              char *const *partition, const parity_bound *bound,
                              parity_buffer *why)
{
    const parity_template *text = &test->rows[row].text[left->language];
    size_t observations = parity_observations(text);
    for (size_t i = 0; i < text->npieces; i++) {
        if (text->pieces[i].literal)
            continue;
        size_t observe = text->pieces[i].observe;
        parity_match match = match_observation(
            test, left, right, observe, partition[observe], bound, observations > 1, why);
        if (match != PARITY_EQUAL)
            return match;
    }
    return PARITY_EQUAL;
}

/* What the subjects were and are: observed for the fates, and compared with the program.
 */
static parity_match match_subjects(const parity_case *test, const parity_side *left,
                                   const parity_side *right, char *const *partition,
                                   parity_buffer *why)
{
    for (size_t i = 0; i < test->nsubjects; i++) {
        const parity_subject *subject = &test->subjects[i];
        size_t both[2] = {subject->was[left->language], subject->now[left->language]};
        for (int now = 0; now < 2; now++) {
            if (both[now] == PARITY_NONE)
                continue;
            parity_buffer text = {0};
            parity_match match = match_observation(
                test, left, right, both[now], partition[both[now]], NULL, true, &text);
            if (match == PARITY_DIFFERENT)
                parity_buffer_printf(why, "subject %s: %s", subject->name, text.data);
            parity_buffer_free(&text);
            if (match == PARITY_DIFFERENT)
                return match;
        }
    }
    return PARITY_EQUAL;
}

static bool some_row_ends(const parity_bench *bench, const parity_side *left,
                          parity_departs departs, bool versions)
{
    const parity_case *test = bench->test;
    for (size_t i = 0; i < test->nrows; i++) {
        const parity_row *row = &test->rows[i];
        const parity_departure *departure = departs(
            versions ? row->versions : row->devices,
            versions ? row->nversions : row->ndevices, &bench->columns[left->column]);
        if (departure && departure->has_ends)
            return true;
    }
    return false;
}

static void judge_program(parity_bench *bench, parity_relation relation,
                          const parity_side *left, const parity_side *right,
                          parity_departs departs, char *const *partition)
{
    const parity_case *test = bench->test;
    bool versions = relation == PARITY_VERSION, explained = false;
    parity_buffer why = {0};
    parity_state state = PARITY_NOT_JUDGED;
    if (departs)
        explained = departs(versions ? test->versions : test->devices,
                            versions ? test->nversions : test->ndevices,
                            &bench->columns[left->column]) ||
                    some_row_ends(bench, left, departs, versions);
    if (!parity_unjudgeable(&why, left, &left->run->end) &&
        !parity_unjudgeable(&why, right, &right->run->end) &&
        !(relation == PARITY_FIDELITY && refused_alone(left, right, &why))) {
        parity_comparison ask = exact(left, right, &why);
        parity_match match =
            parity_match_outcomes(&ask, &left->run->end, &right->run->end);
        if (match == PARITY_EQUAL)
            match = match_subjects(test, left, right, partition, &why);
        state = parity_settle(match == PARITY_DIFFERENT, explained, !departs);
    }
    parity_verdict_add(bench, relation, state, PARITY_NONE, left->column,
                       relation == PARITY_RECORD ? PARITY_NONE : right->column, why.data);
    parity_buffer_free(&why);
}

static void judge_row(parity_bench *bench, parity_relation relation, size_t row,
                      const parity_side *left, const parity_side *right,
                      parity_departs departs, char *const *partition)
{
    const parity_row *one = &bench->test->rows[row];
    bool versions = relation == PARITY_VERSION;
    const parity_departure *departure =
        departs ? departs(versions ? one->versions : one->devices,
                          versions ? one->nversions : one->ndevices,
                          &bench->columns[left->column])
                : NULL;
    const parity_bound *bound =
        departs && one->bound ? parity_bound_find(one->bound) : NULL;
    parity_buffer why = {0};
    parity_match match = match_row(bench->test, row, left, right, partition, bound, &why);
    parity_state state =
        match == PARITY_INCOMPARABLE
            ? PARITY_NOT_JUDGED
            : parity_settle(match == PARITY_DIFFERENT, departure, !departs);
    if (departure && departure->has_ends) {
        parity_buffer_free(&why);
        bool holds = parity_ends_hold(&departure->ends, &left->run->end,
                                      bench->test->program[left->language].text, &why);
        if (holds)
            parity_ending_text(&why, &left->run->end);
        state = holds ? PARITY_FINDING : PARITY_FINDING_GONE;
    }
    parity_verdict_add(bench, relation, state, row, left->column,
                       relation == PARITY_RECORD ? PARITY_NONE : right->column, why.data);
    parity_buffer_free(&why);
}

void parity_judge_same(parity_bench *bench, parity_relation relation,
                       const parity_side *left, const parity_side *right,
                       parity_departs departs)
{
    const parity_case *test = bench->test;
    char **partition = parity_partition(test, left, right);
    judge_program(bench, relation, left, right, departs, partition);
    for (size_t row = 0; row < test->nrows; row++)
        if (parity_observations(&test->rows[row].text[left->language]))
            judge_row(bench, relation, row, left, right, departs, partition);
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
void parity_judge_fidelity(parity_bench *bench)
{
    for (size_t i = 0; i < bench->ncolumns; i++) {
        const parity_column *column = &bench->columns[i];
        if (column->engine->judge || column->background ||
            !parity_column_usable(bench, i))
            continue;
        parity_side left = parity_side_of(bench, i);
        parity_buffer why = {0};
        size_t judge = parity_pick(bench, left.language, column->device,
                                   semantics_of(column), false, &why);
        if (judge == PARITY_NONE) {
            parity_verdict_add(bench, PARITY_FIDELITY, PARITY_NOT_JUDGED, PARITY_NONE, i,
                               PARITY_NONE, why.data);
        } else {
            parity_side right = parity_side_of(bench, judge);
            parity_judge_same(bench, PARITY_FIDELITY, &left, &right, NULL);
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
void parity_judge_devices(parity_bench *bench)
{
    for (size_t i = 0; i < bench->ncolumns; i++) {
        const parity_column *column = &bench->columns[i];
        if (strcmp(column->device, "cpu") == 0 || !parity_column_usable(bench, i))
            continue;
        for (size_t j = 0; j < bench->ncolumns; j++) {
            const parity_column *cpu = &bench->columns[j];
            if (strcmp(cpu->device, "cpu") != 0 || !same_engine(column, cpu) ||
                !same_version(column, cpu) || !parity_column_usable(bench, j) ||
                (column->background && cpu->background))
                continue;
            parity_side left = parity_side_of(bench, i), right = parity_side_of(bench, j);
            parity_judge_same(bench, PARITY_DEVICE, &left, &right,
                              parity_device_departure);
            break;
        }
    }
}

/* Every live judge of another version against the version that is recorded. */
void parity_judge_versions(parity_bench *bench)
{
    for (size_t i = 0; i < bench->ncolumns; i++) {
        const parity_column *column = &bench->columns[i];
        if (!column->engine->judge || column->recorded || column->background ||
            !parity_column_usable(bench, i))
            continue;
        parity_buffer why = {0};
        size_t judge = parity_pick(bench, column->engine->language, column->device, NULL,
                                   false, &why);
        if (judge != PARITY_NONE && judge != i &&
            same_engine(column, &bench->columns[judge]) &&
            !same_version(column, &bench->columns[judge])) {
            parity_side left = parity_side_of(bench, i),
                        right = parity_side_of(bench, judge);
            parity_judge_same(bench, PARITY_VERSION, &left, &right,
                              parity_version_departure);
        }
        parity_buffer_free(&why);
    }
}

static const parity_recorded *record_of(const parity_bench *bench, const char *column)
{
    for (size_t i = 0; i < bench->nrecords; i++)
        if (strcmp(bench->records[i]->column, column) == 0)
            return bench->records[i];
    return NULL;
}

/* Every live judge against what was recorded of it. */
void parity_judge_records(parity_bench *bench)
{
    if (!bench->records)
        return;
    for (size_t i = 0; i < bench->ncolumns; i++) {
        const parity_column *column = &bench->columns[i];
        if (!column->engine->judge || column->recorded || column->background ||
            !parity_column_usable(bench, i))
            continue;
        parity_side left = parity_side_of(bench, i);
        const parity_recorded *record = record_of(bench, column->id);
        if (record && record->text_hash == bench->test->text_hash[left.language]) {
            parity_side right = left;
            right.run = &record->run;
            right.name = "recorded";
            parity_judge_same(bench, PARITY_RECORD, &left, &right, NULL);
            continue;
        }
        parity_buffer why = {0};
        parity_buffer_printf(
            &why, "%s of %s: accept it with parity bless",
            record ? "only a record made from other case text" : "no record", column->id);
        parity_verdict_add(bench, PARITY_RECORD, PARITY_NOT_JUDGED, PARITY_NONE, i,
                           PARITY_NONE, why.data);
        parity_buffer_free(&why);
    }
}
