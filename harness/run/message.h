/* The harness's side of docs/protocol.md: requests written, answers read and checked. */
#ifndef PARITY_RUN_MESSAGE_H
#define PARITY_RUN_MESSAGE_H

#include "harness/base/buffer.h"
#include "harness/model/result.h"

/* What a worker said about itself. */
typedef struct parity_ready {
    char *engine;
    char *version; /* NULL when it has none */
    bool cancel;
    bool fresh;
    json_t *provenance; /* object of texts; may be NULL */
} parity_ready;

int parity_ready_parse(parity_ready *ready, const char *line, size_t length,
                       parity_error *error);
void parity_ready_clear(parity_ready *ready);

/* What a case is asked for besides what its file says. */
typedef struct parity_asked {
    parity_language language;
    const char *device;
    const char *program; /* given instead of the case's; NULL: the case's */
    bool trace;
    bool calls;
} parity_asked;

/* Replaces `out` by one line. Fails when the case does not fit in a line. */
int parity_request_format(parity_buffer *out, uint64_t id, const parity_case *test,
                          const parity_asked *asked, parity_error *error);

typedef enum parity_message {
    PARITY_MESSAGE_ANSWER, /* `run` has end and observed */
    PARITY_MESSAGE_AT,     /* `at` is the place of the statement that begins */
    PARITY_MESSAGE_CANCELLED,
    PARITY_MESSAGE_BREACH, /* `error` says what is wrong; `run` is as it was */
} parity_message;

/* Reads a line that came while request `id`, which asked for `nobserve` observations,
 * ran. */
parity_message parity_message_parse(parity_run *run, parity_pos *at, const char *line,
                                    size_t length, uint64_t id, size_t nobserve,
                                    parity_error *error);

/* An end without observations: sets `end` and makes `nobserve` outcomes NOT_REACHED. */
void parity_run_end(parity_run *run, size_t nobserve, parity_outcome_kind kind,
                    const char *text);

#endif
