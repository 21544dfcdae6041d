/* Expressions: operators by precedence, then what follows a value (`.f()`, `?`, `[i]`,
 * …). */
#include "backends/lang/parse.h"

#include <string.h>

lang_expr *lang_new_expr(lang_parser *p, lang_expr_kind kind, parity_pos pos)
{
    lang_expr *e = parity_arena_alloc(p->arena, sizeof *e);
    e->kind = kind;
    e->pos = pos;
    e->name = "";
    return e;
}

lang_expr *lang_finish_expr(lang_parser *p, lang_expr *e)
{
    unsigned depth = 0;
    if (e->a)
        depth = e->a->depth;
    if (e->b && e->b->depth > depth)
        depth = e->b->depth;
    for (size_t i = 0; i < e->nitems; i++)
        if (e->items[i]->depth > depth)
            depth = e->items[i]->depth;
    e->depth = depth + 1;
    if (e->depth > LANG_MAX_DEPTH)
        lang_fault(p, e->pos, "nested deeper than %d levels", LANG_MAX_DEPTH);
    return e;
}

void lang_parse_items(lang_parser *p, lang_expr *e, const char *close)
{
    lang_list items = {0};
    while (!p->failed && !lang_at(p, close)) {
        lang_list_add(p, &items, lang_parse_expr(p));
        if (!lang_accept(p, ","))
            break;
    }
    lang_expect(p, close);
    e->items = (lang_expr **)items.items;
    e->nitems = items.count;
}

static lang_expr *parse_turbofish_method(lang_parser *p, lang_expr *e)
{
    lang_list types = {0};
    if (lang_accept(p, "::")) {
        lang_expect(p, "<");
        lang_parse_type_args(p, &types);
    }
    e->types = (lang_type **)types.items;
    e->ntypes = types.count;
    lang_expect(p, "(");
    lang_parse_items(p, e, ")");
    return e;
}

static lang_expr *parse_dot(lang_parser *p, lang_expr *a)
{
    const lang_token *t = lang_peek(p, 0);
    lang_expr *e = lang_new_expr(p, LANG_EXPR_FIELD, t->pos);
    e->a = a;
    if (t->kind == LANG_INT && !t->suffix) {
        e->name = lang_intern(p->names, t->text, t->length);
        p->at++;
        return e;
    }
    if (lang_at_word(p, "await"))
        lang_outside(p, t->pos, "await");
    e->name = lang_name(p);
    if (lang_at(p, "::") || lang_at(p, "(")) {
        e->kind = LANG_EXPR_METHOD;
        parse_turbofish_method(p, e);
    }
    return e;
}

static lang_expr *parse_postfix(lang_parser *p, lang_expr *e)
{
    while (!p->failed) {
        parity_pos pos = lang_peek(p, 0)->pos;
        lang_expr *next;
        if (lang_accept(p, "?")) {
            next = lang_new_expr(p, LANG_EXPR_TRY, pos);
            next->a = e;
        } else if (lang_accept(p, ".")) {
            next = parse_dot(p, e);
        } else if (lang_accept(p, "(")) {
            next = lang_new_expr(p, LANG_EXPR_CALL, e->pos);
            next->a = e;
            lang_parse_items(p, next, ")");
        } else if (lang_accept(p, "[")) {
            next = lang_new_expr(p, LANG_EXPR_INDEX, e->pos);
            next->a = e;
            next->b = lang_parse_expr(p);
            lang_expect(p, "]");
        } else {
            break;
        }
        e = lang_finish_expr(p, next);
    }
    return e;
}

