/* Values as the languages print them. Expected texts were printed by rustc 1.95 and
 * CPython 3.11. */
#include "harness/compare/render.h"
#include "harness/compare/sample.h"
#include "harness/compare/style.h"
#include "tools/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *rendered(parity_value *value, parity_language language, int decimals)
{
    parity_buffer out = {0};
    parity_outcome outcome = sample_outcome(value);
    parity_render_outcome(&out, &outcome, language, decimals);
    return parity_buffer_take(&out);
}

static void expect(parity_value *value, int decimals, const char *rust,
                   const char *python)
{
    char *texts[2] = {rendered(value, PARITY_CANDLE, decimals),
                      rendered(value, PARITY_TORCH, decimals)};
    ck_assert_str_eq(texts[0], rust);
    ck_assert_str_eq(texts[1], python);
    free(texts[0]);
    free(texts[1]);
}

static const struct {
    double number;
    parity_dtype dtype;
    int decimals;
    const char *rust, *python;
} floats[] = {
    {0.0, PARITY_F32, -1, "0.0", "0.0"},
    {-0.0, PARITY_F32, -1, "-0.0", "-0.0"},
    {1.0, PARITY_F32, -1, "1.0", "1.0"},
    {0.1f, PARITY_F32, -1, "0.1", "0.1"},
    {0.1f, PARITY_F64, -1, "0.10000000149011612", "0.10000000149011612"},
    {123456.789f, PARITY_F32, -1, "123456.79", "123456.79"},
    {16777216, PARITY_F32, -1, "16777216.0", "16777216.0"},
    {9.999999e15f, PARITY_F32, -1, "9999999000000000.0", "9999999000000000.0"},
    {1e16f, PARITY_F32, -1, "1e16", "1e+16"},
    {1e-4f, PARITY_F32, -1, "0.0001", "0.0001"},
    {9e-5f, PARITY_F32, -1, "9e-5", "9e-05"},
    {1e-45f, PARITY_F32, -1, "1e-45", "1e-45"},
    {3.4028235e38f, PARITY_F32, -1, "3.4028235e38", "3.4028235e+38"},
    {1.2345678e16f, PARITY_F32, -1, "1.2345678e16", "1.2345678e+16"},
    {1e23, PARITY_F64, -1, "1e23", "1e+23"},
    {5e-324, PARITY_F64, -1, "5e-324", "5e-324"},
    {9999999999999998.0, PARITY_F64, -1, "9999999999999998.0", "9999999999999998.0"},
    /* 2^-44: the nearest 16 digits do not read back, the next ones do. */
    {0x1p-44, PARITY_F64, -1, "5.684341886080802e-14", "5.684341886080802e-14"},
    {1.7976931348623157e308, PARITY_F64, -1, "1.7976931348623157e308",
     "1.7976931348623157e+308"},
    {NAN, PARITY_F32, -1, "NaN", "nan"},
    {-INFINITY, PARITY_F64, -1, "-inf", "-inf"},
    {2.5, PARITY_F32, 0, "2", "2"},
    {0.25, PARITY_F32, 1, "0.2", "0.2"},
    {-0.001f, PARITY_F32, 2, "-0.00", "-0.00"},
    {1e16f, PARITY_F32, 3, "10000000272564224.000", "10000000272564224.000"},
    {NAN, PARITY_F32, 3, "NaN", "nan"},
    {INFINITY, PARITY_F32, 3, "inf", "inf"},
};

START_TEST(float_as_printed)
{
    expect(sample_float(floats[_i].number, floats[_i].dtype), floats[_i].decimals,
           floats[_i].rust, floats[_i].python);
}
END_TEST

