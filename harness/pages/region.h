/* Regions of Markdown pages: where they are and what they ask for.
 *
 *     <!-- parity: transcript pages/references column=torch rows=write_t head="# PyTorch"
 * --> …
 *     <!-- /parity -->
 *
 * A marker has a line of its own, behind what a list or a quote puts before it. It names
 * a report, the cases (none: all), and keys; docs/pages.md describes them. What stands
 * between the markers is written by `parity docs` and by nobody else: `sum=` is its
 * checksum.
 *
 * A marker inside a code block is visible to readers, and its region is written without a
 * block of its own. A code block of Markdown or HTML shows markers to readers, so those
 * in it are left alone. */
#ifndef PARITY_PAGES_REGION_H
#define PARITY_PAGES_REGION_H

#include "harness/base/buffer.h"
#include "harness/base/memory.h"

#include <stdbool.h>

/* A word of a marker and its place in the page. */
typedef struct parity_word {
    const char *text;
    parity_pos pos;
} parity_word;

typedef struct parity_words {
    parity_word *items;
    size_t count;
    size_t capacity;
} parity_words;

/* What a marker may say behind the cases; each at most once. Values are lists. */
typedef enum parity_page_key {
    PARITY_KEY_COLUMN,
    PARITY_KEY_ROWS,
    PARITY_KEY_HEAD,
    PARITY_KEY_ANCHOR,
    PARITY_KEY_CAPTION,
    PARITY_KEY_LANG,
    PARITY_KEY_SUM,
    PARITY_KEYS
} parity_page_key;

typedef struct parity_region {
    parity_word kind; /* of a report; not looked up */
    parity_words cases;
    parity_word key[PARITY_KEYS]; /* text NULL: absent */
    parity_words value[PARITY_KEYS];
    parity_pos pos;     /* of the opening marker */
    const char *prefix; /* before every line of the region */
    const char *eol;    /* as the line of the opening marker ends */
    bool in_block;      /* stands in a code block of the page */
    /* Bytes of the page: the opening marker, and the whole lines between the markers. */
    size_t marker, marker_end;
    size_t body, body_end;
    size_t sum, sum_end; /* of the value of `sum=`; 0: there is none */
} parity_region;

typedef struct parity_page {
    const char *file; /* as to be printed; borrowed, as is the text */
    const char *text;
    size_t length;
    parity_region *regions; /* in their order */
    size_t count;
    size_t capacity;
    parity_arena *arena;
} parity_page;

extern const char *const parity_key_names[PARITY_KEYS];

/* Finds the regions of a page. Fails at a marker that cannot be read, is not closed,
 * stands in another region or beside other text; the error has file, line and column. */
int parity_page_scan(parity_page *page, const char *file, const char *text, size_t length,
                     parity_error *error);
void parity_page_free(parity_page *page);
/* Reads the words of a marker, from behind `parity:` to before `-->`. `pos` is that of
 * its first byte. */
int parity_marker_read(parity_page *page, parity_region *region, const char *text,
                       size_t length, parity_pos pos, parity_error *error);

#endif
