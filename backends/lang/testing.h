/* For tests: runs a program and shows what it came to as text. */
#ifndef BACKENDS_LANG_TESTING_H
#define BACKENDS_LANG_TESTING_H

#include "backends/lang/lang.h"

/* Runs `program` on the CPU, observes the expressions in `observe` (separated by `;`, or
 * NULL) and returns what they print, separated by "; ". A program that does not run
 * through gives
 * "<kind>: <text> @line:column" instead. New. */
char *lang_testing_run(const char *program, const char *observe);
/* Checks with Check that running gives exactly `expected`. */
void lang_testing_expect(const char *program, const char *observe, const char *expected);
/* One row of a table of such checks. */
typedef struct lang_testing_row {
    const char *program;
    const char *observe;
    const char *expected;
} lang_testing_row;
void lang_testing_rows(const lang_testing_row *rows, size_t count);

#endif
