/* Numbers, patterns and safetensors as bytes. */
#include "harness/base/memory.h"
#include "harness/load/elements.h"
#include "tools/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t bits_of(const void *bytes, size_t size)
{
    uint64_t out = 0;
    for (size_t i = size; i-- > 0;)
        out = out << 8 | ((const unsigned char *)bytes)[i];
    return out;
}

/* Bits that PyTorch 2.15.0 gives for torch.tensor([number], dtype=float64).to(dtype). */
static const struct rounding {
    double number;
    uint64_t f16, bf16, f8e4m3, f32;
} roundings[] = {
    {0.1, 0x2e66, 0x3dcd, 0x1d, 0x3dcccccd},
    {-0.1, 0xae66, 0xbdcd, 0x9d, 0xbdcccccd},
    {65519.9, 0x7bff, 0x4780, 0x7e, 0x477fefe6},
    {65520.0, 0x7c00, 0x4780, 0x7e, 0x477ff000},
    {2.9802322387695312e-08, 0x0000, 0x3300, 0x00, 0x33000000},
    {2.980232536792755e-08, 0x0001, 0x3300, 0x00, 0x33000001},
    {448.0, 0x5f00, 0x43e0, 0x7e, 0x43e00000},
    {465.0, 0x5f44, 0x43e8, 0x7e, 0x43e88000},
    {0.001953125, 0x1800, 0x3b00, 0x01, 0x3b000000},
    {0.0009765625, 0x1400, 0x3a80, 0x00, 0x3a800000},
    {3.4028235677973366e+38, 0x7c00, 0x7f80, 0x7e, 0x7f800000},
    {1e-45, 0x0000, 0x0000, 0x00, 0x00000001},
    {7e-46, 0x0000, 0x0000, 0x00, 0x00000000},
    {1.17e-38, 0x0000, 0x007f, 0x00, 0x007f66d7},
    {256.5, 0x5c02, 0x4380, 0x78, 0x43804000},
    {257.5, 0x5c06, 0x4381, 0x78, 0x4380c000},
    {(double)INFINITY, 0x7c00, 0x7f80, 0x7e, 0x7f800000},
    {-0.0, 0x8000, 0x8000, 0x80, 0x80000000},
};

static void check_rounding(parity_dtype dtype, double number, uint64_t expected)
{
    unsigned char bytes[8];
    parity_element_from_double(dtype, number, bytes);
    uint64_t found = bits_of(bytes, parity_dtype_size(dtype));
    ck_assert_msg(found == expected, "%s of %.17g: %llx, not %llx",
                  parity_dtype_name(dtype), number, (unsigned long long)found,
                  (unsigned long long)expected);
}

START_TEST(rounds_as_pytorch)
{
    for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++) {
        check_rounding(PARITY_F16, roundings[i].number, roundings[i].f16);
        check_rounding(PARITY_BF16, roundings[i].number, roundings[i].bf16);
        check_rounding(PARITY_F8E4M3, roundings[i].number, roundings[i].f8e4m3);
        check_rounding(PARITY_F32, roundings[i].number, roundings[i].f32);
    }
    check_rounding(PARITY_F64, 0.1, 0x3fb999999999999a);
    check_rounding(PARITY_F64, 5e-324, 1);
}
END_TEST

/* Every number of a small type is itself after reading and writing it. */
START_TEST(small_types_round_trip)
{
    const parity_dtype dtypes[] = {PARITY_F16, PARITY_BF16, PARITY_F8E4M3};
    for (size_t d = 0; d < 3; d++) {
        size_t size = parity_dtype_size(dtypes[d]);
        for (uint64_t bits = 0; bits < (uint64_t)1 << (8 * size); bits++) {
            unsigned char bytes[2] = {(unsigned char)bits, (unsigned char)(bits >> 8)};
            double number = parity_dtype_to_double(dtypes[d], bytes);
            unsigned char again[2] = {0};
            parity_element_from_double(dtypes[d], number, again);
            if (isnan(number))
                ck_assert(isnan(parity_dtype_to_double(dtypes[d], again)));
            else
                ck_assert_uint_eq(bits_of(again, size), bits);
        }
    }
}
END_TEST

