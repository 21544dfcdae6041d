#include "harness/model/calls.h"
#include "harness/base/buffer.h"

#include <ctype.h>
#include <string.h>

/* Called like functions, and none of a library: words and types of Rust itself, and what
 * Parity puts at hand. What Python has built in is called without a dot and never counts.
 */
static const char *const not_of_a_library[] = {
    "Box",     "Default", "Err",  "None",     "Ok",     "Rc",    "Some",
    "String",  "Vec",     "for",  "if",       "in",     "let",   "match",
    "return",  "while",   "mut",  "expect",   "unwrap", "value", "attempt",
    "measure", "shares",  "drop", "peak_rss", NULL,
};

/* Modules: a name reached through one is looked up with it. */
static const char *const modules[] = {"torch", "copy", "nn", "F", NULL};

static bool among(const char *const *words, const char *word, size_t length)
{
    for (; *words; words++)
        if (strlen(*words) == length && strncmp(*words, word, length) == 0)
            return true;
    return false;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind a quoted text, which may be one of Python's in three quotes. */
static const char *skip_quoted(const char *p)
{
    char quote = *p;
    size_t width = p[1] == quote && p[2] == quote ? 3 : 1;
    for (p += width; *p; p++) {
        if (*p == '\\' && p[1])
            p++;
        else if (*p == quote && (width == 1 || (p[1] == quote && p[2] == quote)))
            return p + width;
    }
    return p;
}

/* 'a' is a character of Rust, 'a without a second quote a lifetime. */
static bool is_lifetime(const char *p, parity_language language)
{
    return language == PARITY_CANDLE && *p == '\'' && is_name(p[1]) && p[2] != '\'';
}

/* Behind a comment or a quoted text that begins at p, or p. */
static const char *skip_dead(const char *p, parity_language language)
{
    const char *line = language == PARITY_TORCH ? "#" : "//";
    if (strncmp(p, line, strlen(line)) == 0)
        return p + strcspn(p, "\n");
    if (language == PARITY_CANDLE && strncmp(p, "/*", 2) == 0) {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p == '"' || (*p == '\'' && !is_lifetime(p, language)))
        return skip_quoted(p);
    return p;
}

/* Whether a call follows: an opening parenthesis, in Rust perhaps behind ::<…>. */
static bool is_called(const char *p)
{
    if (strncmp(p, "::<", 3) == 0) {
        int depth = 0;
        for (p += 2; *p && *p != '\n'; p++) {
            depth += *p == '<' ? 1 : *p == '>' ? -1 : 0;
            if (depth == 0)
                return p[1] == '(';
        }
        return false;
    }
    return *p == '(';
}

/* A chain of names joined by :: or by dots: `torch.optim.SGD`, `Tensor::zeros`,
 * `x.clone`. */
typedef struct chain {
    const char *first, *first_end; /* its first name */
    const char *last, *end;        /* its last one */
    const char *before_last;       /* the one before, or NULL */
    bool path;                     /* :: stands before the last */
    bool open;                     /* begins with a dot, behind something else */
} chain;

static chain read_chain(const char *text, const char *p)
{
    chain c = {.first = p, .open = p > text && p[-1] == '.'};
    for (;;) {
        c.last = p;
        while (is_name(*p))
            p++;
        c.end = p;
        if (c.last == c.first)
            c.first_end = p;
        size_t joint = *p == '.' ? 1 : strncmp(p, "::", 2) == 0 ? 2 : 0;
        if (!joint || !is_name(p[joint]) || isdigit((unsigned char)p[joint]))
            return c;
        c.before_last = c.last;
        c.path = joint == 2;
        p += joint;
    }
}

/* The name of a call as a person looks it up; nothing for what is no library's. */
static void name_call(parity_buffer *name, const parity_names *defined, const chain *c,
                      parity_language language)
{
    const char *from = c->last;
    bool alone = !c->before_last && !c->open;
    if (!c->open && among(modules, c->first, (size_t)(c->first_end - c->first)))
        from = c->first;
    else if (c->path)
        from = c->before_last;
    else if (alone && language == PARITY_TORCH)
        return; /* built in, or the program's own */
    if (among(not_of_a_library, from, strcspn(from, ".:(<")))
        return;
    parity_buffer_add(name, from, (size_t)(c->end - from));
    for (size_t i = 0; i < defined->count; i++)
        if (strcmp(defined->names[i], name->data) == 0)
            name->length = 0;
}

void parity_each_call(const char *text, parity_language language,
                      parity_call_visit *visit, void *context)
{
    parity_names defined = {0};
    bool defines = false;
    for (const char *p = text; *p;) {
        const char *behind = skip_dead(p, language);
        if (behind != p) {
            p = behind;
            continue;
        }
        if (!is_name(*p)) {
            p++;
            continue;
        }
        if (isdigit((unsigned char)*p)) {
            while (is_name(*p))
                p++;
            continue;
        }
        chain c = read_chain(text, p);
        if (defines) {
            parity_buffer name = {0};
            parity_buffer_add(&name, c.first, (size_t)(c.first_end - c.first));
            parity_names_number(&defined, name.data);
            parity_buffer_free(&name);
        } else if (is_called(c.end)) {
            parity_buffer name = {0};
            name_call(&name, &defined, &c, language);
            if (name.length)
                visit(context, name.data, (size_t)(c.last - text));
            parity_buffer_free(&name);
        }
        defines = among((const char *const[]){"fn", "def", "class", "struct", NULL},
                        c.first, (size_t)(c.first_end - c.first));
        p = c.end;
    }
    parity_names_free(&defined);
}

static void add_name(void *context, const char *name, size_t at)
{
    (void)at;
    parity_names_number(context, name);
}

void parity_calls(parity_names *names, const char *text, parity_language language)
{
    parity_each_call(text, language, add_name, names);
}

void parity_calls_of_case(parity_names *names, const parity_case *test)
{
    for (int language = 0; language < PARITY_LANGUAGES; language++) {
        if (test->program[language].text)
            parity_calls(names, test->program[language].text, (parity_language)language);
        for (size_t i = 0; i < test->nobserve[language]; i++)
            parity_calls(names, test->observe[language][i].text,
                         (parity_language)language);
    }
}
