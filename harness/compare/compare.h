/* Observations to relations. */
#ifndef PARITY_COMPARE_COMPARE_H
#define PARITY_COMPARE_COMPARE_H

#include "harness/load/record.h"
#include "harness/model/result.h"

/* Judges one case: fills verdicts and fates of `result` from its runs. `records` are the blocks
 * recorded for this very case (any column), `columns` all columns of the run.
 * Rules in docs/comparing.md: class, then bits, then ULP; every verdict is !(error <= bound). */
void parity_judge(parity_case_result *result, const parity_column *columns, size_t ncolumns,
                  const parity_recorded *const *records, size_t nrecords);

/* The first difference of two values in one line ("element [0, 1]: 1.5 against 2.5, 1 ULP…"), or
 * NULL when they are equal under the relation. New; the caller frees it.
 * FIDELITY, DEVICE, VERSION and RECORD are exact: kind, bits, dtype, shape, strides, offset, facts.
 * CONTRAST looks at value, dtype and shape across languages; Ok(v) and Some(v) stand for v, unit for
 * anything; errors by kind. */
char *parity_difference(const parity_outcome *left, const parity_outcome *right,
                        parity_relation relation);

/* 0, 1 or 2 as design and README say; `named` marks columns named on the command line. */
int parity_exit_code(const parity_result *result, const bool *named, bool strict);

#endif
