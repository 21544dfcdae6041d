/* The page without its data, as assemble.py put it together at build time. */
#ifndef PARITY_REPORTS_HTML_PAGE_H
#define PARITY_REPORTS_HTML_PAGE_H

extern const char report_page_before[]; /* up to the data */
extern const char report_page_after[];

#endif
