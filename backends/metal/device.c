/* The Metal device of the core: storages are references to pooled memory. */
#include "backends/metal/tensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* DEFAULT_SEED of candle-core metal_backend/mod.rs */
enum { DEFAULT_SEED = 299792458 };

static core_status no_memory(core_error *error, size_t bytes)
{
    return core_fail(error, CORE_ABORT, "memory allocation of %zu bytes failed", bytes);
}

/* Metal's own list of devices has one entry on every machine that candle supports. */
static core_status metal_open(core_device *device, size_t ordinal, core_error *error)
{
    metal_error why;
    if (ordinal > 0)
        return core_fail(error, CORE_PANIC,
                         "swap_remove index (is %zu) should be < len (is 1)", ordinal);
    metal_device *metal = calloc(1, sizeof *metal);
    if (!metal)
        return no_memory(error, sizeof *metal);
    metal->gpu = metal_gpu_open(&why);
    if (!metal->gpu) {
        free(metal);
        return core_fail(error, CORE_UNSUPPORTED, "%s", why.text);
    }
    unsigned long long gpu = metal_gpu_registry_id(metal->gpu);
    metal->pool.gpu = metal->gpu;
    metal->seed = DEFAULT_SEED;
    device->state = metal;
    snprintf(device->location, sizeof device->location, "Metal { gpu_id: %llu }", gpu);
    snprintf(device->suffix, sizeof device->suffix, ", metal:%llu", gpu);
    snprintf(device->debug, sizeof device->debug, "Metal(MetalDevice(DeviceId(%llu)))",
             (unsigned long long)device->id);
    return CORE_OK;
}

static void metal_close(core_device *device)
{
    metal_device *metal = device->state;
    metal_pool_free(&metal->pool);
    metal_gpu_close(metal->gpu);
    free(metal);
}

static core_status metal_alloc(core_storage *storage, bool zeroed, core_error *error)
{
    metal_device *metal = metal_of(storage);
    metal_error why;
    size_t bytes = metal_bytes(storage, storage->count);
    metal_piece *piece = metal_pool_take(&metal->pool, bytes, zeroed);
    if (!piece)
        return no_memory(error, bytes);
    storage->data = piece;
    if (!zeroed || metal_gpu_zero(metal->gpu, piece->memory, &why))
        return CORE_OK;
    metal_piece_unref(piece);
    return metal_failed(error, &why);
}

static void metal_release(core_storage *storage)
{
    metal_piece_unref(storage->data);
}

/* MetalStorage::try_clone is Ok(self.clone()): one more reference to the same buffer. */
static core_status metal_try_clone(core_storage *out, const core_storage *in,
                                   core_error *error)
{
    (void)error;
    out->data = metal_piece_ref(in->data);
    return CORE_OK;
}

static core_status metal_upload(core_storage *storage, const void *bytes,
                                core_error *error)
{
    size_t size = metal_bytes(storage, storage->count);
    metal_piece *piece = metal_pool_upload(&metal_of(storage)->pool, size);
    if (!piece)
        return no_memory(error, size);
    memcpy(metal_memory_contents(piece->memory), bytes, size);
    metal_piece_unref(storage->data);
    storage->data = piece;
    return CORE_OK;
}

/* The whole storage by way of shared memory, as candle reads. */
static core_status metal_download(void *bytes, const core_storage *storage,
                                  core_error *error)
{
    metal_device *metal = metal_of(storage);
    metal_error why;
    size_t size = metal_bytes(storage, storage->count);
    metal_piece *staging = metal_pool_take(&metal->pool, size, true);
    if (!staging)
        return no_memory(error, size);
    core_status status = CORE_OK;
    metal_operand to = {staging->memory, 0};
    if (size && !metal_gpu_copy(metal->gpu, to, metal_at(storage, 0),
                                (size + 3) & ~(size_t)3, &why))
        status = metal_failed(error, &why);
    if (!status)
        status = metal_wait(storage->device, error);
    if (!status)
        memcpy(bytes, metal_memory_contents(staging->memory), size);
    metal_piece_unref(staging);
    return status;
}

/* Reads the view in host memory, with the panics of candle's iterators. */
static core_status metal_read(void *bytes, core_view in, core_error *error)
{
    core_device host = {.ops = &core_cpu_ops};
    core_storage copy = {
        .device = &host, .dtype = in.storage->dtype, .count = in.storage->count};
    size_t size = metal_bytes(in.storage, in.storage->count);
    copy.data = malloc(size + 1);
    if (!copy.data)
        return no_memory(error, size);
    core_status status = metal_download(copy.data, in.storage, error);
    if (!status)
        status = core_cpu_ops.read(bytes, (core_view){&copy, in.layout}, error);
    free(copy.data);
    return status;
}

/* Both distributions refuse by the name of the first (metal_backend/mod.rs); the range is
 * looked at by call_random_uniform alone. */
static core_status metal_random(const core_random *wanted, core_error *error)
{
    if (wanted->dtype != CORE_F32)
        return core_fail(error, CORE_ERROR, "rand_uniform not implemented for %s",
                         metal_variant(wanted->dtype));
    if (!wanted->normal && (float)wanted->a >= (float)wanted->b)
        return core_fail(error, CORE_ERROR,
                         "Metal error Error while loading library: min must be less than "
                         "max");
    return CORE_OK;
}

static core_status metal_set_seed(core_device *device, uint64_t seed, core_error *error)
{
    (void)error;
    ((metal_device *)device->state)->seed = seed;
    return CORE_OK;
}

static uint64_t metal_seed(const core_device *device)
{
    return ((const metal_device *)device->state)->seed;
}

/* The kernels of the prelude have no metal_fwd, so this is candle's default. */
static core_status no_custom(core_storage *out, core_custom op, const char *name,
                             const core_view *views, size_t nviews, double param,
                             core_error *error)
{
    (void)out, (void)op, (void)views, (void)nviews, (void)param;
    return core_fail(error, CORE_ERROR, "Metal error no metal implementation for %s",
                     name);
}

const core_device_ops core_metal_ops = {
    .name = metal_device_name,
    .family = "metal",
    .open = metal_open,
    .alloc = metal_alloc,
    .release = metal_release,
    .try_clone = metal_try_clone,
    .upload = metal_upload,
    .download = metal_download,
    .synchronize = metal_wait,
    .read = metal_read,
    .close = metal_close,
    .random = metal_random,
    .set_seed = metal_set_seed,
    .seed = metal_seed,
    .kernels =
        {
            .affine = metal_affine,
            .unary = metal_unary,
            .elu = metal_elu,
            .powf = metal_powf,
            .binary = metal_binary,
            .cmp = metal_cmp,
            .cast = metal_cast,
            .where_cond = metal_where_cond,
            .reduce = metal_reduce,
            .matmul = metal_matmul,
            .index_select = metal_index_select,
            .gather = metal_gather,
            .index_add = metal_index_add,
            .scatter = metal_scatter,
            .const_set = metal_const_set,
            .copy_strided = metal_copy_strided,
            .copy2d = metal_copy2d,
            .custom = no_custom,
        },
};
