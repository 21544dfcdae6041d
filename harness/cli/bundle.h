/* A portable record: the outcomes of a judge on one machine, on their way to the records
 * of another checkout.
 *
 * The first line names the format, the second the checksum of all that follows, which is
 * the text of a record file. Every block in it says from which case text it was made. */
#ifndef PARITY_CLI_BUNDLE_H
#define PARITY_CLI_BUNDLE_H

#include "harness/load/record.h"

#define BUNDLE_FORMAT 1

/* `body`: the text of a record file. */
void bundle_print(parity_buffer *out, const char *body, size_t length);
/* Checks format and checksum and reads the blocks; else the error says what does not fit
 * and what to do. */
int bundle_read(parity_record_file *out, const char *path, parity_error *error);

#endif
