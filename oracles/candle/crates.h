/* The compiled crates: what build.py left in crates.json. */
#ifndef ORACLES_CANDLE_CRATES_H
#define ORACLES_CANDLE_CRATES_H

#include "harness/base/error.h"
#include "harness/base/memory.h"

#define CANDLE_MAX_EXTERN 16

typedef struct candle_extern {
    const char *name; /* "candle_core" */
    const char *path; /* of the rlib, absolute */
} candle_extern;

typedef struct candle_crates {
    const char *stamp;  /* names what they were made from */
    const char *candle; /* "0.11.0" */
    const char *features;
    const char *profile;
    const char *rustc; /* path of the compiler they were made by */
    const char *rustc_version;
    const char *host;         /* target triple */
    const char *machine;      /* "macOS 27.0, Apple M2 Max"; NULL in an older file */
    const char *dependencies; /* folder of all other rlibs, absolute */
    candle_extern externs[CANDLE_MAX_EXTERN];
    size_t nexterns;
} candle_crates;

/* Reads `directory`/crates.json; strings live in the arena. */
int candle_crates_read(candle_crates *out, const char *directory, parity_arena *arena,
                       parity_error *error);

#endif
