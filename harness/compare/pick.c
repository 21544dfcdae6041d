/* Which column speaks for a language on a device. */
#include "harness/compare/departure.h"
#include "harness/compare/judge.h"

#include <string.h>

bool parity_column_usable(const parity_judging *judging, size_t column)
{
    const parity_column *one = &judging->columns[column];
    return (one->recorded || !one->absent) &&
           judging->result->runs[column].end.kind != PARITY_ABSENT;
}

static bool has_record(const parity_judging *judging, const char *column)
{
    for (size_t i = 0; i < judging->nrecords; i++)
        if (strcmp(judging->records[i]->column, column) == 0)
            return true;
    return false;
}

/* "candle@0.8.2/cpu" and "candle@0.11.0/cpu" differ in the version only. */
static bool other_version(const char *left, const char *right)
{
    const char *slash[2] = {strrchr(left, '/'), strrchr(right, '/')};
    size_t length = strcspn(left, "@/");
    return slash[0] && slash[1] && strcspn(right, "@/") == length &&
           strncmp(left, right, length) == 0 && strcmp(slash[0], slash[1]) == 0 &&
           strcmp(left, right) != 0;
}

/* Whether the case was recorded with another version of this column and not with this
 * one. */
static bool is_other_version(const parity_judging *judging, const parity_column *column)
{
    if (has_record(judging, column->id))
        return false;
    for (size_t i = 0; i < judging->nrecords; i++)
        if (other_version(judging->records[i]->column, column->id))
            return true;
    return false;
}

static int rank(const parity_judging *judging, size_t index, bool stand_in)
{
    const parity_column *column = &judging->columns[index];
    if (!column->engine->judge)
        return stand_in ? 1 : 0;
    return is_other_version(judging, column) ? 2 : 3;
}

static const char *reason_of(const parity_judging *judging, size_t column)
{
    const parity_outcome *end = &judging->result->runs[column].end;
    return judging->columns[column].absent && !judging->columns[column].recorded
               ? judging->columns[column].absent
           : end->text ? end->text
                       : "no outcome";
}

static bool fits(const parity_column *column, parity_language language,
                 const char *device, const char *version)
{
    return column->engine->language == language &&
           parity_same_device(column->device, device) &&
           (!version || !column->version ||
            parity_version_compare(version, column->version) == 0);
}

size_t parity_pick(const parity_judging *judging, parity_language language,
                   const char *device, const char *version, bool stand_in,
                   parity_buffer *why)
{
    size_t best = PARITY_NONE;
    int best_rank = 0;
    for (size_t i = 0; i < judging->ncolumns; i++) {
        int one = rank(judging, i, stand_in);
        if (one > best_rank && fits(&judging->columns[i], language, device, version) &&
            parity_column_usable(judging, i)) {
            best = i;
            best_rank = one;
        }
    }
    if (best != PARITY_NONE)
        return best;
    for (size_t i = 0; i < judging->ncolumns; i++)
        if (judging->columns[i].engine->judge &&
            fits(&judging->columns[i], language, device, version)) {
            parity_buffer_printf(why, "%s: %s", judging->columns[i].id,
                                 reason_of(judging, i));
            return PARITY_NONE;
        }
    parity_buffer_printf(why, "no column of %s%s%s on %.*s, neither live nor recorded",
                         parity_language_name(language), version ? " " : "",
                         version ? version : "", (int)parity_device_length(device),
                         device);
    return PARITY_NONE;
}
