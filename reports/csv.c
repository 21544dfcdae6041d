/* A record a cell: what one column saw of one row, how it was judged, where it comes
 * from. */
#include "harness/compare/render.h"
#include "reports/digest.h"
#include "reports/writer.h"

#include <string.h>

static const char header[] =
    "case,theme,title,row,column,engine,version,device,source,outcome,text,fate,state,"
    "relation,against,why,explanation,file,line\r\n";

typedef struct cell {
    const parity_result *result;
    const parity_case_result *one;
    const parity_report_options *options;
    size_t row, column; /* row PARITY_NONE: the program as a whole */
} cell;

static void add(parity_buffer *out, const char *text)
{
    report_csv(out, text ? text : "");
    parity_buffer_char(out, ',');
}

static void add_case(parity_buffer *out, const cell *c)
{
    const parity_case *test = c->one->test;
    size_t theme = strcspn(test->id, "/[");
    parity_buffer name = {0};
    if (test->id[theme] == '/')
        parity_buffer_add(&name, test->id, theme);
    add(out, test->id);
    add(out, name.data);
    add(out, report_sentence(&test->title, c->options));
    add(out, c->row == PARITY_NONE ? "" : test->rows[c->row].id);
    parity_buffer_free(&name);
}

static void add_column(parity_buffer *out, const cell *c)
{
    const parity_column *column = &c->result->columns[c->column];
    add(out, column->id);
    add(out, column->engine->name);
    add(out, column->version);
    add(out, column->device);
    add(out, report_modelled(c->result, c->one, c->column) ? "modelled"
             : column->recorded                            ? "recorded"
                                                           : "live");
}

/* The first outcome that is none of a value names the cell; the texts stand one after the
 * other. */
static void add_observations(parity_buffer *out, const cell *c,
                             const parity_template *text, parity_language language)
{
    const parity_run *run = &c->one->runs[c->column];
    parity_outcome_kind kind = PARITY_VALUE;
    parity_buffer texts = {0};
    for (size_t i = 0; i < text->npieces; i++) {
        size_t observe = text->pieces[i].observe;
        if (text->pieces[i].literal || observe >= run->nobserved)
            continue;
        if (kind == PARITY_VALUE)
            kind = run->observed[observe].kind;
        parity_buffer_text(&texts, texts.length ? ", " : "");
        parity_render_outcome(&texts, &run->observed[observe], language,
                              c->one->test->observe[language][observe].decimals);
    }
    add(out, parity_outcome_name(kind));
    add(out, texts.data);
    parity_buffer_free(&texts);
}

static void add_outcome(parity_buffer *out, const cell *c)
{
    const parity_run *run = &c->one->runs[c->column];
    parity_language language = c->result->columns[c->column].engine->language;
    if (c->row == PARITY_NONE) {
        add(out, parity_outcome_name(run->end.kind));
        add(out, run->end.text);
        add(out, "");
        return;
    }
    parity_fate fate = c->one->fates
                           ? c->one->fates[c->row * c->result->ncolumns + c->column]
                           : PARITY_FATE_NONE;
    add_observations(out, c, &c->one->test->rows[c->row].text[language], language);
    add(out, fate == PARITY_FATE_NONE ? "" : parity_fate_name(fate));
}

static void add_verdict(parity_buffer *out, const cell *c)
{
    const parity_case *test = c->one->test;
    const parity_verdict *worst = report_worst(c->one, c->row, c->column);
    parity_pos pos = c->row == PARITY_NONE ? (parity_pos){0} : test->rows[c->row].pos;
    if (worst) {
        size_t other = worst->left == c->column ? worst->right : worst->left;
        bool against = other < c->result->ncolumns;
        add(out, parity_state_name(worst->state));
        add(out, parity_relation_name(worst->relation));
        add(out, against ? c->result->columns[other].id : "");
        add(out, worst->why);
        add(out, report_explanation(c->result, c->one, worst, c->options));
        pos = worst->pos;
    } else {
        parity_buffer_text(out, ",,,,,");
    }
    add(out, test->file);
    if (pos.line)
        parity_buffer_printf(out, "%d", pos.line);
}

static void add_cell(parity_buffer *out, const cell *c)
{
    add_case(out, c);
    add_column(out, c);
    add_outcome(out, c);
    add_verdict(out, c);
    parity_buffer_text(out, "\r\n");
}

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    (void)error;
    parity_buffer_text(out, header);
    for (size_t i = 0; i < result->ncases; i++) {
        const parity_case_result *one = &result->cases[i];
        for (size_t column = 0; column < result->ncolumns; column++) {
            cell c = {result, one, options, PARITY_NONE, column};
            int language = result->columns[column].engine->language;
            if (!report_shows(&result->columns[column]) ||
                one->runs[column].end.kind == PARITY_ABSENT)
                continue;
            add_cell(out, &c);
            for (c.row = 0; c.row < one->test->nrows; c.row++)
                if (one->test->rows[c.row].text[language].npieces)
                    add_cell(out, &c);
        }
    }
    return 0;
}

const parity_report parity_report_csv = {
    .name = "csv",
    .about = "a record a cell, with verdict and provenance, for spreadsheets (RFC 4180)",
    .render = render,
};
