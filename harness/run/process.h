/* A child process in a group of its own, with three pipes and a scrubbed environment. */
#ifndef PARITY_RUN_PROCESS_H
#define PARITY_RUN_PROCESS_H

#include "harness/base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/* Zero-initialised there is no process. Our ends of the pipes do not block and close on
 * exec. */
typedef struct parity_process {
    pid_t pid; /* and process group */
    int in;    /* we write; -1 when closed */
    int out;   /* we read */
    int err;   /* we read */
} parity_process;

/* Starts `argv` (looked up in PATH) with the environment of parity_environment(env). */
int parity_process_start(parity_process *process, const char *const *argv,
                         const char *const *env, parity_error *error);
/* Whether the process itself has ended, even if others still hold its pipes. It stays
 * unreaped, so that its number cannot pass to another process. */
bool parity_process_ended(const parity_process *process);
/* Waits until the process has ended by itself, at most that long. False: it runs on. */
bool parity_process_wait(const parity_process *process, double seconds);
/* Kills the whole group, reaps the process, closes the pipes. Returns its wait status. */
int parity_process_stop(parity_process *process);

/* "SIGSEGV", or "exited with code 3". */
void parity_status_text(char *text, size_t size, int status);

/* The environment a worker gets: the fixed settings that make runs repeatable, what
 * passes through from ours (docs/protocol.md lists both), and `extra` ("NAME=value",
 * NULL-terminated, may be NULL), which wins. New; free with parity_environment_free. */
char **parity_environment(const char *const *extra);
void parity_environment_free(char **environment);

/* Seconds on a clock that only goes forward. */
double parity_clock(void);

#endif
