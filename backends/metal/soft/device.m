/* The device, its buffers and libraries. */
#include "backends/metal/soft/objects.h"

#include <stdlib.h>
#include <string.h>

@implementation MTLCompileOptions
- (instancetype)init
{
    _fastMathEnabled = YES;
    return self;
}

- (BOOL)fastMathEnabled
{
    return _fastMathEnabled;
}

- (void)setFastMathEnabled:(BOOL)enabled
{
    _fastMathEnabled = enabled;
}
@end

NSError *soft_error(NSInteger code, const char *text)
{
    NSError *error = [NSError new];
    error->_code = code;
    error->_text = [[NSString stringWithUTF8String:text] retain];
    return [error autorelease];
}

@implementation SoftBuffer
- (NSUInteger)length
{
    return _length;
}

- (void *)contents
{
    return _private ? NULL : _bytes;
}

- (void)dealloc
{
    free(_bytes);
    [super dealloc];
}
@end

@implementation SoftFunction
- (NSUInteger)maxTotalThreadsPerThreadgroup
{
    return 1024;
}
@end

@implementation SoftLibrary
- (id<MTLFunction>)newFunctionWithName:(NSString *)name
{
    for (size_t i = 0; i < _library->count; i++)
        if (strcmp(_library->kernels[i].name, name.UTF8String) == 0) {
            SoftFunction *function = [SoftFunction new];
            function->_kernel = &_library->kernels[i];
            return function;
        }
    return nil;
}
@end

@interface SoftDevice : NSObject <MTLDevice>
@end

@implementation SoftDevice
- (NSString *)name
{
    return @"softmetal (CPU, not a GPU)";
}

/* "soft" */
- (uint64_t)registryID
{
    return 0x736f6674;
}

- (id<MTLCommandQueue>)newCommandQueue
{
    return [SoftQueue new];
}

- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length
                             options:(MTLResourceOptions)options
{
    SOFT_ASSERT(length, "newBufferWithLength: the length is 0");
    SoftBuffer *buffer = [SoftBuffer new];
    buffer->_length = length;
    buffer->_private = options & MTLResourceStorageModePrivate;
    buffer->_bytes = malloc(length);
    if (!buffer->_bytes) {
        [buffer release];
        return nil;
    }
    memset(buffer->_bytes, 0xff, length); /* NaN: nobody may count on zeros */
    return buffer;
}

- (id<MTLLibrary>)newLibraryWithSource:(NSString *)source
                               options:(MTLCompileOptions *)options
                                 error:(NSError **)error
{
    (void)options;
    for (size_t i = 0; soft_libraries[i]; i++)
        if (strcmp(soft_libraries[i]->source, source.UTF8String) == 0) {
            SoftLibrary *library = [SoftLibrary new];
            library->_library = soft_libraries[i];
            return library;
        }
    if (error)
        *error =
            soft_error(1, "this source was not translated when the program was built");
    return nil;
}

- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:
                                   (id<MTLFunction>)function
                                                             error:(NSError **)error
{
    (void)error;
    SOFT_ASSERT(function, "newComputePipelineStateWithFunction: the function is nil");
    return [(SoftFunction *)function retain];
}
@end

id<MTLDevice> MTLCreateSystemDefaultDevice(void)
{
    return [SoftDevice new];
}
