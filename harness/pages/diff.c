/* The lines in which a region of a page differs from what belongs there. */
#include "harness/pages/body.h"

#include <stdlib.h>
#include <string.h>

typedef struct text_line {
    const char *text;
    size_t length; /* without its end */
} text_line;

typedef struct text_lines {
    text_line *items;
    size_t count;
    size_t capacity;
} text_lines;

/* Beyond this product of lines the middle is shown as one change. */
enum { MOST_CELLS = 1 << 22 };

static void split(text_lines *out, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t n = newline ? (size_t)(newline - text) - at : length - at;
        PARITY_GROW(out->items, out->count, out->capacity);
        out->items[out->count++] = (text_line){text + at, n};
        at += n + 1;
    }
}

static bool same(const text_line *a, const text_line *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

typedef struct differ {
    parity_buffer *out;
    const char *file;
    int line; /* of items[0] of old */
    const text_line *old, *fresh;
    size_t nold, nfresh;
    bool telling; /* the place of this change has been printed */
} differ;

static void tell(differ *d, size_t at, char sign, const text_line *line)
{
    if (!d->telling)
        parity_buffer_printf(d->out, "%s:%d:\n", d->file, d->line + (int)at);
    d->telling = true;
    parity_buffer_printf(d->out, "  %c %.*s\n", sign, (int)line->length, line->text);
}

/* Length of the longest common subsequence of the lines from i and j on. */
static unsigned *lengths(const differ *d)
{
    size_t width = d->nfresh + 1;
    unsigned *table = parity_alloc((d->nold + 1) * width * sizeof *table);
    for (size_t i = d->nold; i-- > 0;)
        for (size_t j = d->nfresh; j-- > 0;) {
            unsigned skip = table[(i + 1) * width + j], other = table[i * width + j + 1];
            table[i * width + j] = same(&d->old[i], &d->fresh[j])
                                       ? table[(i + 1) * width + j + 1] + 1
                                   : skip > other ? skip
                                                  : other;
        }
    return table;
}

static void walk(differ *d)
{
    size_t width = d->nfresh + 1, i = 0, j = 0;
    bool fits = d->nold < MOST_CELLS / width;
    unsigned *table = fits ? lengths(d) : NULL;
    while (i < d->nold || j < d->nfresh) {
        if (i < d->nold && j < d->nfresh && same(&d->old[i], &d->fresh[j])) {
            d->telling = false;
            i++;
            j++;
        } else if (i < d->nold &&
                   (j == d->nfresh || !table ||
                    table[(i + 1) * width + j] >= table[i * width + j + 1])) {
            tell(d, i, '-', &d->old[i]);
            i++;
        } else {
            tell(d, i, '+', &d->fresh[j++]);
        }
    }
    free(table);
}

void parity_lines_diff(parity_buffer *out, const char *file, int line, const char *old,
                       size_t old_length, const char *fresh, size_t fresh_length)
{
    text_lines a = {0}, b = {0};
    split(&a, old, old_length);
    split(&b, fresh, fresh_length);
    size_t head = 0, tail = 0;
    while (head < a.count && head < b.count && same(&a.items[head], &b.items[head]))
        head++;
    while (tail < a.count - head && tail < b.count - head &&
           same(&a.items[a.count - 1 - tail], &b.items[b.count - 1 - tail]))
        tail++;
    differ d = {.out = out,
                .file = file,
                .line = line + (int)head,
                .old = a.count ? a.items + head : NULL,
                .fresh = b.count ? b.items + head : NULL,
                .nold = a.count - head - tail,
                .nfresh = b.count - head - tail};
    walk(&d);
    free(a.items);
    free(b.items);
}
