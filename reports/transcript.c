/* What the programs of a page print, byte for byte.
 *
 * One language on one device: the rows, nothing else. A line `== device` stands before
 * each block where a language shows several devices. With several languages or cases, a
 * line `# case (column)` stands before each. Columns of the same language and device that
 * print the same print once; one that prints something else follows under its own name,
 * `== core/cpu`. */
#include "harness/compare/render.h"
#include "reports/digest.h"

#include <stdlib.h>
#include <string.h>

static void print_run(parity_buffer *out, const parity_case *test, const parity_run *run,
                      parity_language language)
{
    if (run->end.kind != PARITY_VALUE) {
        parity_render_outcome(out, &run->end, language, -1);
        parity_buffer_char(out, '\n');
        return;
    }
    for (size_t row = 0; row < test->nrows; row++) {
        const parity_template *text = &test->rows[row].text[language];
        if (!text->npieces || !text->shown)
            continue;
        parity_render_row(out, test, row, language, run);
        parity_buffer_char(out, '\n');
    }
}

/* A column without an outcome for this case is shown only when there is no other. */
static bool in_block(const parity_result *result, const parity_case_result *one,
                     size_t column, parity_language language)
{
    const parity_column *columns = result->columns;
    if (!report_shows(&columns[column]) || !one->test->program[language].text ||
        columns[column].engine->language != language)
        return false;
    if (one->runs[column].end.kind != PARITY_ABSENT)
        return true;
    for (size_t i = 0; i < result->ncolumns; i++)
        if (report_shows(&columns[i]) && columns[i].engine->language == language &&
            one->runs[i].end.kind != PARITY_ABSENT)
            return false;
    return true;
}

/* The column whose print stands for its device: a live judge, else a record, else the
 * rest. */
static int standing(const parity_result *result, const parity_case_result *one,
                    size_t column)
{
    const parity_column *c = &result->columns[column];
    if (one->runs[column].end.kind == PARITY_ABSENT)
        return 1;
    return !c->engine->judge ? 2 : c->recorded ? 3 : 4;
}

static size_t first_of(const parity_result *result, const parity_case_result *one,
                       parity_language language, const char *device)
{
    size_t best = PARITY_NONE;
    for (size_t i = 0; i < result->ncolumns; i++)
        if (in_block(result, one, i, language) &&
            strcmp(result->columns[i].device, device) == 0 &&
            (best == PARITY_NONE ||
             standing(result, one, i) > standing(result, one, best)))
            best = i;
    return best;
}

static bool device_before(const parity_result *result, const parity_case_result *one,
                          size_t column, parity_language language)
{
    for (size_t i = 0; i < column; i++)
        if (in_block(result, one, i, language) &&
            strcmp(result->columns[i].device, result->columns[column].device) == 0)
            return true;
    return false;
}

static size_t count_devices(const parity_result *result, const parity_case_result *one,
                            parity_language language)
{
    size_t count = 0;
    for (size_t i = 0; i < result->ncolumns; i++)
        count += in_block(result, one, i, language) &&
                 !device_before(result, one, i, language);
    return count;
}

/* What a stand-in says alone is no word of the device. */
static void print_head(parity_buffer *out, const parity_result *result,
                       const parity_case_result *one, size_t column, const char *name)
{
    parity_buffer_printf(out, "== %s%s\n", name,
                         report_modelled(result, one, column) ? " (modelled)" : "");
}

static void print_device(parity_buffer *out, const parity_result *result,
                         const parity_case_result *one, parity_language language,
                         const char *device, bool several)
{
    size_t first = first_of(result, one, language, device);
    parity_buffer text = {0};
    print_run(&text, one->test, &one->runs[first], language);
    if (several)
        print_head(out, result, one, first, device);
    parity_buffer_add(out, text.data, text.length);
    for (size_t i = 0; i < result->ncolumns; i++) {
        if (i == first || !in_block(result, one, i, language) ||
            strcmp(result->columns[i].device, device) != 0)
            continue;
        parity_buffer other = {0};
        print_run(&other, one->test, &one->runs[i], language);
        if (other.length != text.length ||
            (text.length && memcmp(other.data, text.data, text.length) != 0)) {
            print_head(out, result, one, i, result->columns[i].id);
            parity_buffer_add(out, other.data, other.length);
        }
        parity_buffer_free(&other);
    }
    parity_buffer_free(&text);
}

static void add_name(parity_buffer *out, const parity_result *result,
                     const parity_case_result *one, size_t column, bool more)
{
    const char *source = report_source(result, one, column);
    parity_buffer_printf(out, "%s%s%s%s", more ? ", " : "", result->columns[column].id,
                         source ? " " : "", source ? source : "");
}

static void print_columns(parity_buffer *out, const parity_result *result,
                          const parity_case_result *one, parity_language language)
{
    size_t named = 0;
    parity_buffer_printf(out, "%s# %s (", out->length ? "\n" : "", one->test->id);
    for (size_t i = 0; i < result->ncolumns; i++)
        if (in_block(result, one, i, language))
            add_name(out, result, one, i, named++ > 0);
    parity_buffer_text(out, ")\n");
}

static void print_block(parity_buffer *out, const parity_result *result,
                        const parity_case_result *one, parity_language language)
{
    size_t devices = count_devices(result, one, language);
    for (size_t i = 0; i < result->ncolumns; i++)
        if (in_block(result, one, i, language) &&
            !device_before(result, one, i, language))
            print_device(out, result, one, language, result->columns[i].device,
                         devices > 1);
}

/* PyTorch first; with heads in the order of the columns, which they belong to. */
static void order_languages(parity_language order[PARITY_LANGUAGES],
                            const parity_result *result, bool by_columns)
{
    order[0] = PARITY_TORCH;
    if (by_columns && result->ncolumns)
        order[0] = result->columns[0].engine->language;
    order[1] = order[0] == PARITY_TORCH ? PARITY_CANDLE : PARITY_TORCH;
}

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    parity_language order[PARITY_LANGUAGES];
    size_t blocks = 0, printed = 0;
    order_languages(order, result, options->nheads > 0);
    for (size_t i = 0; i < result->ncases; i++)
        for (size_t k = 0; k < PARITY_LANGUAGES; k++)
            blocks += count_devices(result, &result->cases[i], order[k]) > 0;
    if (options->nheads > blocks)
        return parity_fail(error, "more heads (%zu) than blocks to print (%zu)",
                           options->nheads, blocks);
    for (size_t i = 0; i < result->ncases; i++)
        for (size_t k = 0; k < PARITY_LANGUAGES; k++) {
            const parity_case_result *one = &result->cases[i];
            if (count_devices(result, one, order[k]) == 0)
                continue;
            if (printed < options->nheads)
                parity_buffer_printf(out, "%s\n", options->heads[printed]);
            else if (!options->nheads && blocks > 1)
                print_columns(out, result, one, order[k]);
            print_block(out, result, one, order[k]);
            printed++;
        }
    return 0;
}

const parity_report parity_report_transcript = {
    .name = "transcript",
    .about = "what the programs print, byte for byte as on a page",
    .page = "text",
    .keys = "rows head",
    .render = render,
};
