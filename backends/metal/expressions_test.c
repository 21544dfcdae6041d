/* The expressions of the core on Metal: what candle gives on the CPU, or what it gives on
 * Metal where expressions.inc says that. With a seed the stand-in does late and in
 * another order what may be done so; the outcome must be the same. */
#include "backends/core/device.h"
#include "backends/core/testing.h"
#include "backends/metal/gpu.h"
#include "tools/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    const char *program;
    const char *outcome;
} row;

static const row on_cpu[] = {
#include "backends/core/expressions.inc"
#include "backends/core/gradients.inc"
};

static const row on_metal[] = {
#include "backends/metal/expressions.inc"
};

#define COUNT(table) (sizeof table / sizeof table[0])

static const char *stated(const row *cpu)
{
    for (size_t i = 0; i < COUNT(on_metal); i++)
        if (!strcmp(on_metal[i].program, cpu->program))
            return on_metal[i].outcome;
    return cpu->outcome;
}

static void check(const char *seed)
{
    size_t wrong = 0;
    setenv("PARITY_METAL_SEED", seed, 1);
    for (size_t i = 0; i < COUNT(on_cpu); i++) {
        bench *b = bench_new(metal_device_name);
        bench_fixtures(b);
        char *text = bench_describe(b, on_cpu[i].program);
        if (strcmp(text, stated(&on_cpu[i]))) {
            fprintf(stderr, "%s\n  stated: %s\n  found:  %s\n", on_cpu[i].program,
                    stated(&on_cpu[i]), text);
            wrong++;
        }
        free(text);
        bench_free(b);
    }
    ck_assert_msg(wrong == 0, "%zu of %zu expressions differ (seed %s)", wrong,
                  COUNT(on_cpu), seed);
}

START_TEST(in_order)
{
    check("0");
}
END_TEST

START_TEST(late_and_reordered)
{
    char seed[16];
    snprintf(seed, sizeof seed, "%d", _i);
    check(seed);
}
END_TEST

/* Two instances of one GPU have one location, so the texts name it twice. */
START_TEST(instances_do_not_mix)
{
    static const char *const mixed[][2] = {
        {"add", "x.add(&Tensor::ones((2, 3), DType::F32, &Device::new_metal(0)?)?)"},
        {"cat",
         "Tensor::cat(&[&x, &Tensor::ones((2, 3), DType::F32, &Device::new_metal(0)?)?], "
         "0)"},
    };
    bench *b = bench_new(metal_device_name);
    bench_fixtures(b);
    const char *here = b->device->location;
    for (size_t i = 0; i < COUNT(mixed); i++) {
        char stated[256];
        snprintf(stated, sizeof stated,
                 "ids 1 error device mismatch in %s, lhs: %s, rhs: %s", mixed[i][0], here,
                 here);
        char *found = bench_describe(b, mixed[i][1]);
        ck_assert_str_eq(found, stated);
        free(found);
    }
    char *moved = bench_describe(b, "x.to_device(&Device::new_metal(0)?)");
    ck_assert_str_eq(
        moved,
        "ids 0 error not implemented yet, self.device: "
        "Metal(MetalDevice(DeviceId(1))), device: Metal(MetalDevice(DeviceId(4)))");
    free(moved);
    char *absent = bench_describe(b, "Device::new_metal(1)");
    ck_assert_str_eq(absent, "panic swap_remove index (is 1) should be < len (is 1)");
    free(absent);
    bench_free(b);
}
END_TEST

/* A row that says what the CPU does, or that speaks of nothing, hides mistakes. */
START_TEST(every_difference_is_one)
{
    for (size_t i = 0; i < COUNT(on_metal); i++) {
        size_t k = 0;
        while (k < COUNT(on_cpu) && strcmp(on_cpu[k].program, on_metal[i].program))
            k++;
        ck_assert_msg(k < COUNT(on_cpu), "no such expression: %s", on_metal[i].program);
        ck_assert_msg(strcmp(on_cpu[k].outcome, on_metal[i].outcome), "no difference: %s",
                      on_metal[i].program);
    }
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("metal_expressions");
    TCase *tcase = tcase_create("outcomes");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, in_order);
    tcase_add_loop_test(tcase, late_and_reordered, 1, 9);
    tcase_add_test(tcase, instances_do_not_mix);
    tcase_add_test(tcase, every_difference_is_one);
    suite_add_tcase(suite, tcase);
    return suite;
}
