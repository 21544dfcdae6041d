/* A snippet typed by a user, turned into the text of a case file. */
#ifndef PARITY_CLI_SNIPPET_H
#define PARITY_CLI_SNIPPET_H

#include "harness/base/buffer.h"
#include "harness/cli/cli.h"

/* Writes a case with the given programs. With rows, each is `EXPR` or `TORCH | CANDLE`.
 * Without, the value of the last expression of each program is observed, as an
 * interactive Python would: it is bound to `it`. */
void snippet_case(parity_buffer *out, const char *torch, const char *candle,
                  const cli_list *rows);

#endif
