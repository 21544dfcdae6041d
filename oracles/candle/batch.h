/* One batch of modules, compiled until nothing in it is refused any more. */
#ifndef ORACLES_CANDLE_BATCH_H
#define ORACLES_CANDLE_BATCH_H

#include "oracles/candle/compile.h"

typedef struct candle_unit {
    candle_job *job;
    candle_module module;
    parity_outcome *refused;   /* one an observation */
    char key[CANDLE_KEY_SIZE]; /* of the module before anything in it was refused */
} candle_unit;

typedef struct candle_build {
    const candle_crates *crates;
    const candle_cache *cache;
    bool trace;
} candle_build;

/* Settles every unit: its job gets a worker or an outcome, and the cache learns it.
 * Reorders `units`. */
int candle_build_units(const candle_build *build, candle_unit **units, size_t count,
                       parity_error *error);

#endif
