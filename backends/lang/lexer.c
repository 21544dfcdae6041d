#include "backends/lang/lexer.h"

#include "harness/base/buffer.h"

#include <string.h>

typedef struct lexer {
    parity_arena *arena;
    lang_interner *names;
    const char *text;
    size_t at;
    parity_pos pos;
    lang_token *items;
    size_t count;
    size_t capacity;
} lexer;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Letters beyond ASCII are taken for part of a name; rustc judges which are allowed. */
static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool is_name(char c)
{
    return is_name_start(c) || is_digit(c);
}

static void advance(lexer *lx, size_t count)
{
    for (size_t i = 0; i < count && lx->text[lx->at]; i++) {
        unsigned char c = (unsigned char)lx->text[lx->at++];
        if (c == '\n') {
            lx->pos.line++;
            lx->pos.column = 1;
        } else if ((c & 0xC0) != 0x80) {
            lx->pos.column++;
        }
    }
}

static lang_token *push(lexer *lx, lang_token_kind kind, size_t start, parity_pos pos)
{
    if (lx->count == lx->capacity) {
        size_t capacity = lx->capacity ? 2 * lx->capacity : 128;
        lang_token *items = parity_arena_alloc(lx->arena, capacity * sizeof *items);
        if (lx->count)
            memcpy(items, lx->items, lx->count * sizeof *items);
        lx->items = items;
        lx->capacity = capacity;
    }
    lang_token *t = &lx->items[lx->count++];
    memset(t, 0, sizeof *t);
    t->kind = kind;
    t->start = start;
    t->end = lx->at;
    t->pos = pos;
    t->text = "";
    return t;
}

static void push_bad(lexer *lx, size_t start, parity_pos pos, const char *why)
{
    push(lx, LANG_BAD, start, pos)->text = why;
}

/* Returns false at a comment without an end. */
static bool skip_space(lexer *lx)
{
    for (;;) {
        const char *p = lx->text + lx->at;
        if (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') {
            advance(lx, 1);
        } else if (p[0] == '/' && p[1] == '/') {
            advance(lx, strcspn(p, "\n"));
        } else if (p[0] == '/' && p[1] == '*') {
            size_t depth = 0;
            do {
                p = lx->text + lx->at;
                if (!*p)
                    return false;
                int step = p[0] == '/' && p[1] == '*'   ? 1
                           : p[0] == '*' && p[1] == '/' ? -1
                                                        : 0;
                depth += (size_t)step;
                advance(lx, step ? 2 : 1);
            } while (depth);
        } else {
            return true;
        }
    }
}

static void take_digits(lexer *lx, parity_buffer *out, const char *digits)
{
    while (lx->text[lx->at] && strchr(digits, lx->text[lx->at])) {
        if (lx->text[lx->at] != '_')
            parity_buffer_char(out, lx->text[lx->at]);
        advance(lx, 1);
    }
}

/* `1.` is a float unless a name, a second dot or a digitless method follows. */
static bool fraction_follows(const char *p)
{
    return *p == '.' && p[1] != '.' && !is_name_start(p[1]);
}

static bool exponent_follows(const char *p)
{
    if (*p != 'e' && *p != 'E')
        return false;
    p++;
    if (*p == '+' || *p == '-')
        p++;
    while (*p == '_')
        p++;
    return is_digit(*p);
}

static void lex_decimal(lexer *lx, parity_buffer *out, bool index, lang_token_kind *kind)
{
    take_digits(lx, out, "0123456789_");
    if (index)
        return;
    if (fraction_follows(lx->text + lx->at)) {
        *kind = LANG_FLOAT;
        advance(lx, 1);
        parity_buffer_char(out, '.');
        take_digits(lx, out, "0123456789_");
    }
    if (exponent_follows(lx->text + lx->at)) {
        *kind = LANG_FLOAT;
        parity_buffer_char(out, 'e');
        advance(lx, 1);
        if (strchr("+-", lx->text[lx->at])) {
            parity_buffer_char(out, lx->text[lx->at]);
            advance(lx, 1);
        }
        take_digits(lx, out, "0123456789_");
    }
}

