/* The forked child of the relay, and the channel to it: a line each way, the lines of the
 * child opened by one letter that says what they are. */
#ifndef ORACLES_TORCH_CHILD_H
#define ORACLES_TORCH_CHILD_H

#include "harness/run/channel.h"
#include "oracles/torch/relay.h"

enum {
    TORCH_ANSWER = 'A', /* and the child takes another request */
    TORCH_LAST = 'L',   /* an answer; the child leaves */
    TORCH_AT = 'T',     /* where a traced program is */
};

/* How the child leaves when it cannot answer because a program closed its channel. */
enum { TORCH_CHANNEL_GONE = 97 };

typedef struct torch_child {
    pid_t pid; /* and its process group; 0: there is none */
    int fd;
    bool used;  /* it was given a request */
    bool ended; /* and was reaped; then */
    int status; /* its wait status */
    parity_lines lines;
} torch_child;

/* Forks one that serves requests. -1 with errno. Returns in the parent only. */
int torch_child_start(torch_child *child, const torch_relay *relay);
/* Whether it has ended; it is then reaped and what it started is killed. Waits at most
 * that many milliseconds. */
bool torch_child_ended(torch_child *child, int milliseconds);
/* Kills it with its group if it has not ended, and forgets it. Does nothing when there is
 * none. */
void torch_child_stop(torch_child *child);

#endif
