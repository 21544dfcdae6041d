#include "oracles/torch/child.h"

#include "harness/base/memory.h"
#include "harness/run/process.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often a busy child is looked after: its death alone wakes nobody up while something
 * that it started holds its end of the channel. */
enum { LOOK_MS = 20, DEATH_MS = 200 };

static const char CHANNEL_CLOSED[] = "the program closed the channel of the worker";

typedef struct service {
    const torch_relay *ends;
    torch_child child;
    parity_lines input;
    char **queue; /* request lines that wait, oldest first */
    size_t nqueue, capacity;
    char *running;          /* the request line the child is on, or NULL */
    parity_request request; /* the same, parsed */
    bool again;             /* it runs for the second time */
    bool input_ended;
} service;

static int say(service *relay, char *line)
{
    int status = parity_write_all(relay->ends->out, line, strlen(line));
    free(line);
    return status;
}

static void done(service *relay)
{
    parity_request_clear(&relay->request);
    free(relay->running);
    relay->running = NULL;
    relay->again = false;
}

/* The child is gone or of no more use, and has not answered. */
static int answer_crash(service *relay, const char *text)
{
    parity_answer answer;
    parity_answer_init(&answer, &relay->request);
    parity_outcome_set(&answer.end, PARITY_CRASH, NULL, text, (parity_pos){0, 0});
    char *line = parity_answer_format(&relay->request, &answer);
    parity_answer_clear(&answer, &relay->request);
    torch_child_stop(&relay->child);
    done(relay);
    return say(relay, line);
}

static int answer_cancelled(service *relay, uint64_t id)
{
    parity_buffer line = {0};
    parity_buffer_printf(&line, "{\"id\":%llu,\"cancelled\":true}\n",
                         (unsigned long long)id);
    return say(relay, parity_buffer_take(&line));
}

/* Gives the request that is running to a child that can take it. */
static int hand_over(service *relay)
{
    torch_child *child = &relay->child;
    if (child->pid &&
        ((relay->request.fresh && child->used) || torch_child_ended(child, 0)))
        torch_child_stop(child);
    if (child->pid == 0 && torch_child_start(child, relay->ends) != 0)
        return answer_crash(relay, "no process could be forked");
    child->used = true;
    if (parity_write_all(child->fd, relay->running, strlen(relay->running)) != 0 ||
        parity_write_all(child->fd, "\n", 1) != 0)
        return answer_crash(relay, "the process did not take the request");
    return 0;
}

