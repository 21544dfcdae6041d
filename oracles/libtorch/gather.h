/* The elements of a strided array in logical order. Knows nothing of Python. */
#ifndef ORACLES_LIBTORCH_GATHER_H
#define ORACLES_LIBTORCH_GATHER_H

#include "harness/model/value.h"

typedef struct libtorch_strided {
    const unsigned char *first; /* the element with index 0 everywhere */
    size_t item;                /* bytes an element */
    size_t rank;                /* at most PARITY_MAX_RANK */
    const int64_t *shape;       /* none negative; their product fits in 63 bits */
    const int64_t *strides;     /* in elements, none negative */
} libtorch_strided;

/* Bytes from the first element to the end of the last one in memory; 0 if there is none,
 * -1 if that is more than 63 bits. */
int64_t libtorch_strided_extent(const libtorch_strided *array);

/* Copies `count` elements from number `start` on, in logical (row-major) order. They must
 * exist. */
void libtorch_strided_copy(void *out, const libtorch_strided *array, size_t start,
                           size_t count);

/* XXH3-64 over all elements in logical order; needs no memory for them. */
uint64_t libtorch_strided_hash(const libtorch_strided *array);

/* Fills bits, nbytes, hashed and hash of a tensor whose dtype and shape are set:
 * everything up to PARITY_BITS_LIMIT, else hash, head and tail. */
void libtorch_strided_observe(parity_tensor *tensor, const libtorch_strided *array);

#endif
