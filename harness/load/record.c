/* Record files: blocks of outcomes. */
#include "harness/load/record_text.h"
#include "harness/base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RECORD_LIMIT ((size_t)256 << 20)
enum { OBSERVED = 1 << 20, PROVENANCE = 100 };

char *parity_record_path(const char *case_file)
{
    size_t length = strlen(case_file);
    if (length > 5 && strcmp(case_file + length - 5, ".yaml") == 0)
        length -= 5;
    parity_buffer path = {0};
    parity_buffer_add(&path, case_file, length);
    parity_buffer_text(&path, ".out");
    return parity_buffer_take(&path);
}

/* Moves to the next line; the rest of this one must be blank, or a comment. */
static int end_line(parity_cursor *c)
{
    parity_cursor_blanks(c);
    if (*c->at == '#')
        c->at += strcspn(c->at, "\n");
    if (*c->at == '\0')
        return 0;
    if (*c->at != '\n')
        return parity_cursor_fail(c, "nothing more is expected in this line");
    c->line = ++c->at;
    c->number++;
    return 0;
}

/* Passes empty lines and comments; false at the end of the text. */
static bool skip_blank_lines(parity_cursor *c)
{
    while (*c->at == '\n' || *c->at == '#') {
        c->at += strcspn(c->at, "\n");
        if (*c->at == '\n') {
            c->line = ++c->at;
            c->number++;
        }
    }
    return *c->at != '\0';
}

/* "key rest of the line": the rest, in the arena. */
static int line_text(parity_cursor *c, parity_arena *arena, const char *key,
                     const char **out)
{
    if (!parity_cursor_take(c, key) || !parity_cursor_take(c, " "))
        return parity_cursor_fail(c, "a line `%s …` is missing here", key);
    size_t length = strcspn(c->at, "\n");
    while (length > 0 && c->at[length - 1] == ' ')
        length--;
    if (length == 0)
        return parity_cursor_fail(c, "`%s` is empty", key);
    *out = parity_arena_strndup(arena, c->at, length);
    c->at += length;
    return end_line(c);
}

static int text_line(parity_cursor *c, parity_recorded *block)
{
    if (!parity_cursor_take(c, "text "))
        return parity_cursor_fail(c, "a line `text LANGUAGE HASH` is missing here");
    if (parity_cursor_take(c, "torch "))
        block->language = PARITY_TORCH;
    else if (parity_cursor_take(c, "candle "))
        block->language = PARITY_CANDLE;
    else
        return parity_cursor_fail(c, "torch or candle is missing here");
    if (strspn(c->at, "0123456789abcdef") != 16)
        return parity_cursor_fail(c, "a hash has 16 hex digits");
    block->text_hash = strtoull(c->at, NULL, 16);
    c->at += 16;
    return end_line(c);
}

static int provenance_lines(parity_cursor *c, parity_arena *arena, parity_recorded *block)
{
    block->provenance = parity_arena_alloc(arena, PROVENANCE * sizeof *block->provenance);
    while (parity_cursor_take(c, "with ")) {
        if (block->nprovenance == PROVENANCE)
            return parity_cursor_fail(c, "more than %d facts of provenance", PROVENANCE);
        char name[256];
        char *quoted = NULL;
        char *text = NULL;
        int code = *c->at == '"' ? parity_cursor_string(c, &quoted)
                                 : parity_cursor_word(c, name, sizeof name);
        if (code == 0 && !parity_cursor_take(c, " "))
            code = parity_cursor_fail(c, "a name and a text are missing here");
        if (code == 0)
            code = parity_cursor_string(c, &text);
        parity_provenance *to = &block->provenance[block->nprovenance++];
        to->name = parity_arena_strdup(arena, quoted != NULL ? quoted : name);
        to->text = parity_arena_strdup(arena, text != NULL ? text : "");
        free(quoted);
        free(text);
        if (code != 0 || end_line(c) != 0)
            return -1;
    }
    return 0;
}

/* Lines `  | text` behind the outcome of a refused program. */
static int detail_lines(parity_cursor *c, parity_outcome *outcome)
{
    parity_buffer detail = {0};
    bool any = false;
    while (parity_cursor_take(c, "  |")) {
        if (any)
            parity_buffer_char(&detail, '\n');
        any = true;
        parity_cursor_take(c, " ");
        char *text = parity_cursor_unescape(c, c->at + strcspn(c->at, "\n"));
        if (text == NULL) {
            parity_buffer_free(&detail);
            return -1;
        }
        parity_buffer_text(&detail, text);
        free(text);
        if (*c->at == '\n') {
            c->line = ++c->at;
            c->number++;
        }
    }
    outcome->detail = any ? parity_buffer_take(&detail) : NULL;
    return 0;
}

static int outcome_line(parity_cursor *c, parity_outcome *out)
{
    if (parity_cursor_outcome(c, out) != 0 || end_line(c) != 0)
        return -1;
    return detail_lines(c, out);
}

static int observed_count(parity_cursor *c, size_t *out)
{
    if (!parity_cursor_take(c, "observed "))
        return parity_cursor_fail(c, "a line `observed COUNT` is missing here");
    size_t digits = strspn(c->at, "0123456789");
    unsigned long count =
        digits > 0 && digits < 8 ? strtoul(c->at, NULL, 10) : OBSERVED + 1;
    if (count > OBSERVED)
        return parity_cursor_fail(c, "a count from 0 to %d is missing here", OBSERVED);
    c->at += digits;
    *out = count;
    return end_line(c);
}

