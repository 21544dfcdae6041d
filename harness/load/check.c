/* Checks a tree against the tables, and suggests words. */
#include "harness/load/form.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct checker {
    parity_suite *suite;
    parity_source *source;
    size_t found; /* problems */
} checker;

static void report(checker *c, size_t offset, const char *format, ...)
    PARITY_PRINTF(3, 4);
static void report(checker *c, size_t offset, const char *format, ...)
{
    c->found++;
    va_list args;
    va_start(args, format);
    parity_problem_addv(c->suite, c->source, offset, format, args);
    va_end(args);
}

static bool among(const char *text, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

static bool number_like(const char *t)
{
    t += *t == '+' || *t == '-';
    if (among(t, (const char *const[]){".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN",
                                       NULL}))
        return true;
    if (t[0] == '0' && t[1] != '\0' && strchr("xo", t[1]) != NULL)
        return t[2] != '\0' && t[2 + strspn(t + 2, "0123456789abcdefABCDEF")] == '\0';
    size_t whole = strspn(t, "0123456789");
    const char *rest = t + whole;
    size_t part = *rest == '.' ? strspn(rest + 1, "0123456789") : 0;
    if (whole + part == 0)
        return false;
    rest += *rest == '.' ? part + 1 : 0;
    if (*rest == 'e' || *rest == 'E') {
        rest += 1 + (rest[1] == '+' || rest[1] == '-');
        size_t digits = strspn(rest, "0123456789");
        return digits > 0 && rest[digits] == '\0';
    }
    return *rest == '\0';
}

/* What YAML 1.2 takes a plain scalar for. */
typedef enum meaning { MEANS_TEXT, MEANS_NULL, MEANS_BOOL, MEANS_NUMBER } meaning;

static meaning meaning_of(const parity_node *node)
{
    if (node->style != PARITY_PLAIN)
        return MEANS_TEXT;
    if (among(node->text, (const char *const[]){"", "~", "null", "Null", "NULL", NULL}))
        return MEANS_NULL;
    if (among(node->text, (const char *const[]){"true", "True", "TRUE", "false", "False",
                                                "FALSE", NULL}))
        return MEANS_BOOL;
    return number_like(node->text) ? MEANS_NUMBER : MEANS_TEXT;
}

static bool right_type(checker *c, const parity_form *form, const parity_node *node,
                       const char *what)
{
    meaning means = meaning_of(node);
    if (means == MEANS_NULL || (means == MEANS_TEXT && node->length == 0)) {
        report(c, node->start, "%s is empty; it must be %s", what, form->wants);
        return false;
    }
    if (form->scalar == PARITY_TRUTH) {
        if (among(node->text, (const char *const[]){"true", "false", NULL}) &&
            node->style == PARITY_PLAIN)
            return true;
        report(c, node->start, "%s must be %s", what, form->wants);
        return false;
    }
    if (means == MEANS_BOOL && form->scalar != PARITY_ANY) {
        report(c, node->start, "%s must be %s; a bare %s is a boolean in YAML, quote it",
               what, form->wants, node->text);
        return false;
    }
    if (means == MEANS_NUMBER && form->scalar == PARITY_TEXT) {
        report(c, node->start, "%s must be %s; a bare %s is a number in YAML, quote it",
               what, form->wants, node->text);
        return false;
    }
    return true;
}

static void check_scalar(checker *c, const parity_form *form, const parity_node *node,
                         const char *what)
{
    if (!right_type(c, form, node, what))
        return;
    if (form->expands && strstr(node->text, "${") != NULL)
        return;
    if (form->words != NULL && !among(node->text, form->words)) {
        size_t count = 0;
        while (form->words[count] != NULL)
            count++;
        parity_hint hint;
        report(c, node->start, "%s `%s` is not known; it must be %s%s", what, node->text,
               form->wants, parity_suggest(&hint, node->text, form->words, count));
    }
    if (form->accepts != NULL && !form->accepts(node->text))
        report(c, node->start, "%s `%s` must be %s", what, node->text, form->wants);
}

static void check(checker *c, const parity_form *form, const parity_node *node,
                  const char *what);

static const parity_key *find_key(const parity_key *keys, const char *name)
{
    for (; keys->name != NULL; keys++)
        if (strcmp(keys->name, name) == 0)
            return keys;
    return NULL;
}

static void unknown_key(checker *c, const parity_key *keys, const parity_node *key,
                        const char *what)
{
    const char *known[32];
    size_t count = 0;
    parity_buffer list = {0};
    for (; keys[count].name != NULL && count < 32; count++) {
        known[count] = keys[count].name;
        parity_buffer_printf(&list, "%s%s", count > 0 ? ", " : "", known[count]);
    }
    parity_hint hint;
    const char *near = parity_suggest(&hint, key->text, known, count);
    if (*near != '\0')
        report(c, key->start, "unknown key `%s` in %s%s", key->text, what, near);
    else
        report(c, key->start, "unknown key `%s` in %s; known are %s", key->text, what,
               list.data);
    parity_buffer_free(&list);
}

static bool repeated(checker *c, const parity_node *node, size_t entry)
{
    const parity_node *key = node->items[entry];
    for (size_t i = 0; i < entry; i += 2) {
        const parity_node *other = node->items[i];
        if (other->length != key->length || strcmp(other->text, key->text) != 0)
            continue;
        report(c, key->start,
               "key `%s` stands here for the second time; the first is in line %d",
               key->text, parity_source_pos(c->source, other->start).line);
        return true;
    }
    return false;
}

static void check_mapping(checker *c, const parity_form *form, const parity_node *node,
                          const char *what)
{
    if (node->nitems / 2 > PARITY_KEY_LIMIT) {
        report(c, node->start, "%s has more than %d keys", what, PARITY_KEY_LIMIT);
        return;
    }
    for (size_t i = 0; i + 1 < node->nitems; i += 2) {
        const parity_node *key = node->items[i];
        if (repeated(c, node, i))
            continue;
        const parity_form *takes = form->values;
        if (form->keys != NULL) {
            const parity_key *known = find_key(form->keys, key->text);
            if (known == NULL)
                unknown_key(c, form->keys, key, what);
            takes = known != NULL ? known->form : NULL;
        } else if (form->names != NULL) {
            check_scalar(c, form->names, key, what);
        }
        parity_buffer inner = {0};
        parity_buffer_printf(&inner, "%.60s:", key->text);
        if (takes != NULL)
            check(c, takes, node->items[i + 1], inner.data);
        parity_buffer_free(&inner);
    }
    for (const parity_key *key = form->keys; key != NULL && key->name != NULL; key++)
        if (key->required && parity_node_get(node, key->name) == NULL)
            report(c, node->start, "%s needs a key `%s`", what, key->name);
}

static const char *shape_name(parity_shape shape)
{
    return shape == PARITY_SCALAR     ? "a text"
           : shape == PARITY_SEQUENCE ? "a list"
                                      : "a mapping";
}

static void check(checker *c, const parity_form *form, const parity_node *node,
                  const char *what)
{
    if (!(form->shapes & (unsigned)node->shape)) {
        if (node->shape == PARITY_SCALAR && meaning_of(node) == MEANS_NULL)
            report(c, node->start, "%s is empty; it must be %s", what, form->wants);
        else
            report(c, node->start, "%s is %s; it must be %s", what,
                   shape_name(node->shape), form->wants);
        return;
    }
    if (node->shape == PARITY_SCALAR)
        check_scalar(c, form, node, what);
    else if (node->shape == PARITY_MAPPING)
        check_mapping(c, form, node, what);
    else
        for (size_t i = 0; i < node->nitems; i++)
            check(c, form->items, node->items[i], what);
}

bool parity_form_check(parity_suite *suite, parity_source *source,
                       const parity_form *form, const parity_node *node)
{
    checker c = {suite, source, 0};
    check(&c, form, node, form == &parity_form_case ? "the case" : form->name);
    return c.found == 0;
}
