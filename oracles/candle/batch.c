#include "oracles/candle/batch.h"

#include "harness/base/buffer.h"
#include "oracles/candle/blame.h"
#include "oracles/candle/rustc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A single program takes a third of a second, a hundred take four. */
#define SECONDS_A_BATCH 30.0
#define SECONDS_A_CASE  0.5
#define DETAIL_LIMIT    ((size_t)16 << 10)

static char *main_text(const candle_build *build, candle_unit **units, size_t count)
{
    const candle_module **modules = parity_alloc(count * sizeof *modules);
    for (size_t i = 0; i < count; i++)
        modules[i] = &units[i]->module;
    const candle_crates *c = build->crates;
    const candle_fact facts[] = {{"rustc", c->rustc_version},
                                 {"profile", c->profile},
                                 {"features", c->features},
                                 {"target", c->host}};
    char *text = candle_generate_main(modules, count, c->candle, facts,
                                      sizeof facts / sizeof *facts);
    free(modules);
    return text;
}

static int write_sources(const char *workspace, const char *main, candle_unit **units,
                         size_t count, parity_error *error)
{
    parity_buffer folder = {0};
    parity_buffer_printf(&folder, "%s/src", workspace);
    int status = candle_cache_write(folder.data, "main.rs", main, error);
    for (size_t i = 0; status == 0 && i < count; i++)
        status = candle_cache_write(folder.data, units[i]->module.name,
                                    units[i]->module.text, error);
    parity_buffer_free(&folder);
    return status;
}

/* Batches of the same modules have the same name, whoever compiles them. */
static void batch_name(char name[CANDLE_KEY_SIZE], const char *main, candle_unit **units,
                       size_t count)
{
    parity_buffer all = {0};
    parity_buffer_text(&all, main);
    for (size_t i = 0; i < count; i++)
        parity_buffer_text(&all, units[i]->module.text);
    candle_cache_key(name, all.data);
    parity_buffer_free(&all);
}

static int settle_worker(const candle_build *build, const char *workspace,
                         const char *name, candle_unit **units, size_t count,
                         parity_error *error)
{
    char *path = NULL;
    int status = candle_cache_adopt(build->cache, workspace, name, &path, error);
    for (size_t i = 0; status == 0 && i < count; i++) {
        units[i]->job->worker = parity_strdup(path);
        status = candle_cache_store(build->cache, units[i]->key, name, NULL, error);
    }
    free(path);
    return status;
}

/* Compiles once. `result` is the caller's to free. */
static int build_once(const candle_build *build, candle_unit **units, size_t count,
                      candle_rustc *result, parity_error *error)
{
    char *workspace = NULL, *main = main_text(build, units, count);
    char name[CANDLE_KEY_SIZE];
    batch_name(name, main, units, count);
    *result = (candle_rustc){0};
    int status = candle_cache_workspace(build->cache, &workspace, error);
    if (status == 0)
        status = write_sources(workspace, main, units, count, error);
    if (status == 0)
        status =
            candle_rustc_run(result, build->crates, workspace,
                             SECONDS_A_BATCH + SECONDS_A_CASE * (double)count, error);
    if (status == 0 && result->status == CANDLE_COMPILED)
        status = settle_worker(build, workspace, name, units, count, error);
    if (workspace)
        candle_cache_remove(workspace);
    free(workspace);
    free(main);
    return status;
}

/* The program is refused for good, or some of its observations are and it is tried again
 * without them. */
static int settle_blamed(const candle_build *build, candle_unit *unit,
                         parity_error *error)
{
    if (unit->job->outcome.kind == PARITY_REFUSED)
        return candle_cache_store(build->cache, unit->key, NULL, &unit->job->outcome,
                                  error);
    candle_module_free(&unit->module);
    candle_generate(&unit->module, unit->job->test, unit->refused, build->trace);
    return 0;
}

/* Takes the refused programs out of the batch. *blamed says whether anybody was at fault.
 */
static int sort_out(const candle_build *build, candle_unit **units, size_t *count,
                    const candle_diagnostics *diagnostics, bool *blamed,
                    parity_error *error)
{
    size_t left = 0, all = *count;
    int status = 0;
    *blamed = false;
    for (size_t i = 0; i < all; i++) {
        candle_unit *unit = units[i];
        parity_outcome *outcome = &unit->job->outcome;
        if (candle_blame(outcome, unit->refused, &unit->module, unit->job->test,
                         diagnostics)) {
            *blamed = true;
            status = status ? status : settle_blamed(build, unit, error);
        }
        if (outcome->kind != PARITY_REFUSED)
            units[left++] = unit;
    }
    *count = left;
    return status;
}

/* A program on its own of which the compiler says nothing that has a place. Only what it
 * said is kept: a crash or a lack of time may be the machine's. */
static int give_up(const candle_build *build, candle_unit *unit,
                   const candle_rustc *result, const candle_diagnostics *diagnostics,
                   parity_error *error)
{
    parity_outcome *outcome = &unit->job->outcome;
    if (result->status == CANDLE_REFUSED && candle_blame_alone(outcome, diagnostics))
        return candle_cache_store(build->cache, unit->key, NULL, outcome, error);
    size_t length = strlen(diagnostics->rest);
    const char *tail =
        diagnostics->rest + (length > DETAIL_LIMIT ? length - DETAIL_LIMIT : 0);
    parity_outcome_set(outcome, PARITY_UNSUPPORTED, NULL,
                       result->how[0] ? result->how : "rustc gave up without a reason",
                       (parity_pos){0, 0});
    outcome->detail = parity_strdup(tail);
    return 0;
}

int candle_build_units(const candle_build *build, candle_unit **units, size_t count,
                       parity_error *error)
{
    while (count > 0) {
        candle_rustc result;
        candle_diagnostics diagnostics;
        bool blamed = false;
        int status = build_once(build, units, count, &result, error);
        if (status || result.status == CANDLE_COMPILED) {
            candle_rustc_free(&result);
            return status;
        }
        size_t all = count;
        candle_diagnostics_parse(&diagnostics, result.said, result.nsaid);
        status = sort_out(build, units, &count, &diagnostics, &blamed, error);
        bool alone = status == 0 && !blamed && all == 1;
        if (alone)
            status = give_up(build, units[0], &result, &diagnostics, error);
        candle_diagnostics_free(&diagnostics);
        candle_rustc_free(&result);
        if (status || alone)
            return status;
        if (!blamed) { /* somewhere among them: halve */
            if (candle_build_units(build, units, count / 2, error))
                return -1;
            units += count / 2;
            count -= count / 2;
        }
    }
    return 0;
}
