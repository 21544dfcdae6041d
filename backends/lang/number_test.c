#include "backends/lang/number.h"
#include "tools/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static lang_infer cells[32];
static size_t used;

static void setup(void)
{
    memset(cells, 0, sizeof cells);
    used = 0;
}

static lang_number literal(const char *digits, const char *suffix)
{
    lang_number n;
    bool is_float = strchr(digits, '.') != NULL;
    const char *why = lang_number_literal(&n, &cells[used++], digits, suffix, is_float);
    ck_assert_msg(!why, "%s: %s", digits, why);
    return n;
}

static lang_number calculate(const char *op, lang_number a, lang_number b)
{
    lang_number out;
    const char *panic = NULL;
    const char *why = lang_number_binary(&out, op, a, b, &panic);
    ck_assert_msg(!why && !panic, "%s: %s", op, why ? why : panic);
    return out;
}

START_TEST(a_literal_takes_the_type_of_its_use)
{
    lang_number a = literal("3", NULL), b = a;
    ck_assert_int_eq(lang_number_type(&a), LANG_OPEN);
    ck_assert_ptr_null(lang_number_bind(&b, LANG_USIZE));
    ck_assert_int_eq(lang_number_type(&a), LANG_USIZE);
    ck_assert_ptr_nonnull(lang_number_bind(&a, LANG_I32));
    lang_number c = literal("4", NULL);
    ck_assert_ptr_null(lang_number_settle(&c));
    ck_assert_int_eq(c.type, LANG_I32);
}
END_TEST

START_TEST(joined_literals_have_one_type)
{
    lang_number a = literal("1.", NULL), b = literal("2.", NULL), c = literal("3.", NULL);
    ck_assert_ptr_null(lang_number_unify(&a, &b));
    lang_number sum = calculate("+", b, c);
    ck_assert_int_eq(lang_number_type(&sum), LANG_OPEN);
    ck_assert_ptr_null(lang_number_bind(&c, LANG_F32));
    ck_assert_int_eq(lang_number_type(&a), LANG_F32);
    ck_assert_int_eq(lang_number_type(&sum), LANG_F32);
}
END_TEST

START_TEST(open_floats_are_computed_in_both_precisions)
{
    lang_number sum = calculate("+", literal("0.1", NULL), literal("0.2", NULL));
    lang_number f32 = sum;
    ck_assert_ptr_null(lang_number_bind(&f32, LANG_F32));
    ck_assert(f32.d == (double)(0.1f + 0.2f));
    setup();
    sum = calculate("+", literal("0.1", NULL), literal("0.2", NULL));
    ck_assert_ptr_null(lang_number_settle(&sum));
    ck_assert(sum.d == 0.1 + 0.2);
}
END_TEST

/* A literal is read once, into the type it has: not into f64 and then rounded again. */
START_TEST(f32_literals_are_rounded_once)
{
    lang_number n = literal("1.00000017881393432617187499", NULL);
    ck_assert_ptr_null(lang_number_bind(&n, LANG_F32));
    ck_assert(n.d == (double)strtof("1.00000017881393432617187499", NULL));
    ck_assert(n.d != (double)(float)strtod("1.00000017881393432617187499", NULL));
}
END_TEST

START_TEST(what_would_have_wrapped_is_not_read)
{
    lang_number big = calculate("+", literal("200", NULL), literal("100", NULL));
    lang_number half = calculate("/", big, literal("2", NULL));
    ck_assert_ptr_nonnull(lang_number_bind(&half, LANG_U8)); /* 22 there, 150 here */
    ck_assert_ptr_null(lang_number_bind(&half, LANG_I16));
    lang_number huge = literal("3000000000", NULL);
    ck_assert_ptr_nonnull(lang_number_settle(&huge));
}
END_TEST

