#include "harness/run/process.h"
#include "harness/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double parity_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Pipe i is the child's descriptor i; side 0 reads, side 1 writes. */
static int ours(int pipes[3][2], int i)
{
    return pipes[i][i == 0 ? 1 : 0];
}

static int theirs(int pipes[3][2], int i)
{
    return pipes[i][i == 0 ? 0 : 1];
}

static void close_pipes(int pipes[3][2], int count)
{
    for (int i = 0; i < count; i++) {
        close(pipes[i][0]);
        close(pipes[i][1]);
    }
}

/* Both ends above 2, so that giving the child its 0, 1 and 2 overwrites none of them. */
static int open_pipe(int ends[2])
{
    int low[2];
    if (parity_pipe(low) != 0)
        return -1;
    for (int i = 0; i < 2; i++)
        ends[i] = low[i] > 2 ? low[i] : fcntl(low[i], F_DUPFD_CLOEXEC, 3);
    for (int i = 0; i < 2; i++)
        if (ends[i] != low[i])
            close(low[i]);
    if (ends[0] >= 0 && ends[1] >= 0)
        return 0;
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    return -1;
}

static int spawn(pid_t *pid, int pipes[3][2], const char *const *argv,
                 const char *const *extra)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_adddup2(&actions, theirs(pipes, i), i);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF | PARITY_SPAWN_CLEAN);
    char **environment = parity_environment(extra);
    int status = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv,
                              environment);
    parity_environment_free(environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

int parity_process_start(parity_process *process, const char *const *argv,
                         const char *const *env, parity_error *error)
{
    int pipes[3][2];
    for (int i = 0; i < 3; i++) {
        if (open_pipe(pipes[i]) != 0) {
            int code = errno;
            close_pipes(pipes, i);
            return parity_fail(error, "no pipe for a worker: %s", strerror(code));
        }
    }
    int status = spawn(&process->pid, pipes, argv, env);
    if (status != 0) {
        close_pipes(pipes, 3);
        process->pid = 0;
        return parity_fail(error, "cannot start %s: %s", argv[0], strerror(status));
    }
    for (int i = 0; i < 3; i++) {
        close(theirs(pipes, i));
        fcntl(ours(pipes, i), F_SETFL, O_NONBLOCK);
    }
    process->in = ours(pipes, 0);
    process->out = ours(pipes, 1);
    process->err = ours(pipes, 2);
    return 0;
}

bool parity_process_ended(const parity_process *process)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == process->pid;
}

bool parity_process_wait(const parity_process *process, double seconds)
{
    const struct timespec pause = {0, 1000000};
    double end = parity_clock() + seconds;
    while (!parity_process_ended(process)) {
        if (parity_clock() >= end)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

int parity_process_stop(parity_process *process)
{
    int status = 0;
    kill(-process->pid, SIGKILL);
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (process->in >= 0)
        close(process->in);
    close(process->out);
    if (process->err >= 0)
        close(process->err);
    *process = (parity_process){0, -1, -1, -1};
    return status;
}

void parity_status_text(char *text, size_t size, int status)
{
    static const struct {
        int signal;
        const char *name;
    } names[] = {
        {SIGABRT, "SIGABRT"}, {SIGALRM, "SIGALRM"}, {SIGBUS, "SIGBUS"},
        {SIGFPE, "SIGFPE"},   {SIGHUP, "SIGHUP"},   {SIGILL, "SIGILL"},
        {SIGINT, "SIGINT"},   {SIGKILL, "SIGKILL"}, {SIGPIPE, "SIGPIPE"},
        {SIGQUIT, "SIGQUIT"}, {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},
        {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGXCPU, "SIGXCPU"},
        {SIGXFSZ, "SIGXFSZ"},
    };
    if (!WIFSIGNALED(status)) {
        snprintf(text, size, "exited with code %d", WEXITSTATUS(status));
        return;
    }
    snprintf(text, size, "signal %d", WTERMSIG(status));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].signal == WTERMSIG(status))
            snprintf(text, size, "%s", names[i].name);
}
