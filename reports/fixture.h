/* One finished result with everything that is hard to print. */
#ifndef PARITY_REPORTS_FIXTURE_H
#define PARITY_REPORTS_FIXTURE_H

#include "harness/model/report.h"

/* Two cases in four columns: one judged with a finding, a broken row, NaN, a row that
 * could not be judged and texts full of markup and control characters; one whose program
 * is refused by the compiler. Lives until it is asked for again or freed. */
const parity_result *report_fixture(void);
void report_fixture_free(void);

#endif
