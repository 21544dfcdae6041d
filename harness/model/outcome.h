/* How an observation, a statement or a whole program ended. */
#ifndef PARITY_MODEL_OUTCOME_H
#define PARITY_MODEL_OUTCOME_H

#include "harness/model/value.h"

typedef enum parity_outcome_kind {
    PARITY_VALUE,       /* it has a value; for a program: it ran through */
    PARITY_ERROR,       /* Rust: `?` returned Err; Python: an exception. type and text */
    PARITY_PANIC,       /* Rust: a panic, with its message */
    PARITY_REFUSED,     /* the compiler refused the program: code, text, place */
    PARITY_HANG,        /* the deadline passed twice, or the core saw a deadlock */
    PARITY_CRASH,       /* the process died: a signal, an exit, a closed channel */
    PARITY_UNSUPPORTED, /* the engine does not do this, and says why and where */
    PARITY_NOT_REACHED, /* the program ended before it could be observed */
    PARITY_ABSENT,      /* the column is not here, or the case has no program for it */
} parity_outcome_kind;

typedef struct parity_outcome {
    parity_outcome_kind kind;
    parity_value *value; /* owned; of a VALUE (NULL for a program that ran through) */
    char *type;          /* ERROR: "RuntimeError", "candle"; REFUSED: "E0382" */
    char *text;          /* message, reason, signal name */
    char *detail;   /* what a person may want to see besides: rendered diagnostic, stderr,
                       trace */
    parity_pos pos; /* in the program text, not in the file; 0 when unknown */
} parity_outcome;

/* "value", …, "not_reached", "absent" */
const char *parity_outcome_name(parity_outcome_kind kind);
bool parity_outcome_from_name(parity_outcome_kind *kind, const char *name);
void parity_outcome_clear(parity_outcome *outcome); /* frees what it holds; zeroes it */
void parity_outcome_set(parity_outcome *outcome, parity_outcome_kind kind,
                        const char *type, const char *text,
                        parity_pos pos); /* clears first; copies the texts */

/* The object of docs/protocol.md: exactly one kind as key. */
int parity_outcome_from_json(parity_outcome *out, const json_t *json,
                             parity_names *storages, parity_names *handles,
                             parity_error *error);
json_t *parity_outcome_to_json(const parity_outcome *outcome); /* new */

#endif
