/* Allocation that ends the process with a message instead of returning NULL, and an arena
 * for things that live and die together, such as a loaded case file. */
#ifndef PARITY_BASE_MEMORY_H
#define PARITY_BASE_MEMORY_H

#include <stddef.h>

void *parity_alloc(size_t size); /* zeroed */
void *parity_realloc(void *pointer, size_t size);
char *parity_strdup(const char *text); /* NULL stays NULL */
char *parity_strndup(const char *text, size_t length);

/* Grows an array so that one more element fits: items, count and capacity are the
 * caller's. */
#define PARITY_GROW(items, count, capacity)                                              \
    do {                                                                                 \
        if ((count) == (capacity)) {                                                     \
            (capacity) = (capacity) ? 2 * (capacity) : 8;                                \
            (items) = parity_realloc((items), (capacity) * sizeof *(items));             \
        }                                                                                \
    } while (0)

typedef struct parity_arena parity_arena;
parity_arena *parity_arena_new(void);
void parity_arena_free(parity_arena *arena); /* NULL allowed */
void *parity_arena_alloc(parity_arena *arena,
                         size_t size); /* zeroed, aligned for anything */
char *parity_arena_strdup(parity_arena *arena, const char *text);
char *parity_arena_strndup(parity_arena *arena, const char *text, size_t length);
size_t parity_arena_bytes(const parity_arena *arena); /* allocated so far */

#endif
