/* Patterns, statements, blocks and items. */
#include "backends/lang/parse.h"

#include <string.h>

static void parse_tuple_pattern(lang_parser *p, lang_pattern *pattern)
{
    lang_list items = {0};
    bool comma = true;
    pattern->kind = LANG_PATTERN_TUPLE;
    while (!p->failed && comma && !lang_at(p, ")")) {
        lang_list_add(p, &items, lang_parse_pattern(p));
        comma = lang_accept(p, ",");
    }
    lang_expect(p, ")");
    if (items.count == 1 && !comma && !p->failed) {
        *pattern = *(lang_pattern *)items.items[0];
        return;
    }
    pattern->items = (lang_pattern **)items.items;
    pattern->nitems = items.count;
}

static void parse_name_pattern(lang_parser *p, lang_pattern *pattern)
{
    pattern->kind = LANG_PATTERN_NAME;
    pattern->by_ref = lang_accept_word(p, "ref");
    pattern->mutable = lang_accept_word(p, "mut");
    pattern->name = lang_name(p);
    if (lang_at(p, "(") || lang_at(p, "{") || lang_at(p, "::") || lang_at(p, "@") ||
        lang_same(pattern->name, "None"))
        lang_fault(p, pattern->pos,
                   "a pattern other than names, tuples and _ is outside what "
                   "the core interprets");
}

lang_pattern *lang_parse_pattern(lang_parser *p)
{
    lang_pattern *pattern = parity_arena_alloc(p->arena, sizeof *pattern);
    pattern->pos = lang_peek(p, 0)->pos;
    if (!lang_enter(p))
        return pattern;
    if (lang_accept(p, "(")) {
        parse_tuple_pattern(p, pattern);
    } else if (lang_accept_word(p, "_")) {
        pattern->kind = LANG_PATTERN_WILD;
    } else if (lang_accept_half(p, "&")) {
        lang_list items = {0};
        pattern->kind = LANG_PATTERN_REF;
        lang_list_add(p, &items, lang_parse_pattern(p));
        pattern->items = (lang_pattern **)items.items;
        pattern->nitems = 1;
    } else {
        parse_name_pattern(p, pattern);
    }
    lang_leave(p);
    return pattern;
}

typedef struct attributes {
    bool clone;
    bool copy;
} attributes;

/* #[derive(…)], #[allow(…)]; what others do to the item the core does not know. */
static attributes parse_attributes(lang_parser *p)
{
    attributes found = {0};
    while (!p->failed && lang_accept(p, "#")) {
        lang_expect(p, "[");
        bool derive = lang_at_word(p, "derive");
        if (!derive && !lang_at_word(p, "allow"))
            lang_fault(p, lang_peek(p, 0)->pos,
                       "attributes other than derive and allow are outside what the core "
                       "interprets");
        p->at += !p->failed;
        lang_expect(p, "(");
        while (!p->failed && !lang_at(p, ")")) {
            const char *name = lang_name(p);
            while (!p->failed && lang_accept(p, "::"))
                name = lang_name(p);
            found.clone |= derive && lang_same(name, "Clone");
            found.copy |= derive && lang_same(name, "Copy");
            if (!lang_accept(p, ","))
                break;
        }
        lang_expect(p, ")");
        lang_expect(p, "]");
    }
    return found;
}

static void skip_visibility(lang_parser *p)
{
    if (lang_accept_word(p, "pub") && lang_at(p, "(") &&
        lang_peek(p, 1)->kind == LANG_IDENT &&
        lang_same(lang_peek(p, 1)->text, "crate")) {
        p->at += 2;
        lang_expect(p, ")");
    }
}

/* <'a, 'b>; type parameters would need types, which the core does not have. */
static void skip_lifetimes(lang_parser *p)
{
    if (!lang_accept(p, "<"))
        return;
    while (!p->failed && lang_peek(p, 0)->kind == LANG_LIFETIME) {
        p->at++;
        if (!lang_accept(p, ","))
            break;
    }
    if (!lang_at(p, ">"))
        lang_fault(p, lang_peek(p, 0)->pos,
                   "type parameters are outside what the core interprets");
    lang_expect(p, ">");
}

static lang_self parse_self(lang_parser *p)
{
    size_t start = p->at;
    lang_self self = LANG_SELF_VALUE;
    if (lang_accept(p, "&")) {
        self = LANG_SELF_REF;
        if (lang_peek(p, 0)->kind == LANG_LIFETIME)
            p->at++;
    }
    if (lang_accept_word(p, "mut") && self == LANG_SELF_REF)
        self = LANG_SELF_MUT;
    if (lang_accept_word(p, "self")) {
        if (lang_at(p, ":"))
            lang_outside(p, lang_peek(p, 0)->pos, "self: …");
        lang_accept(p, ",");
        return self;
    }
    p->at = start;
    return LANG_SELF_NONE;
}

