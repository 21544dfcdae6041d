/* The values that expressions are built of: literals, paths, blocks, closures, macros. */
#include "backends/lang/parse.h"

#include "harness/base/buffer.h"

#include <string.h>

static lang_expr *parse_number(lang_parser *p)
{
    const lang_token *t = lang_peek(p, 0);
    lang_expr *e = lang_new_expr(p, LANG_EXPR_NUMBER, t->pos);
    lang_infer *infer = parity_arena_alloc(p->arena, sizeof *infer);
    p->at++;
    const char *why =
        lang_number_literal(&e->number, infer, t->text, t->suffix, t->kind == LANG_FLOAT);
    if (why)
        lang_fault(p, t->pos, "%s: %.60s", why, t->text);
    return e;
}

static bool skipped_root(const char *name)
{
    static const char *const roots[] = {"candle_core", "candle_nn", "candle", "std",
                                        "core",        "crate",     "self",   NULL};
    for (size_t i = 0; roots[i]; i++)
        if (lang_same(roots[i], name))
            return true;
    return false;
}

/* A::b::<T>::c. The path keeps its names, without crate and generics. */
static const char *parse_path_names(lang_parser *p, lang_list *types)
{
    parity_buffer path = {0};
    size_t segments = 0;
    do {
        if (segments && lang_accept(p, "<")) {
            types->count = 0;
            lang_parse_type_args(p, types);
            continue;
        }
        bool root = lang_peek(p, 0)->kind == LANG_IDENT && path.length == 0 &&
                    lang_same(lang_peek(p, 1)->text, "::") &&
                    skipped_root(lang_peek(p, 0)->text);
        const char *name = lang_peek(p, 0)->text;
        if (root)
            p->at++;
        else
            name = lang_name(p);
        if (!root && path.length)
            parity_buffer_text(&path, "::");
        if (!root)
            parity_buffer_text(&path, name);
        segments++;
    } while (!p->failed && lang_accept(p, "::"));
    const char *text = lang_intern(p->names, path.data ? path.data : "", path.length);
    parity_buffer_free(&path);
    return text;
}

static lang_expr *parse_struct_literal(lang_parser *p, lang_expr *e)
{
    lang_list names = {0}, values = {0};
    e->kind = LANG_EXPR_STRUCT;
    lang_expect(p, "{");
    while (!p->failed && !lang_at(p, "}")) {
        if (lang_accept(p, "..")) {
            e->a = lang_parse_expr(p);
            break;
        }
        parity_pos pos = lang_peek(p, 0)->pos;
        const char *name = lang_name(p);
        lang_expr *value;
        if (lang_accept(p, ":")) {
            value = lang_parse_expr(p);
        } else {
            value = lang_new_expr(p, LANG_EXPR_PATH, pos);
            value->name = name;
            lang_use_name(p, name);
        }
        lang_list_add(p, &names, (void *)name);
        lang_list_add(p, &values, value);
        if (!lang_accept(p, ","))
            break;
    }
    lang_expect(p, "}");
    e->names = (const char **)names.items;
    e->nnames = names.count;
    e->items = (lang_expr **)values.items;
    e->nitems = values.count;
    return lang_finish_expr(p, e);
}

static lang_expr *parse_path(lang_parser *p, bool structs)
{
    lang_list types = {0};
    lang_expr *e = lang_new_expr(p, LANG_EXPR_PATH, lang_peek(p, 0)->pos);
    e->name = parse_path_names(p, &types);
    e->types = (lang_type **)types.items;
    e->ntypes = types.count;
    if (p->failed)
        return e;
    if (lang_at(p, "!") && !lang_same(lang_peek(p, 1)->text, "=")) {
        p->at++;
        return lang_parse_macro(p, e->name, e->pos);
    }
    char first = e->name[0];
    const char *last = strrchr(e->name, ':');
    char upper = last ? last[1] : first;
    if (structs && lang_at(p, "{") && upper >= 'A' && upper <= 'Z')
        return parse_struct_literal(p, e);
    if (!strchr(e->name, ':'))
        lang_use_name(p, e->name);
    return e;
}