static const struct text {
    parity_dtype dtype;
    const char *text;
    uint64_t bits;
    const char *error; /* or NULL */
} texts[] = {
    {PARITY_U8, "255", 255, NULL},
    {PARITY_U8, "256", 0, "256 does not fit into u8"},
    {PARITY_U8, "-1", 0, "-1 does not fit into u8"},
    {PARITY_I8, "-128", 0x80, NULL},
    {PARITY_I8, "-129", 0, "-129 does not fit into i8"},
    {PARITY_U64, "18446744073709551615", UINT64_MAX, NULL},
    {PARITY_U64, "18446744073709551616", 0, "18446744073709551616 does not fit into u64"},
    {PARITY_I64, "-9223372036854775808", (uint64_t)1 << 63, NULL},
    {PARITY_I64, "9223372036854775808", 0, "9223372036854775808 does not fit into i64"},
    {PARITY_I32, "1.0", 0, "`1.0` is no i32 number"},
    {PARITY_I32, "", 0, "`` is no i32 number"},
    {PARITY_I32, "- 1", 0, "`- 1` is no i32 number"},
    {PARITY_BOOL8, "true", 1, NULL},
    {PARITY_BOOL8, "2", 0, "2 does not fit into bool"},
    {PARITY_F32, "-0.0", 0x80000000, NULL},
    {PARITY_F32, "1e-45", 1, NULL},
    {PARITY_F32, "inf", 0x7f800000, NULL},
    {PARITY_F32, "-.inf", 0xff800000, NULL},
    {PARITY_F32, "nan", 0x7fc00000, NULL},
    {PARITY_F32, "-nan", 0xffc00000, NULL},
    {PARITY_F32, "0x10", 0, "`0x10` is no number"},
    {PARITY_F32, "infinity", 0, "`infinity` is no number"},
    {PARITY_F32, "1 2", 0, "`1 2` is no number"},
    {PARITY_F32, "e", 0, "`e` is no number"},
    {PARITY_F64, "1.0.0", 0, "`1.0.0` is no number"},
};

START_TEST(numbers_from_text)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        unsigned char bytes[8] = {0};
        parity_error error = {{0}};
        int code = parity_element_from_text(texts[i].dtype, texts[i].text, bytes, &error);
        ck_assert_msg((code != 0) == (texts[i].error != NULL), "`%s`", texts[i].text);
        if (texts[i].error != NULL)
            ck_assert_str_eq(error.message, texts[i].error);
        else
            ck_assert_msg(bits_of(bytes, parity_dtype_size(texts[i].dtype)) ==
                              texts[i].bits,
                          "`%s`", texts[i].text);
    }
}
END_TEST

static void check_pattern(parity_dtype dtype, const char *name, size_t count,
                          const char *hex)
{
    unsigned char bytes[256] = {0};
    size_t size = parity_dtype_size(dtype);
    parity_error error;
    ck_assert_int_eq(parity_pattern_fill(dtype, name, bytes, count, &error), 0);
    char found[600] = "";
    for (size_t i = 0; i < count; i++)
        sprintf(found + strlen(found), "%0*llx ", (int)(2 * size),
                (unsigned long long)bits_of(bytes + i * size, size));
    found[strlen(found) - 1] = '\0';
    ck_assert_msg(strcmp(found, hex) == 0, "%s %s: %s", parity_dtype_name(dtype), name,
                  found);
}

START_TEST(patterns_have_these_bits)
{
    check_pattern(PARITY_F32, "zeros", 2, "00000000 00000000");
    check_pattern(PARITY_BF16, "ones", 2, "3f80 3f80");
    check_pattern(PARITY_F32, "arange", 4, "00000000 3f800000 40000000 40400000");
    check_pattern(PARITY_BOOL8, "arange", 4, "00 01 00 01");
    check_pattern(PARITY_F8E4M3, "arange", 18,
                  "00 38 40 44 48 4a 4c 4e 50 51 52 53 54 55 56 57 58 00");
    check_pattern(PARITY_I64, "signs", 2, "0000000000000001 fffffffffffffffe");
    check_pattern(PARITY_F16, "signs", 3, "3c00 c000 4200");
    check_pattern(PARITY_F32, "dyadic", 5,
                  "c0000000 bf400000 3f000000 3fe00000 bf800000");
    check_pattern(
        PARITY_F32, "edge", 15,
        "00000000 80000000 00000001 80000001 007fffff 00800000 3f800000 bf800000 "
        "7f7fffff ff7fffff 7fc00000 ffc00000 7f800000 ff800000 00000000");
    check_pattern(
        PARITY_F16, "edge", 14,
        "0000 8000 0001 8001 03ff 0400 3c00 bc00 7bff fbff 7e00 fe00 7c00 fc00");
    check_pattern(PARITY_F8E4M3, "edge", 13, "00 80 01 81 07 08 38 b8 7e fe 7f ff 00");
    check_pattern(PARITY_U8, "edge", 5, "00 01 ff fe 00");
    check_pattern(PARITY_I8, "edge", 8, "00 01 7f 7e 80 81 ff 00");
    check_pattern(PARITY_U64, "edge", 4,
                  "0000000000000000 0000000000000001 ffffffffffffffff fffffffffffffffe");
}
END_TEST

