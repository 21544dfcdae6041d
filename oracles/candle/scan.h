/* Rust text as tokens, as far as the generator has to know it: what is code, what is
 * inside a string or a comment, and where statements begin. It never refuses text; that
 * is the compiler's task. */
#ifndef ORACLES_CANDLE_SCAN_H
#define ORACLES_CANDLE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum candle_token_kind {
    CANDLE_WORD,    /* identifier, keyword, number */
    CANDLE_TEXT,    /* string of any kind, character */
    CANDLE_OPEN,    /* ( [ { */
    CANDLE_CLOSE,   /* ) ] } */
    CANDLE_PUNCT,   /* one other character; a lifetime is ' and a word */
    CANDLE_UNENDED, /* string or block comment up to the end of the text */
    CANDLE_END
} candle_token_kind;

typedef struct candle_token {
    candle_token_kind kind;
    size_t start; /* in bytes from the beginning of the text */
    size_t length;
} candle_token;

typedef struct candle_scanner {
    const char *text;
    size_t length;
    size_t at; /* zero to begin with */
} candle_scanner;

/* The next token; comments and space are passed over. */
candle_token candle_scan(candle_scanner *scanner);
/* Whether the token is this one: a word, or one character. */
bool candle_token_is(const candle_scanner *scanner, candle_token token, const char *text);

/* Why `expression` cannot stand in parentheses of its own ("unbalanced )", "a string that
 * does not end"), or NULL when it can. */
const char *candle_unbalanced(const char *expression);

/* A growing list of numbers; zero-initialised it is empty. */
typedef struct candle_list {
    size_t *items;
    size_t count;
    size_t capacity;
} candle_list;
void candle_list_add(candle_list *list, size_t number);
void candle_list_free(candle_list *list);

/* Lines (from 1) that begin inside a string, and so must not be indented. */
void candle_lines_in_strings(candle_list *lines, const char *text);

/* Places (in bytes) where the statements at the top of a function body begin, and where
 * each of them ends. Two that cannot be told apart for sure count as one; the last may
 * lack its end. */
void candle_statements(candle_list *starts, candle_list *ends, const char *text);

#endif