static lang_expr *parse_unary(lang_parser *p, bool structs)
{
    parity_pos pos = lang_peek(p, 0)->pos;
    if (!lang_enter(p))
        return lang_new_expr(p, LANG_EXPR_TUPLE, pos);
    lang_expr *e;
    const char *op = lang_at(p, "-")   ? "-"
                     : lang_at(p, "!") ? "!"
                     : lang_at(p, "*") ? "*"
                                       : NULL;
    if (op) {
        p->at++;
        e = lang_new_expr(p, LANG_EXPR_UNARY, pos);
        e->name = op;
        e->a = parse_unary(p, structs);
        if (*op == '-' && e->a->kind == LANG_EXPR_NUMBER && !e->a->parens &&
            !e->a->mutable) {
            /* -128i8 is one number; `mutable` marks that a minus was taken already. */
            lang_number *n = &e->a->number;
            n->i = -n->i, n->d = -n->d, n->s = -n->s;
            e->a->mutable = true;
            e->a->pos = pos;
            lang_leave(p);
            return e->a;
        }
    } else if (lang_accept_half(p, "&")) {
        e = lang_new_expr(p, LANG_EXPR_REF, pos);
        e->mutable = lang_accept_word(p, "mut");
        e->a = parse_unary(p, structs);
    } else {
        e = parse_postfix(p, lang_parse_primary(p, structs));
        lang_leave(p);
        return e;
    }
    lang_leave(p);
    return lang_finish_expr(p, e);
}

/* The levels of binary operators, loosest first. `>` comes from the lexer one at a time.
 */
static const char *const levels[][7] = {
    {"||"},       {"&&"},     {"==", "!=", "<=", ">=", "<", ">"},
    {"|"},        {"^"},      {"&"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
};
enum { LEVELS = sizeof levels / sizeof *levels, COMPARISON = 2 };

/* The operator at the next token and how many tokens it takes. */
static const char *binary_operator(const lang_parser *p, size_t *ntokens)
{
    const lang_token *t = lang_peek(p, 0), *next = lang_peek(p, 1),
                     *third = lang_peek(p, 2);
    *ntokens = 1;
    if (t->kind != LANG_PUNCT)
        return "";
    if (!lang_same(t->text, ">") || !t->glued || next->kind != LANG_PUNCT)
        return t->text;
    bool shift = lang_same(next->text, ">");
    if (shift && next->glued && third->kind == LANG_PUNCT &&
        lang_same(third->text, "=")) {
        *ntokens = 3;
        return ">>=";
    }
    if (!shift && !lang_same(next->text, "="))
        return t->text;
    *ntokens = 2;
    return shift ? ">>" : ">=";
}

static const char *operator_of_level(const char *op, int level)
{
    for (size_t i = 0; levels[level][i]; i++)
        if (lang_same(levels[level][i], op))
            return levels[level][i];
    return NULL;
}

static lang_expr *parse_cast(lang_parser *p, bool structs)
{
    lang_expr *e = parse_unary(p, structs);
    while (!p->failed && lang_at_word(p, "as")) {
        lang_expr *cast = lang_new_expr(p, LANG_EXPR_CAST, e->pos);
        p->at++;
        cast->a = e;
        cast->type = lang_parse_type(p);
        e = lang_finish_expr(p, cast);
    }
    return e;
}

lang_expr *lang_parse_level(lang_parser *p, int level, bool structs)
{
    if (level == LEVELS)
        return parse_cast(p, structs);
    lang_expr *e = lang_parse_level(p, level + 1, structs);
    size_t ntokens;
    const char *op;
    for (bool first = true;
         !p->failed && (op = operator_of_level(binary_operator(p, &ntokens), level));
         first = false) {
        if (level == COMPARISON && !first)
            lang_fault(p, lang_peek(p, 0)->pos, "comparisons cannot be chained");
        lang_expr *binary = lang_new_expr(p, LANG_EXPR_BINARY, e->pos);
        p->at += p->failed ? 0 : ntokens;
        size_t used = p->nused;
        binary->name = op;
        binary->a = e;
        binary->b = lang_parse_level(p, level + 1, structs);
        if (level < COMPARISON)
            binary->region = lang_new_region(p, used);
        e = lang_finish_expr(p, binary);
    }
    return e;
}

/* Does an expression begin here? For `a..` and `return`. */
static bool starts_expr(const lang_parser *p, bool structs)
{
    const lang_token *t = lang_peek(p, 0);
    if (t->kind == LANG_END)
        return false;
    if (t->kind != LANG_PUNCT)
        return !lang_at_word(p, "else");
    if (lang_same(t->text, "{"))
        return structs;
    return strchr("([&*-!|", t->text[0]) != NULL && !lang_same(t->text, "!=") &&
           !(t->text[1] == '=');
}

static lang_expr *parse_range(lang_parser *p, bool structs)
{
    parity_pos pos = lang_peek(p, 0)->pos;
    lang_expr *start = NULL;
    if (!lang_at(p, "..") && !lang_at(p, "..="))
        start = lang_parse_level(p, 0, structs);
    if (!lang_at(p, "..") && !lang_at(p, "..="))
        return start;
    lang_expr *e = lang_new_expr(p, LANG_EXPR_RANGE, pos);
    e->inclusive = lang_at(p, "..=");
    p->at++;
    e->a = start;
    if (starts_expr(p, structs))
        e->b = lang_parse_level(p, 0, structs);
    else if (e->inclusive)
        lang_expected(p, "the end of the range");
    return lang_finish_expr(p, e);
}

static lang_expr *parse_assign(lang_parser *p, bool structs)
{
    static const char *const forms[][2] = {
        {"=", ""},   {"+=", "+"}, {"-=", "-"}, {"*=", "*"},   {"/=", "/"},  {"%=", "%"},
        {"^=", "^"}, {"&=", "&"}, {"|=", "|"}, {"<<=", "<<"}, {">>=", ">>"}};
    lang_expr *e = parse_range(p, structs);
    size_t ntokens;
    const char *op = binary_operator(p, &ntokens);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (p->failed || !lang_same(forms[i][0], op))
            continue;
        lang_expr *assign = lang_new_expr(p, LANG_EXPR_ASSIGN, e->pos);
        p->at += ntokens;
        assign->name = forms[i][1];
        assign->a = e;
        assign->b = parse_assign(p, structs);
        return lang_finish_expr(p, assign);
    }
    return e;
}

