/* The words of a marker. */
#include "harness/load/form.h"
#include "harness/pages/region.h"

#include <stdlib.h>
#include <string.h>

const char *const parity_key_names[PARITY_KEYS] = {"column",  "rows", "head", "anchor",
                                                   "caption", "lang", "sum"};

typedef struct reader {
    parity_page *page;
    const char *at;
    const char *end;
    parity_pos pos;
    parity_error *error;
} reader;

static void step(reader *r)
{
    /* Columns count characters: bytes that continue one are no step. */
    if (((unsigned char)*r->at & 0xc0) != 0x80)
        r->pos.column++;
    r->at++;
}

static bool blank(const reader *r)
{
    return r->at < r->end && (*r->at == ' ' || *r->at == '\t');
}

static int quoted(reader *r, parity_buffer *out)
{
    parity_pos start = r->pos;
    for (step(r); r->at < r->end && *r->at != '"'; step(r)) {
        if (*r->at == '\\') {
            step(r);
            if (r->at == r->end || (*r->at != '"' && *r->at != '\\'))
                return parity_fail_at(r->error, r->page->file, r->pos,
                                      "behind a backslash stands \" or \\");
        }
        parity_buffer_char(out, *r->at);
    }
    if (r->at == r->end)
        return parity_fail_at(r->error, r->page->file, start,
                              "this quote is not closed before the marker ends");
    step(r);
    return 0;
}

/* A word up to a blank, or up to a comma when `list`. */
static int word(reader *r, parity_words *words, bool list)
{
    parity_buffer text = {0};
    parity_pos pos = r->pos;
    int status = 0;
    if (list && r->at < r->end && *r->at == '"')
        status = quoted(r, &text);
    else
        for (; r->at < r->end && !blank(r) && !(list && *r->at == ','); step(r))
            parity_buffer_char(&text, *r->at);
    if (!status && r->at < r->end && !blank(r) && !(list && *r->at == ','))
        status = parity_fail_at(r->error, r->page->file, r->pos,
                                "behind a quote stands a blank or a comma");
    if (!status) {
        PARITY_GROW(words->items, words->count, words->capacity);
        words->items[words->count++] = (parity_word){
            parity_arena_strndup(r->page->arena, text.data ? text.data : "", text.length),
            pos};
    }
    parity_buffer_free(&text);
    return status;
}

static int values(reader *r, parity_region *region, int key)
{
    do {
        if (*r->at == ',' && region->value[key].count)
            step(r);
        parity_pos start = r->pos;
        bool is_quoted = r->at < r->end && *r->at == '"';
        if (word(r, &region->value[key], true))
            return -1;
        const parity_words *all = &region->value[key];
        if (!is_quoted && !*all->items[all->count - 1].text)
            return parity_fail_at(r->error, r->page->file, start,
                                  "a value is missing for `%s`", parity_key_names[key]);
    } while (r->at < r->end && *r->at == ',');
    return 0;
}

static int key_and_values(reader *r, parity_region *region, size_t length)
{
    parity_pos start = r->pos;
    const char *name = parity_arena_strndup(r->page->arena, r->at, length);
    int key = 0;
    while (key < PARITY_KEYS && strcmp(parity_key_names[key], name) != 0)
        key++;
    parity_hint hint;
    if (key == PARITY_KEYS)
        return parity_fail_at(r->error, r->page->file, start, "`%s` is no key%s", name,
                              parity_suggest(&hint, name, parity_key_names, PARITY_KEYS));
    if (region->key[key].text)
        return parity_fail_at(r->error, r->page->file, start,
                              "`%s` is here twice; several values are written %s=a,b",
                              name, name);
    region->key[key] = (parity_word){name, start};
    for (size_t i = 0; i <= length; i++)
        step(r);
    size_t from = (size_t)(r->at - r->page->text);
    int status = values(r, region, key);
    if (key == PARITY_KEY_SUM) {
        region->sum = from;
        region->sum_end = (size_t)(r->at - r->page->text);
    }
    return status;
}

int parity_marker_read(parity_page *page, parity_region *region, const char *text,
                       size_t length, parity_pos pos, parity_error *error)
{
    reader r = {page, text, text + length, pos, error};
    parity_words kind = {0};
    int status = 0;
    for (;;) {
        while (blank(&r))
            step(&r);
        if (status || r.at == r.end)
            break;
        size_t name = 0;
        while (r.at + name < r.end && r.at[name] >= 'a' && r.at[name] <= 'z')
            name++;
        if (name && r.at + name < r.end && r.at[name] == '=')
            status = key_and_values(&r, region, name);
        else
            status = word(&r, kind.count ? &region->cases : &kind, false);
    }
    if (!status && !kind.count)
        status = parity_fail_at(error, page->file, pos,
                                "a marker begins with the name of a report: "
                                "<!-- parity: transcript pages/snapshot -->");
    region->kind = kind.count ? kind.items[0] : (parity_word){0};
    free(kind.items);
    return status;
}
