/* The pools, and the device below them. */
#include "backends/core/mutants.h"
#include "backends/metal/pool.h"
#include "backends/metal/kernels/args.h"
#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>

static metal_pool pool;
static metal_error why;

static void set_up(void)
{
    setenv("PARITY_METAL_SEED", "7", 1);
    pool = (metal_pool){.gpu = metal_gpu_open(&why)};
    ck_assert_msg(pool.gpu != NULL, "%s", why.text);
}

static void tear_down(void)
{
    metal_pool_free(&pool);
    metal_gpu_close(pool.gpu);
}

START_TEST(sizes_are_powers_of_two)
{
    static const struct {
        size_t bytes, size, length;
    } rows[] = {{0, 1, 4},   {1, 1, 4},          {3, 4, 4},
                {9, 16, 16}, {1000, 1024, 1024}, {1025, 2048, 2048}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        metal_piece *piece = metal_pool_take(&pool, rows[i].bytes, i % 2);
        ck_assert_uint_eq(piece->size, rows[i].size);
        ck_assert_uint_eq(metal_memory_size(piece->memory), rows[i].length);
        metal_piece_unref(piece);
    }
}
END_TEST

START_TEST(the_smallest_that_nobody_holds_is_used_again)
{
    metal_piece *large = metal_pool_take(&pool, 64, false);
    metal_piece *small = metal_pool_take(&pool, 32, false);
    metal_piece *other = metal_pool_take(&pool, 32, true);
    metal_piece_unref(other);
    metal_piece *again = metal_pool_take(&pool, 8, false);
    ck_assert_ptr_ne(again, large);
    ck_assert_ptr_ne(again, small);
    ck_assert_ptr_ne(again, other);
    metal_piece_unref(large);
    metal_piece_unref(small);
    metal_piece *best = metal_pool_take(&pool, 17, false);
    ck_assert_ptr_eq(best, small);
    metal_piece_unref(best);
    metal_piece_unref(again);
}
END_TEST

START_TEST(what_a_copy_holds_is_not_given_away)
{
    metal_piece *piece = metal_pool_take(&pool, 16, false);
    metal_piece *copy = metal_piece_ref(piece);
    metal_piece *second = metal_pool_take(&pool, 16, false);
    ck_assert_ptr_ne(second, piece);
    metal_piece_unref(piece);
    metal_piece *third = metal_pool_take(&pool, 16, false);
    ck_assert_ptr_ne(third, copy);
    metal_piece_unref(copy);
    metal_piece_unref(second);
    metal_piece_unref(third);
}
END_TEST

START_TEST(uploads_are_new_and_exact)
{
    metal_piece *free_one = metal_pool_take(&pool, 12, true);
    metal_piece_unref(free_one);
    metal_piece *upload = metal_pool_upload(&pool, 12);
    ck_assert_ptr_ne(upload, free_one);
    ck_assert_uint_eq(upload->size, 12);
    metal_piece_unref(upload);
    metal_pool_sweep(&pool);
    ck_assert_uint_eq(pool.shared.count, 0);
}
END_TEST

START_TEST(a_sweep_keeps_what_is_held)
{
    metal_piece *held = metal_pool_take(&pool, 16, false);
    metal_piece_unref(metal_pool_take(&pool, 32, false));
    metal_pool_sweep(&pool);
    ck_assert_uint_eq(pool.private_.count, 1);
    ck_assert_ptr_eq(pool.private_.items[0], held);
    metal_piece_unref(held);
}
END_TEST

static metal_launch affine(const metal_map_args *args, metal_memory *in,
                           metal_memory *out)
{
    return (metal_launch){.family = "affine",
                          .kernel = "affine_f32",
                          .args = args,
                          .args_size = sizeof *args,
                          .operands = {{in, 0}, {out, 0}},
                          .noperands = 2,
                          .threads = args->count};
}

/* More encoders than a command buffer takes: all are done after the wait. */
START_TEST(work_is_done_in_its_order)
{
    enum { COUNT = 5, STEPS = 120 };
    metal_memory *a = metal_memory_new(pool.gpu, COUNT * sizeof(float), true);
    metal_memory *b = metal_memory_new(pool.gpu, COUNT * sizeof(float), false);
    metal_map_args args = {.count = COUNT, .a = 1, .b = 1};
    ck_assert(metal_gpu_zero(pool.gpu, a, &why));
    for (int i = 0; i < STEPS; i++) {
        metal_launch launch = affine(&args, i % 2 ? b : a, i % 2 ? a : b);
        ck_assert(metal_gpu_run(pool.gpu, &launch, &why));
        if (i % 30 == 0)
            ck_assert(metal_gpu_copy(pool.gpu, (metal_operand){a, 8},
                                     (metal_operand){a, 0}, 4, &why));
    }
    ck_assert(metal_gpu_wait(pool.gpu, &why));
    const float *found = metal_memory_contents(a);
    for (int i = 0; i < COUNT; i++)
        ck_assert_float_eq(found[i], STEPS);
    metal_memory_release(a);
    metal_memory_release(b);
}
END_TEST

START_TEST(a_read_beyond_the_memory_is_reported)
{
    metal_memory *a = metal_memory_new(pool.gpu, 16, true);
    metal_memory *b = metal_memory_new(pool.gpu, 64, true);
    metal_map_args args = {.count = 5, .a = 1};
    metal_launch launch = affine(&args, a, b);
    ck_assert(metal_gpu_run(pool.gpu, &launch, &why));
    ck_assert(!metal_gpu_wait(pool.gpu, &why));
    ck_assert(why.fault);
    ck_assert_str_eq(why.text, "Command buffer had following error: kernel affine_f32: 4 "
                               "bytes at offset 16 of buffer 1, which has 16 bytes");
    ck_assert(metal_gpu_wait(pool.gpu, &why));
    metal_memory_release(a);
    metal_memory_release(b);
}
END_TEST

START_TEST(what_is_not_there_is_named)
{
    metal_map_args args = {.count = 1};
    metal_launch launch = affine(&args, NULL, NULL);
    launch.kernel = "affine_f64";
    ck_assert(!metal_gpu_run(pool.gpu, &launch, &why));
    ck_assert_str_eq(why.text, "Error while loading function: affine_f64");
    launch.family = "none";
    ck_assert(!metal_gpu_run(pool.gpu, &launch, &why));
    ck_assert_str_eq(why.text,
                     "Error while loading library: there is no such file of kernels");
}
END_TEST

/* What runs on the stand-in must never be shown as Metal. */
START_TEST(the_name_says_what_runs)
{
    bool soft = strncmp(metal_gpu_name(pool.gpu), METAL_SOFT_PREFIX,
                        strlen(METAL_SOFT_PREFIX)) == 0;
    ck_assert_str_eq(metal_device_name, soft ? "metal-soft" : "metal");
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("metal_pool");
    TCase *tcase = tcase_create("pool");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, sizes_are_powers_of_two);
    tcase_add_test(tcase, the_smallest_that_nobody_holds_is_used_again);
    tcase_add_test(tcase, what_a_copy_holds_is_not_given_away);
    tcase_add_test(tcase, uploads_are_new_and_exact);
    tcase_add_test(tcase, a_sweep_keeps_what_is_held);
    tcase_add_test(tcase, work_is_done_in_its_order);
    tcase_add_test(tcase, a_read_beyond_the_memory_is_reported);
    tcase_add_test(tcase, what_is_not_there_is_named);
    tcase_add_test(tcase, the_name_says_what_runs);
    suite_add_tcase(suite, tcase);
    return suite;
}
