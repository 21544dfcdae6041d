/* The column of the real candle crates. Its workers are compiled from the cases, a batch
 * to a binary. */
#include "harness/base/buffer.h"
#include "harness/model/engine.h"
#include "oracles/candle/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const parity_engine parity_engine_candle;

/* The version that the prelude is pinned to, from its manifest; for a column whose crates
 * are not here. NULL when the manifest cannot be read. */
static const char *pinned_version(const parity_paths *paths, parity_arena *arena)
{
    static const char key[] = "candle-core = \"=";
    parity_buffer path = {0};
    char line[256];
    const char *version = NULL;
    parity_buffer_printf(&path, "%s/oracles/candle/crates/prelude/Cargo.toml",
                         paths->root);
    FILE *file = fopen(path.data, "r");
    while (file && !version && fgets(line, sizeof line, file))
        if (strncmp(line, key, sizeof key - 1) == 0)
            version = parity_arena_strndup(arena, line + sizeof key - 1,
                                           strcspn(line + sizeof key - 1, "\""));
    if (file)
        fclose(file);
    parity_buffer_free(&path);
    return version;
}

static char *arena_text(parity_arena *arena, parity_buffer *buffer)
{
    char *text = parity_arena_strdup(arena, buffer->data);
    parity_buffer_free(buffer);
    return text;
}

static const char *absent_because(const parity_paths *paths, candle_crates *crates,
                                  parity_arena *arena)
{
    parity_error error;
    parity_buffer why = {0};
    if (!paths->crates || !*paths->crates)
        return "the candle crates are not compiled here: install cargo (rustup.rs) and "
               "run "
               "./parity setup";
    if (candle_crates_read(crates, paths->crates, arena, &error))
        parity_buffer_printf(&why, "%s: run ./parity setup", error.message);
    else if (access(crates->rustc, X_OK) != 0)
        parity_buffer_printf(
            &why,
            "the compiler that the crates were made by is gone (%s): run "
            "./parity setup",
            crates->rustc);
    return why.data ? arena_text(arena, &why) : NULL;
}

/* A GPU is not told by the target alone, so its column also names the machine. */
static void add_provenance(parity_column *column, const candle_crates *crates,
                           parity_arena *arena)
{
    const parity_provenance facts[] = {{"rustc", crates->rustc_version},
                                       {"profile", crates->profile},
                                       {"features", crates->features},
                                       {"target", crates->host},
                                       {"platform", crates->machine}};
    bool gpu = strcmp(column->device, "cpu") != 0 && crates->machine;
    column->provenance = parity_arena_alloc(arena, sizeof facts);
    column->nprovenance = sizeof facts / sizeof *facts - !gpu;
    memcpy(column->provenance, facts, sizeof facts);
}

static bool has_feature(const candle_crates *crates, const char *feature)
{
    size_t length = strlen(feature);
    for (const char *p = crates->features; p && *p; p += strcspn(p, ","), p += *p == ',')
        if (strncmp(p, feature, length) == 0 && (p[length] == ',' || p[length] == '\0'))
            return true;
    return false;
}

static void add_column(parity_column **columns, size_t *count, const char *device,
                       const char *absent, const candle_crates *crates,
                       const char *version, parity_arena *arena)
{
    parity_buffer id = {0};
    *columns = parity_realloc(*columns, (*count + 1) * sizeof **columns);
    parity_column *column = &(*columns)[(*count)++];
    *column = (parity_column){.engine = &parity_engine_candle,
                              .device = device,
                              .absent = absent,
                              .version = version};
    if (!absent)
        add_provenance(column, crates, arena);
    parity_buffer_text(&id, "candle");
    if (version)
        parity_buffer_printf(&id, "@%s", version);
    parity_buffer_printf(&id, "/%s", device);
    column->id = arena_text(arena, &id);
}

/* One column a device that the crates were compiled for: Metal on a Mac. */
static int columns(parity_column **columns, size_t *count, const parity_paths *paths,
                   parity_arena *arena, parity_error *error)
{
    (void)error;
    candle_crates crates = {0};
    const char *absent = absent_because(paths, &crates, arena);
    const char *version = absent ? pinned_version(paths, arena) : crates.candle;
    add_column(columns, count, "cpu", absent, &crates, version, arena);
    if (!absent && has_feature(&crates, "metal"))
        add_column(columns, count, "metal", NULL, &crates, version, arena);
    return 0;
}

static size_t worker_index(parity_plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->nworkers; i++)
        if (strcmp(plan->workers[i].argv[0], path) == 0)
            return i;
    parity_worker *worker = &plan->workers[plan->nworkers];
    worker->argv = parity_arena_alloc(plan->arena, 2 * sizeof *worker->argv);
    worker->argv[0] = parity_arena_strdup(plan->arena, path);
    return plan->nworkers++;
}

/* Room for every case; one without a program in this language never runs. */
static void empty_plan(parity_plan *plan, size_t count)
{
    plan->nworkers = 0;
    plan->workers = parity_arena_alloc(plan->arena, (count + 1) * sizeof *plan->workers);
    plan->cases = parity_arena_alloc(plan->arena, (count + 1) * sizeof *plan->cases);
    for (size_t i = 0; i < count; i++) {
        plan->cases[i].worker = PARITY_NONE;
        plan->cases[i].outcome.kind = PARITY_ABSENT;
    }
}

/* The outcomes move into the plan. */
static void fill_plan(parity_plan *plan, candle_job *jobs, size_t njobs,
                      const parity_case *const *cases)
{
    for (size_t k = 0, i = 0; k < njobs; k++, i++) {
        while (cases[i] != jobs[k].test)
            i++;
        plan->cases[i].outcome = jobs[k].outcome;
        jobs[k].outcome = (parity_outcome){0};
        if (jobs[k].worker)
            plan->cases[i].worker = worker_index(plan, jobs[k].worker);
    }
}

static int compile_into(parity_plan *plan, const parity_paths *paths,
                        const parity_case *const *cases, size_t count, bool trace,
                        parity_error *error)
{
    candle_crates crates;
    candle_cache cache;
    if (candle_crates_read(&crates, paths->crates, plan->arena, error) ||
        candle_cache_open(&cache, paths->cache, &crates, error))
        return -1;
    candle_job *jobs = parity_alloc((count + 1) * sizeof *jobs);
    size_t njobs = 0;
    for (size_t i = 0; i < count; i++)
        if (cases[i]->program[PARITY_CANDLE].text)
            jobs[njobs++].test = cases[i];
    int status = candle_compile(jobs, njobs, &crates, &cache, trace, error);
    if (status == 0) {
        empty_plan(plan, count);
        fill_plan(plan, jobs, njobs, cases);
    }
    candle_jobs_clear(jobs, njobs);
    free(jobs);
    candle_cache_close(&cache);
    return status;
}

static int prepare(parity_plan *plan, const parity_column *column,
                   const parity_paths *paths, const parity_case *const *cases,
                   size_t count, parity_error *error)
{
    (void)column;
    return compile_into(plan, paths, cases, count, false, error);
}

static int prepare_trace(parity_plan *plan, const parity_column *column,
                         const parity_paths *paths, const parity_case *one,
                         parity_error *error)
{
    (void)column;
    return compile_into(plan, paths, &one, 1, true, error);
}

const parity_engine parity_engine_candle = {
    .name = "candle",
    .about = "The real candle-core and candle-nn, compiled by rustc",
    .language = PARITY_CANDLE,
    .judge = true,
    .columns = columns,
    .prepare = prepare,
    .prepare_trace = prepare_trace,
};
