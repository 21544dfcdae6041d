/* Threads of a threadgroup that wait for each other: one stack each, switched by hand.
 *
 * Sanitizers are told of every switch. For the thread sanitizer a barrier is a pair of
 * objects used in turn: a thread that has come to the next barrier must not lend its
 * writes to one that is still leaving this. */
#include "backends/metal/soft/soft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define WITH_TSAN 1
#include <sanitizer/tsan_interface.h>
/* The scheduler's own state is touched from every stack; only kernels are watched. */
#define UNWATCHED __attribute__((no_sanitize("thread"), noinline))
#else
#define UNWATCHED
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define WITH_ASAN 1
#include <sanitizer/common_interface_defs.h>
/* libobjc keeps its tables of classes and selectors until the process ends. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libobjc.so\n";
}
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}
#endif

enum { STACK = 128 * 1024, MOST = 1024 };

typedef enum state { READY, WAITS, DONE } state;

#if defined(__x86_64__)
/* What a C function must find unchanged is on the old stack; the pointer to it is saved.
 * swapcontext would ask the kernel for the signal mask at every switch. */
typedef void *place;
void soft_switch(void **save, void *to);
__asm__(".text\n.globl soft_switch\n.hidden soft_switch\n.type soft_switch,@function\n"
        "soft_switch:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp,(%rdi)\nmov %rsi,%rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n"
        ".size soft_switch,.-soft_switch\n");
#else
typedef ucontext_t place;
#endif

typedef struct fiber {
    place at;
    unsigned char *stack;
    state state;
    soft_position position;
    unsigned barriers;
    void *tsan;
    void *fake; /* stack of the address sanitizer */
} fiber;

typedef struct group {
    const soft_kernel *kernel;
    const soft_arguments *arguments;
    fiber *fibers;
    size_t current;
    place main;
    void *tsan;
    void *fake;
    const void *stack; /* of the thread that runs the group */
    size_t stack_size;
    char begin, end, barrier[2]; /* their addresses stand for happens-before */
} group;

static _Thread_local fiber *pool;
static _Thread_local group *current;

void soft_thread_end(void)
{
    if (!pool)
        return;
#ifdef WITH_TSAN
    for (int i = 0; i < MOST; i++)
        if (pool[i].tsan)
            __tsan_destroy_fiber(pool[i].tsan);
#endif
    munmap(pool[0].stack, (size_t)MOST * STACK);
    free(pool);
    pool = NULL;
}

static void make_pool(void)
{
    pool = calloc(MOST, sizeof *pool);
    unsigned char *stacks = mmap(NULL, (size_t)MOST * STACK, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!pool || stacks == MAP_FAILED)
        soft_assert_failed("no memory for the stacks of a threadgroup");
    for (size_t i = 0; i < MOST; i++)
        pool[i].stack = stacks + i * STACK;
}

UNWATCHED static void change(place *save, place *to)
{
#if defined(__x86_64__)
    soft_switch(save, *to);
#else
    swapcontext(save, to);
#endif
}

UNWATCHED static void to_main(int dying)
{
    group *g = current;
    fiber *f = &g->fibers[g->current];
    (void)dying;
#ifdef WITH_ASAN
    __sanitizer_start_switch_fiber(dying ? NULL : &f->fake, g->stack, g->stack_size);
#endif
#ifdef WITH_TSAN
    __tsan_switch_to_fiber(g->tsan, 1);
#endif
    change(&f->at, &g->main);
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(f->fake, &g->stack, &g->stack_size);
#endif
}

UNWATCHED static void to_fiber(group *g, size_t i)
{
    fiber *f = &g->fibers[i];
    g->current = i;
#ifdef WITH_ASAN
    __sanitizer_start_switch_fiber(&g->fake, f->stack, STACK);
#endif
#ifdef WITH_TSAN
    __tsan_switch_to_fiber(f->tsan, 1);
#endif
    change(&g->main, &f->at);
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(g->fake, NULL, NULL);
#endif
}