static char path[] = P_tmpdir "/parity-elements-XXXXXX";

static void write_tensors(const char *header, uint64_t claimed, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < 8; i++)
        putc((int)(claimed >> (8 * i) & 0xff), file);
    fputs(header, file);
    for (size_t i = 0; i < bytes; i++)
        putc((int)i, file);
    fclose(file);
}

static void check_broken(const char *header, uint64_t claimed, size_t bytes,
                         const char *expected)
{
    parity_stored stored;
    parity_error error;
    write_tensors(header, claimed, bytes);
    ck_assert_int_eq(parity_safetensors_read(&stored, path, "a", 1024, &error), -1);
    ck_assert_str_eq(error.message, expected);
    ck_assert_ptr_null(stored.bits);
}

START_TEST(safetensors)
{
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    const char *good =
        "{\"__metadata__\":{\"format\":\"pt\"},"
        "\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
        "\"a\":{\"dtype\":\"F16\",\"shape\":[2,1],\"data_offsets\":[3,7]}}";
    write_tensors(good, strlen(good), 7);
    parity_stored stored;
    parity_error error;
    ck_assert_int_eq(parity_safetensors_read(&stored, path, "a", 4, &error), 0);
    ck_assert_int_eq(stored.dtype, PARITY_F16);
    ck_assert_uint_eq(stored.rank, 2);
    ck_assert_int_eq(stored.shape[0], 2);
    ck_assert_mem_eq(stored.bits, "\3\4\5\6", 4);
    free(stored.bits);
    ck_assert_int_eq(parity_safetensors_read(&stored, path, "a", 3, &error), -1);
    ck_assert_str_eq(error.message,
                     "tensor `a` takes 4 bytes; at most 3 are allowed here");
    ck_assert_int_eq(parity_safetensors_read(&stored, path, "c", 9, &error), -1);
    ck_assert_str_eq(error.message, "has no tensor `c`");
    check_broken(good, strlen(good), 6,
                 "ends too early; it is cut or no safetensors file");
    check_broken("", 5, 0, "has no safetensors header");
    check_broken("{}", UINT64_MAX, 0, "has no safetensors header");
    check_broken("[1]", 3, 0, "has no safetensors header");
    const char *odd = "{\"a\":{\"dtype\":\"F16\",\"shape\":[3],\"data_offsets\":[0,4]}}";
    check_broken(odd, strlen(odd), 8, "gives the tensor another size than its shape has");
    odd = "{\"a\":{\"dtype\":\"F16\",\"shape\":[9223372036854775807,9],\"data_offsets\":["
          "0,4]}}";
    check_broken(odd, strlen(odd), 8, "has a broken shape for the tensor");
    odd = "{\"a\":{\"dtype\":\"C64\",\"shape\":[1],\"data_offsets\":[0,8]}}";
    check_broken(odd, strlen(odd), 8, "has a dtype `C64`, which Parity does not know");
    odd = "{\"a\":7}";
    check_broken(odd, strlen(odd), 8, "has a dtype ``, which Parity does not know");
    unlink(path);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("elements");
    TCase *tests = tcase_create("elements");
    tcase_add_test(tests, rounds_as_pytorch);
    tcase_add_test(tests, small_types_round_trip);
    tcase_add_test(tests, numbers_from_text);
    tcase_add_test(tests, patterns_have_these_bits);
    tcase_add_test(tests, safetensors);
    suite_add_tcase(suite, tests);
    return suite;
}
