#include "harness/run/worker.h"

#include "harness/run/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* A process has one protocol channel; it is global because parity_worker_at is called
 * from deep inside an engine. */
static struct {
    int in, out;
    parity_lines lines;
    int64_t looked; /* milliseconds, when parity_worker_cancelled last looked at the
                       channel */
    bool cancelled;
} channel = {-1, -1, {{NULL, 0, 0}, 0, 0}, 0, false};

/* Out of the reach of programs that close every small number they can think of. */
static int move_high(int fd)
{
    struct rlimit limit;
    int high = 3;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 64)
        high = limit.rlim_cur < 1024 ? (int)limit.rlim_cur - 16 : 1000;
    return fcntl(fd, F_DUPFD_CLOEXEC, high);
}

int parity_worker_take_descriptors(int *in, int *out)
{
    *in = move_high(STDIN_FILENO);
    *out = move_high(STDOUT_FILENO);
    int null = open("/dev/null", O_RDONLY);
    if (*in < 0 || *out < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return -1;
    if (null > STDERR_FILENO)
        close(null);
#ifdef __linux__
    /* A worker in an endless loop would otherwise outlive a harness that was killed. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    channel.in = *in;
    channel.out = *out;
    return 0;
}

void parity_limit_memory(uint64_t bytes)
{
    struct rlimit limit;
    if (bytes == 0 || getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || bytes < limit.rlim_max
                         ? (rlim_t)bytes
                         : limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
}

void parity_worker_at(const parity_request *request, parity_pos pos)
{
    char line[128];
    if (!request->trace)
        return;
    int length =
        snprintf(line, sizeof line, "{\"id\":%llu,\"at\":{\"line\":%d,\"column\":%d}}\n",
                 (unsigned long long)request->id, pos.line, pos.column);
    parity_write_all(channel.out, line, (size_t)length);
}

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool parity_worker_cancelled(const parity_request *request)
{
    int64_t now = milliseconds();
    if (channel.cancelled || now - channel.looked < 10)
        return channel.cancelled;
    channel.looked = now;
    const char *line;
    size_t length;
    uint64_t id;
    struct pollfd ready = {channel.in, POLLIN, 0};
    /* the cancel may have come in one read with its request */
    bool here = parity_lines_peek(&channel.lines, &line, &length) &&
                parity_cancel_parse(&id, line, length);
    if (!here && poll(&ready, 1, 0) != 1)
        return false;
    if (!here && parity_lines_read(&channel.lines, channel.in) <= 0)
        return channel.cancelled = true; /* nobody waits for the answer any more */
    while (parity_lines_peek(&channel.lines, &line, &length) &&
           parity_cancel_parse(&id, line, length)) {
        channel.cancelled = channel.cancelled || id == request->id;
        parity_lines_take(&channel.lines);
    }
    return channel.cancelled;
}

/* 1: a line, 0: end of input, -1: the channel broke. */
static int next_line(const char **line, size_t *length)
{
    while (!parity_lines_peek(&channel.lines, line, length)) {
        if (parity_lines_partial(&channel.lines) > PARITY_LINE_LIMIT) {
            fprintf(stderr, "a request is longer than 64 MiB\n");
            return -1;
        }
        ssize_t count = parity_lines_read(&channel.lines, channel.in);
        if (count <= 0)
            return (int)count;
    }
    return 1;
}

static int say(char *line)
{
    int status = line ? parity_write_all(channel.out, line, strlen(line)) : -1;
    free(line);
    return status;
}

static int serve(int (*run)(void *context, const parity_request *, parity_answer *),
                 void *context, const char *line, size_t length)
{
    parity_request request;
    parity_answer answer;
    parity_error error;
    uint64_t id;
    int status = parity_request_parse(&request, line, length, &error);
    bool late = status != 0 && parity_cancel_parse(&id, line, length);
    parity_lines_take(&channel.lines);
    if (late)
        return 0; /* the cancel of a request that was answered meanwhile */
    if (status != 0) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    parity_answer_init(&answer, &request);
    channel.cancelled = false;
    status = run(context, &request, &answer);
    if (status == 0)
        status = say(parity_answer_format(&request, &answer));
    parity_answer_clear(&answer, &request);
    parity_request_clear(&request);
    return status;
}

int parity_worker_main(const parity_worker_info *info,
                       int (*run)(void *context, const parity_request *, parity_answer *),
                       void *context)
{
    int in, out;
    const char *line;
    size_t length;
    if (parity_worker_take_descriptors(&in, &out) != 0) {
        fprintf(stderr, "descriptors 0, 1 and 2 must be open: %s\n", strerror(errno));
        return 1;
    }
    signal(SIGPIPE, SIG_IGN);
    if (say(parity_ready_format(info)) != 0)
        return 1;
    int status;
    while ((status = next_line(&line, &length)) == 1)
        if (serve(run, context, line, length) != 0)
            return 1;
    parity_lines_free(&channel.lines);
    return status == 0 ? 0 : 1;
}
