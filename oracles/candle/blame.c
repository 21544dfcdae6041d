#include "oracles/candle/blame.h"

#include "harness/base/buffer.h"

#include <ctype.h>
#include <string.h>

static bool in_modules(const candle_span *span)
{
    return span->file && strncmp(span->file, "src/", 4) == 0 &&
           strcmp(span->file, "src/main.rs") != 0;
}

static bool in_module(const candle_span *span, const candle_module *module)
{
    return in_modules(span) && strcmp(span->file + 4, module->name) == 0;
}

/* By its primary places; by any when these are all in code of others. */
static bool belongs(const candle_diagnostic *d, const candle_module *module)
{
    bool placed = false, primary = false, any = false;
    for (size_t i = 0; i < d->nspans; i++) {
        const candle_span *span = &d->spans[i];
        placed = placed || (span->primary && in_modules(span));
        primary = primary || (span->primary && in_module(span, module));
        any = any || in_module(span, module);
    }
    return placed ? primary : any;
}

/* Copies what rustc prints, with "..." for the folder in which cargo keeps the sources of
 * crates: it differs from machine to machine. */
static char *without_folders(const char *rendered)
{
    static const char registry[] = "/registry/src/";
    parity_buffer out = {0};
    const char *from = rendered ? rendered : "";
    for (const char *hit; (hit = strstr(from, registry));) {
        const char *start = hit, *end = strchr(hit + sizeof registry - 1, '/');
        while (start > from && !isspace((unsigned char)start[-1]))
            start--;
        parity_buffer_add(&out, from, (size_t)(start - from));
        parity_buffer_text(&out, "...");
        from = end ? end : hit + sizeof registry - 1;
    }
    parity_buffer_text(&out, from);
    return parity_buffer_take(&out);
}

static void refuse(parity_outcome *out, const candle_diagnostic *d, parity_pos pos)
{
    if (out->kind == PARITY_REFUSED)
        return; /* the first error counts */
    parity_outcome_set(out, PARITY_REFUSED, d->code ? d->code : "error", d->message, pos);
    out->detail = without_folders(d->rendered);
}

/* The observation that an error touches, or PARITY_NONE; else its place in the program.
 */
static size_t place(const candle_diagnostic *d, const candle_module *module,
                    const parity_case *test, parity_pos *pos)
{
    bool found = false;
    *pos = candle_program_end(test);
    for (size_t i = 0; i < d->nspans; i++) {
        const candle_span *span = &d->spans[i];
        parity_pos here;
        size_t observation;
        if (!in_module(span, module))
            continue;
        candle_region region =
            candle_locate(module, span->line, span->column, &here, &observation);
        if (region == CANDLE_OBSERVATION)
            return observation;
        if (region == CANDLE_PROGRAM && !found) {
            *pos = here;
            found = true;
        }
    }
    return PARITY_NONE;
}

bool candle_blame(parity_outcome *program, parity_outcome *refused,
                  const candle_module *module, const parity_case *test,
                  const candle_diagnostics *diagnostics)
{
    /* What brackets left open do to the lines behind the program is the program's. */
    bool whole = candle_unbalanced(test->program[PARITY_CANDLE].text) != NULL;
    bool any = false;
    for (size_t i = 0; i < diagnostics->count; i++) {
        const candle_diagnostic *d = &diagnostics->items[i];
        parity_pos pos;
        if (!belongs(d, module))
            continue;
        size_t observation = place(d, module, test, &pos);
        if (observation == PARITY_NONE || whole)
            refuse(program, d, pos);
        else
            refuse(&refused[observation], d, (parity_pos){0, 0});
        any = true;
    }
    return any;
}

bool candle_blame_alone(parity_outcome *program, const candle_diagnostics *diagnostics)
{
    if (diagnostics->count == 0)
        return false;
    refuse(program, &diagnostics->items[0], (parity_pos){0, 0});
    return true;
}
