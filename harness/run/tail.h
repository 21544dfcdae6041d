/* The end of what a worker wrote to standard error. */
#ifndef PARITY_RUN_TAIL_H
#define PARITY_RUN_TAIL_H

#include "harness/base/buffer.h"

#include <stdbool.h>

/* How much is kept. */
#define PARITY_TAIL ((size_t)64 << 10)

/* Reads what a descriptor that does not block holds now, and forgets all but the end.
 * False: its writers are gone. */
bool parity_tail_read(parity_buffer *tail, int fd);
/* As UTF-8 (what is not becomes U+FFFD), or NULL when nothing was written. New. */
char *parity_tail_text(const parity_buffer *tail);

#endif
