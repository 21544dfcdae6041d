/* One engine of tools/bench: the tensor core. Reads lines `OPERATION BYTES TIMES` and
 * answers each with the nanoseconds that one of TIMES operations took on f32 tensors of
 * BYTES. */
#include "backends/core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct operands {
    core_context *context;
    core_tensor *x;      /* [rows, 4] */
    core_tensor *y;      /* the same shape */
    core_tensor *buffer; /* [2 * rows, 4] */
    size_t rows;
    void *plain; /* as many bytes, for memcpy */
    size_t bytes;
} operands;

typedef core_status operation(const operands *on, core_error *error);

static core_status drop(core_status status, core_tensor **result)
{
    if (status == CORE_OK)
        core_tensor_unref(*result);
    return status;
}

static core_status copy(const operands *on, core_error *error)
{
    core_tensor *result = NULL;
    return drop(core_tensor_copy(on->context, &result, on->x, error), &result);
}

static core_status affine(const operands *on, core_error *error)
{
    core_tensor *result = NULL;
    return drop(core_tensor_affine(on->context, &result, on->x, 2.0, 1.0, error),
                &result);
}

static core_status add(const operands *on, core_error *error)
{
    core_tensor *result = NULL;
    return drop(core_tensor_binary(on->context, &result, CORE_ADD, on->x, on->y, error),
                &result);
}

static core_status slice_set(const operands *on, core_error *error)
{
    return core_tensor_slice_set(on->context, on->buffer, on->x, 0, on->rows / 2, error);
}

/* What no library can beat: fresh memory, filled by memcpy. */
static core_status memory_copy(const operands *on, core_error *error)
{
    (void)error;
    void *fresh = malloc(on->bytes);
    if (!fresh)
        return CORE_ABORT;
    memcpy(fresh, on->plain, on->bytes);
    __asm__ volatile(""
                     :
                     : "r"(fresh)
                     : "memory"); /* or the compiler leaves it all out */
    free(fresh);
    return CORE_OK;
}

static const struct {
    const char *name;
    operation *run;
} operations[] = {
    {"copy", copy},           {"affine", affine},      {"add", add},
    {"slice_set", slice_set}, {"memcpy", memory_copy},
};

static core_status make(operands *on, size_t bytes, core_error *error)
{
    core_device *cpu = core_context_device(on->context, "cpu");
    on->bytes = bytes;
    on->rows = bytes / sizeof(float) / 4;
    core_shape shape = {2, {on->rows, 4}}, twice = {2, {2 * on->rows, 4}};
    core_status status =
        core_tensor_ones(on->context, &on->x, &shape, CORE_F32, cpu, error);
    if (status == CORE_OK)
        status = core_tensor_ones(on->context, &on->y, &shape, CORE_F32, cpu, error);
    if (status == CORE_OK)
        status =
            core_tensor_zeros(on->context, &on->buffer, &twice, CORE_F32, cpu, error);
    on->plain = malloc(bytes);
    if (!on->plain)
        return CORE_ABORT;
    memset(on->plain, 1, bytes);
    return status;
}

static void clear(operands *on)
{
    core_tensor_unref(on->x);
    core_tensor_unref(on->y);
    core_tensor_unref(on->buffer);
    free(on->plain);
    core_context_free(on->context);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static core_status measure(double *each, operation *run, size_t bytes, long times,
                           core_error *error)
{
    operands on = {.context = core_context_new()};
    core_status status = make(&on, bytes, error);
    if (status == CORE_OK)
        status = run(&on, error); /* warm */
    double start = now();
    for (long i = 0; i < times && status == CORE_OK; i++)
        status = run(&on, error);
    *each = (now() - start) / (double)times;
    clear(&on);
    return status;
}

int main(void)
{
    char name[32];
    size_t bytes;
    long times;
    while (scanf("%31s %zu %ld", name, &bytes, &times) == 3) {
        operation *run = NULL;
        for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
            if (strcmp(operations[i].name, name) == 0)
                run = operations[i].run;
        core_error error = {.status = CORE_ERROR, .text = "there is no such operation"};
        double each = 0;
        if (!run || measure(&each, run, bytes, times, &error) != CORE_OK) {
            fprintf(stderr, "%s: %s\n", name, error.text);
            return EXIT_FAILURE;
        }
        printf("%.1f\n", each);
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
