/* Values, runs and cases for tests, short to write. Everything lives until sample_free.
 */
#ifndef PARITY_COMPARE_SAMPLE_H
#define PARITY_COMPARE_SAMPLE_H

#include "harness/compare/compare.h"
#include "harness/load/load.h"

extern const parity_engine sample_core, sample_candle, sample_torch;

/* A host tensor. Elements of floating types are numbers; those of bf16, f16 and f8e4m3
 * and of integers are given by their bit pattern. As many as the shape says. Made into a
 * device tensor by sample_place. */
parity_value *sample_tensor(parity_dtype dtype, size_t rank, const int64_t *shape,
                            const double *elements);
#define SHAPE(...)                                                                       \
    (const int64_t[])                                                                    \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }
#define OF(...)                                                                          \
    (const double[])                                                                     \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }
/* Row-major strides, offset 0, and identities. Returns the value. */
parity_value *sample_place(parity_value *value, uint32_t storage, uint32_t handle);
/* A tensor that travels as head, tail and hash: `count` elements, all `fill`, one of them
 * other. */
parity_value *sample_hashed(int64_t count, float fill, int64_t where, float other);
parity_value *sample_float(double number, parity_dtype dtype);
parity_value *sample_text(parity_value_kind kind, const char *text);
parity_value *sample_raised(const char *type, const char *text);
parity_value *sample_bool(bool truth);
parity_value *sample_mib(double mib);
/* LIST, OK, SOME with their items. */
parity_value *sample_items(parity_value_kind kind, size_t count,
                           parity_value *const *items);
#define ITEMS(...)                                                                       \
    sizeof((parity_value *[]){__VA_ARGS__}) / sizeof(parity_value *), (parity_value *[]) \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }

parity_outcome sample_outcome(parity_value *value);
parity_outcome sample_ending(parity_outcome_kind kind, const char *type,
                             const char *text);

/* The one case of a case file given as text; the test fails when it does not load. */
const parity_case *sample_case(const char *yaml);
/* Fills a run that ran through. */
void sample_run(parity_run *run, size_t count, parity_value *const *values);
parity_column sample_column(const parity_engine *engine, const char *id,
                            const char *version, const char *device);
/* For tests that free nothing by hand. */
void sample_free(void);

#endif
