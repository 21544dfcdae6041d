/* Memory of a device as candle's allocator keeps it (candle-core
 * metal_backend/device.rs).
 *
 * Two pools, of shared and of private memory. A new piece is rounded up to a power of two
 * and stays in its pool; one that nobody but the pool holds is used again, the smallest
 * that is large enough. Memory for uploads is always new and of its exact size. A sweep
 * after every wait gives back what nobody holds. */
#ifndef PARITY_METAL_POOL_H
#define PARITY_METAL_POOL_H

#include "backends/metal/gpu.h"

typedef struct metal_piece {
    size_t refs; /* the pool's own included */
    size_t size; /* what it is found by */
    metal_memory *memory;
} metal_piece;

typedef struct metal_pieces {
    metal_piece **items;
    size_t count;
    size_t capacity;
} metal_pieces;

typedef struct metal_pool {
    metal_gpu *gpu;
    metal_pieces shared;
    metal_pieces private_;
} metal_pool;

/* One reference, new; NULL: there is no memory. */
metal_piece *metal_pool_take(metal_pool *pool, size_t bytes, bool shared);
/* Shared, new and of its exact size. */
metal_piece *metal_pool_upload(metal_pool *pool, size_t bytes);
metal_piece *metal_piece_ref(metal_piece *piece);
/* NULL allowed. */
void metal_piece_unref(metal_piece *piece);
void metal_pool_sweep(metal_pool *pool);
/* Nobody but the pool may hold a piece. */
void metal_pool_free(metal_pool *pool);

#endif
