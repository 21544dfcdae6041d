#include "reports/digest.h"
#include "harness/compare/departure.h"
#include "reports/writer.h"

#include <string.h>

report_counts report_count(const parity_result *result)
{
    report_counts counts = {{0}, 0};
    for (size_t i = 0; i < result->ncases; i++)
        for (size_t v = 0; v < result->cases[i].nverdicts; v++) {
            parity_state state = result->cases[i].verdicts[v].state;
            counts.of[state]++;
            counts.broken += parity_state_broken(state);
        }
    return counts;
}

report_mark report_mark_of(parity_state state)
{
    if (parity_state_broken(state))
        return REPORT_BROKEN;
    return state == PARITY_FINDING      ? REPORT_DIFFERS
           : state == PARITY_NOT_JUDGED ? REPORT_OPEN
                                        : REPORT_HOLDS;
}

const parity_verdict *report_worst(const parity_case_result *one, size_t row,
                                   size_t column)
{
    const parity_verdict *worst = NULL;
    for (size_t v = 0; v < one->nverdicts; v++) {
        const parity_verdict *verdict = &one->verdicts[v];
        if (verdict->row != row || (column != PARITY_NONE && verdict->left != column &&
                                    verdict->right != column))
            continue;
        if (!worst || report_mark_of(verdict->state) > report_mark_of(worst->state))
            worst = verdict;
    }
    return worst;
}

report_mark report_cell(const parity_case_result *one, size_t column)
{
    report_mark worst = REPORT_NOTHING;
    for (size_t v = 0; v < one->nverdicts; v++) {
        const parity_verdict *verdict = &one->verdicts[v];
        report_mark mark = report_mark_of(verdict->state);
        if ((verdict->left == column || verdict->right == column) && mark > worst)
            worst = mark;
    }
    return worst;
}

bool report_shows(const parity_column *column)
{
    return !column->background && (column->recorded || !column->absent);
}

bool report_modelled(const parity_result *result, const parity_case_result *one,
                     size_t column)
{
    const char *device = result->columns[column].device;
    if (!device || !parity_stand_in_device(device))
        return false;
    for (size_t i = 0; i < result->ncolumns; i++) {
        const parity_column *other = &result->columns[i];
        if (other->engine->judge && other->device &&
            parity_same_device(other->device, device) &&
            one->runs[i].end.kind != PARITY_ABSENT)
            return false;
    }
    return true;
}

size_t report_count_modelled(const parity_result *result, size_t column)
{
    size_t count = 0;
    for (size_t i = 0; i < result->ncases; i++)
        count += result->cases[i].runs[column].end.kind != PARITY_ABSENT &&
                 report_modelled(result, &result->cases[i], column);
    return count;
}

const char *report_source(const parity_result *result, const parity_case_result *one,
                          size_t column)
{
    return result->columns[column].recorded       ? "recorded"
           : report_modelled(result, one, column) ? "modelled"
                                                  : NULL;
}

static const char *departure_sentence(const parity_departure *departure,
                                      const parity_report_options *options)
{
    return departure ? report_sentence(&departure->sentence, options) : NULL;
}

const char *report_explanation(const parity_result *result, const parity_case_result *one,
                               const parity_verdict *verdict,
                               const parity_report_options *options)
{
    const parity_case *test = one->test;
    const parity_row *row =
        verdict->row == PARITY_NONE ? NULL : &test->rows[verdict->row];
    const parity_column *left = &result->columns[verdict->left];
    switch (verdict->relation) {
    case PARITY_CONTRAST:
        return report_sentence(row ? &row->finding : &test->finding, options);
    case PARITY_DEVICE:
        return departure_sentence(
            parity_device_departure(row ? row->devices : test->devices,
                                    row ? row->ndevices : test->ndevices, left),
            options);
    case PARITY_VERSION: {
        const char *sentence = departure_sentence(
            parity_version_departure(row ? row->versions : test->versions,
                                     row ? row->nversions : test->nversions, left),
            options);
        return sentence || !row ? sentence : report_sentence(&row->finding, options);
    }
    default:
        return NULL;
    }
}

/* [relation][undocumented, finding gone, changed] */
static const char *const advice[][3] = {
    [PARITY_FIDELITY] =
        {NULL, NULL, "a bug in Parity: engines of one language must agree to the bit"},
    [PARITY_CONTRAST] =
        {"if the libraries really differ here, say why in `finding:`",
         "the libraries agree here: take `finding:` away or correct the row", NULL},
    [PARITY_DEVICE] = {"if this device really differs, say why in `devices:`",
                       "this device does not differ: take its departure away", NULL},
    [PARITY_VERSION] = {"if this version really differs, say why in `versions:`",
                        "this version does not differ: take its departure away", NULL},
    [PARITY_RECORD] = {NULL, NULL,
                       "if the new outcome is right, accept it with parity bless"},
    [PARITY_STATED] = {"if the program should end like this, state it in `ends:`", NULL,
                       "correct `ends:`, or the program"},
};

const char *report_advice(const parity_verdict *verdict)
{
    if (!parity_state_broken(verdict->state))
        return NULL;
    return advice[verdict->relation][verdict->state - PARITY_UNDOCUMENTED];
}

static void add_column(parity_buffer *out, const parity_result *result, size_t column)
{
    if (column >= result->ncolumns || result->columns[column].recorded)
        return;
    parity_buffer_text(out, " --column ");
    report_shell(out, result->columns[column].id);
}

void report_command(parity_buffer *out, const parity_result *result,
                    const parity_case_result *one, const parity_verdict *verdict)
{
    parity_buffer_text(out, "./parity run ");
    report_shell(out, one->test->apart ? one->test->file : one->test->id);
    for (size_t i = 0; i < result->narguments; i++) {
        parity_buffer_char(out, ' ');
        report_shell(out, result->arguments[i]);
    }
    add_column(out, result, verdict->left);
    add_column(out, result, verdict->right);
}

void report_subject(parity_buffer *out, const parity_case_result *one,
                    const parity_verdict *verdict)
{
    if (verdict->row == PARITY_NONE)
        parity_buffer_text(out, "program");
    else
        parity_buffer_printf(out, "row %s", one->test->rows[verdict->row].id);
}

size_t report_stem(const char *id)
{
    return strcspn(id, "[");
}
