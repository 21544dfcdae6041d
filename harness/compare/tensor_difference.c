#include "harness/base/memory.h"
#include "harness/compare/difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define MOST_ULPS 1e6 /* beyond this the distance teaches less than the two values */

static void add_numbers(parity_buffer *out, const int64_t *numbers, size_t count)
{
    parity_buffer_char(out, '[');
    for (size_t i = 0; i < count; i++)
        parity_buffer_printf(out, "%s%lld", i ? ", " : "", (long long)numbers[i]);
    parity_buffer_char(out, ']');
}

static bool same_numbers(const int64_t *left, size_t nleft, const int64_t *right,
                         size_t nright)
{
    return nleft == nright &&
           (nleft == 0 || memcmp(left, right, nleft * sizeof *left) == 0);
}

static parity_match numbers_differ(const parity_comparison *ask, const char *what,
                                   const int64_t *left, size_t nleft,
                                   const int64_t *right, size_t nright)
{
    parity_buffer texts[2] = {{0}, {0}};
    add_numbers(&texts[0], left, nleft);
    add_numbers(&texts[1], right, nright);
    parity_match match = parity_differ(ask, what, texts[0].data, texts[1].data);
    parity_buffer_free(&texts[0]);
    parity_buffer_free(&texts[1]);
    return match;
}

static const char *fact_of(const parity_tensor *tensor, const char *name)
{
    for (size_t i = 0; i < tensor->nfacts; i++)
        if (strcmp(tensor->facts[i].name, name) == 0)
            return tensor->facts[i].text;
    return "not stated";
}

/* A fact that an engine has no way to know. Not stating it at all is a difference. */
static bool unknown(const char *fact)
{
    return strcmp(fact, "?") == 0;
}

static parity_match match_facts(const parity_comparison *ask, const parity_tensor *left,
                                const parity_tensor *right)
{
    for (int side = 0; side < 2; side++) {
        const parity_tensor *one = side ? right : left;
        for (size_t i = 0; i < one->nfacts; i++) {
            const char *name = one->facts[i].name;
            if (unknown(fact_of(left, name)) || unknown(fact_of(right, name)))
                continue;
            if (strcmp(fact_of(left, name), fact_of(right, name)) != 0)
                return parity_differ(ask, name, fact_of(left, name),
                                     fact_of(right, name));
        }
    }
    return PARITY_EQUAL;
}

static parity_match match_layout(const parity_comparison *ask, const parity_tensor *left,
                                 const parity_tensor *right)
{
    if (left->printed || right->printed)
        return PARITY_EQUAL;
    if (left->host != right->host)
        return parity_differ(ask, NULL, left->host ? "a host copy" : "a tensor",
                             right->host ? "a host copy" : "a tensor");
    if (left->host)
        return PARITY_EQUAL;
    if (!same_numbers(left->strides, left->rank, right->strides, right->rank))
        return numbers_differ(ask, "strides", left->strides, left->rank, right->strides,
                              right->rank);
    if (left->offset != right->offset) {
        char texts[2][24];
        snprintf(texts[0], sizeof texts[0], "%lld", (long long)left->offset);
        snprintf(texts[1], sizeof texts[1], "%lld", (long long)right->offset);
        return parity_differ(ask, "offset", texts[0], texts[1]);
    }
    return match_facts(ask, left, right);
}

static double number_at(const parity_tensor *tensor, size_t index)
{
    size_t size = parity_dtype_size(tensor->dtype);
    return parity_dtype_to_double(tensor->dtype,
                                  (const unsigned char *)tensor->bits + index * size);
}

static double largest_of(const parity_tensor *tensor, size_t count, double largest)
{
    for (size_t i = 0; i < count; i++) {
        double magnitude = fabs(number_at(tensor, i));
        if (isfinite(magnitude) && magnitude > largest)
            largest = magnitude;
    }
    return largest;
}

static bool close_at(const parity_comparison *ask, const parity_tensor *left,
                     const parity_tensor *right, size_t index, double largest)
{
    size_t size = parity_dtype_size(left->dtype);
    const unsigned char *l = (const unsigned char *)left->bits + index * size;
    const unsigned char *r = (const unsigned char *)right->bits + index * size;
    if (memcmp(l, r, size) == 0)
        return true;
    return parity_dtype_class(left->dtype) == PARITY_CLASS_FLOAT &&
           parity_close(parity_dtype_to_double(left->dtype, l),
                        parity_dtype_to_double(right->dtype, r), left->dtype, ask->bound,
                        largest);
}

/* The place of an element in the whole tensor: behind the head of a shortened one lies
 * its tail. */
