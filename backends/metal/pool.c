#include "backends/metal/pool.h"

#include "backends/core/mutants.h"

#include <stdio.h>
#include <stdlib.h>

/* next_power_of_two of Rust: 1 for 0. */
static size_t power_of_two(size_t bytes)
{
    size_t size = 1;
    while (size < bytes && size <= SIZE_MAX / 2)
        size *= 2;
    return size;
}

static metal_piece *add(metal_pool *pool, size_t size, bool shared)
{
    metal_pieces *pieces = shared ? &pool->shared : &pool->private_;
    metal_memory *memory = metal_memory_new(pool->gpu, size, shared);
    metal_piece *piece = memory ? malloc(sizeof *piece) : NULL;
    if (pieces->count == pieces->capacity) {
        pieces->capacity = pieces->capacity ? 2 * pieces->capacity : 16;
        pieces->items = realloc(pieces->items, pieces->capacity * sizeof *pieces->items);
    }
    if (memory && (!piece || !pieces->items)) {
        fputs("metal: out of memory for its own bookkeeping\n", stderr);
        abort();
    }
    if (!piece)
        return NULL;
    *piece = (metal_piece){2, size, memory};
    return pieces->items[pieces->count++] = piece;
}

metal_piece *metal_pool_take(metal_pool *pool, size_t bytes, bool shared)
{
    const metal_pieces *pieces = shared ? &pool->shared : &pool->private_;
    size_t holders = CORE_MUTANT(metal_pool_reuse) ? 3 : 1;
    metal_piece *best = NULL;
    for (size_t i = 0; i < pieces->count; i++) {
        metal_piece *piece = pieces->items[i];
        if ((piece->refs == 1 || piece->refs == holders) && piece->size >= bytes &&
            (!best || piece->size < best->size))
            best = piece;
    }
    return best ? metal_piece_ref(best) : add(pool, power_of_two(bytes), shared);
}

metal_piece *metal_pool_upload(metal_pool *pool, size_t bytes)
{
    return add(pool, bytes, true);
}

metal_piece *metal_piece_ref(metal_piece *piece)
{
    piece->refs++;
    return piece;
}

void metal_piece_unref(metal_piece *piece)
{
    if (piece)
        piece->refs--;
}

static void sweep(metal_pieces *pieces)
{
    size_t kept = 0;
    for (size_t i = 0; i < pieces->count; i++) {
        metal_piece *piece = pieces->items[i];
        if (piece->refs > 1) {
            pieces->items[kept++] = piece;
            continue;
        }
        metal_memory_release(piece->memory);
        free(piece);
    }
    pieces->count = kept;
}

void metal_pool_sweep(metal_pool *pool)
{
    sweep(&pool->shared);
    sweep(&pool->private_);
}

void metal_pool_free(metal_pool *pool)
{
    metal_pool_sweep(pool);
    free(pool->shared.items);
    free(pool->private_.items);
}