static lang_expr *parse_closure(lang_parser *p)
{
    lang_expr *e = lang_new_expr(p, LANG_EXPR_CLOSURE, lang_peek(p, 0)->pos);
    lang_list patterns = {0}, types = {0};
    size_t first = p->nused;
    e->moves = lang_accept_word(p, "move");
    if (!lang_accept(p, "||")) {
        lang_expect(p, "|");
        while (!p->failed && !lang_at(p, "|")) {
            lang_list_add(p, &patterns, lang_parse_pattern(p));
            lang_list_add(p, &types, lang_accept(p, ":") ? lang_parse_type(p) : NULL);
            if (!lang_accept(p, ","))
                break;
        }
        lang_expect(p, "|");
    }
    if (lang_accept(p, "->")) {
        e->type = lang_parse_type(p);
        if (!lang_at(p, "{"))
            lang_expected(p, "`{`");
    }
    e->params = parity_arena_alloc(p->arena, (patterns.count + 1) * sizeof *e->params);
    e->nparams = patterns.count;
    for (size_t i = 0; i < patterns.count; i++)
        e->params[i] = (lang_param){patterns.items[i], types.items[i]};
    e->a = lang_parse_expr(p);
    e->region = lang_new_region(p, first);
    return lang_finish_expr(p, e);
}

static lang_expr *parse_parens(lang_parser *p)
{
    lang_expr *e = lang_new_expr(p, LANG_EXPR_TUPLE, lang_peek(p, 0)->pos);
    p->at++;
    size_t before = p->at;
    lang_parse_items(p, e, ")");
    if (p->failed || e->nitems != 1)
        return lang_finish_expr(p, e);
    bool comma = p->at - before > 2 && lang_same(p->tokens[p->at - 2].text, ",");
    if (comma)
        return lang_finish_expr(p, e);
    e->items[0]->parens = true;
    return e->items[0];
}

static lang_expr *parse_array(lang_parser *p)
{
    lang_expr *e = lang_new_expr(p, LANG_EXPR_ARRAY, lang_peek(p, 0)->pos);
    p->at++;
    lang_expr *first = lang_at(p, "]") ? NULL : lang_parse_expr(p);
    if (first && lang_accept(p, ";")) {
        e->kind = LANG_EXPR_REPEAT;
        e->a = first;
        e->b = lang_parse_expr(p);
        lang_expect(p, "]");
        return lang_finish_expr(p, e);
    }
    lang_list items = {0};
    if (first && lang_accept(p, ",")) {
        lang_parse_items(p, e, "]");
    } else {
        lang_expect(p, "]");
    }
    if (first)
        lang_list_add(p, &items, first);
    for (size_t i = 0; i < e->nitems; i++)
        lang_list_add(p, &items, e->items[i]);
    e->items = (lang_expr **)items.items;
    e->nitems = items.count;
    return lang_finish_expr(p, e);
}

static lang_expr *parse_if(lang_parser *p)
{
    lang_expr *e = lang_new_expr(p, LANG_EXPR_IF, lang_peek(p, 0)->pos);
    size_t first = p->nused;
    p->at++;
    e->a = lang_parse_condition(p);
    e->block = lang_parse_block(p);
    if (lang_accept_word(p, "else")) {
        if (!lang_at_word(p, "if") && !lang_at(p, "{"))
            lang_expected(p, "`if` or `{`");
        else if (lang_enter(p)) {
            e->b = lang_parse_blocklike(p);
            lang_leave(p);
        }
    }
    e->region = lang_new_region(p, first);
    return lang_finish_expr(p, e);
}

