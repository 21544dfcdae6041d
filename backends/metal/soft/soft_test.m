/* The stand-in finds misuse: one mistake a test, each must end the process or be reported
 * by the command buffer. */
#import <Metal/Metal.h>

#include "backends/metal/gpu.h"
#include "backends/metal/kernels/args.h"
#include "tools/test_main.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static NSAutoreleasePool *outer;
static id<MTLDevice> device;
static id<MTLCommandQueue> queue;
static id<MTLCommandBuffer> commands;
static id<MTLBuffer> memory;

static void set_up(void)
{
    outer = [NSAutoreleasePool new];
    device = MTLCreateSystemDefaultDevice();
    queue = [device newCommandQueue];
    commands = [[queue commandBuffer] retain];
    memory = [device newBufferWithLength:64 options:MTLResourceStorageModeShared];
}

static void tear_down(void)
{
    [memory release];
    [commands release];
    [queue release];
    [device release];
    [outer drain];
}

static id<MTLComputePipelineState> state_of(const char *family, const char *kernel)
{
    NSError *why = nil;
    id<MTLLibrary> library =
        [device newLibraryWithSource:[NSString stringWithUTF8String:metal_source(family)]
                             options:nil
                               error:&why];
    ck_assert_msg(library != nil, "%s",
                  why ? [[why localizedDescription] UTF8String] : "");
    id<MTLFunction> function =
        [library newFunctionWithName:[NSString stringWithUTF8String:kernel]];
    id<MTLComputePipelineState> state =
        [device newComputePipelineStateWithFunction:function error:&why];
    [function release];
    [library release];
    return [state autorelease];
}

static metal_map_args args = {.count = 4, .a = 1};

/* An encoder with everything that affine_f32 needs. */
static id<MTLComputeCommandEncoder> ready(void)
{
    id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
    [encoder setComputePipelineState:state_of("affine", "affine_f32")];
    [encoder setBytes:&args length:sizeof args atIndex:0];
    [encoder setBuffer:memory offset:0 atIndex:1];
    [encoder setBuffer:memory offset:16 atIndex:2];
    return encoder;
}

static void dispatch(id<MTLComputeCommandEncoder> encoder)
{
    [encoder dispatchThreadgroups:MTLSizeMake(1, 1, 1)
            threadsPerThreadgroup:MTLSizeMake(4, 1, 1)];
}

static void end_twice(void)
{
    id<MTLComputeCommandEncoder> encoder = ready();
    [encoder endEncoding];
    [encoder endEncoding];
}

static void encode_after_end(void)
{
    id<MTLComputeCommandEncoder> encoder = ready();
    [encoder endEncoding];
    dispatch(encoder);
}

static void two_encoders(void)
{
    ready();
    ready();
}

static void commit_while_encoding(void)
{
    ready();
    [commands commit];
}

static void commit_twice(void)
{
    [commands commit];
    [commands commit];
}

static void encode_after_commit(void)
{
    [commands commit];
    ready();
}

static void wait_before_commit(void)
{
    [commands waitUntilCompleted];
}

static void argument_missing(void)
{
    id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
    [encoder setComputePipelineState:state_of("affine", "affine_f32")];
    [encoder setBytes:&args length:sizeof args atIndex:0];
    [encoder setBuffer:memory offset:0 atIndex:1];
    dispatch(encoder);
}

static void argument_short(void)
{
    id<MTLComputeCommandEncoder> encoder = ready();
    [encoder setBytes:&args length:sizeof args - 4 atIndex:0];
    dispatch(encoder);
}

static void bytes_too_long(void)
{
    static char bytes[4097];
    [ready() setBytes:bytes length:sizeof bytes atIndex:0];
}

static void offset_beyond(void)
{
    [ready() setBuffer:memory offset:64 atIndex:1];
}

static void no_state(void)
{
    dispatch([commands computeCommandEncoder]);
}

static void empty_grid(void)
{
    [ready() dispatchThreadgroups:MTLSizeMake(0, 1, 1)
            threadsPerThreadgroup:MTLSizeMake(4, 1, 1)];
}

static void group_too_large(void)
{
    [ready() dispatchThreadgroups:MTLSizeMake(1, 1, 1)
            threadsPerThreadgroup:MTLSizeMake(2048, 1, 1)];
}

static void no_threadgroup_memory(void)
{
    metal_reduce_args reduce = {.work = 4, .width = 2};
    id<MTLComputeCommandEncoder> encoder = ready();
    [encoder setComputePipelineState:state_of("reduce", "sum_f32")];
    [encoder setBytes:&reduce length:sizeof reduce atIndex:0];
    dispatch(encoder);
}

static void threadgroup_memory_unaligned(void)
{
    [ready() setThreadgroupMemoryLength:20 atIndex:0];
}

static void copy_unaligned(void)
{
    [[commands blitCommandEncoder] copyFromBuffer:memory
                                     sourceOffset:2
                                         toBuffer:memory
                                destinationOffset:32
                                             size:4];
}

static void copy_beyond(void)
{
    [[commands blitCommandEncoder] copyFromBuffer:memory
                                     sourceOffset:0
                                         toBuffer:memory
                                destinationOffset:32
                                             size:36];
}

static void fill_nothing(void)
{
    [[commands blitCommandEncoder] fillBuffer:memory range:NSMakeRange(0, 0) value:0];
}

static void buffer_of_nothing(void)
{
    [device newBufferWithLength:0 options:MTLResourceStorageModeShared];
}

static void release_twice(void)
{
    [memory release];
    [memory release];
}

static void released_while_encoding(void)
{
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    ready();
    [pool drain];
}

