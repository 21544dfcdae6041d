/* Candle text to tokens.
 *
 * The lexer knows Rust's own tokens and nothing of what the core can interpret: what it
 * cannot read becomes one LANG_BAD token that says why, and the parser reports it at its
 * place. It never fails on any bytes, and always ends with LANG_END. */
#ifndef BACKENDS_LANG_LEXER_H
#define BACKENDS_LANG_LEXER_H

#include "harness/base/error.h"
#include "harness/base/memory.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum lang_token_kind {
    LANG_END,
    LANG_BAD,   /* `text` says what is wrong */
    LANG_IDENT, /* names and keywords; `text` is interned: equal names are equal pointers
                 */
    LANG_LIFETIME, /* 'a */
    LANG_INT, /* digits without underscores, with 0x, 0o or 0b, in `text`; suffix apart */
    LANG_FLOAT,  /* digits without underscores in `text` */
    LANG_STRING, /* the characters after escapes, `length` bytes */
    LANG_PUNCT,  /* `text` is interned; `>` always comes alone, see `glued` */
} lang_token_kind;

typedef struct lang_token {
    lang_token_kind kind;
    bool glued; /* the next token follows without a space */
    const char *text;
    const char *suffix; /* of a number: "f32"; or NULL. Interned */
    size_t length;
    size_t start; /* byte offsets of the token in the program */
    size_t end;
    parity_pos pos;
} lang_token;

/* Names of one program, so that names compare as pointers. */
typedef struct lang_interner lang_interner;
lang_interner *lang_interner_new(parity_arena *arena); /* lives in the arena */
const char *lang_intern(lang_interner *interner, const char *text, size_t length);

typedef struct lang_tokens {
    lang_token *items; /* in the arena */
    size_t count;
} lang_tokens;

/* `text` is NUL-terminated. */
lang_tokens lang_lex(parity_arena *arena, lang_interner *interner, const char *text);

#endif
