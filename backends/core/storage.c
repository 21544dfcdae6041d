/* Storages: counted, typed, on one device, each behind its lock. */
#include "backends/core/internal.h"

#include <stdlib.h>

static core_storage *storage_of(core_device *device, core_dtype dtype, size_t count)
{
    core_storage *storage = core_alloc(sizeof *storage);
    *storage =
        (core_storage){.refs = 1, .device = device, .dtype = dtype, .count = count};
    return storage;
}

/* Counts what the device was asked for, or drops the storage it could not fill. */
static core_status storage_done(core_context *context, core_storage **out,
                                core_storage *storage, core_status status, bool counted)
{
    if (status) {
        free(storage);
        return status;
    }
    if (counted)
        context->bytes += storage->count * core_dtype_info(storage->dtype)->size;
    context->storages++;
    *out = storage;
    return CORE_OK;
}

core_status core_storage_new(core_context *context, core_storage **out,
                             core_device *device, core_dtype dtype, size_t count,
                             bool zeroed, core_error *error)
{
    const core_dtype_row *info = core_dtype_info(dtype);
    if (!info->ready)
        return core_fail(error, CORE_UNSUPPORTED, "tensors of dtype %s", info->name);
    if (count > PTRDIFF_MAX / info->size)
        return core_fail(error, CORE_PANIC, "capacity overflow");
    core_storage *storage = storage_of(device, dtype, count);
    core_status status = device->ops->alloc(storage, zeroed, error);
    return storage_done(context, out, storage, status, true);
}

core_status core_storage_clone(core_context *context, core_storage **out,
                               const core_storage *in, core_error *error)
{
    core_storage *storage = storage_of(in->device, in->dtype, in->count);
    core_status status = in->device->ops->try_clone(storage, in, error);
    return storage_done(context, out, storage, status,
                        !status && storage->data != in->data);
}

core_status core_storage_move(core_context *context, core_storage **out,
                              const core_storage *in, core_device *device,
                              core_error *error)
{
    if (in->device->ops == device->ops)
        return core_fail(error, CORE_ERROR,
                         "not implemented yet, self.device: %s, device: %s",
                         in->device->debug, device->debug);
    size_t size = in->count * core_dtype_info(in->dtype)->size;
    void *bytes = core_alloc(size);
    core_status status = in->device->ops->download(bytes, in, error);
    core_storage *storage = NULL;
    if (!status)
        status = core_storage_new(context, &storage, device, in->dtype, in->count, false,
                                  error);
    if (!status)
        status = device->ops->upload(storage, bytes, error);
    free(bytes);
    if (status) {
        core_storage_unref(context, storage);
        return status;
    }
    *out = storage;
    return CORE_OK;
}

core_storage *core_storage_ref(core_storage *storage)
{
    storage->refs++;
    return storage;
}

void core_storage_unref(core_context *context, core_storage *storage)
{
    if (!storage || --storage->refs)
        return;
    context->storages--;
    storage->device->ops->release(storage);
    free(storage);
}
