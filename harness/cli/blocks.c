#include "harness/cli/blocks.h"

#include "harness/base/memory.h"
#include "harness/cli/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void record_blocks_free(record_blocks *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].text);
    free(all->items);
    *all = (record_blocks){0};
}

bool record_worth(const parity_column *column, const parity_run *run)
{
    return column->engine->judge && !column->absent && run->ran &&
           !run->protocol_broken && run->end.kind != PARITY_ABSENT &&
           run->end.kind != PARITY_UNSUPPORTED;
}

static void add(record_blocks *all, const char *case_id, const char *column,
                parity_buffer *text)
{
    PARITY_GROW(all->items, all->count, all->capacity);
    all->items[all->count++] = (record_block){case_id, column, parity_buffer_take(text)};
}

void record_blocks_add_run(record_blocks *all, const parity_case *test,
                           const parity_column *column, const parity_run *run)
{
    /* Where a hang was when its time ran out differs from run to run. */
    parity_run steady = *run;
    if (steady.end.kind == PARITY_HANG) {
        steady.end.text = NULL;
        steady.end.pos = (parity_pos){0, 0};
    }
    parity_buffer text = {0};
    parity_record_print(&text, test, column, &steady);
    add(all, test->id, column->id, &text);
}

void record_blocks_add(record_blocks *all, const parity_recorded *block)
{
    parity_buffer text = {0};
    parity_recorded_print(&text, block);
    add(all, block->case_id, block->column, &text);
}

const parity_case *record_case(const session *s, const char *id)
{
    for (size_t i = 0; i < s->suite.ncases; i++)
        if (strcmp(s->suite.cases[i].id, id) == 0)
            return &s->suite.cases[i];
    return NULL;
}

const parity_engine *record_judge(const char *column)
{
    char *name = parity_strndup(column, strcspn(column, "@/"));
    const parity_engine *engine = parity_engine_find(name);
    free(name);
    return engine && engine->judge ? engine : NULL;
}

static bool has(const record_blocks *all, const parity_recorded *block)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].case_id, block->case_id) == 0 &&
            strcmp(all->items[i].column, block->column) == 0)
            return true;
    return false;
}

void record_blocks_keep(record_blocks *all, const session *s,
                        const parity_record_file *old)
{
    for (size_t b = 0; b < old->nblocks; b++) {
        const parity_recorded *block = &old->blocks[b];
        if (record_case(s, block->case_id) && record_judge(block->column) &&
            !has(all, block))
            record_blocks_add(all, block);
    }
}

static int by_case_then_column(const void *a, const void *b)
{
    const record_block *x = a, *y = b;
    int order = strcmp(x->case_id, y->case_id);
    return order ? order : strcmp(x->column, y->column);
}

void record_blocks_print(parity_buffer *out, record_blocks *all)
{
    if (all->count)
        qsort(all->items, all->count, sizeof *all->items, by_case_then_column);
    parity_record_header(out);
    for (size_t i = 0; i < all->count; i++)
        parity_buffer_text(out, all->items[i].text);
}

/* Lines that are only on one side, in order: enough for records, whose lines are unique.
 */
static void print_lines_missing_in(const char *text, const char *other, char mark)
{
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        bool found = false;
        for (const char *o = other; *o && !found;) {
            size_t olength = strcspn(o, "\n");
            found = olength == length && memcmp(o, line, length) == 0;
            o += olength + (o[olength] == '\n');
        }
        if (!found)
            printf("%c %.*s\n", mark, (int)length, line);
        line += length + (line[length] == '\n');
    }
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

static int write_changes(const char *path, record_blocks *all, bool only_check,
                         parity_error *error)
{
    int status = 0;
    parity_buffer text = {0};
    record_blocks_print(&text, all);
    char *before = old_text(path);
    if (all->count && strcmp(before, text.data) != 0) {
        printf("%s\n", path);
        print_lines_missing_in(before, text.data, '-');
        print_lines_missing_in(text.data, before, '+');
        status =
            only_check || output_write(path, text.data, text.length, error) == 0 ? 1 : -1;
    }
    free(before);
    parity_buffer_free(&text);
    return status;
}

int record_blocks_write(record_blocks *all, const session *s, const char *case_file,
                        bool only_check, parity_error *error)
{
    char *path = parity_record_path(case_file);
    parity_record_file old = {0};
    int status = parity_record_read(&old, path, error);
    if (!status) {
        record_blocks_keep(all, s, &old);
        status = write_changes(path, all, only_check, error);
        parity_record_free(&old);
    }
    free(path);
    return status;
}
