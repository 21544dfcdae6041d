/* For CI: a suite a case, a test a row. Keeps to what the schemas of Apache Ant's JUnit
 * task and of Jenkins have in common. */
#include "reports/digest.h"
#include "reports/writer.h"

#include <string.h>

typedef enum end { PASSED, SKIPPED, FAILED, ERRED, ENDS } end;

typedef struct suite {
    parity_buffer *out;
    const parity_result *result;
    const parity_case_result *one;
    const parity_report_options *options;
} suite;

static void add_attribute(parity_buffer *out, const char *name, const char *text)
{
    parity_buffer_printf(out, " %s=\"", name);
    report_xml(out, text ? text : "");
    parity_buffer_char(out, '"');
}

static void add_seconds(parity_buffer *out, double seconds)
{
    parity_buffer_printf(out, " time=\"%.3f\"", seconds);
}

static double seconds_of(const suite *s)
{
    double seconds = 0;
    for (size_t i = 0; i < s->result->ncolumns; i++)
        if (report_shows(&s->result->columns[i]))
            seconds += s->one->runs[i].seconds;
    return seconds;
}

/* The run whose worker broke the protocol in this case, or NULL. */
static const parity_run *broken_run(const suite *s)
{
    for (size_t i = 0; i < s->result->ncolumns; i++)
        if (s->one->runs[i].protocol_broken)
            return &s->one->runs[i];
    return NULL;
}

static end end_of(const suite *s, size_t row)
{
    const parity_verdict *worst = report_worst(s->one, row, PARITY_NONE);
    if (row == PARITY_NONE && broken_run(s))
        return ERRED;
    if (s->one->test->skip)
        return SKIPPED;
    if (!worst)
        return PASSED;
    report_mark mark = report_mark_of(worst->state);
    return mark == REPORT_BROKEN ? FAILED : mark == REPORT_OPEN ? SKIPPED : PASSED;
}

static void add_line(const suite *s, const char *text)
{
    if (!text)
        return;
    report_xml(s->out, text);
    parity_buffer_char(s->out, '\n');
}

/* "contrast, candle@0.11.0/cpu against torch@2.15.0/cpu: element [0]: 1.0 against 2.0" */
static void headline(parity_buffer *out, const suite *s, const parity_verdict *verdict)
{
    size_t sides[2] = {verdict->left, verdict->right};
    parity_buffer_text(out, parity_relation_name(verdict->relation));
    for (int i = 0; i < 2; i++)
        if (sides[i] < s->result->ncolumns)
            parity_buffer_printf(out, "%s%s", i ? " against " : ", ",
                                 s->result->columns[sides[i]].id);
    if (verdict->why)
        parity_buffer_printf(out, ": %s", verdict->why);
}

static void add_broken(const suite *s, const parity_verdict *verdict)
{
    parity_buffer text = {0}, place = {0}, command = {0};
    parity_buffer_printf(&text, "%s: ", parity_state_name(verdict->state));
    headline(&text, s, verdict);
    parity_buffer_printf(&place, "%s:%d:%d", s->one->test->file, verdict->pos.line,
                         verdict->pos.column);
    report_command(&command, s->result, s->one, verdict);
    add_line(s, text.data);
    add_line(s, report_explanation(s->result, s->one, verdict, s->options));
    add_line(s, report_advice(verdict));
    add_line(s, place.data);
    add_line(s, command.data);
    parity_buffer_free(&text);
    parity_buffer_free(&place);
    parity_buffer_free(&command);
}

static void add_failure(const suite *s, size_t row)
{
    const parity_verdict *worst = report_worst(s->one, row, PARITY_NONE);
    parity_buffer message = {0};
    headline(&message, s, worst);
    parity_buffer_text(s->out, "      <failure");
    add_attribute(s->out, "type", parity_state_name(worst->state));
    add_attribute(s->out, "message", message.data);
    parity_buffer_char(s->out, '>');
    for (size_t v = 0; v < s->one->nverdicts; v++)
        if (s->one->verdicts[v].row == row &&
            parity_state_broken(s->one->verdicts[v].state))
            add_broken(s, &s->one->verdicts[v]);
    parity_buffer_text(s->out, "</failure>\n");
    parity_buffer_free(&message);
}

static void add_end(const suite *s, size_t row, end how)
{
    const parity_verdict *worst = report_worst(s->one, row, PARITY_NONE);
    switch (how) {
    case FAILED:
        add_failure(s, row);
        break;
    case ERRED:
        parity_buffer_text(s->out, "      <error type=\"protocol\"");
        add_attribute(s->out, "message", broken_run(s)->end.text);
        parity_buffer_text(s->out, "/>\n");
        break;
    case SKIPPED:
        parity_buffer_text(s->out, "      <skipped");
        add_attribute(s->out, "message",
                      s->one->test->skip ? s->one->test->skip : worst->why);
        parity_buffer_text(s->out, "/>\n");
        break;
    default:
        break;
    }
}

