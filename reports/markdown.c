/* Tables of rows and columns with their verdicts, for a page or a pull request. */
#include "harness/compare/render.h"
#include "reports/digest.h"
#include "reports/writer.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_CELL 160

/* The words of a table in Chinese; evidence stays as the program prints it. */
static const char *const chinese[][2] = {
    {"row", "行"},         {"program", "程序"},      {"result", "结果"},
    {"agree", "一致"},     {"finding", "差异"},      {"undocumented", "未说明"},
    {"changed", "变了"},   {"not judged", "未判定"}, {"finding gone", "差异不再"},
    {"fidelity", "忠实"},  {"contrast", "对照"},     {"device", "设备"},
    {"version", "版本"},   {"record", "记录"},       {"stated", "声明"},
    {"follows", "跟着变"}, {"keeps", "留住旧值"},    {"neither", "两者都不是"},
    {"recorded", "记录"},  {"modelled", "模拟"},     {"ran through", "跑完"},
};

static bool in_chinese(const parity_report_options *options)
{
    return strcmp(options->lang, "zh") == 0;
}

static const char *word(const parity_report_options *options, const char *english)
{
    for (size_t i = 0; i < sizeof chinese / sizeof *chinese; i++)
        if (in_chinese(options) && strcmp(chinese[i][0], english) == 0)
            return chinese[i][1];
    return english;
}

static void add_code(parity_buffer *out, const char *text)
{
    char *cut = report_shorten(text, LONGEST_CELL);
    report_markdown_code(out, cut);
    free(cut);
}

static void add_observations(parity_buffer *out, const parity_case *test,
                             const parity_template *text, parity_language language,
                             const parity_run *run)
{
    size_t shown = 0;
    for (size_t i = 0; i < text->npieces; i++) {
        size_t observe = text->pieces[i].observe;
        if (text->pieces[i].literal || observe >= run->nobserved)
            continue;
        parity_buffer value = {0};
        parity_render_outcome(&value, &run->observed[observe], language,
                              test->observe[language][observe].decimals);
        parity_buffer_text(out, shown++ ? ", " : "");
        add_code(out, value.data ? value.data : "");
        parity_buffer_free(&value);
    }
}

static void add_cell(parity_buffer *out, const parity_result *result,
                     const parity_case_result *one, size_t row, size_t column,
                     const parity_report_options *options)
{
    const parity_run *run = &one->runs[column];
    parity_language language = result->columns[column].engine->language;
    const parity_template *text = &one->test->rows[row].text[language];
    if (!text->npieces)
        return;
    add_observations(out, one->test, text, language, run);
    parity_fate fate = one->fates ? one->fates[row * result->ncolumns + column] : 0;
    if (fate != PARITY_FATE_NONE)
        parity_buffer_printf(out, " *%s*", word(options, parity_fate_name(fate)));
}

static void add_word(parity_buffer *out, const parity_verdict *verdict, const char *mark,
                     const parity_report_options *options)
{
    parity_buffer_printf(out, "%s%s%s%s (%s)", out->length ? ", " : "", mark,
                         word(options, parity_state_name(verdict->state)), mark,
                         word(options, parity_relation_name(verdict->relation)));
}

/* Every broken relation by name, else the one word that holds; then what is open. */
static void add_result(parity_buffer *out, const parity_case_result *one, size_t row,
                       const parity_report_options *options)
{
    report_mark holds = REPORT_NOTHING;
    parity_buffer words = {0}, open = {0};
    for (size_t v = 0; v < one->nverdicts; v++) {
        const parity_verdict *verdict = &one->verdicts[v];
        report_mark mark = report_mark_of(verdict->state);
        if (verdict->row != row)
            continue;
        if (mark == REPORT_BROKEN)
            add_word(&words, verdict, "**", options);
        else if (mark == REPORT_OPEN)
            add_word(&open, verdict, "", options);
        else if (mark > holds)
            holds = mark;
    }
    if (!words.length && holds != REPORT_NOTHING)
        parity_buffer_text(&words,
                           word(options, holds == REPORT_DIFFERS ? "finding" : "agree"));
    parity_buffer_add(out, words.data, words.length);
    parity_buffer_text(out, words.length && open.length ? ", " : "");
    parity_buffer_add(out, open.data, open.length);
    parity_buffer_free(&words);
    parity_buffer_free(&open);
}

