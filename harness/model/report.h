/* The contract of a report: a renderer over the finished result. One file in reports/,
 * one word in the list of meson.build, which writes parity_reports[]. */
#ifndef PARITY_MODEL_REPORT_H
#define PARITY_MODEL_REPORT_H

#include "harness/base/buffer.h"
#include "harness/model/result.h"

typedef struct parity_report_options {
    const char *lang; /* "en" or "zh": which sentences */
    bool colour;
    int width; /* of the terminal */
    bool verbose;
    bool snippet; /* the case has no file: no advice on what to write in it */
    /* For a region of a page: no headings, and nothing that is another at the next run.
     */
    bool page;
    /* What a region may ask for besides; zero: nothing. */
    const char *const *heads; /* transcript: the line before the block of each column */
    size_t nheads;
    const char *anchor; /* code: what stands between `ANCHOR: name` and `ANCHOR_END:` */
} parity_report_options;

/* How the text of a report stands on a Markdown page. */
#define PARITY_PAGE_MARKDOWN "" /* as it is */
/* In a code block, in the language of its column. */
#define PARITY_PAGE_PROGRAM "program"

typedef struct parity_report {
    const char *name;  /* as in --report NAME */
    const char *about; /* one line for `parity list --reports` */
    /* PARITY_PAGE_…, or the info string of the code block ("text", "mermaid"); NULL: this
     * report is no part of a page. */
    const char *page;
    /* The keys that a region takes besides `column`, `lang` and `caption`: of `rows`,
     * `head` and `anchor`, separated by spaces; NULL: none. */
    const char *keys;
    int (*render)(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error);
} parity_report;

extern const parity_report *const parity_reports[]; /* generated; NULL-terminated */
const parity_report *parity_report_find(const char *name);

#endif
