/* parity list: cases, columns, reports. */
#include "harness/cli/session.h"
#include "harness/model/report.h"

#include <stdio.h>

static int list_reports(void)
{
    for (const parity_report *const *r = parity_reports; *r; r++)
        printf("%-12s %s\n", (*r)->name, (*r)->about);
    return CLI_OK;
}

static int list_columns(session *s, parity_error *error)
{
    if (session_columns(s, error))
        return session_complain(error);
    for (size_t i = 0; i < s->ncolumns; i++)
        printf("%-24s %s\n", s->columns[i].id,
               s->columns[i].absent ? s->columns[i].absent : "");
    return CLI_OK;
}

static void list_cases(const session *s)
{
    bool zh = s->options->lang && s->options->lang[0] == 'z';
    for (size_t i = 0; i < s->ncases; i++) {
        const parity_sentence *title = &s->cases[i]->title;
        const char *text = zh && title->zh ? title->zh : title->en;
        printf("%-40s %s\n", s->cases[i]->id, text ? text : "");
    }
}

static int run(const cli_options *options)
{
    parity_error error = {0};
    session s;
    int code;
    if (options->list_reports)
        return list_reports();
    if (session_open(&s, options, &error))
        code = session_complain(&error);
    else if (options->list_columns)
        code = list_columns(&s, &error);
    else if ((code = session_select(&s)) == 0) {
        list_cases(&s);
        code = s.suite.nproblems ? CLI_USAGE : CLI_OK;
    }
    session_close(&s);
    return code;
}

extern const cli_command cli_list_command;
const cli_command cli_list_command = {
    .name = "list",
    .arguments = "[CASE|GLOB ...]",
    .about = "List cases, or columns, or reports",
    .options = "--cases --columns --reports --lang",
    .run = run,
};
