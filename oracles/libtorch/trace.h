/* The operator calls of a program as text (docs/libtorch.md), read line by line. */
#ifndef ORACLES_LIBTORCH_TRACE_H
#define ORACLES_LIBTORCH_TRACE_H

#include "harness/base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* A place in the text: words are separated by blanks, lines by \n. A text in quotes, as
 * in JSON, is one word. */
typedef struct libtorch_cursor {
    const char *at;
    int line;
} libtorch_cursor;

typedef struct libtorch_word {
    const char *text;
    size_t length;
} libtorch_word;

/* The next word of the line; false at its end. */
bool libtorch_word_next(libtorch_cursor *cursor, libtorch_word *word);
/* Passes the rest of the line; false at the end of the text. */
bool libtorch_line_next(libtorch_cursor *cursor);
bool libtorch_word_is(libtorch_word word, const char *text);
/* The number after the letter of "t12"; 0: it is no such name. */
size_t libtorch_word_name(libtorch_word word, char letter);
bool libtorch_word_integer(libtorch_word word, int64_t *out);
/* "[1,2]"; at most `most` of them. */
bool libtorch_word_integers(libtorch_word word, int64_t *out, size_t *count, size_t most);
/* The text that stands in quotes, without them, new; NULL: it is none. */
char *libtorch_word_text(libtorch_word word);

#endif
