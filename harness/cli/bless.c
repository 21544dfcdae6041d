/* parity bless: run the judges, show what changes in the records, and accept it. */
#include "harness/cli/bless_trace.h"
#include "harness/cli/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns 1 if the record of this case file changes, 0 if not, -1 on error. */
static int bless_file(const session *s, const char *file, bool only_check,
                      parity_error *error)
{
    record_blocks all = {0};
    for (size_t i = 0; i < s->ncases; i++)
        for (size_t c = 0; c < s->nlive && strcmp(s->cases[i]->file, file) == 0; c++) {
            const parity_run *run = &s->runs[i * s->nlive + c];
            if (record_worth(&s->columns[c], run))
                record_blocks_add_run(&all, s->cases[i], &s->columns[c], run);
        }
    int status = record_blocks_write(&all, s, file, only_check, error);
    record_blocks_free(&all);
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
    printf("%zu file%s beside %zu case%s %s\n", changed, cli_plural(changed), files,
           cli_plural(files), options->check ? "would change" : "changed");
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
    .examples = "parity bless 'clone/*'         rewrites cases/clone/*.out and *.trace\n"
                "parity bless --check           exit 1 if a record would change\n",
    .run = run,
};
