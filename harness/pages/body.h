/* What stands between the markers of a region. */
#ifndef PARITY_PAGES_BODY_H
#define PARITY_PAGES_BODY_H

#include "harness/pages/region.h"

/* Turns the text of a report into the lines of a region, without prefix and with LF: in a
 * code block with `info` as its info string, or as it is when `info` is "" or the region
 * stands in a code block already; then the caption, unless it is NULL. Fails when the
 * text holds a marker, which would end the region; the error has the place of the region.
 */
int parity_body_wrap(parity_buffer *out, const parity_page *page,
                     const parity_region *region, const char *text, const char *info,
                     const char *caption, parity_error *error);
/* Whether the lines that are there now are those that were written: empty, or with the
 * checksum of the marker. */
bool parity_body_untouched(const parity_page *page, const parity_region *region);
/* Appends the region as it belongs into the page: the marker with its checksum, the rest
 * of its line, and `body` with prefix and line ends. */
void parity_body_place(parity_buffer *out, const parity_page *page,
                       const parity_region *region, const char *body);
/* Appends `file:line:` and the lines that differ, `-` those of the page and `+` those
 * that belong there; nothing when the texts are equal. `line` is the number of the first.
 */
void parity_lines_diff(parity_buffer *out, const char *file, int line, const char *old,
                       size_t old_length, const char *fresh, size_t fresh_length);

#endif