/* Whatever is printed reads back as the same number, and one digit less does not. */
START_TEST(digits_are_shortest)
{
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        uint32_t low = (uint32_t)(state >> 16);
        float number;
        memcpy(&number, &low, sizeof number);
        if (!isfinite(number))
            continue;
        parity_buffer text = {0};
        parity_render_float(&text, number, PARITY_F32, PARITY_TORCH);
        ck_assert_msg(strtof(text.data, NULL) == number, "%s is not %a", text.data,
                      number);
        char fewer[64];
        const char *significant = text.data + strspn(text.data, "-0.");
        int count = 0;
        for (const char *p = significant; *p && *p != 'e'; p++)
            count += *p >= '0' && *p <= '9';
        snprintf(fewer, sizeof fewer, "%.*e", count > 1 ? count - 2 : 0, number);
        bool whole = number == floorf(number) && fabsf(number) < 1e16f;
        ck_assert_msg(count == 1 || whole || strtof(fewer, NULL) != number,
                      "%s has a digit too many", text.data);
        parity_buffer_free(&text);
    }
}
END_TEST

START_TEST(tensors_are_nested_lists)
{
    expect(sample_tensor(PARITY_F32, 2, SHAPE(1, 2), OF(0.5, 1.5)), -1, "[[0.5, 1.5]]",
           "[[0.5, 1.5]]");
    expect(sample_tensor(PARITY_F32, 0, NULL, OF(3.5)), -1, "3.5", "3.5");
    expect(sample_tensor(PARITY_F32, 1, SHAPE(0), NULL), -1, "[]", "[]");
    expect(sample_tensor(PARITY_F32, 2, SHAPE(2, 0), NULL), -1, "[[], []]", "[[], []]");
    expect(sample_tensor(PARITY_F32, 2, SHAPE(0, 2), NULL), -1, "[]", "[]");
    expect(sample_tensor(PARITY_F32, 4, SHAPE(1, 2, 1, 1), OF(1, 2)), -1,
           "[[[[1.0]], [[2.0]]]]", "[[[[1.0]], [[2.0]]]]");
    expect(sample_tensor(PARITY_BOOL8, 1, SHAPE(2), OF(1, 0)), -1, "[true, false]",
           "[True, False]");
    expect(sample_tensor(PARITY_F32, 1, SHAPE(2), OF(1, 2.25)), 1, "[1.0, 2.2]",
           "[1.0, 2.2]");
    expect(sample_tensor(PARITY_F64, 1, SHAPE(2), OF(NAN, -INFINITY)), -1, "[NaN, -inf]",
           "[nan, -inf]");
}
END_TEST

START_TEST(integers_have_no_point)
{
    expect(sample_tensor(PARITY_I64, 1, SHAPE(2), OF(-3, 7)), -1, "[-3, 7]", "[-3, 7]");
    expect(sample_tensor(PARITY_U8, 1, SHAPE(1), OF(255)), -1, "[255]", "[255]");
    expect(sample_tensor(PARITY_I8, 1, SHAPE(1), OF(255)), -1, "[-1]", "[-1]");
    expect(sample_tensor(PARITY_U32, 1, SHAPE(1), OF(4294967295.0)), -1, "[4294967295]",
           "[4294967295]");
    expect(sample_text(PARITY_VALUE_INT, "18446744073709551615"), 3,
           "18446744073709551615", "18446744073709551615");
}
END_TEST

/* half and float8 print as f32 in Rust; PyTorch's tolist widens to a Python float. */
START_TEST(half_types)
{
    expect(sample_tensor(PARITY_F16, 1, SHAPE(2), OF(0x2e66, 0x7bff)), -1,
           "[0.099975586, 65504.0]", "[0.0999755859375, 65504.0]");
    expect(sample_tensor(PARITY_BF16, 1, SHAPE(2), OF(0x3dcd, 0x3728)), -1,
           "[0.100097656, 1.001358e-5]", "[0.10009765625, 1.0013580322265625e-05]");
    expect(sample_tensor(PARITY_F8E4M3, 1, SHAPE(2), OF(0x1d, 0x7e)), -1,
           "[0.1015625, 448.0]", "[0.1015625, 448.0]");
}
END_TEST

