/* The columns of a session side by side, each told of as soon as it has answered: for a
 * person who waits. */
#ifndef PARITY_CLI_LANES_H
#define PARITY_CLI_LANES_H

#include "harness/cli/session.h"

/* Called when a column has run its cases, one call at a time; `seconds` is since the
 * start of all. */
typedef void lanes_tell(const session *s, size_t column, double seconds);

/* Fills s->runs. `have` marks runs (case * nlive + column) that are there already and
 * need not run; NULL: s->runs is not there yet, and all of them run. A column that had
 * nothing to run is not told of. */
int lanes_run(session *s, const bool *have, lanes_tell *tell, parity_error *error);

/* Prints what the column saw: its rows, or how the program ended. */
void lanes_print(const session *s, size_t column, double seconds);

#endif
