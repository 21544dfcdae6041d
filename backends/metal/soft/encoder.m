/* Encoders record; what Apple's validation checks ends the process. */
#include "backends/metal/soft/objects.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 1024, MOST_BYTES = 4096, MOST_THREADGROUP_BYTES = 32768 };

/* Makes room for one more element of an array. */
static void *grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 4;
    array = realloc(array, *capacity * size);
    if (!array)
        soft_assert_failed("out of memory for commands");
    return array;
}

@implementation SoftEncoder
- (void)endEncoding
{
    SOFT_ASSERT(_owner, "endEncoding called twice");
    _owner->_encoding = false;
    _owner = nil;
}

- (void)dealloc
{
    SOFT_ASSERT(!_owner, "command encoder released without endEncoding");
    [super dealloc];
}

- (soft_command *)command:(soft_command_kind)kind
{
    _pass->commands = grow(_pass->commands, _pass->ncommands, &_pass->capacity,
                           sizeof *_pass->commands);
    soft_command *command = &_pass->commands[_pass->ncommands++];
    *command = (soft_command){.kind = kind};
    return command;
}

- (void)use:(SoftBuffer *)buffer written:(bool)written
{
    for (size_t i = 0; i < _pass->nbuffers; i++)
        if (_pass->buffers[i] == buffer) {
            _pass->written[i] |= written;
            return;
        }
    size_t capacity = _pass->buffer_capacity;
    _pass->buffers = grow(_pass->buffers, _pass->nbuffers, &_pass->buffer_capacity,
                          sizeof *_pass->buffers);
    _pass->written =
        grow(_pass->written, _pass->nbuffers, &capacity, sizeof *_pass->written);
    _pass->buffers[_pass->nbuffers] = [buffer retain];
    _pass->written[_pass->nbuffers++] = written;
}

static soft_binding range(SoftBuffer *buffer, NSUInteger offset, NSUInteger length,
                          const char *what)
{
    SOFT_ASSERT(buffer, "%s: the buffer is nil", what);
    SOFT_ASSERT(length, "%s: the size is 0", what);
    SOFT_ASSERT(offset % 4 == 0 && length % 4 == 0,
                "%s: offset %lu and size %lu must be multiples of 4", what, offset,
                length);
    SOFT_ASSERT(offset <= buffer->_length && length <= buffer->_length - offset,
                "%s: %lu bytes at %lu of a buffer of %lu", what, length, offset,
                buffer->_length);
    return (soft_binding){buffer->_bytes, buffer->_length, offset, 0};
}

- (void)copyFromBuffer:(id<MTLBuffer>)source
          sourceOffset:(NSUInteger)sourceOffset
              toBuffer:(id<MTLBuffer>)destination
     destinationOffset:(NSUInteger)destinationOffset
                  size:(NSUInteger)size
{
    SOFT_ASSERT(_owner && !_compute, "copyFromBuffer: the encoder has ended");
    soft_binding from = range((SoftBuffer *)source, sourceOffset, size, "copyFromBuffer");
    soft_binding to =
        range((SoftBuffer *)destination, destinationOffset, size, "copyFromBuffer");
    [self use:(SoftBuffer *)source written:false];
    [self use:(SoftBuffer *)destination written:true];
    soft_command *command = [self command:SOFT_COPY];
    command->from = from;
    command->to = to;
    command->bytes = size;
}

- (void)fillBuffer:(id<MTLBuffer>)buffer range:(NSRange)bytes value:(uint8_t)value
{
    SOFT_ASSERT(_owner && !_compute, "fillBuffer: the encoder has ended");
    soft_binding to =
        range((SoftBuffer *)buffer, bytes.location, bytes.length, "fillBuffer");
    [self use:(SoftBuffer *)buffer written:true];
    soft_command *command = [self command:SOFT_FILL];
    command->to = to;
    command->bytes = bytes.length;
    command->value = value;
}

- (void)setComputePipelineState:(id<MTLComputePipelineState>)state
{
    SOFT_ASSERT(_owner && _compute, "setComputePipelineState: the encoder has ended");
    SOFT_ASSERT(state, "setComputePipelineState: the state is nil");
    _kernel = ((SoftFunction *)state)->_kernel;
}

- (void)setBuffer:(id<MTLBuffer>)object
           offset:(NSUInteger)offset
          atIndex:(NSUInteger)index
{
    SoftBuffer *buffer = (SoftBuffer *)object;
    SOFT_ASSERT(_owner && _compute, "setBuffer: the encoder has ended");
    SOFT_ASSERT(index < SOFT_ARGUMENTS, "setBuffer: index %lu", index);
    SOFT_ASSERT(buffer && offset < buffer->_length,
                "setBuffer: offset %lu of a buffer of %lu bytes", offset,
                buffer ? buffer->_length : 0);
    _bound[index] = buffer;
    _bytes[index] = buffer->_length - offset;
    _arguments.buffer[index] =
        (soft_binding){buffer->_bytes, buffer->_length, offset, (uint32_t)index};
}

