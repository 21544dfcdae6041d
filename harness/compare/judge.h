/* What the relations share while one case is judged. */
#ifndef PARITY_COMPARE_JUDGE_H
#define PARITY_COMPARE_JUDGE_H

#include "harness/compare/compare.h"
#include "harness/compare/difference.h"

typedef struct parity_judging {
    parity_case_result *result;
    const parity_case *test;
    const parity_column *columns;
    size_t ncolumns;
    const parity_recorded *const *records;
    size_t nrecords;
    size_t capacity; /* of result->verdicts */
} parity_judging;

/* One side of a comparison: a run, and how texts name it. */
typedef struct parity_side {
    const parity_run *run;
    parity_language language;
    const char *name;
    size_t column;
} parity_side;

parity_side parity_side_of(const parity_judging *judging, size_t column);
/* The outcome of an observation; NOT_REACHED when there is none. */
const parity_outcome *parity_side_outcome(const parity_side *side, size_t observe);

/* How many observations a template has; one without any is never judged. */
size_t parity_observations(const parity_template *text);

/* Appends a verdict. `why` is copied; NULL and empty mean nothing to say. The place is
 * that of the row's finding, of the row, or of the program. */
void parity_verdict_add(parity_judging *judging, parity_relation relation,
                        parity_state state, size_t row, size_t left, size_t right,
                        const char *why);

/* Differs and explained → FINDING and so on: the one table of states. `strict` relations
 * know no explanation: a difference is CHANGED. */
parity_state parity_settle(bool differs, bool explained, bool strict);

/* Appends why nothing can be said about an outcome of this side (unsupported, not
 * reached, absent, a broken protocol) and returns true; else false. */
bool parity_unjudgeable(parity_buffer *why, const parity_side *side,
                        const parity_outcome *outcome);
/* How a program ended, in words: "ran through", "panic: …". */
void parity_ending_text(parity_buffer *out, const parity_outcome *end);

/* Fates of all rows in all columns; see docs/comparing.md. */
void parity_fates(parity_judging *judging);
parity_fate parity_fate_of(const parity_judging *judging, size_t row, size_t column);

/* The column that speaks for a language on a device, or PARITY_NONE with a reason in
 * `why`: the live judge of the version that is recorded, else its record, else another
 * live judge. `stand_in` allows an engine that is no judge at the very end. `version`:
 * the version that must be spoken for; NULL: any. */
size_t parity_pick(const parity_judging *judging, parity_language language,
                   const char *device, const char *version, bool stand_in,
                   parity_buffer *why);
bool parity_column_usable(const parity_judging *judging, size_t column);

/* The relations. */
void parity_judge_stated(parity_judging *judging);
void parity_judge_fidelity(parity_judging *judging);
void parity_judge_contrast(parity_judging *judging);
void parity_judge_devices(parity_judging *judging);
void parity_judge_versions(parity_judging *judging);
void parity_judge_records(parity_judging *judging);

/* Same language on both sides: the program as a whole and every row. `departs` gives the
 * departure of a list that applies to the left column; NULL for the strict relations. */
typedef const parity_departure *(*parity_departs)(const parity_departure *, size_t,
                                                  const parity_column *);
void parity_judge_same(parity_judging *judging, parity_relation relation,
                       const parity_side *left, const parity_side *right,
                       parity_departs departs);

/* For every observation of the language, how its memory or identity relates to earlier
 * observations differently on the two sides: one text or NULL each. New; so are the
 * texts. */
char **parity_partition(const parity_case *test, const parity_side *left,
                        const parity_side *right);

/* Whether an end is what was stated; else `why` says what is different. `program` is the
 * text in which a place must lie. */
bool parity_ends_hold(const parity_ends *ends, const parity_outcome *end,
                      const char *program, parity_buffer *why);

#endif