START_TEST(long_tensors_are_marked)
{
    expect(sample_hashed(300000, 1.5f, 299999, 2), -1,
           "[1.5, 1.5, 1.5, …, 1.5, 1.5, 2.0] (shortened, shape [300000])",
           "[1.5, 1.5, 1.5, …, 1.5, 1.5, 2.0] (shortened, shape [300000])");
}
END_TEST

START_TEST(results_and_texts)
{
    parity_value *unit = sample_text(PARITY_VALUE_UNIT, ""),
                 *none = sample_text(PARITY_VALUE_NONE, "");
    expect(sample_items(PARITY_VALUE_OK, ITEMS(unit)), -1, "Ok(())", "Ok(None)");
    expect(unit, -1, "()", "None");
    expect(none, -1, "None", "None");
    expect(sample_bool(true), -1, "true", "True");
    expect(sample_text(PARITY_VALUE_ID, "4"), -1, "TensorId(4)", "TensorId(4)");
    expect(sample_mib(64), 3, "64.000", "64.000");
    expect(sample_mib(64), -1, "64.0", "64.0");
    expect(sample_text(PARITY_VALUE_TEXT, "it's \"so\""), -1, "it's \"so\"",
           "it's \"so\"");
    expect(sample_items(PARITY_VALUE_SOME, ITEMS(sample_float(1.5, PARITY_F32))), -1,
           "Some(1.5)", "Some(1.5)");
    expect(sample_raised("RuntimeError", "a\"b'"), -1, "RuntimeError(\"a\\\"b'\")",
           "RuntimeError(\"a\\\"b'\")");
    char *err = rendered(sample_text(PARITY_VALUE_ERR, "x\"y'"), PARITY_CANDLE, -1);
    ck_assert_str_eq(err, "Err(\"x\\\"y'\")");
    free(err);
}
END_TEST

static const struct {
    const char *text, *rust, *python;
} quotes[] = {
    {"a", "\"a\"", "'a'"},
    {"it's", "\"it's\"", "\"it's\""},
    {"say \"x\"", "\"say \\\"x\\\"\"", "'say \"x\"'"},
    {"both ' and \"", "\"both ' and \\\"\"", "'both \\' and \"'"},
    {"tab\t\n\r\\", "\"tab\\t\\n\\r\\\\\"", "'tab\\t\\n\\r\\\\'"},
    {"\x01\x7f", "\"\\u{1}\\u{7f}\"", "'\\x01\\x7f'"},
    {"\xc2\x85\u00a0\u00ad", "\"\\u{85}\\u{a0}\\u{ad}\"", "'\\x85\\xa0\\xad'"},
    {"é中\U0001F600", "\"é中😀\"", "'é中😀'"},
    {"\u200b\ue000\u2028", "\"\\u{200b}\\u{e000}\\u{2028}\"", "'\\u200b\\ue000\\u2028'"},
    {"e\u0301", "\"e\\u{301}\"", "'e\u0301'"},
    {"\U000e0001", "\"\\u{e0001}\"", "'\\U000e0001'"},
};

START_TEST(text_in_a_list_is_quoted)
{
    parity_value *text = sample_text(PARITY_VALUE_TEXT, quotes[_i].text);
    parity_buffer rust = {0}, python = {0};
    parity_buffer_printf(&rust, "[%s]", quotes[_i].rust);
    parity_buffer_printf(&python, "[%s]", quotes[_i].python);
    expect(sample_items(PARITY_VALUE_LIST, ITEMS(text)), -1, rust.data, python.data);
    parity_buffer_free(&rust);
    parity_buffer_free(&python);
}
END_TEST

