/* Runs a dispatch: its threadgroups one after the other, and the threads of each. */
#include "backends/metal/soft/soft.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The dispatch of this thread, while it runs. */
typedef struct running {
    const soft_kernel *kernel;
    char *why;
    size_t size;
    int failed;
    uint32_t index; /* of the fault that is told: the lowest, whatever the order of */
    ptrdiff_t at;   /* the threads */
} running;

static _Thread_local running now;

void soft_assert_failed(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("softmetal: failed assertion: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

uint64_t soft_random(uint64_t *state)
{
    /* splitmix64 (Vigna) */
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Lower argument first, then lower offset. */
static int comes_before(const soft_binding *binding, ptrdiff_t at)
{
    if (!now.failed || binding->index != now.index)
        return !now.failed || binding->index < now.index;
    return at < now.at;
}

void *soft_fault(const soft_binding *binding, ptrdiff_t at, size_t bytes)
{
    static _Thread_local unsigned char nothing[64];
    memset(nothing, 0, sizeof nothing);
    if (comes_before(binding, at)) {
        int group = binding->index >= SOFT_ARGUMENTS;
        snprintf(now.why, now.size,
                 "kernel %s: %zu bytes at offset %td of %s %u, which has %zu bytes",
                 now.kernel->name, bytes, at, group ? "threadgroup memory" : "buffer",
                 binding->index - (group ? SOFT_ARGUMENTS : 0), binding->size);
        now.index = binding->index;
        now.at = at;
    }
    now.failed = 1;
    return nothing;
}

/* 0 … count - 1, in order or shuffled. */
static uint32_t *order_of(size_t count, uint64_t *seed)
{
    uint32_t *order = malloc(count * sizeof *order);
    if (!order)
        soft_assert_failed("out of memory for %zu threads", count);
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (size_t i = count; *seed && i > 1; i--) {
        size_t j = soft_random(seed) % i;
        uint32_t other = order[j];
        order[j] = order[i - 1];
        order[i - 1] = other;
    }
    return order;
}

/* One thread after the other; with a seed row by row is not good enough. */
static void run_alone(const soft_kernel *kernel, const soft_arguments *arguments,
                      const soft_position *base, soft_size threads, const uint32_t *order)
{
    if (!order) {
        for (uint32_t row = 0; row < threads.y * threads.z; row++) {
            soft_position first = *base;
            first.local[1] = row % (uint32_t)threads.y;
            first.local[2] = row / (uint32_t)threads.y;
            first.grid[1] += first.local[1];
            first.grid[2] += first.local[2];
            kernel->run(arguments, &first, (uint32_t)threads.x);
        }
        return;
    }
    for (size_t i = 0; i < threads.x * threads.y * threads.z; i++) {
        soft_position one = *base;
        one.local[0] = order[i] % (uint32_t)threads.x;
        one.local[1] = order[i] / (uint32_t)threads.x % (uint32_t)threads.y;
        one.local[2] = order[i] / (uint32_t)(threads.x * threads.y);
        for (int d = 0; d < 3; d++)
            one.grid[d] += one.local[d];
        kernel->run(arguments, &one, 1);
    }
}

static soft_position group_position(size_t group, soft_size groups, soft_size threads)
{
    soft_position at = {0};
    at.group[0] = (uint32_t)(group % groups.x);
    at.group[1] = (uint32_t)(group / groups.x % groups.y);
    at.group[2] = (uint32_t)(group / groups.x / groups.y);
    at.grid[0] = at.group[0] * (uint32_t)threads.x;
    at.grid[1] = at.group[1] * (uint32_t)threads.y;
    at.grid[2] = at.group[2] * (uint32_t)threads.z;
    return at;
}

/* Threadgroup memory begins with what no program may count on. */
static void poison(const soft_arguments *arguments)
{
    for (int i = 0; i < SOFT_ARGUMENTS; i++)
        if (arguments->threadgroup[i].base)
            memset(arguments->threadgroup[i].base, 0xff, arguments->threadgroup[i].size);
}

static void run_groups(const soft_kernel *kernel, const soft_arguments *arguments,
                       soft_size groups, soft_size threads, uint64_t seed, char *why,
                       size_t size)
{
    size_t ngroups = groups.x * groups.y * groups.z,
           nthreads = threads.x * threads.y * threads.z;
    uint64_t state = seed;
    uint32_t *turns = seed ? order_of(ngroups, &state) : NULL;
    uint32_t *order = seed || kernel->cooperates ? order_of(nthreads, &state) : NULL;
    int stuck = 0;
    for (size_t i = 0; i < ngroups && !stuck; i++) {
        soft_position at = group_position(turns ? turns[i] : i, groups, threads);
        poison(arguments);
        if (!kernel->cooperates || nthreads == 1)
            run_alone(kernel, arguments, &at, threads, order);
        else if (!soft_run_group(kernel, arguments, &at, threads, order, why, size))
            now.failed = stuck = 1;
    }
    free(turns);
    free(order);
}

int soft_execute(const soft_kernel *kernel, const soft_arguments *arguments,
                 const size_t *threadgroup_bytes, soft_size groups, soft_size threads,
                 uint64_t seed, char *why, size_t size)
{
    soft_arguments all = *arguments;
    for (int i = 0; i < SOFT_ARGUMENTS; i++)
        if (threadgroup_bytes[i]) {
            all.threadgroup[i] =
                (soft_binding){malloc(threadgroup_bytes[i]), threadgroup_bytes[i], 0,
                               SOFT_ARGUMENTS + (uint32_t)i};
            if (!all.threadgroup[i].base)
                soft_assert_failed("out of memory for threadgroup memory");
        }
    now = (running){.kernel = kernel, .why = why, .size = size};
    run_groups(kernel, &all, groups, threads, seed, why, size);
    for (int i = 0; i < SOFT_ARGUMENTS; i++)
        free(all.threadgroup[i].base);
    int failed = now.failed;
    now = (running){0};
    return !failed;
}
