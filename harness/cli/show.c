/* parity show: one case with both programs, what every column saw, and the relations. */
#include "harness/base/memory.h"
#include "harness/cli/output.h"
#include "harness/cli/session.h"
#include "harness/compare/compare.h"
#include "harness/compare/render.h"
#include "harness/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *pick(const parity_sentence *sentence, const cli_options *options)
{
    bool zh = options->lang && options->lang[0] == 'z';
    return zh && sentence->zh ? sentence->zh : sentence->en;
}

static void print_program(const parity_case *test, parity_language language)
{
    const char *text = test->program[language].text;
    if (!text)
        return;
    printf("\n--- %s (%s:%d)\n", parity_language_name(language), test->file,
           test->program[language].pos.line);
    fputs(text, stdout);
    size_t length = strlen(text);
    if (length && text[length - 1] != '\n')
        putchar('\n');
}

/* How a program ended, when it did not run through. */
static void print_end(const parity_run *run)
{
    if (run->end.kind == PARITY_VALUE)
        return;
    printf("  %s", parity_outcome_name(run->end.kind));
    if (run->end.type)
        printf(" %s", run->end.type);
    if (run->end.pos.line)
        printf(" at line %d", run->end.pos.line);
    printf(": %s\n", run->end.text ? run->end.text : "");
    if (run->end.detail)
        printf("%s\n", run->end.detail);
}

static void print_column(const parity_case_result *one, const parity_column *column,
                         size_t index)
{
    const parity_run *run = &one->runs[index];
    parity_language language = column->engine->language;
    if (column->background || !one->test->program[language].text)
        return;
    printf("\n== %s%s\n", column->id, column->recorded ? " (recorded)" : "");
    print_end(run);
    if (run->end.kind != PARITY_VALUE)
        return;
    for (size_t r = 0; r < one->test->nrows; r++) {
        const parity_row *row = &one->test->rows[r];
        if (!row->text[language].pieces)
            continue;
        parity_buffer line = {0};
        if (row->text[language].shown) {
            parity_render_row(&line, one->test, r, language, run);
        } else {
            parity_buffer_printf(&line, "(%s: ", row->id);
            parity_render_outcome(&line,
                                  &run->observed[row->text[language].pieces[0].observe],
                                  language, -1);
            parity_buffer_char(&line, ')');
        }
        puts(line.data);
        parity_buffer_free(&line);
    }
}

static int show(session *s, const cli_options *options, parity_error *error)
{
    for (size_t i = 0; i < s->result.ncases; i++) {
        const parity_case_result *one = &s->result.cases[i];
        const parity_case *test = one->test;
        const char *title = pick(&test->title, options),
                   *about = pick(&test->about, options);
        printf("%s%s: %s\n", i ? "\n" : "", test->id, title ? title : "");
        if (about)
            printf("%s\n", about);
        print_program(test, PARITY_TORCH);
        print_program(test, PARITY_CANDLE);
        for (size_t c = 0; c < s->ncolumns; c++)
            print_column(one, &s->columns[c], c);
        putchar('\n');
    }
    return output_render(stdout, "relations", options, &s->result, error);
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
