/* One page for people: the result as data, and the programs that show it (html/). */
#include "reports/document.h"
#include "reports/html/page.h"
#include "reports/writer.h"

#include <stdlib.h>

/* Nobody reads further into one value; the json report has all of it. */
#define LONGEST_TEXT 4000

static int render(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error)
{
    json_t *data = json_object();
    json_object_set_new(data, "lang", report_json(options->lang ? options->lang : "en"));
    json_object_set_new(data, "report", report_document(result, LONGEST_TEXT));
    char *text = json_dumps(data, JSON_COMPACT);
    json_decref(data);
    if (!text)
        return parity_fail(error,
                           "the result could not be written as HTML: not enough memory");
    parity_buffer_text(out, report_page_before);
    report_script_data(out, text);
    parity_buffer_text(out, report_page_after);
    free(text);
    return 0;
}

const parity_report parity_report_html = {
    .name = "html",
    .about = "one page for a browser: search, filters, programs, evidence, memory",
    .render = render,
};
