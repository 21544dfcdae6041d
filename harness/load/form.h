/* The case language as tables: which keys a mapping has, what each takes, and one
 * sentence on what it is for. The loader checks files against them and
 * docs/case.schema.json is made of them. */
#ifndef PARITY_LOAD_FORM_H
#define PARITY_LOAD_FORM_H

#include "harness/load/node.h"

/* What a scalar of a form holds. */
typedef enum parity_scalar {
    PARITY_TEXT,   /* text; what YAML reads as null, boolean or number must be quoted */
    PARITY_NUMBER, /* text or a number */
    PARITY_TRUTH,  /* true or false */
    PARITY_ANY,    /* text, number or boolean, taken as it is written */
} parity_scalar;

typedef struct parity_form parity_form;

typedef struct parity_key {
    const char *name; /* NULL ends a table */
    const parity_form *form;
    bool required;
    const char *doc; /* one sentence */
} parity_key;

struct parity_form {
    const char *name;  /* in `definitions` of the JSON Schema */
    const char *wants; /* "a sentence, or …": completes "title: wants" */
    unsigned shapes;   /* of parity_shape */
    parity_scalar scalar;
    const char *const *words; /* the only texts allowed, NULL-terminated; or NULL */
    const char *pattern;      /* an ECMA regular expression for `accepts`; or NULL */
    bool (*accepts)(const char *text); /* whether the scalar is well formed; or NULL */
    bool expands;              /* the scalar may hold ${name}, then checked later */
    const parity_form *items;  /* of a sequence */
    const parity_key *keys;    /* of a mapping with fixed keys; or NULL */
    const parity_form *values; /* of a mapping whose keys are names; or NULL */
    const parity_form *names;  /* of those keys: a scalar form; NULL: anything */
};

extern const parity_form parity_form_case; /* the root */

/* Reports everything about `node` that does not fit `form`. Returns whether it fits. */
bool parity_form_check(parity_suite *suite, parity_source *source,
                       const parity_form *form, const parity_node *node);

/* ", did you mean `nearest`?" when one of the words is near enough to `text`, else "".
 * Writes into `out` and returns it. */
typedef struct parity_hint {
    char text[96];
} parity_hint;
const char *parity_suggest(parity_hint *out, const char *text, const char *const *words,
                           size_t count);

/* The scalar forms, also used where a text is made by a matrix. */
bool parity_is_name(const char *text);     /* [a-z0-9_]+ */
bool parity_is_label(const char *text);    /* [A-Za-z0-9_.+-]+ */
bool parity_is_duration(const char *text); /* 2, 0.5, 2s, 500ms, 1min */
bool parity_is_size(const char *text);     /* 1024, 512MiB, 4GiB */
bool parity_is_version(const char *text);  /* '<0.8.3', 'torch >=2.0, <2.2' */

#endif
