#include "oracles/torch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* In the child: its end of the channel. Out of the reach of small numbers. */
enum { HIGH_DESCRIPTOR = 900 };
static int channel = -1;
static pid_t self;

/* Writes letter and line. Programs fork; what they forked runs on into here and must not
 * answer as well. */
static void say(char letter, const char *line)
{
    if (getpid() != self)
        _exit(0);
    if (parity_write_all(channel, &letter, 1) != 0 ||
        parity_write_all(channel, line, strlen(line)) != 0)
        _exit(TORCH_CHANNEL_GONE);
}

void torch_relay_at(const parity_request *request, parity_pos pos)
{
    char line[128];
    snprintf(line, sizeof line, "{\"id\":%llu,\"at\":{\"line\":%d,\"column\":%d}}\n",
             (unsigned long long)request->id, pos.line, pos.column);
    if (request->trace)
        say(TORCH_AT, line);
}

static void serve_one(const torch_relay *relay, const char *line, size_t length)
{
    parity_request request;
    parity_answer answer;
    if (parity_request_parse(&request, line, length, NULL) != 0)
        _exit(1); /* the parent has parsed it before */
    parity_answer_init(&answer, &request);
    bool stay = relay->run(relay->context, &request, &answer);
    char *text = parity_answer_format(&request, &answer);
    say(stay ? TORCH_ANSWER : TORCH_LAST, text);
    if (!stay)
        _exit(0);
    free(text);
    parity_answer_clear(&answer, &request);
    parity_request_clear(&request);
}

/* Never returns, and leaves without running what the program or a library left for exit.
 */
static _Noreturn void serve(const torch_relay *relay)
{
    parity_lines lines = {0};
    const char *line;
    size_t length;
    for (;;) {
        while (!parity_lines_peek(&lines, &line, &length))
            if (parity_lines_read(&lines, channel) <= 0)
                _exit(0);
        char *copy = parity_strndup(line, length);
        parity_lines_take(&lines);
        serve_one(relay, copy, length);
        free(copy);
    }
}

static _Noreturn void become_child(const torch_relay *relay, int fd, pid_t parent)
{
    struct rlimit none = {0, 0};
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(0);
    setrlimit(RLIMIT_CORE, &none); /* a dump of this process takes seconds */
    close(relay->in);
    close(relay->out);
    channel = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
    if (channel < 0)
        channel = fd;
    else
        close(fd);
    self = getpid();
    serve(relay);
}

int torch_child_start(torch_child *child, const torch_relay *relay)
{
    int pair[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return -1;
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = relay->fork(relay->context);
    if (pid == 0) {
        close(pair[0]);
        become_child(relay, pair[1], parent);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return -1;
    }
    setpgid(pid, pid); /* whoever comes first */
    *child = (torch_child){.pid = pid, .fd = pair[0]};
    return 0;
}

bool torch_child_ended(torch_child *child, int milliseconds)
{
    while (!child->ended) {
        siginfo_t info = {.si_pid = 0};
        /* Left unreaped until its group is killed, so that its number still means it. */
        if (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid == child->pid) {
            kill(-child->pid, SIGKILL);
            waitpid(child->pid, &child->status, 0);
            child->ended = true;
        } else if (milliseconds-- > 0) {
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        } else {
            return false;
        }
    }
    return true;
}

void torch_child_stop(torch_child *child)
{
    if (child->pid > 0 && !child->ended) {
        kill(-child->pid, SIGKILL);
        kill(child->pid, SIGKILL);
        while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (child->fd > 0)
        close(child->fd);
    parity_lines_free(&child->lines);
    *child = (torch_child){0};
}