/* return, break: an optional value follows. */
static lang_expr *parse_jump(lang_parser *p, bool structs, lang_expr_kind kind)
{
    lang_expr *e = lang_new_expr(p, kind, lang_peek(p, 0)->pos);
    p->at++;
    if (lang_peek(p, 0)->kind == LANG_LIFETIME)
        lang_fault(p, lang_peek(p, 0)->pos,
                   "a label is outside what the core interprets");
    if (kind != LANG_EXPR_CONTINUE && starts_expr(p, structs))
        e->a = parse_assign(p, structs);
    return lang_finish_expr(p, e);
}

static lang_expr *parse_any(lang_parser *p, bool structs)
{
    if (!lang_enter(p))
        return lang_new_expr(p, LANG_EXPR_TUPLE, lang_peek(p, 0)->pos);
    lang_expr *e;
    if (lang_at_word(p, "return"))
        e = parse_jump(p, structs, LANG_EXPR_RETURN);
    else if (lang_at_word(p, "break"))
        e = parse_jump(p, structs, LANG_EXPR_BREAK);
    else if (lang_at_word(p, "continue"))
        e = parse_jump(p, structs, LANG_EXPR_CONTINUE);
    else
        e = parse_assign(p, structs);
    lang_leave(p);
    return e;
}

lang_expr *lang_parse_expr(lang_parser *p)
{
    return parse_any(p, true);
}

lang_expr *lang_parse_condition(lang_parser *p)
{
    if (lang_at_word(p, "let"))
        lang_outside(p, lang_peek(p, 0)->pos, "if let");
    return parse_any(p, false);
}
