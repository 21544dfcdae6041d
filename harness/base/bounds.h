/* How far values that two libraries computed in different ways may be apart. */
#ifndef PARITY_BASE_BOUNDS_H
#define PARITY_BASE_BOUNDS_H

#include "harness/base/dtype.h"

/* What one step of the bound is measured in: the spacing of numbers at the element
 * itself, or at the largest finite magnitude of the two tensors (sums cancel, so a small
 * result carries the rounding of large parts). */
typedef enum parity_scale { PARITY_SCALE_ELEMENT, PARITY_SCALE_LARGEST } parity_scale;

typedef struct parity_bound {
    const char *name; /* as `bound:` of a row says it */
    double steps;
    parity_scale scale;
    const char *reason;
} parity_bound;

/* NULL when there is no such row. */
const parity_bound *parity_bound_find(const char *name);
extern const parity_bound parity_bounds[]; /* closed by a row without a name */

/* Class first: NaN equals NaN of any payload, infinities and zeros only themselves, sign
 * included. Two finite numbers are within the bound when !(|a - b| > steps * epsilon *
 * scale) holds for a distance that is a number; NULL: only when they are equal. `largest`
 * is that of the two tensors. */
bool parity_close(double left, double right, parity_dtype dtype,
                  const parity_bound *bound, double largest);

/* How many numbers of the type lie between the two, plus one; 0 when they are equal. Both
 * finite. Negative and positive zero are one apart. Only the four IEEE types and f8e4m3;
 * else -1. */
double parity_ulps(double left, double right, parity_dtype dtype);

#endif
