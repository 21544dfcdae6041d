/* What the parts of the loader share while one file becomes cases. */
#ifndef PARITY_LOAD_LOADER_H
#define PARITY_LOAD_LOADER_H

#include "harness/load/form.h"

/* Cases that one matrix may make, names it may have, and what all cases of one file may
 * take. */
#define PARITY_CASES_LIMIT    1024
#define PARITY_MATRIX_LIMIT   8
#define PARITY_EXPANDED_LIMIT ((size_t)256 << 20)
/* Bytes that one text may take after `${name}` was replaced. */
#define PARITY_TEXT_LIMIT ((size_t)4 << 20)
/* Expressions in one template. */
#define PARITY_OBSERVE_LIMIT 1000
/* Bytes of all tensors of data: of one case; as base64 they fit one protocol line. */
#define PARITY_DATA_LIMIT ((size_t)32 << 20)

/* One name of the matrix and its values. */
typedef struct parity_axis {
    const char *name;
    const parity_node **labels;                  /* scalar nodes */
    const parity_node **texts[PARITY_LANGUAGES]; /* NULL where a language has none */
    size_t count;
    size_t chosen; /* of the combination being built */
    bool used;     /* some text has ${name}, or some when: names it */
} parity_axis;

typedef struct parity_loader {
    parity_suite *suite;
    parity_source source;
    parity_arena *nodes; /* dies with the loader; cases live in suite->arena */
    const parity_node *root;
    parity_axis axes[PARITY_MATRIX_LIMIT];
    size_t naxes;
    const char *id; /* of the file */
} parity_loader;

void parity_loader_problem(parity_loader *loader, const parity_node *at,
                           const char *format, ...) PARITY_PRINTF(3, 4);
parity_pos parity_loader_pos(parity_loader *loader, const parity_node *node);

/* A scalar after `${name}` was replaced. Which value a name has depends on the reader: a
 * program or template of one language, or (PARITY_LANGUAGES) people, who see the label.
 */
typedef struct parity_text {
    const char *text; /* in suite->arena */
    size_t length;
    struct parity_splice *splices; /* where text and node run apart; NULL: nowhere */
    size_t nsplices;
    parity_walk walk;
} parity_text;

parity_text parity_text_of(parity_loader *loader, const parity_node *node, int reader);
/* The source offset of byte `at` of the text. */
size_t parity_text_offset(parity_text *text, size_t at);
/* parity_text_of for texts whose inner places do not matter. NULL stays NULL. */
const char *parity_words_of(parity_loader *loader, const parity_node *node, int reader);

/* Reads matrix:. */
void parity_matrix_read(parity_loader *loader, const parity_node *matrix);
/* Moves to the next combination; false after the last. The first is chosen by reading. */
bool parity_matrix_next(parity_loader *loader);
/* "[f32,view]" or "". */
void parity_matrix_suffix(const parity_loader *loader, parity_buffer *out);
/* Whether a `when:` (NULL: always) fits the combination. */
bool parity_matrix_fits(parity_loader *loader, const parity_node *when);
/* Reports names that nothing uses. */
void parity_matrix_finish(parity_loader *loader);
/* `node` itself, or the first item of a list whose `when:` fits; NULL when none does.
 * Names and labels of every `when:` are checked. */
const parity_node *parity_matrix_choose(parity_loader *loader, const parity_node *node);

parity_sentence parity_sentence_of(parity_loader *loader, const parity_node *node);
/* `test` has its programs already. */
void parity_ends_of(parity_loader *loader, parity_ends *out, const parity_case *test,
                    parity_language language, const parity_node *node);
void parity_departures_of(parity_loader *loader, parity_departure **out, size_t *count,
                          const parity_case *test, const parity_node *node);
void parity_data_of(parity_loader *loader, parity_case *test, const parity_node *node);

/* Observations of one language, growing. */
typedef struct parity_observed {
    parity_expr *items;
    size_t count;
    size_t capacity;
} parity_observed;
/* Appends one expression and returns its index. */
size_t parity_observe(parity_observed *observed, parity_expr expr);
void parity_template_of(parity_loader *loader, parity_template *out,
                        parity_observed *observed, parity_language language,
                        const parity_node *node);

void parity_program_of(parity_loader *loader, parity_program *out,
                       parity_language language, const parity_node *node);

/* One combination, appended to the suite. */
void parity_case_of(parity_loader *loader);

#endif
