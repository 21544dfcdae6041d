/* parity show: one case with both programs, what every column saw, and the relations. */
#include "harness/cli/output.h"
#include "harness/cli/session.h"
#include "harness/compare/compare.h"

#include <stdio.h>

/* A case after the other, each with its relations. */
static int show(const session *s, const cli_options *options, parity_error *error)
{
    for (size_t i = 0; i < s->result.ncases; i++) {
        parity_result one = s->result;
        one.cases = &s->result.cases[i];
        one.ncases = 1;
        fputs(i ? "\n" : "", stdout);
        if (output_render(stdout, "case", options, &one, error))
            return -1;
        putchar('\n');
        if (output_render(stdout, "relations", options, &one, error))
            return -1;
    }
    return 0;
}

static int run(const cli_options *options)
{
    parity_error error = {0};
    session s;
    int code;
    if (!options->patterns.count) {
        fprintf(stderr,
                "parity: show which case? for instance: parity show pages/snapshot\n");
        return CLI_USAGE;
    }
    if (session_open(&s, options, &error) || session_columns(&s, &error))
        code = session_complain(&error);
    else if ((code = session_select(&s)) != 0)
        ;
    else if (session_run(&s, &error) || session_judge(&s, &error) ||
             show(&s, options, &error))
        code = session_complain(&error);
    else
        code = parity_exit_code(&s.result, s.named, false);
    session_close(&s);
    return code;
}

extern const cli_command cli_show;
const cli_command cli_show = {
    .name = "show",
    .arguments = "CASE",
    .about = "One case: both programs, what every column saw, and the relations",
    .options = "--column --lang --cases --engine --deadline -j",
    .examples = "parity show pages/snapshot\n",
    .run = run,
};
