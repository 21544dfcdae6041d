/* Tokens, faults and types: what all of the parser stands on. */
#include "backends/lang/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const keywords[] = {
    "as",     "async",  "await",  "break",  "const", "continue", "crate", "dyn",
    "else",   "enum",   "fn",     "extern", "false", "for",      "if",    "impl",
    "in",     "let",    "loop",   "match",  "mod",   "move",     "mut",   "pub",
    "ref",    "return", "static", "struct", "super", "trait",    "true",  "type",
    "unsafe", "use",    "where",  "while",  NULL};

static bool is_keyword(const char *name)
{
    for (size_t i = 0; keywords[i]; i++)
        if (lang_same(keywords[i], name))
            return true;
    return false;
}

void lang_list_add(lang_parser *p, lang_list *list, void *item)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 4;
        void **items = parity_arena_alloc(p->arena, capacity * sizeof *items);
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
}

void lang_fault(lang_parser *p, parity_pos pos, const char *format, ...)
{
    if (!p->failed) {
        char text[sizeof p->error->message];
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        parity_fail_at(p->error, NULL, pos, "%s", text);
    }
    p->failed = true;
    p->at = p->count - 1;
}

void lang_outside(lang_parser *p, parity_pos pos, const char *what)
{
    lang_fault(p, pos, "`%.80s` is outside what the core interprets", what);
}

void lang_expected(lang_parser *p, const char *what)
{
    const lang_token *t = lang_peek(p, 0);
    if (t->kind == LANG_BAD)
        lang_fault(p, t->pos, "%s is outside what the core interprets", t->text);
    else if (t->kind == LANG_END)
        lang_fault(p, t->pos, "expected %s, found the end of the program", what);
    else if (t->kind == LANG_IDENT && is_keyword(t->text))
        lang_outside(p, t->pos, t->text);
    else
        lang_fault(p, t->pos, "expected %s, found `%.80s`", what, t->text);
}

const lang_token *lang_peek(const lang_parser *p, size_t ahead)
{
    size_t at = p->at + ahead;
    return &p->tokens[at < p->count ? at : p->count - 1];
}

bool lang_at(const lang_parser *p, const char *punct)
{
    const lang_token *t = lang_peek(p, 0);
    return t->kind == LANG_PUNCT && lang_same(t->text, punct);
}

bool lang_at_word(const lang_parser *p, const char *word)
{
    const lang_token *t = lang_peek(p, 0);
    return t->kind == LANG_IDENT && lang_same(t->text, word);
}

bool lang_accept(lang_parser *p, const char *punct)
{
    if (!lang_at(p, punct))
        return false;
    p->at++;
    return true;
}

bool lang_accept_word(lang_parser *p, const char *word)
{
    if (!lang_at_word(p, word))
        return false;
    p->at++;
    return true;
}

void lang_expect(lang_parser *p, const char *punct)
{
    char what[16];
    if (lang_accept(p, punct))
        return;
    snprintf(what, sizeof what, "`%s`", punct);
    lang_expected(p, what);
}

bool lang_accept_half(lang_parser *p, const char *punct)
{
    if (lang_accept(p, punct))
        return true;
    lang_token *t = &p->tokens[p->at < p->count ? p->at : p->count - 1];
    if (t->kind != LANG_PUNCT || strlen(t->text) != 2 || t->text[0] != *punct ||
        t->text[1] != *punct)
        return false;
    t->text = lang_intern(p->names, punct, 1);
    t->start++;
    t->pos.column++;
    return true;
}

const char *lang_name(lang_parser *p)
{
    const lang_token *t = lang_peek(p, 0);
    if (t->kind != LANG_IDENT || is_keyword(t->text)) {
        lang_expected(p, "a name");
        return lang_intern(p->names, "", 0);
    }
    p->at++;
    return t->text;
}

