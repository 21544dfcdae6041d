#include "harness/run/tail.h"

#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

bool parity_tail_read(parity_buffer *tail, int fd)
{
    char chunk[16384];
    ssize_t count = sizeof chunk;
    /* Bounded, so that a worker that never stops writing does not keep us here. */
    for (int i = 0; i < 16 && count == sizeof chunk; i++) {
        count = read(fd, chunk, sizeof chunk);
        if (count > 0)
            parity_buffer_add(tail, chunk, (size_t)count);
        if (tail->length > 2 * PARITY_TAIL) {
            memmove(tail->data, tail->data + tail->length - PARITY_TAIL, PARITY_TAIL);
            tail->length = PARITY_TAIL;
        }
    }
    return count != 0;
}

char *parity_tail_text(const parity_buffer *tail)
{
    size_t skip = tail->length > PARITY_TAIL ? tail->length - PARITY_TAIL : 0;
    parity_buffer out = {0};
    if (tail->length == 0)
        return NULL;
    while (skip && skip < tail->length && (tail->data[skip] & 0xC0) == 0x80)
        skip++;
    while (skip < tail->length) {
        const char *next = tail->data + skip;
        utf8proc_int32_t code;
        utf8proc_ssize_t width =
            utf8proc_iterate((const utf8proc_uint8_t *)next,
                             (utf8proc_ssize_t)(tail->length - skip), &code);
        if (width > 0 && code != 0)
            parity_buffer_add(&out, next, (size_t)width);
        else
            parity_buffer_text(&out, "\xEF\xBF\xBD");
        skip += width > 0 ? (size_t)width : 1;
    }
    return parity_buffer_take(&out);
}
