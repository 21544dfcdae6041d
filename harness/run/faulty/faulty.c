/* parity-faulty FAULT [--case ID] -- COMMAND…: runs a worker and spoils its talk with the
 * harness in one named way, at every case or only at the one given (also:
 * PARITY_FAULT_CASE). It shows what the harness makes of a bad engine, and its tests hold
 * the harness to it. */
#include "harness/base/system.h"
#include "harness/run/channel.h"
#include "harness/run/faulty/fault.h"
#include "harness/run/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct relay {
    const parity_fault *fault;
    const char *only; /* case at which it happens, or NULL: at every one */
    int in, out;      /* the harness */
    int to, from;     /* the worker */
    pid_t worker;
    parity_lines requests, answers;
    bool struck;  /* the request that runs is one of those to be spoiled */
    char *before; /* the answer before, with its newline */
} relay;

static void die(const char *what)
{
    fprintf(stderr, "parity-faulty: %s: %s\n", what, strerror(errno));
    exit(2);
}

static int usage(void)
{
    fprintf(stderr, "usage: parity-faulty FAULT [--case ID] -- COMMAND...\n"
                    "       parity-faulty --list\n");
    return 3;
}

static void list(void)
{
    for (const parity_fault *fault = parity_faults; fault->name; fault++)
        printf("%-16s %s\n", fault->name, fault->about);
}

static void start_worker(relay *r, char **command)
{
    int to[2], from[2];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (parity_pipe(to) != 0 || parity_pipe(from) != 0)
        die("no pipe");
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    errno = posix_spawnp(&r->worker, command[0], &actions, NULL, command, environ);
    if (errno != 0)
        die(command[0]);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    r->to = to[1];
    r->from = from[0];
}

/* The worker is gone: end as it did. */
static void follow(const relay *r)
{
    int status = 0;
    waitpid(r->worker, &status, 0);
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    exit(WEXITSTATUS(status));
}

static void pass(int fd, const char *line, size_t length)
{
    if (parity_write_all(fd, line, length) != 0 || parity_write_all(fd, "\n", 1) != 0)
        exit(1);
}

static void on_request(relay *r, const char *line, size_t length)
{
    json_t *json = json_loadb(line, length, 0, NULL);
    const json_t *run = json_object_get(json, "run");
    const char *id = json_string_value(json_object_get(run, "case"));
    if (id)
        r->struck = !r->only || strcmp(r->only, id) == 0;
    json_decref(json);
    if (id && r->struck && r->fault->request)
        r->fault->request(r->out);
    pass(r->to, line, length);
}

/* Answers are compared with each other by text: a line of its own, ended by a newline. */
static char *line_of(const char *bytes, size_t length)
{
    char *line = parity_alloc(length + 2);
    memcpy(line, bytes, length);
    line[length] = '\n';
    return line;
}

static void on_answer(relay *r, const char *bytes, size_t length)
{
    json_t *json = json_loadb(bytes, length, 0, NULL);
    char *line = line_of(bytes, length);
    bool answer = json_object_get(json, "observed") != NULL;
    bool strike = answer && r->struck;
    if (strike && r->fault->answer) {
        r->fault->answer(r->out, line, r->before);
    } else if (strike && r->fault->change && r->fault->change(json)) {
        char *changed = json_dumps(json, JSON_COMPACT);
        pass(r->out, changed, strlen(changed));
        free(changed);
    } else {
        pass(r->out, bytes, length);
    }
    if (answer) {
        free(r->before);
        r->before = line;
    } else {
        free(line);
    }
    json_decref(json);
}

static void pump(relay *r)
{
    const char *line;
    size_t length;
    struct pollfd fds[2] = {{r->in, POLLIN, 0}, {r->from, POLLIN, 0}};
    if (poll(fds, 2, -1) < 0)
        return;
    if (fds[0].revents && parity_lines_read(&r->requests, r->in) <= 0) {
        close(r->to); /* the worker ends, then so do we */
        r->in = -1;
    }
    if (fds[1].revents && parity_lines_read(&r->answers, r->from) <= 0)
        follow(r);
    while (parity_lines_peek(&r->requests, &line, &length)) {
        on_request(r, line, length);
        parity_lines_take(&r->requests);
    }
    while (parity_lines_peek(&r->answers, &line, &length)) {
        on_answer(r, line, length);
        parity_lines_take(&r->answers);
    }
}

int main(int argc, char **argv)
{
    relay r = {.fault = parity_faults, .only = getenv("PARITY_FAULT_CASE")};
    int next = 2;
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list();
        return 0;
    }
    if (argc > 3 && strcmp(argv[2], "--case") == 0) {
        r.only = argv[3];
        next = 4;
    }
    if (argc <= next + 1 || strcmp(argv[next], "--") != 0)
        return usage();
    while (r.fault->name && strcmp(r.fault->name, argv[1]) != 0)
        r.fault++;
    if (!r.fault->name) {
        fprintf(stderr,
                "parity-faulty: no fault \"%s\"; parity-faulty --list shows them\n",
                argv[1]);
        return 3;
    }
    if (parity_worker_take_descriptors(&r.in, &r.out) != 0)
        die("descriptors");
    if (r.fault->start)
        r.fault->start(r.out);
    start_worker(&r, argv + next + 1);
    signal(SIGPIPE, SIG_IGN); /* not before: the worker would inherit it */
    for (;;)
        pump(&r);
}
