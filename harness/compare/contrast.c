/* candle against PyTorch on the same device: the relation whose differences are the
 * product. */
#include "harness/compare/departure.h"
#include "harness/compare/judge.h"

#include <string.h>

/* Errors are compared by kind; everything else that ends a program early is a kind of its
 * own. */
static void judge_program(parity_judging *judging, const parity_side *candle,
                          const parity_side *torch)
{
    const parity_outcome *ends[2] = {&candle->run->end, &torch->run->end};
    bool explained = judging->test->finding.en != NULL;
    parity_buffer why = {0};
    parity_state state = PARITY_NOT_JUDGED;
    if (ends[0]->kind == PARITY_VALUE && ends[1]->kind == PARITY_VALUE && !explained)
        return;
    if (!parity_unjudgeable(&why, candle, ends[0]) &&
        !parity_unjudgeable(&why, torch, ends[1])) {
        bool differs = ends[0]->kind != ends[1]->kind;
        parity_ending_text(&why, ends[0]);
        parity_buffer_printf(&why, " (%s) against ", candle->name);
        parity_ending_text(&why, ends[1]);
        parity_buffer_printf(&why, " (%s)", torch->name);
        state = parity_settle(differs, explained, false);
    }
    parity_verdict_add(judging, PARITY_CONTRAST, state, PARITY_NONE, candle->column,
                       torch->column, why.data);
    parity_buffer_free(&why);
}

/* The observation of the other language that belongs to a piece: the same name, or the
 * same place among those without a name. PARITY_NONE: there is none. */
static size_t partner_of(const parity_case *test, const parity_row *row, size_t piece,
                         parity_language from, parity_language to)
{
    const parity_template *here = &row->text[from], *there = &row->text[to];
    const char *name = test->observe[from][here->pieces[piece].observe].name;
    size_t place = 0;
    for (size_t i = 0; i < piece; i++)
        place += !here->pieces[i].literal &&
                 !test->observe[from][here->pieces[i].observe].name;
    for (size_t i = 0; i < there->npieces; i++) {
        if (there->pieces[i].literal)
            continue;
        const char *other = test->observe[to][there->pieces[i].observe].name;
        if (name ? other && strcmp(name, other) == 0 : !other && place-- == 0)
            return there->pieces[i].observe;
    }
    return PARITY_NONE;
}

static parity_match match_pair(const parity_case *test, const parity_row *row,
                               const parity_side *candle, const parity_side *torch,
                               size_t piece, parity_buffer *why)
{
    size_t left = row->text[PARITY_CANDLE].pieces[piece].observe;
    size_t right = partner_of(test, row, piece, PARITY_CANDLE, PARITY_TORCH);
    if (right == PARITY_NONE) {
        parity_buffer_printf(why, "{%s} has no counterpart in the torch row",
                             test->observe[PARITY_CANDLE][left].text);
        return PARITY_INCOMPARABLE;
    }
    const parity_outcome *l = parity_side_outcome(candle, left);
    const parity_outcome *r = parity_side_outcome(torch, right);
    if (parity_unjudgeable(why, candle, l) || parity_unjudgeable(why, torch, r))
        return PARITY_INCOMPARABLE;
    parity_buffer text = {0};
    parity_comparison ask = {.across = true,
                             .bound = row->bound ? parity_bound_find(row->bound) : NULL,
                             .names = {candle->name, torch->name},
                             .style = {&parity_style_rust, &parity_style_python},
                             .why = &text};
    parity_match match = parity_match_outcomes(&ask, l, r);
    if (match != PARITY_EQUAL && parity_observations(&row->text[PARITY_CANDLE]) > 1)
        parity_buffer_printf(why, "{%s}: ", test->observe[PARITY_CANDLE][left].text);
    if (match != PARITY_EQUAL)
        parity_buffer_add(why, text.data, text.length);
    parity_buffer_free(&text);
    return match;
}

/* A difference anywhere in the row decides; else one pair that cannot be compared leaves
 * the row open. */
