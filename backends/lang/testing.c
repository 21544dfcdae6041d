#include "backends/lang/testing.h"

#include "harness/base/buffer.h"
#include "harness/compare/render.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MOST 16

static void show(parity_buffer *out, const parity_outcome *outcome)
{
    parity_buffer_printf(out, "%s: %s", parity_outcome_name(outcome->kind),
                         outcome->text ? outcome->text : "");
    if (outcome->pos.line)
        parity_buffer_printf(out, " @%d:%d", outcome->pos.line, outcome->pos.column);
}

static size_t split(char *texts, const char **out)
{
    size_t count = 0;
    for (char *text = strtok(texts, ";"); text && count < MOST; text = strtok(NULL, ";"))
        out[count++] = text + strspn(text, " ");
    return count;
}

char *lang_testing_run(const char *program, const char *observe)
{
    const char *texts[MOST];
    char *copy = parity_strdup(observe ? observe : "");
    parity_outcome ends = {0}, observed[MOST] = {0};
    lang_request request = {.program = program,
                            .device = "cpu",
                            .observe = texts,
                            .nobserve = split(copy, texts),
                            .steps = 100000};
    parity_buffer out = {0};
    lang_run(&request, &ends, observed);
    parity_buffer_text(&out, "");
    if (ends.kind != PARITY_VALUE)
        show(&out, &ends);
    for (size_t i = 0; i < request.nobserve; i++) {
        if (ends.kind == PARITY_VALUE && i)
            parity_buffer_text(&out, "; ");
        if (ends.kind == PARITY_VALUE && observed[i].kind == PARITY_VALUE)
            parity_render_outcome(&out, &observed[i], PARITY_CANDLE, -1);
        else if (ends.kind == PARITY_VALUE)
            show(&out, &observed[i]);
        parity_outcome_clear(&observed[i]);
    }
    parity_outcome_clear(&ends);
    free(copy);
    return parity_buffer_take(&out);
}

void lang_testing_expect(const char *program, const char *observe, const char *expected)
{
    char *found = lang_testing_run(program, observe);
    ck_assert_msg(strcmp(found, expected) == 0, "%s\n=> %s\ngives    %s\nexpected %s",
                  program, observe ? observe : "", found, expected);
    free(found);
}

void lang_testing_rows(const lang_testing_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lang_testing_expect(rows[i].program, rows[i].observe, rows[i].expected);
}
