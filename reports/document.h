/* The whole result as one JSON document, as docs/report.schema.json describes it. */
#ifndef PARITY_REPORTS_DOCUMENT_H
#define PARITY_REPORTS_DOCUMENT_H

#include "harness/model/report.h"

/* New. `longest` 0: everything. Else, for a page that people read, texts of outcomes are
 * cut after so many bytes, and the bits of tensors and the compiler's renderings of what
 * a row observed are left out. */
json_t *report_document(const parity_result *result, size_t longest);

#endif
