/* The result for programs: docs/report.schema.json. */
#include "reports/document.h"

#include <stdlib.h>

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    json_t *root = report_document(result, 0);
    char *text = json_dumps(root, JSON_INDENT(1));
    (void)options;
    json_decref(root);
    if (!text)
        return parity_fail(error,
                           "the result could not be written as JSON: not enough memory");
    parity_buffer_text(out, text);
    parity_buffer_char(out, '\n');
    free(text);
    return 0;
}

const parity_report parity_report_json = {
    .name = "json",
    .about = "everything that was found out, for programs (docs/report.schema.json)",
    .render = render,
};
