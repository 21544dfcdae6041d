/* What every command that runs cases does: find cases and columns, run, read records,
 * judge. */
#ifndef PARITY_CLI_SESSION_H
#define PARITY_CLI_SESSION_H

#include "harness/cli/cli.h"
#include "harness/load/load.h"
#include "harness/load/record.h"
#include "harness/model/result.h"

/* A record file that some selected case stands beside. */
typedef struct session_record {
    const char *case_file;
    parity_record_file file;
} session_record;

typedef struct session {
    const cli_options *options;
    parity_paths paths;
    parity_arena *arena;
    parity_suite suite;
    const parity_case **cases; /* selected, in order */
    size_t ncases;
    parity_column *columns; /* live ones; session_judge appends the recorded ones */
    size_t ncolumns;
    size_t nlive;
    bool *named;      /* which columns were asked for on the command line */
    size_t nexternal; /* the last of the live ones: of --engine */
    session_record *records;
    size_t nrecords;
    size_t record_capacity;
    parity_run *runs; /* case * nlive + column, filled by session_run */
    parity_result result;
    double started;
    bool snippet;     /* the case has no file and so no record */
    bool interrupted; /* a signal ended the run early */
} session;

/* Paths from the environment that the launcher sets, or an error that says to use the
 * launcher. */
int session_open(session *s, const cli_options *options, parity_error *error);
/* Loads cases/ (or --cases) and path arguments, prints problems, selects by the patterns.
 * Returns 0, or CLI_USAGE when nothing matches or nothing could be loaded. */
int session_select(session *s);
/* Loads one case from text; used by try. */
int session_select_text(session *s, const char *name, const char *text, size_t length);
/* Finds columns and keeps those that --column asks for. */
int session_columns(session *s, parity_error *error);
int session_run(session *s, parity_error *error);
/* Reads the records, adds recorded columns, and judges everything into s->result. */
int session_judge(session *s, parity_error *error);
void session_close(session *s);

/* Prints an error of a command in the one form: file:line:column: message. Returns
 * CLI_USAGE. */
int session_complain(const parity_error *error);

#endif
