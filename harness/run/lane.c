#include "harness/run/lane.h"

#include "harness/base/memory.h"
#include "harness/run/message.h"
#include "harness/run/trial.h"

#include <stdlib.h>
#include <string.h>

/* A lane at work. */
typedef struct work {
    const parity_lane *lane;
    parity_plan plan;
    const parity_case **taken; /* the cases that are run, in the order of plan.cases */
    parity_run **runs;         /* and their runs */
    size_t ntaken;
    size_t done; /* of all cases of the lane, those that have their outcome */
} work;

static parity_language language_of(const parity_lane *lane)
{
    return lane->column->engine->language;
}

static bool stopped(const parity_lane *lane)
{
    return lane->stop && atomic_load(lane->stop);
}

static void tell(work *w)
{
    const parity_lane *lane = w->lane;
    w->done++;
    if (lane->progress)
        lane->progress(lane->context, lane->column, w->done, lane->ncases);
}

static void end_absent(work *w, const parity_case *test, parity_run *run, const char *why)
{
    parity_run_end(run, test->nobserve[language_of(w->lane)], PARITY_ABSENT, why);
    tell(w);
}

/* Why a case is not for this column, or NULL. */
static const char *unfit(const parity_lane *lane, const parity_case *test)
{
    if (lane->column->absent)
        return lane->column->absent;
    if (test->skip)
        return test->skip;
    if (!test->program[language_of(lane)].text)
        return language_of(lane) == PARITY_TORCH ? "the case has no torch program"
                                                 : "the case has no candle program";
    return NULL;
}

static void select_cases(work *w)
{
    const parity_lane *lane = w->lane;
    w->taken = parity_alloc((lane->ncases + 1) * sizeof *w->taken);
    w->runs = parity_alloc((lane->ncases + 1) * sizeof *w->runs);
    for (size_t i = 0; i < lane->ncases; i++) {
        parity_run *run = &lane->runs[i * lane->stride];
        const char *why = unfit(lane, lane->cases[i]);
        if (why) {
            end_absent(w, lane->cases[i], run, why);
        } else {
            w->taken[w->ntaken] = lane->cases[i];
            w->runs[w->ntaken++] = run;
        }
    }
}

static void run_in_process(work *w)
{
    const parity_lane *lane = w->lane;
    for (size_t i = 0; i < w->ntaken; i++) {
        parity_error error;
        size_t count = w->taken[i]->nobserve[language_of(lane)];
        if (stopped(lane)) {
            end_absent(w, w->taken[i], w->runs[i], "interrupted");
            continue;
        }
        double started = parity_clock();
        parity_run_end(w->runs[i], count, PARITY_VALUE, NULL);
        if (lane->column->engine->in_process(w->runs[i], w->taken[i],
                                             lane->column->device, &error) != 0)
            parity_run_end(w->runs[i], count, PARITY_CRASH, error.message);
        w->runs[i]->seconds = parity_clock() - started;
        tell(w);
    }
}

/* One worker for all cases, when the engine has nothing to prepare. */
static int simple_plan(parity_plan *plan, const parity_lane *lane, size_t count,
                       parity_error *error)
{
    plan->workers = parity_arena_alloc(plan->arena, sizeof *plan->workers);
    plan->nworkers = 1;
    plan->cases = parity_arena_alloc(plan->arena, (count + 1) * sizeof *plan->cases);
    return lane->column->engine->worker(plan->workers, lane->column, lane->paths,
                                        plan->arena, error);
}

static int make_plan(work *w, parity_error *error)
{
    const parity_lane *lane = w->lane;
    const parity_engine *engine = lane->column->engine;
    w->plan.arena = parity_arena_new();
    if (!engine->prepare)
        return simple_plan(&w->plan, lane, w->ntaken, error);
    return engine->prepare(&w->plan, lane->column, lane->paths, w->taken, w->ntaken,
                           error);
}

static void free_plan(parity_plan *plan, size_t count)
{
    for (size_t i = 0; plan->cases && i < count; i++)
        parity_outcome_clear(&plan->cases[i].outcome);
    parity_arena_free(plan->arena);
    memset(plan, 0, sizeof *plan);
}

/* A hang whose program needs other code to be traced: another worker, made for this case.
 */
static void confirm(work *w, parity_bench *bench, size_t i)
{
    const parity_lane *lane = w->lane;
    const parity_engine *engine = lane->column->engine;
    parity_plan plan = {0};
    if (engine->prepare_trace) {
        plan.arena = parity_arena_new();
        if (engine->prepare_trace(&plan, lane->column, lane->paths, w->taken[i], NULL) ==
                0 &&
            plan.cases[0].worker < plan.nworkers) {
            parity_bench traced = {.lane = lane,
                                   .worker = &plan.workers[plan.cases[0].worker]};
            parity_client_stop(&bench->client); /* not two at a time */
            parity_bench_confirm(&traced, w->taken[i], &plan.cases[0], w->runs[i]);
            parity_bench_close(&traced);
            free_plan(&plan, 1);
            return;
        }
        free_plan(&plan, plan.cases ? 1 : 0);
    }
    parity_bench_confirm(bench, w->taken[i], &w->plan.cases[i], w->runs[i]);
}

static void run_worker(work *w, size_t worker)
{
    parity_bench bench = {.lane = w->lane, .worker = &w->plan.workers[worker]};
    size_t *again = parity_alloc((w->ntaken + 1) * sizeof *again);
    size_t nagain = 0;
    for (size_t i = 0; i < w->ntaken; i++) {
        if (w->plan.cases[i].worker != worker)
            continue;
        if (parity_bench_try(&bench, w->taken[i], &w->plan.cases[i], w->runs[i]) ==
            PARITY_TRIAL_DONE)
            tell(w);
        else
            again[nagain++] = i;
    }
    for (size_t i = 0; i < nagain; i++) {
        confirm(w, &bench, again[i]);
        tell(w);
    }
    parity_bench_close(&bench);
    free(again);
}

/* Cases whose end was known before they ran: refused, unsupported. */
static void end_prepared(work *w)
{
    for (size_t i = 0; i < w->ntaken; i++) {
        parity_prepared *prepared = &w->plan.cases[i];
        if (prepared->worker < w->plan.nworkers)
            continue;
        parity_run_end(w->runs[i], w->taken[i]->nobserve[language_of(w->lane)],
                       prepared->outcome.kind, NULL);
        parity_outcome_clear(&w->runs[i]->end);
        w->runs[i]->end = prepared->outcome;
        memset(&prepared->outcome, 0, sizeof prepared->outcome);
        tell(w);
    }
}

void parity_lane_run(const parity_lane *lane)
{
    parity_error error;
    work w = {.lane = lane};
    select_cases(&w);
    if (w.ntaken == 0) {
        /* nothing to start a worker for */
    } else if (lane->options->in_process && lane->column->engine->in_process) {
        run_in_process(&w);
    } else if (make_plan(&w, &error) != 0) {
        for (size_t i = 0; i < w.ntaken; i++)
            end_absent(&w, w.taken[i], w.runs[i], error.message);
    } else {
        end_prepared(&w);
        for (size_t i = 0; i < w.plan.nworkers; i++)
            run_worker(&w, i);
    }
    free_plan(&w.plan, w.ntaken);
    free(w.taken);
    free(w.runs);
}
