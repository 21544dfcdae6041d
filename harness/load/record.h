/* Outcomes of judges written down beside a case (CASE.out): readable text, a block per
 * column, one line an observation, exact to the bit. */
#ifndef PARITY_LOAD_RECORD_H
#define PARITY_LOAD_RECORD_H

#include "harness/base/buffer.h"
#include "harness/model/result.h"

/* One column's outcomes of one concrete case, as recorded. */
typedef struct parity_recorded {
    const char *case_id; /* with the matrix suffix */
    const char *column;  /* "candle@0.11.0/cpu" */
    parity_language language;
    uint64_t text_hash; /* of the case text it was made from: stale when it differs */
    parity_provenance *provenance;
    size_t nprovenance;
    parity_run run;      /* without diagnostics and seconds */
    const char **labels; /* of run.observed: "clone.0", "second_name.mib", "@w.was" */
    int line;            /* of the block in the file */
} parity_recorded;

typedef struct parity_record_file {
    parity_recorded *blocks;
    size_t nblocks;
    size_t capacity;
    parity_arena *arena;
} parity_record_file;

/* The path of the record beside a case file, new: snapshot.yaml → snapshot.out. */
char *parity_record_path(const char *case_file);
/* Parses; the error has file, line and column. A file that does not exist has no
 * blocks. */
int parity_record_read(parity_record_file *record, const char *path, parity_error *error);
int parity_record_parse(parity_record_file *record, const char *path, const char *text,
                        size_t length, parity_error *error);
void parity_record_free(parity_record_file *record);
/* The first lines of a record file. Blocks follow. */
void parity_record_header(parity_buffer *out);
/* One block as text, an empty line first. Reading it back gives the same run, bit for
 * bit, except what changes from run to run: diagnostics, seconds, and the detail of
 * anything but a refused program. */
void parity_record_print(parity_buffer *out, const parity_case *test,
                         const parity_column *column, const parity_run *run);
/* The same of a block that was read, for those that a rewritten file keeps. */
void parity_recorded_print(parity_buffer *out, const parity_recorded *block);

#endif