static lang_param *parse_params(lang_parser *p, size_t *count)
{
    lang_list patterns = {0}, types = {0};
    while (!p->failed && !lang_at(p, ")")) {
        lang_list_add(p, &patterns, lang_parse_pattern(p));
        lang_expect(p, ":");
        lang_list_add(p, &types, lang_parse_type(p));
        if (!lang_accept(p, ","))
            break;
    }
    lang_param *params =
        parity_arena_alloc(p->arena, (patterns.count + 1) * sizeof *params);
    for (size_t i = 0; i < patterns.count; i++)
        params[i] = (lang_param){patterns.items[i], types.items[i]};
    *count = patterns.count;
    return params;
}

static lang_fn *parse_fn(lang_parser *p)
{
    lang_fn *fn = parity_arena_alloc(p->arena, sizeof *fn);
    fn->pos = lang_peek(p, 0)->pos;
    lang_accept_word(p, "fn");
    fn->name = lang_name(p);
    skip_lifetimes(p);
    lang_expect(p, "(");
    fn->self = parse_self(p);
    fn->params = parse_params(p, &fn->nparams);
    lang_expect(p, ")");
    if (lang_accept(p, "->"))
        fn->result = lang_parse_type(p);
    if (lang_at_word(p, "where"))
        lang_outside(p, lang_peek(p, 0)->pos, "where");
    fn->body = lang_parse_block(p);
    return fn;
}

static lang_struct_type *parse_struct(lang_parser *p, attributes attrs)
{
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    lang_struct_type *type = parity_arena_alloc(p->arena, sizeof *type);
    lang_list names = {0}, types = {0};
    type->pos = lang_peek(p, 0)->pos;
    type->clone = attrs.clone;
    type->copy = attrs.copy;
    lang_accept_word(p, "struct");
    type->name = lang_name(p);
    skip_lifetimes(p);
    type->tuple = lang_at(p, "(");
    const char *close = type->tuple ? ")" : "}";
    if (lang_accept(p, "(") || lang_accept(p, "{")) {
        while (!p->failed && !lang_at(p, close)) {
            skip_visibility(p);
            if (type->tuple && names.count == 8)
                lang_fault(p, type->pos, "a tuple struct of more than eight fields");
            const char *name = type->tuple ? digits[names.count % 8] : lang_name(p);
            lang_list_add(p, &names, (void *)lang_intern(p->names, name, strlen(name)));
            if (!type->tuple)
                lang_expect(p, ":");
            lang_list_add(p, &types, lang_parse_type(p));
            if (!lang_accept(p, ","))
                break;
        }
        lang_expect(p, close);
        if (type->tuple)
            lang_expect(p, ";");
    } else {
        lang_expect(p, ";");
    }
    type->fields = (const char **)names.items;
    type->types = (lang_type **)types.items;
    type->nfields = names.count;
    return type;
}

static lang_impl *parse_impl(lang_parser *p)
{
    lang_impl *impl = parity_arena_alloc(p->arena, sizeof *impl);
    lang_list fns = {0};
    impl->pos = lang_peek(p, 0)->pos;
    lang_accept_word(p, "impl");
    skip_lifetimes(p);
    impl->name = lang_name(p);
    skip_lifetimes(p);
    if (lang_accept_word(p, "for")) {
        /* Module adds nothing but the name forward, which then is a method like any
         * other. */
        if (!lang_same(impl->name, "Module"))
            lang_fault(p, impl->pos,
                       "implementing a trait is outside what the core interprets");
        impl->name = lang_name(p);
    }
    lang_expect(p, "{");
    while (!p->failed && !lang_at(p, "}")) {
        parse_attributes(p);
        skip_visibility(p);
        if (!lang_at_word(p, "fn"))
            lang_expected(p, "`fn`");
        else
            lang_list_add(p, &fns, parse_fn(p));
    }
    lang_expect(p, "}");
    impl->fns = (lang_fn **)fns.items;
    impl->nfns = fns.count;
    return impl;
}

/* Imports change nothing: the core looks at the last parts of a path. Renaming would. */
static void parse_use(lang_parser *p)
{
    parity_pos pos = lang_peek(p, 0)->pos;
    lang_accept_word(p, "use");
    const char *root = lang_peek(p, 0)->text;
    static const char *const known[] = {"candle_core", "candle_nn", "std", "parity",
                                        NULL};
    size_t i = 0;
    while (known[i] && !lang_same(known[i], root))
        i++;
    if (!known[i])
        lang_fault(p, pos, "importing from `%.80s` is outside what the core interprets",
                   root);
    while (!p->failed && !lang_accept(p, ";")) {
        if (lang_at_word(p, "as") || lang_peek(p, 0)->kind == LANG_END)
            lang_expected(p, "`;`");
        else
            p->at++;
    }
}

