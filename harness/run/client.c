#include "harness/run/client.h"

#include "harness/base/memory.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long a worker may take to acknowledge a cancel, to end after its input was closed,
 * and to be gone after its output was. */
static const double cancel_grace = 1.0, end_grace = 2.0, death_grace = 0.5;
/* The longest sleep: after this the process is looked at, because a grandchild may hold
 * its pipes open, and so is `stop`. */
enum { SLICE_MS = 50 };

/* What is still to be written to the worker. */
typedef struct sending {
    const char *next;
    size_t left;
} sending;

static void read_tail(parity_client *client)
{
    if (client->process.err >= 0 &&
        !parity_tail_read(&client->tail, client->process.err)) {
        close(client->process.err);
        client->process.err = -1;
    }
}

/* False: the worker no longer reads. */
static bool send_some(const parity_client *client, sending *out)
{
    ssize_t count = write(client->process.in, out->next, out->left);
    if (count < 0)
        return errno == EAGAIN || errno == EINTR;
    out->next += count;
    out->left -= (size_t)count;
    return true;
}

/* Reads what there is. False at the end of output. */
static bool receive(parity_client *client)
{
    ssize_t count = parity_lines_read(&client->lines, client->process.out);
    if (count > 0)
        client->heard = parity_clock();
    return count > 0 || (count < 0 && errno == EAGAIN);
}

/* One sleep and what it brought. False: no more output will come. */
static bool pump(parity_client *client, sending *out, int milliseconds)
{
    struct pollfd fds[3] = {
        {client->process.out, POLLIN, 0},
        {client->process.err, POLLIN, 0},
        {out->left ? client->process.in : -1, POLLOUT, 0},
    };
    int count = poll(fds, 3, milliseconds);
    if (count <= 0) {
        if (!parity_process_ended(&client->process))
            return true;
        while (receive(client) && poll(fds, 1, 0) == 1)
            continue;
        read_tail(client);
        return false;
    }
    if (fds[1].revents)
        read_tail(client);
    if (fds[2].revents && !send_some(client, out))
        out->left = 0; /* the end of its output tells the rest */
    return fds[0].revents == 0 || receive(client);
}

/* Waits for a complete line, or for the reason why there is none. */
static parity_reply wait_line(parity_client *client, sending *out, double until,
                              const char **line, size_t *length)
{
    bool open = true;
    for (;;) {
        if (parity_lines_peek(&client->lines, line, length))
            return PARITY_REPLY_ANSWERED;
        if (parity_lines_partial(&client->lines) > PARITY_LINE_LIMIT)
            return PARITY_REPLY_BREACH;
        if (!open)
            return PARITY_REPLY_DIED;
        double left = until - parity_clock();
        if (left <= 0)
            return PARITY_REPLY_LATE;
        if (client->stop && atomic_load(client->stop))
            return PARITY_REPLY_STOPPED;
        int milliseconds = left * 1000 < SLICE_MS ? (int)(left * 1000) + 1 : SLICE_MS;
        open = pump(client, out, milliseconds);
    }
}

/* The worker is gone or closed its output: how it ended, in words. */
static parity_reply bury(parity_client *client, parity_error *error)
{
    char how[64];
    size_t partial = parity_lines_partial(&client->lines);
    bool ended = parity_process_wait(&client->process, death_grace);
    read_tail(client);
    int status = parity_process_stop(&client->process);
    client->killed = ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    parity_status_text(how, sizeof how, status);
    parity_fail(error, "%s", ended ? how : "closed its output");
    bool own_will = !ended || strncmp(how, "exited", 6) == 0;
    if (partial == 0 || !own_will)
        return PARITY_REPLY_DIED;
    parity_fail(error, "half a line (%zu bytes), then it %s", partial,
                ended ? how : "closed its output");
    return PARITY_REPLY_TORN;
}

static void kill_worker(parity_client *client)
{
    if (client->process.pid) {
        read_tail(client);
        parity_process_stop(&client->process);
    }
    parity_lines_free(&client->lines);
    parity_ready_clear(&client->ready);
}

/* Whether the worker fell silent in the middle of a line. One that still writes, as a
 * traced loop does, is always in the middle of one. */
static bool stopped_in_a_line(const parity_client *client, double deadline)
{
    return parity_lines_partial(&client->lines) > 0 &&
           parity_clock() - client->heard > deadline / 2;
}

/* Turns a wait that brought no line into its message; the worker is gone afterwards. */
static parity_reply failed(parity_client *client, parity_reply reply, double deadline,
                           parity_error *error)
{
    if (reply == PARITY_REPLY_DIED)
        reply = bury(client, error);
    else if (reply == PARITY_REPLY_BREACH)
        parity_fail(error, "a line longer than 64 MiB");
    else if (reply == PARITY_REPLY_STOPPED)
        parity_fail(error, "interrupted");
    else if ((client->torn = stopped_in_a_line(client, deadline)))
        parity_fail(error, "half a line (%zu bytes), then nothing within %g s",
                    parity_lines_partial(&client->lines), deadline);
    else
        parity_fail(error, "did not end within %g s", deadline);
    kill_worker(client);
    return reply;
}