static lang_expr *parse_loop(lang_parser *p, lang_expr_kind kind, bool condition)
{
    lang_expr *e = lang_new_expr(p, kind, lang_peek(p, 0)->pos);
    p->at++;
    if (kind == LANG_EXPR_FOR) {
        e->pattern = lang_parse_pattern(p);
        if (!lang_accept_word(p, "in"))
            lang_expected(p, "`in`");
    }
    if (condition)
        e->a = lang_parse_condition(p);
    e->block = lang_parse_block(p);
    return lang_finish_expr(p, e);
}

lang_expr *lang_parse_blocklike(lang_parser *p)
{
    if (lang_at_word(p, "if"))
        return parse_if(p);
    if (lang_at_word(p, "for"))
        return parse_loop(p, LANG_EXPR_FOR, true);
    if (lang_at_word(p, "while"))
        return parse_loop(p, LANG_EXPR_WHILE, true);
    if (lang_at_word(p, "loop"))
        return parse_loop(p, LANG_EXPR_WHILE, false);
    if (!lang_at(p, "{"))
        return NULL;
    lang_expr *e = lang_new_expr(p, LANG_EXPR_BLOCK, lang_peek(p, 0)->pos);
    e->block = lang_parse_block(p);
    return lang_finish_expr(p, e);
}

static lang_expr *parse_literal_word(lang_parser *p)
{
    lang_expr *e = lang_new_expr(p, LANG_EXPR_BOOL, lang_peek(p, 0)->pos);
    e->boolean = lang_accept_word(p, "true");
    if (!e->boolean)
        lang_accept_word(p, "false");
    return e;
}

lang_expr *lang_parse_primary(lang_parser *p, bool structs)
{
    const lang_token *t = lang_peek(p, 0);
    if (t->kind == LANG_INT || t->kind == LANG_FLOAT)
        return parse_number(p);
    if (t->kind == LANG_STRING) {
        lang_expr *e = lang_new_expr(p, LANG_EXPR_TEXT, t->pos);
        e->text = t->text;
        e->length = t->length;
        p->at++;
        return e;
    }
    if (lang_at_word(p, "true") || lang_at_word(p, "false"))
        return parse_literal_word(p);
    if (lang_at(p, "("))
        return parse_parens(p);
    if (lang_at(p, "["))
        return parse_array(p);
    if (lang_at(p, "|") || lang_at(p, "||") || lang_at_word(p, "move"))
        return parse_closure(p);
    lang_expr *block = lang_parse_blocklike(p);
    if (block)
        return block;
    lang_accept(p, "::");
    if (lang_peek(p, 0)->kind == LANG_IDENT)
        return parse_path(p, structs);
    lang_expected(p, "an expression");
    return lang_new_expr(p, LANG_EXPR_TUPLE, t->pos);
}

static void start_parser(lang_parser *p, parity_arena *arena, lang_interner *names,
                         const char *text, parity_error *error)
{
    lang_tokens tokens = lang_lex(arena, names, text);
    *p = (lang_parser){.arena = arena,
                       .names = names,
                       .text = text,
                       .tokens = tokens.items,
                       .count = tokens.count,
                       .error = error};
}

int lang_parse_program(lang_block **out, parity_arena *arena, lang_interner *names,
                       const char *text, parity_error *error)
{
    parity_error own;
    lang_parser p;
    start_parser(&p, arena, names, text, error ? error : &own);
    lang_block *block = parity_arena_alloc(arena, sizeof *block);
    lang_parse_statements(&p, block);
    if (!p.failed && lang_peek(&p, 0)->kind != LANG_END)
        lang_expected(&p, "the end of the program");
    *out = p.failed ? NULL : block;
    return p.failed ? -1 : 0;
}

int lang_parse_expression(lang_expr **out, parity_arena *arena, lang_interner *names,
                          const char *text, parity_error *error)
{
    parity_error own;
    lang_parser p;
    start_parser(&p, arena, names, text, error ? error : &own);
    lang_expr *e = lang_parse_expr(&p);
    if (!p.failed && lang_peek(&p, 0)->kind != LANG_END)
        lang_expected(&p, "the end of the expression");
    *out = p.failed ? NULL : e;
    return p.failed ? -1 : 0;
}
