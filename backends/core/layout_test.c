/* Layouts: contiguity, and walking in runs against walking element by element. */
#include "backends/core/layout.h"
#include "tools/test_main.h"

#include <stdlib.h>

typedef struct row {
    core_layout layout;
    bool contiguous;
} row;

/* shape.rs:153: size-1 dims do not count for the strides, but every dim for the product.
 */
static const row rows[] = {
    {{{0, {0}}, {0}, 0}, true},
    {{{2, {2, 3}}, {3, 1}, 0}, true},
    {{{2, {2, 3}}, {3, 1}, 5}, true},
    {{{2, {3, 2}}, {1, 3}, 0}, false},
    {{{2, {1, 2}}, {9, 1}, 1}, true},
    {{{2, {2, 1}}, {3, 1}, 0}, false},
    {{{2, {2, 1}}, {1, 0}, 0}, true},
    {{{2, {0, 3}}, {3, 1}, 0}, true},
    {{{2, {3, 0}}, {1, 3}, 0}, false},
    {{{3, {2, 2, 3}}, {0, 3, 1}, 0}, false},
    {{{3, {1, 2, 3}}, {0, 3, 1}, 0}, true},
};

START_TEST(contiguous)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(core_layout_contiguous(&rows[i].layout) == rows[i].contiguous,
                      "row %zu", i);
}
END_TEST

static size_t below(unsigned *state, size_t limit)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) % limit;
}

/* Any shape of at most four dims, with strides that need not make sense together. */
static void random_layout(core_layout *layout, const core_shape *shape, unsigned *state)
{
    core_layout_set(layout, shape, below(state, 4));
    for (size_t i = 0; i < shape->rank; i++)
        if (below(state, 3) == 0)
            layout->stride[i] = below(state, 6);
    if (shape->rank > 1 && below(state, 2)) {
        core_layout turned;
        core_layout_transpose(&turned, layout, 0, shape->rank - 1);
        if (turned.shape.dims[0] == shape->dims[0])
            core_layout_copy(layout, &turned);
    }
}

START_TEST(runs_visit_what_elements_visit)
{
    unsigned state = 20240607;
    for (size_t round = 0; round < 2000; round++) {
        core_shape shape = {.rank = below(&state, 5)};
        core_layout a, b;
        core_nd nd;
        for (size_t i = 0; i < shape.rank; i++)
            shape.dims[i] = below(&state, 4);
        random_layout(&a, &shape, &state);
        random_layout(&b, &shape, &state);
        size_t at = 0;
        for (core_nd_start(&nd, (const core_layout *const[]){&a, &b}, 2); nd.more;
             core_nd_next(&nd))
            for (size_t i = 0; i < nd.inner; i++, at++) {
                ck_assert_uint_eq(nd.offset[0] + i * nd.inner_stride[0],
                                  core_layout_at(&a, at));
                ck_assert_uint_eq(nd.offset[1] + i * nd.inner_stride[1],
                                  core_layout_at(&b, at));
            }
        ck_assert_uint_eq(at, core_shape_count(&shape));
    }
}
END_TEST

START_TEST(dense_layouts_are_one_run)
{
    core_layout layout;
    core_nd nd;
    const core_layout *one = &layout;
    core_layout_set(&layout, &(core_shape){4, {2, 3, 1, 4}}, 7);
    core_nd_start(&nd, &one, 1);
    ck_assert_uint_eq(nd.inner, 24);
    ck_assert_uint_eq(nd.rank, 0);
    ck_assert_uint_eq(nd.offset[0], 7);
}
END_TEST

START_TEST(outer_stride)
{
    core_layout layout, cut;
    size_t stride = 0;
    core_layout_set(&layout, &(core_shape){3, {2, 3, 4}}, 0);
    core_layout_narrow(&cut, &layout, 1, 1, 2);
    ck_assert(core_layout_outer_stride(&stride, &cut, 1));
    ck_assert_uint_eq(stride, 12);
    core_layout_narrow(&cut, &layout, 2, 1, 2);
    ck_assert(core_layout_outer_stride(&stride, &cut, 2));
    ck_assert_uint_eq(stride, 4);
    ck_assert(!core_layout_outer_stride(&stride, &cut, 1));
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("core_layout");
    TCase *tcase = tcase_create("layouts");
    tcase_add_test(tcase, contiguous);
    tcase_add_test(tcase, runs_visit_what_elements_visit);
    tcase_add_test(tcase, dense_layouts_are_one_run);
    tcase_add_test(tcase, outer_stride);
    suite_add_tcase(suite, tcase);
    return suite;
}
