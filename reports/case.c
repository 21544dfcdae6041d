/* A case as a person reads it: both programs and what every column saw, side by side
 * where the screen is wide. What `parity show` prints before the relations. */
#include "harness/compare/render.h"
#include "reports/layout.h"
#include "reports/writer.h"

#include <string.h>

/* Two programs side by side need so many cells. */
#define WIDE 110

static void add_program(report_lines *lines, const parity_case *test,
                        parity_language language)
{
    parity_buffer heading = {0};
    parity_buffer_printf(&heading, "--- %s (%s:%d)", parity_language_name(language),
                         test->file, test->program[language].pos.line);
    report_lines_add(lines, heading.data, "1");
    report_lines_add(lines, test->program[language].text, NULL);
    parity_buffer_free(&heading);
}

/* How a program ended, when it did not run through. */
static void add_end(report_lines *lines, const parity_run *run)
{
    parity_buffer text = {0};
    parity_buffer_text(&text, parity_outcome_name(run->end.kind));
    if (run->end.type)
        parity_buffer_printf(&text, " %s", run->end.type);
    if (run->end.pos.line)
        parity_buffer_printf(&text, " at line %d", run->end.pos.line);
    parity_buffer_printf(&text, ": %s", run->end.text ? run->end.text : "");
    report_lines_add_prose(lines, text.data);
    if (run->end.detail)
        report_lines_add(lines, run->end.detail, NULL);
    parity_buffer_free(&text);
}

/* A row as the page prints it; one that prints nothing with its name. */
static void add_row(report_lines *lines, const parity_case *test, size_t row,
                    parity_language language, const parity_run *run)
{
    const parity_template *text = &test->rows[row].text[language];
    parity_buffer line = {0};
    if (!text->npieces)
        return;
    if (text->shown) {
        parity_render_row(&line, test, row, language, run);
    } else {
        parity_buffer_printf(&line, "(%s: ", test->rows[row].id);
        parity_render_outcome(&line, &run->observed[text->pieces[0].observe], language,
                              -1);
        parity_buffer_char(&line, ')');
    }
    report_lines_add(lines, line.data ? line.data : "", NULL);
    parity_buffer_free(&line);
}

static void add_column(report_lines *lines, const parity_result *result,
                       const parity_case_result *one, size_t column)
{
    const parity_column *of = &result->columns[column];
    const parity_run *run = &one->runs[column];
    const char *source = report_source(result, one, column);
    parity_buffer heading = {0};
    parity_buffer_printf(&heading, "== %s", of->id);
    if (source)
        parity_buffer_printf(&heading, " (%s)", source);
    report_lines_add(lines, heading.data, "1");
    parity_buffer_free(&heading);
    if (run->end.kind != PARITY_VALUE) {
        add_end(lines, run);
        return;
    }
    for (size_t row = 0; row < one->test->nrows; row++)
        add_row(lines, one->test, row, of->engine->language, run);
}

static report_lines column_lines(const parity_result *result,
                                 const parity_case_result *one, parity_language language)
{
    report_lines lines = {0};
    for (size_t i = 0; i < result->ncolumns; i++) {
        if (result->columns[i].background ||
            result->columns[i].engine->language != language ||
            !one->test->program[language].text)
            continue;
        if (lines.count)
            report_lines_add(&lines, "", NULL);
        add_column(&lines, result, one, i);
    }
    return lines;
}

/* Left and right when both are there and the screen is wide, else one above the other. */
static void print_pair(const report_screen *s, report_lines sides[PARITY_LANGUAGES])
{
    if (sides[PARITY_TORCH].count && sides[PARITY_CANDLE].count &&
        s->options->width >= WIDE) {
        parity_buffer_char(s->out, '\n');
        report_lines_beside(s, &sides[PARITY_TORCH], &sides[PARITY_CANDLE],
                            (size_t)s->options->width);
    } else {
        for (int language = 0; language < PARITY_LANGUAGES; language++)
            if (sides[language].count) {
                parity_buffer_char(s->out, '\n');
                report_lines_print(s, &sides[language]);
            }
    }
    for (int language = 0; language < PARITY_LANGUAGES; language++)
        report_lines_free(&sides[language]);
}

static void print_case(const report_screen *s, const parity_case_result *one)
{
    const parity_case *test = one->test;
    const char *title = report_sentence(&test->title, s->options);
    const char *about = report_sentence(&test->about, s->options);
    report_coloured(s, "1", test->id);
    if (title) {
        parity_buffer_text(s->out, ": ");
        report_plain(s->out, title);
    }
    parity_buffer_char(s->out, '\n');
    if (about)
        report_wrapped(s, 0, about);
    report_lines sides[PARITY_LANGUAGES] = {{0}};
    for (int language = 0; language < PARITY_LANGUAGES; language++)
        if (test->program[language].text)
            add_program(&sides[language], test, (parity_language)language);
    print_pair(s, sides);
    for (int language = 0; language < PARITY_LANGUAGES; language++)
        sides[language] = column_lines(s->result, one, (parity_language)language);
    print_pair(s, sides);
}

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    report_screen s = {out, result, options};
    (void)error;
    for (size_t i = 0; i < result->ncases; i++) {
        parity_buffer_text(out, i ? "\n" : "");
        print_case(&s, &result->cases[i]);
    }
    return 0;
}

const parity_report parity_report_case = {
    .name = "case",
    .about = "both programs and what every column saw, side by side on a wide screen",
    .render = render,
};
