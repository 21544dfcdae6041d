#include "harness/cli/bundle.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const char first[] = "parity bundle ";
static const char second[] = "checksum ";
enum { LINES_BEFORE = 2 };

void bundle_print(parity_buffer *out, const char *body, size_t length)
{
    parity_buffer_printf(out, "%s%d\n%s%016" PRIx64 "\n", first, BUNDLE_FORMAT, second,
                         (uint64_t)XXH3_64bits(body, length));
    parity_buffer_add(out, body, length);
}

static int read_file(parity_buffer *out, const char *path, parity_error *error)
{
    char chunk[1 << 14];
    size_t count;
    FILE *file = fopen(path, "rb");
    if (!file)
        return parity_fail(error, "%s: %s", path, strerror(errno));
    while ((count = fread(chunk, 1, sizeof chunk, file)) > 0)
        parity_buffer_add(out, chunk, count);
    int failed = ferror(file);
    fclose(file);
    return failed ? parity_fail(error, "%s cannot be read", path) : 0;
}

/* The rest of a line that begins with `key`, and the line after it. */
static const char *value_of(const char **at, const char *key)
{
    size_t length = strlen(key);
    const char *value = *at + length, *end = strchr(*at, '\n');
    if (strncmp(*at, key, length) != 0 || !end)
        return NULL;
    *at = end + 1;
    return value;
}

static int check(const char **body, const char *path, const char *text, size_t length,
                 parity_error *error)
{
    const char *at = text, *version = value_of(&at, first);
    if (!version)
        return parity_fail(error, "%s is no bundle: `parity record` makes one", path);
    long format = strtol(version, NULL, 10);
    if (format != BUNDLE_FORMAT)
        return parity_fail(error,
                           "%s has format %ld, and this Parity reads %d: use the Parity "
                           "that wrote it, or record again",
                           path, format, BUNDLE_FORMAT);
    const char *sum = value_of(&at, second);
    uint64_t stated = sum ? strtoull(sum, NULL, 16) : 0;
    size_t rest = length - (size_t)(at - text);
    if (!sum || stated != XXH3_64bits(at, rest))
        return parity_fail(error,
                           "%s is damaged: its checksum does not fit what follows; "
                           "fetch it again",
                           path);
    *body = at;
    return 0;
}

int bundle_read(parity_record_file *out, const char *path, parity_error *error)
{
    parity_buffer text = {0};
    const char *body = NULL;
    parity_buffer_text(&text, "");
    int status = read_file(&text, path, error);
    if (!status)
        status = check(&body, path, text.data, text.length, error);
    if (!status) {
        size_t length = text.length - (size_t)(body - text.data);
        status = parity_record_parse(out, path, body, length, error);
        if (status && error->pos.line > 0)
            error->pos.line += LINES_BEFORE;
    }
    parity_buffer_free(&text);
    return status;
}
