/* The operators that a program called, recorded beside its case (CASE.trace) for engines
 * that call them again. What the text says is between the engine that wrote it and the
 * one that reads it; docs/libtorch.md describes that of PyTorch. */
#ifndef PARITY_LOAD_TRACES_H
#define PARITY_LOAD_TRACES_H

#include "harness/base/buffer.h"
#include "harness/base/memory.h"

#include <stdint.h>

typedef struct parity_trace {
    const char *case_id; /* with the matrix suffix */
    const char *column;  /* that ran it: "torch@2.15.0/cpu" */
    uint64_t text_hash;  /* of the case text it was made from: stale when it differs */
    const char *text;    /* lines, each ended by \n */
} parity_trace;

typedef struct parity_traces {
    parity_trace *traces;
    size_t ntraces;
    size_t capacity;
    parity_arena *arena;
} parity_traces;

/* The path beside a case file, new: snapshot.yaml → snapshot.trace. */
char *parity_traces_path(const char *case_file);
/* The error has file and line. A file that does not exist has no traces. */
int parity_traces_read(parity_traces *file, const char *path, parity_error *error);
int parity_traces_parse(parity_traces *file, const char *path, const char *text,
                        size_t length, parity_error *error);
void parity_traces_free(parity_traces *file);
/* NULL: there is none of that case and column. */
const parity_trace *parity_traces_find(const parity_traces *file, const char *case_id,
                                       const char *column);
/* The first lines of a file, and one block of it. */
void parity_traces_header(parity_buffer *out);
void parity_trace_print(parity_buffer *out, const parity_trace *trace);

#endif
