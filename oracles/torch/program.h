/* Runs the program of one request in the interpreter and observes what is asked for. */
#ifndef ORACLES_TORCH_PROGRAM_H
#define ORACLES_TORCH_PROGRAM_H

#include "oracles/torch/observe.h"

#include "harness/run/worker.h"

#include <fenv.h>

/* What a warm interpreter keeps between cases. */
typedef struct torch_session {
    torch_observer observer;
    PyObject *prelude;
    PyObject *state;
    PyObject *native;      /* of memory.h; None where there is no shim */
    PyObject *calls;       /* the module of calls.py; NULL where there is no shim */
    PyObject *compile;     /* builtins.compile, before any program can replace it */
    PyObject *unsupported; /* the exception of the prelude */
    /* Says where a traced program is; called with `context`. */
    void (*at)(void *context, const parity_request *request, parity_pos pos);
    void *context;
    bool remembered; /* the state that cases start from is taken down: in Python, and */
    fenv_t floating; /* rounding and flushing, which Python cannot read */
} torch_session;

/* Imports torch and warms it up. The interpreter must be running. Takes seconds. */
int torch_session_init(torch_session *session, parity_error *error);

/* {"torch": "2.15.0+cu132", "python": "3.11.7", …} and the version without its build
 * suffix. Both new; NULL when out of luck. */
json_t *torch_session_provenance(const torch_session *session);
char *torch_session_version(const torch_session *session);

/* Runs the request and fills the answer. True when the process is as it was before and
 * may serve another case; false when the program left something behind: threads,
 * processes, a mode that cannot be left. */
bool torch_program_run(torch_session *session, const parity_request *request,
                       parity_answer *answer);

#endif
