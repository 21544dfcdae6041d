#include "reports/document.h"
#include "harness/base/memory.h"
#include "harness/compare/render.h"
#include "harness/model/calls.h"
#include "reports/digest.h"
#include "reports/writer.h"

#include <stdlib.h>
#include <string.h>

#define FORMAT_VERSION 1

/* What is being written, and how long a text of an outcome may be; 0: as long as it is.
 */
typedef struct writing {
    const parity_result *result;
    size_t longest;
} writing;

static json_t *text_json(const writing *w, const char *text)
{
    if (!text || !w->longest)
        return report_json(text);
    char *cut = report_shorten(text, w->longest);
    json_t *string = report_json(cut);
    free(cut);
    return string;
}

static json_t *number_or_null(size_t number)
{
    return number ? json_integer((json_int_t)number) : json_null();
}

static json_t *sentence(const parity_sentence *one)
{
    if (!one->en && !one->zh)
        return json_null();
    json_t *object = json_object();
    if (one->en)
        json_object_set_new(object, "en", report_json(one->en));
    if (one->zh)
        json_object_set_new(object, "zh", report_json(one->zh));
    return object;
}

static json_t *column_json(const parity_column *column)
{
    json_t *provenance = json_object();
    for (size_t i = 0; i < column->nprovenance; i++)
        json_object_set_new(provenance, column->provenance[i].name,
                            report_json(column->provenance[i].text));
    json_t *object = json_object();
    json_object_set_new(object, "id", report_json(column->id));
    json_object_set_new(object, "engine", report_json(column->engine->name));
    json_object_set_new(object, "language",
                        json_string(parity_language_name(column->engine->language)));
    json_object_set_new(object, "judge", json_boolean(column->engine->judge));
    json_object_set_new(object, "version", report_json(column->version));
    json_object_set_new(object, "device", report_json(column->device));
    json_object_set_new(object, "absent", report_json(column->absent));
    json_object_set_new(object, "recorded", json_boolean(column->recorded));
    json_object_set_new(object, "background", json_boolean(column->background));
    json_object_set_new(object, "provenance", provenance);
    return object;
}

/* "clone" of "clone/view[f32]": the folder of the case; a case without one has no theme.
 */
static json_t *theme_json(const char *id)
{
    size_t length = strcspn(id, "/[");
    if (id[length] != '/')
        return json_null();
    char *theme = parity_strndup(id, length);
    json_t *string = report_json(theme);
    free(theme);
    return string;
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static json_t *calls_json(const parity_case *test)
{
    parity_names names = {0};
    json_t *array = json_array();
    parity_calls_of_case(&names, test);
    if (names.count)
        qsort(names.names, names.count, sizeof *names.names, by_text);
    for (size_t i = 0; i < names.count; i++)
        json_array_append_new(array, report_json(names.names[i]));
    parity_names_free(&names);
    return array;
}

static json_t *departures_json(const parity_departure *departures, size_t count)
{
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, departures[i].key, sentence(&departures[i].sentence));
    return object;
}

/* Where the observations of a row stand among those of its case. */
static json_t *observes_json(const parity_template *text)
{
    json_t *array = json_array();
    for (size_t i = 0; i < text->npieces; i++)
        if (!text->pieces[i].literal)
            json_array_append_new(array,
                                  json_integer((json_int_t)text->pieces[i].observe));
    return array;
}

static json_t *row_json(const parity_case *test, const parity_row *row)
{
    json_t *object = json_object(), *observes = json_object();
    for (int language = 0; language < PARITY_LANGUAGES; language++)
        if (row->text[language].npieces)
            json_object_set_new(observes, parity_language_name(language),
                                observes_json(&row->text[language]));
    json_object_set_new(object, "id", report_json(row->id));
    json_object_set_new(object, "observes", observes);
    json_object_set_new(
        object, "of",
        row->of == PARITY_NONE ? json_null() : report_json(test->subjects[row->of].name));
    json_object_set_new(object, "finding", sentence(&row->finding));
    json_object_set_new(object, "devices", departures_json(row->devices, row->ndevices));
    json_object_set_new(object, "versions",
                        departures_json(row->versions, row->nversions));
    json_object_set_new(object, "line", number_or_null((size_t)row->pos.line));
    return object;
}

