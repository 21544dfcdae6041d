/* The part of `parity bless` that writes CASE.trace. */
#ifndef PARITY_CLI_BLESS_TRACE_H
#define PARITY_CLI_BLESS_TRACE_H

#include "harness/cli/session.h"

/* Runs the cases again in every column whose engine can tell what its programs call, and
 * writes the traces beside the cases, or only says which would change. The session has
 * run. `changed` is raised by the number of files. 0, or -1 with an error. */
int bless_traces(const session *s, bool only_check, size_t *changed, parity_error *error);

#endif
