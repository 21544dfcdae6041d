/* What the compiler said about programs that it refused, as it said it. Paths into its
 * own library are shortened: they name the build of the compiler, not a place to look at.
 */
#include "reports/digest.h"
#include "reports/writer.h"

#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The line of a place `--> /rustc/HASH/library/…` without the two first folders. */
static void add_line(parity_buffer *out, const char *text, size_t length)
{
    char *line = parity_strndup(text, length);
    const char *own = strstr(line, "--> /rustc/");
    const char *slash = own ? strchr(own + strlen("--> /rustc/"), '/') : NULL;
    parity_buffer plain = {0};
    if (slash) {
        parity_buffer_add(&plain, line, (size_t)(own - line));
        parity_buffer_printf(&plain, "--> ...%s", slash);
    } else {
        parity_buffer_text(&plain, line);
    }
    report_plain(out, plain.data ? plain.data : "");
    parity_buffer_char(out, '\n');
    parity_buffer_free(&plain);
    free(line);
}

static void add_message(parity_buffer *out, const char *text)
{
    size_t end = strlen(text);
    while (end && text[end - 1] == '\n')
        end--;
    for (size_t at = 0; at < end;) {
        size_t length = strcspn(text + at, "\n");
        if (at + length > end)
            length = end - at;
        add_line(out, text + at, length);
        at += length + 1;
    }
}

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    size_t said = 0;
    (void)options;
    (void)error;
    for (size_t i = 0; i < result->ncases; i++)
        for (size_t c = 0; c < result->ncolumns; c++) {
            const parity_outcome *end = &result->cases[i].runs[c].end;
            if (!report_shows(&result->columns[c]) || end->kind != PARITY_REFUSED ||
                !end->detail)
                continue;
            parity_buffer_text(out, said++ ? "\n" : "");
            add_message(out, end->detail);
        }
    return 0;
}

const parity_report parity_report_compiler = {
    .name = "compiler",
    .about = "what the compiler said about the programs that it refused",
    .page = "text",
    .render = render,
};
