#include "harness/pages/view.h"
#include "harness/load/form.h"
#include "harness/load/load.h"

#include <stdlib.h>
#include <string.h>

bool parity_region_wants(const parity_region *region, const parity_case *test)
{
    bool wanted = region->cases.count == 0;
    for (size_t i = 0; i < region->cases.count; i++)
        wanted = wanted || parity_case_matches(test, region->cases.items[i].text);
    return wanted;
}

static int no_such(const parity_page *page, const parity_word *word, const char *what,
                   const char *const *known, size_t count, parity_error *error)
{
    parity_hint hint;
    return parity_fail_at(error, page->file, word->pos, "there is no %s `%s`%s", what,
                          word->text, parity_suggest(&hint, word->text, known, count));
}

static int check_case(const parity_page *page, const parity_word *word,
                      const parity_case *const *cases, size_t ncases, parity_error *error)
{
    const char **ids = parity_alloc((ncases + 1) * sizeof *ids);
    bool found = false;
    for (size_t i = 0; i < ncases; i++) {
        ids[i] = cases[i]->id;
        found = found || parity_case_matches(cases[i], word->text);
    }
    int status = found ? 0 : no_such(page, word, "case", ids, ncases, error);
    free(ids);
    return status;
}

static size_t row_of(const parity_case *test, const char *id)
{
    for (size_t i = 0; i < test->nrows; i++)
        if (strcmp(test->rows[i].id, id) == 0)
            return i;
    return PARITY_NONE;
}

static int check_row(const parity_page *page, const parity_region *region,
                     const parity_word *word, const parity_case *const *cases,
                     size_t ncases, parity_error *error)
{
    const char **ids = NULL;
    size_t count = 0, capacity = 0;
    bool found = false;
    for (size_t i = 0; i < ncases; i++) {
        if (!parity_region_wants(region, cases[i]))
            continue;
        found = found || row_of(cases[i], word->text) != PARITY_NONE;
        for (size_t r = 0; r < cases[i]->nrows; r++) {
            PARITY_GROW(ids, count, capacity);
            ids[count++] = cases[i]->rows[r].id;
        }
    }
    int status = found ? 0 : no_such(page, word, "row", ids, count, error);
    free(ids);
    return status;
}

int parity_region_check(const parity_page *page, const parity_region *region,
                        const parity_case *const *cases, size_t ncases,
                        parity_error *error)
{
    const parity_words *rows = &region->value[PARITY_KEY_ROWS];
    for (size_t i = 0; i < region->cases.count; i++)
        if (check_case(page, &region->cases.items[i], cases, ncases, error))
            return -1;
    for (size_t i = 0; i < rows->count; i++)
        if (check_row(page, region, &rows->items[i], cases, ncases, error))
            return -1;
    return 0;
}

typedef struct maker {
    parity_view *view;
    const parity_result *whole;
    const parity_page *page;
    const parity_region *region;
    parity_error *error;
    size_t *columns; /* of the whole result, in the order of the view */
    size_t ncolumns;
    size_t *new_column; /* of the view, or PARITY_NONE */
} maker;

static bool has_outcome(const maker *m, size_t column)
{
    for (size_t i = 0; i < m->whole->ncases; i++)
        if (parity_region_wants(m->region, m->whole->cases[i].test) &&
            m->whole->cases[i].runs[column].end.kind != PARITY_ABSENT)
            return true;
    return false;
}

static void take_column(maker *m, size_t column)
{
    if (m->new_column[column] != PARITY_NONE || !has_outcome(m, column))
        return;
    m->new_column[column] = m->ncolumns;
    m->columns[m->ncolumns++] = column;
}

/* Why a column that is there shows nothing. */
static const char *reason(const maker *m, size_t column)
{
    if (m->whole->columns[column].absent)
        return m->whole->columns[column].absent;
    for (size_t i = 0; i < m->whole->ncases; i++) {
        const parity_outcome *end = &m->whole->cases[i].runs[column].end;
        if (parity_region_wants(m->region, m->whole->cases[i].test) && end->text)
            return end->text;
    }
    return "it did not run";
}

static int take_named(maker *m, const parity_word *word)
{
    size_t before = m->ncolumns, silent = PARITY_NONE;
    const char **ids = parity_alloc((m->whole->ncolumns + 1) * sizeof *ids);
    for (size_t i = 0; i < m->whole->ncolumns; i++) {
        ids[i] = m->whole->columns[i].id;
        if (!parity_column_matches(&m->whole->columns[i], word->text))
            continue;
        silent = i;
        take_column(m, i);
    }
    int status = 0;
    if (silent == PARITY_NONE)
        status = no_such(m->page, word, "column", ids, m->whole->ncolumns, m->error);
    else if (before == m->ncolumns && m->new_column[silent] == PARITY_NONE)
        status =
            parity_fail_at(m->error, m->page->file, word->pos, "%s has no outcome: %s",
                           m->whole->columns[silent].id, reason(m, silent));
    free(ids);
    return status;
}

