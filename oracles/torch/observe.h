/* A Python object as an observation. */
#ifndef ORACLES_TORCH_OBSERVE_H
#define ORACLES_TORCH_OBSERVE_H

#include "oracles/torch/memory.h"
#include "oracles/torch/tensor.h"

/* The types that get a notation of their own; references held for the life of the
 * process. */
typedef struct torch_observer {
    torch_library library;
    PyObject *host; /* of the prelude: a tensor that value() copied */
    PyObject *mib;  /* of the prelude */
} torch_observer;

int torch_observer_init(torch_observer *observer, PyObject *torch, PyObject *prelude,
                        parity_error *error);

/* 0 with *out new. -1 with either a Python exception set, or `reason` filled when there
 * is no notation for what was found. Equal names stand for the same object as long as it
 * is alive: the caller keeps everything it observes until the answer is complete. */
int torch_observe(parity_value **out, PyObject *object, const torch_observer *observer,
                  parity_names *storages, parity_names *handles, parity_error *reason);

#endif
