/* base: errors, buffers, arena, base64, dtypes. */
#include "harness/base/base64.h"
#include "harness/base/dtype.h"
#include "harness/base/memory.h"
#include "tools/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

START_TEST(error_cuts_at_a_character)
{
    parity_error error;
    char long_text[3000];
    memset(long_text, 'a', sizeof long_text);
    /* A three-byte character straddles the end of the message. */
    memcpy(long_text + sizeof error.message - 3, "\xE5\xBC\xA0", 3);
    long_text[sizeof long_text - 1] = '\0';
    ck_assert_int_eq(parity_fail(&error, "%s", long_text), -1);
    ck_assert_uint_eq(strlen(error.message), sizeof error.message - 3);
    ck_assert_int_eq(parity_fail(NULL, "nothing"), -1);
}
END_TEST

START_TEST(error_has_a_place)
{
    parity_error error;
    parity_fail_at(&error, "a.yaml", (parity_pos){3, 7}, "no %s", "x");
    ck_assert_str_eq(error.file, "a.yaml");
    ck_assert_int_eq(error.pos.line, 3);
    parity_fail(&error, "later");
    ck_assert_str_eq(error.file, "");
}
END_TEST

START_TEST(buffer_grows)
{
    parity_buffer buffer = {0};
    for (int i = 0; i < 1000; i++)
        parity_buffer_printf(&buffer, "%d,", i);
    ck_assert_uint_eq(buffer.length, 10 * 2 + 90 * 3 + 900 * 4);
    ck_assert_int_eq(buffer.data[buffer.length], 0);
    char *text = parity_buffer_take(&buffer);
    ck_assert(strncmp(text, "0,1,2,", 6) == 0);
    free(text);
    text = parity_buffer_take(&buffer);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

START_TEST(arena_keeps_what_it_gave)
{
    parity_arena *arena = parity_arena_new();
    char *first = parity_arena_strdup(arena, "first");
    char *large = parity_arena_alloc(arena, 1 << 20);
    large[(1 << 20) - 1] = 'x';
    for (int i = 0; i < 5000; i++)
        parity_arena_strdup(arena, "some text of the case file");
    ck_assert_str_eq(first, "first");
    ck_assert_int_eq(large[0], 0);
    parity_arena_free(arena);
}
END_TEST

/* The test vectors of RFC 4648, section 10. */
static const char *const vectors[][2] = {{"", ""},
                                         {"f", "Zg=="},
                                         {"fo", "Zm8="},
                                         {"foo", "Zm9v"},
                                         {"foob", "Zm9vYg=="},
                                         {"fooba", "Zm9vYmE="},
                                         {"foobar", "Zm9vYmFy"}};

START_TEST(base64_vectors)
{
    const char *plain = vectors[_i][0], *coded = vectors[_i][1];
    parity_buffer out = {0};
    parity_base64_encode(&out, plain, strlen(plain));
    char *text = parity_buffer_take(&out);
    ck_assert_str_eq(text, coded);
    free(text);
    void *bytes;
    size_t count;
    ck_assert_int_eq(parity_base64_decode(&bytes, &count, coded, strlen(coded), NULL), 0);
    ck_assert_uint_eq(count, strlen(plain));
    ck_assert(memcmp(bytes, plain, count) == 0);
    free(bytes);
}
END_TEST

START_TEST(base64_refuses)
{
    static const char *const bad[] = {
        "Zg=", "Z===", "====", "Zm9v!mFy", "Zg==Zg==", "Z g="};
    void *bytes = NULL;
    size_t count;
    parity_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(
            parity_base64_decode(&bytes, &count, bad[i], strlen(bad[i]), &error) == -1,
            "%s was taken", bad[i]);
}
END_TEST

/* Values from the formats' definitions (IEEE 754 binary16, bfloat16, OCP E4M3). */
static const struct {
    parity_dtype dtype;
    unsigned char bytes[8];
    double value;
} numbers[] = {
    {PARITY_F16, {0x00, 0x3C}, 1.0},
    {PARITY_F16, {0x01, 0x00}, 0x1p-24},
    {PARITY_F16, {0xFF, 0x7B}, 65504.0},
    {PARITY_F16, {0x00, 0xFC}, -INFINITY},
    {PARITY_BF16, {0x80, 0x3F}, 1.0},
    {PARITY_BF16, {0x01, 0x00}, 0x1p-133},
    {PARITY_F8E4M3, {0x7E}, 448.0},
    {PARITY_F8E4M3, {0x38}, 1.0},
    {PARITY_F8E4M3, {0x01}, 0x1p-9},
    {PARITY_F8E4M3, {0x7F}, NAN},
    {PARITY_F32, {0xCD, 0xCC, 0xCC, 0x3D}, 0.100000001490116119384765625},
    {PARITY_F64, {0, 0, 0, 0, 0, 0, 0xF0, 0x3F}, 1.0},
};

START_TEST(dtype_reads_floats)
{
    double got = parity_dtype_to_double(numbers[_i].dtype, numbers[_i].bytes);
    if (isnan(numbers[_i].value))
        ck_assert(isnan(got));
    else
        ck_assert_msg(got == numbers[_i].value, "row %d: %a, not %a", _i, got,
                      numbers[_i].value);
}
END_TEST

START_TEST(dtype_names_round_trip)
{
    for (int i = 0; i < PARITY_DTYPE_COUNT; i++) {
        parity_dtype dtype = PARITY_DTYPE_COUNT;
        ck_assert(parity_dtype_from_name(&dtype, parity_dtype_name((parity_dtype)i)));
        ck_assert_int_eq(dtype, i);
    }
    parity_dtype none;
    ck_assert(!parity_dtype_from_name(&none, "f31"));
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("base");
    TCase *all = tcase_create("base");
    tcase_add_test(all, error_cuts_at_a_character);
    tcase_add_test(all, error_has_a_place);
    tcase_add_test(all, buffer_grows);
    tcase_add_test(all, arena_keeps_what_it_gave);
    tcase_add_loop_test(all, base64_vectors, 0, sizeof vectors / sizeof *vectors);
    tcase_add_test(all, base64_refuses);
    tcase_add_loop_test(all, dtype_reads_floats, 0, sizeof numbers / sizeof *numbers);
    tcase_add_test(all, dtype_names_round_trip);
    suite_add_tcase(suite, all);
    return suite;
}
