#include "oracles/candle/compile.h"

#include "harness/base/buffer.h"
#include "oracles/candle/batch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_BATCH 128
/* With more workers than this in use, those with few cases are compiled into one: every
 * worker is a process to start. */
#define WORKERS_IN_USE 12
#define FEW_CASES      4

static void prepare_unit(candle_unit *unit, candle_job *job, bool trace)
{
    *unit = (candle_unit){.job = job};
    unit->refused =
        parity_alloc((job->test->nobserve[PARITY_CANDLE] + 1) * sizeof *unit->refused);
    candle_generate(&unit->module, job->test, NULL, trace);
    candle_cache_key(unit->key, unit->module.text);
}

static void clear_unit(candle_unit *unit)
{
    for (size_t i = 0; i < unit->module.nobserved; i++)
        parity_outcome_clear(&unit->refused[i]);
    free(unit->refused);
    candle_module_free(&unit->module);
}

static bool known(const candle_unit *unit)
{
    return unit->job->worker || unit->job->outcome.kind != PARITY_VALUE;
}

static int by_worker(const void *a, const void *b)
{
    const candle_unit *left = *(candle_unit *const *)a, *right = *(candle_unit *const *)b;
    return strcmp(left->job->worker, right->job->worker);
}

/* Forgets the workers with few cases when there are too many. */
static void merge(candle_unit *units, size_t count)
{
    candle_unit **found = parity_alloc((count + 1) * sizeof *found);
    size_t nfound = 0, workers = 0;
    for (size_t i = 0; i < count; i++)
        if (units[i].job->worker)
            found[nfound++] = &units[i];
    qsort(found, nfound, sizeof *found, by_worker);
    for (size_t i = 0; i < nfound; i++)
        workers += i == 0 || by_worker(&found[i - 1], &found[i]) != 0;
    for (size_t i = 0, end; i < nfound && workers > WORKERS_IN_USE; i = end) {
        for (end = i + 1; end < nfound && by_worker(&found[i], &found[end]) == 0;)
            end++;
        for (size_t k = i; k < end && end - i <= FEW_CASES; k++) {
            free(found[k]->job->worker);
            found[k]->job->worker = NULL;
        }
    }
    free(found);
}

/* The batches of one call, taken by several threads. */
typedef struct work {
    candle_build build;
    bool trace;
    candle_unit **units;
    size_t count;
    size_t size; /* of a batch */
    size_t next;
    pthread_mutex_t lock;
    int status;
    parity_error error;
} work;

static void *compile_some(void *context)
{
    work *w = context;
    for (;;) {
        pthread_mutex_lock(&w->lock);
        size_t start = w->next;
        size_t count = w->status ? 0 : w->count - start;
        count = count > w->size ? w->size : count;
        w->next += count;
        pthread_mutex_unlock(&w->lock);
        if (count == 0)
            return NULL;
        parity_error error = {{0}, {0}, {0, 0}};
        int status = candle_build_units(&w->build, w->units + start, count, &error);
        pthread_mutex_lock(&w->lock);
        if (status && !w->status) {
            w->status = status;
            w->error = error;
        }
        pthread_mutex_unlock(&w->lock);
    }
}

static int compile_missing(work *w, parity_error *error)
{
    pthread_t threads[8];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = cores < 1 ? 1 : cores > 8 ? 8 : (size_t)cores, started = 0;
    w->size = (w->count + most - 1) / most;
    if (w->size > LARGEST_BATCH)
        w->size = LARGEST_BATCH;
    pthread_mutex_init(&w->lock, NULL);
    while (started + 1 < most && started + 1 < w->count &&
           pthread_create(&threads[started], NULL, compile_some, w) == 0)
        started++;
    compile_some(w);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&w->lock);
    if (w->status && error)
        *error = w->error;
    return w->status;
}

int candle_compile(candle_job *jobs, size_t count, const candle_crates *crates,
                   const candle_cache *cache, bool trace, parity_error *error)
{
    candle_unit *units = parity_alloc((count + 1) * sizeof *units);
    work w = {.build = {crates, cache, trace},
              .units = parity_alloc((count + 1) * sizeof *w.units)};
    for (size_t i = 0; i < count; i++) {
        prepare_unit(&units[i], &jobs[i], trace);
        candle_cache_find(cache, units[i].key, &jobs[i].worker, &jobs[i].outcome);
    }
    merge(units, count);
    for (size_t i = 0; i < count; i++)
        if (!known(&units[i]))
            w.units[w.count++] = &units[i];
    int status = w.count ? compile_missing(&w, error) : 0;
    if (w.count)
        candle_cache_prune(cache);
    for (size_t i = 0; i < count; i++)
        clear_unit(&units[i]);
    free(w.units);
    free(units);
    return status;
}

void candle_jobs_clear(candle_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(jobs[i].worker);
        parity_outcome_clear(&jobs[i].outcome);
    }
}
