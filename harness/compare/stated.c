/* How programs end, against what the case says about it. */
#include "harness/compare/departure.h"
#include "harness/compare/judge.h"
#include "harness/load/load.h"

#include <string.h>

/* Bytes from the start of a text to a place in it; past the end: -1. */
static ptrdiff_t offset_of(const char *text, parity_pos pos)
{
    const char *p = text;
    for (int line = 1; line < pos.line; line++) {
        p = strchr(p, '\n');
        if (!p)
            return -1;
        p++;
    }
    for (int column = 1; column < pos.column && *p && *p != '\n'; column++)
        parity_next_character(&p);
    return p - text;
}

static bool place_in(const char *program, const char *at, parity_pos pos)
{
    ptrdiff_t offset = pos.line > 0 ? offset_of(program, pos) : -1;
    size_t length = strlen(at);
    for (const char *p = strstr(program, at); p && length; p = strstr(p + 1, at))
        if (offset >= p - program && offset < p - program + (ptrdiff_t)length)
            return true;
    return false;
}

static void add_stated(parity_buffer *out, const parity_ends *ends)
{
    if (ends->kind == PARITY_VALUE) {
        parity_buffer_text(out, "runs through");
        return;
    }
    parity_buffer_text(out, parity_outcome_name(ends->kind));
    if (ends->type)
        parity_buffer_printf(out, " %s", ends->type);
    if (ends->text)
        parity_buffer_printf(out, " with \"%s\"", ends->text);
}

bool parity_ends_hold(const parity_ends *ends, const parity_outcome *end,
                      const char *program, parity_buffer *why)
{
    bool same = ends->kind == end->kind &&
                (!ends->type || (end->type && strcmp(ends->type, end->type) == 0)) &&
                (!ends->text || (end->text && strstr(end->text, ends->text)));
    bool slip =
        same && !ends->text && end->kind == PARITY_ERROR && parity_is_slip(end->type);
    if (!same || slip) {
        parity_buffer_text(why, "stated: ");
        add_stated(why, ends);
        parity_buffer_text(why, "; it was: ");
        parity_ending_text(why, end);
        if (slip)
            parity_buffer_text(why,
                               ", which tells of a slip in the program; if it is meant, "
                               "state its text");
        return false;
    }
    if (!ends->at || (program && place_in(program, ends->at, end->pos)))
        return true;
    if (end->pos.line > 0)
        parity_buffer_printf(
            why, "stated at '%s', reported at line %d, column %d of the program",
            ends->at, end->pos.line, end->pos.column);
    else
        parity_buffer_printf(why, "stated at '%s', but no place was reported", ends->at);
    return false;
}

static const parity_ends *departing_end(const parity_departure *departures, size_t count,
                                        const parity_column *column,
                                        parity_departs departs)
{
    const parity_departure *departure = departs(departures, count, column);
    return departure && departure->has_ends ? &departure->ends : NULL;
}

/* What the case says about the end of the program in this column: a departure goes first.
 */
static const parity_ends *stated_end(const parity_case *test, const parity_column *column)
{
    for (size_t i = 0; i <= test->nrows; i++) {
        const parity_departure *devices = i ? test->rows[i - 1].devices : test->devices;
        const parity_departure *versions =
            i ? test->rows[i - 1].versions : test->versions;
        size_t ndevices = i ? test->rows[i - 1].ndevices : test->ndevices;
        size_t nversions = i ? test->rows[i - 1].nversions : test->nversions;
        const parity_ends *ends =
            departing_end(devices, ndevices, column, parity_device_departure);
        if (!ends)
            ends = departing_end(versions, nversions, column, parity_version_departure);
        if (ends)
            return ends;
    }
    return &test->ends[column->engine->language];
}

/* Where nothing is stated the place of interest is where the program ended. */
static void point_at_end(parity_judging *judging, const parity_program *program,
                         parity_pos end)
{
    parity_verdict *verdict = &judging->result->verdicts[judging->result->nverdicts - 1];
    if (verdict->state == PARITY_UNDOCUMENTED && end.line > 0)
        verdict->pos = parity_program_pos(program, end);
}

static void judge_column(parity_judging *judging, size_t index)
{
    const parity_column *column = &judging->columns[index];
    parity_side side = parity_side_of(judging, index);
    const parity_outcome *end = &side.run->end;
    const parity_ends *ends = stated_end(judging->test, column);
    parity_buffer why = {0};
    parity_state state = PARITY_AGREE;
    if (parity_unjudgeable(&why, &side, end)) {
        state = PARITY_NOT_JUDGED;
    } else if (!parity_ends_hold(ends, end, judging->test->program[side.language].text,
                                 &why)) {
        parity_buffer_printf(&why, " (%s)", column->id);
        state = ends->kind == PARITY_VALUE ? PARITY_UNDOCUMENTED : PARITY_CHANGED;
    }
    /* Of an engine that is no judge, fidelity tells what it does not do; and only a
     * compiler can refuse a program. */
    bool silent = !column->engine->judge &&
                  (state == PARITY_NOT_JUDGED ||
                   (ends->kind == PARITY_REFUSED && end->kind != PARITY_REFUSED));
    /* That a program runs through as nearly all do is not worth a verdict of its own. */
    if (!silent && (state != PARITY_AGREE || ends->kind != PARITY_VALUE)) {
        parity_verdict_add(judging, PARITY_STATED, state, PARITY_NONE, index, PARITY_NONE,
                           why.data);
        point_at_end(judging, &judging->test->program[side.language], end->pos);
    }
    parity_buffer_free(&why);
}

/* What kept an observation of a judge from being made is a slip in the case, unless the
 * row says in `finding:` that the language has no such thing. */
static void judge_slips(parity_judging *judging, size_t index)
{
    const parity_case *test = judging->test;
    parity_side side = parity_side_of(judging, index);
    for (size_t row = 0; row < test->nrows; row++) {
        const parity_template *text = &test->rows[row].text[side.language];
        for (size_t i = 0; i < text->npieces; i++) {
            if (text->pieces[i].literal || test->rows[row].finding.en)
                continue;
            size_t observe = text->pieces[i].observe;
            const parity_outcome *seen = parity_side_outcome(&side, observe);
            bool early = seen->kind == PARITY_NOT_REACHED &&
                         side.run->end.kind == PARITY_VALUE; /* return Ok(()) */
            bool slip = early || seen->kind == PARITY_REFUSED ||
                        (seen->kind == PARITY_ERROR && parity_is_slip(seen->type));
            if (!slip)
                continue;
            parity_buffer why = {0};
            parity_buffer_printf(&why,
                                 "{%s}: ", test->observe[side.language][observe].text);
            if (early)
                parity_buffer_text(&why, "the program returned before it could be seen");
            else
                parity_ending_text(&why, seen);
            parity_buffer_printf(&why, " (%s)", side.name);
            parity_verdict_add(judging, PARITY_STATED, PARITY_UNDOCUMENTED, row, index,
                               PARITY_NONE, why.data);
            parity_buffer_free(&why);
            break;
        }
    }
}

void parity_judge_stated(parity_judging *judging)
{
    for (size_t i = 0; i < judging->ncolumns; i++)
        if (!judging->columns[i].background && parity_column_usable(judging, i)) {
            judge_column(judging, i);
            if (judging->columns[i].engine->judge)
                judge_slips(judging, i);
        }
}
