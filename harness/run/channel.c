#include "harness/run/channel.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 64 << 10, KEEP = 1 << 20 };

/* Moves what is left to the front, and gives memory back after a long line. */
static void compact(parity_lines *lines)
{
    size_t left = lines->buffer.length - lines->start;
    if (lines->start == 0)
        return;
    if (left == 0 && lines->buffer.capacity > KEEP) {
        parity_buffer_free(&lines->buffer);
    } else {
        memmove(lines->buffer.data, lines->buffer.data + lines->start, left);
        lines->buffer.length = left;
    }
    lines->start = 0;
}

ssize_t parity_lines_read(parity_lines *lines, int fd)
{
    char chunk[CHUNK];
    ssize_t count;
    do
        count = read(fd, chunk, sizeof chunk);
    while (count < 0 && errno == EINTR);
    if (count > 0) {
        compact(lines);
        parity_buffer_add(&lines->buffer, chunk, (size_t)count);
    }
    return count;
}

bool parity_lines_peek(parity_lines *lines, const char **line, size_t *length)
{
    size_t left = lines->buffer.length - lines->start;
    if (left == 0)
        return false;
    const char *first = lines->buffer.data + lines->start;
    const char *end = memchr(first + lines->scanned, '\n', left - lines->scanned);
    if (end == NULL) {
        lines->scanned = left;
        return false;
    }
    *line = first;
    *length = lines->scanned = (size_t)(end - first);
    return true;
}

void parity_lines_take(parity_lines *lines)
{
    lines->start += lines->scanned + 1;
    lines->scanned = 0;
}

size_t parity_lines_partial(const parity_lines *lines)
{
    return lines->buffer.length - lines->start;
}

void parity_lines_free(parity_lines *lines)
{
    parity_buffer_free(&lines->buffer);
    lines->start = lines->scanned = 0;
}

int parity_write_all(int fd, const void *bytes, size_t count)
{
    const char *next = bytes;
    while (count > 0) {
        ssize_t written = write(fd, next, count);
        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            next += written;
            count -= (size_t)written;
        }
    }
    return 0;
}