static void lex_number(lexer *lx)
{
    size_t start = lx->at;
    parity_pos pos = lx->pos;
    /* In t.0.1 the digits after the first dot are one index each. */
    bool index = lx->count && strcmp(lx->items[lx->count - 1].text, ".") == 0 &&
                 lx->items[lx->count - 1].kind == LANG_PUNCT;
    lang_token_kind kind = LANG_INT;
    parity_buffer digits = {0};
    const char *p = lx->text + lx->at;
    const char *set = p[0] != '0'   ? NULL
                      : p[1] == 'x' ? "0123456789abcdefABCDEF_"
                      : p[1] == 'o' ? "01234567_"
                      : p[1] == 'b' ? "01_"
                                    : NULL;
    if (set && !index) {
        parity_buffer_add(&digits, p, 2);
        advance(lx, 2);
        take_digits(lx, &digits, set);
    } else {
        lex_decimal(lx, &digits, index, &kind);
    }
    size_t suffix = lx->at;
    while (is_name(lx->text[lx->at]))
        advance(lx, 1);
    lang_token *t = push(lx, kind, start, pos);
    t->text =
        parity_arena_strndup(lx->arena, digits.data ? digits.data : "", digits.length);
    t->length = digits.length;
    if (lx->at > suffix)
        t->suffix = lang_intern(lx->names, lx->text + suffix, lx->at - suffix);
    parity_buffer_free(&digits);
}

static void add_utf8(parity_buffer *out, unsigned code)
{
    if (code < 0x80) {
        parity_buffer_char(out, (char)code);
    } else if (code < 0x800) {
        parity_buffer_char(out, (char)(0xC0 | code >> 6));
        parity_buffer_char(out, (char)(0x80 | (code & 0x3F)));
    } else if (code < 0x10000) {
        parity_buffer_char(out, (char)(0xE0 | code >> 12));
        parity_buffer_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
        parity_buffer_char(out, (char)(0x80 | (code & 0x3F)));
    } else {
        parity_buffer_char(out, (char)(0xF0 | code >> 18));
        parity_buffer_char(out, (char)(0x80 | (code >> 12 & 0x3F)));
        parity_buffer_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
        parity_buffer_char(out, (char)(0x80 | (code & 0x3F)));
    }
}

static int hex_value(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* \x41 and \u{1F600}, after the backslash; false when malformed. */
static bool lex_code_escape(lexer *lx, parity_buffer *out)
{
    bool braces = lx->text[lx->at] == 'u';
    advance(lx, 1);
    if (braces) {
        if (lx->text[lx->at] != '{')
            return false;
        advance(lx, 1);
    }
    unsigned code = 0;
    int digits = 0;
    for (int h; (h = hex_value(lx->text[lx->at])) >= 0 && digits < (braces ? 6 : 2);
         digits++) {
        code = code * 16 + (unsigned)h;
        advance(lx, 1);
    }
    if (braces) {
        if (lx->text[lx->at] != '}')
            return false;
        advance(lx, 1);
    }
    bool valid =
        braces ? code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) : code < 0x80;
    if (!digits || (!braces && digits != 2) || !valid)
        return false;
    add_utf8(out, code);
    return true;
}

static bool lex_escape(lexer *lx, parity_buffer *out)
{
    static const char names[] = "ntr0\\'\"";
    static const char bytes[] = "\n\t\r\0\\'\"";
    char c = lx->text[lx->at];
    if (c == 'x' || c == 'u')
        return lex_code_escape(lx, out);
    if (c == '\n' || c == '\r') {
        while (lx->text[lx->at] && strchr(" \t\r\n", lx->text[lx->at]))
            advance(lx, 1);
        return true;
    }
    const char *found = c ? strchr(names, c) : NULL;
    if (!found)
        return false;
    parity_buffer_char(out, bytes[found - names]);
    advance(lx, 1);
    return true;
}

static void push_string(lexer *lx, parity_buffer *out, size_t start, parity_pos pos)
{
    lang_token *t = push(lx, LANG_STRING, start, pos);
    t->text = parity_arena_strndup(lx->arena, out->data ? out->data : "", out->length);
    t->length = out->length;
}

static void lex_string(lexer *lx)
{
    size_t start = lx->at;
    parity_pos pos = lx->pos;
    parity_buffer out = {0};
    const char *bad = NULL;
    advance(lx, 1);
    while (!bad && lx->text[lx->at] != '"') {
        char c = lx->text[lx->at];
        if (!c) {
            bad = "a string without its closing quote";
        } else if (c == '\\') {
            advance(lx, 1);
            if (!lex_escape(lx, &out))
                bad = "an escape that Rust does not know";
        } else {
            parity_buffer_char(&out, c);
            advance(lx, 1);
        }
    }
    if (!bad) {
        advance(lx, 1);
        push_string(lx, &out, start, pos);
    } else {
        push_bad(lx, start, pos, bad);
    }
    parity_buffer_free(&out);
}

