/* Starting the compiler. */
#ifndef ORACLES_CANDLE_RUSTC_H
#define ORACLES_CANDLE_RUSTC_H

#include "oracles/candle/crates.h"

#include <stdbool.h>

typedef enum candle_compiled {
    CANDLE_COMPILED, /* the binary is there */
    CANDLE_REFUSED,  /* it said what is wrong */
    CANDLE_BROKEN    /* it crashed, hung or could not link: `how` */
} candle_compiled;

typedef struct candle_rustc {
    candle_compiled status;
    char *said; /* standard error: JSON lines */
    size_t nsaid;
    char how[160];
} candle_rustc;

/* The options that decide what a program compiles to; part of the key of what is kept. */
extern const char *const candle_rustc_options;

/* Compiles `folder`/src/main.rs into `folder`/worker with at most `seconds`. Fails only
 * when there is no running the compiler at all. Safe on several threads at once. */
int candle_rustc_run(candle_rustc *out, const candle_crates *crates, const char *folder,
                     double seconds, parity_error *error);
void candle_rustc_free(candle_rustc *result);

#endif