static int observed_lines(parity_cursor *c, parity_arena *arena, parity_recorded *block)
{
    size_t count = 0;
    size_t capacity = 0;
    if (observed_count(c, &count) != 0)
        return -1;
    block->labels = parity_arena_alloc(arena, (count + 1) * sizeof *block->labels);
    while (block->run.nobserved < count) {
        if (!parity_cursor_take(c, "  "))
            return parity_cursor_fail(c, "only %zu of %zu observations; the file is cut",
                                      block->run.nobserved, count);
        parity_cursor_blanks(c);
        size_t length = strcspn(c->at, " \n");
        if (length == 0)
            return parity_cursor_fail(c, "a label is missing here");
        size_t i = block->run.nobserved++;
        PARITY_GROW(block->run.observed, i, capacity);
        block->run.observed[i] = (parity_outcome){0};
        block->labels[i] = parity_arena_strndup(arena, c->at, length);
        c->at += length;
        parity_cursor_blanks(c);
        if (outcome_line(c, &block->run.observed[i]) != 0)
            return -1;
    }
    return 0;
}

static int same_block(parity_cursor *c, const parity_record_file *record)
{
    const parity_recorded *last = &record->blocks[record->nblocks - 1];
    for (const parity_recorded *b = record->blocks; b < last; b++)
        if (strcmp(b->case_id, last->case_id) == 0 &&
            strcmp(b->column, last->column) == 0)
            return parity_cursor_fail(
                c, "%s is recorded twice for %s; the first is in line %d", b->case_id,
                b->column, b->line);
    return 0;
}

static int parse_block(parity_cursor *c, parity_record_file *record)
{
    PARITY_GROW(record->blocks, record->nblocks, record->capacity);
    parity_recorded *block = &record->blocks[record->nblocks++];
    *block = (parity_recorded){.line = c->number, .case_id = "", .column = ""};
    if (line_text(c, record->arena, "case", &block->case_id) != 0 ||
        line_text(c, record->arena, "column", &block->column) != 0 ||
        same_block(c, record) != 0 || text_line(c, block) != 0 ||
        provenance_lines(c, record->arena, block) != 0)
        return -1;
    if (!parity_cursor_take(c, "ends "))
        return parity_cursor_fail(c, "a line `ends …` is missing here");
    if (outcome_line(c, &block->run.end) != 0)
        return -1;
    block->run.ran = block->run.end.kind != PARITY_ABSENT;
    return observed_lines(c, record->arena, block);
}

static int parse_version(parity_cursor *c)
{
    if (!parity_cursor_take(c, "parity record "))
        return parity_cursor_fail(
            c, "this is no record: the first line must be `parity record %d`",
            PARITY_RECORD_VERSION);
    if (!parity_cursor_take(c, "1\n"))
        return parity_cursor_fail(
            c, "this record has another version than %d; record it again",
            PARITY_RECORD_VERSION);
    c->line = c->at;
    c->number++;
    return 0;
}

int parity_record_parse(parity_record_file *record, const char *path, const char *text,
                        size_t length, parity_error *error)
{
    *record = (parity_record_file){.arena = parity_arena_new()};
    char *copy = parity_strndup(text, length);
    parity_cursor c = {.file = path, .text = copy, .at = copy, .line = copy, .number = 1};
    c.error = error;
    int code = parse_version(&c);
    while (code == 0 && skip_blank_lines(&c))
        code = parse_block(&c, record);
    if (code == 0 && c.at != copy + length)
        code = parity_cursor_fail(&c, "a NUL byte; the file is damaged");
    free(copy);
    if (code != 0)
        parity_record_free(record);
    return code;
}

static int read_all(parity_buffer *out, FILE *file, const char *path, parity_error *error)
{
    struct stat st;
    if (fstat(fileno(file), &st) != 0 || !S_ISREG(st.st_mode))
        return parity_fail_at(error, path, (parity_pos){0, 0}, "is not a regular file");
    char block[1 << 14];
    size_t n = 0;
    while (out->length <= RECORD_LIMIT && (n = fread(block, 1, sizeof block, file)) > 0)
        parity_buffer_add(out, block, n);
    if (ferror(file))
        return parity_fail_at(error, path, (parity_pos){0, 0}, "cannot be read: %s",
                              strerror(errno));
    if (out->length > RECORD_LIMIT)
        return parity_fail_at(error, path, (parity_pos){0, 0}, "is larger than 256 MiB");
    return 0;
}

int parity_record_read(parity_record_file *record, const char *path, parity_error *error)
{
    *record = (parity_record_file){0};
    FILE *file = fopen(path, "re");
    if (file == NULL && errno == ENOENT)
        return 0;
    if (file == NULL)
        return parity_fail_at(error, path, (parity_pos){0, 0}, "cannot be opened: %s",
                              strerror(errno));
    parity_buffer text = {0};
    int code = read_all(&text, file, path, error);
    fclose(file);
    if (code == 0)
        code = parity_record_parse(record, path, text.data != NULL ? text.data : "",
                                   text.length, error);
    parity_buffer_free(&text);
    return code;
}

void parity_record_free(parity_record_file *record)
{
    for (size_t i = 0; i < record->nblocks; i++) {
        parity_run *run = &record->blocks[i].run;
        parity_outcome_clear(&run->end);
        for (size_t j = 0; j < run->nobserved; j++)
            parity_outcome_clear(&run->observed[j]);
        free(run->observed);
    }
    free(record->blocks);
    parity_arena_free(record->arena);
    *record = (parity_record_file){0};
}