parity_reply parity_client_start(parity_client *client, const parity_worker *worker,
                                 double startup, void (*waiting)(void *context),
                                 void *context, parity_error *error)
{
    const char *line;
    size_t length;
    sending nothing = {NULL, 0};
    client->tail.length = 0;
    client->killed = false;
    if (parity_process_start(&client->process, worker->argv, worker->env, error) != 0)
        return PARITY_REPLY_DIED;
    double started = parity_clock();
    double first = waiting && startup > PARITY_PATIENCE ? PARITY_PATIENCE : startup;
    parity_reply reply = wait_line(client, &nothing, started + first, &line, &length);
    if (reply == PARITY_REPLY_LATE && first < startup) {
        waiting(context);
        reply = wait_line(client, &nothing, started + startup, &line, &length);
    }
    if (reply == PARITY_REPLY_LATE) {
        parity_fail(error, "was not ready within %g s", startup);
        kill_worker(client);
        return reply;
    }
    if (reply != PARITY_REPLY_ANSWERED)
        return failed(client, reply, startup, error);
    if (parity_ready_parse(&client->ready, line, length, error) != 0) {
        kill_worker(client);
        return PARITY_REPLY_BREACH;
    }
    parity_lines_take(&client->lines);
    return PARITY_REPLY_ANSWERED;
}

/* Reads lines until the answer, the acknowledgement of a cancel, or the end of patience.
 */
static parity_reply listen(parity_client *client, parity_question *question, sending *out,
                           double until, parity_run *run, parity_error *error)
{
    const char *line;
    size_t length;
    for (;;) {
        parity_reply reply = wait_line(client, out, until, &line, &length);
        if (reply != PARITY_REPLY_ANSWERED)
            return reply;
        parity_message message = parity_message_parse(
            run, &question->at, line, length, client->id,
            question->test->nobserve[question->asked.language], error);
        parity_lines_take(&client->lines);
        if (message == PARITY_MESSAGE_ANSWER)
            return PARITY_REPLY_ANSWERED;
        if (message == PARITY_MESSAGE_CANCELLED && client->cancelling) {
            client->cancelled = true;
            return PARITY_REPLY_LATE;
        }
        if (message == PARITY_MESSAGE_AT && question->asked.trace)
            continue;
        if (message != PARITY_MESSAGE_BREACH)
            parity_fail(error, "%s",
                        message == PARITY_MESSAGE_AT ? "a trace nobody asked for"
                                                     : "a cancellation nobody asked for");
        kill_worker(client);
        return PARITY_REPLY_BREACH;
    }
}

/* The deadline has passed. LATE: the worker gave the request up if `cancelled` is set,
 * and is stuck if not; ANSWERED: the answer was on its way. */
static parity_reply cancel(parity_client *client, parity_question *question,
                           parity_run *run, parity_error *error)
{
    char text[64];
    if (!client->ready.cancel || parity_lines_partial(&client->lines) > 0)
        return PARITY_REPLY_LATE;
    int length = snprintf(text, sizeof text, "{\"cancel\":%llu}\n",
                          (unsigned long long)client->id);
    sending out = {text, (size_t)length};
    client->cancelling = true;
    parity_reply reply =
        listen(client, question, &out, parity_clock() + cancel_grace, run, error);
    if (reply == PARITY_REPLY_ANSWERED || reply == PARITY_REPLY_STOPPED)
        return reply;
    parity_fail(error, "did not end within %g s", question->deadline);
    return PARITY_REPLY_LATE;
}

parity_reply parity_client_ask(parity_client *client, parity_question *question,
                               parity_run *run, parity_error *error)
{
    client->cancelling = client->cancelled = client->torn = client->killed = false;
    client->id++;
    client->tail.length = 0;
    question->at = (parity_pos){0, 0};
    question->alive = true;
    if (parity_request_format(&client->request, client->id, question->test,
                              &question->asked, error) != 0)
        return PARITY_REPLY_REFUSED;
    sending out = {client->request.data, client->request.length};
    double started = parity_clock();
    if (!send_some(client, &out))
        out.left = 0;
    parity_reply reply =
        listen(client, question, &out, started + question->deadline, run, error);
    if (reply == PARITY_REPLY_LATE && out.left == 0)
        reply = cancel(client, question, run, error);
    if (reply != PARITY_REPLY_ANSWERED && !client->cancelled && client->process.pid)
        reply = failed(client, reply, question->deadline, error);
    if (reply == PARITY_REPLY_ANSWERED)
        /* Without the time that reading the answer takes; it can precede its question. */
        run->seconds = client->heard > started ? client->heard - started : 0;
    if (reply == PARITY_REPLY_ANSWERED && out.left > 0)
        kill_worker(client); /* it did not read to the end and cannot read another */
    if (client->process.pid)
        read_tail(client);
    question->alive = client->process.pid != 0;
    return reply;
}

bool parity_client_chatters(parity_client *client)
{
    struct pollfd fd = {client->process.out, POLLIN, 0};
    if (parity_lines_partial(&client->lines) == 0 && poll(&fd, 1, 0) == 1)
        receive(client);
    return parity_lines_partial(&client->lines) > 0;
}

void parity_client_hang_up(parity_client *client)
{
    if (client->process.pid && client->process.in >= 0) {
        close(client->process.in);
        client->process.in = -1;
        parity_process_wait(&client->process, end_grace);
    }
}

void parity_client_stop(parity_client *client)
{
    kill_worker(client);
    parity_buffer_free(&client->request);
}

char *parity_client_not_ready(const parity_client *client, const parity_error *error)
{
    parity_buffer text = {0};
    char *tail = parity_tail_text(&client->tail);
    parity_buffer_printf(&text, "the worker did not become ready: %s", error->message);
    if (tail) {
        size_t end = strlen(tail);
        while (end > 0 && strchr(" \n", tail[end - 1]))
            tail[--end] = '\0';
        const char *line = strrchr(tail, '\n');
        parity_buffer_printf(&text, " (%s)", line ? line + 1 : tail);
    }
    free(tail);
    return parity_buffer_take(&text);
}
