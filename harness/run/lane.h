/* One column's run, from preparing the cases to the last confirmed hang. */
#ifndef PARITY_RUN_LANE_H
#define PARITY_RUN_LANE_H

#include "harness/run/run.h"

#include <stdatomic.h>

typedef struct parity_lane {
    const parity_column *column;
    const parity_paths *paths;
    const parity_run_options *options; /* deadline and startup filled in */
    const parity_case *const *cases;
    size_t ncases;
    parity_run *runs; /* that of case i is runs[i * stride] */
    size_t stride;
    const atomic_int *stop;
    /* progress and notice of the options, one call at a time */
    void (*progress)(void *context, const parity_column *column, size_t done,
                     size_t total);
    void (*notice)(void *context, const parity_column *column, const char *text);
    void *context;
} parity_lane;

/* Gives every run of the column its outcome. */
void parity_lane_run(const parity_lane *lane);

#endif
