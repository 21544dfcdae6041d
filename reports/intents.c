/* The table a porter looks things up in: what is wanted, how each library says it, and
 * the rows that prove it. */
#include "harness/base/memory.h"
#include "reports/digest.h"
#include "reports/writer.h"

#include <stdlib.h>
#include <string.h>

enum { EFFECT, NOTHING, EVIDENCE, TEXTS };

static const struct texts {
    const char *lang;
    const char *text[TEXTS];
    const char *open, *close; /* around a note */
    const char *marks[REPORT_BROKEN + 1];
} languages[] = {
    {"en",
     {"wanted", "—", "proved by"},
     " (",
     ")",
     {"", "not judged", "agree", "differ", "**broken**"}},
    {"zh",
     {"想要的效果", "—", "依据"},
     "（",
     "）",
     {"", "未判定", "一致", "不同", "**不成立**"}},
};

static const struct texts *texts_of(const parity_report_options *options)
{
    return &languages[strcmp(options->lang, "zh") == 0];
}

static size_t row_of(const parity_case *test, const char *id)
{
    size_t row = 0;
    while (row < test->nrows && strcmp(test->rows[row].id, id) != 0)
        row++;
    return row;
}

static report_mark mark_of(const parity_case_result *one, size_t row)
{
    report_mark worst = REPORT_NOTHING;
    for (size_t v = 0; v < one->nverdicts; v++) {
        report_mark mark = report_mark_of(one->verdicts[v].state);
        if (one->verdicts[v].row == row && mark > worst)
            worst = mark;
    }
    return worst;
}

/* "pages/references: second_name agree, detached agree" */
static void add_evidence(parity_buffer *out, const parity_case_result *one,
                         const parity_intent *intent, const struct texts *texts)
{
    char *stem = parity_strndup(one->test->id, report_stem(one->test->id));
    report_markdown(out, stem);
    free(stem);
    for (size_t i = 0; i < intent->nevidence; i++) {
        size_t row = row_of(one->test, intent->evidence[i]);
        report_mark mark = row < one->test->nrows ? mark_of(one, row) : REPORT_NOTHING;
        parity_buffer_text(out, i ? ", " : ": ");
        report_markdown(out, intent->evidence[i]);
        if (*texts->marks[mark])
            parity_buffer_printf(out, " %s", texts->marks[mark]);
    }
}

static void add_intent(parity_buffer *out, const parity_case_result *one,
                       const parity_intent *intent, const parity_report_options *options)
{
    const struct texts *texts = texts_of(options);
    const char *effect = report_sentence(&intent->effect, options);
    const char *note = report_sentence(&intent->note, options);
    parity_buffer_text(out, "| ");
    report_markdown(out, effect ? effect : "");
    for (int l = 0; l < PARITY_LANGUAGES; l++) {
        parity_buffer_text(out, " | ");
        if (intent->text[l])
            report_markdown_code(out, intent->text[l]);
        else
            parity_buffer_text(out, texts->text[NOTHING]);
    }
    if (note) {
        parity_buffer_text(out, texts->open);
        report_markdown(out, note);
        parity_buffer_text(out, texts->close);
    }
    parity_buffer_text(out, " | ");
    add_evidence(out, one, intent, texts);
    parity_buffer_text(out, " |\n");
}

/* Combinations of a matrix have the same intents: the first one tells them. */
static bool told(const parity_result *result, size_t index)
{
    const char *id = result->cases[index].test->id;
    const char *before = index ? result->cases[index - 1].test->id : "";
    size_t length = report_stem(id);
    return report_stem(before) == length && strncmp(id, before, length) == 0;
}

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    const struct texts *texts = texts_of(options);
    (void)error;
    parity_buffer lines = {0};
    for (size_t i = 0; i < result->ncases; i++)
        for (size_t k = 0; k < result->cases[i].test->nintents && !told(result, i); k++)
            add_intent(&lines, &result->cases[i], &result->cases[i].test->intents[k],
                       options);
    if (lines.length || !options->page) /* a page has to have something to show */
        parity_buffer_printf(out, "| %s | PyTorch | candle | %s |\n|---|---|---|---|\n",
                             texts->text[EFFECT], texts->text[EVIDENCE]);
    parity_buffer_add(out, lines.data, lines.length);
    parity_buffer_free(&lines);
    return 0;
}

const parity_report parity_report_intents = {
    .name = "intents",
    .about = "what a porter wants, how each library says it, and the rows that prove it",
    .page = PARITY_PAGE_MARKDOWN,
    .render = render,
};