static int take_columns(maker *m)
{
    const parity_words *words = &m->region->value[PARITY_KEY_COLUMN];
    for (size_t i = 0; i < m->whole->ncolumns; i++)
        m->new_column[i] = PARITY_NONE;
    for (size_t i = 0; i < words->count; i++)
        if (take_named(m, &words->items[i]))
            return -1;
    for (size_t i = 0; i < m->whole->ncolumns && !words->count; i++)
        if (m->whole->columns[i].engine->judge)
            take_column(m, i);
    if (!m->ncolumns)
        return parity_fail_at(
            m->error, m->page->file, m->region->pos,
            "no judge (candle, PyTorch) is here and nothing is recorded");
    m->view->result.ncolumns = m->ncolumns;
    m->view->result.columns =
        parity_arena_alloc(m->view->arena, m->ncolumns * sizeof *m->view->result.columns);
    for (size_t i = 0; i < m->ncolumns; i++) {
        m->view->result.columns[i] = m->whole->columns[m->columns[i]];
        m->view->result.columns[i].background = false;
    }
    return 0;
}

/* Rows of the whole case in the order of the view. */
static size_t *take_rows(const maker *m, const parity_case *test, size_t *count)
{
    const parity_words *words = &m->region->value[PARITY_KEY_ROWS];
    size_t *rows = parity_arena_alloc(m->view->arena,
                                      (test->nrows + words->count + 1) * sizeof *rows);
    *count = 0;
    for (size_t i = 0; i < words->count; i++)
        if (row_of(test, words->items[i].text) != PARITY_NONE)
            rows[(*count)++] = row_of(test, words->items[i].text);
    for (size_t i = 0; i < test->nrows && !words->count; i++)
        rows[(*count)++] = i;
    return rows;
}

static size_t place_of(const size_t *rows, size_t count, size_t row)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i] == row)
            return i;
    return PARITY_NONE;
}

static void take_verdicts(const maker *m, parity_case_result *out,
                          const parity_case_result *one, const size_t *rows, size_t nrows)
{
    out->verdicts =
        parity_arena_alloc(m->view->arena, (one->nverdicts + 1) * sizeof *out->verdicts);
    out->nverdicts = 0;
    for (size_t i = 0; i < one->nverdicts; i++) {
        parity_verdict verdict = one->verdicts[i];
        bool program = verdict.row == PARITY_NONE, alone = verdict.right == PARITY_NONE;
        if (!program)
            verdict.row = place_of(rows, nrows, verdict.row);
        verdict.left = m->new_column[verdict.left];
        if (!alone)
            verdict.right = m->new_column[verdict.right];
        if (verdict.left == PARITY_NONE || (!alone && verdict.right == PARITY_NONE) ||
            (!program && verdict.row == PARITY_NONE))
            continue;
        out->verdicts[out->nverdicts++] = verdict;
    }
}

static void take_case(const maker *m, const parity_case_result *one)
{
    parity_arena *arena = m->view->arena;
    parity_case_result *out = &m->view->result.cases[m->view->result.ncases++];
    parity_case *test = parity_arena_alloc(arena, sizeof *test);
    size_t *rows = take_rows(m, one->test, &test->nrows), nrows = test->nrows;
    *test = *one->test;
    test->nrows = nrows;
    test->rows = parity_arena_alloc(arena, (nrows + 1) * sizeof *test->rows);
    *out = (parity_case_result){.test = test};
    out->runs = parity_arena_alloc(arena, m->ncolumns * sizeof *out->runs);
    out->fates =
        parity_arena_alloc(arena, (nrows * m->ncolumns + 1) * sizeof *out->fates);
    for (size_t c = 0; c < m->ncolumns; c++)
        out->runs[c] = one->runs[m->columns[c]];
    for (size_t r = 0; r < nrows; r++) {
        test->rows[r] = one->test->rows[rows[r]];
        for (size_t c = 0; c < m->ncolumns; c++)
            out->fates[r * m->ncolumns + c] =
                one->fates[rows[r] * m->whole->ncolumns + m->columns[c]];
    }
    take_verdicts(m, out, one, rows, nrows);
}

int parity_view_make(parity_view *view, const parity_result *whole,
                     const parity_page *page, const parity_region *region,
                     parity_error *error)
{
    *view = (parity_view){.arena = parity_arena_new()};
    view->result.seconds = whole->seconds;
    view->result.started = whole->started;
    maker m = {.view = view,
               .whole = whole,
               .page = page,
               .region = region,
               .error = error,
               .columns = parity_alloc((whole->ncolumns + 1) * sizeof *m.columns),
               .new_column = parity_alloc((whole->ncolumns + 1) * sizeof *m.new_column)};
    int status = take_columns(&m);
    view->result.cases =
        parity_arena_alloc(view->arena, (whole->ncases + 1) * sizeof *view->result.cases);
    for (size_t i = 0; i < whole->ncases && !status; i++)
        if (parity_region_wants(region, whole->cases[i].test))
            take_case(&m, &whole->cases[i]);
    free(m.columns);
    free(m.new_column);
    return status;
}

void parity_view_free(parity_view *view)
{
    parity_arena_free(view->arena);
    *view = (parity_view){0};
}
