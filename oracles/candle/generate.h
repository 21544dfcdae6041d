/* A case's candle program as a Rust module, so that the places and paths in the
 * compiler's messages are those of the documented page: line 1 the uses, line 2 blank,
 * line 3 `fn main`, then the program indented by two. The observations follow it inside
 * `main`. */
#ifndef ORACLES_CANDLE_GENERATE_H
#define ORACLES_CANDLE_GENERATE_H

#include "harness/model/case.h"
#include "oracles/candle/scan.h"

typedef struct candle_lines {
    size_t first; /* lines of the module, from 1 */
    size_t last;
} candle_lines;

typedef struct candle_module {
    char *name; /* of its file, without folder: "pages.snapshot.rs" */
    char *text;
    size_t lines;           /* of the program */
    candle_list unindented; /* lines of the program that begin inside a string */
    candle_lines *observed; /* where each observation stands */
    size_t nobserved;
} candle_module;

/* `refused`, one an observation, or NULL: those of kind REFUSED do not compile and become
 * their own outcome. `trace`: a call before every statement says where the program is. */
void candle_generate(candle_module *out, const parity_case *test,
                     const parity_outcome *refused, bool trace);
void candle_module_free(candle_module *module); /* leaves it empty */

/* Where a place of the module lies. */
typedef enum candle_region {
    CANDLE_PROGRAM,
    CANDLE_OBSERVATION,
    CANDLE_GENERATED
} candle_region;
candle_region candle_locate(const candle_module *module, int line, int column,
                            parity_pos *in_program, size_t *observation);
/* The last place of the program, for errors that show only at its end. */
parity_pos candle_program_end(const parity_case *test);

/* The file that holds the modules of a batch together. */
typedef struct candle_fact {
    const char *name;
    const char *text;
} candle_fact;
char *candle_generate_main(const candle_module *const *modules, size_t count,
                           const char *version, const candle_fact *facts, size_t nfacts);

#endif
