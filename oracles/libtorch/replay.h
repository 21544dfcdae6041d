/* Runs the operator calls of a trace again, without Python, and compares after each call
 * what came of it with what the trace says came of it under Python. */
#ifndef ORACLES_LIBTORCH_REPLAY_H
#define ORACLES_LIBTORCH_REPLAY_H

#include "oracles/libtorch/shim.h"
#include "oracles/libtorch/trace.h"

#include "harness/run/worker.h"

/* A tensor of the trace: t1 is tensors[0]. */
typedef struct libtorch_tensor {
    shim_tensor *tensor; /* NULL: freed, or not made yet */
    size_t storage;      /* the number of its storage */
} libtorch_tensor;

typedef struct libtorch_storage {
    const void *identity; /* NULL: freed, or not made yet */
    shim_tensor *keeper;  /* of a storage that no call made; owned; else NULL */
} libtorch_storage;

/* A bracket in which memory is measured. */
typedef struct libtorch_measure {
    bool peak; /* the growth of what is live at most, else the bytes requested */
    uint64_t before;
    double mib;
} libtorch_measure;

#define LIBTORCH_TABLE(type)                                                             \
    struct {                                                                             \
        type *items;                                                                     \
        size_t count;                                                                    \
        size_t capacity;                                                                 \
    }

typedef struct libtorch_replay {
    const parity_request *request;
    parity_answer *answer;
    libtorch_cursor cursor;
    size_t calls;  /* made so far */
    char *calling; /* what the messages name: the operator of the last call */
    LIBTORCH_TABLE(libtorch_tensor) tensors;
    LIBTORCH_TABLE(libtorch_storage) storages;
    LIBTORCH_TABLE(libtorch_measure) measures;
    LIBTORCH_TABLE(shim_value) scalars;
    LIBTORCH_TABLE(shim_error) errors;
    size_t observed;
    parity_names names;   /* of storages in the answer */
    bool ended;           /* the line `ends` was there */
    char *stopped;        /* why the trace ends early, or NULL */
    parity_buffer *notes; /* what the schemas do not declare, a line each */
} libtorch_replay;

/* Fills the answer from request->program, which is the trace. What the schemas of the
 * operators do not declare but the operators did goes to `notes`, a line each. */
void libtorch_replay_run(const parity_request *request, parity_answer *answer,
                         parity_buffer *notes);

/* The parts of a replay. Each returns 0, or -1 after libtorch_differ or libtorch_damaged.
 *
 * The replay came out otherwise than the run under Python; the end of the program then
 * says so and names the call. Returns -1. */
int libtorch_differ(libtorch_replay *replay, const char *format, ...) PARITY_PRINTF(2, 3);
/* The trace is not one. Returns -1. */
int libtorch_damaged(libtorch_replay *replay, const char *what);

/* Words of the trace. */
libtorch_tensor *libtorch_tensor_named(libtorch_replay *replay, libtorch_word word);
/* "t3@2": the tensor, whose version must be that; "t3@?": it can be any. NULL after a
 * failure. */
libtorch_tensor *libtorch_tensor_used(libtorch_replay *replay, libtorch_word word);
/* Some tensor on a storage, to reach it by; NULL: it is freed, or there is none. */
shim_tensor *libtorch_tensor_on(const libtorch_replay *replay, size_t storage);
/* Room for a new name; it must be the next of its kind. */
libtorch_tensor *libtorch_tensor_new(libtorch_replay *replay, libtorch_word word);
/* Reads DTYPE SIZES STRIDES OFFSET into those fields. */
int libtorch_geometry(libtorch_replay *replay, shim_info *info);
int libtorch_info(libtorch_replay *replay, shim_info *info, const shim_tensor *tensor);
/* Makes a storage known by its number; it must be none that has another. */
int libtorch_storage_bind(libtorch_replay *replay, libtorch_word word,
                          const shim_info *info, size_t *number);

int libtorch_call(libtorch_replay *replay);    /* a line `call` and what belongs to it */
int libtorch_observe(libtorch_replay *replay); /* a line `observe` */

/* What a call did, held against its schema. */
typedef struct libtorch_argument {
    size_t place;   /* in the schema */
    size_t storage; /* its number */
    const shim_tensor *tensor;
    uint64_t hash;        /* of its storage before the call; 0: too large to look at */
    const void *identity; /* of its storage before the call, and */
    const unsigned char *data; /* where it was, and */
    size_t bytes;              /* how long */
} libtorch_argument;
int libtorch_schema_check(libtorch_replay *replay, const char *name, const char *overload,
                          const libtorch_argument *arguments, size_t count,
                          const shim_value *results);
/* The place of an argument given by name; SIZE_MAX: the schema has none. */
size_t libtorch_schema_place(const char *name, const char *overload,
                             const char *argument);
uint64_t libtorch_watched_hash(const shim_info *info);

#endif
