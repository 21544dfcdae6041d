/* The CPU device: memory and the table of kernels. */
#include "backends/cpu/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* Large blocks are aligned to the pages that the kernel can map at once, so that first
 * touching 64 MiB does not take sixteen thousand page faults; and a few that were
 * released are kept, as an allocator does with small ones. */
#define LARGE      ((size_t)4 << 20)
#define HUGE_PAGE  ((size_t)2 << 20)
#define KEPT       4
#define KEPT_BYTES ((size_t)256 << 20)

typedef struct block {
    void *data;
    size_t size;
} block;

typedef struct cpu_state {
    block kept[KEPT];
    size_t count;
    size_t bytes;
} cpu_state;

static core_status cpu_open(core_device *device, size_t ordinal, core_error *error)
{
    (void)ordinal;
    (void)error;
    strcpy(device->location, "Cpu");
    strcpy(device->debug, "Cpu");
    return CORE_OK;
}

static cpu_state *state_of(core_device *device)
{
    if (!device->state)
        device->state = calloc(1, sizeof(cpu_state));
    return device->state;
}

static void *take_kept(core_device *device, size_t size)
{
    cpu_state *state = device->state;
    for (size_t i = 0; state && i < state->count; i++)
        if (state->kept[i].size == size) {
            void *data = state->kept[i].data;
            state->kept[i] = state->kept[--state->count];
            state->bytes -= size;
            return data;
        }
    return NULL;
}

static void *large_alloc(size_t size)
{
    void *data = NULL;
    if (posix_memalign(&data, HUGE_PAGE, size))
        return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    madvise(data, size, MADV_HUGEPAGE);
#endif
    return data;
}

static core_status cpu_alloc(core_storage *storage, bool zeroed, core_error *error)
{
    size_t size = storage->count * core_cpu_size(storage);
    if (size >= LARGE && size <= PTRDIFF_MAX - HUGE_PAGE) {
        storage->reserve = (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
        storage->data = take_kept(storage->device, storage->reserve);
        if (!storage->data)
            storage->data = large_alloc(storage->reserve);
        if (storage->data && zeroed)
            memset(storage->data, 0, size);
    } else {
        storage->reserve = 0;
        storage->data = zeroed ? calloc(size ? size : 1, 1) : malloc(size ? size : 1);
    }
    if (!storage->data)
        return core_fail(error, CORE_ABORT, "memory allocation of %zu bytes failed",
                         size);
    return CORE_OK;
}

static void cpu_release(core_storage *storage)
{
    if (storage->reserve) {
        cpu_state *state = state_of(storage->device);
        if (state && state->count < KEPT &&
            storage->reserve <= KEPT_BYTES - state->bytes) {
            state->kept[state->count++] = (block){storage->data, storage->reserve};
            state->bytes += storage->reserve;
            return;
        }
    }
    free(storage->data);
}

static void cpu_close(core_device *device)
{
    cpu_state *state = device->state;
    for (size_t i = 0; state && i < state->count; i++)
        free(state->kept[i].data);
    free(state);
    device->state = NULL;
}

static core_status cpu_upload(core_storage *storage, const void *bytes, core_error *error)
{
    (void)error;
    memcpy(storage->data, bytes, storage->count * core_cpu_size(storage));
    return CORE_OK;
}

static core_status cpu_download(void *bytes, const core_storage *storage,
                                core_error *error)
{
    (void)error;
    memcpy(bytes, storage->data, storage->count * core_cpu_size(storage));
    return CORE_OK;
}

static core_status cpu_try_clone(core_storage *out, const core_storage *in,
                                 core_error *error)
{
    core_status status = cpu_alloc(out, false, error);
    return status ? status : cpu_upload(out, in->data, error);
}

static core_status cpu_synchronize(core_device *device, core_error *error)
{
    (void)device;
    (void)error;
    return CORE_OK;
}

/* The range is checked as the crates rand and rand_distr do, in the element type. */
static core_status cpu_random(const core_random *wanted, core_error *error)
{
    double a = wanted->a, b = wanted->b, width = b - a;
    if (!core_dtype_info(wanted->dtype)->is_float)
        return core_err_dtype_op(error, wanted->dtype,
                                 wanted->normal ? "rand_normal" : "rand_uniform");
    if (wanted->dtype == CORE_F32) {
        a = (float)a;
        b = (float)b;
        width = (float)b - (float)a;
    }
    if (wanted->normal && !isfinite(b))
        return core_fail(error, CORE_ERROR,
                         "variation parameter is non-finite in (log)normal distribution");
    if (!wanted->normal && !(a < b))
        return core_fail(error, CORE_ERROR,
                         "low > high (or equal if exclusive) in uniform distribution");
    if (!wanted->normal && !isfinite(width))
        return core_fail(error, CORE_ERROR, "Non-finite range in uniform distribution");
    return CORE_OK;
}

const core_device_ops core_cpu_ops = {
    .name = "cpu",
    .family = "cpu",
    .one_device = true,
    .open = cpu_open,
    .alloc = cpu_alloc,
    .release = cpu_release,
    .try_clone = cpu_try_clone,
    .upload = cpu_upload,
    .download = cpu_download,
    .synchronize = cpu_synchronize,
    .read = core_cpu_read,
    .close = cpu_close,
    .random = cpu_random,
    .kernels =
        {
            .affine = core_cpu_affine,
            .unary = core_cpu_unary,
            .elu = core_cpu_elu,
            .powf = core_cpu_powf,
            .binary = core_cpu_binary,
            .cmp = core_cpu_cmp,
            .cast = core_cpu_cast,
            .where_cond = core_cpu_where_cond,
            .reduce = core_cpu_reduce,
            .matmul = core_cpu_matmul,
            .index_select = core_cpu_index_select,
            .gather = core_cpu_gather,
            .index_add = core_cpu_index_add,
            .scatter = core_cpu_scatter,
            .const_set = core_cpu_const_set,
            .copy_strided = core_cpu_copy_strided,
            .copy2d = core_cpu_copy2d,
            .custom = core_cpu_custom,
        },
};
