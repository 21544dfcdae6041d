/* A Mermaid flow chart from fates: who follows a write, who keeps the old value, on which
 * device.
 *
 * Its nodes are the subjects with what writes to them, the snapshots (those of equal
 * fates together), and the fates. An edge is labelled with its devices where they do not
 * agree. Where both languages have snapshots, each has a box. */
#include "harness/base/memory.h"
#include "reports/digest.h"
#include "reports/writer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const fates[][2] = {
    [PARITY_FOLLOWS] = {"follows the write", "跟着变"},
    [PARITY_KEEPS] = {"keeps the old value", "留住旧值"},
    [PARITY_NEITHER] = {"is neither", "两者都不是"},
};
enum { FATES = sizeof fates / sizeof *fates };

typedef struct chart {
    parity_buffer *out;
    const parity_result *result;
    const parity_report_options *options;
    const parity_case_result *one;
    parity_language language;
    size_t number; /* of the next subject; names its nodes */
    bool used[FATES];
} chart;

/* The inside of a quoted Mermaid label. */
static void add_label(parity_buffer *out, const char *text)
{
    parity_buffer plain = {0};
    report_plain(&plain, text);
    for (const char *c = plain.data ? plain.data : ""; *c; c++)
        if (strchr("\"#<>&`\\%", *c))
            parity_buffer_printf(out, "#%d;", *c);
        else
            parity_buffer_char(out, *c);
    parity_buffer_free(&plain);
}

static parity_fate fate_of(const chart *c, size_t row, size_t column)
{
    if (!report_shows(&c->result->columns[column]) ||
        c->result->columns[column].engine->language != c->language || !c->one->fates)
        return PARITY_FATE_NONE;
    return c->one->fates[row * c->result->ncolumns + column];
}

static bool has_fate(const chart *c, size_t row)
{
    for (size_t i = 0; i < c->result->ncolumns; i++)
        if (fate_of(c, row, i) != PARITY_FATE_NONE)
            return true;
    return false;
}

static bool same_fates(const chart *c, size_t a, size_t b)
{
    for (size_t i = 0; i < c->result->ncolumns; i++)
        if (fate_of(c, a, i) != fate_of(c, b, i))
            return false;
    return true;
}

/* What a row is called: its text in front of the value, its expression, or its name. */
static void add_row(parity_buffer *out, const chart *c, size_t row)
{
    const parity_row *one = &c->one->test->rows[row];
    const parity_template *text = &one->text[c->language];
    const char *literal = text->npieces && text->shown ? text->pieces[0].literal : NULL;
    char *name = parity_strdup(literal ? literal : one->id);
    size_t length = strlen(name);
    while (length &&
           (isspace((unsigned char)name[length - 1]) || strchr(":=", name[length - 1])))
        name[--length] = '\0';
    add_label(out, length ? name : one->id);
    free(name);
}

/* The devices on which a row has this fate; returns how many have another. */
static size_t devices_of(parity_buffer *out, const chart *c, size_t row, parity_fate fate)
{
    size_t others = 0, first = out->length;
    for (size_t i = 0; i < c->result->ncolumns; i++) {
        parity_fate is = fate_of(c, row, i);
        const char *device = c->result->columns[i].device;
        others += is != PARITY_FATE_NONE && is != fate;
        if (is != fate || (out->length > first && strstr(out->data + first, device)))
            continue;
        parity_buffer_text(out, out->length > first ? ", " : "");
        add_label(out, device);
        if (report_modelled(c->result, c->one, i))
            parity_buffer_text(out, " (modelled)");
    }
    return others;
}

static void add_edges(chart *c, size_t row, size_t node)
{
    for (int fate = PARITY_FOLLOWS; fate < FATES; fate++) {
        parity_buffer devices = {0};
        size_t others = devices_of(&devices, c, row, (parity_fate)fate);
        if (devices.length) {
            parity_buffer_printf(c->out, "  s%zu_%zu --", c->number, node);
            if (others)
                parity_buffer_printf(c->out, ">|\"%s\"| ", devices.data);
            else
                parity_buffer_text(c->out, "> ");
            parity_buffer_printf(c->out, "%s\n", parity_fate_name((parity_fate)fate));
            c->used[fate] = true;
        }
        parity_buffer_free(&devices);
    }
}

