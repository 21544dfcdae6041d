/* What the files of the parser share. After a fault the parser stands at the last token,
 * so that every loop ends; the first fault is kept. */
#ifndef BACKENDS_LANG_PARSE_H
#define BACKENDS_LANG_PARSE_H

#include "backends/lang/parser.h"

#include <string.h>

typedef struct lang_parser {
    parity_arena *arena;
    lang_interner *names;
    const char *text;
    lang_token *tokens;
    size_t count;
    size_t at;
    unsigned depth;
    bool failed;
    parity_error *error;
    const lang_block *block; /* being parsed */
    /* Single names that expressions have used so far: what a closure may capture. */
    const char **used;
    size_t nused;
    size_t used_capacity;
} lang_parser;

/* A growing array of pointers in the arena. */
typedef struct lang_list {
    void **items;
    size_t count;
    size_t capacity;
} lang_list;
void lang_list_add(lang_parser *p, lang_list *list, void *item);

/* strcmp, after a look at the first character: most comparisons of the parser end there.
 */
static inline bool lang_same(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0;
}

const lang_token *lang_peek(const lang_parser *p, size_t ahead);
bool lang_at(const lang_parser *p, const char *punct); /* does the token stand here? */
bool lang_at_word(const lang_parser *p, const char *word);
bool lang_accept(lang_parser *p, const char *punct);
bool lang_accept_word(lang_parser *p, const char *word);
void lang_expect(lang_parser *p, const char *punct);
/* Splits `&&` and `||` where one of the two is meant. */
bool lang_accept_half(lang_parser *p, const char *punct);
const char *lang_name(lang_parser *p); /* a name that is no keyword */
/* Steps into something nested; false, with a fault, when it is too deep. */
bool lang_enter(lang_parser *p);
void lang_leave(lang_parser *p);

void lang_fault(lang_parser *p, parity_pos pos, const char *format, ...)
    PARITY_PRINTF(3, 4);
/* Faults with "`x` is outside what the core interprets". */
void lang_outside(lang_parser *p, parity_pos pos, const char *what);
/* Faults with "expected …, found …" at the next token. */
void lang_expected(lang_parser *p, const char *what);

lang_type *lang_parse_type(lang_parser *p);
/* <A, B>; the `<` was taken. */
void lang_parse_type_args(lang_parser *p, lang_list *args);
lang_pattern *lang_parse_pattern(lang_parser *p);
lang_block *lang_parse_block(lang_parser *p); /* with its braces */
/* Statements and items up to `}` or the end. */
void lang_parse_statements(lang_parser *p, lang_block *block);

lang_expr *lang_new_expr(lang_parser *p, lang_expr_kind kind, parity_pos pos);
/* Sets the depth from the children; faults when it is too deep. */
lang_expr *lang_finish_expr(lang_parser *p, lang_expr *e);
lang_expr *lang_parse_expr(lang_parser *p);
lang_expr *lang_parse_condition(lang_parser *p); /* without struct literals */
/* if, for, while, loop, block: expressions that end a statement without `;`. NULL: none
 * here. */
lang_expr *lang_parse_blocklike(lang_parser *p);
lang_expr *lang_parse_primary(lang_parser *p, bool structs);
lang_expr *lang_parse_level(lang_parser *p, int level, bool structs);
/* Comma-separated, up to and with `close`. */
void lang_parse_items(lang_parser *p, lang_expr *e, const char *close);
/* name!(…); the name and `!` were taken. */
lang_expr *lang_parse_macro(lang_parser *p, const char *name, parity_pos pos);
void lang_use_name(lang_parser *p, const char *name);
/* What was parsed since `first` names had been used. */
lang_region *lang_new_region(lang_parser *p, size_t first);

#endif