static void add_place(parity_buffer *out, const parity_tensor *tensor, size_t index)
{
    int64_t flat = (int64_t)index, place[PARITY_MAX_RANK];
    if (tensor->hashed && index >= PARITY_EDGE_ELEMENTS)
        flat += parity_tensor_count(tensor) - 2 * PARITY_EDGE_ELEMENTS;
    for (size_t axis = tensor->rank; axis-- > 0; flat /= tensor->shape[axis])
        place[axis] = flat % tensor->shape[axis];
    if (tensor->rank == 0)
        return;
    parity_buffer_text(out, "element ");
    add_numbers(out, place, tensor->rank);
}

void parity_add_ulps(parity_buffer *out, double left, double right, parity_dtype dtype)
{
    if (!isfinite(left) || !isfinite(right))
        return;
    double ulps = parity_ulps(left, right, dtype);
    if (ulps >= 0 && ulps <= MOST_ULPS)
        parity_buffer_printf(out, ", %.0f ULP", ulps);
}

static parity_match elements_differ(const parity_comparison *ask,
                                    const parity_tensor *left, const parity_tensor *right,
                                    size_t index, size_t wrong, size_t count)
{
    parity_buffer place = {0}, texts[2] = {{0}, {0}};
    add_place(&place, left, index);
    parity_style_element(&texts[0], ask->style[0], left, index, -1);
    parity_style_element(&texts[1], ask->style[1], right, index, -1);
    parity_match match = parity_differ(ask, place.data, texts[0].data, texts[1].data);
    if (parity_dtype_class(left->dtype) == PARITY_CLASS_FLOAT)
        parity_add_ulps(ask->why, number_at(left, index), number_at(right, index),
                        left->dtype);
    if (ask->bound)
        parity_buffer_printf(ask->why, ", beyond the bound for %s", ask->bound->name);
    if (wrong > 1)
        parity_buffer_printf(ask->why, "; %zu of %zu elements differ", wrong, count);
    parity_buffer_free(&place);
    parity_buffer_free(&texts[0]);
    parity_buffer_free(&texts[1]);
    return match;
}

static uint64_t hash_of(const parity_tensor *tensor)
{
    return tensor->hashed ? tensor->hash : XXH3_64bits(tensor->bits, tensor->nbytes);
}

/* Nothing wrong in what both sides carried: the rest of a shortened tensor is known by
 * its hash. */
static parity_match match_hash(const parity_comparison *ask, const parity_tensor *left,
                               const parity_tensor *right)
{
    char texts[2][20];
    if (hash_of(left) == hash_of(right))
        return PARITY_EQUAL;
    if (ask->bound) {
        parity_buffer_printf(
            ask->why, "the tensor travels as a hash, which no bound can be held against");
        return PARITY_INCOMPARABLE;
    }
    snprintf(texts[0], sizeof texts[0], "%016llx", (unsigned long long)hash_of(left));
    snprintf(texts[1], sizeof texts[1], "%016llx", (unsigned long long)hash_of(right));
    return parity_differ(ask, "an element between the first and the last 64: hash",
                         texts[0], texts[1]);
}

static parity_match match_elements(const parity_comparison *ask,
                                   const parity_tensor *left, const parity_tensor *right)
{
    if (left->hashed != right->hashed)
        return match_hash(ask, left, right);
    if (left->hashed && left->hash == right->hash)
        return PARITY_EQUAL;
    if (!left->hashed &&
        (left->nbytes == 0 || memcmp(left->bits, right->bits, left->nbytes) == 0))
        return PARITY_EQUAL;
    size_t count = left->nbytes / parity_dtype_size(left->dtype), wrong = 0, first = 0;
    double largest = 0;
    if (ask->bound && parity_dtype_class(left->dtype) == PARITY_CLASS_FLOAT)
        largest = largest_of(right, count, largest_of(left, count, 0));
    for (size_t i = count; i-- > 0;)
        if (!close_at(ask, left, right, i, largest)) {
            first = i;
            wrong++;
        }
    if (wrong)
        return elements_differ(ask, left, right, first, wrong, count);
    return left->hashed ? match_hash(ask, left, right) : PARITY_EQUAL;
}

parity_match parity_match_tensors(const parity_comparison *ask, const parity_tensor *left,
                                  const parity_tensor *right)
{
    if (left->dtype != right->dtype)
        return parity_differ(ask, "dtype", parity_dtype_name(left->dtype),
                             parity_dtype_name(right->dtype));
    if (!same_numbers(left->shape, left->rank, right->shape, right->rank))
        return numbers_differ(ask, "shape", left->shape, left->rank, right->shape,
                              right->rank);
    parity_match match = match_elements(ask, left, right);
    return match == PARITY_EQUAL && !ask->across ? match_layout(ask, left, right) : match;
}