typedef void mistake(void);
static mistake *const mistakes[] = {
    end_twice,
    encode_after_end,
    two_encoders,
    commit_while_encoding,
    commit_twice,
    encode_after_commit,
    wait_before_commit,
    argument_missing,
    argument_short,
    bytes_too_long,
    offset_beyond,
    no_state,
    empty_grid,
    group_too_large,
    no_threadgroup_memory,
    threadgroup_memory_unaligned,
    copy_unaligned,
    copy_beyond,
    fill_nothing,
    buffer_of_nothing,
    release_twice,
    released_while_encoding,
};

START_TEST(misuse_ends_the_process)
{
    mistakes[_i]();
}
END_TEST

/* Runs ready() on one threadgroup of four and gives the error of the command buffer. */
static NSError *outcome(id<MTLComputeCommandEncoder> encoder)
{
    dispatch(encoder);
    [encoder endEncoding];
    [commands commit];
    [commands waitUntilCompleted];
    return [commands error];
}

START_TEST(a_launch_without_mistake_completes)
{
    memset([memory contents], 0, 64);
    ((float *)[memory contents])[3] = 2.5f;
    args.b = 1;
    ck_assert(outcome(ready()) == nil);
    ck_assert_int_eq([commands status], MTLCommandBufferStatusCompleted);
    ck_assert_float_eq(((float *)[memory contents])[7], 3.5f);
}
END_TEST

START_TEST(reaching_beyond_the_buffer_is_an_error)
{
    id<MTLComputeCommandEncoder> encoder = ready();
    [encoder setBuffer:memory offset:56 atIndex:2];
    NSError *why = outcome(encoder);
    ck_assert_int_eq([commands status], MTLCommandBufferStatusError);
    ck_assert_int_eq([why code], MTLCommandBufferErrorPageFault);
    ck_assert_str_eq(
        [[why localizedDescription] UTF8String],
        "kernel affine_f32: 4 bytes at offset 64 of buffer 2, which has 64 bytes");
}
END_TEST

START_TEST(new_memory_is_not_zero)
{
    ck_assert_uint_eq(*(unsigned *)[memory contents], 0xffffffff);
    id<MTLBuffer> hidden = [device newBufferWithLength:4
                                               options:MTLResourceStorageModePrivate];
    ck_assert_ptr_null([hidden contents]);
    [hidden release];
}
END_TEST

START_TEST(an_unknown_source_is_refused)
{
    NSError *why = nil;
    ck_assert([device newLibraryWithSource:@"kernel void f() {}"
                                   options:nil
                                     error:&why] == nil);
    ck_assert_str_eq([[why localizedDescription] UTF8String],
                     "this source was not translated when the program was built");
}
END_TEST

/* Nothing runs before somebody waits, and what does not depend on each other changes
 * places: with some seed the second of two independent command buffers is done first. */
START_TEST(a_seed_makes_work_late)
{
    setenv("PARITY_METAL_SEED", "1", 1);
    id<MTLCommandQueue> late = [device newCommandQueue];
    id<MTLCommandBuffer> one = [late commandBuffer];
    id<MTLBlitCommandEncoder> blit = [one blitCommandEncoder];
    [blit fillBuffer:memory range:NSMakeRange(0, 64) value:1];
    [blit endEncoding];
    [one commit];
    ck_assert_int_eq([one status], MTLCommandBufferStatusCommitted);
    ck_assert_uint_eq(*(unsigned char *)[memory contents], 0xff);
    [one waitUntilCompleted];
    ck_assert_uint_eq(*(unsigned char *)[memory contents], 1);
    [late release];
}
END_TEST

START_TEST(a_seed_reorders_what_is_independent)
{
    bool overtaken = false;
    for (int seed = 1; seed < 20 && !overtaken; seed++) {
        char text[8];
        snprintf(text, sizeof text, "%d", seed);
        setenv("PARITY_METAL_SEED", text, 1);
        id<MTLCommandQueue> late = [device newCommandQueue];
        id<MTLCommandBuffer> buffers[2];
        for (int i = 0; i < 2; i++) {
            id<MTLBuffer> target =
                [device newBufferWithLength:4 options:MTLResourceStorageModeShared];
            buffers[i] = [late commandBuffer];
            id<MTLBlitCommandEncoder> blit = [buffers[i] blitCommandEncoder];
            [blit fillBuffer:target range:NSMakeRange(0, 4) value:0];
            [blit endEncoding];
            [buffers[i] commit];
            [target release];
        }
        [buffers[1] waitUntilCompleted];
        overtaken = [buffers[0] status] < MTLCommandBufferStatusCompleted;
        [buffers[0] waitUntilCompleted];
        [late release];
    }
    ck_assert(overtaken);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("soft");
    TCase *misuse = tcase_create("misuse");
    tcase_add_checked_fixture(misuse, set_up, NULL);
    tcase_add_loop_test_raise_signal(misuse, misuse_ends_the_process, SIGABRT, 0,
                                     (int)(sizeof mistakes / sizeof mistakes[0]));
    suite_add_tcase(suite, misuse);
    TCase *tcase = tcase_create("work");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_launch_without_mistake_completes);
    tcase_add_test(tcase, reaching_beyond_the_buffer_is_an_error);
    tcase_add_test(tcase, new_memory_is_not_zero);
    tcase_add_test(tcase, an_unknown_source_is_refused);
    tcase_add_test(tcase, a_seed_makes_work_late);
    tcase_add_test(tcase, a_seed_reorders_what_is_independent);
    suite_add_tcase(suite, tcase);
    return suite;
}
