/* The one place where text is made safe for where it goes. Every report writes through
 * here. */
#ifndef PARITY_REPORTS_WRITER_H
#define PARITY_REPORTS_WRITER_H

#include "harness/model/report.h"

/* A line of a terminal or of a plain text: control characters (also those of Unicode that
 * turn the direction of text) come out as \x1b or \u{202e}, bytes that are not UTF-8 as
 * U+FFFD. */
void report_plain(parity_buffer *out, const char *text);

/* Text of a Markdown paragraph or table cell: nothing in it is markup, lines become
 * spaces. */
void report_markdown(parity_buffer *out, const char *text);
/* The same as a code span, whatever backticks it contains; bars are escaped for tables.
 */
void report_markdown_code(parity_buffer *out, const char *text);

/* A JSON string, new; "null" for NULL. */
json_t *report_json(const char *text);

/* JSON inside a <script> element of HTML: what could end the element or begin a comment
 * comes out as \u003c, which means the same in JSON. */
void report_script_data(parity_buffer *out, const char *json);

/* Text of an XML element or of an attribute in double quotes: nothing in it is markup.
 * Characters that XML 1.0 cannot hold come out as in report_plain; newlines stay. */
void report_xml(parity_buffer *out, const char *text);

/* A field of CSV (RFC 4180), in quotes where they are needed. Lines become \x0a, so that
 * a record is a line. */
void report_csv(parity_buffer *out, const char *text);

/* A word of a shell command: in quotes where a shell would read it otherwise. */
void report_shell(parity_buffer *out, const char *word);

/* Cells that a text takes on a terminal: wide characters two, combining ones none. */
size_t report_width(const char *text);
/* The text, then spaces up to `width` cells. */
void report_pad(parity_buffer *out, const char *text, size_t width);

/* At most `most` bytes of a text, cut after a character and marked with …. New. */
char *report_shorten(const char *text, size_t most);

/* The sentence in the language asked for, else in the one there is; NULL: none. */
const char *report_sentence(const parity_sentence *sentence,
                            const parity_report_options *options);

#endif
