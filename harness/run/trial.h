/* Trying a case on a worker: once more after a death, traced after a hang. */
#ifndef PARITY_RUN_TRIAL_H
#define PARITY_RUN_TRIAL_H

#include "harness/run/client.h"
#include "harness/run/lane.h"

/* A worker program and the process that runs it now, if any. */
typedef struct parity_bench {
    const parity_lane *lane;
    const parity_worker *worker;
    parity_client client;
    bool used;               /* the process was asked something */
    const parity_case *last; /* what it was asked last, or NULL */
    parity_run *last_run;    /* and where the outcome of that is */
    char *broken;            /* why it cannot be started; NULL: it can */
} parity_bench;

typedef enum parity_trial {
    PARITY_TRIAL_DONE,    /* the run has its outcome */
    PARITY_TRIAL_LATE,    /* the deadline passed: to be confirmed */
    PARITY_TRIAL_CRASHED, /* it has its outcome, but the place of the crash is unknown */
} parity_trial;

/* `prepared` is what was prepared for the case, or NULL. */
parity_trial parity_bench_try(parity_bench *bench, const parity_case *test,
                              const parity_prepared *prepared, parity_run *run);
/* The confirming run: traced, with five times the deadline. `run` is that of a first
 * trial that was LATE (empty) or CRASHED. */
void parity_bench_confirm(parity_bench *bench, const parity_case *test,
                          const parity_prepared *prepared, parity_run *run);
/* Ends the process, if there is one. */
void parity_bench_close(parity_bench *bench);

#endif
