/* The classes of the software Metal, for its own files. */
#ifndef PARITY_METAL_SOFT_OBJECTS_H
#define PARITY_METAL_SOFT_OBJECTS_H

#import <Metal/Metal.h>

#include "backends/metal/soft/soft.h"

#include <pthread.h>
#include <stdbool.h>

@class SoftQueue, SoftCommandBuffer;

@interface SoftBuffer : NSObject <MTLBuffer> {
  @public
    unsigned char *_bytes;
    NSUInteger _length;
    bool _private;
}
@end

@interface SoftLibrary : NSObject <MTLLibrary> {
  @public
    const soft_library *_library;
}
@end

/* Stands for a function and for its pipeline. */
@interface SoftFunction : NSObject <MTLFunction, MTLComputePipelineState> {
  @public
    const soft_kernel *_kernel;
}
@end

typedef enum soft_command_kind { SOFT_COPY, SOFT_FILL, SOFT_DISPATCH } soft_command_kind;

typedef struct soft_command {
    soft_command_kind kind;
    soft_binding from, to; /* copy and fill */
    size_t bytes;
    uint8_t value;
    const soft_kernel *kernel;
    soft_arguments arguments;
    size_t threadgroup_bytes[SOFT_ARGUMENTS];
    soft_size groups, threads;
} soft_command;

/* What one encoder recorded. Passes of a queue run in any order that its hazards allow:
 * a buffer that one writes is neither read nor written by another at the same time. */
typedef struct soft_pass {
    SoftCommandBuffer *owner;
    soft_command *commands;
    size_t ncommands, capacity;
    SoftBuffer **buffers; /* used, retained */
    bool *written;
    size_t nbuffers, buffer_capacity;
    void **blocks; /* setBytes: */
    size_t nblocks, block_capacity;
    struct soft_pass *next; /* in the queue */
} soft_pass;

@interface SoftCommandBuffer : NSObject <MTLCommandBuffer> {
  @public
    SoftQueue *_queue;
    soft_pass *_passes; /* not yet handed over, in order */
    soft_pass **_last;
    size_t _left; /* passes that have not run */
    bool _encoding;
    bool _wanted; /* somebody waits for it */
    MTLCommandBufferStatus _status;
    NSError *_error;
}
/* Called by the queue's thread. `why` NULL: it did what it should. */
- (void)passRan:(const char *)why;
@end

/* Lives as long as its thread, which may be the one to drop the last reference to the
 * queue. */
typedef struct soft_worker {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    soft_pass *first; /* committed, in order */
    soft_pass **last;
    size_t wanted; /* passes of command buffers that somebody waits for */
    bool stop;
    bool orphan;
    uint64_t seed;  /* 0: passes run at once and in order */
    uint64_t state; /* of the generator */
} soft_worker;

@interface SoftQueue : NSObject <MTLCommandQueue> {
  @public
    soft_worker *_worker;
    pthread_t _thread;
}
@end

@interface SoftEncoder : NSObject <MTLBlitCommandEncoder, MTLComputeCommandEncoder> {
  @public
    SoftCommandBuffer *_owner; /* nil after endEncoding */
    soft_pass *_pass;
    bool _compute;
    const soft_kernel *_kernel;
    soft_arguments _arguments;
    SoftBuffer *_bound[SOFT_ARGUMENTS];
    size_t _bytes[SOFT_ARGUMENTS]; /* bound behind the offset; 0: nothing */
    size_t _threadgroup[SOFT_ARGUMENTS];
}
@end

NSError *soft_error(NSInteger code, const char *text);
void soft_pass_run(soft_pass *pass, uint64_t *state, char *why, size_t size);
void soft_pass_free(soft_pass *pass);

#endif
