/* Lines over a descriptor: the transport of docs/protocol.md, for both of its ends. */
#ifndef PARITY_RUN_CHANNEL_H
#define PARITY_RUN_CHANNEL_H

#include "harness/base/buffer.h"

#include <stdbool.h>
#include <sys/types.h>

/* The longest line that either side accepts, its newline included. */
#define PARITY_LINE_LIMIT ((size_t)64 << 20)

/* What was read and not yet taken. Zero-initialised it is empty and ready. */
typedef struct parity_lines {
    parity_buffer buffer;
    size_t start;   /* of the first byte not yet taken */
    size_t scanned; /* bytes from there that hold no newline */
} parity_lines;

/* Reads once, at most 64 KiB; interrupted reads are repeated. Returns the count, 0 at the
 * end, or -1 with errno (EAGAIN on a descriptor that does not block). */
ssize_t parity_lines_read(parity_lines *lines, int fd);
/* Looks at the first complete line without taking it: `length` bytes without the newline,
 * valid until the next read. False: there is none yet. */
bool parity_lines_peek(parity_lines *lines, const char **line, size_t *length);
void parity_lines_take(parity_lines *lines); /* takes the line that was peeked at */
/* Bytes of a line that has not ended yet; to be called after peek said that there is no
 * line. */
size_t parity_lines_partial(const parity_lines *lines);
void parity_lines_free(parity_lines *lines); /* leaves it empty and ready */

/* Writes everything to a descriptor that blocks, whatever interrupts it. -1 with errno.
 */
int parity_write_all(int fd, const void *bytes, size_t count);

#endif
