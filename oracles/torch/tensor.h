/* A torch.Tensor as an observation: its metadata through attributes, its elements
 * straight from memory, so that looking at it changes neither it nor any mode of PyTorch.
 */
#ifndef ORACLES_TORCH_TENSOR_H
#define ORACLES_TORCH_TENSOR_H

#include "oracles/torch/interpreter.h"

#include "harness/model/value.h"

/* What of PyTorch observing needs; references held for the life of the process. */
typedef struct torch_library {
    PyObject *tensor_type;
    PyObject *strided;                    /* torch.strided */
    PyObject *dtypes[PARITY_DTYPE_COUNT]; /* NULL: this PyTorch has no such type */
    PyObject *storage_of;                 /* of the prelude */
} torch_library;

/* Looks all of it up. `prelude` is the module of prelude.py. */
int torch_library_init(torch_library *library, PyObject *torch, PyObject *prelude,
                       parity_error *error);

/* Fills a zeroed parity_tensor. 0; or -1 with either a Python exception set (reading an
 * attribute raised) or `reason` filled: PARITY has no notation for such a tensor. */
int torch_tensor_observe(parity_tensor *out, PyObject *tensor, bool host,
                         const torch_library *library, parity_names *storages,
                         parity_names *handles, parity_error *reason);

#endif