static parity_match match_row(const parity_case *test, const parity_row *row,
                              const parity_side *candle, const parity_side *torch,
                              parity_buffer *why)
{
    parity_match worst = PARITY_EQUAL;
    const parity_template *text = &row->text[PARITY_CANDLE];
    for (size_t i = 0; i < text->npieces; i++) {
        if (text->pieces[i].literal)
            continue;
        parity_buffer one = {0};
        parity_match match = match_pair(test, row, candle, torch, i, &one);
        bool news = match == PARITY_DIFFERENT ||
                    (match == PARITY_INCOMPARABLE && worst == PARITY_EQUAL);
        if (news) {
            parity_buffer_free(why);
            parity_buffer_add(why, one.data, one.length);
            worst = match;
        }
        parity_buffer_free(&one);
        if (match == PARITY_DIFFERENT)
            break;
    }
    if (worst == PARITY_EQUAL &&
        parity_observations(text) < parity_observations(&row->text[PARITY_TORCH])) {
        parity_buffer_text(why, "the torch row observes more than the candle row");
        worst = PARITY_INCOMPARABLE;
    }
    return worst;
}

static parity_match match_fates(const parity_judging *judging, size_t row,
                                const parity_side *candle, const parity_side *torch,
                                parity_match values, parity_buffer *why)
{
    const parity_row *one = &judging->test->rows[row];
    if (one->of == PARITY_NONE || values == PARITY_INCOMPARABLE)
        return values;
    parity_fate left = parity_fate_of(judging, row, candle->column);
    parity_fate right = parity_fate_of(judging, row, torch->column);
    if (left != PARITY_FATE_NONE && right != PARITY_FATE_NONE) {
        if (left == right)
            return values;
        parity_buffer text = {0};
        parity_buffer_printf(&text, "%s (%s) against %s (%s)", parity_fate_name(left),
                             candle->name, parity_fate_name(right), torch->name);
        if (why->length)
            parity_buffer_printf(&text, "; %s", why->data);
        parity_buffer_free(why);
        *why = text;
        return PARITY_DIFFERENT;
    }
    if (values == PARITY_DIFFERENT)
        return values;
    parity_buffer_printf(
        why, "subject %s did not change or was not seen (%s), so the fate cannot be told",
        judging->test->subjects[one->of].name,
        left == PARITY_FATE_NONE ? candle->name : torch->name);
    return PARITY_INCOMPARABLE;
}

static void judge_row(parity_judging *judging, size_t row, const parity_side *candle,
                      const parity_side *torch)
{
    const parity_row *one = &judging->test->rows[row];
    parity_buffer why = {0};
    parity_match match = match_row(judging->test, one, candle, torch, &why);
    match = match_fates(judging, row, candle, torch, match, &why);
    parity_state state =
        match == PARITY_INCOMPARABLE
            ? PARITY_NOT_JUDGED
            : parity_settle(match == PARITY_DIFFERENT, one->finding.en != NULL, false);
    parity_verdict_add(judging, PARITY_CONTRAST, state, row, candle->column,
                       torch->column, why.data);
    parity_buffer_free(&why);
}

static void judge_device(parity_judging *judging, const char *device)
{
    const parity_case *test = judging->test;
    parity_buffer why = {0};
    size_t candle = parity_pick(judging, PARITY_CANDLE, device, NULL, true, &why);
    size_t torch = candle == PARITY_NONE
                       ? PARITY_NONE
                       : parity_pick(judging, PARITY_TORCH, device, NULL, true, &why);
    if (candle == PARITY_NONE || torch == PARITY_NONE) {
        if (strcmp(device, "cpu") == 0)
            parity_verdict_add(judging, PARITY_CONTRAST, PARITY_NOT_JUDGED, PARITY_NONE,
                               candle == PARITY_NONE ? 0 : candle, PARITY_NONE, why.data);
    } else if (!judging->columns[candle].background ||
               !judging->columns[torch].background) {
        parity_side left = parity_side_of(judging, candle),
                    right = parity_side_of(judging, torch);
        judge_program(judging, &left, &right);
        for (size_t row = 0; row < test->nrows; row++)
            if (parity_observations(&test->rows[row].text[PARITY_CANDLE]) &&
                parity_observations(&test->rows[row].text[PARITY_TORCH]))
                judge_row(judging, row, &left, &right);
    }
    parity_buffer_free(&why);
}

void parity_judge_contrast(parity_judging *judging)
{
    const parity_case *test = judging->test;
    if (!test->program[PARITY_CANDLE].text || !test->program[PARITY_TORCH].text)
        return;
    for (size_t i = 0; i < judging->ncolumns; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++)
            seen = seen || parity_same_device(judging->columns[i].device,
                                              judging->columns[j].device);
        if (!seen)
            judge_device(judging, judging->columns[i].device);
    }
}