static const struct {
    parity_outcome_kind kind;
    const char *type, *text, *expected;
} endings[] = {
    {PARITY_PANIC, NULL, "attempt to divide by zero",
     "<panic: attempt to divide by zero>"},
    {PARITY_ERROR, "RuntimeError", "two\nlines", "<error: RuntimeError: two lines>"},
    {PARITY_ERROR, "candle", "no", "<error: no>"},
    {PARITY_REFUSED, "E0382", "use of moved value",
     "<refused: E0382: use of moved value>"},
    {PARITY_UNSUPPORTED, NULL, "no traits", "<unsupported: no traits>"},
    {PARITY_NOT_REACHED, NULL, NULL, "<not reached>"},
    {PARITY_HANG, NULL, "", "<hang>"},
    {PARITY_CRASH, NULL, "SIGSEGV", "<crash: SIGSEGV>"},
};

START_TEST(ending_is_marked)
{
    parity_outcome outcome =
        sample_ending(endings[_i].kind, endings[_i].type, endings[_i].text);
    parity_buffer out = {0};
    parity_render_outcome(&out, &outcome, PARITY_CANDLE, -1);
    ck_assert_str_eq(out.data, endings[_i].expected);
    parity_buffer_free(&out);
}
END_TEST

/* Lines of the documented pages. */
static const char page[] =
    "title: page\n"
    "torch: |\n  x = 1\n"
    "candle: |\n  let x = 1;\n"
    "rows:\n"
    "  - {id: clone, torch: '{{k: v.clone()}}           {best[\"weight\"]}'}\n"
    "  - {id: memory, candle: 'x 64 MiB: copy allocated {mib=m:.3} MiB, shares storage "
    "{s}'}\n"
    "  - {id: ids, candle: 'ids: x {x.id()}, clone {y.id()}, copy {z.id()}'}\n"
    "  - {id: set, candle: 'w.set(&w.clone()): {r}'}\n";

START_TEST(row_as_on_the_page)
{
    const parity_case *test = sample_case(page);
    parity_run torch, candle;
    sample_run(&torch, 1,
               (parity_value *[]){sample_tensor(PARITY_F32, 2, SHAPE(1, 2), OF(1, 2))});
    sample_run(&candle, 6,
               (parity_value *[]){
                   sample_mib(64), sample_bool(false), sample_text(PARITY_VALUE_ID, "4"),
                   sample_text(PARITY_VALUE_ID, "4"), sample_text(PARITY_VALUE_ID, "5"),
                   sample_text(PARITY_VALUE_ERR, "cannot set variable")});
    static const char *const expected[] = {
        "{k: v.clone()}           [[1.0, 2.0]]",
        "x 64 MiB: copy allocated 64.000 MiB, shares storage false",
        "ids: x TensorId(4), clone TensorId(4), copy TensorId(5)",
        "w.set(&w.clone()): Err(\"cannot set variable\")",
    };
    for (size_t row = 0; row < 4; row++) {
        parity_buffer line = {0};
        parity_render_row(&line, test, row, row ? PARITY_CANDLE : PARITY_TORCH,
                          row ? &candle : &torch);
        ck_assert_str_eq(line.data, expected[row]);
        parity_buffer_free(&line);
    }
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("render");
    TCase *values = tcase_create("render");
    tcase_add_checked_fixture(values, NULL, sample_free);
    tcase_add_loop_test(values, float_as_printed, 0, COUNT(floats));
    tcase_add_test(values, digits_are_shortest);
    tcase_add_test(values, tensors_are_nested_lists);
    tcase_add_test(values, integers_have_no_point);
    tcase_add_test(values, half_types);
    tcase_add_test(values, long_tensors_are_marked);
    tcase_add_test(values, results_and_texts);
    tcase_add_loop_test(values, text_in_a_list_is_quoted, 0, COUNT(quotes));
    tcase_add_loop_test(values, ending_is_marked, 0, COUNT(endings));
    tcase_add_test(values, row_as_on_the_page);
    suite_add_tcase(suite, values);
    return suite;
}
