/* The worker of the core: answers requests of docs/protocol.md with the interpreter. */
#include "backends/lang/lang.h"
#include "harness/run/worker.h"

#include <stdio.h>

static void at(void *context, parity_pos pos)
{
    parity_worker_at(context, pos);
}

static bool cancelled(void *context)
{
    return parity_worker_cancelled(context);
}

static void print(void *context, const char *text, size_t length)
{
    (void)context;
    fwrite(text, 1, length, stderr);
}

static int run(void *context, const parity_request *request, parity_answer *answer)
{
    (void)context;
    lang_request program = {
        .program = request->program ? request->program : "",
        .device = request->device,
        .observe = request->observe,
        .nobserve = request->nobserve,
        .data = request->data,
        .ndata = request->ndata,
        .at = request->trace ? at : NULL,
        .cancelled = cancelled,
        .print = print,
        .context = (void *)request,
    };
    answer->cancelled = !lang_run(&program, &answer->end, answer->observed);
    return 0;
}

int main(void)
{
    parity_worker_info info = {.engine = "core", .cancel = true};
    return parity_worker_main(&info, run, NULL);
}
