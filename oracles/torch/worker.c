/* parity-torch-worker PYTHON [--no-fork]: the torch column.
 *
 * Starts the interpreter of that path, imports torch, says ready, and runs cases: on
 * Linux in a forked child, elsewhere, and for debuggers with --no-fork, in this process.
 */
#include "oracles/torch/program.h"
#include "oracles/torch/relay.h"

#include "harness/run/channel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
enum { FORKS = 1 };
#else
enum { FORKS = 0 };
#endif

static void at_in_process(void *context, const parity_request *request, parity_pos pos)
{
    (void)context;
    parity_worker_at(request, pos);
}

static void at_in_child(void *context, const parity_request *request, parity_pos pos)
{
    (void)context;
    torch_relay_at(request, pos);
}

static int run_in_process(void *context, const parity_request *request,
                          parity_answer *answer)
{
    if (!torch_program_run(context, request, answer))
        fprintf(stderr, "%s left something behind that cannot be undone\n",
                request->case_id);
    return 0;
}

static bool run_in_child(void *context, const parity_request *request,
                         parity_answer *answer)
{
    return torch_program_run(context, request, answer);
}

static pid_t fork_python(void *context)
{
    (void)context;
    PyOS_BeforeFork();
    pid_t pid = fork();
    if (pid == 0)
        PyOS_AfterFork_Child();
    else
        PyOS_AfterFork_Parent();
    return pid;
}

static int serve_forking(torch_relay *relay, const parity_worker_info *info)
{
    char *ready = parity_ready_format(info);
    int status = ready ? parity_write_all(relay->out, ready, strlen(ready)) : -1;
    free(ready);
    return status == 0 ? torch_relay_serve(relay) : 1;
}

/* From the start of the interpreter to the end of the input. */
static int work(const char *python, torch_relay *relay)
{
    parity_error error;
    torch_session session = {.at = relay ? at_in_child : at_in_process};
    if (torch_memory_start(&error) != 0 || torch_interpreter_start(python, &error) != 0 ||
        torch_session_init(&session, &error) != 0) {
        fprintf(stderr, "parity-torch-worker: %s\n", error.message);
        return 1;
    }
    json_t *provenance = torch_session_provenance(&session);
    char *version = torch_session_version(&session);
    parity_worker_info info = {.engine = "torch",
                               .version = version,
                               .cancel = relay != NULL,
                               .fresh = relay != NULL,
                               .provenance = provenance};
    int code;
    if (relay) {
        relay->context = &session;
        code = serve_forking(relay, &info);
    } else {
        code = parity_worker_main(&info, run_in_process, &session);
    }
    json_decref(provenance);
    free(version);
    return code;
}

int main(int argc, char **argv)
{
    torch_relay relay = {.fork = fork_python, .run = run_in_child};
    bool here = argc == 3 && strcmp(argv[2], "--no-fork") == 0;
    if (argc != 2 && !here) {
        fprintf(stderr, "usage: parity-torch-worker PYTHON [--no-fork]\n");
        return 3;
    }
    here = here || !FORKS;
    /* First of all: an import may print. */
    if (!here && parity_worker_take_descriptors(&relay.in, &relay.out) != 0) {
        fprintf(stderr, "descriptors 0, 1 and 2 must be open: %s\n", strerror(errno));
        return 1;
    }
    int code = work(argv[1], here ? NULL : &relay);
    /* No Py_Finalize: there is nothing to save, and libraries crash in it. */
    fflush(NULL);
    _exit(code);
}
