/* A growing byte buffer. Zero-initialised it is empty and ready. `data` is always
 * followed by a NUL byte once anything was written, so that a text can be used as a C
 * string. Running out of memory ends the process with a message: the sizes here are
 * bounded by the callers. */
#ifndef PARITY_BASE_BUFFER_H
#define PARITY_BASE_BUFFER_H

#include "harness/base/error.h"

#include <stdarg.h>
#include <stddef.h>

typedef struct parity_buffer {
    char *data;
    size_t length;
    size_t capacity;
} parity_buffer;

void parity_buffer_free(parity_buffer *buffer); /* leaves it empty and ready */
void parity_buffer_add(parity_buffer *buffer, const void *bytes, size_t count);
void parity_buffer_text(parity_buffer *buffer, const char *text);
void parity_buffer_char(parity_buffer *buffer, char c);
void parity_buffer_printf(parity_buffer *buffer, const char *format, ...)
    PARITY_PRINTF(2, 3);
void parity_buffer_vprintf(parity_buffer *buffer, const char *format, va_list args);
/* Hands the bytes (NUL-terminated, never NULL) to the caller, who frees them. */
char *parity_buffer_take(parity_buffer *buffer);

#endif
