#include "harness/base/memory.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *or_die(void *pointer, size_t size)
{
    if (!pointer) {
        fprintf(stderr, "parity: out of memory (%zu bytes asked)\n", size);
        abort();
    }
    return pointer;
}

void *parity_alloc(size_t size)
{
    return or_die(calloc(1, size ? size : 1), size);
}

void *parity_realloc(void *pointer, size_t size)
{
    return or_die(realloc(pointer, size ? size : 1), size);
}

char *parity_strndup(const char *text, size_t length)
{
    char *copy = parity_alloc(length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *parity_strdup(const char *text)
{
    return text ? parity_strndup(text, strlen(text)) : NULL;
}

typedef struct chunk chunk;
struct chunk {
    chunk *next;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

struct parity_arena {
    chunk *chunks;
    size_t total;
};

parity_arena *parity_arena_new(void)
{
    return parity_alloc(sizeof(parity_arena));
}

void parity_arena_free(parity_arena *arena)
{
    if (!arena)
        return;
    for (chunk *next, *c = arena->chunks; c; c = next) {
        next = c->next;
        free(c);
    }
    free(arena);
}

void *parity_arena_alloc(parity_arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    size = (size + align - 1) / align * align;
    chunk *c = arena->chunks;
    if (!c || c->size - c->used < size) {
        size_t room = size > 16384 ? size : 16384;
        chunk *fresh = parity_alloc(sizeof(chunk) + room);
        fresh->size = room;
        /* A large block goes behind the current chunk, so that its room stays in use. */
        if (c && size > 4096) {
            fresh->next = c->next;
            c->next = fresh;
        } else {
            fresh->next = c;
            arena->chunks = fresh;
        }
        c = fresh;
    }
    void *bytes = c->bytes + c->used;
    c->used += size;
    arena->total += size;
    return bytes;
}

char *parity_arena_strndup(parity_arena *arena, const char *text, size_t length)
{
    char *copy = parity_arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *parity_arena_strdup(parity_arena *arena, const char *text)
{
    return text ? parity_arena_strndup(arena, text, strlen(text)) : NULL;
}

size_t parity_arena_bytes(const parity_arena *arena)
{
    return arena->total;
}
