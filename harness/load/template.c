/* Templates: text with {expressions}. */
#include "harness/load/loader.h"

#include <ctype.h>
#include <string.h>

typedef struct scanner {
    parity_loader *loader;
    parity_language language;
    parity_text text;
    size_t at;
    parity_piece *pieces;
    size_t npieces;
    size_t capacity;
} scanner;

static void problem(scanner *s, size_t at, const char *format, ...) PARITY_PRINTF(3, 4);
static void problem(scanner *s, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    parity_problem_addv(s->loader->suite, &s->loader->source,
                        parity_text_offset(&s->text, at), format, args);
    va_end(args);
}

static void add_piece(scanner *s, parity_piece piece)
{
    if (s->npieces == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 4;
        parity_piece *more =
            parity_arena_alloc(s->loader->suite->arena, s->capacity * sizeof *more);
        if (s->npieces > 0)
            memcpy(more, s->pieces, s->npieces * sizeof *more);
        s->pieces = more;
    }
    s->pieces[s->npieces++] = piece;
}

static bool wordy(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Past a string that opens at `at`; backslashes escape. `*open` tells that it does not
 * close. */
static size_t skip_string(const char *t, size_t at, size_t quotes, bool *open)
{
    char quote = t[at];
    at += quotes;
    while (t[at] != '\0') {
        if (t[at] == '\\' && t[at + 1] != '\0') {
            at += 2;
        } else if (t[at] == quote &&
                   (quotes == 1 || (t[at + 1] == quote && t[at + 2] == quote))) {
            return at + quotes;
        } else {
            at++;
        }
    }
    *open = true;
    return at;
}

/* Past r"…" or r#"…"#, whose backslashes are plain. */
static size_t skip_raw(const char *t, size_t at, bool *open)
{
    size_t hashes = strspn(t + at + 1, "#");
    at += hashes + 2;
    while (t[at] != '\0') {
        size_t have = t[at] == '"' ? strspn(t + at + 1, "#") : 0;
        if (t[at] == '"' && have >= hashes)
            return at + 1 + hashes;
        at++;
    }
    *open = true;
    return at;
}

/* Whether the quote at `at` opens a Rust character; else it opens a lifetime. */
static bool rust_character(const char *t, size_t at)
{
    if (t[at + 1] == '\\')
        return true;
    size_t n = t[at + 1] != '\0' ? 1 : 0;
    while (((unsigned char)t[at + 1 + n] & 0xC0) == 0x80)
        n++;
    return n > 0 && t[at + 1 + n] == '\'';
}

/* Past the string or character that begins at `at`; `at` itself when none does. */
static size_t skip_quoted(const scanner *s, size_t at, bool *open)
{
    const char *t = s->text.text;
    bool fresh = at == 0 || !wordy(t[at - 1]);
    if (s->language == PARITY_CANDLE) {
        bool raw = t[at] == 'r' && t[at + 1 + strspn(t + at + 1, "#")] == '"';
        if (raw && (fresh || (t[at - 1] == 'b' && (at < 2 || !wordy(t[at - 2])))))
            return skip_raw(t, at, open);
        if (t[at] == '"' || (t[at] == '\'' && rust_character(t, at)))
            return skip_string(t, at, 1, open);
        return at;
    }
    if (t[at] != '"' && t[at] != '\'')
        return at;
    bool triple = t[at + 1] == t[at] && t[at + 2] == t[at];
    return skip_string(t, at, triple ? 3 : 1, open);
}

/* Finds the brace that closes the one at `open`; 0 after a problem. */
static size_t find_close(scanner *s, size_t open)
{
    static const char opening[] = "([{";
    static const char closing[] = ")]}";
    const char *t = s->text.text;
    char nest[PARITY_DEPTH_LIMIT];
    size_t depth = 0;
    for (size_t at = open + 1; t[at] != '\0';) {
        bool unclosed = false;
        size_t past = skip_quoted(s, at, &unclosed);
        if (unclosed) {
            problem(s, at, "this quote is not closed");
            return 0;
        }
        if (past > at) {
            at = past;
            continue;
        }
        const char *opens = strchr(opening, t[at]);
        const char *closes = strchr(closing, t[at]);
        if (closes != NULL && depth == 0 && t[at] == '}')
            return at;
        if (closes != NULL && (depth == 0 || nest[depth - 1] != t[at])) {
            problem(s, at, "this `%c` closes nothing", t[at]);
            return 0;
        }
        if (opens != NULL && depth == PARITY_DEPTH_LIMIT) {
            problem(s, at, "brackets nested deeper than %d levels", PARITY_DEPTH_LIMIT);
            return 0;
        }
        if (opens != NULL)
            nest[depth++] = closing[opens - opening];
        depth -= closes != NULL;
        at++;
    }
    problem(s, open, "this `{` is not closed; a brace in the text itself is doubled: {{");
    return 0;
}

/* Takes `:.3` off the end of [from, end), or reports another format. */
static size_t take_decimals(scanner *s, size_t from, size_t end, int *decimals)
{
    const char *t = s->text.text;
    size_t colon = end;
    while (colon > from && strchr("0123456789.?#efxX<>^+", t[colon - 1]) != NULL)
        colon--;
    if (colon == end || colon == from || t[colon - 1] != ':' ||
        (colon - 1 > from && t[colon - 2] == ':'))
        return end;
    colon--;
    const char *format = t + colon + 1;
    size_t length = end - colon - 1;
    size_t count = format[0] == '.' ? strspn(format + 1, "0123456789") : 0;
    if (count > 0 && count + 1 == length && count <= 2) {
        *decimals = format[1] - '0';
        if (count == 2)
            *decimals = *decimals * 10 + format[2] - '0';
        return colon;
    }
    if (strchr("?#.<>^", format[0]) != NULL) {
        problem(s, colon, "`:%.*s` is no format here; the only one is :.3, for decimals",
                (int)length, format);
        return colon;
    }
    return end;
}

/* Length of `name` in `name=expr`, or 0. */
static size_t name_length(const char *t, size_t from, size_t end)
{
    size_t n = 0;
    while (from + n < end && (islower((unsigned char)t[from + n]) || t[from + n] == '_' ||
                              isdigit((unsigned char)t[from + n])))
        n++;
    bool named = n > 0 && !isdigit((unsigned char)t[from]) && from + n + 1 <= end &&
                 t[from + n] == '=' && t[from + n + 1] != '=' && t[from + n + 1] != '>';
    return named ? n : 0;
}

static void read_expr(scanner *s, parity_observed *observed, size_t from, size_t end)
{
    const char *t = s->text.text;
    parity_arena *arena = s->loader->suite->arena;
    parity_expr expr = {.decimals = -1};
    size_t open = from - 1;
    size_t name = name_length(t, from, end);
    if (name > 0) {
        expr.name = parity_arena_strndup(arena, t + from, name);
        from += name + 1;
    }
    end = take_decimals(s, from, end, &expr.decimals);
    while (from < end && isspace((unsigned char)t[from]))
        from++;
    while (end > from && isspace((unsigned char)t[end - 1]))
        end--;
    if (from == end) {
        problem(s, open,
                "an expression is missing here; braces in the text itself are doubled: "
                "{{}}");
        return;
    }
    expr.text = parity_arena_strndup(arena, t + from, end - from);
    expr.pos = parity_source_pos(&s->loader->source, parity_text_offset(&s->text, from));
    add_piece(s, (parity_piece){NULL, parity_observe(observed, expr)});
}

static bool too_many(scanner *s)
{
    if (s->npieces < 2 * PARITY_OBSERVE_LIMIT)
        return false;
    problem(s, s->at, "a template has at most %d expressions; split the row",
            PARITY_OBSERVE_LIMIT);
    return true;
}

static void add_literal(scanner *s, parity_buffer *literal)
{
    if (literal->length > 0) {
        const char *text =
            parity_arena_strndup(s->loader->suite->arena, literal->data, literal->length);
        add_piece(s, (parity_piece){text, 0});
    }
    literal->length = 0;
}

static void scan(scanner *s, parity_observed *observed)
{
    const char *t = s->text.text;
    parity_buffer literal = {0};
    while (t[s->at] != '\0' && !too_many(s)) {
        char c = t[s->at];
        if ((c == '{' || c == '}') && t[s->at + 1] == c) {
            parity_buffer_char(&literal, c);
            s->at += 2;
        } else if (c == '{') {
            add_literal(s, &literal);
            size_t close = find_close(s, s->at);
            if (close == 0)
                break;
            read_expr(s, observed, s->at + 1, close);
            s->at = close + 1;
        } else if (c == '}') {
            problem(s, s->at,
                    "this `}` closes nothing; a brace in the text itself is doubled: }}");
            break;
        } else {
            parity_buffer_char(&literal, c);
            s->at++;
        }
    }
    add_literal(s, &literal);
    parity_buffer_free(&literal);
}

size_t parity_observe(parity_observed *observed, parity_expr expr)
{
    PARITY_GROW(observed->items, observed->count, observed->capacity);
    observed->items[observed->count] = expr;
    return observed->count++;
}

void parity_template_of(parity_loader *loader, parity_template *out,
                        parity_observed *observed, parity_language language,
                        const parity_node *node)
{
    if (node == NULL)
        return;
    const parity_node *value = parity_node_get(node, "value");
    scanner s = {.loader = loader, .language = language};
    s.text = parity_text_of(loader, value != NULL ? value : node, language);
    if (value != NULL) {
        parity_expr expr = {.text = s.text.text, .decimals = -1};
        expr.pos = parity_source_pos(&loader->source, parity_text_offset(&s.text, 0));
        add_piece(&s, (parity_piece){NULL, parity_observe(observed, expr)});
    } else {
        while (s.text.length > 0 && s.text.text[s.text.length - 1] == '\n')
            ((char *)s.text.text)[--s.text.length] = '\0';
        scan(&s, observed);
        if (s.npieces == 0)
            add_piece(&s, (parity_piece){"", 0});
    }
    out->pieces = s.pieces;
    out->npieces = s.npieces;
    out->shown = value == NULL;
    out->pos = parity_loader_pos(loader, node);
}
