/* Base64 (RFC 4648, with padding), as tensor bits travel in the protocol and in records.
 */
#ifndef PARITY_BASE_BASE64_H
#define PARITY_BASE_BASE64_H

#include "harness/base/buffer.h"

#include <stddef.h>

void parity_base64_encode(parity_buffer *out, const void *bytes, size_t count);
/* *out is new and belongs to the caller. Fails on any character that does not belong
 * there. */
int parity_base64_decode(void **out, size_t *count, const char *text, size_t length,
                         parity_error *error);

#endif
