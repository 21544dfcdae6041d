/* Runs the candle text of a case on the tensor core.
 *
 * A subset of Rust is interpreted; what is outside of it ends the program as unsupported,
 * with place and reason, and is never guessed. What runs here and is accepted by rustc
 * means the same. */
#ifndef BACKENDS_LANG_LANG_H
#define BACKENDS_LANG_LANG_H

#include "harness/model/case.h"

typedef struct lang_request {
    const char *program;
    const char *device; /* "cpu": what `dev` is bound to */
    const char *const *observe;
    size_t nobserve;
    const parity_data *data;
    size_t ndata;
    /* Optional: the statement at this place begins. */
    void (*at)(void *context, parity_pos pos);
    /* Optional, asked at every statement and turn of a loop: give up? */
    bool (*cancelled)(void *context);
    /* Optional: what the program prints; NULL drops it. */
    void (*print)(void *context, const char *text, size_t length);
    void *context;
    uint64_t steps; /* statements and turns the program may take; 0: no limit */
} lang_request;

/* `ends` and the `nobserve` outcomes of `observed` are zeroed on entry. Observations are
 * NOT_REACHED unless the program ran through. Returns false when the request was
 * cancelled: the outcomes then say nothing. Needs no more than 2 MiB of stack. */
bool lang_run(const lang_request *request, parity_outcome *ends,
              parity_outcome *observed);

#endif