START_TEST(typed_integers_wrap_as_in_a_release_build)
{
    static const struct {
        const char *op;
        lang_numtype type;
        long long a, b, result;
    } rows[] = {
        {"+", LANG_U8, 200, 100, 44},
        {"-", LANG_U8, 1, 2, 255},
        {"*", LANG_I8, 100, 2, -56},
        {"/", LANG_I32, -7, 2, -3},
        {"%", LANG_I32, -7, 2, -1},
        {"<<", LANG_U8, 1, 9, 2},
        {">>", LANG_I8, -128, 1, -64},
        {"^", LANG_I32, -1, 1, -2},
        {"+", LANG_I64, INT64_MAX, 1, INT64_MIN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lang_number n = calculate(rows[i].op, lang_number_int(rows[i].type, rows[i].a),
                                  lang_number_int(rows[i].type, rows[i].b));
        ck_assert_msg((long long)n.i == rows[i].result, "%lld %s %lld gave %lld",
                      rows[i].a, rows[i].op, rows[i].b, (long long)n.i);
    }
    lang_number square = calculate("*", lang_number_int(LANG_U64, (lang_wide)UINT64_MAX),
                                   lang_number_int(LANG_U64, (lang_wide)UINT64_MAX));
    ck_assert(square.i == 1);
}
END_TEST

START_TEST(division_panics)
{
    static const struct {
        const char *op;
        long long a, b;
        const char *text;
    } rows[] = {
        {"/", 1, 0, "attempt to divide by zero"},
        {"%", 1, 0, "attempt to calculate the remainder with a divisor of zero"},
        {"/", INT32_MIN, -1, "attempt to divide with overflow"},
        {"%", INT32_MIN, -1, "attempt to calculate the remainder with overflow"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lang_number out;
        const char *panic = NULL;
        ck_assert_ptr_null(
            lang_number_binary(&out, rows[i].op, lang_number_int(LANG_I32, rows[i].a),
                               lang_number_int(LANG_I32, rows[i].b), &panic));
        ck_assert_str_eq(panic, rows[i].text);
    }
}
END_TEST

START_TEST(casts)
{
    static const struct {
        double from;
        lang_numtype type;
        long long to;
    } floats[] = {
        {300.9, LANG_U8, 255}, {-1.5, LANG_U8, 0},          {NAN, LANG_I32, 0},
        {-1.9, LANG_I32, -1},  {1e20, LANG_I64, INT64_MAX}, {-INFINITY, LANG_I8, -128},
    };
    lang_number out;
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        ck_assert_ptr_null(lang_number_cast(
            &out, lang_number_float(LANG_F64, floats[i].from), floats[i].type));
        ck_assert_msg((long long)out.i == floats[i].to, "row %zu gave %lld", i,
                      (long long)out.i);
    }
    ck_assert_ptr_null(lang_number_cast(&out, lang_number_int(LANG_I32, 300), LANG_U8));
    ck_assert(out.i == 44);
    ck_assert_ptr_null(lang_number_cast(&out, lang_number_int(LANG_I32, -1), LANG_U64));
    ck_assert(out.i == (lang_wide)UINT64_MAX);
    ck_assert_ptr_null(
        lang_number_cast(&out, lang_number_float(LANG_F64, 0.1), LANG_F32));
    ck_assert(out.d == (double)0.1f);
}
END_TEST

START_TEST(comparisons)
{
    int order;
    ck_assert_ptr_null(
        lang_number_compare(&order, literal("1.", NULL), literal("2.", NULL)));
    ck_assert_int_eq(order, -1);
    ck_assert_ptr_null(lang_number_compare(&order, lang_number_float(LANG_F64, NAN),
                                           lang_number_float(LANG_F64, 1)));
    ck_assert_int_eq(order, 2);
    ck_assert_ptr_nonnull(
        lang_number_compare(&order, literal("1", "u8"), literal("1", "u32")));
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("lang_number");
    TCase *tc = tcase_create("types");
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, a_literal_takes_the_type_of_its_use);
    tcase_add_test(tc, joined_literals_have_one_type);
    tcase_add_test(tc, open_floats_are_computed_in_both_precisions);
    tcase_add_test(tc, f32_literals_are_rounded_once);
    tcase_add_test(tc, what_would_have_wrapped_is_not_read);
    tcase_add_test(tc, typed_integers_wrap_as_in_a_release_build);
    tcase_add_test(tc, division_panics);
    tcase_add_test(tc, casts);
    tcase_add_test(tc, comparisons);
    suite_add_tcase(suite, tc);
    return suite;
}
