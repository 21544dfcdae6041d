/* parity bless: run the judges, show what changes in the records, and accept it. */
#include "harness/base/memory.h"
#include "harness/cli/bless_trace.h"
#include "harness/cli/output.h"
#include "harness/cli/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block of the new record file: its text is from a run, or kept from the old file. */
typedef struct block {
    const char *case_id;
    const char *column;
    char *text;
} block;

typedef struct blocks {
    block *items;
    size_t count;
    size_t capacity;
} blocks;

static void blocks_free(blocks *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].text);
    free(all->items);
}

/* Only outcomes worth replaying are written down: an absent column has none, and a worker
 * that broke the protocol or an engine that does not support something says nothing about
 * the library. */
static bool worth_recording(const parity_column *column, const parity_run *run)
{
    return column->engine->judge && !column->absent && run->ran &&
           !run->protocol_broken && run->end.kind != PARITY_ABSENT &&
           run->end.kind != PARITY_UNSUPPORTED;
}

static void add_live(const session *s, const char *file, blocks *all)
{
    for (size_t i = 0; i < s->ncases; i++) {
        if (strcmp(s->cases[i]->file, file) != 0)
            continue;
        for (size_t c = 0; c < s->nlive; c++) {
            const parity_run *run = &s->runs[i * s->nlive + c];
            if (!worth_recording(&s->columns[c], run))
                continue;
            /* Where a hang was when its time ran out differs from run to run. */
            parity_run steady = *run;
            if (steady.end.kind == PARITY_HANG) {
                steady.end.text = NULL;
                steady.end.pos = (parity_pos){0, 0};
            }
            parity_buffer text = {0};
            parity_record_print(&text, s->cases[i], &s->columns[c], &steady);
            PARITY_GROW(all->items, all->count, all->capacity);
            all->items[all->count++] =
                (block){s->cases[i]->id, s->columns[c].id, parity_buffer_take(&text)};
        }
    }
}

static const parity_case *case_of(const session *s, const char *id)
{
    for (size_t i = 0; i < s->suite.ncases; i++)
        if (strcmp(s->suite.cases[i].id, id) == 0)
            return &s->suite.cases[i];
    return NULL;
}

static bool has(const blocks *all, const char *case_id, const char *column)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].case_id, case_id) == 0 &&
            strcmp(all->items[i].column, column) == 0)
            return true;
    return false;
}

/* Blocks of cases or columns that did not run now stay, as long as their case still
 * exists. */
static void keep_old(const session *s, const parity_record_file *old, blocks *all)
{
    for (size_t b = 0; b < old->nblocks; b++) {
        const parity_recorded *r = &old->blocks[b];
        const parity_case *test = case_of(s, r->case_id);
        const parity_engine *engine = NULL;
        char *name = parity_strndup(r->column, strcspn(r->column, "@/"));
        engine = parity_engine_find(name);
        free(name);
        if (!test || !engine || has(all, r->case_id, r->column))
            continue;
        parity_buffer text = {0};
        parity_recorded_print(&text, r);
        PARITY_GROW(all->items, all->count, all->capacity);
        all->items[all->count++] =
            (block){r->case_id, r->column, parity_buffer_take(&text)};
    }
}

static int by_case_then_column(const void *a, const void *b)
{
    const block *x = a, *y = b;
    int order = strcmp(x->case_id, y->case_id);
    return order ? order : strcmp(x->column, y->column);
}

/* Lines that are only on one side, in order: enough for records, whose lines are unique.
 */
static size_t print_lines_missing_in(const char *text, const char *other, char mark)
{
    size_t count = 0;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        bool found = false;
        for (const char *o = other; *o && !found;) {
            size_t olength = strcspn(o, "\n");
            found = olength == length && memcmp(o, line, length) == 0;
            o += olength + (o[olength] == '\n');
        }
        if (!found) {
            printf("%c %.*s\n", mark, (int)length, line);
            count++;
        }
        line += length + (line[length] == '\n');
    }
    return count;
}

static char *old_text(const char *path)
{
    parity_buffer text = {0};
    FILE *file = fopen(path, "rb");
    char chunk[4096];
    size_t count;
    while (file && (count = fread(chunk, 1, sizeof chunk, file)) > 0)
        parity_buffer_add(&text, chunk, count);
    if (file)
        fclose(file);
    return parity_buffer_take(&text);
}

/* Returns 1 if the record of this case file changes, 0 if not, -1 on error. */
static int bless_file(const session *s, const char *file, bool only_check,
                      parity_error *error)
{
    char *path = parity_record_path(file);
    parity_record_file old = {0};
    blocks all = {0};
    int status = parity_record_read(&old, path, error);
    if (!status) {
        add_live(s, file, &all);
        keep_old(s, &old, &all);
        if (all.count)
            qsort(all.items, all.count, sizeof *all.items, by_case_then_column);
        parity_buffer text = {0};
        parity_record_header(&text);
        for (size_t i = 0; i < all.count; i++)
            parity_buffer_text(&text, all.items[i].text);
        char *before = old_text(path);
        if (all.count && strcmp(before, text.data) != 0) {
            printf("%s\n", path);
            print_lines_missing_in(before, text.data, '-');
            print_lines_missing_in(text.data, before, '+');
            status = only_check ? 1 : output_write(path, text.data, text.length, error);
            status = status ? status : 1;
        }
        free(before);
        parity_buffer_free(&text);
    }
    blocks_free(&all);
    parity_record_free(&old);
    free(path);
    return status;
}

static int bless_all(const session *s, const cli_options *options)
{
    size_t changed = 0, files = 0;
    for (size_t i = 0; i < s->ncases; i++) {
        if (i > 0 && strcmp(s->cases[i]->file, s->cases[i - 1]->file) == 0)
            continue;
        parity_error error = {0};
        int status = bless_file(s, s->cases[i]->file, options->check, &error);
        if (status < 0)
            return session_complain(&error);
        changed += (size_t)status;
        files++;
    }
    parity_error error = {0};
    if (bless_traces(s, options->check, &changed, &error) != 0)
        return session_complain(&error);
    printf("%zu files beside %zu cases %s\n", changed, files,
           options->check ? "would change" : "changed");
    return options->check && changed ? CLI_BROKEN : CLI_OK;
}

static int run(const cli_options *options)
{
    parity_error error = {0};
    session s;
    int code;
    if (session_open(&s, options, &error) || session_columns(&s, &error)) {
        code = session_complain(&error);
    } else if ((code = session_select(&s)) == 0) {
        size_t judges = 0;
        for (size_t c = 0; c < s.nlive; c++)
            if (s.columns[c].engine->judge && !s.columns[c].absent)
                s.columns[judges++] = s.columns[c];
        s.ncolumns = s.nlive = judges;
        if (!judges) {
            fprintf(stderr,
                    "parity: no judge is here (candle or PyTorch); see parity doctor\n");
            code = CLI_UNJUDGED;
        } else if (session_run(&s, &error)) {
            code = session_complain(&error);
        } else {
            code = bless_all(&s, options);
        }
    }
    session_close(&s);
    return code;
}

extern const cli_command cli_bless;
const cli_command cli_bless = {
    .name = "bless",
    .arguments = "[CASE|GLOB ...]",
    .about =
        "Accept the judges' outcomes: show what changes in the records and write them",
    .options = "--cases --column --deadline -j --check",
    .examples = "parity bless 'clone/*'         rewrites cases/clone/*.out\n"
                "parity bless --check           exit 1 if a record would change\n",
    .run = run,
};
