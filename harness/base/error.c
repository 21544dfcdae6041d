#include "harness/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill(char *out, size_t size, const char *format, va_list args)
{
    int written = vsnprintf(out, size, format, args);
    if (written < 0)
        out[0] = '\0';
    if ((size_t)written < size)
        return;
    /* Cut, but not inside a UTF-8 sequence: if the last sequence is not whole, drop it.
     */
    size_t end = size - 1;
    size_t start = end;
    while (start > 0 && ((unsigned char)out[start - 1] & 0xC0) == 0x80)
        start--;
    if (start > 0) {
        unsigned char lead = (unsigned char)out[start - 1];
        size_t need = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
        if (start - 1 + need > end)
            out[start - 1] = '\0';
    }
}

int parity_fail(parity_error *error, const char *format, ...)
{
    if (!error)
        return -1;
    va_list args;
    va_start(args, format);
    fill(error->message, sizeof error->message, format, args);
    va_end(args);
    error->file[0] = '\0';
    error->pos = (parity_pos){0, 0};
    return -1;
}

int parity_fail_at(parity_error *error, const char *file, parity_pos pos,
                   const char *format, ...)
{
    if (!error)
        return -1;
    va_list args;
    va_start(args, format);
    fill(error->message, sizeof error->message, format, args);
    va_end(args);
    snprintf(error->file, sizeof error->file, "%s", file ? file : "");
    error->pos = pos;
    return -1;
}