- (void)setBytes:(const void *)bytes length:(NSUInteger)length atIndex:(NSUInteger)index
{
    SOFT_ASSERT(_owner && _compute, "setBytes: the encoder has ended");
    SOFT_ASSERT(index < SOFT_ARGUMENTS, "setBytes: index %lu", index);
    SOFT_ASSERT(bytes && length && length <= MOST_BYTES,
                "setBytes: length %lu is not in 1 … %d", length, MOST_BYTES);
    /* Of its exact size, so that the address sanitizer sees a read beyond it. */
    void *block = malloc(length);
    _pass->blocks = grow(_pass->blocks, _pass->nblocks, &_pass->block_capacity,
                         sizeof *_pass->blocks);
    if (!block)
        soft_assert_failed("out of memory for setBytes");
    _pass->blocks[_pass->nblocks++] = memcpy(block, bytes, length);
    _bound[index] = nil;
    _bytes[index] = length;
    _arguments.buffer[index] = (soft_binding){block, length, 0, (uint32_t)index};
}

- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index
{
    SOFT_ASSERT(_owner && _compute, "setThreadgroupMemoryLength: the encoder has ended");
    SOFT_ASSERT(index < SOFT_ARGUMENTS && length % 16 == 0 &&
                    length <= MOST_THREADGROUP_BYTES,
                "setThreadgroupMemoryLength: %lu at index %lu; it must be a multiple of "
                "16 and at most %d",
                length, index, MOST_THREADGROUP_BYTES);
    _threadgroup[index] = length;
}

- (void)checkArguments
{
    SOFT_ASSERT(_kernel, "dispatch without a pipeline state");
    for (int i = 0; i < SOFT_ARGUMENTS; i++) {
        if (_kernel->buffers >> i & 1)
            SOFT_ASSERT(_bytes[i], "kernel %s: buffer %d is not set", _kernel->name, i);
        SOFT_ASSERT(_bytes[i] >= _kernel->least[i],
                    "kernel %s: buffer %d has %zu bytes, its argument needs %u",
                    _kernel->name, i, _bytes[i], _kernel->least[i]);
        if (_kernel->threadgroup >> i & 1)
            SOFT_ASSERT(_threadgroup[i], "kernel %s: threadgroup memory %d has no length",
                        _kernel->name, i);
    }
}

- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)threads
{
    SOFT_ASSERT(_owner && _compute, "dispatchThreadgroups: the encoder has ended");
    SOFT_ASSERT(groups.width && groups.height && groups.depth,
                "dispatchThreadgroups: an empty grid");
    SOFT_ASSERT(threads.width && threads.height && threads.depth &&
                    threads.width * threads.height * threads.depth <= MOST_THREADS,
                "dispatchThreadgroups: %lu × %lu × %lu threads in a group", threads.width,
                threads.height, threads.depth);
    [self checkArguments];
    for (int i = 0; i < SOFT_ARGUMENTS; i++)
        if (_bound[i] && _kernel->buffers >> i & 1)
            [self use:_bound[i] written:_kernel->written >> i & 1];
    soft_command *command = [self command:SOFT_DISPATCH];
    command->kernel = _kernel;
    command->arguments = _arguments;
    memcpy(command->threadgroup_bytes, _threadgroup, sizeof _threadgroup);
    command->groups = (soft_size){groups.width, groups.height, groups.depth};
    command->threads = (soft_size){threads.width, threads.height, threads.depth};
}
@end

void soft_pass_run(soft_pass *pass, uint64_t *state, char *why, size_t size)
{
    *why = '\0';
    for (size_t i = 0; i < pass->ncommands && !*why; i++) {
        const soft_command *c = &pass->commands[i];
        switch (c->kind) {
        case SOFT_COPY:
            memmove(c->to.base + c->to.offset, c->from.base + c->from.offset, c->bytes);
            break;
        case SOFT_FILL:
            memset(c->to.base + c->to.offset, c->value, c->bytes);
            break;
        case SOFT_DISPATCH:
            soft_execute(c->kernel, &c->arguments, c->threadgroup_bytes, c->groups,
                         c->threads, *state ? soft_random(state) | 1 : 0, why, size);
            break;
        }
    }
}

void soft_pass_free(soft_pass *pass)
{
    for (size_t i = 0; i < pass->nbuffers; i++)
        [pass->buffers[i] release];
    for (size_t i = 0; i < pass->nblocks; i++)
        free(pass->blocks[i]);
    free(pass->buffers);
    free(pass->written);
    free(pass->blocks);
    free(pass->commands);
    free(pass);
}
