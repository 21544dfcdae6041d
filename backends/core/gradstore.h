#ifndef PARITY_CORE_GRADSTORE_H
#define PARITY_CORE_GRADSTORE_H

#include "backends/core/internal.h"

typedef struct core_grad_entry {
    uint64_t id; /* 0: free */
    core_tensor *gradient;
} core_grad_entry;

struct core_gradstore {
    core_context *context;
    core_grad_entry *entries; /* open addressing, a power of two */
    size_t capacity;
    size_t used;
};

core_gradstore *core_gradstore_new(core_context *context);
/* Where the gradient of id stands or will stand; valid until the next call. */
core_tensor **core_gradstore_slot(core_gradstore *grads, uint64_t id);

#endif
