/* The only file that talks to Metal. Manual retain and release; docs/metal.md lists the
 * calls. */
#include "backends/metal/gpu.h"

#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

#include "backends/core/mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* commands.rs: DEFAULT_CANDLE_METAL_COMPUTE_PER_BUFFER */
enum { ENCODERS_PER_BUFFER = 50 };

typedef struct named {
    const char *name; /* of a family, or of a kernel in `owned` */
    char *owned;
    id object;
} named;

typedef struct table {
    named *items;
    size_t count;
    size_t capacity;
} table;

struct metal_gpu {
    id<MTLDevice> device;
    id<MTLCommandQueue> queue;
    char *name;
    table libraries;
    table pipelines;
    id<MTLCommandBuffer> current;         /* nil: nothing is encoded */
    id<MTLComputeCommandEncoder> encoder; /* open in current, or nil */
    size_t encoders;                      /* asked of current */
    id<MTLCommandBuffer> *committed;      /* in order */
    size_t ncommitted;
    size_t capacity;
};

static bool fail(metal_error *error, const char *what, NSError *why)
{
    error->fault = false;
    snprintf(error->text, sizeof error->text, "%s%s%s", what, why ? ": " : "",
             why ? [[why localizedDescription] UTF8String] : "");
    return false;
}

static void *grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 8;
    array = realloc(array, *capacity * size);
    if (!array) {
        fputs("metal: out of memory for its own bookkeeping\n", stderr);
        abort();
    }
    return array;
}

static id find(const table *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].name, name) == 0)
            return all->items[i].object;
    return nil;
}

/* Takes the reference to the object. */
static void keep(table *all, const char *name, id object)
{
    all->items = grow(all->items, all->count, &all->capacity, sizeof *all->items);
    char *owned = strdup(name);
    all->items[all->count++] = (named){owned, owned, object};
}

static void clear(table *all)
{
    for (size_t i = 0; i < all->count; i++) {
        [all->items[i].object release];
        free(all->items[i].owned);
    }
    free(all->items);
}

metal_gpu *metal_gpu_open(metal_error *error)
{
    metal_gpu *gpu = calloc(1, sizeof *gpu);
    @autoreleasepool {
        if (gpu)
            gpu->device = MTLCreateSystemDefaultDevice();
        if (gpu && gpu->device) {
            gpu->queue = [gpu->device newCommandQueue];
            gpu->name = strdup([[gpu->device name] UTF8String]);
        }
    }
    if (gpu && gpu->queue)
        return gpu;
    fail(error, "this machine has no Metal device", nil);
    metal_gpu_close(gpu);
    return NULL;
}

void metal_gpu_close(metal_gpu *gpu)
{
    metal_error ignored;
    if (!gpu)
        return;
    metal_gpu_wait(gpu, &ignored);
    clear(&gpu->pipelines);
    clear(&gpu->libraries);
    [gpu->queue release];
    [gpu->device release];
    free(gpu->committed);
    free(gpu->name);
    free(gpu);
}

const char *metal_gpu_name(const metal_gpu *gpu)
{
    return gpu->name;
}

uint64_t metal_gpu_registry_id(const metal_gpu *gpu)
{
    return [gpu->device registryID];
}

static id<MTLBuffer> buffer_of(metal_memory *memory)
{
    return (id<MTLBuffer>)(void *)memory;
}

metal_memory *metal_memory_new(metal_gpu *gpu, size_t bytes, bool shared)
{
    size_t length = bytes < 4 ? 4 : (bytes + 3) & ~(size_t)3;
    id<MTLBuffer> buffer =
        [gpu->device newBufferWithLength:length
                                 options:shared ? MTLResourceStorageModeShared
                                                : MTLResourceStorageModePrivate];
    return (metal_memory *)(void *)buffer;
}

void metal_memory_release(metal_memory *memory)
{
    [buffer_of(memory) release];
    if (CORE_MUTANT(metal_over_release))
        [buffer_of(memory) release];
}

void *metal_memory_contents(metal_memory *memory)
{
    return [buffer_of(memory) contents];
}

size_t metal_memory_size(metal_memory *memory)
{
    return [buffer_of(memory) length];
}

static void end_encoder(metal_gpu *gpu)
{
    [gpu->encoder endEncoding];
    [gpu->encoder release];
    gpu->encoder = nil;
}

static void commit(metal_gpu *gpu)
{
    end_encoder(gpu);
    if (!gpu->current)
        return;
    [gpu->current commit];
    gpu->committed =
        grow(gpu->committed, gpu->ncommitted, &gpu->capacity, sizeof *gpu->committed);
    gpu->committed[gpu->ncommitted++] = gpu->current;
    gpu->current = nil;
    gpu->encoders = 0;
}

/* The current command buffer, with room for one more encoder. */
static id<MTLCommandBuffer> command_buffer(metal_gpu *gpu)
{
    if (gpu->encoders >= ENCODERS_PER_BUFFER)
        commit(gpu);
    if (!gpu->current)
        gpu->current = [[gpu->queue commandBuffer] retain];
    gpu->encoders++;
    return gpu->current;
}

static id<MTLComputeCommandEncoder> compute_encoder(metal_gpu *gpu)
{
    id<MTLCommandBuffer> buffer = command_buffer(gpu);
    if (!gpu->encoder)
        gpu->encoder = [[buffer computeCommandEncoder] retain];
    return gpu->encoder;
}

