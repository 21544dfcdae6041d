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
} parity_report_options;

typedef struct parity_report {
    const char *name;  /* as in --report NAME */
    const char *about; /* one line for `parity list --reports` */
    int (*render)(parity_buffer *out, const parity_result *result,
                  const parity_report_options *options, parity_error *error);
} parity_report;

extern const parity_report *const parity_reports[]; /* generated; NULL-terminated */
const parity_report *parity_report_find(const char *name);

#endif
