/* The row of the core: one column a device. */
#include "backends/columns.h"
#include "backends/lang/lang.h"
#include "harness/base/buffer.h"
#include "harness/run/run.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

extern const parity_engine parity_engine_core;

static const char *platform(parity_arena *arena)
{
    struct utsname name;
    parity_buffer text = {0};
    if (uname(&name) != 0)
        return "unknown";
    for (char *p = name.sysname; *p; p++)
        *p = (char)(*p >= 'A' && *p <= 'Z' ? *p | 0x20 : *p);
    parity_buffer_printf(&text, "%s %s", name.sysname, name.machine);
    const char *copy = parity_arena_strdup(arena, text.data);
    parity_buffer_free(&text);
    return copy;
}

static int columns(parity_column **columns, size_t *count, const parity_paths *paths,
                   parity_arena *arena, parity_error *error)
{
    (void)paths, (void)error;
    for (size_t i = 0; i < sizeof core_columns / sizeof *core_columns; i++) {
        *columns = parity_realloc(*columns, (*count + 1) * sizeof **columns);
        parity_provenance *facts = parity_arena_alloc(arena, 2 * sizeof *facts);
        facts[0] = (parity_provenance){"semantics", "candle 0.11.0"};
        facts[1] = (parity_provenance){"platform", platform(arena)};
        parity_buffer id = {0};
        parity_buffer_printf(&id, "core/%s", core_columns[i].name);
        (*columns)[(*count)++] = (parity_column){
            .engine = &parity_engine_core,
            .id = parity_arena_strdup(arena, id.data),
            .device = core_columns[i].name,
            .absent = core_columns[i].absent,
            .provenance = facts,
            .nprovenance = 2,
        };
        parity_buffer_free(&id);
    }
    return 0;
}

static int worker(parity_worker *worker, const parity_column *column,
                  const parity_paths *paths, parity_arena *arena, parity_error *error)
{
    parity_buffer path = {0};
    (void)column, (void)error;
    parity_buffer_printf(&path, "%s/backends/parity-core-worker", paths->build);
    worker->argv = parity_arena_alloc(arena, 2 * sizeof *worker->argv);
    worker->argv[0] = parity_arena_strdup(arena, path.data);
    parity_buffer_free(&path);
    return 0;
}

/* Processor time of this thread: a breakpoint does not count, and the core never waits.
 */
static double used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool overdue(void *until)
{
    return used() > *(const double *)until;
}

static int in_process(struct parity_run *run, const parity_case *test, const char *device,
                      parity_error *error)
{
    (void)error;
    const char **texts = parity_alloc((run->nobserved + 1) * sizeof *texts);
    for (size_t i = 0; i < run->nobserved; i++)
        texts[i] = test->observe[PARITY_CANDLE][i].text;
    /* Nobody can kill it here, so it gets at once what a hang is confirmed with. */
    double deadline = test->timeout > 0 ? test->timeout : PARITY_DEADLINE;
    double until = used() + PARITY_SECOND_CHANCE * deadline;
    lang_request request = {
        .program = test->program[PARITY_CANDLE].text,
        .device = device,
        .observe = texts,
        .nobserve = run->nobserved,
        .data = test->data,
        .ndata = test->ndata,
        .cancelled = overdue,
        .context = &until,
    };
    parity_outcome_clear(&run->end);
    if (!lang_run(&request, &run->end, run->observed)) {
        parity_outcome_clear(&run->end);
        run->end.kind = PARITY_HANG;
        run->end.text = parity_strdup("it runs on and on");
    }
    free(texts);
    return 0;
}

const parity_engine parity_engine_core = {
    .name = "core",
    .about = "Our C tensor core with candle 0.11.0's semantics, and an interpreter of "
             "the candle "
             "text",
    .language = PARITY_CANDLE,
    .columns = columns,
    .worker = worker,
    .in_process = in_process,
};
