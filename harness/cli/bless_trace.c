/* The traces beside the cases: programs are run a second time, and their calls written
 * down, because writing them down can change what a program sees of its memory. */
#include "harness/cli/bless_trace.h"

#include "harness/base/memory.h"
#include "harness/cli/output.h"
#include "harness/load/traces.h"
#include "harness/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The cases that one column is asked again, and what it said. */
typedef struct again {
    const session *session;
    const parity_column *column;
    const parity_case **cases;
    parity_run *runs;
    size_t count;
} again;

static bool ended_by_itself(const parity_run *run)
{
    return run->ran && !run->protocol_broken &&
           (run->end.kind == PARITY_VALUE || run->end.kind == PARITY_ERROR);
}

static int ask(again *a, size_t column, parity_error *error)
{
    const session *s = a->session;
    parity_run_options options = {.deadline = s->options->deadline, .calls = true};
    a->column = &s->columns[column];
    a->cases = parity_alloc((s->ncases + 1) * sizeof *a->cases);
    for (size_t i = 0; i < s->ncases; i++)
        if (ended_by_itself(&s->runs[i * s->nlive + column]))
            a->cases[a->count++] = s->cases[i];
    a->runs = parity_alloc((a->count + 1) * sizeof *a->runs);
    return parity_run_cases(a->runs, a->cases, a->count, a->column, 1, &s->paths,
                            &options, error);
}

static void again_clear(again *a)
{
    for (size_t i = 0; i < a->count; i++)
        parity_run_clear(&a->runs[i]);
    free(a->runs);
    free(a->cases);
}

static bool was_run(const session *s, const char *case_id)
{
    for (size_t i = 0; i < s->ncases; i++)
        if (strcmp(s->cases[i]->id, case_id) == 0)
            return true;
    return false;
}

static const parity_case *case_of(const session *s, const char *id)
{
    for (size_t i = 0; i < s->suite.ncases; i++)
        if (strcmp(s->suite.cases[i].id, id) == 0)
            return &s->suite.cases[i];
    return NULL;
}

static void add(parity_traces *to, const parity_trace *trace)
{
    PARITY_GROW(to->traces, to->ntraces, to->capacity);
    to->traces[to->ntraces++] = *trace;
}

/* Those of other columns, and of cases that still exist and did not run now. */
static void add_old(parity_traces *to, const again *a, const parity_traces *old)
{
    for (size_t i = 0; i < old->ntraces; i++) {
        const parity_trace *trace = &old->traces[i];
        bool mine = strcmp(trace->column, a->column->id) == 0;
        if (case_of(a->session, trace->case_id) &&
            !(mine && was_run(a->session, trace->case_id)))
            add(to, trace);
    }
}

static void add_new(parity_traces *to, const again *a, const char *file)
{
    for (size_t i = 0; i < a->count; i++) {
        if (strcmp(a->cases[i]->file, file) != 0 || !a->runs[i].calls)
            continue;
        add(to, &(parity_trace){.case_id = a->cases[i]->id,
                                .column = a->column->id,
                                .text_hash =
                                    a->cases[i]->text_hash[a->column->engine->language],
                                .text = a->runs[i].calls});
    }
}

static int by_case_then_column(const void *a, const void *b)
{
    const parity_trace *x = a, *y = b;
    int order = strcmp(x->case_id, y->case_id);
    return order ? order : strcmp(x->column, y->column);
}

static void print(parity_buffer *out, const parity_traces *traces)
{
    parity_traces_header(out);
    for (size_t i = 0; i < traces->ntraces; i++)
        parity_trace_print(out, &traces->traces[i]);
}

/* 1 if the file changes, 0 if not, -1 on error. */
static int bless_file(const again *a, const char *file, bool only_check,
                      parity_error *error)
{
    char *path = parity_traces_path(file);
    parity_traces old = {0}, made = {0};
    int status = parity_traces_read(&old, path, error);
    if (status == 0) {
        parity_buffer before = {0}, after = {0};
        add_old(&made, a, &old);
        add_new(&made, a, file);
        if (made.ntraces)
            qsort(made.traces, made.ntraces, sizeof *made.traces, by_case_then_column);
        print(&before, &old);
        print(&after, &made);
        status = strcmp(before.data, after.data) != 0;
        if (status)
            printf("%s\n", path);
        if (status && !only_check && output_write(path, after.data, after.length, error))
            status = -1;
        parity_buffer_free(&before);
        parity_buffer_free(&after);
    }
    parity_traces_free(&made);
    parity_traces_free(&old);
    free(path);
    return status;
}

int bless_traces(const session *s, bool only_check, size_t *changed, parity_error *error)
{
    for (size_t c = 0; c < s->nlive; c++) {
        if (!s->columns[c].engine->calls)
            continue;
        again a = {.session = s};
        int status = ask(&a, c, error);
        for (size_t i = 0; status >= 0 && i < s->ncases; i++) {
            if (i > 0 && strcmp(s->cases[i]->file, s->cases[i - 1]->file) == 0)
                continue;
            status = bless_file(&a, s->cases[i]->file, only_check, error);
            *changed += status == 1;
        }
        again_clear(&a);
        if (status < 0)
            return -1;
    }
    return 0;
}
