#include "harness/run/trial.h"

#include "harness/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often a worker may die on a case, or before it is ready, until we believe that it
 * is its own doing. SIGKILL comes from outside and may come again. */
enum { DEATHS = 2, KILLS = 3, KILLS_AT_START = 6 };

static size_t count_of(const parity_bench *bench, const parity_case *test)
{
    return test->nobserve[bench->lane->column->engine->language];
}

static void end_run(const parity_bench *bench, const parity_case *test, parity_run *run,
                    parity_outcome_kind kind, const char *text)
{
    double seconds = run->seconds;
    parity_run_end(run, count_of(bench, test), kind, text);
    run->seconds = seconds;
    run->diagnostics = parity_tail_text(&bench->client.tail);
    if (kind == PARITY_CRASH || kind == PARITY_HANG)
        run->end.detail = parity_strdup(run->diagnostics);
}

static void end_broken(const parity_bench *bench, const parity_case *test,
                       parity_run *run, const char *what)
{
    parity_buffer text = {0};
    parity_buffer_printf(&text, "broke the protocol: %s", what);
    end_run(bench, test, run, PARITY_CRASH, text.data);
    run->protocol_broken = true;
    parity_buffer_free(&text);
}

static void waiting(void *context)
{
    const parity_bench *bench = context;
    char text[128];
    snprintf(text, sizeof text, "the worker is still starting after %g s; it has %g s",
             PARITY_PATIENCE, bench->lane->options->startup);
    if (bench->lane->notice)
        bench->lane->notice(bench->lane->context, bench->lane->column, text);
}

/* Makes sure that a process runs. A worker that dies again and again before it is ready
 * counts as broken. */
static bool ready(parity_bench *bench)
{
    parity_error error;
    parity_reply reply;
    if (bench->client.process.pid || bench->broken)
        return !bench->broken;
    bench->client.stop = bench->lane->stop;
    bench->last = NULL;
    bench->used = false;
    int deaths = 0;
    do {
        reply =
            parity_client_start(&bench->client, bench->worker,
                                bench->lane->options->startup, waiting, bench, &error);
        if (reply == PARITY_REPLY_ANSWERED)
            return true;
    } while ((reply == PARITY_REPLY_DIED || reply == PARITY_REPLY_TORN) &&
             ++deaths < (bench->client.killed ? KILLS_AT_START : DEATHS));
    if (reply == PARITY_REPLY_STOPPED)
        return false;
    bench->broken = parity_client_not_ready(&bench->client, &error);
    return false;
}

/* Output between two requests belongs to the case before. */
static void settle(parity_bench *bench)
{
    if (!bench->client.process.pid || !bench->last ||
        !parity_client_chatters(&bench->client))
        return;
    parity_client_stop(&bench->client);
    end_broken(bench, bench->last, bench->last_run, "output after the answer");
}

static bool needs_own_process(const parity_bench *bench, const parity_case *test)
{
    return test->fresh && bench->client.process.pid && !bench->client.ready.fresh;
}

/* One attempt. Leaves the run alone unless the case was answered. */
static parity_reply attempt(parity_bench *bench, const parity_case *test, parity_run *run,
                            parity_question *question, parity_error *error)
{
    settle(bench);
    if (needs_own_process(bench, test) && bench->used)
        parity_client_stop(&bench->client);
    if (!ready(bench)) {
        parity_fail(error, "%s", bench->broken ? bench->broken : "interrupted");
        return PARITY_REPLY_STOPPED;
    }
    bench->last = test;
    bench->last_run = run;
    bench->used = true;
    parity_reply reply = parity_client_ask(&bench->client, question, run, error);
    if (reply == PARITY_REPLY_ANSWERED) {
        free(run->diagnostics);
        run->diagnostics = parity_tail_text(&bench->client.tail);
        settle(bench);
    }
    if (needs_own_process(bench, test))
        parity_client_stop(&bench->client);
    return reply;
}

static parity_question question_for(const parity_bench *bench, const parity_case *test,
                                    const parity_prepared *prepared)
{
    parity_question question = {
        .test = test,
        .asked = {.language = bench->lane->column->engine->language,
                  .device = bench->lane->column->device,
                  .program = prepared ? prepared->program : NULL,
                  .calls = bench->lane->options->calls},
        .deadline = test->timeout > 0 ? test->timeout : bench->lane->options->deadline,
    };
    return question;
}

