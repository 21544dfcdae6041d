#include "oracles/libtorch/gather.h"

#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* One layout, and where its elements lie, in logical order, as numpy's or anyone's
 * definition of strides has it: the sum of index times stride. */
typedef struct layout {
    const char *name;
    size_t rank;
    int64_t shape[4];
    int64_t strides[4];
} layout;

static const layout layouts[] = {
    {"scalar", 0, {0}, {0}},
    {"vector", 1, {7}, {1}},
    {"every other", 1, {4}, {2}},
    {"broadcast", 2, {3, 4}, {0, 1}},
    {"transposed", 2, {3, 5}, {1, 3}},
    {"packed", 3, {2, 3, 4}, {12, 4, 1}},
    {"rows of a wider matrix", 2, {3, 2}, {5, 1}},
    {"permuted", 3, {4, 2, 3}, {1, 12, 4}},
    {"size one with an odd stride", 3, {2, 1, 3}, {3, 77, 1}},
    {"all broadcast", 4, {2, 2, 2, 2}, {0, 0, 0, 0}},
};

enum { ITEMS = 100 };

/* The same order from four plain loops. */
static size_t brute(size_t *places, const layout *l)
{
    int64_t shape[4] = {1, 1, 1, 1}, strides[4] = {0};
    size_t count = 0;
    for (size_t i = 0; i < l->rank; i++) {
        shape[4 - l->rank + i] = l->shape[i];
        strides[4 - l->rank + i] = l->strides[i];
    }
    for (int64_t a = 0; a < shape[0]; a++)
        for (int64_t b = 0; b < shape[1]; b++)
            for (int64_t c = 0; c < shape[2]; c++)
                for (int64_t d = 0; d < shape[3]; d++)
                    places[count++] = (size_t)(a * strides[0] + b * strides[1] +
                                               c * strides[2] + d * strides[3]);
    return count;
}

static void fill(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(i * 31 + (i >> 8));
}

START_TEST(copies_in_logical_order)
{
    const layout *l = &layouts[_i / 4];
    size_t item = (size_t)1 << _i % 4, places[64];
    unsigned char memory[ITEMS * 8], wanted[64 * 8], got[64 * 8];
    size_t count = brute(places, l);
    fill(memory, sizeof memory);
    libtorch_strided array = {memory, item, l->rank, l->shape, l->strides};
    for (size_t start = 0; start < count; start++) {
        for (size_t take = 0; take <= count - start; take++) {
            for (size_t i = 0; i < take; i++)
                memcpy(wanted + i * item, memory + places[start + i] * item, item);
            memset(got, 0xAA, sizeof got);
            libtorch_strided_copy(got, &array, start, take);
            ck_assert_msg(memcmp(got, wanted, take * item) == 0,
                          "%s, %zu bytes an element: %zu from %zu", l->name, item, take,
                          start);
            ck_assert_msg(got[take * item] == 0xAA, "%s: wrote too far", l->name);
        }
    }
}
END_TEST

START_TEST(extent_ends_at_the_last_element)
{
    const layout *l = &layouts[_i];
    size_t places[64], last = 0;
    size_t count = brute(places, l);
    for (size_t i = 0; i < count; i++)
        last = places[i] > last ? places[i] : last;
    libtorch_strided array = {NULL, 4, l->rank, l->shape, l->strides};
    ck_assert_int_eq(libtorch_strided_extent(&array), (int64_t)(last + 1) * 4);
}
END_TEST

START_TEST(extent_of_nothing_and_of_too_much)
{
    const int64_t empty[] = {3, 0}, wide[] = {3, 3}, huge[] = {1, INT64_MAX / 2};
    libtorch_strided nothing = {NULL, 4, 2, empty, wide};
    libtorch_strided too_much = {NULL, 4, 2, wide, huge};
    ck_assert_int_eq(libtorch_strided_extent(&nothing), 0);
    ck_assert_int_eq(libtorch_strided_extent(&too_much), -1);
}
END_TEST

/* The hash of a strided array is that of its packed copy, on both sides of a block's end.
 */
START_TEST(hashes_what_it_would_copy)
{
    static const int64_t rows[] = {1, 2, 255, 256, 257, 1000};
    const int64_t shape[] = {rows[_i], 64}, strides[] = {1, rows[_i]};
    size_t bytes = (size_t)rows[_i] * 64 * 4;
    unsigned char *memory = malloc(bytes), *packed = malloc(bytes);
    fill(memory, bytes);
    libtorch_strided array = {memory, 4, 2, shape, strides};
    for (int64_t r = 0; r < shape[0]; r++)
        for (int64_t c = 0; c < 64; c++)
            memcpy(packed + (r * 64 + c) * 4, memory + (r + c * rows[_i]) * 4, 4);
    ck_assert_uint_eq(libtorch_strided_hash(&array), XXH3_64bits(packed, bytes));
    free(memory);
    free(packed);
}
END_TEST

/* Exactly the limit travels as it is; one element more as hash, head and tail. */
START_TEST(hashes_above_the_limit_only)
{
    const int64_t stride[] = {1};
    int64_t count = (int64_t)PARITY_BITS_LIMIT / 4 + _i;
    unsigned char *memory = malloc((size_t)count * 4);
    fill(memory, (size_t)count * 4);
    parity_tensor tensor = {.dtype = PARITY_F32, .rank = 1, .shape = {count}};
    libtorch_strided array = {memory, 4, 1, tensor.shape, stride};
    libtorch_strided_observe(&tensor, &array);
    ck_assert_int_eq(tensor.hashed, _i);
    if (_i == 0) {
        ck_assert_uint_eq(tensor.nbytes, PARITY_BITS_LIMIT);
        ck_assert_mem_eq(tensor.bits, memory, tensor.nbytes);
    } else {
        size_t edge = PARITY_EDGE_ELEMENTS * 4;
        ck_assert_uint_eq(tensor.nbytes, 2 * edge);
        ck_assert_uint_eq(tensor.hash, XXH3_64bits(memory, (size_t)count * 4));
        ck_assert_mem_eq(tensor.bits, memory, edge);
        ck_assert_mem_eq((char *)tensor.bits + edge, memory + (size_t)count * 4 - edge,
                         edge);
    }
    free(tensor.bits);
    free(memory);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("torch gather");
    TCase *tests = tcase_create("all");
    int nlayouts = (int)(sizeof layouts / sizeof *layouts);
    tcase_add_loop_test(tests, copies_in_logical_order, 0, nlayouts * 4);
    tcase_add_loop_test(tests, extent_ends_at_the_last_element, 0, nlayouts);
    tcase_add_test(tests, extent_of_nothing_and_of_too_much);
    tcase_add_loop_test(tests, hashes_what_it_would_copy, 0, 6);
    tcase_add_loop_test(tests, hashes_above_the_limit_only, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
