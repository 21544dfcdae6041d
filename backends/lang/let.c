/* let: what it takes out of its initializer, and what it makes live as long as the name.
 */
#include "backends/lang/interp.h"

static bool is_place(const lang_expr *e)
{
    return e->kind == LANG_EXPR_PATH || e->kind == LANG_EXPR_FIELD ||
           e->kind == LANG_EXPR_INDEX ||
           (e->kind == LANG_EXPR_UNARY && e->name[0] == '*');
}

/* `let (a, _) = t;` moves only a part of t. */
static bool skips(const lang_pattern *pattern)
{
    if (pattern->kind == LANG_PATTERN_WILD)
        return true;
    for (size_t i = 0; pattern->kind == LANG_PATTERN_TUPLE && i < pattern->nitems; i++)
        if (skips(pattern->items[i]))
            return true;
    return false;
}

/* Something that is made where it is borrowed, other than literals, which live for ever.
 */
static bool borrows_temporary(const lang_expr *e)
{
    switch (e->kind) {
    case LANG_EXPR_PATH:
    case LANG_EXPR_NUMBER:
    case LANG_EXPR_BOOL:
    case LANG_EXPR_TEXT:
        return false;
    case LANG_EXPR_UNARY:
        return e->name[0] != '*' && borrows_temporary(e->a);
    case LANG_EXPR_FIELD:
    case LANG_EXPR_INDEX:
        return borrows_temporary(e->a);
    case LANG_EXPR_TUPLE:
    case LANG_EXPR_ARRAY:
        for (size_t i = 0; i < e->nitems; i++)
            if (borrows_temporary(e->items[i]))
                return true;
        return e->vec;
    default:
        return true;
    }
}

/* Does Rust lengthen the life of a temporary somewhere inside this initializer? The core
 * does it for `let x = &…` alone. */
static bool extends_inside(const lang_expr *e)
{
    if (!e)
        return false;
    switch (e->kind) {
    case LANG_EXPR_REF:
        return borrows_temporary(e->a) || extends_inside(e->a);
    case LANG_EXPR_TUPLE:
    case LANG_EXPR_ARRAY:
    case LANG_EXPR_STRUCT:
        for (size_t i = 0; !e->vec && i < e->nitems; i++)
            if (extends_inside(e->items[i]))
                return true;
        return false;
    case LANG_EXPR_IF:
        return extends_inside(e->block->tail) || extends_inside(e->b);
    case LANG_EXPR_BLOCK:
        return extends_inside(e->block->tail);
    case LANG_EXPR_CAST:
        return extends_inside(e->a);
    default:
        return false;
    }
}

/* `let (a, _) = t;` of a t that is Copy; else a part of it would stay behind. */
static lang_flow take_apart(lang_interp *it, const lang_stmt *stmt)
{
    lang_place place;
    lang_value value;
    lang_flow flow = lang_eval_place(it, stmt->expr, false, &place);
    if (flow)
        return flow;
    if (place.cell->state == LANG_LIVE && !lang_is_copy(&place.cell->value))
        flow = lang_refuse(it, stmt->pos,
                           "a pattern that leaves a part of the value where it is, is "
                           "outside what the core interprets");
    if (!flow)
        flow = lang_use(it, &place, stmt->expr->pos, &value);
    lang_cell_unref(place.cell);
    return flow ? flow : lang_bind_pattern(it, stmt->pattern, stmt->type, value);
}

lang_flow lang_run_let(lang_interp *it, const lang_stmt *stmt)
{
    lang_value value;
    if (!stmt->expr) {
        if (stmt->pattern->kind != LANG_PATTERN_NAME)
            return lang_refuse(it, stmt->pos, "a pattern without a value");
        lang_cell *cell = lang_cell_new(lang_unit());
        cell->state = LANG_EMPTY;
        cell->type = stmt->type;
        lang_bind(it, stmt->pattern->name, cell);
        return LANG_GO;
    }
    if (stmt->pattern->kind == LANG_PATTERN_WILD && is_place(stmt->expr)) {
        /* `let _ = x;` does not use x */
        lang_place place;
        lang_flow flow = lang_eval_place(it, stmt->expr, false, &place);
        if (!flow)
            lang_cell_unref(place.cell);
        return flow;
    }
    if (is_place(stmt->expr) && skips(stmt->pattern))
        return take_apart(it, stmt);
    const lang_expr *inside =
        stmt->expr->kind == LANG_EXPR_REF ? stmt->expr->a : stmt->expr;
    if (extends_inside(inside))
        return lang_refuse(it, inside->pos,
                           "a temporary that lives as long as the name, inside of a "
                           "larger value; give it a name of its own");
    /* what is borrowed here lives as long as the name (temporary lifetime extension) */
    lang_flow flow = stmt->expr->kind == LANG_EXPR_REF
                         ? lang_eval_ref(it, stmt->expr, true, &value)
                         : lang_eval_hinted(it, stmt->expr, stmt->type, &value);
    return flow ? flow : lang_bind_pattern(it, stmt->pattern, stmt->type, value);
}
