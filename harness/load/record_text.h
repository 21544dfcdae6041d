/* What printing and parsing of records share. */
#ifndef PARITY_LOAD_RECORD_TEXT_H
#define PARITY_LOAD_RECORD_TEXT_H

#include "harness/load/record.h"

#define PARITY_RECORD_VERSION 1

/* The word for each kind of value; a tensor is "tensor" or, made by value(),
 * "host", or, known from a print only, "printed". */
extern const char *const parity_record_value_names[];

/* Text with backslash escapes for what cannot stand in a line. */
void parity_record_escape(parity_buffer *out, const char *text, bool quotes);

/* A place in the text that is parsed. */
typedef struct parity_cursor {
    const char *file;
    const char *text; /* NUL-terminated */
    const char *at;
    const char *line; /* start of the line that holds `at` */
    int number;       /* of that line */
    parity_error *error;
    int depth; /* of nested values */
} parity_cursor;

int parity_cursor_fail(parity_cursor *cursor, const char *format, ...)
    PARITY_PRINTF(2, 3);
void parity_cursor_blanks(parity_cursor *cursor);
/* Takes `text` when it stands next. */
bool parity_cursor_take(parity_cursor *cursor, const char *text);
/* Takes a word of letters, digits, _ and `.`; "" when none stands next. */
int parity_cursor_word(parity_cursor *cursor, char *out, size_t size);
/* Takes a quoted text, or - for NULL. *out is new. */
int parity_cursor_string(parity_cursor *cursor, char **out);
/* Undoes parity_record_escape up to `end`. New; NULL after an error. */
char *parity_cursor_unescape(parity_cursor *cursor, const char *end);
/* Takes the outcome of a line. *out is zeroed by the caller, who clears it also after an
 * error. */
int parity_cursor_outcome(parity_cursor *cursor, parity_outcome *out);

#endif
