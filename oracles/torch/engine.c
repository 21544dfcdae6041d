/* The row of the torch engine: PyTorch on the CPU, as a judge. */
#include "oracles/torch/config.h" /* written by meson */

#include "harness/model/engine.h"
#include "oracles/torch/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { TEXT = 1024 };

extern const parity_engine parity_engine_torch;

/* "2.15.0" of "2.15.0+cu132": the build says which GPU could be used, not what the CPU
 * does. */
static const char *release(const char *version, parity_arena *arena)
{
    return parity_arena_strndup(arena, version, strcspn(version, "+"));
}

static const char *worker_path(const parity_paths *paths, parity_arena *arena)
{
    char path[TEXT];
    snprintf(path, sizeof path, "%s/%s", paths->build, PARITY_TORCH_WORKER);
    return parity_arena_strdup(arena, path);
}

static void add_provenance(parity_column *column, const char *name, const char *text,
                           parity_arena *arena)
{
    parity_provenance *more =
        parity_arena_alloc(arena, (column->nprovenance + 1) * sizeof *more);
    if (column->nprovenance > 0)
        memcpy(more, column->provenance, column->nprovenance * sizeof *more);
    more[column->nprovenance] =
        (parity_provenance){name, parity_arena_strdup(arena, text)};
    column->provenance = more;
    column->nprovenance++;
}

static void describe(parity_column *column, const parity_paths *paths,
                     const char *version, parity_arena *arena)
{
    char text[TEXT];
    struct utsname system;
    char *python = torch_site_python(paths->python);
    add_provenance(column, "torch", version, arena);
    if (python)
        add_provenance(column, "python", python, arena);
    free(python);
    if (uname(&system) == 0) {
        system.sysname[0] |= 0x20; /* linux, as candle's column writes it */
        snprintf(text, sizeof text, "%s %s", system.sysname, system.machine);
        add_provenance(column, "platform", text, arena);
    }
}

/* Why the column cannot run, and its version when it can; NULL: it can. */
static const char *look(char **version, const parity_paths *paths, parity_arena *arena)
{
    parity_error missing;
    if (PARITY_TORCH_ABSENT[0])
        return PARITY_TORCH_ABSENT;
    if (paths->python == NULL || paths->python[0] == '\0')
        return "PARITY_PYTHON names no Python with torch; run ./parity again";
    if (torch_site_version(version, paths->python, &missing) != 0)
        return parity_arena_strdup(arena, missing.message);
    if (access(worker_path(paths, arena), X_OK) != 0)
        return "its worker is not built; run ninja in the build directory";
    return NULL;
}

static int columns(parity_column **columns, size_t *count, const parity_paths *paths,
                   parity_arena *arena, parity_error *error)
{
    char id[TEXT], *version = NULL;
    (void)error;
    *columns = parity_realloc(*columns, (*count + 1) * sizeof **columns);
    parity_column *column = &(*columns)[(*count)++];
    *column = (parity_column){
        .engine = &parity_engine_torch, .id = "torch/cpu", .device = "cpu"};
    column->absent = look(&version, paths, arena);
    if (version) {
        column->version = release(version, arena);
        snprintf(id, sizeof id, "torch@%s/cpu", column->version);
        column->id = parity_arena_strdup(arena, id);
        describe(column, paths, version, arena);
    }
    free(version);
    return 0;
}

static int worker(parity_worker *worker, const parity_column *column,
                  const parity_paths *paths, parity_arena *arena, parity_error *error)
{
    /* No look for GPUs; one thread and a fixed hash seed every worker gets. */
    static const char *const env[] = {"CUDA_VISIBLE_DEVICES=", NULL};
    (void)column;
    (void)error;
    worker->argv = parity_arena_alloc(arena, 3 * sizeof *worker->argv);
    worker->argv[0] = worker_path(paths, arena);
    worker->argv[1] = paths->python;
    worker->env = parity_arena_alloc(arena, sizeof env);
    memcpy(worker->env, env, sizeof env);
    return 0;
}

const parity_engine parity_engine_torch = {
    .name = "torch",
    .about = "PyTorch in an embedded CPython; programs run verbatim",
    .language = PARITY_TORCH,
    .calls = true,
    .judge = true,
    .columns = columns,
    .worker = worker,
};
