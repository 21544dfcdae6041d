/* For tests: evaluates single expressions of candle text over the method table, on
 * tensors bound to names, and says what came out in one line. It knows what the
 * expressions of the tests need; backends/lang is the real evaluator. */
#ifndef PARITY_CORE_TESTING_H
#define PARITY_CORE_TESTING_H

#include "backends/core/core.h"

#define BENCH_NAMES 24

typedef struct bench {
    core_context *context;
    core_device *device;
    struct {
        char name[16];
        core_value value;
    } bound[BENCH_NAMES];
    size_t count;
    uint64_t first; /* identifiers from here on belong to the expression */
} bench;

bench *bench_new(const char *device);
void bench_free(bench *b); /* fails the test if anything is left alive */
/* Binds the value of an expression, which must not fail. */
void bench_let(bench *b, const char *name, const char *expression);
/* The tensors that the expression tables are about: x, y, v, s, k, u, d, id, ix, z, e, c,
 * n, r, row, col. */
void bench_fixtures(bench *b);
/* *value is unit when the status is not CORE_OK. Statements are separated by "; ", the
 * value is that of the last. */
core_status bench_run(bench *b, core_value *value, const char *program,
                      core_error *error);
/* Runs and describes: "ids 1 F32 [2, 3] stride [3, 1] offset 0 of x tracked [0.0, …]",
 * "error …", "panic …". New; free() it. */
char *bench_describe(bench *b, const char *program);

#endif
