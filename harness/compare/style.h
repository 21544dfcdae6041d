/* How one language prints: the part of rendering that differs between Rust and Python. */
#ifndef PARITY_COMPARE_STYLE_H
#define PARITY_COMPARE_STYLE_H

#include "harness/base/buffer.h"
#include "harness/model/value.h"

#include <utf8proc.h>

typedef struct parity_style {
    const char *yes, *no, *unit, *nan;
    bool narrow_halves; /* half types print as 32-bit floats, else as 64-bit ones */
    /* The exponent of 1e16 or 9e-5, with its e. */
    void (*exponent)(parity_buffer *out, int exponent);
    /* A text inside a list or a Result, with quotes and escapes. */
    void (*quoted)(parity_buffer *out, const char *text);
} parity_style;

extern const parity_style parity_style_rust;
extern const parity_style parity_style_python;
const parity_style *parity_style_of(int language); /* a parity_language */

/* Whether both languages print the character as it is inside a quoted text. */
bool parity_printable(utf8proc_int32_t character);
/* The next character of a text that is not at its end; bytes that are not UTF-8 come out
 * as U+FFFD, one at a time. */
utf8proc_int32_t parity_next_character(const char **text);
void parity_add_character(parity_buffer *out, utf8proc_int32_t character);

/* `dtype` decides how many digits tell the number apart. decimals -1: as few as possible.
 */
void parity_style_float(parity_buffer *out, const parity_style *style, double number,
                        parity_dtype dtype, int decimals);
/* The element at `index` of the elements that are in tensor->bits. */
void parity_style_element(parity_buffer *out, const parity_style *style,
                          const parity_tensor *tensor, size_t index, int decimals);
void parity_style_value(parity_buffer *out, const parity_style *style,
                        const parity_value *value, int decimals);

#endif
