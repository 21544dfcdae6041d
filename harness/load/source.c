/* Reading case files, and places in them. */
#include "harness/load/source.h"
#include "harness/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

static int check_kind(const char *file, int fd, parity_error *error)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return parity_fail_at(error, file, (parity_pos){0, 0}, "cannot be read: %s",
                              strerror(errno));
    if (S_ISDIR(st.st_mode))
        return parity_fail_at(error, file, (parity_pos){0, 0},
                              "is a directory, not a case file");
    if (!S_ISREG(st.st_mode))
        return parity_fail_at(error, file, (parity_pos){0, 0},
                              "is not a regular file; a case is a file of text");
    return 0;
}

/* Reads to the end, one byte more than the limit at most, so that no size is trusted. */
static int read_bounded(char **text, size_t *length, const char *file, int fd,
                        parity_error *error)
{
    parity_buffer buffer = {0};
    char block[1 << 14];
    ssize_t n = 0;
    while (buffer.length <= PARITY_FILE_LIMIT &&
           ((n = read(fd, block, sizeof block)) > 0 || (n < 0 && errno == EINTR)))
        if (n > 0)
            parity_buffer_add(&buffer, block, (size_t)n);
    int code = 0;
    if (n < 0)
        code = parity_fail_at(error, file, (parity_pos){0, 0}, "cannot be read: %s",
                              strerror(errno));
    else if (buffer.length > PARITY_FILE_LIMIT)
        code =
            parity_fail_at(error, file, (parity_pos){0, 0},
                           "is larger than 1 MiB; put large tensors into a safetensors "
                           "file and name it under data:");
    *length = buffer.length;
    *text = parity_buffer_take(&buffer);
    if (code != 0) {
        free(*text);
        *text = NULL;
    }
    return code;
}

int parity_file_read(char **text, size_t *length, const char *file, parity_error *error)
{
    *text = NULL;
    *length = 0;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return parity_fail_at(error, file, (parity_pos){0, 0}, "cannot be opened: %s",
                              strerror(errno));
    int code = check_kind(file, fd, error);
    if (code == 0)
        code = read_bounded(text, length, file, fd, error);
    close(fd);
    return code;
}

void parity_source_open(parity_source *source, const char *file, const char *text,
                        size_t length)
{
    *source = (parity_source){.file = file};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    source->text = parity_alloc(length + 1);
    if (length > 0)
        memcpy(source->text, text, length);
    source->length = length;
    for (size_t at = 0; at <= length; at++) {
        if (at > 0 && source->text[at - 1] != '\n')
            continue;
        PARITY_GROW(source->lines, source->nlines, source->lines_capacity);
        source->lines[source->nlines++] = at;
    }
    source->near = (parity_pos){1, 1};
}

void parity_source_close(parity_source *source)
{
    free(source->text);
    free(source->lines);
    *source = (parity_source){0};
}

/* Index of the line that holds the byte. */
static size_t line_of(const parity_source *source, size_t offset)
{
    size_t low = 0;
    size_t high = source->nlines;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

parity_pos parity_source_pos(parity_source *source, size_t offset)
{
    if (offset > source->length)
        offset = source->length;
    size_t line = line_of(source, offset);
    parity_pos pos = {(int)line + 1, 1};
    size_t from = source->lines[line];
    if (source->near.line == pos.line && source->near_offset <= offset) {
        from = source->near_offset;
        pos = source->near;
    }
    for (size_t i = from; i < offset; i++)
        pos.column +=
            i + 1 == offset || ((unsigned char)source->text[i + 1] & 0xC0) != 0x80;
    source->near_offset = offset;
    source->near = pos;
    return pos;
}

/* Why a code point may not stand in a case file, or NULL. */
static const char *refused(utf8proc_int32_t point, const char *next)
{
    if (point == 0)
        return "a NUL character; case files are text";
    if (point == '\r')
        return *next == '\n' ? NULL
                             : "a carriage return that ends no line; use line feeds";
    if (point == '\t' || point == '\n')
        return NULL;
    if (point == 0x85 || point == 0x2028 || point == 0x2029)
        return "a Unicode line separator, which YAML and editors count differently; "
               "write it "
               "as an escape of the program's language";
    if (point == 0xFEFF)
        return "a byte order mark in the middle of the file; remove it";
    if (point < 0x20 || (point >= 0x7F && point < 0xA0))
        return "a control character; write it as an escape of the program's language";
    if ((point & 0xFFFE) == 0xFFFE)
        return "a code point that is no character";
    return NULL;
}

bool parity_source_valid(parity_suite *suite, parity_source *source)
{
    const char *text = source->text;
    for (size_t at = 0; at < source->length;) {
        utf8proc_int32_t point = 0;
        utf8proc_ssize_t n =
            utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                             (utf8proc_ssize_t)(source->length - at), &point);
        if (n <= 0) {
            parity_problem_add(suite, source, at,
                               "byte 0x%02X is not UTF-8; save the file as UTF-8",
                               (unsigned char)text[at]);
            return false;
        }
        const char *why = refused(point, text + at + n);
        if (why != NULL) {
            parity_problem_add(suite, source, at, "%s", why);
            return false;
        }
        at += (size_t)n;
    }
    return true;
}
