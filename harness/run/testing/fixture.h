/* Cases and a column for the tests of the supervisor, made without files. */
#ifndef PARITY_RUN_TESTING_FIXTURE_H
#define PARITY_RUN_TESTING_FIXTURE_H

#include "harness/run/run.h"

typedef struct parity_fixture {
    parity_arena *arena;
    parity_column column;
    parity_case *cases; /* changed freely before the run */
    const parity_case **list;
    size_t ncases;
    size_t capacity;
    parity_run *runs;
    parity_run_options options;
} parity_fixture;

/* A column whose worker is the command, given as words; the first may be one of
 * "parity-test-worker" and "parity-faulty", which are found in the build directory. */
void parity_fixture_open(parity_fixture *fixture, const char *const *command);
/* Adds a case that observes the words of `observe` (separated by spaces; may be empty).
 */
parity_case *parity_fixture_add(parity_fixture *fixture, const char *id,
                                const char *program, const char *observe);
void parity_fixture_run(parity_fixture *fixture);
parity_run *parity_fixture_find(parity_fixture *fixture, const char *id);
void parity_fixture_close(parity_fixture *fixture);

/* "value", or "crash: SIGSEGV", or "value: 3 text" with the first observations. New, in
 * the arena. */
const char *parity_fixture_text(parity_fixture *fixture, const char *id);
/* Fails the test unless that is the text; one that ends in "..." may go on in any way. */
void parity_fixture_expect(parity_fixture *fixture, const char *id, const char *text);
/* The path of a program of the build directory. In the arena. */
const char *parity_fixture_program(parity_fixture *fixture, const char *name);
/* The path of a file that does not exist yet, for workers to write to. In the arena. */
const char *parity_fixture_file(parity_fixture *fixture);
char *parity_fixture_read(const char *file); /* new; "" when there is none */

void parity_fixture_sleep(double seconds);
bool parity_fixture_alive(int pid); /* false for a zombie */

#endif