static void add_item(lang_parser *p, void ***items, size_t *count, void *item)
{
    lang_list list = {*items, *count, *count};
    lang_list_add(p, &list, item);
    *items = list.items;
    *count = list.count;
}

/* struct, impl, fn, use; false when the next token starts none. */
static bool parse_item(lang_parser *p, lang_block *block)
{
    size_t start = p->at;
    attributes attrs = parse_attributes(p);
    skip_visibility(p);
    if (!lang_enter(p))
        return true;
    bool found = true;
    if (lang_at_word(p, "struct"))
        add_item(p, (void ***)&block->structs, &block->nstructs, parse_struct(p, attrs));
    else if (lang_at_word(p, "impl"))
        add_item(p, (void ***)&block->impls, &block->nimpls, parse_impl(p));
    else if (lang_at_word(p, "fn"))
        add_item(p, (void ***)&block->fns, &block->nfns, parse_fn(p));
    else if (lang_at_word(p, "use"))
        parse_use(p);
    else
        found = false;
    lang_leave(p);
    if (!found && p->at != start)
        lang_expected(p, "`struct`, `impl` or `fn`");
    return found || p->failed;
}

static void parse_let(lang_parser *p, lang_stmt *stmt)
{
    bool constant = lang_accept_word(p, "const");
    if (!constant)
        lang_accept_word(p, "let");
    stmt->kind = LANG_STMT_LET;
    stmt->semi = true;
    stmt->pattern = lang_parse_pattern(p);
    if (lang_accept(p, ":"))
        stmt->type = lang_parse_type(p);
    if (lang_accept(p, "="))
        stmt->expr = lang_parse_expr(p);
    if (lang_at_word(p, "else"))
        lang_outside(p, lang_peek(p, 0)->pos, "let … else");
    lang_expect(p, ";");
}

static bool at_block_end(const lang_parser *p)
{
    return p->failed || lang_at(p, "}") || lang_peek(p, 0)->kind == LANG_END;
}

static void parse_expr_statement(lang_parser *p, lang_stmt *stmt)
{
    stmt->kind = LANG_STMT_EXPR;
    stmt->expr = lang_parse_blocklike(p);
    if (stmt->expr) {
        if (lang_at(p, ".") || lang_at(p, "?"))
            lang_fault(p, lang_peek(p, 0)->pos,
                       "a method on a block is outside what the core interprets");
        stmt->semi = lang_accept(p, ";");
        return;
    }
    stmt->expr = lang_parse_expr(p);
    stmt->semi = lang_accept(p, ";");
    if (!stmt->semi && !at_block_end(p))
        lang_expected(p, "`;`");
}

void lang_parse_statements(lang_parser *p, lang_block *block)
{
    lang_list stmts = {0}, constants = {0};
    size_t first = p->nused;
    block->parent = p->block;
    p->block = block;
    block->pos = lang_peek(p, 0)->pos;
    while (!at_block_end(p)) {
        if (lang_accept(p, ";") || parse_item(p, block))
            continue;
        bool constant = lang_at_word(p, "const");
        lang_stmt *stmt = parity_arena_alloc(p->arena, sizeof *stmt);
        stmt->pos = lang_peek(p, 0)->pos;
        stmt->names = p->nused - first;
        if (constant || lang_at_word(p, "let"))
            parse_let(p, stmt);
        else
            parse_expr_statement(p, stmt);
        lang_list_add(p, constant ? &constants : &stmts, stmt);
    }
    lang_stmt *last = stmts.count ? stmts.items[stmts.count - 1] : NULL;
    if (last && last->kind == LANG_STMT_EXPR && !last->semi) {
        block->tail = last->expr;
        block->tail_names = last->names;
        stmts.count--;
    }
    /* constants are there in the whole block, as items are */
    block->nstmts = constants.count + stmts.count;
    block->stmts =
        parity_arena_alloc(p->arena, (block->nstmts + 1) * sizeof *block->stmts);
    for (size_t i = 0; i < block->nstmts; i++)
        block->stmts[i] = i < constants.count
                              ? *(lang_stmt *)constants.items[i]
                              : *(lang_stmt *)stmts.items[i - constants.count];
    p->block = block->parent;
    block->region = lang_new_region(p, first);
}

lang_block *lang_parse_block(lang_parser *p)
{
    lang_block *block = parity_arena_alloc(p->arena, sizeof *block);
    block->pos = lang_peek(p, 0)->pos;
    if (!lang_enter(p))
        return block;
    lang_expect(p, "{");
    lang_parse_statements(p, block);
    lang_expect(p, "}");
    lang_leave(p);
    return block;
}
