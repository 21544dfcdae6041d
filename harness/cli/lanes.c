#include "harness/cli/lanes.h"
#include "harness/base/memory.h"
#include "harness/compare/departure.h"
#include "harness/compare/render.h"
#include "harness/run/run.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct lane {
    session *s;
    const bool *have;
    lanes_tell *tell;
    size_t column;
    double started;
    pthread_t thread;
    pthread_mutex_t *telling;
    int status;
    bool interrupted;
    parity_error error;
} lane;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What the program itself printed, so that it is not taken for what was observed. */
static void print_said(const char *said)
{
    while (said && *said) {
        int length = (int)strcspn(said, "\n");
        printf("  | %.*s\n", length, said);
        said += length + (said[length] == '\n');
    }
}

static void print_end(const parity_outcome *end)
{
    printf("  %s", parity_outcome_name(end->kind));
    if (end->type)
        printf(" %s", end->type);
    if (end->pos.line)
        printf(" at line %d", end->pos.line);
    printf("%s%s\n", end->text ? ": " : "", end->text ? end->text : "");
}

static void print_lines(const parity_case *test, const parity_column *column,
                        const parity_run *run)
{
    parity_language language = column->engine->language;
    if (!run->end.detail)
        print_said(run->diagnostics);
    if (run->end.kind != PARITY_VALUE) {
        print_end(&run->end);
        if (run->end.detail)
            printf("%s\n", run->end.detail);
        return;
    }
    for (size_t r = 0; r < test->nrows; r++) {
        if (!test->rows[r].text[language].pieces)
            continue;
        parity_buffer line = {0};
        parity_render_row(&line, test, r, language, run);
        printf("  %s\n", line.data ? line.data : "");
        parity_buffer_free(&line);
    }
}

void lanes_print(const session *s, size_t column, double seconds)
{
    const parity_column *c = &s->columns[column];
    (void)seconds;
    for (size_t i = 0; i < s->ncases; i++) {
        if (!s->cases[i]->program[c->engine->language].text)
            continue;
        printf("%s%s%s%s\n", c->id,
               c->device && parity_stand_in_device(c->device) ? " (modelled)" : "",
               s->ncases > 1 ? " " : "", s->ncases > 1 ? s->cases[i]->id : "");
        print_lines(s->cases[i], c, &s->runs[i * s->nlive + column]);
    }
    fflush(stdout);
}

static void *run_lane(void *argument)
{
    lane *l = argument;
    session *s = l->s;
    parity_run_options options = {
        .jobs = 1, .deadline = s->options->deadline, .interrupted = &l->interrupted};
    const parity_case **cases = parity_alloc((s->ncases + 1) * sizeof *cases);
    size_t *places = parity_alloc((s->ncases + 1) * sizeof *places), count = 0;
    for (size_t i = 0; i < s->ncases; i++) {
        size_t place = i * s->nlive + l->column;
        if (l->have && l->have[place])
            continue;
        places[count] = place;
        cases[count++] = s->cases[i];
    }
    parity_run *runs = parity_alloc((count + 1) * sizeof *runs);
    if (count)
        l->status = parity_run_cases(runs, cases, count, &s->columns[l->column], 1,
                                     &s->paths, &options, &l->error);
    pthread_mutex_lock(l->telling);
    for (size_t i = 0; i < count; i++)
        s->runs[places[i]] = runs[i];
    if (count && !l->status)
        l->tell(s, l->column, now() - l->started);
    pthread_mutex_unlock(l->telling);
    free(runs);
    free(places);
    free(cases);
    return NULL;
}

int lanes_run(session *s, const bool *have, lanes_tell *tell, parity_error *error)
{
    pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;
    lane *lanes = parity_alloc((s->nlive + 1) * sizeof *lanes);
    int status = 0;
    size_t started = 0;
    if (!have)
        s->runs = parity_alloc((s->ncases * s->nlive + 1) * sizeof *s->runs);
    for (; started < s->nlive && !status; started++) {
        lanes[started] = (lane){.s = s,
                                .have = have,
                                .tell = tell,
                                .column = started,
                                .started = now(),
                                .telling = &telling};
        if (pthread_create(&lanes[started].thread, NULL, run_lane, &lanes[started]) != 0)
            status =
                parity_fail(error, "no thread could be started: %s", strerror(errno));
    }
    for (size_t i = 0; i < started - (status ? 1 : 0); i++) {
        pthread_join(lanes[i].thread, NULL);
        s->interrupted = s->interrupted || lanes[i].interrupted;
        if (lanes[i].status && !status) {
            status = -1;
            *error = lanes[i].error;
        }
    }
    free(lanes);
    return status;
}
