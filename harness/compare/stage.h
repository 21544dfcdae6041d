/* A stage on which tests judge one case: three live columns on the CPU, more when a test
 * wants them. */
#ifndef PARITY_COMPARE_STAGE_H
#define PARITY_COMPARE_STAGE_H

#include "harness/compare/sample.h"

enum { CORE, CANDLE, TORCH, LIVE };

typedef struct stage_state {
    parity_column columns[8];
    size_t ncolumns;
    parity_run runs[8];
    parity_case_result result;
    parity_recorded blocks[4];
    size_t nrecords;
} stage_state;
extern stage_state stage;

void stage_set_up(void);
void stage_tear_down(void);

parity_value *stage_f32(double number); /* a host tensor of one element */
parity_value *stage_placed(double number, uint32_t storage); /* one that has memory */
void stage_observe(size_t column, size_t count, parity_value *const *values);
void stage_end(size_t column, parity_outcome_kind kind, const char *type,
               const char *text);
/* Records one observation of a column for the case. */
void stage_record(const parity_case *test, size_t column, parity_value *const *value);
void stage_judge(const parity_case *test, bool with_records);

/* The one verdict on a row (PARITY_NONE: the program); NULL: none. */
const parity_verdict *stage_find(parity_relation relation, size_t row, size_t left);
/* There is one, in this state, and its reason contains the text. */
void stage_expect(parity_relation relation, size_t row, size_t left, parity_state state,
                  const char *why);

#define PROGRAMS                                                                         \
    "title: t\ntorch: |\n  x = 1\n  y = x\ncandle: |\n  let a = 1;\n  a += &b;\n"
#define ROW       "rows:\n  - {id: r, torch: '{x}', candle: '{x}'"
#define PLAIN     PROGRAMS ROW "}\n"
#define EXPLAINED PROGRAMS ROW ", finding: they differ}\n"

#endif
