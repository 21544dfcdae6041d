/* Two outcomes, one verdict on them: the inner part of comparing. */
#ifndef PARITY_COMPARE_DIFFERENCE_H
#define PARITY_COMPARE_DIFFERENCE_H

#include "harness/base/buffer.h"
#include "harness/base/bounds.h"
#include "harness/compare/style.h"
#include "harness/model/case.h"

/* Two sides and what is being asked of them. */
typedef struct parity_comparison {
    bool across;                  /* two languages: value, dtype and shape only */
    const parity_bound *bound;    /* NULL: to the bit */
    const char *names[2];         /* column ids for the texts; NULL: none */
    const parity_style *style[2]; /* how each side prints */
    parity_buffer *why;           /* receives one line when they are not equal */
} parity_comparison;

typedef enum parity_match {
    PARITY_EQUAL,
    PARITY_DIFFERENT,
    PARITY_INCOMPARABLE, /* nothing can be said, and `why` says why not */
} parity_match;

parity_match parity_match_outcomes(const parity_comparison *ask,
                                   const parity_outcome *left,
                                   const parity_outcome *right);
parity_match parity_match_values(const parity_comparison *ask, const parity_value *left,
                                 const parity_value *right);
parity_match parity_match_tensors(const parity_comparison *ask, const parity_tensor *left,
                                  const parity_tensor *right);

/* Whether two values are the same to the bit, whatever their layout and identity: for
 * fates. */
bool parity_same_value(const parity_value *left, const parity_value *right);

/* Whether this Python exception tells of a slip in the text of the program (NameError …)
 * and not of PyTorch. NULL: it does not. */
bool parity_is_slip(const char *type);

/* Appends "LEFT (name) against RIGHT (name)" and returns PARITY_DIFFERENT. `what` comes
 * first and may be NULL. */
parity_match parity_differ(const parity_comparison *ask, const char *what,
                           const char *left, const char *right);
/* Appends ", 3 ULP" when both are finite and not too far apart for the distance to teach.
 */
void parity_add_ulps(parity_buffer *out, double left, double right, parity_dtype dtype);

#endif
