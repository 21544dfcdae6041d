/* parity check: validate case files and records without executing anything. */
#include "harness/base/memory.h"
#include "harness/cli/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records beside the selected case files; each file once. Returns how many are bad. */
static size_t check_records(const session *s)
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
        size_t bad = check_records(&s);
        code = s.suite.nproblems || bad ? CLI_USAGE : CLI_OK;
        printf("%zu cases, %zu problems\n", s.ncases, s.suite.nproblems + bad);
    }
    session_close(&s);
    return code;
}

extern const cli_command cli_check;
const cli_command cli_check = {
    .name = "check",
    .arguments = "[CASE|GLOB|FILE.yaml ...]",
    .about = "Validate case files and records; executes nothing",
    .options = "--cases",
    .run = run,
};
