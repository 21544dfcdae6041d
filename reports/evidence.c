#include "reports/evidence.h"
#include "harness/base/memory.h"
#include "reports/writer.h"

#include <stdlib.h>
#include <string.h>

const report_sign report_marks[] = {
    [REPORT_NOTHING] = {"-", "2", "nothing to judge"},
    [REPORT_OPEN] = {"·", "33", "not judged"},
    [REPORT_HOLDS] = {"✓", "32", "agrees"},
    [REPORT_DIFFERS] = {"≠", "36", "differs, and the case says why"},
    [REPORT_BROKEN] = {"✗", "1;31", "broken"},
};

void report_coloured(const report_screen *s, const char *colour, const char *text)
{
    if (s->options->colour)
        parity_buffer_printf(s->out, "\x1b[%sm", colour);
    report_plain(s->out, text);
    if (s->options->colour)
        parity_buffer_text(s->out, "\x1b[0m");
}

void report_indented(const report_screen *s, const char *before, const char *text)
{
    parity_buffer_text(s->out, "    ");
    parity_buffer_text(s->out, before);
    report_plain(s->out, text);
    parity_buffer_char(s->out, '\n');
}

static void add_heading(const report_screen *s, const parity_case_result *one,
                        const parity_verdict *verdict)
{
    parity_buffer subject = {0};
    report_subject(&subject, one, verdict);
    parity_buffer_char(s->out, '\n');
    report_coloured(s, report_marks[report_mark_of(verdict->state)].colour,
                    parity_state_name(verdict->state));
    parity_buffer_text(s->out, "  ");
    report_coloured(s, "1", one->test->id);
    parity_buffer_text(s->out, "  ");
    report_plain(s->out, subject.data);
    parity_buffer_printf(s->out, "  (%s)\n", parity_relation_name(verdict->relation));
    parity_buffer_free(&subject);
}

void report_diagnostics(const report_screen *s, const parity_case_result *one,
                        size_t column)
{
    if (column >= s->result->ncolumns)
        return;
    const parity_run *run = &one->runs[column];
    const char *text = run->end.kind == PARITY_VALUE ? NULL
                       : run->end.detail             ? run->end.detail
                                                     : run->diagnostics;
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        char *line = parity_strndup(text, length);
        report_indented(s, "| ", line);
        free(line);
        text += length + (text[length] == '\n');
    }
}

void report_evidence(const report_screen *s, const parity_case_result *one,
                     const parity_verdict *verdict)
{
    const parity_case *test = one->test;
    const char *sentence = report_explanation(s->result, one, verdict, s->options);
    parity_buffer place = {0}, command = {0};
    parity_buffer_printf(&place, "%s:%d:%d", test->file, verdict->pos.line,
                         verdict->pos.column);
    report_command(&command, s->result, one, verdict);
    add_heading(s, one, verdict);
    if (verdict->why)
        report_indented(s, "", verdict->why);
    if (sentence)
        report_indented(s, "the case says: ", sentence);
    if (verdict->relation == PARITY_STATED)
        report_diagnostics(s, one, verdict->left);
    if (report_advice(verdict))
        report_indented(s, "", report_advice(verdict));
    report_indented(s, "", place.data);
    report_indented(s, "", command.data);
    parity_buffer_free(&place);
    parity_buffer_free(&command);
}
