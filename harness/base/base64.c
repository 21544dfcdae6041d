#include "harness/base/base64.h"
#include "harness/base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void parity_base64_encode(parity_buffer *out, const void *bytes, size_t count)
{
    const unsigned char *in = bytes;
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        uint32_t bits = (uint32_t)in[i] << 16;
        if (left > 1)
            bits |= (uint32_t)in[i + 1] << 8;
        if (left > 2)
            bits |= in[i + 2];
        char text[4] = {alphabet[bits >> 18], alphabet[bits >> 12 & 63],
                        left > 1 ? alphabet[bits >> 6 & 63] : '=',
                        left > 2 ? alphabet[bits & 63] : '='};
        parity_buffer_add(out, text, 4);
    }
}

static int digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int parity_base64_decode(void **out, size_t *count, const char *text, size_t length,
                         parity_error *error)
{
    if (length % 4 != 0)
        return parity_fail(error, "base64 text of %zu characters is not a multiple of 4",
                           length);
    size_t padding = 0;
    while (padding < 2 && padding < length && text[length - 1 - padding] == '=')
        padding++;
    unsigned char *bytes = parity_alloc(length / 4 * 3 + 1);
    size_t used = 0;
    for (size_t i = 0; i < length; i += 4) {
        uint32_t bits = 0;
        for (size_t j = 0; j < 4; j++) {
            bool pad = i + j >= length - padding;
            int d = pad ? 0 : digit(text[i + j]);
            if (d < 0) {
                free(bytes);
                return parity_fail(error, "character %zu does not belong in base64",
                                   i + j + 1);
            }
            bits = bits << 6 | (uint32_t)d;
        }
        bytes[used++] = (unsigned char)(bits >> 16);
        bytes[used++] = (unsigned char)(bits >> 8);
        bytes[used++] = (unsigned char)bits;
    }
    *count = used - padding;
    *out = bytes;
    return 0;
}
