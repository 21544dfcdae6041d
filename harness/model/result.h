/* Everything a run found out. Reports render it; nothing in it is text for one report
 * only. */
#ifndef PARITY_MODEL_RESULT_H
#define PARITY_MODEL_RESULT_H

#include "harness/model/engine.h"

/* One case in one column. observed has case->nobserve[language] outcomes. */
typedef struct parity_run {
    /* false: this column has no outcome for the case, `end` says why (absent) */
    bool ran;
    parity_outcome end;
    parity_outcome *observed;
    size_t nobserved;
    char *diagnostics; /* last of stderr, or NULL */
    char *notes; /* what the worker found out about the library, a line each; or NULL */
    char *calls; /* what the program called, when that was asked for; or NULL */
    double seconds;
    bool protocol_broken; /* the worker broke the protocol; `end` says how */
} parity_run;

typedef enum parity_relation {
    PARITY_FIDELITY, /* core against candle: must agree to the bit */
    PARITY_CONTRAST, /* candle against torch on the same device */
    PARITY_DEVICE,   /* the same language on another device */
    PARITY_VERSION,  /* the same engine in another version */
    PARITY_RECORD,   /* a live column against its own record */
    PARITY_STATED,   /* a column against what the case states: ends, devices */
} parity_relation;

typedef enum parity_state {
    PARITY_AGREE,        /* holds */
    PARITY_FINDING,      /* differs, and the case says why: holds */
    PARITY_UNDOCUMENTED, /* differs, and the case does not say why: broken */
    PARITY_FINDING_GONE, /* the case explains a difference that is not there: broken */
    PARITY_CHANGED,      /* differs where there must be no difference: broken */
    PARITY_NOT_JUDGED,   /* with the reason in `why` */
} parity_state;

typedef struct parity_verdict {
    parity_relation relation;
    parity_state state;
    /* index into the rows of the case, or PARITY_NONE: the program as a whole */
    size_t row;
    size_t left; /* columns compared; right is PARITY_NONE for STATED and RECORD, and
                  * where there is nothing to compare with */
    size_t right;
    char *why; /* one line: what differs (first place, both values), or why not judged */
    parity_pos pos; /* in the case file: of the row, or of the finding */
} parity_verdict;

typedef enum parity_fate {
    PARITY_FATE_NONE,
    PARITY_FOLLOWS,
    PARITY_KEEPS,
    PARITY_NEITHER
} parity_fate;

typedef struct parity_case_result {
    const parity_case *test;
    parity_run *runs; /* one a column */
    parity_verdict *verdicts;
    size_t nverdicts;
    parity_fate *fates; /* fates[row * ncolumns + column] */
} parity_case_result;

typedef struct parity_result {
    parity_column *columns; /* live ones first, then recorded ones that stand in */
    size_t ncolumns;
    parity_case_result *cases;
    size_t ncases;
    double seconds;
    const char *started; /* ISO 8601, UTC */
    /* What a command that runs these cases again has to repeat: --cases, --engine and
     * their values. */
    const char *const *arguments;
    size_t narguments;
} parity_result;

const char *parity_relation_name(parity_relation relation); /* "fidelity", … */
/* "agree", "finding", "undocumented", "finding gone", "changed", "not judged" */
const char *parity_state_name(parity_state state);
bool parity_state_broken(parity_state state);
const char *parity_fate_name(parity_fate fate); /* "follows", "keeps", "neither" */

#endif
