/* Runs cases in columns: prepares, starts workers, supervises them, and collects
 * outcomes.
 *
 * Each column runs on a thread of its own and touches nothing of the others. A worker
 * that dies, hangs or breaks the protocol costs the case it was on; all others are run
 * again. */
#ifndef PARITY_RUN_RUN_H
#define PARITY_RUN_RUN_H

#include "harness/model/result.h"

typedef struct parity_run_options {
    size_t jobs; /* columns that run at the same time; 0: as many as there are cores, at
                    least 2 */
    double deadline; /* seconds a case may take once the worker is warm; 0: 2 */
    double startup;  /* seconds until a worker must be ready; 0: 120 */
    bool in_process; /* run the core inside the harness (see parity_in_process) */
    /* Called from the column threads, one call at a time; for progress on a terminal. May
     * be NULL. */
    void (*progress)(void *context, const parity_column *column, size_t done,
                     size_t total);
    void *context;
} parity_run_options;

/* Runs `cases` in every column that is not absent and fills runs[case * ncolumns +
 * column], which the caller provides zeroed. Absent columns and cases without a program
 * in the column's language get `end` ABSENT with the reason. Fails only for reasons
 * outside all engines (no memory, no process); what one engine cannot do is an outcome.
 */
int parity_run_cases(parity_run *runs, const parity_case *const *cases, size_t ncases,
                     const parity_column *columns, size_t ncolumns,
                     const parity_paths *paths, const parity_run_options *options,
                     parity_error *error);
void parity_run_clear(parity_run *run);

/* An engine that can run a case in the calling process (the core) registers here by
 * linking the symbol; the others leave it NULL in the generated table. */
typedef int (*parity_in_process)(parity_run *run, const parity_case *test,
                                 const char *device, parity_error *error);

#endif
