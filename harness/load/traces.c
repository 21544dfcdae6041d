#include "harness/load/traces.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT ((size_t)256 << 20)
static const char first_line[] = "parity trace 1\n";

char *parity_traces_path(const char *case_file)
{
    size_t length = strlen(case_file);
    parity_buffer path = {0};
    if (length > 5 && strcmp(case_file + length - 5, ".yaml") == 0)
        length -= 5;
    parity_buffer_add(&path, case_file, length);
    parity_buffer_text(&path, ".trace");
    return parity_buffer_take(&path);
}

void parity_traces_header(parity_buffer *out)
{
    parity_buffer_text(out, first_line);
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; (text = strchr(text, '\n')) != NULL; text++)
        count++;
    return count;
}

void parity_trace_print(parity_buffer *out, const parity_trace *trace)
{
    parity_buffer_printf(out, "\ncase %s\ncolumn %s\ntext %016llx\nlines %zu\n",
                         trace->case_id, trace->column,
                         (unsigned long long)trace->text_hash, count_lines(trace->text));
    parity_buffer_text(out, trace->text);
}

/* A text that is read line by line. */
typedef struct reader {
    const char *path;
    const char *at;
    int line;
    parity_arena *arena;
    parity_error *error;
} reader;

static int fail(const reader *r, const char *what)
{
    return parity_fail_at(r->error, r->path, (parity_pos){r->line, 1}, "%s", what);
}

/* Takes "KEY rest of the line". */
static int take(reader *r, const char *key, const char **rest)
{
    size_t length = strlen(key), line = strcspn(r->at, "\n");
    if (strncmp(r->at, key, length) != 0 || r->at[length] != ' ' || line <= length + 1 ||
        r->at[line] != '\n')
        return parity_fail_at(r->error, r->path, (parity_pos){r->line, 1},
                              "a line `%s …` is missing here", key);
    *rest = parity_arena_strndup(r->arena, r->at + length + 1, line - length - 1);
    r->at += line + 1;
    r->line++;
    return 0;
}

static int take_text(reader *r, parity_trace *trace)
{
    const char *digits, *start;
    char *end;
    if (take(r, "lines", &digits) != 0)
        return -1;
    unsigned long count = strtoul(digits, &end, 10);
    if (*end != '\0')
        return fail(r, "`lines` takes a number");
    for (start = r->at; count > 0; count--) {
        const char *line = strchr(r->at, '\n');
        if (line == NULL)
            return fail(r, "the file is cut");
        r->at = line + 1;
        r->line++;
    }
    trace->text = parity_arena_strndup(r->arena, start, (size_t)(r->at - start));
    return 0;
}

static int take_block(reader *r, parity_traces *file)
{
    const char *hash;
    char *end;
    PARITY_GROW(file->traces, file->ntraces, file->capacity);
    parity_trace *trace = &file->traces[file->ntraces];
    *trace = (parity_trace){0};
    if (take(r, "case", &trace->case_id) != 0 || take(r, "column", &trace->column) != 0 ||
        take(r, "text", &hash) != 0)
        return -1;
    trace->text_hash = strtoull(hash, &end, 16);
    if (*end != '\0' || strlen(hash) != 16)
        return fail(r, "a hash has 16 hex digits");
    if (parity_traces_find(file, trace->case_id, trace->column))
        return fail(r, "the case is there twice for this column");
    if (take_text(r, trace) != 0)
        return -1;
    file->ntraces++;
    return 0;
}

int parity_traces_parse(parity_traces *file, const char *path, const char *text,
                        size_t length, parity_error *error)
{
    *file = (parity_traces){.arena = parity_arena_new()};
    char *copy = parity_strndup(text, length);
    reader r = {path, copy, 1, file->arena, error};
    int status = 0;
    if (strncmp(copy, first_line, strlen(first_line)) != 0)
        status = fail(&r, "the first line must be `parity trace 1`; record it again "
                          "with parity bless");
    else
        r.at += strlen(first_line), r.line++;
    while (status == 0 && *r.at != '\0') {
        if (*r.at == '\n')
            r.at++, r.line++;
        else
            status = take_block(&r, file);
    }
    if (status == 0 && r.at != copy + length)
        status = fail(&r, "a NUL byte; the file is damaged");
    free(copy);
    if (status != 0)
        parity_traces_free(file);
    return status;
}

int parity_traces_read(parity_traces *file, const char *path, parity_error *error)
{
    char block[1 << 14];
    size_t count;
    parity_buffer text = {0};
    *file = (parity_traces){0};
    FILE *in = fopen(path, "re");
    if (in == NULL && errno == ENOENT)
        return 0;
    if (in == NULL)
        return parity_fail_at(error, path, (parity_pos){0, 0}, "cannot be opened: %s",
                              strerror(errno));
    while (text.length <= FILE_LIMIT && (count = fread(block, 1, sizeof block, in)) > 0)
        parity_buffer_add(&text, block, count);
    int status = 0;
    if (ferror(in) || text.length > FILE_LIMIT)
        status = parity_fail_at(error, path, (parity_pos){0, 0},
                                "cannot be read, or is larger than 256 MiB");
    fclose(in);
    if (status == 0)
        status = parity_traces_parse(file, path, text.data ? text.data : "", text.length,
                                     error);
    parity_buffer_free(&text);
    return status;
}

void parity_traces_free(parity_traces *file)
{
    free(file->traces);
    parity_arena_free(file->arena);
    *file = (parity_traces){0};
}

const parity_trace *parity_traces_find(const parity_traces *file, const char *case_id,
                                       const char *column)
{
    for (size_t i = 0; i < file->ntraces; i++)
        if (strcmp(file->traces[i].case_id, case_id) == 0 &&
            strcmp(file->traces[i].column, column) == 0)
            return &file->traces[i];
    return NULL;
}