static void add_header(parity_buffer *out, const parity_result *result,
                       const parity_case_result *one,
                       const parity_report_options *options)
{
    size_t shown = 0;
    parity_buffer_printf(out, "| %s |", word(options, "row"));
    for (size_t i = 0; i < result->ncolumns; i++) {
        if (!report_shows(&result->columns[i]))
            continue;
        parity_buffer_char(out, ' ');
        report_markdown(out, result->columns[i].id);
        const char *source = report_source(result, one, i);
        if (source)
            parity_buffer_printf(out, in_chinese(options) ? "（%s）" : " (%s)",
                                 word(options, source));
        parity_buffer_text(out, " |");
        shown++;
    }
    parity_buffer_printf(out, " %s |\n|---|", word(options, "result"));
    for (size_t i = 0; i <= shown; i++)
        parity_buffer_text(out, "---|");
    parity_buffer_char(out, '\n');
}

/* Whether there is an end to tell; that a case has no program in a language is none. */
static bool ended_early(const parity_case_result *one, const parity_result *result,
                        size_t column)
{
    parity_language language = result->columns[column].engine->language;
    return one->test->program[language].text &&
           one->runs[column].end.kind != PARITY_VALUE;
}

/* How the programs ended: a line only where one did not run through or was judged for it.
 */
static void add_program_line(parity_buffer *out, const parity_result *result,
                             const parity_case_result *one,
                             const parity_report_options *options)
{
    bool told = false;
    for (size_t i = 0; i < result->ncolumns; i++)
        told = told || (report_shows(&result->columns[i]) && ended_early(one, result, i));
    for (size_t v = 0; v < one->nverdicts; v++)
        told = told || (one->verdicts[v].row == PARITY_NONE &&
                        report_mark_of(one->verdicts[v].state) >= REPORT_DIFFERS);
    if (!told)
        return;
    parity_buffer_printf(out, "| *%s* |", word(options, "program"));
    for (size_t i = 0; i < result->ncolumns; i++) {
        if (!report_shows(&result->columns[i]))
            continue;
        parity_buffer text = {0};
        if (ended_early(one, result, i))
            parity_render_outcome(&text, &one->runs[i].end, PARITY_CANDLE, -1);
        parity_buffer_char(out, ' ');
        if (text.length)
            add_code(out, text.data);
        else if (one->runs[i].end.kind == PARITY_VALUE)
            parity_buffer_text(out, word(options, "ran through"));
        parity_buffer_text(out, " |");
        parity_buffer_free(&text);
    }
    parity_buffer_char(out, ' ');
    add_result(out, one, PARITY_NONE, options);
    parity_buffer_text(out, " |\n");
}

static void add_table(parity_buffer *out, const parity_result *result,
                      const parity_case_result *one, const parity_report_options *options)
{
    add_header(out, result, one, options);
    add_program_line(out, result, one, options);
    for (size_t row = 0; row < one->test->nrows; row++) {
        parity_buffer_text(out, "| ");
        report_markdown(out, one->test->rows[row].id);
        parity_buffer_text(out, " |");
        for (size_t i = 0; i < result->ncolumns; i++) {
            if (!report_shows(&result->columns[i]))
                continue;
            parity_buffer_char(out, ' ');
            add_cell(out, result, one, row, i, options);
            parity_buffer_text(out, " |");
        }
        parity_buffer_char(out, ' ');
        add_result(out, one, row, options);
        parity_buffer_text(out, " |\n");
    }
    parity_buffer_char(out, '\n');
}

static void add_verdict(parity_buffer *out, const parity_result *result,
                        const parity_case_result *one, const parity_verdict *verdict,
                        const parity_report_options *options)
{
    const char *sentence = report_explanation(result, one, verdict, options);
    bool program = verdict->row == PARITY_NONE;
    parity_buffer_printf(out,
                         in_chinese(options) ? "- **%s**（%s），%s" : "- **%s** (%s), %s",
                         word(options, parity_state_name(verdict->state)),
                         word(options, parity_relation_name(verdict->relation)),
                         word(options, program ? "program" : "row"));
    if (!program) {
        parity_buffer_char(out, ' ');
        report_markdown(out, one->test->rows[verdict->row].id);
    }
    parity_buffer_char(out, ':');
    if (sentence) {
        parity_buffer_char(out, ' ');
        report_markdown(out, sentence);
    }
    if (verdict->why) {
        parity_buffer_char(out, ' ');
        report_markdown_code(out, verdict->why);
    }
    if (report_advice(verdict))
        parity_buffer_printf(out, " — %s", report_advice(verdict));
    parity_buffer_char(out, '\n');
}

