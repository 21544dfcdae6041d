/* Case files to cases. libyaml events are read once, front to back; every problem has its
 * place. */
#ifndef PARITY_LOAD_LOAD_H
#define PARITY_LOAD_LOAD_H

#include "harness/base/buffer.h"
#include "harness/model/case.h"

/* One problem of a case file: place, text, and the nearest known word if a word was not
 * known. */
typedef struct parity_problem {
    char *file;
    parity_pos pos;
    char *message;
    char *line; /* the text of that line, shortened; NULL when it cannot be shown */
    int caret; /* index of the character of `line` under which the caret stands, from 0 */
} parity_problem;

/* Loaded cases in the order of their ids, and everything that was wrong. A file with a
 * problem contributes no case. */
typedef struct parity_suite {
    parity_case *cases;
    size_t ncases;
    size_t cases_capacity;
    parity_problem *problems;
    size_t nproblems;
    size_t problems_capacity;
    parity_arena *arena;
} parity_suite;

/* Loads every *.yaml below `folder`, which is cases/ or stands for it, except its
 * selftest/, and expands matrices. Never fails as a whole: problems are in the suite. */
void parity_load_tree(parity_suite *suite, const char *folder);
/* Loads one file, or, when `text` is not NULL, that text under the name `file`. `id` is
 * the case's id without matrix suffix. */
void parity_load_file(parity_suite *suite, const char *file, const char *id,
                      const char *text, size_t length);
void parity_suite_free(parity_suite *suite);

/* file:line:column: message, the line, a caret. Columns of wide characters count as two
 * cells. */
void parity_problem_print(parity_buffer *out, const parity_problem *problem);

/* Place in the file of a place in a program; {0, 0} for an unknown place. Exact for every
 * way in which YAML writes a text, and through `${name}`. */
parity_pos parity_program_pos(const parity_program *program, parity_pos in_program);

/* Whether a case id matches a pattern of the command line: a glob over the whole id (*
 * and ? do not stop at /), an id without its matrix suffix, or the path of a case file.
 * NULL: everything. */
bool parity_case_matches(const parity_case *test, const char *pattern);

#endif
