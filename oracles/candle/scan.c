#include "oracles/candle/scan.h"

#include "harness/base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void candle_list_add(candle_list *list, size_t number)
{
    PARITY_GROW(list->items, list->count, list->capacity);
    list->items[list->count++] = number;
}

void candle_list_free(candle_list *list)
{
    free(list->items);
    *list = (candle_list){0};
}

static char peek(const candle_scanner *s, size_t ahead)
{
    return s->at + ahead < s->length ? s->text[s->at + ahead] : '\0';
}

static bool in_word(char c)
{
    return c == '_' || isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Passes over space and comments; false when a block comment does not end. */
static bool skip(candle_scanner *s)
{
    while (s->at < s->length) {
        if (isspace((unsigned char)peek(s, 0))) {
            s->at++;
        } else if (peek(s, 0) == '/' && peek(s, 1) == '/') {
            while (s->at < s->length && s->text[s->at] != '\n')
                s->at++;
        } else if (peek(s, 0) == '/' && peek(s, 1) == '*') {
            int depth = 0; /* block comments nest */
            do {
                bool opens = peek(s, 0) == '/' && peek(s, 1) == '*';
                bool closes = peek(s, 0) == '*' && peek(s, 1) == '/';
                depth += opens - closes;
                s->at += opens || closes ? 2 : 1;
            } while (depth > 0 && s->at < s->length);
            if (depth > 0)
                return false;
        } else {
            break;
        }
    }
    return true;
}

/* From the opening quote to behind the closing one; false when it does not end. */
static bool quoted(candle_scanner *s)
{
    char quote = s->text[s->at++];
    while (s->at < s->length && s->text[s->at] != quote)
        s->at += s->text[s->at] == '\\' ? 2 : 1;
    if (s->at >= s->length) {
        s->at = s->length;
        return false;
    }
    s->at++;
    return true;
}

/* From the first # or quote of r#"…"# to behind its end. */
static bool raw(candle_scanner *s)
{
    size_t hashes = 0;
    while (peek(s, 0) == '#') {
        hashes++;
        s->at++;
    }
    s->at++; /* the quote */
    while (s->at < s->length) {
        if (s->text[s->at++] != '"')
            continue;
        size_t seen = 0;
        while (seen < hashes && peek(s, 0) == '#') {
            seen++;
            s->at++;
        }
        if (seen == hashes)
            return true;
    }
    return false;
}

/* 'a' is a character, 'a alone a lifetime. */
static bool is_character(const candle_scanner *s)
{
    if (peek(s, 1) == '\\')
        return true;
    size_t after = 2;
    while (((unsigned char)peek(s, after) & 0xC0) == 0x80) /* rest of a UTF-8 character */
        after++;
    return peek(s, 1) != '\'' && peek(s, after) == '\'';
}

/* The word before a quote says what kind of string follows: b"", c"", r#""#, br"", cr"".
 */
static candle_token_kind word(candle_scanner *s, size_t start)
{
    while (in_word(peek(s, 0)))
        s->at++;
    size_t length = s->at - start;
    const char *text = s->text + start;
    bool prefix = length == 1 && strchr("bcr", text[0]);
    prefix = prefix || (length == 2 && text[1] == 'r' && strchr("bc", text[0]));
    if (!prefix)
        return CANDLE_WORD;
    size_t hashes = 0;
    while (peek(s, hashes) == '#')
        hashes++;
    if (text[length - 1] == 'r' && peek(s, hashes) == '"')
        return raw(s) ? CANDLE_TEXT : CANDLE_UNENDED;
    bool byte = text[0] == 'b' && peek(s, 0) == '\'' && is_character(s);
    if (text[length - 1] != 'r' && (peek(s, 0) == '"' || byte))
        return quoted(s) ? CANDLE_TEXT : CANDLE_UNENDED;
    return CANDLE_WORD;
}

candle_token candle_scan(candle_scanner *s)
{
    size_t before = s->at;
    if (!skip(s))
        return (candle_token){CANDLE_UNENDED, before, s->length - before};
    candle_token token = {CANDLE_PUNCT, s->at, 0};
    if (s->at >= s->length) {
        token.kind = CANDLE_END;
        return token;
    }
    char c = peek(s, 0);
    if (in_word(c)) {
        token.kind = word(s, s->at);
    } else if (c == '"' || (c == '\'' && is_character(s))) {
        token.kind = quoted(s) ? CANDLE_TEXT : CANDLE_UNENDED;
    } else {
        if (strchr("([{", c))
            token.kind = CANDLE_OPEN;
        else if (strchr(")]}", c))
            token.kind = CANDLE_CLOSE;
        s->at++;
    }
    token.length = s->at - token.start;
    return token;
}

bool candle_token_is(const candle_scanner *s, candle_token token, const char *text)
{
    bool plain = token.kind != CANDLE_TEXT && token.kind != CANDLE_UNENDED;
    return plain && token.length == strlen(text) &&
           memcmp(s->text + token.start, text, token.length) == 0;
}

static char closing(char open)
{
    return open == '(' ? ')' : open == '[' ? ']' : '}';
}

const char *candle_unbalanced(const char *expression)
{
    candle_scanner s = {expression, strlen(expression), 0};
    candle_list open = {0};
    const char *why = NULL;
    for (candle_token t = candle_scan(&s); !why && t.kind != CANDLE_END;
         t = candle_scan(&s)) {
        char c = expression[t.start];
        if (t.kind == CANDLE_UNENDED)
            why = "a string or a comment does not end";
        else if (t.kind == CANDLE_OPEN)
            candle_list_add(&open, (size_t)closing(c));
        else if (t.kind == CANDLE_CLOSE &&
                 (open.count == 0 || open.items[--open.count] != (size_t)c))
            why = "a bracket is closed that was not opened";
    }
    if (!why && open.count > 0)
        why = "a bracket is not closed";
    candle_list_free(&open);
    return why;
}

void candle_lines_in_strings(candle_list *lines, const char *text)
{
    candle_scanner s = {text, strlen(text), 0};
    size_t line = 1, at = 0;
    candle_token t;
    do {
        t = candle_scan(&s);
        for (; at < t.start; at++)
            line += text[at] == '\n';
        for (; at < t.start + t.length; at++) {
            if (text[at] != '\n')
                continue;
            line++;
            if (t.kind == CANDLE_TEXT)
                candle_list_add(lines, line);
        }
    } while (t.kind != CANDLE_END && t.kind != CANDLE_UNENDED);
}

/* Words that begin a statement which ends with the brace that closes it. `const` may go
 * on with a semicolon, `use` always does: they are not here, so that they end with what
 * follows at worst. */
static bool ends_with_brace(const candle_scanner *s, candle_token first)
{
    static const char *const words[] = {
        "if",     "for",   "while", "loop", "match", "unsafe", "fn",    "impl", "enum",
        "struct", "trait", "union", "mod",  "pub",   "extern", "async", "{"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (candle_token_is(s, first, words[i]))
            return true;
    return false;
}

static bool goes_on(const candle_scanner *s, candle_token next)
{
    return candle_token_is(s, next, "else") || candle_token_is(s, next, ".") ||
           candle_token_is(s, next, "?");
}

void candle_statements(candle_list *starts, candle_list *ends, const char *text)
{
    candle_scanner s = {text, strlen(text), 0};
    candle_token t = candle_scan(&s);
    while (t.kind != CANDLE_END && t.kind != CANDLE_UNENDED) {
        candle_token first = t;
        bool braced = ends_with_brace(&s, first);
        size_t depth = 0;
        candle_list_add(starts, first.start);
        for (bool ended = false; !ended;) {
            candle_token last = t;
            if (t.kind == CANDLE_END || t.kind == CANDLE_UNENDED)
                return;
            if (t.kind == CANDLE_CLOSE && depth == 0)
                return; /* the program closes what it has not opened */
            depth += t.kind == CANDLE_OPEN;
            depth -= t.kind == CANDLE_CLOSE;
            t = candle_scan(&s);
            if (depth == 0)
                ended = candle_token_is(&s, last, ";") ||
                        (braced && candle_token_is(&s, last, "}") && !goes_on(&s, t));
            if (ended)
                candle_list_add(ends, last.start + last.length);
        }
    }
}
