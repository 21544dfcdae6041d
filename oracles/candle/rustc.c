#include "oracles/candle/rustc.h"

#include "harness/base/buffer.h"
#include "harness/base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Programs compile fast and unoptimised, but calculate as candle's release build does. */
const char *const candle_rustc_options =
    "--edition=2021 --crate-name=worker --crate-type=bin --error-format=json -Awarnings "
    "-Copt-level=0 -Cdebuginfo=0 -Cstrip=symbols -Coverflow-checks=off "
    "-Cdebug-assertions=off -Cpanic=unwind";

/* A macro that never stops growing must not take the machine with it. */
#define MEMORY_LIMIT ((rlim_t)8 << 30)
#define SAID_LIMIT   ((size_t)64 << 20)
#define MAX_ARGS     80

extern char **environ;

typedef struct command {
    char *argv[MAX_ARGS + 1];
    size_t count;
} command;

static void add_arg(command *c, char *arg)
{
    if (c->count < MAX_ARGS)
        c->argv[c->count++] = arg;
    else
        free(arg);
}

static char *format(const char *left, const char *middle, const char *right)
{
    parity_buffer text = {0};
    parity_buffer_printf(&text, "%s%s%s", left, middle, right);
    return parity_buffer_take(&text);
}

static void build_command(command *c, const candle_crates *crates)
{
    *c = (command){0};
    add_arg(c, parity_strdup(crates->rustc));
    for (const char *option = candle_rustc_options; *option;) {
        size_t length = strcspn(option, " ");
        add_arg(c, parity_strndup(option, length));
        option += length + strspn(option + length, " ");
    }
    add_arg(c, format("-Ldependency=", crates->dependencies, ""));
    for (size_t i = 0; i < crates->nexterns; i++) {
        char *named = format(crates->externs[i].name, "=", crates->externs[i].path);
        add_arg(c, format("--extern=", named, ""));
        free(named);
    }
    add_arg(c, parity_strdup("-oworker"));
    add_arg(c, parity_strdup("src/main.rs"));
}

static int spawn(pid_t *pid, command *c, const char *folder, const char *said)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, PARITY_SPAWN_CLEAN);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, said, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    int status = posix_spawn(pid, c->argv[0], &actions, &attributes, c->argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
#ifdef __linux__
    const struct rlimit limit = {MEMORY_LIMIT, MEMORY_LIMIT};
    if (status == 0)
        prlimit(*pid, RLIMIT_DATA, &limit, NULL);
#endif
    return status;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Waits; false when the time was up and the process was killed. */
static bool wait_for(pid_t pid, int *status, double seconds)
{
    double end = now() + seconds;
    for (long pause = 1000000;;) {
        pid_t done = waitpid(pid, status, WNOHANG);
        if (done == pid)
            return true;
        if (done < 0 && errno != EINTR) {
            *status = 0;
            return true;
        }
        if (now() > end) {
            kill(pid, SIGKILL);
            while (waitpid(pid, status, 0) < 0 && errno == EINTR)
                ;
            return false;
        }
        nanosleep(&(struct timespec){0, pause}, NULL);
        if (pause < 10000000)
            pause *= 2;
    }
}

static void read_said(candle_rustc *out, const char *path)
{
    parity_buffer text = {0};
    FILE *file = fopen(path, "r");
    char chunk[16384];
    size_t count;
    while (file && text.length < SAID_LIMIT &&
           (count = fread(chunk, 1, sizeof chunk, file)) > 0)
        parity_buffer_add(&text, chunk, count);
    if (file)
        fclose(file);
    out->nsaid = text.length;
    out->said = parity_buffer_take(&text);
}

static void judge(candle_rustc *out, int status, bool in_time, double seconds)
{
    if (!in_time) {
        out->status = CANDLE_BROKEN;
        snprintf(out->how, sizeof out->how, "rustc did not end within %.0f seconds",
                 seconds);
    } else if (WIFSIGNALED(status)) {
        out->status = CANDLE_BROKEN;
        snprintf(out->how, sizeof out->how, "rustc was ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) == 0) {
        out->status = CANDLE_COMPILED;
    } else if (WEXITSTATUS(status) == 1) {
        out->status = CANDLE_REFUSED;
    } else {
        out->status = CANDLE_BROKEN;
        snprintf(out->how, sizeof out->how, "rustc itself failed (exit code %d)",
                 WEXITSTATUS(status));
    }
}

int candle_rustc_run(candle_rustc *out, const candle_crates *crates, const char *folder,
                     double seconds, parity_error *error)
{
    command c;
    pid_t pid;
    int status;
    char *said = format(folder, "/", "said");
    *out = (candle_rustc){0};
    build_command(&c, crates);
    int failed = spawn(&pid, &c, folder, said);
    if (failed) {
        parity_fail(error, "%s could not be started (%s); compile the crates again",
                    crates->rustc, strerror(failed));
    } else {
        bool in_time = wait_for(pid, &status, seconds);
        read_said(out, said);
        judge(out, status, in_time, seconds);
    }
    for (size_t i = 0; i < c.count; i++)
        free(c.argv[i]);
    free(said);
    return failed ? -1 : 0;
}

void candle_rustc_free(candle_rustc *result)
{
    free(result->said);
    *result = (candle_rustc){0};
}