UNWATCHED static void fiber_main(void)
{
    group *g = current;
    fiber *f = &g->fibers[g->current];
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(NULL, &g->stack, &g->stack_size);
#endif
#ifdef WITH_TSAN
    __tsan_acquire(&g->begin);
#endif
    g->kernel->run(g->arguments, &f->position, 1);
#ifdef WITH_TSAN
    __tsan_release(&g->end);
#endif
    f->state = DONE;
    to_main(1);
    abort();
}

UNWATCHED void soft_barrier(void)
{
    group *g = current;
    if (!g)
        return; /* a group of one thread */
    fiber *f = &g->fibers[g->current];
#ifdef WITH_TSAN
    void *object = &g->barrier[f->barriers++ & 1];
    __tsan_release(object);
#endif
    f->state = WAITS;
    to_main(0);
#ifdef WITH_TSAN
    __tsan_acquire(object);
#endif
}

UNWATCHED static void prepare(fiber *f, size_t index, const soft_position *base,
                              soft_size threads)
{
    f->state = READY;
    f->fake = NULL;
    f->barriers = 0;
    f->position = *base;
    f->position.local[0] = (uint32_t)(index % threads.x);
    f->position.local[1] = (uint32_t)(index / threads.x % threads.y);
    f->position.local[2] = (uint32_t)(index / threads.x / threads.y);
    for (int d = 0; d < 3; d++)
        f->position.grid[d] += f->position.local[d];
#ifdef WITH_TSAN
    if (!f->tsan)
        f->tsan = __tsan_create_fiber(0);
#endif
#if defined(__x86_64__)
    /* Staggered, or all stacks share the same sets of the cache. The address below
     * fiber_main is where a caller's would be: 16-byte alignment as after a call. */
    void **top = (void **)(void *)(f->stack + STACK - index * 320 % 16384);
    *--top = NULL;
    *--top = (void *)(uintptr_t)fiber_main;
    top -= 6;
    memset(top, 0, 6 * sizeof *top);
    f->at = top;
#else
    getcontext(&f->at);
    f->at.uc_stack.ss_sp = f->stack;
    f->at.uc_stack.ss_size = STACK;
    f->at.uc_link = NULL;
    makecontext(&f->at, fiber_main, 0);
#endif
}

/* Gives every thread that is ready a turn; how many there were. */
UNWATCHED static size_t turn(group *g, size_t count, const uint32_t *order, size_t *done)
{
    size_t ran = 0;
    for (size_t i = 0; i < count; i++) {
        fiber *f = &g->fibers[order[i]];
        if (f->state != READY)
            continue;
        to_fiber(g, order[i]);
        ran++;
        *done += f->state == DONE;
    }
    return ran;
}

UNWATCHED int soft_run_group(const soft_kernel *kernel, const soft_arguments *arguments,
                             const soft_position *base, soft_size threads,
                             const uint32_t *order, char *why, size_t size)
{
    size_t count = threads.x * threads.y * threads.z, done = 0;
    if (!pool)
        make_pool();
    group g = {.kernel = kernel, .arguments = arguments, .fibers = pool};
    current = &g;
#ifdef WITH_TSAN
    g.tsan = __tsan_get_current_fiber();
    __tsan_release(&g.begin);
#endif
    for (size_t i = 0; i < count; i++)
        prepare(&pool[i], i, base, threads);
    while (done < count) {
        turn(&g, count, order, &done);
        if (done > 0 && done < count)
            break;
        for (size_t i = 0; i < count; i++)
            if (pool[i].state == WAITS)
                pool[i].state = READY;
    }
#ifdef WITH_TSAN
    __tsan_acquire(&g.end);
#endif
    current = NULL;
    if (done == count)
        return 1;
    snprintf(why, size,
             "kernel %s: of threadgroup (%u, %u, %u) %zu threads have returned and %zu "
             "wait at threadgroup_barrier",
             kernel->name, base->group[0], base->group[1], base->group[2], done,
             count - done);
    soft_thread_end(); /* the stacks of those that wait are lost */
    return 0;
}
