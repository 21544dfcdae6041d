/* The worker's side of docs/protocol.md, for workers written in C: moves the protocol to
 * private descriptors, reads requests, bounds memory, writes answers. */
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
    bool calls; /* the answer should have the calls that the program made */
    bool fresh;
} parity_request;

/* What the worker says about itself in its ready message. */
typedef struct parity_worker_info {
    const char *engine;
    const char *version; /* NULL: null, the engine has none */
    bool cancel;         /* understands {"cancel": id}; see parity_worker_cancelled */
    bool fresh;          /* can itself run a case in a process in which none ran before */
    json_t *provenance;  /* object of texts; may be NULL; borrowed */
} parity_worker_info;

/* What a case came to. observed has request->nobserve outcomes. */
typedef struct parity_answer {
    parity_outcome end;
    parity_outcome *observed;
    char *notes; /* owned; what was found out about the library, a line each; or NULL */
    char *calls; /* owned; NULL: not asked for, or the worker cannot tell */
    bool cancelled; /* the run was given up because parity_worker_cancelled said so */
} parity_answer;

/* Reports that the statement at `pos` begins. Does nothing unless the request asks for a
 * trace. */
void parity_worker_at(const parity_request *request, parity_pos pos);

/* Whether the harness wants this request given up (or is gone). Cheap enough to be asked
 * at every statement and jump: it looks at the channel every 10 ms at most. `run` then
 * sets answer->cancelled and returns 0. */
bool parity_worker_cancelled(const parity_request *request);

/* The loop: says ready, then answers requests until the input ends. Returns the exit
 * code: 0 after the end of input, 1 when the channel broke or `run` gave up. `run` fills
 * the answer (zeroed, with all observations NOT_REACHED) and returns 0; -1 means the
 * worker cannot go on. */
int parity_worker_main(const parity_worker_info *info,
                       int (*run)(void *context, const parity_request *request,
                                  parity_answer *answer),
                       void *context);

/* The steps of the loop, for workers that fork or relay (lines: harness/run/channel.h).
 *
 * Takes over descriptors 0 and 1 as the protocol says and returns the private ones, which
 * close on exec. Call once, first. -1 with errno. */
int parity_worker_take_descriptors(int *in, int *out);
char *parity_ready_format(const parity_worker_info *info); /* new, one line with \n */
/* Fails on anything that docs/protocol.md does not allow; the request is then empty. */
int parity_request_parse(parity_request *request, const char *line, size_t length,
                         parity_error *error);
void parity_request_clear(parity_request *request);
/* True if the line is {"cancel": N}; *id is then N. */
bool parity_cancel_parse(uint64_t *id, const char *line, size_t length);
/* An answer with every observation NOT_REACHED, and what frees it. */
void parity_answer_init(parity_answer *answer, const parity_request *request);
void parity_answer_clear(parity_answer *answer, const parity_request *request);
/* New, one line with \n. An answer that would be longer than a line may be becomes an
 * `unsupported` that says so. */
char *parity_answer_format(const parity_request *request, const parity_answer *answer);
void parity_limit_memory(
    uint64_t bytes); /* RLIMIT_DATA where the system has it; 0: does nothing */

#endif
