/* What an engine saw for one expression.
 *
 * A value is a tree: most are one node, `Ok(…)`, `Some(…)` and lists have children. It
 * comes from a worker's JSON (docs/protocol.md), from a record beside a case, or, in
 * process, from the core, and is never changed afterwards. */
#ifndef PARITY_MODEL_VALUE_H
#define PARITY_MODEL_VALUE_H

#include "harness/base/buffer.h"
#include "harness/base/dtype.h"
#include "harness/base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum parity_value_kind {
    PARITY_VALUE_UNIT, /* Rust (), Python None */
    PARITY_VALUE_BOOL,
    PARITY_VALUE_INT,   /* any integer: its decimal digits in `text` */
    PARITY_VALUE_FLOAT, /* `number`, of the type in `dtype` (f32 or f64) */
    PARITY_VALUE_TEXT,
    PARITY_VALUE_ID,  /* a TensorId, counted from the start of the case: digits in `text`
                       */
    PARITY_VALUE_MIB, /* memory of `measure` or `peak_rss`, in MiB, in `number` */
    PARITY_VALUE_TENSOR, /* in `tensor` */
    PARITY_VALUE_LIST,   /* Vec, array, tuple; list, tuple: items in `items` */
    PARITY_VALUE_OK,     /* Rust Ok(v): v is items[0] */
    PARITY_VALUE_ERR,    /* Rust Err(e): the text of e in `text` */
    PARITY_VALUE_SOME,   /* Rust Some(v): v is items[0]; None is PARITY_VALUE_NONE */
    PARITY_VALUE_NONE,   /* Rust None */
    PARITY_VALUE_RAISED, /* a Python exception held as a value: type name and first line
                          */
    PARITY_VALUE_OTHER,  /* anything else: its Debug or repr in `text`, its type in `type`
                          */
} parity_value_kind;

#define PARITY_MAX_RANK 32
/* Tensors whose bits take more than this travel as hash, head and tail. */
#define PARITY_BITS_LIMIT    ((size_t)1 << 20)
#define PARITY_EDGE_ELEMENTS 64

/* A named property of a handle that only the same language compares, for instance
 * variable=true for candle or requires_grad=true, version=1 for PyTorch. */
typedef struct parity_fact {
    char *name;
    char *text;
} parity_fact;

typedef struct parity_tensor {
    parity_dtype dtype;
    size_t rank;
    int64_t shape[PARITY_MAX_RANK];
    bool host;    /* a host copy made by value(): no strides, storage, handle or facts */
    bool printed; /* with host: known from a print only, as from a page. Whether it is a
                   * host copy, its layout, identity and facts are not stated */
    int64_t strides[PARITY_MAX_RANK]; /* in elements */
    int64_t offset;                   /* in elements from the start of the storage */
    /* Elements in logical (row-major) order, little-endian, `nbytes` of them. If `hashed`
     * is set they are the first and the last PARITY_EDGE_ELEMENTS elements only, and
     * `hash` is XXH3-64 over all of them. */
    void *bits;
    size_t nbytes;
    bool hashed;
    uint64_t hash;
    /* Identity. Two values of one answer share memory when their `storage` is equal, and
     * are the same handle (TensorId, Python object) when their `handle` is. Numbers count
     * from 1 in the order in which they first appear in the answer; 0 means not stated.
     */
    uint32_t storage;
    uint32_t handle;
    parity_fact *facts;
    size_t nfacts;
} parity_tensor;

typedef struct parity_value parity_value;
struct parity_value {
    parity_value_kind kind;
    bool boolean;
    double number;
    parity_dtype dtype; /* of a float */
    char *text;
    char *type; /* of RAISED and OTHER */
    parity_tensor *tensor;
    parity_value **items;
    size_t nitems;
};

parity_value *parity_value_new(parity_value_kind kind); /* new */
void parity_value_free(parity_value *value);            /* frees the tree; NULL allowed */
int64_t parity_tensor_count(const parity_tensor *tensor); /* elements, from the shape */

/* Identities in the protocol are texts of the worker's choosing. One of these a done
 * message maps them to the numbers 1, 2, … of parity_tensor. Zero-initialised it is
 * empty. */
typedef struct parity_names {
    char **names;
    size_t count;
    size_t capacity;
} parity_names;
uint32_t parity_names_number(parity_names *names, const char *name);
void parity_names_free(parity_names *names);

/* JSON to value. *out is new. Whatever the worker sent is checked: dtype, shape, length
 * of the bits, nesting of at most 32. */
int parity_value_from_json(parity_value **out, const json_t *json, parity_names *storages,
                           parity_names *handles, parity_error *error);
/* Value to JSON, new; storages are written as "s1", handles as "h1". */
json_t *parity_value_to_json(const parity_value *value);

#endif
