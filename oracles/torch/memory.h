/* Where a tensor lies in memory, which only the library itself knows exactly. There are
 * two sources: memory_shim.c asks ATen through oracles/libtorch/shim.h, memory_python.c,
 * where the shim cannot be built, the attributes of Python. */
#ifndef ORACLES_TORCH_MEMORY_H
#define ORACLES_TORCH_MEMORY_H

#include "oracles/torch/interpreter.h"

#include "harness/model/value.h"

typedef struct torch_memory {
    uintptr_t storage;          /* identity of the storage */
    const unsigned char *start; /* of the storage */
    int64_t bytes;              /* of the storage */
    int64_t version;            /* -1: it has none */
} torch_memory;

/* What has to be done before torch is imported. */
int torch_memory_start(parity_error *error);

/* 0; or -1 with either a Python exception set or `reason` filled. `seen` is what the
 * attributes of Python say; it is a reason if the library says otherwise. */
int torch_memory_of(torch_memory *out, PyObject *tensor, const parity_tensor *seen,
                    PyObject *storage_of, parity_error *reason);

/* The module `native` of prelude.py and calls.py, a new reference; None without a shim.
 */
PyObject *torch_memory_module(void);

#endif
