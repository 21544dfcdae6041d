#include "oracles/libtorch/gather.h"

#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "bits travel little-endian; this machine needs them swapped here"
#endif

static size_t count_of(const libtorch_strided *array)
{
    size_t count = 1;
    for (size_t i = 0; i < array->rank; i++)
        count *= (size_t)array->shape[i];
    return count;
}

int64_t libtorch_strided_extent(const libtorch_strided *array)
{
    int64_t last = 0;
    if (count_of(array) == 0)
        return 0;
    for (size_t i = 0; i < array->rank; i++) {
        int64_t reach;
        if (__builtin_mul_overflow(array->shape[i] - 1, array->strides[i], &reach) ||
            __builtin_add_overflow(last, reach, &last))
            return -1;
    }
    int64_t bytes;
    if (__builtin_mul_overflow(last + 1, (int64_t)array->item, &bytes))
        return -1;
    return bytes;
}

/* How many trailing dimensions lie in memory as they are counted, and the elements in
 * them. */
static size_t packed_dimensions(const libtorch_strided *array, size_t *elements)
{
    size_t packed = 0;
    *elements = 1;
    while (packed < array->rank) {
        size_t i = array->rank - 1 - packed;
        if (array->shape[i] != 1 && array->strides[i] != (int64_t)*elements)
            break;
        *elements *= (size_t)array->shape[i];
        packed++;
    }
    return packed;
}

/* The place in memory, in elements, of the run with that number; a run is what the first
 * `outer` dimensions count. */
static int64_t place_of_run(const libtorch_strided *array, size_t outer, size_t number)
{
    int64_t place = 0;
    for (size_t i = outer; i-- > 0;) {
        size_t size = (size_t)array->shape[i];
        place += (int64_t)(number % size) * array->strides[i];
        number /= size;
    }
    return place;
}

void libtorch_strided_copy(void *out, const libtorch_strided *array, size_t start,
                           size_t count)
{
    size_t run;
    size_t outer = array->rank - packed_dimensions(array, &run);
    unsigned char *to = out;
    while (count > 0) {
        size_t skip = start % run;
        size_t take = run - skip < count ? run - skip : count;
        int64_t place = place_of_run(array, outer, start / run) + (int64_t)skip;
        memcpy(to, array->first + place * (int64_t)array->item, take * array->item);
        to += take * array->item;
        start += take;
        count -= take;
    }
}

uint64_t libtorch_strided_hash(const libtorch_strided *array)
{
    enum { BLOCK = 64 << 10 };
    size_t count = count_of(array), run;
    packed_dimensions(array, &run);
    if (run == count)
        return XXH3_64bits(array->first, count * array->item);
    XXH3_state_t *state = XXH3_createState();
    unsigned char *block = parity_alloc(BLOCK);
    size_t step = BLOCK / array->item;
    XXH3_64bits_reset(state);
    for (size_t start = 0; start < count; start += step) {
        size_t take = count - start < step ? count - start : step;
        libtorch_strided_copy(block, array, start, take);
        XXH3_64bits_update(state, block, take * array->item);
    }
    uint64_t hash = XXH3_64bits_digest(state);
    free(block);
    XXH3_freeState(state);
    return hash;
}

void libtorch_strided_observe(parity_tensor *tensor, const libtorch_strided *array)
{
    size_t count = count_of(array);
    tensor->hashed = count * array->item > PARITY_BITS_LIMIT;
    if (!tensor->hashed) {
        tensor->nbytes = count * array->item;
        tensor->bits = parity_alloc(tensor->nbytes + 1);
        libtorch_strided_copy(tensor->bits, array, 0, count);
        return;
    }
    size_t edge = PARITY_EDGE_ELEMENTS * array->item;
    tensor->nbytes = 2 * edge;
    tensor->bits = parity_alloc(tensor->nbytes);
    tensor->hash = libtorch_strided_hash(array);
    libtorch_strided_copy(tensor->bits, array, 0, PARITY_EDGE_ELEMENTS);
    libtorch_strided_copy((char *)tensor->bits + edge, array,
                          count - PARITY_EDGE_ELEMENTS, PARITY_EDGE_ELEMENTS);
}