/* Takes out what may be megabytes, from a value and from those in it. */
static void lighten(json_t *value)
{
    static const char *const heavy[] = {"bits", "head", "tail", "detail"};
    const char *key;
    json_t *member;
    size_t i;
    for (size_t k = 0; k < sizeof heavy / sizeof *heavy; k++)
        json_object_del(value, heavy[k]);
    json_object_foreach (value, key, member)
        lighten(member);
    json_array_foreach (value, i, member)
        lighten(member);
}

static json_t *outcome_json(const writing *w, const parity_outcome *outcome)
{
    json_t *object = parity_outcome_to_json(outcome);
    if (w->longest)
        lighten(object);
    return object;
}

static json_t *observed_json(const writing *w, const parity_case *test,
                             const parity_run *run, parity_language language)
{
    json_t *array = json_array();
    for (size_t i = 0; i < run->nobserved && i < test->nobserve[language]; i++) {
        const parity_expr *expression = &test->observe[language][i];
        json_t *object = json_object();
        parity_buffer text = {0};
        parity_render_outcome(&text, &run->observed[i], language, expression->decimals);
        json_object_set_new(object, "expression", report_json(expression->text));
        json_object_set_new(object, "text", text_json(w, text.data ? text.data : ""));
        json_object_set_new(object, "outcome", outcome_json(w, &run->observed[i]));
        json_array_append_new(array, object);
        parity_buffer_free(&text);
    }
    return array;
}

static json_t *printed_json(const writing *w, const parity_case_result *one,
                            size_t column, parity_language language)
{
    const parity_case *test = one->test;
    json_t *rows = json_object();
    for (size_t row = 0; row < test->nrows; row++) {
        const parity_template *text = &test->rows[row].text[language];
        json_t *object = json_object();
        if (text->npieces && text->shown) {
            parity_buffer line = {0};
            parity_render_row(&line, test, row, language, &one->runs[column]);
            json_object_set_new(object, "text", text_json(w, line.data ? line.data : ""));
            parity_buffer_free(&line);
        }
        parity_fate fate = one->fates ? one->fates[row * w->result->ncolumns + column]
                                      : PARITY_FATE_NONE;
        if (fate != PARITY_FATE_NONE)
            json_object_set_new(object, "fate", json_string(parity_fate_name(fate)));
        if (json_object_size(object))
            json_object_set(rows, test->rows[row].id, object);
        json_decref(object);
    }
    return rows;
}

static json_t *run_json(const writing *w, const parity_case_result *one, size_t column)
{
    const parity_result *result = w->result;
    const parity_run *run = &one->runs[column];
    parity_language language = result->columns[column].engine->language;
    json_t *object = json_object();
    json_object_set_new(object, "column", report_json(result->columns[column].id));
    json_object_set_new(object, "ends", parity_outcome_to_json(&run->end));
    json_object_set_new(object, "observed", observed_json(w, one->test, run, language));
    json_object_set_new(object, "rows", printed_json(w, one, column, language));
    json_object_set_new(object, "modelled",
                        json_boolean(report_modelled(result, one, column)));
    json_object_set_new(object, "seconds", json_real(run->seconds));
    json_object_set_new(object, "diagnostics", text_json(w, run->diagnostics));
    if (run->notes)
        json_object_set_new(object, "notes", text_json(w, run->notes));
    json_object_set_new(object, "protocol_broken", json_boolean(run->protocol_broken));
    return object;
}

static json_t *column_id(const parity_result *result, size_t column)
{
    return column < result->ncolumns ? report_json(result->columns[column].id)
                                     : json_null();
}

/* The sentence of the case in both languages, as far as it is there. */
static json_t *explanation_json(const parity_result *result,
                                const parity_case_result *one,
                                const parity_verdict *verdict)
{
    static const parity_report_options languages[] = {{.lang = "en"}, {.lang = "zh"}};
    const char *en = report_explanation(result, one, verdict, &languages[0]);
    const char *zh = report_explanation(result, one, verdict, &languages[1]);
    parity_sentence both = {.en = en, .zh = zh == en ? NULL : zh};
    return sentence(&both);
}