/* One node for all snapshots of the subject that share the fates of this one. */
static void add_snapshots(chart *c, size_t subject, size_t row, size_t node)
{
    const parity_case *test = c->one->test;
    size_t named = 0;
    parity_buffer_printf(c->out, "  s%zu --> s%zu_%zu[\"", c->number, c->number, node);
    for (size_t r = row; r < test->nrows; r++) {
        if (test->rows[r].of != subject || !same_fates(c, row, r))
            continue;
        parity_buffer_text(c->out, named++ ? "<br>" : "");
        add_row(c->out, c, r);
    }
    parity_buffer_text(c->out, "\"]\n");
    add_edges(c, row, node);
}

static bool first_of_its_fates(const chart *c, size_t subject, size_t row)
{
    const parity_row *rows = c->one->test->rows;
    for (size_t r = 0; r < row; r++)
        if (rows[r].of == subject && same_fates(c, r, row))
            return false;
    return rows[row].of == subject && has_fate(c, row);
}

static void add_subject(chart *c, size_t index)
{
    const parity_subject *subject = &c->one->test->subjects[index];
    const char *label = report_sentence(&subject->label, c->options);
    const char *write = report_sentence(&subject->write, c->options);
    size_t node = 0;
    for (size_t row = 0; row < c->one->test->nrows; row++) {
        if (!first_of_its_fates(c, index, row))
            continue;
        if (!node) {
            parity_buffer_printf(c->out, "  s%zu[\"", c->number);
            add_label(c->out, label ? label : subject->name);
            parity_buffer_text(c->out, "\"]\n");
        }
        if (!node && write) {
            parity_buffer_printf(c->out, "  w%zu([\"", c->number);
            add_label(c->out, write);
            parity_buffer_printf(c->out, "\"]) --> s%zu\n", c->number);
        }
        add_snapshots(c, index, row, node++);
    }
    c->number += node > 0;
}

static void add_cases(chart *c, parity_buffer *out)
{
    c->out = out;
    for (size_t i = 0; i < c->result->ncases; i++) {
        c->one = &c->result->cases[i];
        for (size_t s = 0; s < c->one->test->nsubjects; s++)
            add_subject(c, s);
    }
}

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    chart c = {.result = result, .options = options};
    parity_buffer parts[PARITY_LANGUAGES] = {{0}};
    (void)error;
    for (int l = 0; l < PARITY_LANGUAGES; l++) {
        c.language = (parity_language)l;
        add_cases(&c, &parts[l]);
    }
    bool both = parts[PARITY_TORCH].length && parts[PARITY_CANDLE].length;
    if (options->page && !parts[PARITY_TORCH].length && !parts[PARITY_CANDLE].length)
        return 0; /* no row has a fate: nothing for a page to show */
    parity_buffer_text(out, "flowchart TB\n");
    for (int l = 0; l < PARITY_LANGUAGES; l++) {
        if (both)
            parity_buffer_printf(out, "  subgraph %s\n",
                                 l == PARITY_TORCH ? "PyTorch" : "candle");
        parity_buffer_add(out, parts[l].data, parts[l].length);
        parity_buffer_text(out, both ? "  end\n" : "");
        parity_buffer_free(&parts[l]);
    }
    for (int fate = PARITY_FOLLOWS; fate < FATES; fate++)
        if (c.used[fate])
            parity_buffer_printf(out, "  %s{{\"%s\"}}\n",
                                 parity_fate_name((parity_fate)fate),
                                 fates[fate][strcmp(options->lang, "zh") == 0]);
    return 0;
}

const parity_report parity_report_flow = {
    .name = "flow",
    .about = "Mermaid charts of who follows a write and who keeps the old value",
    .page = "mermaid",
    .keys = "rows",
    .render = render,
};
