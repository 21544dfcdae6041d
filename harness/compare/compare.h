/* Observations to relations. The rules are those of docs/comparing.md. */
#ifndef PARITY_COMPARE_COMPARE_H
#define PARITY_COMPARE_COMPARE_H

#include "harness/load/record.h"
#include "harness/model/result.h"

/* Judges one case: fills verdicts and fates of `result` from its runs. `records` are the
 * blocks recorded for this very case (any column), `columns` all columns of the run; a
 * column that is `recorded` has its run from a record. NULL for `records` says that this
 * text has no record by nature (a snippet), so that none is missed. */
void parity_judge(parity_case_result *result, const parity_column *columns,
                  size_t ncolumns, const parity_recorded *const *records,
                  size_t nrecords);
/* Frees verdicts and fates; the runs stay. */
void parity_judge_clear(parity_case_result *result);

/* The first difference of two outcomes in one line ("element [0, 1]: 1.5 against 2.5"),
 * or NULL when they are equal under the relation. New; the caller frees it. CONTRAST
 * expects candle on the left and PyTorch on the right and looks at value, dtype and
 * shape; Ok(v) and Some(v) stand for v, unit agrees with anything, errors are compared by
 * kind. The other relations are exact: kind, bits, dtype, shape, strides, offset, facts,
 * texts. */
char *parity_difference(const parity_outcome *left, const parity_outcome *right,
                        parity_relation relation);

/* 1 if anything is broken; else 2 if a column marked in `named` (one flag a column; NULL:
 * none) is absent or, when strict, any is, a worker broke the protocol, or nothing was
 * judged; else 0. */
int parity_exit_code(const parity_result *result, const bool *named, bool strict);

#endif