static int start_oldest(service *relay)
{
    parity_error error;
    relay->running = relay->queue[0];
    memmove(relay->queue, relay->queue + 1, --relay->nqueue * sizeof *relay->queue);
    if (parity_request_parse(&relay->request, relay->running, strlen(relay->running),
                             &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    return hand_over(relay);
}

/* The child has ended without an answer. SIGKILL comes from outside: a person, or a
 * kernel short of memory. The request then gets a second process; a program that kills
 * itself kills that too. */
static int answer_death(service *relay)
{
    char text[64];
    int status = relay->child.status;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !relay->again) {
        torch_child_stop(&relay->child);
        relay->again = true;
        return hand_over(relay);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == TORCH_CHANNEL_GONE)
        return answer_crash(relay, CHANNEL_CLOSED);
    parity_status_text(text, sizeof text, status);
    return answer_crash(relay, text);
}

static int cancel(service *relay, uint64_t id)
{
    if (relay->running && relay->request.id == id) {
        torch_child_stop(&relay->child);
        done(relay);
        return answer_cancelled(relay, id);
    }
    for (size_t i = 0; i < relay->nqueue; i++) {
        parity_request request;
        if (parity_request_parse(&request, relay->queue[i], strlen(relay->queue[i]),
                                 NULL))
            continue;
        bool same = request.id == id;
        parity_request_clear(&request);
        if (same) {
            free(relay->queue[i]);
            memmove(relay->queue + i, relay->queue + i + 1,
                    (--relay->nqueue - i) * sizeof *relay->queue);
            return answer_cancelled(relay, id);
        }
    }
    return 0; /* answered meanwhile */
}

static int take_input(service *relay)
{
    const char *line;
    size_t length;
    uint64_t id;
    ssize_t count = parity_lines_read(&relay->input, relay->ends->in);
    relay->input_ended = count <= 0;
    while (parity_lines_peek(&relay->input, &line, &length)) {
        int status = 0;
        /* Only short lines can be cancels; requests are parsed once they run. */
        if (length < 64 && parity_cancel_parse(&id, line, length)) {
            status = cancel(relay, id);
        } else {
            PARITY_GROW(relay->queue, relay->nqueue, relay->capacity);
            relay->queue[relay->nqueue++] = parity_strndup(line, length);
        }
        parity_lines_take(&relay->input);
        if (status != 0)
            return status;
    }
    if (parity_lines_partial(&relay->input) > PARITY_LINE_LIMIT) {
        fprintf(stderr, "a request is longer than 64 MiB\n");
        return -1;
    }
    return 0;
}

/* One line of the child. A letter that is none of ours comes from a program that found
 * the channel and wrote to it. */
static int pass_on(service *relay, const char *line, size_t length)
{
    char letter = length > 0 ? line[0] : '\0';
    if (letter != TORCH_ANSWER && letter != TORCH_LAST && letter != TORCH_AT)
        return answer_crash(relay, "the program wrote to the channel of the worker");
    if (parity_write_all(relay->ends->out, line + 1, length - 1) != 0 ||
        parity_write_all(relay->ends->out, "\n", 1) != 0)
        return -1;
    if (letter != TORCH_AT)
        done(relay);
    if (letter == TORCH_LAST)
        torch_child_stop(&relay->child);
    return 0;
}

/* The channel ended: with the process, or because the program closed it. */
static int lost(service *relay)
{
    bool ended = torch_child_ended(&relay->child, DEATH_MS);
    if (relay->running && ended)
        return answer_death(relay);
    if (relay->running)
        return answer_crash(relay, CHANNEL_CLOSED);
    torch_child_stop(&relay->child);
    return 0;
}

static int take_output(service *relay)
{
    const char *line;
    size_t length;
    ssize_t count = parity_lines_read(&relay->child.lines, relay->child.fd);
    while (relay->child.fd > 0 && relay->running &&
           parity_lines_peek(&relay->child.lines, &line, &length)) {
        if (pass_on(relay, line, length) != 0)
            return -1;
        if (relay->child.fd > 0)
            parity_lines_take(&relay->child.lines);
    }
    if (relay->child.fd > 0 &&
        parity_lines_partial(&relay->child.lines) > PARITY_LINE_LIMIT + 1)
        return answer_crash(relay, "the program wrote to the channel of the worker");
    return count <= 0 && relay->child.fd > 0 ? lost(relay) : 0;
}

static int look_after(service *relay)
{
    if (!torch_child_ended(&relay->child, 0))
        return 0;
    /* It may have answered in this very moment. */
    struct pollfd channel = {relay->child.fd, POLLIN, 0};
    return poll(&channel, 1, 0) == 1 ? take_output(relay) : answer_death(relay);
}

/* Waits for something and deals with it. 1: go on, 0: the end, -1: broken. */
static int step(service *relay)
{
    if (relay->running == NULL && relay->nqueue > 0)
        return start_oldest(relay) == 0 ? 1 : -1;
    if (relay->running == NULL && relay->input_ended)
        return 0;
    struct pollfd ends[] = {
        {relay->input_ended ? -1 : relay->ends->in, POLLIN, 0},
        {relay->child.pid ? relay->child.fd : -1, POLLIN, 0},
        {relay->ends->out, 0, 0}, /* only its end is of interest */
    };
    int count = poll(ends, 3, relay->running ? LOOK_MS : -1);
    if (count < 0 || ends[2].revents)
        return 0;
    if (ends[1].revents && take_output(relay) != 0)
        return -1;
    if (ends[0].revents && take_input(relay) != 0)
        return -1;
    if (count == 0 && relay->running && look_after(relay) != 0)
        return -1;
    return 1;
}

int torch_relay_serve(const torch_relay *ends)
{
    service relay = {.ends = ends};
    int status;
    signal(SIGPIPE, SIG_IGN);
    do
        status = step(&relay);
    while (status == 1);
    torch_child_stop(&relay.child);
    if (relay.running)
        done(&relay);
    while (relay.nqueue > 0)
        free(relay.queue[--relay.nqueue]);
    free(relay.queue);
    parity_lines_free(&relay.input);
    return status == 0 ? 0 : 1;
}
