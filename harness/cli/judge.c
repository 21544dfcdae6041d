/* From runs and records to the finished result. */
#include "harness/base/memory.h"
#include "harness/cli/session.h"
#include "harness/compare/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static parity_record_file *record_of(session *s, const parity_case *test,
                                     parity_error *error)
{
    for (size_t i = s->nrecords; i-- > 0;)
        if (strcmp(s->records[i].case_file, test->file) == 0)
            return &s->records[i].file;
    PARITY_GROW(s->records, s->nrecords, s->record_capacity);
    session_record *record = &s->records[s->nrecords];
    *record = (session_record){.case_file = test->file};
    char *path = parity_record_path(test->file);
    int status = parity_record_read(&record->file, path, error);
    free(path);
    if (status)
        return NULL;
    s->nrecords++;
    return &record->file;
}

/* A column that only a record can fill: found by its id, "candle@0.11.0/metal". */
static size_t recorded_column(session *s, size_t *capacity, const parity_recorded *block)
{
    for (size_t i = 0; i < s->ncolumns; i++)
        if (strcmp(s->columns[i].id, block->column) == 0)
            return s->columns[i].absent || s->columns[i].recorded ? i : PARITY_NONE;
    const char *at = strchr(block->column, '@'), *slash = strrchr(block->column, '/');
    if (!at || !slash || slash < at)
        return PARITY_NONE;
    char *name =
        parity_arena_strndup(s->arena, block->column, (size_t)(at - block->column));
    const parity_engine *engine = parity_engine_find(name);
    if (!engine || !engine->judge)
        return PARITY_NONE;
    if (s->ncolumns == *capacity) {
        *capacity = *capacity ? 2 * *capacity : s->ncolumns + 8;
        s->columns = parity_realloc(s->columns, *capacity * sizeof *s->columns);
    }
    s->columns[s->ncolumns] = (parity_column){
        .engine = engine,
        .id = parity_arena_strdup(s->arena, block->column),
        .version = parity_arena_strndup(s->arena, at + 1, (size_t)(slash - at - 1)),
        .device = parity_arena_strdup(s->arena, slash + 1),
        .recorded = true,
        .provenance = block->provenance,
        .nprovenance = block->nprovenance,
    };
    return s->ncolumns++;
}

/* Recorded columns stand in for judges that did not run. They are shown when nothing was
 * asked for in particular; with --column they are only compared with. */
static int add_recorded_columns(session *s, parity_error *error)
{
    size_t capacity = 0;
    for (size_t i = 0; i < s->ncases; i++) {
        parity_record_file *file = record_of(s, s->cases[i], error);
        if (!file)
            return -1;
        for (size_t b = 0; b < file->nblocks; b++) {
            size_t column = recorded_column(s, &capacity, &file->blocks[b]);
            if (column == PARITY_NONE)
                continue;
            s->columns[column].recorded = true;
            if (column >= s->nlive)
                s->columns[column].background = s->options->columns.count > 0;
            else if (!s->columns[column].nprovenance) {
                s->columns[column].provenance = file->blocks[b].provenance;
                s->columns[column].nprovenance = file->blocks[b].nprovenance;
            }
        }
    }
    return 0;
}

static parity_run stale_run(const session *s, const char *column)
{
    parity_run run = {0};
    (void)s;
    parity_buffer text = {0};
    parity_buffer_printf(&text,
                         "the record of %s was made from other case text; accept new "
                         "outcomes with parity bless",
                         column);
    run.end.kind = PARITY_ABSENT;
    run.end.text = parity_arena_strdup(s->arena, text.data);
    parity_buffer_free(&text);
    return run;
}

/* The run of one case in one column: live, or what the record says. Shallow. */
static parity_run run_of(const session *s, size_t test, size_t column,
                         const parity_recorded *const *blocks, size_t nblocks)
{
    const parity_case *c = s->cases[test];
    parity_language language = s->columns[column].engine->language;
    if (s->columns[column].recorded) {
        for (size_t b = 0; b < nblocks; b++)
            if (strcmp(blocks[b]->column, s->columns[column].id) == 0)
                return blocks[b]->text_hash == c->text_hash[language]
                           ? blocks[b]->run
                           : stale_run(s, s->columns[column].id);
    }
    if (column < s->nlive)
        return s->runs[test * s->nlive + column];
    parity_run none = {0};
    none.end.kind = PARITY_ABSENT;
    none.end.text = parity_arena_strdup(
        s->arena, c->program[language].text
                      ? "no record of this case; parity bless or parity record makes one"
                      : "the case has no program for it");
    return none;
}

static int judge_case(session *s, size_t index, parity_error *error)
{
    const parity_case *test = s->cases[index];
    parity_record_file *file = record_of(s, test, error);
    if (!file)
        return -1;
    const parity_recorded **blocks = parity_alloc((file->nblocks + 1) * sizeof *blocks);
    size_t nblocks = 0;
    for (size_t b = 0; b < file->nblocks; b++)
        if (strcmp(file->blocks[b].case_id, test->id) == 0)
            blocks[nblocks++] = &file->blocks[b];
    parity_case_result *one = &s->result.cases[index];
    one->test = test;
    one->runs = parity_alloc(s->ncolumns * sizeof *one->runs);
    for (size_t c = 0; c < s->ncolumns; c++)
        one->runs[c] = run_of(s, index, c, blocks, nblocks);
    parity_judge(one, s->columns, s->ncolumns, s->snippet ? NULL : blocks, nblocks);
    free(blocks);
    return 0;
}

/* Keeps what a command that runs a case again must repeat to find the case and column. */
static void tell_arguments(session *s)
{
    const cli_list *engines = &s->options->engines;
    const char **words =
        parity_arena_alloc(s->arena, (2 * engines->count + 2) * sizeof *words);
    size_t count = 0;
    if (s->options->cases) {
        words[count++] = "--cases";
        words[count++] = s->options->cases;
    }
    for (size_t i = 0; i < engines->count; i++) {
        words[count++] = "--engine";
        words[count++] = engines->items[i];
    }
    s->result.arguments = words;
    s->result.narguments = count;
}

int session_judge(session *s, parity_error *error)
{
    if (add_recorded_columns(s, error))
        return -1;
    s->named = parity_alloc(s->ncolumns * sizeof *s->named);
    for (size_t c = 0; c < s->nlive; c++)
        s->named[c] = s->options->columns.count > 0 || c + s->nexternal >= s->nlive;
    s->result.columns = s->columns;
    s->result.ncolumns = s->ncolumns;
    s->result.cases = parity_alloc(s->ncases * sizeof *s->result.cases);
    for (size_t i = 0; i < s->ncases; i++) {
        if (judge_case(s, i, error))
            return -1;
        s->result.ncases++;
    }
    tell_arguments(s);
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    s->result.seconds = (double)t.tv_sec + (double)t.tv_nsec * 1e-9 - s->started;
    char *started = parity_arena_alloc(s->arena, 32);
    time_t wall = time(NULL) - (time_t)s->result.seconds;
    struct tm utc;
    gmtime_r(&wall, &utc);
    strftime(started, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
    s->result.started = started;
    return 0;
}
