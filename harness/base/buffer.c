#include "harness/base/buffer.h"
#include "harness/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `extra` more bytes and the NUL behind them. */
static void reserve(parity_buffer *buffer, size_t extra)
{
    size_t need = buffer->length + extra + 1;
    if (need <= buffer->capacity)
        return;
    size_t capacity = buffer->capacity ? buffer->capacity : 64;
    while (capacity < need)
        capacity *= 2;
    buffer->data = parity_realloc(buffer->data, capacity);
    buffer->capacity = capacity;
}

void parity_buffer_free(parity_buffer *buffer)
{
    free(buffer->data);
    *buffer = (parity_buffer){0};
}

void parity_buffer_add(parity_buffer *buffer, const void *bytes, size_t count)
{
    reserve(buffer, count);
    if (count)
        memcpy(buffer->data + buffer->length, bytes, count);
    buffer->length += count;
    buffer->data[buffer->length] = '\0';
}

void parity_buffer_text(parity_buffer *buffer, const char *text)
{
    parity_buffer_add(buffer, text, strlen(text));
}

void parity_buffer_char(parity_buffer *buffer, char c)
{
    parity_buffer_add(buffer, &c, 1);
}

void parity_buffer_vprintf(parity_buffer *buffer, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return;
    reserve(buffer, (size_t)length);
    vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, args);
    buffer->length += (size_t)length;
}

void parity_buffer_printf(parity_buffer *buffer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    parity_buffer_vprintf(buffer, format, args);
    va_end(args);
}

char *parity_buffer_take(parity_buffer *buffer)
{
    reserve(buffer, 0);
    buffer->data[buffer->length] = '\0';
    char *data = buffer->data;
    *buffer = (parity_buffer){0};
    return data;
}
