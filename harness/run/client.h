/* A worker that was started: it is asked one case at a time, and its death, silence and
 * nonsense are told apart. */
#ifndef PARITY_RUN_CLIENT_H
#define PARITY_RUN_CLIENT_H

#include "harness/run/channel.h"
#include "harness/run/message.h"
#include "harness/run/process.h"
#include "harness/run/tail.h"

#include <stdatomic.h>

/* Zero-initialised there is no worker. */
typedef struct parity_client {
    parity_process process;
    parity_lines lines;
    parity_buffer tail; /* of standard error, since the last request; see tail.h */
    parity_buffer request;
    parity_ready ready;
    uint64_t id;     /* of the last request */
    bool cancelling; /* we asked it to give that one up */
    bool cancelled;  /* and it did */
    double heard;    /* when its output was last read */
    bool torn;       /* it was late in the middle of a line */
    bool killed;     /* it died of SIGKILL: by a person, or a system short of memory */
    const atomic_int *stop; /* gives everything up when it becomes nonzero */
} parity_client;

/* How a wait came out. For all but ANSWERED the error given to the call says what
 * happened. */
typedef enum parity_reply {
    PARITY_REPLY_ANSWERED, /* `run` is filled */
    PARITY_REPLY_LATE,     /* the deadline passed */
    PARITY_REPLY_DIED,     /* it ended, or closed its output */
    PARITY_REPLY_TORN,     /* it ended by itself in the middle of a line */
    PARITY_REPLY_BREACH,   /* it broke the protocol */
    PARITY_REPLY_REFUSED,  /* the request could not be sent; nothing is wrong with the
                              worker */
    PARITY_REPLY_STOPPED,  /* `stop` was set */
} parity_reply;

typedef struct parity_question {
    const parity_case *test;
    parity_asked asked;
    double deadline; /* seconds */
    parity_pos at;   /* out: the last statement begun, 0 when unknown */
    bool alive;      /* out: the worker can take the next request */
} parity_question;

/* Starts a worker and reads its ready message. `waiting`, if not NULL, is called once
 * after PARITY_PATIENCE seconds. After anything but ANSWERED there is no worker. */
#define PARITY_PATIENCE 5.0
parity_reply parity_client_start(parity_client *client, const parity_worker *worker,
                                 double startup, void (*waiting)(void *context),
                                 void *context, parity_error *error);
/* Asks one case. A worker that is not `alive` afterwards was killed, with its group. */
parity_reply parity_client_ask(parity_client *client, parity_question *question,
                               parity_run *run, parity_error *error);
/* Whether the worker wrote something nobody asked for. */
bool parity_client_chatters(parity_client *client);
/* Closes the worker's input, which tells it to end, and waits a moment until it did. */
void parity_client_hang_up(parity_client *client);
/* Kills the worker and its group. Frees everything but `tail`. Does nothing without a
 * worker. */
void parity_client_stop(parity_client *client);
/* Why a start failed, with the last line that the worker wrote to standard error. New. */
char *parity_client_not_ready(const parity_client *client, const parity_error *error);

#endif
