/* Debug and Display of tensors and numbers, as candle 0.11.0 and Rust print them. */
#include "backends/core/testing.h"
#include "tools/test_main.h"

#include <math.h>
#include <string.h>

typedef struct row {
    const char *expression;
    uint64_t ids; /* used by Display: it flattens and takes rows */
    const char *debug;
    const char *display;
} row;

static const row rows[] = {
#include "backends/core/texts.inc"
};

START_TEST(tensors)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench *b = bench_new("cpu");
        core_value value = {0}, probe = {0}, after = {0};
        core_error error = {0};
        core_text debug = {0}, display = {0};
        bench_fixtures(b);
        core_status status = bench_run(b, &value, rows[i].expression, &error);
        ck_assert_msg(status == CORE_OK, "%s: %s", rows[i].expression, error.text);
        ck_assert_int_eq(core_value_debug(b->context, &debug, &value, &error), CORE_OK);
        ck_assert_str_eq(debug.data, rows[i].debug);
        bench_run(b, &probe, "Tensor::new(0u8, &dev)", &error);
        ck_assert_int_eq(core_value_display(b->context, &display, &value, &error),
                         CORE_OK);
        bench_run(b, &after, "Tensor::new(0u8, &dev)", &error);
        ck_assert_str_eq(display.data, rows[i].display);
        ck_assert_msg(core_tensor_id(after.tensor) - core_tensor_id(probe.tensor) - 1 ==
                          rows[i].ids,
                      "identifiers of Display of %s", rows[i].expression);
        core_text_free(&debug);
        core_text_free(&display);
        core_value_clear(&value);
        core_value_clear(&probe);
        core_value_clear(&after);
        bench_free(b);
    }
}
END_TEST

typedef struct number {
    double value;
    core_dtype dtype;
    const char *debug;
    const char *display;
} number;

static const number numbers[] = {
    {0.1f, CORE_F32, "0.1", "0.1"},
    {1.0, CORE_F64, "1.0", "1"},
    {-0.0, CORE_F64, "-0.0", "-0"},
    {1e16, CORE_F64, "1e16", "10000000000000000"},
    {123456789012345680.0, CORE_F64, "1.2345678901234568e17", "123456789012345680"},
    {9e-5, CORE_F64, "9e-5", "0.00009"},
    {1e-4, CORE_F64, "0.0001", "0.0001"},
    {1.5e-7, CORE_F64, "1.5e-7", "0.00000015"},
    {3.4028235e38f, CORE_F32, "3.4028235e38", "340282350000000000000000000000000000000"},
    {0.1, CORE_F64, "0.1", "0.1"},
    {1.0 / 3, CORE_F64, "0.3333333333333333", "0.3333333333333333"},
    {16777216.0f, CORE_F32, "16777216.0", "16777216"},
    {INFINITY, CORE_F32, "inf", "inf"},
    {-INFINITY, CORE_F64, "-inf", "-inf"},
    {NAN, CORE_F32, "NaN", "NaN"},
};

START_TEST(floats)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        core_text debug = {0}, display = {0};
        core_float_text(&debug, numbers[i].value, numbers[i].dtype, false);
        core_float_text(&display, numbers[i].value, numbers[i].dtype, true);
        ck_assert_str_eq(debug.data, numbers[i].debug);
        ck_assert_str_eq(display.data, numbers[i].display);
        core_text_free(&debug);
        core_text_free(&display);
    }
}
END_TEST

START_TEST(long_messages_end_at_a_character)
{
    core_error error;
    char text[4096];
    memset(text, 'a', sizeof text - 1);
    for (size_t i = 0; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    text[sizeof text - 2] = '\0';
    core_fail(&error, CORE_ERROR, "x%s", text);
    size_t length = strlen(error.text);
    ck_assert_uint_lt(length, sizeof error.text);
    ck_assert_uint_eq((unsigned char)error.text[length - 1], 0xa9);
    ck_assert_int_eq(core_fail(NULL, CORE_PANIC, "x"), CORE_PANIC);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("core_text");
    TCase *tcase = tcase_create("texts");
    tcase_add_test(tcase, tensors);
    tcase_add_test(tcase, floats);
    tcase_add_test(tcase, long_messages_end_at_a_character);
    suite_add_tcase(suite, tcase);
    return suite;
}
