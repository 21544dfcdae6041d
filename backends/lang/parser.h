/* Candle text to a tree.
 *
 * What is outside the subset, or no Rust at all, is refused with its place and a reason;
 * nothing is skipped or guessed. The text may be any bytes. */
#ifndef BACKENDS_LANG_PARSER_H
#define BACKENDS_LANG_PARSER_H

#include "backends/lang/ast.h"

/* The body of `fn main`, as a case file has it. Both return 0 or -1 with the reason and
 * the place in the text. */
int lang_parse_program(lang_block **out, parity_arena *arena, lang_interner *names,
                       const char *text, parity_error *error);
/* One expression to observe. */
int lang_parse_expression(lang_expr **out, parity_arena *arena, lang_interner *names,
                          const char *text, parity_error *error);

#endif
