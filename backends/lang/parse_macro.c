/* Macros and format strings. */
#include "backends/lang/parse.h"

#include <string.h>

/* `format` is the index of the argument that is a format string; arguments before it are
 * plain. */
typedef struct macro_row {
    const char *name;
    int format;
    bool optional; /* the format string may be left out */
} macro_row;

static const macro_row macros[] = {
    {"println", 0, true},       {"print", 0, true},       {"eprintln", 0, true},
    {"eprint", 0, true},        {"format", 0, false},     {"panic", 0, true},
    {"bail", 0, false},         {"assert", 1, true},      {"assert_eq", 2, true},
    {"assert_ne", 2, true},     {"unreachable", 0, true}, {"todo", 0, true},
    {"unimplemented", 0, true},
};

/* The arguments after a format string: by position, or `name = value`. */
typedef struct arguments {
    lang_list values;
    lang_list names; /* NULL where there is none */
    size_t next;
} arguments;

static lang_expr *name_expr(lang_parser *p, const char *name, size_t length,
                            parity_pos pos)
{
    lang_expr *e = lang_new_expr(p, LANG_EXPR_PATH, pos);
    e->name = lang_intern(p->names, name, length);
    lang_use_name(p, e->name);
    return e;
}

static lang_expr *find_argument(lang_parser *p, arguments *args, const char *name,
                                size_t length, parity_pos pos)
{
    size_t index = args->next;
    if (length == 0) {
        args->next++;
    } else if (name[0] >= '0' && name[0] <= '9') {
        index = 0;
        for (size_t i = 0; i < length && index < 1000; i++)
            index = index * 10 + (size_t)(name[i] - '0');
    } else {
        const char *wanted = lang_intern(p->names, name, length);
        for (size_t i = 0; i < args->names.count; i++)
            if (args->names.items[i] == wanted)
                return args->values.items[i];
        return name_expr(p, name, length, pos);
    }
    if (index < args->values.count)
        return args->values.items[index];
    lang_fault(p, pos, "the format string asks for more arguments than there are");
    return lang_new_expr(p, LANG_EXPR_TUPLE, pos);
}

static bool name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || (unsigned char)c >= 0x80;
}

/* What stands between the braces. */
static void parse_placeholder(lang_parser *p, lang_piece *piece, const char *text,
                              size_t length, arguments *args, parity_pos pos)
{
    size_t name = 0;
    while (name < length && name_char(text[name]))
        name++;
    size_t at = name;
    piece->precision = -1;
    if (at < length && text[at] == ':') {
        at++;
        if (at < length && text[at] == '.') {
            piece->precision = 0;
            for (at++; at < length && text[at] >= '0' && text[at] <= '9'; at++)
                if (piece->precision < 100)
                    piece->precision = piece->precision * 10 + (text[at] - '0');
        }
        if (at < length && text[at] == '?') {
            piece->debug = true;
            at++;
        }
    }
    if (at != length || piece->precision > 100)
        lang_fault(p, pos, "the format `{%.*s}` is outside what the core interprets",
                   (int)(length > 60 ? 60 : length), text);
    else
        piece->value = find_argument(p, args, text, name, pos);
}

static void parse_pieces(lang_parser *p, lang_expr *e, const lang_token *format,
                         arguments *args)
{
    const char *text = format->text;
    size_t length = format->length, at = 0;
    e->pieces = parity_arena_alloc(p->arena, (length + 1) * sizeof *e->pieces);
    while (at < length && !p->failed) {
        lang_piece *piece = &e->pieces[e->npieces++];
        size_t start = at;
        while (at < length && text[at] != '{' && text[at] != '}')
            at++;
        bool doubled = at + 1 < length && text[at] == text[at + 1];
        if (at > start || doubled) {
            piece->text = text + start;
            piece->length = at - start + (doubled ? 1 : 0);
            at += doubled ? 2 : 0;
            continue;
        }
        const char *close = memchr(text + at, '}', length - at);
        if (text[at] == '}' || !close) {
            lang_fault(p, format->pos,
                       "the format string has a brace without its partner");
            return;
        }
        parse_placeholder(p, piece, text + at + 1, (size_t)(close - text) - at - 1, args,
                          format->pos);
        at = (size_t)(close - text) + 1;
    }
}

