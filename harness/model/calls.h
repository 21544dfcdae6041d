/* Which methods and functions a program calls, told from its text. */
#ifndef PARITY_MODEL_CALLS_H
#define PARITY_MODEL_CALLS_H

#include "harness/model/case.h"

/* Adds the names to the set, as a person looks them up: a method by its name ("clone"),
 * what is reached through a module or a type together with that ("torch.chunk",
 * "copy.deepcopy", "Tensor::zeros"), a function of a Rust prelude by its name ("linear").
 * Left out: comments and strings, macros, words of the language, what Parity puts at hand
 * ("value"), and what the text has defined itself before it calls it. */
void parity_calls(parity_names *names, const char *text, parity_language language);

/* The same, one call at a time: `at` is the byte of the text where the last name of the
 * call begins. */
typedef void parity_call_visit(void *context, const char *name, size_t at);
void parity_each_call(const char *text, parity_language language,
                      parity_call_visit *visit, void *context);

/* Those of a case: of its programs and of the expressions that are observed. */
void parity_calls_of_case(parity_names *names, const parity_case *test);

#endif
