/* parity-libtorch-worker: the libtorch column. The program of a request is the trace of
 * the case's PyTorch program. */
#include "oracles/libtorch/replay.h"

#include <stdio.h>
#include <stdlib.h>

static int run(void *context, const parity_request *request, parity_answer *answer)
{
    (void)context;
    parity_buffer notes = {0};
    if (request->program == NULL) {
        parity_outcome_set(&answer->end, PARITY_UNSUPPORTED, NULL,
                           "there is no trace of this case", (parity_pos){0, 0});
        return 0;
    }
    parity_limit_memory(request->memory);
    libtorch_replay_run(request, answer, &notes);
    if (notes.length > 0)
        answer->notes = parity_buffer_take(&notes);
    return 0;
}

/* The first call of the library sets much of it up. */
static int warm_up(shim_error *error)
{
    shim_value results;
    int64_t two = 2;
    shim_value size = {.kind = SHIM_LIST,
                       .items = &(shim_value){.kind = SHIM_INT, .integer = two},
                       .count = 1};
    if (shim_call(&results, "aten::ones", "", &size, 1, error) != 0)
        return -1;
    shim_results_free(&results);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argv;
    shim_error error;
    if (argc != 1) {
        fprintf(stderr, "usage: parity-libtorch-worker\n");
        return 3;
    }
    if (shim_memory_install(&error) != 0 || shim_threads(1, &error) != 0 ||
        warm_up(&error) != 0) {
        fprintf(stderr, "parity-libtorch-worker: %s\n", error.text);
        return 1;
    }
    json_t *provenance = json_pack("{s:s}", "libtorch", shim_version());
    parity_worker_info info = {
        .engine = "libtorch", .version = shim_version(), .provenance = provenance};
    int code = parity_worker_main(&info, run, NULL);
    json_decref(provenance);
    return code;
}