/* r"…" and r#"…"#; false when what follows the r is no raw string. */
static bool lex_raw_string(lexer *lx)
{
    const char *p = lx->text + lx->at;
    size_t hashes = strspn(p + 1, "#");
    if (p[1 + hashes] != '"')
        return false;
    size_t start = lx->at;
    parity_pos pos = lx->pos;
    parity_buffer out = {0};
    advance(lx, 2 + hashes);
    for (;;) {
        p = lx->text + lx->at;
        if (!*p) {
            push_bad(lx, start, pos, "a raw string without its end");
            break;
        }
        if (*p == '"' && strspn(p + 1, "#") >= hashes) {
            advance(lx, 1 + hashes);
            push_string(lx, &out, start, pos);
            break;
        }
        parity_buffer_char(&out, *p);
        advance(lx, 1);
    }
    parity_buffer_free(&out);
    return true;
}

/* 'a is a lifetime; 'a' a char, which the subset does not have. */
static void lex_quote(lexer *lx)
{
    size_t start = lx->at;
    parity_pos pos = lx->pos;
    advance(lx, 1);
    if (is_name_start(lx->text[lx->at])) {
        size_t name = lx->at;
        while (is_name(lx->text[lx->at]))
            advance(lx, 1);
        if (lx->text[lx->at] != '\'') {
            lang_token *t = push(lx, LANG_LIFETIME, start, pos);
            t->text = lang_intern(lx->names, lx->text + name, lx->at - name);
            return;
        }
    }
    push_bad(lx, start, pos, "a character literal");
}

static void lex_punct(lexer *lx)
{
    static const char *const puncts[] = {
        "<<=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", "&&", "||",
        "+=",  "-=",  "*=",  "/=", "%=", "^=", "&=", "|=", "<<", "..", NULL};
    size_t start = lx->at;
    parity_pos pos = lx->pos;
    const char *p = lx->text + lx->at;
    size_t length = 1;
    for (size_t i = 0; puncts[i]; i++) {
        size_t n = strlen(puncts[i]);
        if (*p == *puncts[i] && strncmp(p, puncts[i], n) == 0) {
            length = n;
            break;
        }
    }
    advance(lx, length);
    if (length == 1 && !strchr("+-*/%^!&|=<>@.,;:#$?~()[]{}", *p)) {
        push_bad(lx, start, pos, "a character that Rust does not know here");
        return;
    }
    push(lx, LANG_PUNCT, start, pos)->text = lang_intern(lx->names, p, length);
}

static void lex_name(lexer *lx)
{
    const char *p = lx->text + lx->at;
    if (p[0] == 'r' && (p[1] == '"' || p[1] == '#') && lex_raw_string(lx))
        return;
    size_t start = lx->at;
    parity_pos pos = lx->pos;
    while (is_name(lx->text[lx->at]))
        advance(lx, 1);
    size_t length = lx->at - start;
    char next = lx->text[lx->at];
    if (length <= 2 && (next == '"' || next == '\'') && strchr("bc", *p)) {
        push_bad(lx, start, pos, "a byte or C string");
        return;
    }
    push(lx, LANG_IDENT, start, pos)->text = lang_intern(lx->names, p, length);
}

lang_tokens lang_lex(parity_arena *arena, lang_interner *interner, const char *text)
{
    lexer lx = {.arena = arena, .names = interner, .text = text, .pos = {1, 1}};
    for (;;) {
        size_t before = lx.at;
        parity_pos pos = lx.pos;
        if (!skip_space(&lx)) {
            push_bad(&lx, before, pos, "a comment without its end");
            break;
        }
        if (lx.count)
            lx.items[lx.count - 1].glued = lx.at == before;
        char c = text[lx.at];
        if (!c)
            break;
        if (is_digit(c))
            lex_number(&lx);
        else if (is_name_start(c))
            lex_name(&lx);
        else if (c == '"')
            lex_string(&lx);
        else if (c == '\'')
            lex_quote(&lx);
        else
            lex_punct(&lx);
    }
    push(&lx, LANG_END, lx.at, lx.pos);
    return (lang_tokens){lx.items, lx.count};
}
