/* Keeps a warm process and lets forked children of it run the cases: a case that kills,
 * blocks or spoils its process costs one fork. Knows nothing of Python. */
#ifndef ORACLES_TORCH_RELAY_H
#define ORACLES_TORCH_RELAY_H

#include "harness/run/worker.h"

typedef struct torch_relay {
    int in, out; /* the protocol, as parity_worker_take_descriptors returned it */
    /* Like fork(2); may do what a runtime needs around it. */
    pid_t (*fork)(void *context);
    /* Runs one request in the child. False: the answer stands, but the process is not to
     * be used again. */
    bool (*run)(void *context, const parity_request *request, parity_answer *answer);
    void *context;
} torch_relay;

/* Answers requests until the input ends or nobody reads the output; then no child is
 * left. Returns the exit code. Cancelling a request kills its child and answers within
 * milliseconds. A child dies with its parent. */
int torch_relay_serve(const torch_relay *relay);

/* In the child, while a request runs: passes {"at": …} on. */
void torch_relay_at(const parity_request *request, parity_pos pos);

#endif
