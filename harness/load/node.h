/* A YAML document as a tree with places, from libyaml's events.
 *
 * Only what the case language needs: no anchors, aliases or tags, one document, keys that
 * are text, nesting of at most PARITY_DEPTH_LIMIT. */
#ifndef PARITY_LOAD_NODE_H
#define PARITY_LOAD_NODE_H

#include "harness/load/source.h"

#define PARITY_DEPTH_LIMIT 32
/* Keys of one mapping: bounds the search for duplicates. */
#define PARITY_KEY_LIMIT 1000

/* Bits, so that a form can accept several. */
typedef enum parity_shape {
    PARITY_SCALAR = 1,
    PARITY_SEQUENCE = 2,
    PARITY_MAPPING = 4
} parity_shape;

typedef enum parity_style {
    PARITY_PLAIN,
    PARITY_SINGLE,
    PARITY_DOUBLE,
    PARITY_LITERAL,
    PARITY_FOLDED
} parity_style;

typedef struct parity_node parity_node;
struct parity_node {
    parity_shape shape;
    parity_style style; /* of a scalar */
    /* offset in the source; of a quoted or block scalar, of its indicator */
    size_t start;
    size_t end;
    const char *text; /* of a scalar */
    size_t length;
    parity_node **items; /* of a sequence; of a mapping: key, value, key, value… */
    size_t nitems;       /* of a mapping: twice the number of its entries */
    size_t capacity;     /* while it is built */
};

/* The root, in `arena`; NULL when the text is not one document of YAML, with the problems
 * in the suite. */
parity_node *parity_node_read(parity_suite *suite, parity_source *source,
                              parity_arena *arena);

/* The value under a key of a mapping; NULL when absent, or when `node` is NULL or no
 * mapping. */
const parity_node *parity_node_get(const parity_node *node, const char *key);

/* Walks through a scalar's text and the bytes that it was written as, side by side. */
typedef struct parity_walk {
    const parity_source *source;
    const parity_node *node;
    size_t at;     /* in node->text */
    size_t offset; /* in the source */
    size_t indent; /* of a block scalar's lines */
} parity_walk;

void parity_walk_open(parity_walk *walk, const parity_source *source,
                      const parity_node *node);
/* The source offset of byte `at` of the text. Cheap when asked front to back. */
size_t parity_walk_to(parity_walk *walk, size_t at);

#endif
