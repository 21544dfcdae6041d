/* Every verdict on every case, row by row: what `parity show` and `parity try` print. */
#include "reports/layout.h"
#include "reports/writer.h"

#include <stdlib.h>

/* "candle@0.11.0/cpu, torch@2.15.0/cpu", with a word where the outcomes are not of a
 * run on that device. */
static void add_sides(parity_buffer *out, const report_screen *s,
                      const parity_case_result *one, const parity_verdict *verdict)
{
    size_t sides[2] = {verdict->left, verdict->right};
    for (int i = 0; i < 2; i++) {
        if (sides[i] >= s->result->ncolumns)
            continue;
        parity_buffer_text(out, i ? ", " : "");
        report_plain(out, s->result->columns[sides[i]].id);
        const char *source = report_source(s->result, one, sides[i]);
        if (source)
            parity_buffer_printf(out, " (%s)", source);
    }
}

/* How a program of a snippet ended stands under its column already. */
static bool shown_above(const report_screen *s, const parity_verdict *verdict)
{
    return s->options->snippet && verdict->relation == PARITY_STATED;
}

/* A row of a snippet that a program did not reach: the program's verdict says why. */
static bool not_reached(const report_screen *s, const parity_case_result *one,
                        const parity_verdict *verdict)
{
    if (!s->options->snippet || verdict->row == PARITY_NONE ||
        verdict->state != PARITY_NOT_JUDGED)
        return false;
    return one->runs[verdict->left].end.kind != PARITY_VALUE ||
           (verdict->right != PARITY_NONE &&
            one->runs[verdict->right].end.kind != PARITY_VALUE);
}

static void add_verdict(const report_screen *s, const parity_case_result *one,
                        const parity_verdict *verdict, size_t width)
{
    const report_sign *mark = &report_marks[report_mark_of(verdict->state)];
    const char *sentence = report_explanation(s->result, one, verdict, s->options);
    parity_buffer subject = {0}, sides = {0};
    report_subject(&subject, one, verdict);
    add_sides(&sides, s, one, verdict);
    size_t before = 2 + width + 2 + 12 + 2 + 8 + 2;
    bool fits = (int)(before + report_width(sides.data)) <= s->options->width;
    report_coloured(s, mark->colour, mark->sign);
    parity_buffer_char(s->out, ' ');
    report_pad(s->out, subject.data, width);
    parity_buffer_text(s->out, "  ");
    report_pad(s->out, parity_state_name(verdict->state), 12);
    parity_buffer_text(s->out, "  ");
    report_pad(s->out, parity_relation_name(verdict->relation), fits ? 8 : 0);
    parity_buffer_printf(s->out, "%s%s\n", fits ? "  " : "\n    ", sides.data);
    if (verdict->why && verdict->state != PARITY_AGREE && !shown_above(s, verdict))
        report_wrapped(s, 4, verdict->why);
    if (sentence)
        report_wrapped(s, 4, sentence);
    if (!s->options->snippet && report_advice(verdict))
        report_wrapped(s, 4, report_advice(verdict));
    parity_buffer_free(&subject);
    parity_buffer_free(&sides);
}

static size_t widest_subject(const parity_case_result *one)
{
    size_t widest = 7;
    for (size_t v = 0; v < one->nverdicts; v++) {
        parity_buffer subject = {0};
        report_subject(&subject, one, &one->verdicts[v]);
        size_t width = report_width(subject.data);
        widest = width > widest ? width : widest;
        parity_buffer_free(&subject);
    }
    return widest;
}

static void add_row(const report_screen *s, const parity_case_result *one, size_t row,
                    size_t width)
{
    for (size_t v = 0; v < one->nverdicts; v++)
        if (one->verdicts[v].row == row && !not_reached(s, one, &one->verdicts[v]))
            add_verdict(s, one, &one->verdicts[v], width);
}

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    report_screen s = {out, result, options};
    (void)error;
    for (size_t i = 0; i < result->ncases; i++) {
        const parity_case_result *one = &result->cases[i];
        size_t width = widest_subject(one);
        if (result->ncases > 1) {
            parity_buffer_text(out, i ? "\n" : "");
            report_coloured(&s, "1", one->test->id);
            parity_buffer_char(out, '\n');
        }
        add_row(&s, one, PARITY_NONE, width);
        for (size_t row = 0; row < one->test->nrows; row++)
            add_row(&s, one, row, width);
    }
    return 0;
}

const parity_report parity_report_relations = {
    .name = "relations",
    .about = "every verdict, row by row",
    .render = render,
};
