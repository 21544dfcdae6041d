/* The lock model: one std::sync::RwLock a storage, used by one thread. A reader waits for
 * a writer, a writer for anybody; both would be for ever, because the holder is the same
 * thread. */
#include "backends/core/internal.h"

#include <stdlib.h>

#define POISONED "called `Result::unwrap()` on an `Err` value: PoisonError { .. }"

static void place_text(core_text *out, int line, int column)
{
    if (line > 0)
        core_text_printf(out, " at line %d, column %d", line, column);
}

/* `wanted` and `held`: "for reading ", "for writing ", or nothing for a mutex. */
static core_status deadlock(core_context *context, const core_hold *holder,
                            const char *what, const char *wanted, const char *held,
                            const char *name, core_error *error)
{
    core_text text = {0};
    core_text_printf(&text, "deadlock: %s", what);
    place_text(&text, context->line, context->column);
    core_text_printf(&text,
                     " wants to lock %s %sand waits for ever: it is locked %sby %s", name,
                     wanted, held, holder->what);
    place_text(&text, holder->line, holder->column);
    core_status status = core_fail(error, CORE_DEADLOCK, "%s", text.data);
    core_text_free(&text);
    return status;
}

static void take(core_context *context, core_hold *hold, core_lock *lock,
                 const char *what, bool write)
{
    *hold = (core_hold){lock, lock->holds, what, context->line, context->column, write};
    lock->holds = hold;
}

static core_status storage_deadlock(core_context *context, const core_tensor *tensor,
                                    const core_hold *holder, const char *what, bool write,
                                    core_error *error)
{
    core_text name = {0};
    core_text_printf(&name, "the storage of TensorId(%llu)",
                     (unsigned long long)tensor->storage->owner);
    core_status status =
        deadlock(context, holder, what, write ? "for writing " : "for reading ",
                 holder->write ? "for writing " : "for reading ", name.data, error);
    core_text_free(&name);
    return status;
}

core_status core_lock_read(core_context *context, core_hold *hold,
                           const core_tensor *tensor, const char *what, core_error *error)
{
    core_lock *lock = &tensor->storage->lock;
    if (lock->holds && lock->holds->write)
        return storage_deadlock(context, tensor, lock->holds, what, false, error);
    if (lock->poisoned)
        return core_fail(error, CORE_PANIC, POISONED);
    take(context, hold, lock, what, false);
    return CORE_OK;
}

core_status core_lock_write(core_context *context, core_hold *hold,
                            const core_tensor *tensor, const char *what,
                            core_error *error)
{
    core_lock *lock = &tensor->storage->lock;
    if (lock->holds && !CORE_MUTANT(lock_reads))
        return storage_deadlock(context, tensor, lock->holds, what, true, error);
    if (lock->poisoned)
        return core_fail(error, CORE_PANIC, POISONED);
    take(context, hold, lock, what, true);
    return CORE_OK;
}

void core_unlock(core_hold *hold, core_status status)
{
    core_hold **at = &hold->lock->holds;
    while (*at != hold)
        at = &(*at)->next;
    *at = hold->next;
    if (hold->write && status == CORE_PANIC)
        hold->lock->poisoned = true;
}

core_status core_lock_reads(core_context *context, core_hold *holds,
                            const core_tensor *const *tensors, size_t count,
                            const char *what, core_error *error)
{
    for (size_t i = 0; i < count; i++) {
        core_status status = core_lock_read(context, &holds[i], tensors[i], what, error);
        if (status) {
            core_unlock_reads(holds, i);
            return status;
        }
    }
    return CORE_OK;
}

void core_unlock_reads(core_hold *holds, size_t count)
{
    while (count-- > 0)
        core_unlock(&holds[count], CORE_OK);
}

core_status core_lock_mutex(core_context *context, core_hold *hold, core_lock *lock,
                            const char *what, const char *name, core_error *error)
{
    if (lock->holds)
        return deadlock(context, lock->holds, what, "", "", name, error);
    if (lock->poisoned)
        return core_fail(error, CORE_PANIC, POISONED);
    take(context, hold, lock, what, true);
    return CORE_OK;
}

struct core_storage_guard {
    core_hold hold;
    core_tensor *tensor; /* keeps the storage, as the borrow does */
};

core_status core_tensor_guard(core_context *context, core_storage_guard **out,
                              const core_tensor *self, core_error *error)
{
    core_storage_guard *guard = core_alloc(sizeof *guard);
    core_status status = core_lock_read(context, &guard->hold, self,
                                        "the guard of storage_and_layout()", error);
    if (status) {
        free(guard);
        return status;
    }
    guard->tensor = core_tensor_ref(self);
    *out = guard;
    return CORE_OK;
}

void core_storage_guard_free(core_storage_guard *guard)
{
    if (!guard)
        return;
    core_unlock(&guard->hold, CORE_OK);
    core_tensor_unref(guard->tensor);
    free(guard);
}
