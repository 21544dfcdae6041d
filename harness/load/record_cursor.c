/* Words, texts and places of record files. */
#include "harness/base/memory.h"
#include "harness/load/record_text.h"

#include <stdlib.h>
#include <string.h>

int parity_cursor_fail(parity_cursor *cursor, const char *format, ...)
{
    parity_buffer message = {0};
    va_list args;
    va_start(args, format);
    parity_buffer_vprintf(&message, format, args);
    va_end(args);
    parity_pos pos = {cursor->number, 1};
    for (const char *p = cursor->line; p < cursor->at; p++)
        pos.column += ((unsigned char)*p & 0xC0) != 0x80;
    parity_fail_at(cursor->error, cursor->file, pos, "%s", message.data);
    parity_buffer_free(&message);
    return -1;
}

void parity_cursor_blanks(parity_cursor *cursor)
{
    cursor->at += strspn(cursor->at, " ");
}

bool parity_cursor_take(parity_cursor *cursor, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(cursor->at, text, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

int parity_cursor_word(parity_cursor *cursor, char *out, size_t size)
{
    size_t n = strspn(cursor->at,
                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    if (n >= size)
        return parity_cursor_fail(cursor, "a word of %zu characters", n);
    memcpy(out, cursor->at, n);
    out[n] = '\0';
    cursor->at += n;
    return 0;
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* One escape at the cursor, which stands on its backslash. */
static int take_escape(parity_cursor *cursor, parity_buffer *out)
{
    char c = cursor->at[1];
    const char *plain = "nt\\\"";
    const char *means = "\n\t\\\"";
    const char *found = c != '\0' ? strchr(plain, c) : NULL;
    if (found != NULL) {
        parity_buffer_char(out, means[found - plain]);
        cursor->at += 2;
        return 0;
    }
    int high = c == 'x' ? hex_digit(cursor->at[2]) : -1;
    int low = high >= 0 ? hex_digit(cursor->at[3]) : -1;
    if (low < 0 || high + low == 0)
        return parity_cursor_fail(cursor,
                                  "unknown escape; known are \\n \\t \\\\ \\\" \\x1f");
    parity_buffer_char(out, (char)(16 * high + low));
    cursor->at += 4;
    return 0;
}

char *parity_cursor_unescape(parity_cursor *cursor, const char *end)
{
    parity_buffer out = {0};
    while (cursor->at < end) {
        if (*cursor->at != '\\') {
            parity_buffer_char(&out, *cursor->at++);
        } else if (take_escape(cursor, &out) != 0) {
            parity_buffer_free(&out);
            return NULL;
        }
    }
    return parity_buffer_take(&out);
}

int parity_cursor_string(parity_cursor *cursor, char **out)
{
    *out = NULL;
    if (parity_cursor_take(cursor, "-"))
        return 0;
    if (*cursor->at != '"')
        return parity_cursor_fail(cursor, "a text in double quotes is missing here");
    const char *end = cursor->at + 1;
    while (*end != '"' && *end != '\n' && *end != '\0')
        end += *end == '\\' && end[1] != '\0' && end[1] != '\n' ? 2 : 1;
    if (*end != '"')
        return parity_cursor_fail(cursor, "this text is not closed");
    cursor->at++;
    *out = parity_cursor_unescape(cursor, end);
    if (*out == NULL)
        return -1;
    cursor->at = end + 1;
    return 0;
}