static void parse_arguments(lang_parser *p, arguments *args, const char *close)
{
    while (!p->failed && lang_accept(p, ",") && !lang_at(p, close)) {
        const char *name = NULL;
        if (lang_peek(p, 0)->kind == LANG_IDENT &&
            lang_same(lang_peek(p, 1)->text, "=") &&
            lang_peek(p, 1)->kind == LANG_PUNCT) {
            name = lang_name(p);
            lang_expect(p, "=");
        }
        lang_list_add(p, &args->names, (void *)name);
        lang_list_add(p, &args->values, lang_parse_expr(p));
    }
}

/* The text of an expression as stringify! gives it, for well-spaced text. */
static void keep_source(lang_parser *p, lang_expr *e, size_t first)
{
    if (p->failed || p->at <= first)
        return;
    size_t start = p->tokens[first].start, end = p->tokens[p->at - 1].end;
    char *text = parity_arena_alloc(p->arena, end - start + 1);
    for (size_t i = start; i < end; i++) {
        bool space = strchr(" \t\r\n", p->text[i]) != NULL;
        if (!space)
            text[e->length++] = p->text[i];
        else if (e->length && text[e->length - 1] != ' ')
            text[e->length++] = ' ';
    }
    e->text = text;
}

static void parse_format_macro(lang_parser *p, lang_expr *e, const macro_row *row,
                               const char *close)
{
    lang_list plain = {0};
    arguments args = {0};
    size_t first = p->at;
    for (int i = 0; i < row->format && !p->failed; i++) {
        if (i)
            lang_expect(p, ",");
        lang_list_add(p, &plain, lang_parse_expr(p));
    }
    if (row->format == 1)
        keep_source(p, e, first);
    if (row->format)
        lang_accept(p, ",");
    const lang_token *format = lang_peek(p, 0);
    if (format->kind == LANG_STRING) {
        p->at++;
        parse_arguments(p, &args, close);
        parse_pieces(p, e, format, &args);
    } else if (!lang_at(p, close) || !row->optional) {
        lang_expected(p, "a format string");
    }
    lang_expect(p, close);
    e->boolean = format->kind == LANG_STRING;
    e->items = (lang_expr **)plain.items;
    e->nitems = plain.count;
    lang_finish_expr(p, e);
    for (size_t i = 0; i < args.values.count; i++)
        if (((lang_expr *)args.values.items[i])->depth >= e->depth)
            e->depth = ((lang_expr *)args.values.items[i])->depth + 1;
    if (e->depth > LANG_MAX_DEPTH)
        lang_fault(p, e->pos, "nested deeper than %d levels", LANG_MAX_DEPTH);
}

lang_expr *lang_parse_macro(lang_parser *p, const char *name, parity_pos pos)
{
    const char *close = lang_at(p, "(") ? ")" : lang_at(p, "[") ? "]" : "}";
    if (lang_same(name, "vec") && lang_at(p, "[")) {
        lang_expr *e = lang_parse_primary(p, true);
        e->vec = true;
        e->pos = pos;
        return e;
    }
    const macro_row *row = NULL;
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        if (lang_same(macros[i].name, name))
            row = &macros[i];
    lang_expr *e = lang_new_expr(p, LANG_EXPR_FORMAT, pos);
    if (!row || (!lang_at(p, "(") && !lang_at(p, "["))) {
        lang_fault(p, pos, "the macro `%.60s!` is outside what the core interprets",
                   name);
        return e;
    }
    p->at++;
    e->name = row->name;
    parse_format_macro(p, e, row, close);
    return e;
}
