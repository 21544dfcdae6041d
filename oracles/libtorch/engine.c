/* The row of the libtorch engine: PyTorch's C++ library without Python. */
#include "oracles/libtorch/config.h" /* written by meson */

#include "harness/load/traces.h"
#include "harness/model/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { TEXT = 1024 };

extern const parity_engine parity_engine_libtorch;

static const char *print(parity_arena *arena, const char *format, const char *one,
                         const char *two)
{
    char text[TEXT];
    snprintf(text, sizeof text, format, one, two);
    return parity_arena_strdup(arena, text);
}

static void describe(parity_column *column, parity_arena *arena)
{
    struct utsname system;
    column->provenance = parity_arena_alloc(arena, 3 * sizeof *column->provenance);
    column->provenance[column->nprovenance++] =
        (parity_provenance){"libtorch", column->version};
    column->provenance[column->nprovenance++] =
        (parity_provenance){"semantics", print(arena, "torch %s", column->version, "")};
    if (uname(&system) == 0) {
        system.sysname[0] |= 0x20; /* linux, as candle's column writes it */
        column->provenance[column->nprovenance++] = (parity_provenance){
            "platform", print(arena, "%s %s", system.sysname, system.machine)};
    }
}

static int columns(parity_column **columns, size_t *count, const parity_paths *paths,
                   parity_arena *arena, parity_error *error)
{
    (void)error;
    *columns = parity_realloc(*columns, (*count + 1) * sizeof **columns);
    parity_column *column = &(*columns)[(*count)++];
    *column = (parity_column){
        .engine = &parity_engine_libtorch, .id = "libtorch/cpu", .device = "cpu"};
    const char *worker = print(arena, "%s/%s", paths->build, PARITY_LIBTORCH_WORKER);
    if (PARITY_LIBTORCH_ABSENT[0]) {
        column->absent = PARITY_LIBTORCH_ABSENT;
        return 0;
    }
    if (access(worker, X_OK) != 0)
        column->absent = "its worker is not built; run ninja in the build directory";
    column->version = PARITY_LIBTORCH_VERSION;
    column->id = print(arena, "libtorch@%s/cpu", column->version, "");
    describe(column, arena);
    return 0;
}

static void unsupported(parity_prepared *prepared, const char *reason)
{
    prepared->worker = PARITY_NONE;
    parity_outcome_set(&prepared->outcome, PARITY_UNSUPPORTED, NULL, reason,
                       (parity_pos){0, 0});
}

/* The trace of one case, from the file beside it. */
static void prepare_case(parity_prepared *prepared, const parity_traces *file,
                         const parity_case *test, const parity_column *column,
                         parity_arena *arena)
{
    const char *wanted = print(arena, "torch@%s/cpu", column->version, "");
    const parity_trace *found = parity_traces_find(file, test->id, wanted);
    if (found == NULL)
        unsupported(prepared, file->ntraces
                                  ? "the operator calls of this case are not "
                                    "recorded for this version of PyTorch"
                                  : "its operator calls are not recorded; parity "
                                    "bless does so where PyTorch ends well");
    else if (found->text_hash != test->text_hash[PARITY_TORCH])
        unsupported(prepared, "its operator calls were recorded from other case text; "
                              "accept new ones with parity bless");
    else
        prepared->program = parity_arena_strdup(arena, found->text);
}

/* The traces of one case file, while its cases are prepared. */
typedef struct traces_of {
    const char *case_file;
    parity_traces traces;
    char *damage; /* why they cannot be read, or NULL */
} traces_of;

static void open_traces(traces_of *file, const char *case_file)
{
    parity_error error;
    parity_buffer text = {0};
    if (file->case_file && strcmp(file->case_file, case_file) == 0)
        return;
    parity_traces_free(&file->traces);
    free(file->damage);
    *file = (traces_of){.case_file = case_file};
    char *path = parity_traces_path(case_file);
    if (parity_traces_read(&file->traces, path, &error) != 0) {
        parity_buffer_printf(&text, "%s:%d: %s", path, error.pos.line, error.message);
        file->damage = parity_buffer_take(&text);
    }
    free(path);
}

static const char **words(parity_arena *arena, const char *word)
{
    const char **list = parity_arena_alloc(arena, 2 * sizeof *list);
    list[0] = word;
    return list;
}

static int prepare(parity_plan *plan, const parity_column *column,
                   const parity_paths *paths, const parity_case *const *cases,
                   size_t count, parity_error *error)
{
    traces_of file = {0};
    (void)error;
    plan->nworkers = 1;
    plan->workers = parity_arena_alloc(plan->arena, sizeof *plan->workers);
    plan->workers[0].argv = words(
        plan->arena, print(plan->arena, "%s/%s", paths->build, PARITY_LIBTORCH_WORKER));
    /* Large tensors in large pages: most of their cost is that they are new. */
    plan->workers[0].env = words(plan->arena, "GLIBC_TUNABLES=glibc.malloc.hugetlb=1");
    plan->cases = parity_arena_alloc(plan->arena, (count + 1) * sizeof *plan->cases);
    for (size_t i = 0; i < count; i++) {
        open_traces(&file, cases[i]->file);
        if (file.damage) {
            plan->cases[i].worker = PARITY_NONE;
            parity_outcome_set(&plan->cases[i].outcome, PARITY_ERROR, "DamagedTrace",
                               file.damage, (parity_pos){0, 0});
        } else {
            prepare_case(&plan->cases[i], &file.traces, cases[i], column, plan->arena);
        }
    }
    parity_traces_free(&file.traces);
    free(file.damage);
    return 0;
}

const parity_engine parity_engine_libtorch = {
    .name = "libtorch",
    .about =
        "ATen without Python; replays the recorded operator calls of PyTorch programs",
    .language = PARITY_TORCH,
    .replays = true,
    .columns = columns,
    .prepare = prepare,
};
