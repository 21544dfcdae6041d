/* parity run: every selected case in every column, judged. */
#include "harness/base/memory.h"
#include "harness/cli/output.h"
#include "harness/cli/session.h"
#include "harness/compare/compare.h"
#include "harness/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int finish(session *s, const cli_options *options)
{
    parity_error error = {0};
    if (session_judge(s, &error) || output_reports(options, &s->result, &error))
        return session_complain(&error);
    int code = parity_exit_code(&s->result, s->named, options->strict);
    if (s->interrupted)
        fprintf(stderr, "parity: interrupted; cases that had not run are absent above\n");
    if (s->interrupted && code == CLI_OK)
        return CLI_UNJUDGED;
    return s->suite.nproblems && code != CLI_BROKEN ? CLI_USAGE : code;
}

/* What of run `now` is not as in the first run; --repeat finds flaky cases with it. */
static size_t name_flaky(const session *s, const parity_run *first)
{
    size_t flaky = 0;
    for (size_t i = 0; i < s->ncases * s->nlive; i++) {
        const parity_case *test = s->cases[i / s->nlive];
        const parity_column *column = &s->columns[i % s->nlive];
        const parity_run *a = &first[i], *b = &s->runs[i];
        char *why = parity_difference(&a->end, &b->end, PARITY_RECORD);
        for (size_t o = 0; !why && o < a->nobserved && o < b->nobserved; o++)
            why = parity_difference(&a->observed[o], &b->observed[o], PARITY_RECORD);
        if (!why)
            continue;
        printf("flaky: %s in %s: %s\n", test->id, column->id, why);
        free(why);
        flaky++;
    }
    return flaky;
}

static int repeat(session *s, const cli_options *options)
{
    parity_error error = {0};
    parity_run *first = s->runs;
    size_t flaky = 0;
    for (int i = 1; i < options->repeat && !flaky; i++) {
        if (session_run(s, &error))
            return session_complain(&error);
        flaky = name_flaky(s, first);
        for (size_t r = 0; r < s->ncases * s->nlive; r++)
            parity_run_clear(&s->runs[r]);
        free(s->runs);
    }
    s->runs = first;
    int code = finish(s, options);
    return flaky ? CLI_BROKEN : code;
}

static int run(const cli_options *options)
{
    parity_error error = {0};
    session s;
    int code;
    if (session_open(&s, options, &error) || output_check(options, &error) ||
        session_columns(&s, &error))
        code = session_complain(&error);
    else if ((code = session_select(&s)) != 0)
        ;
    else if (session_run(&s, &error))
        code = session_complain(&error);
    else
        code = options->repeat > 1 ? repeat(&s, options) : finish(&s, options);
    session_close(&s);
    return code;
}

extern const cli_command cli_run;
const cli_command cli_run = {
    .name = "run",
    .arguments = "[CASE|GLOB|FILE.yaml ...]",
    .about = "Run cases in every column and judge them",
    .options =
        "--column --report --lang --cases --engine --deadline -j --repeat --strict "
        "--in-process --verbose",
    .examples =
        "parity run                                    everything\n"
        "parity run 'pages/*' --report transcript      the transcripts of two pages\n"
        "parity run pages/snapshot --column candle     one case in one column\n"
        "parity run --report json=out.json -j 3\n",
    .run = run,
};
