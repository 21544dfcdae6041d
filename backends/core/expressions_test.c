/* Every kind of method: values, dtype, layout, identifiers used, storage shared, variable
 * and graph flags, errors and panics. The right column is what candle-core 0.11.0 gave
 * for the same text. */
#include "backends/core/testing.h"
#include "tools/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    const char *program;
    const char *outcome;
} row;

static const row rows[] = {
#include "backends/core/expressions.inc"
};

static const row gradients[] = {
#include "backends/core/gradients.inc"
};

#define COUNT(table) (sizeof table / sizeof table[0])

static void check_on(const char *device, const row *table, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        bench *b = bench_new(device);
        bench_fixtures(b);
        char *text = bench_describe(b, table[i].program);
        if (strcmp(text, table[i].outcome)) {
            fprintf(stderr, "%s\n  candle: %s\n  core:   %s\n", table[i].program,
                    table[i].outcome, text);
            wrong++;
        }
        free(text);
        bench_free(b);
    }
    ck_assert_msg(wrong == 0, "%zu of %zu expressions differ from candle", wrong, count);
}

START_TEST(as_candle)
{
    check_on("cpu", rows, COUNT(rows));
}
END_TEST

START_TEST(reference_kernels_as_candle)
{
    check_on("cpu-reference", rows, COUNT(rows));
}
END_TEST

START_TEST(gradients_as_candle)
{
    check_on("cpu", gradients, COUNT(gradients));
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("core_expressions");
    TCase *tcase = tcase_create("outcomes");
    tcase_add_test(tcase, as_candle);
    tcase_add_test(tcase, reference_kernels_as_candle);
    tcase_add_test(tcase, gradients_as_candle);
    suite_add_tcase(suite, tcase);
    return suite;
}