static json_t *verdict_json(const parity_result *result, const parity_case_result *one,
                            const parity_verdict *verdict)
{
    json_t *object = json_object();
    json_object_set_new(object, "relation",
                        json_string(parity_relation_name(verdict->relation)));
    json_object_set_new(object, "state", json_string(parity_state_name(verdict->state)));
    json_object_set_new(object, "broken",
                        json_boolean(parity_state_broken(verdict->state)));
    json_object_set_new(object, "row",
                        verdict->row == PARITY_NONE
                            ? json_null()
                            : report_json(one->test->rows[verdict->row].id));
    json_object_set_new(object, "left", column_id(result, verdict->left));
    json_object_set_new(object, "right", column_id(result, verdict->right));
    json_object_set_new(object, "why", report_json(verdict->why));
    json_object_set_new(object, "explanation", explanation_json(result, one, verdict));
    json_object_set_new(object, "advice", report_json(report_advice(verdict)));
    parity_buffer command = {0};
    report_command(&command, result, one, verdict);
    json_object_set_new(object, "command", report_json(command.data));
    parity_buffer_free(&command);
    json_object_set_new(object, "line", number_or_null((size_t)verdict->pos.line));
    json_object_set_new(object, "column", number_or_null((size_t)verdict->pos.column));
    return object;
}

static json_t *case_json(const writing *w, const parity_case_result *one)
{
    const parity_result *result = w->result;
    const parity_case *test = one->test;
    json_t *object = json_object(), *programs = json_object(), *rows = json_array();
    json_t *runs = json_array(), *verdicts = json_array();
    for (int language = 0; language < PARITY_LANGUAGES; language++)
        if (test->program[language].text)
            json_object_set_new(programs, parity_language_name(language),
                                report_json(test->program[language].text));
    for (size_t i = 0; i < test->nrows; i++)
        json_array_append_new(rows, row_json(test, &test->rows[i]));
    for (size_t i = 0; i < result->ncolumns; i++)
        json_array_append_new(runs, run_json(w, one, i));
    for (size_t i = 0; i < one->nverdicts; i++)
        json_array_append_new(verdicts, verdict_json(result, one, &one->verdicts[i]));
    json_object_set_new(object, "id", report_json(test->id));
    json_object_set_new(object, "file", report_json(test->file));
    json_object_set_new(object, "theme", theme_json(test->id));
    json_object_set_new(object, "calls", calls_json(test));
    json_object_set_new(object, "title", sentence(&test->title));
    json_object_set_new(object, "about", sentence(&test->about));
    json_object_set_new(object, "finding", sentence(&test->finding));
    json_object_set_new(object, "skip", report_json(test->skip));
    json_object_set_new(object, "programs", programs);
    json_object_set_new(object, "rows", rows);
    json_object_set_new(object, "runs", runs);
    json_object_set_new(object, "verdicts", verdicts);
    return object;
}

static json_t *counts_json(const parity_result *result)
{
    report_counts counts = report_count(result);
    json_t *object = json_object();
    for (int state = 0; state < REPORT_STATES; state++)
        json_object_set_new(object, parity_state_name(state),
                            json_integer((json_int_t)counts.of[state]));
    return object;
}

json_t *report_document(const parity_result *result, size_t longest)
{
    writing w = {result, longest};
    json_t *root = json_object(), *columns = json_array(), *cases = json_array();
    for (size_t i = 0; i < result->ncolumns; i++)
        json_array_append_new(columns, column_json(&result->columns[i]));
    for (size_t i = 0; i < result->ncases; i++)
        json_array_append_new(cases, case_json(&w, &result->cases[i]));
    json_object_set_new(root, "parity", json_integer(FORMAT_VERSION));
    json_object_set_new(root, "started", report_json(result->started));
    json_object_set_new(root, "seconds", json_real(result->seconds));
    json_object_set_new(root, "counts", counts_json(result));
    json_object_set_new(root, "columns", columns);
    json_object_set_new(root, "cases", cases);
    return root;
}
