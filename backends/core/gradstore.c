/* GradStore: gradients by identifier (backprop.rs struct GradStore). */
#include "backends/core/gradstore.h"

#include <stdlib.h>

static size_t slot_of(const core_gradstore *grads, uint64_t id)
{
    size_t slot = (size_t)(id * 0x9E3779B97F4A7C15u) & (grads->capacity - 1);
    while (grads->entries[slot].id && grads->entries[slot].id != id)
        slot = (slot + 1) & (grads->capacity - 1);
    return slot;
}

core_gradstore *core_gradstore_new(core_context *context)
{
    core_gradstore *grads = core_alloc(sizeof *grads);
    *grads = (core_gradstore){.context = context, .capacity = 16};
    grads->entries = calloc(grads->capacity, sizeof *grads->entries);
    if (!grads->entries)
        abort();
    return grads;
}

void core_gradstore_free(core_gradstore *grads)
{
    if (!grads)
        return;
    for (size_t i = 0; i < grads->capacity; i++)
        core_tensor_unref(grads->entries[i].gradient);
    free(grads->entries);
    free(grads);
}

/* Entries keep their id after a removal, with no gradient; growing drops those. */
static void grow(core_gradstore *grads)
{
    core_grad_entry *old = grads->entries;
    size_t capacity = grads->capacity;
    grads->capacity *= 2;
    grads->used = 0;
    grads->entries = calloc(grads->capacity, sizeof *grads->entries);
    if (!grads->entries)
        abort();
    for (size_t i = 0; i < capacity; i++)
        if (old[i].gradient) {
            grads->entries[slot_of(grads, old[i].id)] = old[i];
            grads->used++;
        }
    free(old);
}

core_tensor **core_gradstore_slot(core_gradstore *grads, uint64_t id)
{
    if (2 * (grads->used + 1) > grads->capacity)
        grow(grads);
    core_grad_entry *entry = &grads->entries[slot_of(grads, id)];
    if (!entry->id) {
        entry->id = id;
        grads->used++;
    }
    return &entry->gradient;
}

const core_tensor *core_gradstore_get(const core_gradstore *grads, uint64_t id)
{
    return grads->entries[slot_of(grads, id)].gradient;
}

core_tensor *core_gradstore_remove(core_gradstore *grads, uint64_t id)
{
    core_grad_entry *entry = &grads->entries[slot_of(grads, id)];
    core_tensor *gradient = entry->gradient;
    entry->gradient = NULL;
    return gradient;
}

core_tensor *core_gradstore_insert(core_gradstore *grads, uint64_t id,
                                   core_tensor *gradient)
{
    core_tensor **slot = core_gradstore_slot(grads, id);
    core_tensor *old = *slot;
    *slot = gradient;
    return old;
}

size_t core_gradstore_count(const core_gradstore *grads)
{
    size_t count = 0;
    for (size_t i = 0; i < grads->capacity; i++)
        count += grads->entries[i].gradient != NULL;
    return count;
}
