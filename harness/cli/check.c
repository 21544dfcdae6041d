/* parity check: validate case files and records without executing anything. */
#include "harness/base/memory.h"
#include "harness/cli/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const parity_case *find_case(const session *s, const char *id)
{
    for (size_t i = 0; i < s->suite.ncases; i++)
        if (strcmp(s->suite.cases[i].id, id) == 0)
            return &s->suite.cases[i];
    return NULL;
}

/* A block of a record that says nothing about the case as it stands. Returns how many. */
static size_t check_blocks(const session *s, const parity_record_file *record,
                           const char *path)
{
    size_t stale = 0;
    for (size_t i = 0; i < record->nblocks; i++) {
        const parity_recorded *block = &record->blocks[i];
        const parity_case *test = find_case(s, block->case_id);
        if (test && test->text_hash[block->language] == block->text_hash)
            continue;
        if (test)
            printf("%s:%d: the record of %s in %s was made from other case text; accept "
                   "new outcomes with parity bless '%s'\n",
                   path, block->line, block->case_id, block->column, block->case_id);
        else
            printf("%s:%d: there is no case %s any more; parity bless removes its "
                   "record\n",
                   path, block->line, block->case_id);
        stale++;
    }
    return stale;
}

/* Records beside the selected case files; each file once. Returns how many are bad. */
static size_t check_records(const session *s, size_t *stale)
{
    size_t bad = 0;
    for (size_t i = 0; i < s->ncases; i++) {
        if (i > 0 && strcmp(s->cases[i]->file, s->cases[i - 1]->file) == 0)
            continue;
        parity_error error = {0};
        parity_record_file record = {0};
        char *path = parity_record_path(s->cases[i]->file);
        if (parity_record_read(&record, path, &error)) {
            session_complain(&error);
            bad++;
        } else {
            *stale += check_blocks(s, &record, path);
        }
        parity_record_free(&record);
        free(path);
    }
    return bad;
}

static int run(const cli_options *options)
{
    parity_error error = {0};
    session s;
    int code;
    if (session_open(&s, options, &error)) {
        code = session_complain(&error);
    } else if ((code = session_select(&s)) == 0) {
        size_t stale = 0, bad = check_records(&s, &stale);
        code = s.suite.nproblems || bad ? CLI_USAGE : stale ? CLI_BROKEN : CLI_OK;
        size_t problems = s.suite.nproblems + bad;
        printf("%zu case%s, %zu problem%s", s.ncases, cli_plural(s.ncases), problems,
               cli_plural(problems));
        if (stale)
            printf(", %zu record%s out of date", stale, cli_plural(stale));
        printf("\n");
    }
    session_close(&s);
    return code;
}

extern const cli_command cli_check;
const cli_command cli_check = {
    .name = "check",
    .arguments = "[CASE|GLOB|FILE.yaml ...]",
    .about = "Validate case files and their records; executes nothing",
    .options = "--cases",
    .run = run,
};
