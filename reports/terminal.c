/* The summary a person reads: the matrix, everything broken with its evidence, what was
 * not judged. */
#include "harness/base/memory.h"
#include "reports/evidence.h"
#include "reports/writer.h"

#include <stdlib.h>
#include <string.h>

#define MOST_REASONS 8
#define WIDEST_ID    60

static const char *provenance_of(const parity_column *column, const char *name)
{
    for (size_t i = 0; i < column->nprovenance; i++)
        if (strcmp(column->provenance[i].name, name) == 0)
            return column->provenance[i].text;
    return NULL;
}

static void add_columns(const report_screen *s)
{
    size_t number = 0, widest = 0;
    for (size_t i = 0; i < s->result->ncolumns; i++) {
        size_t width = report_width(s->result->columns[i].id);
        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; i < s->result->ncolumns; i++) {
        const parity_column *column = &s->result->columns[i];
        if (column->background)
            continue;
        if (report_shows(column))
            parity_buffer_printf(s->out, "%3zu ", ++number);
        else
            parity_buffer_text(s->out, "  - ");
        report_pad(s->out, column->id, column->recorded || column->absent ? widest : 0);
        if (column->recorded) {
            const char *platform = provenance_of(column, "platform");
            report_coloured(s, "33", platform ? "  recorded on " : "  recorded");
            report_plain(s->out, platform ? platform : "");
        }
        if (column->absent) {
            report_coloured(s, "33", "  absent: ");
            report_plain(s->out, column->absent);
        }
        size_t modelled = report_count_modelled(s->result, i);
        if (modelled)
            parity_buffer_printf(
                s->out, "  modelled: no record of the device in %zu of %zu cases",
                modelled, s->result->ncases);
        parity_buffer_char(s->out, '\n');
    }
    parity_buffer_char(s->out, '\n');
}

/* Cases of one matrix share a line unless everything is asked for. Returns how many. */
static size_t group_of(const report_screen *s, size_t first)
{
    const parity_case_result *cases = s->result->cases;
    size_t stem = report_stem(cases[first].test->id), count = 1;
    if (s->options->verbose || cases[first].test->id[stem] == '\0')
        return 1;
    while (first + count < s->result->ncases &&
           report_stem(cases[first + count].test->id) == stem &&
           cases[first + count].test->id[stem] == '[' &&
           strncmp(cases[first].test->id, cases[first + count].test->id, stem) == 0)
        count++;
    return count;
}

static char *label_of(const report_screen *s, size_t first, size_t count)
{
    const char *id = s->result->cases[first].test->id;
    parity_buffer label = {0};
    if (count == 1)
        parity_buffer_text(&label, id);
    else
        parity_buffer_printf(&label, "%.*s[%zu]", (int)report_stem(id), id, count);
    return parity_buffer_take(&label);
}

static size_t widest_label(const report_screen *s)
{
    size_t widest = 8;
    for (size_t i = 0, count; i < s->result->ncases; i += count) {
        count = group_of(s, i);
        char *label = label_of(s, i, count);
        size_t width = report_width(label);
        free(label);
        widest = width > widest ? width : widest;
    }
    return widest > WIDEST_ID ? WIDEST_ID : widest;
}

static void add_line(const report_screen *s, size_t first, size_t count, size_t width)
{
    char *label = label_of(s, first, count);
    size_t findings = 0;
    report_pad(s->out, label, width);
    free(label);
    for (size_t c = 0; c < s->result->ncolumns; c++) {
        report_mark worst = REPORT_NOTHING;
        if (!report_shows(&s->result->columns[c]))
            continue;
        for (size_t i = first; i < first + count; i++) {
            report_mark mark = report_cell(&s->result->cases[i], c);
            worst = mark > worst ? mark : worst;
        }
        parity_buffer_text(s->out, "  ");
        report_coloured(s, report_marks[worst].colour, report_marks[worst].sign);
    }
    for (size_t i = first; i < first + count; i++)
        for (size_t v = 0; v < s->result->cases[i].nverdicts; v++)
            findings += s->result->cases[i].verdicts[v].state == PARITY_FINDING;
    if (findings)
        parity_buffer_printf(s->out, "  %zu finding%s", findings,
                             findings == 1 ? "" : "s");
    if (count == 1 && s->result->cases[first].test->skip) {
        parity_buffer_text(s->out, "  skipped: ");
        report_plain(s->out, s->result->cases[first].test->skip);
    }
    parity_buffer_char(s->out, '\n');
}

static void add_matrix(const report_screen *s)
{
    size_t width = widest_label(s), number = 0;
    report_pad(s->out, "", width);
    for (size_t c = 0; c < s->result->ncolumns; c++)
        if (report_shows(&s->result->columns[c]))
            parity_buffer_printf(s->out, "%3zu", ++number);
    parity_buffer_char(s->out, '\n');
    for (size_t i = 0, count; i < s->result->ncases; i += count) {
        count = group_of(s, i);
        add_line(s, i, count, width);
    }
    parity_buffer_char(s->out, '\n');
    for (size_t m = REPORT_NOTHING; m <= REPORT_BROKEN; m++) {
        report_coloured(s, report_marks[m].colour, report_marks[m].sign);
        parity_buffer_printf(s->out, " %s%s", report_marks[m].meaning,
                             m == REPORT_BROKEN ? "\n" : "   ");
    }
}

