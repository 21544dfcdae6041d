/* One case, ready to run: what a YAML file says after its matrix was expanded.
 *
 * Everything hangs on the arena of the parity_suite that loaded it and is never changed
 * afterwards. Places are those of the case file. */
#ifndef PARITY_MODEL_CASE_H
#define PARITY_MODEL_CASE_H

#include "harness/base/memory.h"
#include "harness/model/outcome.h"

typedef enum parity_language {
    PARITY_TORCH,
    PARITY_CANDLE,
    PARITY_LANGUAGES
} parity_language;
/* "torch", "candle": the keys */
const char *parity_language_name(parity_language language);

#define PARITY_NONE SIZE_MAX

/* A sentence for people. `zh` is NULL when the file has only one language. `en` NULL: no
 * sentence. */
typedef struct parity_sentence {
    const char *en;
    const char *zh;
    parity_pos pos;
} parity_sentence;

/* From this place of a program on, the file is at this place. */
typedef struct parity_mark {
    parity_pos in_program;
    parity_pos in_file;
} parity_mark;

typedef struct parity_program {
    const char *text; /* NULL when the case has no program in this language */
    parity_pos pos;   /* of the program's first character in the file */
    /* Sorted by in_program; for parity_program_pos. Without marks every line of the
     * program starts in the column of `pos`, as in a literal block scalar. */
    const parity_mark *marks;
    size_t nmarks;
} parity_program;

/* An expression to observe after the program has ended. */
typedef struct parity_expr {
    const char *name; /* of `{name=expr}`, or NULL */
    const char *text;
    int decimals; /* of `:.3`, or -1 */
    parity_pos pos;
} parity_expr;

/* A piece of a template: literal text, or an observation. */
typedef struct parity_piece {
    const char *literal; /* NULL for an observation */
    size_t observe;      /* index into parity_case.observe[language] */
} parity_piece;

typedef struct parity_template {
    parity_piece *pieces; /* NULL when the row does not speak this language */
    size_t npieces;
    /* false for {value: expr}: observed, not printed; it then has one piece */
    bool shown;
    parity_pos pos;
} parity_template;

/* How a program is stated to end. kind PARITY_VALUE (zero) is "runs through". */
typedef struct parity_ends {
    parity_outcome_kind kind;
    const char *type; /* {refused: E0382} the code; {error: …}: NULL */
    const char *text; /* {error: text} or {panic: text}: must be contained in the message;
                         or NULL */
    /* {at: '{a}'}: the place reported must lie in this text of the program */
    const char *at;
    parity_pos pos;
} parity_ends;

/* A departure of the same language under a key: devices: {metal: …}, versions: {'<0.8.3':
 * …}. */
typedef struct parity_departure {
    const char *key;
    parity_sentence sentence; /* may be absent when ends is given */
    bool has_ends;
    parity_ends ends;
    parity_pos pos;
} parity_departure;

typedef struct parity_row {
    const char *id;
    parity_template text[PARITY_LANGUAGES];
    size_t of;         /* index into subjects, or PARITY_NONE */
    const char *bound; /* a row of the table in harness/base/bounds.c: how far the values
                        * of two libraries may be apart; NULL: not at all */
    parity_sentence finding;
    parity_departure *devices;
    size_t ndevices;
    parity_departure *versions;
    size_t nversions;
    parity_pos pos;
} parity_row;

typedef struct parity_subject {
    const char *name;
    size_t was[PARITY_LANGUAGES]; /* indices into observe, or PARITY_NONE */
    size_t now[PARITY_LANGUAGES];
    parity_sentence label;
    parity_sentence write;
    parity_pos pos;
} parity_subject;

typedef struct parity_intent {
    parity_sentence effect;
    const char *text[PARITY_LANGUAGES];
    parity_sentence note;
    const char **evidence; /* row ids */
    size_t nevidence;
    parity_pos pos;
} parity_intent;

/* A tensor that both programs find bound under `name`. Bits as in parity_tensor. */
typedef struct parity_data {
    const char *name;
    parity_dtype dtype;
    size_t rank;
    int64_t shape[PARITY_MAX_RANK];
    const void *bits;
    size_t nbytes;
    parity_pos pos;
} parity_data;

typedef struct parity_case {
    /* "pages/snapshot", "affine/ints[i64,view]": path below cases/, no suffix */
    const char *id;
    const char *file; /* as to be printed in messages */
    bool apart;       /* of a file named by its path: the id alone does not find it */
    parity_sentence title;
    parity_sentence about;
    parity_program program[PARITY_LANGUAGES];
    parity_data *data;
    size_t ndata;
    /* All expressions of one language in the order in which they are observed: those of
     * the rows, row by row, then was and now of each subject. An engine answers with
     * exactly this many. */
    parity_expr *observe[PARITY_LANGUAGES];
    size_t nobserve[PARITY_LANGUAGES];
    parity_subject *subjects;
    size_t nsubjects;
    parity_row *rows;
    size_t nrows;
    parity_sentence finding; /* why the programs of the two languages end differently */
    parity_departure *devices;
    size_t ndevices;
    parity_departure *versions;
    size_t nversions;
    parity_ends ends[PARITY_LANGUAGES];
    parity_intent *intents;
    size_t nintents;
    double timeout;   /* seconds; 0: the default of the supervisor */
    uint64_t memory;  /* bytes; 0: the default */
    bool fresh;       /* run in a process of its own */
    const char *skip; /* reason, or NULL */
    /* XXH3-64 over everything an engine is given, so a record can say whether it still
     * fits. */
    uint64_t text_hash[PARITY_LANGUAGES];
} parity_case;

#endif
