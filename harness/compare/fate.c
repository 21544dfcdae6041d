/* What became of a snapshot: it follows the subject, keeps what the subject was, or
 * neither. */
#include "harness/base/memory.h"
#include "harness/compare/judge.h"

static const parity_value *value_of(const parity_run *run, size_t observe)
{
    if (observe == PARITY_NONE || observe >= run->nobserved ||
        run->observed[observe].kind != PARITY_VALUE)
        return NULL;
    return run->observed[observe].value;
}

static size_t snapshot_of(const parity_template *text)
{
    for (size_t i = 0; i < text->npieces; i++)
        if (!text->pieces[i].literal)
            return text->pieces[i].observe;
    return PARITY_NONE;
}

static parity_fate fate_in(const parity_case *test, const parity_row *row,
                           const parity_run *run, parity_language language)
{
    if (row->of == PARITY_NONE)
        return PARITY_FATE_NONE;
    const parity_subject *subject = &test->subjects[row->of];
    const parity_value *snapshot = value_of(run, snapshot_of(&row->text[language]));
    const parity_value *was = value_of(run, subject->was[language]);
    const parity_value *now = value_of(run, subject->now[language]);
    if (!snapshot || !was || !now || parity_same_value(was, now))
        return PARITY_FATE_NONE;
    if (parity_same_value(snapshot, now))
        return PARITY_FOLLOWS;
    return parity_same_value(snapshot, was) ? PARITY_KEEPS : PARITY_NEITHER;
}

void parity_fates(parity_judging *judging)
{
    const parity_case *test = judging->test;
    judging->result->fates = parity_alloc((test->nrows * judging->ncolumns + 1) *
                                          sizeof *judging->result->fates);
    for (size_t row = 0; row < test->nrows; row++)
        for (size_t column = 0; column < judging->ncolumns; column++)
            judging->result->fates[row * judging->ncolumns + column] =
                fate_in(test, &test->rows[row], &judging->result->runs[column],
                        judging->columns[column].engine->language);
}

parity_fate parity_fate_of(const parity_judging *judging, size_t row, size_t column)
{
    return column == PARITY_NONE
               ? PARITY_FATE_NONE
               : judging->result->fates[row * judging->ncolumns + column];
}