/* Outcomes that need no second look. */
static void conclude(const parity_bench *bench, const parity_case *test, parity_run *run,
                     parity_reply reply, const char *text)
{
    switch (reply) {
    case PARITY_REPLY_BREACH:
    case PARITY_REPLY_TORN:
        end_broken(bench, test, run, text);
        break;
    case PARITY_REPLY_DIED:
        end_run(bench, test, run, PARITY_CRASH, text);
        break;
    case PARITY_REPLY_REFUSED:
        end_run(bench, test, run, PARITY_UNSUPPORTED, text);
        break;
    case PARITY_REPLY_STOPPED:
        parity_run_end(run, count_of(bench, test), PARITY_ABSENT, text);
        run->protocol_broken = bench->broken != NULL;
        if (bench->broken)
            run->diagnostics = parity_tail_text(&bench->client.tail);
        break;
    case PARITY_REPLY_ANSWERED:
    case PARITY_REPLY_LATE:
        break;
    }
}

parity_trial parity_bench_try(parity_bench *bench, const parity_case *test,
                              const parity_prepared *prepared, parity_run *run)
{
    parity_error error;
    parity_reply reply = PARITY_REPLY_DIED;
    int deaths = 0;
    while (deaths < (bench->client.killed ? KILLS : DEATHS)) {
        parity_question question = question_for(bench, test, prepared);
        reply = attempt(bench, test, run, &question, &error);
        /* A worker may also report the death of a child of its own. */
        bool died = reply == PARITY_REPLY_DIED || reply == PARITY_REPLY_TORN ||
                    (reply == PARITY_REPLY_ANSWERED && run->end.kind == PARITY_CRASH &&
                     !run->protocol_broken);
        if (!died)
            break;
        deaths++;
    }
    conclude(bench, test, run, reply, error.message);
    if (reply == PARITY_REPLY_LATE)
        return PARITY_TRIAL_LATE;
    bool crashed = run->end.kind == PARITY_CRASH && !run->protocol_broken;
    return crashed && run->end.pos.line == 0 ? PARITY_TRIAL_CRASHED : PARITY_TRIAL_DONE;
}

static void note(parity_run *run, const char *text)
{
    parity_buffer all = {0};
    parity_buffer_text(&all, text);
    if (run->diagnostics)
        parity_buffer_printf(&all, "\n%s", run->diagnostics);
    free(run->diagnostics);
    run->diagnostics = parity_buffer_take(&all);
}

static void end_hang(const parity_bench *bench, const parity_case *test, parity_run *run,
                     const parity_question *question, const char *what)
{
    parity_buffer text = {0};
    parity_buffer_text(&text, what);
    if (question->at.line)
        parity_buffer_printf(&text, "; last statement begun: line %d", question->at.line);
    end_run(bench, test, run, PARITY_HANG, text.data);
    run->end.pos = question->at;
    run->seconds = question->deadline;
    parity_buffer_free(&text);
}

/* The traced run of a case that crashed twice only adds the place. */
static void place_crash(parity_bench *bench, const parity_case *test,
                        const parity_prepared *prepared, parity_run *run)
{
    parity_error error;
    parity_run traced = {0};
    parity_question question = question_for(bench, test, prepared);
    question.asked.trace = true;
    parity_reply reply = attempt(bench, test, &traced, &question, &error);
    bool died = reply == PARITY_REPLY_DIED ||
                (reply == PARITY_REPLY_ANSWERED && traced.end.kind == PARITY_CRASH);
    if (died)
        run->end.pos = question.at;
    else if (reply == PARITY_REPLY_ANSWERED)
        note(run, "crashed each time, but not in a last run, which was traced");
    parity_run_clear(&traced);
    bench->last = NULL;
}

void parity_bench_confirm(parity_bench *bench, const parity_case *test,
                          const parity_prepared *prepared, parity_run *run)
{
    char text[128];
    parity_error error;
    if (run->end.kind == PARITY_CRASH) {
        place_crash(bench, test, prepared, run);
        return;
    }
    parity_question question = question_for(bench, test, prepared);
    double deadline = question.deadline;
    question.deadline *= PARITY_SECOND_CHANCE;
    question.asked.trace = true;
    parity_reply reply;
    int kills = 0;
    do
        reply = attempt(bench, test, run, &question, &error);
    while (reply == PARITY_REPLY_DIED && bench->client.killed && ++kills < KILLS);
    if (reply == PARITY_REPLY_ANSWERED && !run->protocol_broken) {
        snprintf(text, sizeof text,
                 "slow: did not end within %g s, then ended after %.1f s", deadline,
                 run->seconds);
        note(run, text);
    } else if (reply == PARITY_REPLY_LATE && bench->client.torn) {
        end_broken(bench, test, run, error.message);
    } else if (reply == PARITY_REPLY_LATE) {
        end_hang(bench, test, run, &question, error.message);
    } else {
        conclude(bench, test, run, reply, error.message);
        run->end.pos = question.at;
    }
}

void parity_bench_close(parity_bench *bench)
{
    parity_client_hang_up(&bench->client);
    settle(bench);
    parity_client_stop(&bench->client);
    parity_buffer_free(&bench->client.tail);
    free(bench->broken);
    bench->broken = NULL;
}
