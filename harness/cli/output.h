/* Rendering reports to standard output and to files. */
#ifndef PARITY_CLI_OUTPUT_H
#define PARITY_CLI_OUTPUT_H

#include "harness/cli/cli.h"
#include "harness/model/report.h"

#include <stdio.h>

/* Fails when a --report names no report; before anything runs. */
int output_check(const cli_options *options, parity_error *error);
/* Renders every --report. The terminal summary goes to standard output, or to standard
 * error when a report took standard output. Files are written whole or not at all. */
int output_reports(const cli_options *options, const parity_result *result,
                   parity_error *error);
/* Renders one report to a stream. */
int output_render(FILE *stream, const char *report, const cli_options *options,
                  const parity_result *result, parity_error *error);
/* Writes a file under a temporary name beside it and renames it. A file that is there
 * keeps its mode, a link stays a link; one that may not be written to stays as it is. */
int output_write(const char *path, const char *text, size_t length, parity_error *error);

#endif
