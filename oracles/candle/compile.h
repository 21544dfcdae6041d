/* Programs to worker binaries: what is not in the cache is compiled, many to a binary;
 * programs that the compiler refuses are told apart and the rest is compiled again. */
#ifndef ORACLES_CANDLE_COMPILE_H
#define ORACLES_CANDLE_COMPILE_H

#include "oracles/candle/cache.h"
#include "oracles/candle/generate.h"

typedef struct candle_job {
    const parity_case *test;
    char *worker; /* new: path of the binary that contains the case; or NULL */
    /* of the program when there is no worker: REFUSED, UNSUPPORTED */
    parity_outcome outcome;
} candle_job;

/* Fills worker or outcome of every job. `trace` compiles the programs with a call before
 * every statement. Compilers run on as many threads as there are cores. Fails when the
 * cache cannot be written or the compiler cannot be started. */
int candle_compile(candle_job *jobs, size_t count, const candle_crates *crates,
                   const candle_cache *cache, bool trace, parity_error *error);
void candle_jobs_clear(candle_job *jobs, size_t count);

#endif
