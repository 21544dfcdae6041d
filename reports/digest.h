/* What several reports want to know about a result: counts, the worst of a cell, who
 * explains what. */
#ifndef PARITY_REPORTS_DIGEST_H
#define PARITY_REPORTS_DIGEST_H

#include "harness/model/report.h"

#define REPORT_STATES (PARITY_NOT_JUDGED + 1)

typedef struct report_counts {
    size_t of[REPORT_STATES];
    size_t broken;
} report_counts;

/* A state of a cell, or that nothing was said about it. */
typedef enum report_mark {
    REPORT_NOTHING,
    REPORT_OPEN,    /* only verdicts that could not be judged */
    REPORT_HOLDS,   /* agrees */
    REPORT_DIFFERS, /* a finding: differs, and the case says why */
    REPORT_BROKEN,
} report_mark;

report_counts report_count(const parity_result *result);
report_mark report_mark_of(parity_state state);
/* The worst verdict of a row (PARITY_NONE: of the program as a whole) in which the column
 * takes part (PARITY_NONE: any column), or NULL. */
const parity_verdict *report_worst(const parity_case_result *one, size_t row,
                                   size_t column);
/* The worst of all verdicts of a case in which the column takes part. */
report_mark report_cell(const parity_case_result *one, size_t column);
/* Columns that a report shows: neither in the background nor absent without a record. */
bool report_shows(const parity_column *column);
/* Whether what the column says about a case is a model's word alone: its device is a
 * stand-in
 * ("metal-soft"), and no judge, live or recorded, has an outcome of the case from the
 * device that it stands for. */
bool report_modelled(const parity_result *result, const parity_case_result *one,
                     size_t column);
/* In how many cases; not in those of which the column has no outcome. */
size_t report_count_modelled(const parity_result *result, size_t column);
/* Where the outcomes of a column come from, when they are not of a live run: "recorded",
 * "modelled"; else NULL. */
const char *report_source(const parity_result *result, const parity_case_result *one,
                          size_t column);

/* The sentence of the case that explains a verdict (finding, departure), or NULL. */
const char *report_explanation(const parity_result *result, const parity_case_result *one,
                               const parity_verdict *verdict,
                               const parity_report_options *options);
/* What to do about a broken verdict, one sentence. */
const char *report_advice(const parity_verdict *verdict);
/* The command that runs just this verdict again. */
void report_command(parity_buffer *out, const parity_result *result,
                    const parity_case_result *one, const parity_verdict *verdict);
/* "row clone", or "program". */
void report_subject(parity_buffer *out, const parity_case_result *one,
                    const parity_verdict *verdict);
/* "affine/ints" of "affine/ints[i64,view]": bytes of the id without its combination. */
size_t report_stem(const char *id);

#endif
