/* The bytes of one case file, and the problems found in them. */
#ifndef PARITY_LOAD_SOURCE_H
#define PARITY_LOAD_SOURCE_H

#include "harness/load/load.h"

/* Case files are written by hand; tensors of more than a few numbers belong in
 * safetensors files. */
#define PARITY_FILE_LIMIT ((size_t)1 << 20)
/* Problems shown of one file. */
#define PARITY_PROBLEM_LIMIT 50

typedef struct parity_source {
    const char *file;
    char *text; /* without a byte order mark; NUL-terminated; owned */
    size_t length;
    size_t *lines; /* offset of the first byte of each line; owned */
    size_t nlines;
    size_t lines_capacity;
    size_t near_offset; /* the last place asked for: places are mostly asked for front to
                           back */
    parity_pos near;
} parity_source;

/* Reads at most PARITY_FILE_LIMIT bytes of a regular file into `text`, new. Never blocks
 * on a pipe or a device. */
int parity_file_read(char **text, size_t *length, const char *file, parity_error *error);

/* Takes a copy of the bytes and finds the lines. */
void parity_source_open(parity_source *source, const char *file, const char *text,
                        size_t length);
void parity_source_close(parity_source *source);
parity_pos parity_source_pos(parity_source *source, size_t offset);

/* Adds a problem at a byte of the source unless the same one is there already. */
void parity_problem_add(parity_suite *suite, parity_source *source, size_t offset,
                        const char *format, ...) PARITY_PRINTF(4, 5);
void parity_problem_addv(parity_suite *suite, parity_source *source, size_t offset,
                         const char *format, va_list args);
/* Adds a problem of a file that has no text to show. */
void parity_problem_file(parity_suite *suite, const char *file, const char *format, ...)
    PARITY_PRINTF(3, 4);

/* Reports the first bytes that no case file may contain: invalid UTF-8, NUL and other
 * control characters, line ends that editors and YAML count differently. Returns whether
 * there are none. */
bool parity_source_valid(parity_suite *suite, parity_source *source);

#endif
