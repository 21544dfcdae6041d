/* What the reports for a terminal share: signs, colours, and the evidence of one verdict.
 */
#ifndef PARITY_REPORTS_EVIDENCE_H
#define PARITY_REPORTS_EVIDENCE_H

#include "reports/digest.h"

typedef struct report_screen {
    parity_buffer *out;
    const parity_result *result;
    const parity_report_options *options;
} report_screen;

typedef struct report_sign {
    const char *sign;
    const char *colour; /* parameters of ECMA-48's SGR */
    const char *meaning;
} report_sign;

extern const report_sign report_marks[]; /* by report_mark */

/* The text, made safe for a terminal, in a colour when colours are asked for. */
void report_coloured(const report_screen *s, const char *colour, const char *text);
/* A line under a heading. */
void report_indented(const report_screen *s, const char *before, const char *text);
/* What the compiler or the worker printed when the program did not run through. */
void report_diagnostics(const report_screen *s, const parity_case_result *one,
                        size_t column);
/* State, case, row and relation; first difference; what the case says; what to do; where;
 * and the command that runs just this again. */
void report_evidence(const report_screen *s, const parity_case_result *one,
                     const parity_verdict *verdict);

#endif