static void add_verdicts(parity_buffer *out, const parity_result *result,
                         const parity_case_result *one,
                         const parity_report_options *options)
{
    static const report_mark order[] = {REPORT_BROKEN, REPORT_DIFFERS, REPORT_OPEN};
    size_t before = out->length;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (size_t v = 0; v < one->nverdicts; v++)
            if (report_mark_of(one->verdicts[v].state) == order[i])
                add_verdict(out, result, one, &one->verdicts[v], options);
    if (out->length > before)
        parity_buffer_char(out, '\n');
}

static void add_case(parity_buffer *out, const parity_result *result,
                     const parity_case_result *one, const parity_report_options *options)
{
    const char *title = report_sentence(&one->test->title, options);
    const char *about = report_sentence(&one->test->about, options);
    if (!options->page) {
        parity_buffer_text(out, "## ");
        report_markdown(out, title ? title : one->test->id);
        parity_buffer_text(out, "\n\n");
        report_markdown_code(out, one->test->id);
        parity_buffer_text(out, "\n\n");
    }
    if (about && !options->page) {
        report_markdown(out, about);
        parity_buffer_text(out, "\n\n");
    }
    if (one->test->skip) {
        parity_buffer_text(out, "Skipped: ");
        report_markdown(out, one->test->skip);
        parity_buffer_text(out, "\n\n");
        return;
    }
    add_table(out, result, one, options);
    add_verdicts(out, result, one, options);
}

static void add_columns(parity_buffer *out, const parity_result *result)
{
    parity_buffer_text(
        out, "## Columns\n\n| column | outcomes | provenance |\n|---|---|---|\n");
    for (size_t i = 0; i < result->ncolumns; i++) {
        const parity_column *column = &result->columns[i];
        parity_buffer_text(out, "| ");
        report_markdown(out, column->id);
        parity_buffer_text(out, column->recorded ? " | recorded"
                                : column->absent ? " | absent"
                                                 : " | live");
        if (column->absent) {
            parity_buffer_text(out, ": ");
            report_markdown(out, column->absent);
        }
        size_t modelled = report_count_modelled(result, i);
        if (modelled)
            parity_buffer_printf(out, ", modelled in %zu of %zu cases", modelled,
                                 result->ncases);
        parity_buffer_text(out, " | ");
        for (size_t p = 0; p < column->nprovenance; p++) {
            parity_buffer_text(out, p ? ", " : "");
            report_markdown(out, column->provenance[p].name);
            parity_buffer_char(out, ' ');
            report_markdown(out, column->provenance[p].text);
        }
        parity_buffer_text(out, " |\n");
    }
}

static void add_summary(parity_buffer *out, const parity_result *result)
{
    report_counts counts = report_count(result);
    parity_buffer_printf(
        out, "# Parity\n\n%zu case%s, run %s in %.1f s: ", result->ncases,
        result->ncases == 1 ? "" : "s",
        result->started ? result->started : "at some time", result->seconds);
    parity_buffer_printf(out, "%zu agree, %zu finding%s, %zu broken, %zu not judged.\n\n",
                         counts.of[PARITY_AGREE], counts.of[PARITY_FINDING],
                         counts.of[PARITY_FINDING] == 1 ? "" : "s", counts.broken,
                         counts.of[PARITY_NOT_JUDGED]);
}

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    (void)error;
    if (!options->page)
        add_summary(out, result);
    for (size_t i = 0; i < result->ncases; i++)
        add_case(out, result, &result->cases[i], options);
    if (!options->page)
        add_columns(out, result);
    return 0;
}

const parity_report parity_report_markdown = {
    .name = "markdown",
    .about = "a table a case with verdicts, findings and where the values come from",
    .page = PARITY_PAGE_MARKDOWN,
    .keys = "rows",
    .render = render,
};
