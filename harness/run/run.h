/* Runs cases in columns: prepares, starts workers, supervises them, and collects
 * outcomes.
 *
 * Each column runs on a thread of its own and touches nothing of the others. A worker
 * that dies, hangs or breaks the protocol costs the case it was on; all others keep or
 * get their outcome.
 *
 * - A case on which the worker died is run once more (twice after SIGKILL), so that a
 * worker killed from outside costs nothing; a death again makes it a CRASH (text:
 * "SIGSEGV", "exited with code 3").
 * - A case that passes its deadline is run again after the others, traced and with five
 * times the deadline. Only if that passes too it is a HANG; the place of the last
 * statement begun is in `pos`.
 * - A case on which the protocol was broken is a CRASH with `protocol_broken`.
 * - A worker that does not become ready leaves its cases ABSENT with the reason,
 * `protocol_broken`.
 * - SIGINT and SIGTERM end a run early: all workers are killed, the cases left over are
 * ABSENT. A second signal has its usual effect. */
#ifndef PARITY_RUN_RUN_H
#define PARITY_RUN_RUN_H

#include "harness/model/result.h"

/* Seconds a case may take once the worker is warm, unless it has a `timeout:`; and how
 * many times that when it is run again because it was late. */
#define PARITY_DEADLINE      2.0
#define PARITY_SECOND_CHANCE 5.0

typedef struct parity_run_options {
    size_t jobs;     /* columns that run at the same time; 0: one a core, at least 2 */
    double deadline; /* of a case without a `timeout:`; 0: PARITY_DEADLINE */
    double startup;  /* seconds until a worker must be ready; 0: 120 */
    bool in_process; /* run engines that can do so (the core) inside the harness */
    bool calls;      /* ask for the calls that the programs make */
    /* Called from the column threads, one call at a time; for progress on a terminal. May
     * be NULL. */
    void (*progress)(void *context, const parity_column *column, size_t done,
                     size_t total);
    /* The same for a sentence that a waiting person should see, such as a slow start. May
     * be NULL. */
    void (*notice)(void *context, const parity_column *column, const char *text);
    void *context;
    bool *interrupted; /* set to whether a signal ended the run; may be NULL */
} parity_run_options;

/* Runs `cases` in every column that is neither absent nor recorded and fills
 * runs[case * ncolumns + column], which the caller provides zeroed; those of recorded
 * columns stay as they are. Absent columns, skipped cases, and cases without a program in
 * the column's language get `end` ABSENT with the reason. Fails only for reasons outside
 * all engines (no thread); what one engine cannot do is an outcome. May run on several
 * threads at once. */
int parity_run_cases(parity_run *runs, const parity_case *const *cases, size_t ncases,
                     const parity_column *columns, size_t ncolumns,
                     const parity_paths *paths, const parity_run_options *options,
                     parity_error *error);
void parity_run_clear(parity_run *run); /* frees what it holds; zeroes it */

/* A column from any command that speaks docs/protocol.md, as `--engine
 * NAME:LANGUAGE=COMMAND` says; the language is torch or candle, and a command that is not
 * plain words goes to /bin/sh. It is started once to read its ready message, which gives
 * version and provenance; if that fails the column is absent with the reason. Its id is
 * NAME/cpu, or NAME@VERSION/cpu when the engine has a version. Fails on wrong usage only.
 * Everything lives in `arena`. */
int parity_column_external(parity_column *column, const char *text, parity_arena *arena,
                           parity_error *error);

#endif