bool lang_enter(lang_parser *p)
{
    if (p->depth >= LANG_MAX_DEPTH) {
        lang_fault(p, lang_peek(p, 0)->pos, "nested deeper than %d levels",
                   LANG_MAX_DEPTH);
        return false;
    }
    p->depth++;
    return true;
}

void lang_leave(lang_parser *p)
{
    p->depth--;
}

void lang_use_name(lang_parser *p, const char *name)
{
    if (p->nused == p->used_capacity) {
        size_t capacity = p->used_capacity ? 2 * p->used_capacity : 64;
        const char **used = parity_arena_alloc(p->arena, capacity * sizeof *used);
        if (p->nused)
            memcpy(used, p->used, p->nused * sizeof *used);
        p->used = used;
        p->used_capacity = capacity;
    }
    p->used[p->nused++] = name;
}

lang_region *lang_new_region(lang_parser *p, size_t first)
{
    lang_region *region = parity_arena_alloc(p->arena, sizeof *region);
    region->nnames = p->nused - first;
    region->names = region->nnames ? p->used + first : NULL;
    return region;
}

void lang_parse_type_args(lang_parser *p, lang_list *args)
{
    while (!p->failed && !lang_at(p, ">")) {
        if (lang_peek(p, 0)->kind == LANG_LIFETIME)
            p->at++;
        else
            lang_list_add(p, args, lang_parse_type(p));
        if (!lang_accept(p, ","))
            break;
    }
    lang_expect(p, ">");
}

static void parse_type_path(lang_parser *p, lang_type *type, lang_list *args)
{
    type->kind = LANG_TYPE_PATH;
    lang_accept(p, "::");
    do {
        if (lang_at_word(p, "impl") || lang_at_word(p, "dyn")) {
            lang_outside(p, type->pos, lang_peek(p, 0)->text);
            return;
        }
        if (!lang_accept_word(p, "crate"))
            type->name = lang_name(p);
        if (lang_accept(p, "<"))
            lang_parse_type_args(p, args);
    } while (!p->failed && lang_accept(p, "::"));
}

static void parse_bracket_type(lang_parser *p, lang_type *type, lang_list *args)
{
    lang_list_add(p, args, lang_parse_type(p));
    type->kind = LANG_TYPE_SLICE;
    if (lang_accept(p, ";")) {
        type->kind = LANG_TYPE_ARRAY;
        lang_parse_expr(p);
    }
    lang_expect(p, "]");
}

lang_type *lang_parse_type(lang_parser *p)
{
    lang_type *type = parity_arena_alloc(p->arena, sizeof *type);
    lang_list args = {0};
    type->pos = lang_peek(p, 0)->pos;
    type->name = lang_intern(p->names, "", 0);
    if (!lang_enter(p))
        return type;
    if (lang_accept_half(p, "&")) {
        type->kind = LANG_TYPE_REF;
        if (lang_peek(p, 0)->kind == LANG_LIFETIME)
            p->at++;
        type->mutable = lang_accept_word(p, "mut");
        lang_list_add(p, &args, lang_parse_type(p));
    } else if (lang_accept(p, "(")) {
        type->kind = LANG_TYPE_TUPLE;
        bool comma = true;
        while (!p->failed && comma && !lang_at(p, ")")) {
            lang_list_add(p, &args, lang_parse_type(p));
            comma = lang_accept(p, ",");
        }
        lang_expect(p, ")");
        if (args.count == 1 && !comma && !p->failed)
            *type = *(lang_type *)args.items[0],
            args = (lang_list){(void **)type->args, type->nargs, type->nargs};
    } else if (lang_accept(p, "[")) {
        parse_bracket_type(p, type, &args);
    } else if (lang_accept_word(p, "_")) {
        type->kind = LANG_TYPE_INFER;
    } else {
        parse_type_path(p, type, &args);
    }
    lang_leave(p);
    type->args = (lang_type **)args.items;
    type->nargs = args.count;
    return type;
}