static void add_test(const suite *s, size_t row)
{
    end how = end_of(s, row);
    parity_buffer subject = {0};
    const parity_verdict of_row = {.row = row};
    report_subject(&subject, s->one, &of_row);
    parity_buffer_text(s->out, "    <testcase");
    add_attribute(s->out, "classname", s->one->test->id);
    add_attribute(s->out, "name", subject.data);
    add_seconds(s->out, row == PARITY_NONE ? seconds_of(s) : 0);
    parity_buffer_text(s->out, how == PASSED ? "/>\n" : ">\n");
    add_end(s, row, how);
    parity_buffer_text(s->out, how == PASSED ? "" : "    </testcase>\n");
    parity_buffer_free(&subject);
}

/* A row about which nothing could be said is no test. */
static bool is_test(const suite *s, size_t row)
{
    return row == PARITY_NONE || s->one->test->skip ||
           report_worst(s->one, row, PARITY_NONE);
}

static void add_properties(const suite *s)
{
    parity_buffer_text(s->out, "    <properties>\n");
    for (size_t i = 0; i < s->result->ncolumns; i++) {
        const parity_column *column = &s->result->columns[i];
        parity_buffer text = {0};
        if (!report_shows(column) || s->one->runs[i].end.kind == PARITY_ABSENT)
            continue;
        const char *source = report_source(s->result, s->one, i);
        parity_buffer_text(&text, source ? source : "live");
        for (size_t p = 0; p < column->nprovenance; p++)
            parity_buffer_printf(&text, ", %s %s", column->provenance[p].name,
                                 column->provenance[p].text);
        parity_buffer_text(s->out, "      <property");
        add_attribute(s->out, "name", column->id);
        add_attribute(s->out, "value", text.data);
        parity_buffer_text(s->out, "/>\n");
        parity_buffer_free(&text);
    }
    parity_buffer_text(s->out, "    </properties>\n");
}

static void add_diagnostics(const suite *s)
{
    parity_buffer_text(s->out, "    <system-out/>\n    <system-err>");
    for (size_t i = 0; i < s->result->ncolumns; i++)
        if (report_shows(&s->result->columns[i]))
            add_line(s, s->one->runs[i].end.detail ? s->one->runs[i].end.detail
                                                   : s->one->runs[i].diagnostics);
    parity_buffer_text(s->out, "</system-err>\n");
}

static void add_suite(const suite *s, size_t id)
{
    const parity_case *test = s->one->test;
    size_t tests = 0, count[ENDS] = {0}, theme = strcspn(test->id, "/[");
    parity_buffer package = {0};
    for (size_t i = 0; i <= test->nrows; i++) {
        size_t row = i ? i - 1 : PARITY_NONE;
        if (!is_test(s, row))
            continue;
        tests++;
        count[end_of(s, row)]++;
    }
    parity_buffer_add(&package, test->id, test->id[theme] == '/' ? theme : 0);
    parity_buffer_printf(s->out, "  <testsuite id=\"%zu\"", id);
    add_attribute(s->out, "name", test->id);
    add_attribute(s->out, "package", package.data);
    /* Without a time zone: so says the schema of Ant. */
    parity_buffer_printf(s->out, " timestamp=\"%.19s\" hostname=\"localhost\"",
                         s->result->started ? s->result->started : "1970-01-01T00:00:00");
    parity_buffer_printf(s->out,
                         " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
                         tests, count[FAILED], count[ERRED], count[SKIPPED]);
    add_seconds(s->out, seconds_of(s));
    parity_buffer_text(s->out, ">\n");
    add_properties(s);
    for (size_t i = 0; i <= test->nrows; i++)
        if (is_test(s, i ? i - 1 : PARITY_NONE))
            add_test(s, i ? i - 1 : PARITY_NONE);
    add_diagnostics(s);
    parity_buffer_text(s->out, "  </testsuite>\n");
    parity_buffer_free(&package);
}

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    (void)error;
    parity_buffer_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (size_t i = 0; i < result->ncases; i++) {
        suite s = {out, result, &result->cases[i], options};
        add_suite(&s, i);
    }
    parity_buffer_text(out, "</testsuites>\n");
    return 0;
}

const parity_report parity_report_junit = {
    .name = "junit",
    .about = "a suite a case and a test a row, for CI",
    .render = render,
};
