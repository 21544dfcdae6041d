/* Status, element types, texts, the context. */
#include "backends/core/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *core_status_name(core_status status)
{
    static const char *const names[] = {"ok",       "error", "panic",
                                        "deadlock", "abort", "unsupported"};
    return names[status];
}

core_status core_fail(core_error *error, core_status status, const char *format, ...)
{
    if (!error)
        return status;
    error->status = status;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    if (length >= (int)sizeof error->text) {
        size_t end = sizeof error->text - 1;
        while (end > 0 && ((unsigned char)error->text[end - 1] & 0xC0) == 0x80)
            end--;
        if (end > 0 && (unsigned char)error->text[end - 1] >= 0xC0)
            end--;
        if (end > 0)
            error->text[end] = '\0';
    }
    return status;
}

static const core_dtype_row dtypes[CORE_DTYPE_COUNT] = {
    [CORE_U8] = {"u8", "U8", 1, false, true},
    [CORE_U32] = {"u32", "U32", 4, false, true},
    [CORE_I16] = {"i16", "I16", 2, false, true},
    [CORE_I32] = {"i32", "I32", 4, false, true},
    [CORE_I64] = {"i64", "I64", 8, false, true},
    [CORE_BF16] = {"bf16", "BF16", 2, true, false},
    [CORE_F16] = {"f16", "F16", 2, true, false},
    [CORE_F32] = {"f32", "F32", 4, true, true},
    [CORE_F64] = {"f64", "F64", 8, true, true},
    [CORE_F8E4M3] = {"f8e4m3", "F8E4M3", 1, true, false},
};

const core_dtype_row *core_dtype_info(core_dtype dtype)
{
    return &dtypes[dtype];
}

bool core_dtype_from_name(core_dtype *dtype, const char *name)
{
    for (size_t i = 0; i < CORE_DTYPE_COUNT; i++)
        if (!strcmp(dtypes[i].name, name)) {
            *dtype = (core_dtype)i;
            return true;
        }
    return false;
}

void *core_realloc(void *pointer, size_t size)
{
    void *grown = realloc(pointer, size ? size : 1);
    if (!grown) {
        fputs("tensor core: out of memory for its own bookkeeping\n", stderr);
        abort();
    }
    return grown;
}

void *core_alloc(size_t size)
{
    return core_realloc(NULL, size);
}

char *core_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(core_alloc(size), text, size);
}

void core_text_free(core_text *text)
{
    free(text->data);
    *text = (core_text){0};
}

static void text_reserve(core_text *text, size_t more)
{
    size_t need = text->length + more + 1;
    if (need <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity < need)
        capacity *= 2;
    text->data = core_realloc(text->data, capacity);
    text->capacity = capacity;
}

void core_text_add(core_text *text, const char *bytes, size_t count)
{
    text_reserve(text, count);
    memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void core_text_printf(core_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length >= 0) {
        text_reserve(text, (size_t)length);
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

core_context *core_context_new(void)
{
    core_context *context = core_alloc(sizeof *context);
    *context = (core_context){.next_id = 1};
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    context->random[0] = (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
    context->random[1] = (uint64_t)(uintptr_t)context | 1;
    return context;
}

void core_context_free(core_context *context)
{
    if (!context)
        return;
    while (context->devices) {
        core_device *device = context->devices;
        context->devices = device->next;
        if (device->ops->close)
            device->ops->close(device);
        free(device);
    }
    free(context);
}

void core_context_restart_ids(core_context *context)
{
    context->next_id = 1;
}

uint64_t core_context_bytes(const core_context *context)
{
    return context->bytes;
}

size_t core_context_live(const core_context *context)
{
    return context->nodes + context->storages;
}

void core_context_at(core_context *context, int line, int column)
{
    context->line = line;
    context->column = column;
}

/* The CPU with its plain kernels, for tests. */
static const char plain_name[] = "cpu-reference";

static const core_device_ops *ops_named(const char *name)
{
    if (!strcmp(name, plain_name))
        return &core_cpu_ops;
    for (size_t i = 0; core_device_table[i]; i++)
        if (!strcmp(core_device_table[i]->name, name))
            return core_device_table[i];
    return NULL;
}

core_status core_context_open(core_context *context, core_device **out, const char *name,
                              size_t ordinal, core_error *error)
{
    const core_device_ops *ops = ops_named(name);
    if (!ops)
        return core_fail(error, CORE_UNSUPPORTED, "the core has no device `%s`", name);
    core_device *device = core_alloc(sizeof *device);
    *device = (core_device){.ops = ops, .context = context, .next = context->devices};
    device->id = 1;
    for (const core_device *d = context->devices; d; d = d->next)
        device->id += d->ops == ops;
    device->plain = !strcmp(name, plain_name);
    core_status status = ops->open(device, ordinal, error);
    if (status) {
        free(device);
        return status;
    }
    context->devices = device;
    *out = device;
    return CORE_OK;
}

core_device *core_context_device(core_context *context, const char *name)
{
    core_device *found = NULL;
    for (core_device *d = context->devices; d; d = d->next)
        if (!strcmp(core_device_name(d), name))
            found = d;
    if (!found && core_context_open(context, &found, name, 0, NULL))
        return NULL;
    return found;
}

const char *core_device_name(const core_device *device)
{
    return device->plain ? plain_name : device->ops->name;
}

const char *core_device_location(const core_device *device)
{
    return device->location;
}

bool core_device_same(const core_device *a, const core_device *b)
{
    return a == b || (a->ops == b->ops && a->ops->one_device);
}
