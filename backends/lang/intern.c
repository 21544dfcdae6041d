/* Interned names: a hash table of chains whose texts live in the arena. */
#include "backends/lang/lexer.h"

#include <string.h>

#define BUCKETS 256

typedef struct name {
    struct name *next;
    size_t length;
    char *text;
} name;

struct lang_interner {
    parity_arena *arena;
    name *buckets[BUCKETS];
};

lang_interner *lang_interner_new(parity_arena *arena)
{
    lang_interner *interner = parity_arena_alloc(arena, sizeof *interner);
    interner->arena = arena;
    return interner;
}

const char *lang_intern(lang_interner *interner, const char *text, size_t length)
{
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    name **bucket = &interner->buckets[hash % BUCKETS];
    for (name *n = *bucket; n; n = n->next)
        if (n->length == length && memcmp(n->text, text, length) == 0)
            return n->text;
    name *n = parity_arena_alloc(interner->arena, sizeof *n);
    n->length = length;
    n->text = parity_arena_strndup(interner->arena, text, length);
    n->next = *bucket;
    *bucket = n;
    return n->text;
}
