/* Lines of a screen: folded to a width, put side by side, words wrapped. Widths are in
 * cells: wide characters take two, combining ones none. */
#ifndef PARITY_REPORTS_LAYOUT_H
#define PARITY_REPORTS_LAYOUT_H

#include "reports/evidence.h"

typedef struct report_line {
    char *text;         /* safe for a terminal */
    const char *colour; /* of the whole line, as in report_coloured; NULL: none */
    bool prose;         /* goes on in the next line between words, behind its indent */
} report_line;

typedef struct report_lines {
    report_line *items;
    size_t count;
    size_t capacity;
} report_lines;

/* Adds each line of a text; tabs become spaces up to the next multiple of four. */
void report_lines_add(report_lines *lines, const char *text, const char *colour);
/* The same of sentences: their lines stand behind two spaces. */
void report_lines_add_prose(report_lines *lines, const char *text);
void report_lines_print(const report_screen *s, const report_lines *lines);
/* Both in `width` cells, left and right of a bar. What does not fit goes on in the next
 * line, behind a sign; nothing is lost. */
void report_lines_beside(const report_screen *s, const report_lines *left,
                         const report_lines *right, size_t width);
void report_lines_free(report_lines *lines); /* leaves it empty and ready */

/* A text for people, wrapped between words (and between wide characters) to the width of
 * the screen, each line behind `indent` spaces. */
void report_wrapped(const report_screen *s, size_t indent, const char *text);

#endif