static id<MTLBlitCommandEncoder> blit_encoder(metal_gpu *gpu)
{
    id<MTLCommandBuffer> buffer = command_buffer(gpu);
    end_encoder(gpu);
    return [buffer blitCommandEncoder];
}

/* Borrowed. Sums, products and comparisons must not depend on how a compiler groups them.
 */
static id<MTLLibrary> library(metal_gpu *gpu, const char *family, metal_error *error)
{
    id<MTLLibrary> found = find(&gpu->libraries, family);
    const char *source = metal_source(family);
    if (found || !source) {
        if (!found)
            fail(error, "Error while loading library: there is no such file of kernels",
                 nil);
        return found;
    }
    NSError *why = nil;
    MTLCompileOptions *options = [MTLCompileOptions new];
    options.fastMathEnabled = NO;
    found = [gpu->device newLibraryWithSource:[NSString stringWithUTF8String:source]
                                      options:options
                                        error:&why];
    [options release];
    if (found)
        keep(&gpu->libraries, family, found);
    else
        fail(error, "Error while loading library", why);
    return found;
}

/* Borrowed. */
static id<MTLComputePipelineState> pipeline(metal_gpu *gpu, const metal_launch *launch,
                                            metal_error *error)
{
    id<MTLComputePipelineState> found = find(&gpu->pipelines, launch->kernel);
    if (found)
        return found;
    id<MTLLibrary> from = library(gpu, launch->family, error);
    if (!from)
        return nil;
    NSError *why = nil;
    id<MTLFunction> function =
        [from newFunctionWithName:[NSString stringWithUTF8String:launch->kernel]];
    if (!function) {
        fail(error, "Error while loading function", nil);
        snprintf(error->text + strlen(error->text), 128, ": %.120s", launch->kernel);
        return nil;
    }
    found = [gpu->device newComputePipelineStateWithFunction:function error:&why];
    [function release];
    if (found)
        keep(&gpu->pipelines, launch->kernel, found);
    else
        fail(error, "Failed to create pipeline", why);
    return found;
}

static void bind(id<MTLComputeCommandEncoder> encoder, const metal_launch *launch)
{
    [encoder setBytes:launch->args length:launch->args_size atIndex:0];
    for (size_t i = 0; i < launch->noperands; i++) {
        const metal_operand *o = &launch->operands[i];
        /* The last two change places. */
        size_t at =
            CORE_MUTANT(metal_wrong_index) && launch->noperands == 3 && i > 0 ? 3 - i : i;
        [encoder setBuffer:buffer_of(o->memory)
                    offset:CORE_MUTANT(metal_no_offset) ? 0 : o->offset
                   atIndex:at + 1];
    }
}

bool metal_gpu_run(metal_gpu *gpu, const metal_launch *launch, metal_error *error)
{
    @autoreleasepool {
        id<MTLComputePipelineState> state = pipeline(gpu, launch, error);
        if (!state)
            return false;
        NSUInteger most = [state maxTotalThreadsPerThreadgroup];
        NSUInteger width = launch->width ? launch->width : launch->threads;
        if (width > most)
            width = most;
        NSUInteger groups =
            launch->groups ? launch->groups : (launch->threads + width - 1) / width;
        id<MTLComputeCommandEncoder> encoder = compute_encoder(gpu);
        [encoder setComputePipelineState:state];
        bind(encoder, launch);
        if (launch->shared)
            [encoder
                setThreadgroupMemoryLength:(launch->shared * width + 15) & ~(size_t)15
                                   atIndex:0];
        [encoder dispatchThreadgroups:MTLSizeMake(groups, 1, 1)
                threadsPerThreadgroup:MTLSizeMake(width, 1, 1)];
    }
    return true;
}

bool metal_gpu_copy(metal_gpu *gpu, metal_operand to, metal_operand from, size_t bytes,
                    metal_error *error)
{
    (void)error;
    @autoreleasepool {
        id<MTLBlitCommandEncoder> encoder = blit_encoder(gpu);
        [encoder copyFromBuffer:buffer_of(from.memory)
                   sourceOffset:from.offset
                       toBuffer:buffer_of(to.memory)
              destinationOffset:to.offset
                           size:bytes];
        [encoder endEncoding];
    }
    return true;
}

bool metal_gpu_zero(metal_gpu *gpu, metal_memory *memory, metal_error *error)
{
    (void)error;
    @autoreleasepool {
        id<MTLBlitCommandEncoder> encoder = blit_encoder(gpu);
        [encoder fillBuffer:buffer_of(memory)
                      range:NSMakeRange(0, metal_memory_size(memory))
                      value:0];
        [encoder endEncoding];
    }
    return true;
}

static bool completed(id<MTLCommandBuffer> buffer, metal_error *error)
{
    if (!CORE_MUTANT(metal_no_wait))
        [buffer waitUntilCompleted];
    if ([buffer status] != MTLCommandBufferStatusError)
        return true;
    NSError *why = [buffer error];
    fail(error, "Command buffer had following error", why);
    error->fault = [why code] == MTLCommandBufferErrorPageFault;
    return false;
}

bool metal_gpu_wait(metal_gpu *gpu, metal_error *error)
{
    bool good = true;
    @autoreleasepool {
        commit(gpu);
        for (size_t i = 0; i < gpu->ncommitted; i++) {
            metal_error later;
            good = completed(gpu->committed[i], good ? error : &later) && good;
            [gpu->committed[i] release];
        }
        gpu->ncommitted = 0;
    }
    return good;
}
