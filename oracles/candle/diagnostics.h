/* What rustc says with --error-format=json. */
#ifndef ORACLES_CANDLE_DIAGNOSTICS_H
#define ORACLES_CANDLE_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct candle_span {
    char *file; /* as rustc was given it */
    int line;   /* from 1 */
    int column; /* in characters, from 1 */
    bool primary;
} candle_span;

/* One error. Spans inside the expansion of a macro are followed by those of the place
 * that used it; the spans of notes and hints come last and are not primary. */
typedef struct candle_diagnostic {
    char *code;     /* "E0382", the name of a lint, or NULL */
    char *message;  /* the first line, without "error: " */
    char *rendered; /* as rustc prints it for people */
    candle_span *spans;
    size_t nspans;
} candle_diagnostic;

typedef struct candle_diagnostics {
    candle_diagnostic *items;
    size_t count;
    size_t capacity;
    char *rest; /* lines that are no JSON, such as a linker's or a crash's; never NULL
                   after parsing */
} candle_diagnostics;

/* Takes errors only: warnings, notes and the closing count of errors are left out. Never
 * fails; a line that cannot be read is in `rest`. */
void candle_diagnostics_parse(candle_diagnostics *out, const char *text, size_t length);
void candle_diagnostics_free(candle_diagnostics *diagnostics);

#endif
