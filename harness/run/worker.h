/* The worker's side of docs/protocol.md, for workers written in C: moves the protocol to private
 * descriptors, reads requests, bounds memory, writes answers. */
#ifndef PARITY_RUN_WORKER_H
#define PARITY_RUN_WORKER_H

#include "harness/model/case.h"

/* A request to run one case. Everything lives until the answer is written. */
typedef struct parity_request {
    json_t *json; /* the whole object, owned by the worker loop */
    uint64_t id;
    const char *case_id;
    const char *device;
    const char *program; /* may be NULL for engines whose programs are compiled in */
    const char **observe;
    size_t nobserve;
    parity_data *data;
    size_t ndata;
    uint64_t memory; /* bytes; 0: no limit */
    bool trace;
    bool fresh;
} parity_request;

/* What the worker says about itself in its ready message. */
typedef struct parity_worker_info {
    const char *engine;
    const char *version;
    bool cancel;        /* understands {"cancel": id} */
    json_t *provenance; /* object of texts; may be NULL; borrowed */
} parity_worker_info;

/* Writes answer fields. observed has request->nobserve outcomes; run calls exactly one of these. */
typedef struct parity_answer {
    parity_outcome end;
    parity_outcome *observed;
} parity_answer;

/* Reports that the statement at `pos` begins. For `trace`. */
void parity_worker_at(const parity_request *request, parity_pos pos);

/* The loop: says ready, then answers requests until stdin ends. Returns the exit code. `run` fills the
 * answer (zeroed, with all observations NOT_REACHED) and returns 0; -1 means the worker cannot go on. */
int parity_worker_main(const parity_worker_info *info,
                       int (*run)(void *context, const parity_request *request,
                                  parity_answer *answer),
                       void *context);

/* The two steps of the loop, for workers that fork or relay: takes over descriptors 0 and 1 as the
 * protocol says and returns the private ones. Call once, first. */
int parity_worker_take_descriptors(int *in, int *out);
int parity_request_parse(parity_request *request, const char *line, size_t length,
                         parity_error *error);
void parity_request_clear(parity_request *request);
char *parity_answer_format(const parity_request *request, const parity_answer *answer); /* new, one line with \n */
void parity_limit_memory(uint64_t bytes); /* RLIMIT_DATA where the system has it; 0: does nothing */

#endif