static void add_verdicts(const report_screen *s, report_mark wanted)
{
    for (size_t i = 0; i < s->result->ncases; i++)
        for (size_t v = 0; v < s->result->cases[i].nverdicts; v++)
            if (report_mark_of(s->result->cases[i].verdicts[v].state) == wanted)
                report_evidence(s, &s->result->cases[i],
                                &s->result->cases[i].verdicts[v]);
}

typedef struct reason {
    char *text;
    size_t count;
} reason;

typedef struct reasons {
    reason *items;
    size_t count;
    size_t capacity;
} reasons;

static int by_count(const void *left, const void *right)
{
    const reason *l = left, *r = right;
    if (l->count != r->count)
        return l->count < r->count ? 1 : -1;
    return strcmp(l->text, r->text);
}

static void count_reason(reasons *all, const char *text, size_t length)
{
    for (size_t i = 0; i < all->count; i++)
        if (strncmp(all->items[i].text, text, length) == 0 &&
            all->items[i].text[length] == '\0') {
            all->items[i].count++;
            return;
        }
    PARITY_GROW(all->items, all->count, all->capacity);
    all->items[all->count++] = (reason){parity_strndup(text, length), 1};
}

/* The most frequent first; frees them. */
static void print_reasons(const report_screen *s, const char *heading, reasons *all)
{
    if (all->count) {
        qsort(all->items, all->count, sizeof *all->items, by_count);
        parity_buffer_printf(s->out, "\n%s:\n", heading);
    }
    size_t most =
        s->options->verbose || all->count < MOST_REASONS ? all->count : MOST_REASONS;
    for (size_t i = 0; i < most; i++) {
        parity_buffer_printf(s->out, "%5zu  ", all->items[i].count);
        char *cut = report_shorten(all->items[i].text, 200);
        report_plain(s->out, cut);
        parity_buffer_char(s->out, '\n');
        free(cut);
    }
    if (most < all->count)
        parity_buffer_printf(s->out, "       and %zu more reasons (--verbose)\n",
                             all->count - most);
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].text);
    free(all->items);
}

/* Everything that could not be judged, by reason: what is silent is not green. */
static void add_reasons(const report_screen *s)
{
    reasons all = {0};
    for (size_t i = 0; i < s->result->ncases; i++)
        for (size_t v = 0; v < s->result->cases[i].nverdicts; v++) {
            const parity_verdict *verdict = &s->result->cases[i].verdicts[v];
            const char *text = verdict->why ? verdict->why : "no reason given";
            if (verdict->state == PARITY_NOT_JUDGED)
                count_reason(&all, text, strlen(text));
        }
    print_reasons(s, "not judged", &all);
}

/* What workers found out about a library besides the outcomes. */
static void add_notes(const report_screen *s)
{
    reasons all = {0};
    for (size_t i = 0; i < s->result->ncases; i++)
        for (size_t c = 0; c < s->result->ncolumns; c++) {
            const char *text = s->result->cases[i].runs[c].notes;
            while (text && *text) {
                size_t length = strcspn(text, "\n");
                count_reason(&all, text, length);
                text += length + (text[length] == '\n');
            }
        }
    print_reasons(s, "noted about the libraries", &all);
}

/* A worker that broke the protocol says nothing about the libraries; the run is worth
 * less for it. */
static void add_breaches(const report_screen *s)
{
    for (size_t i = 0; i < s->result->ncases; i++)
        for (size_t c = 0; c < s->result->ncolumns; c++) {
            const parity_case_result *one = &s->result->cases[i];
            if (!one->runs[c].protocol_broken)
                continue;
            parity_buffer_char(s->out, '\n');
            report_coloured(s, "1;33", "protocol broken");
            parity_buffer_text(s->out, "  ");
            report_plain(s->out, one->test->id);
            parity_buffer_text(s->out, "  ");
            report_plain(s->out, s->result->columns[c].id);
            parity_buffer_char(s->out, '\n');
            report_indented(s, "", one->runs[c].end.text ? one->runs[c].end.text : "");
            report_diagnostics(s, one, c);
        }
}

static void add_counts(const report_screen *s)
{
    report_counts counts = report_count(s->result);
    size_t columns = 0;
    for (size_t i = 0; i < s->result->ncolumns; i++)
        columns += report_shows(&s->result->columns[i]);
    parity_buffer_printf(
        s->out, "\n%zu case%s in %zu column%s: %zu agree, %zu finding%s, ",
        s->result->ncases, s->result->ncases == 1 ? "" : "s", columns,
        columns == 1 ? "" : "s", counts.of[PARITY_AGREE], counts.of[PARITY_FINDING],
        counts.of[PARITY_FINDING] == 1 ? "" : "s");
    parity_buffer broken = {0};
    parity_buffer_printf(&broken, "%zu broken", counts.broken);
    report_coloured(s, counts.broken ? "1;31" : "32", broken.data);
    parity_buffer_free(&broken);
    parity_buffer_printf(s->out, ", %zu not judged; %.1f s\n",
                         counts.of[PARITY_NOT_JUDGED], s->result->seconds);
}

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    report_screen s = {out, result, options};
    (void)error;
    add_columns(&s);
    add_matrix(&s);
    if (options->verbose)
        add_verdicts(&s, REPORT_DIFFERS);
    add_verdicts(&s, REPORT_BROKEN);
    add_breaches(&s);
    add_reasons(&s);
    add_notes(&s);
    add_counts(&s);
    return 0;
}

const parity_report parity_report_terminal = {
    .name = "terminal",
    .about = "the matrix, everything broken with its evidence, and what was not judged",
    .render = render,
};
