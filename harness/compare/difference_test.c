/* Single differences: classes, bits, bounds, shapes, kinds, versions. */
#include "harness/base/bounds.h"
#include "harness/compare/departure.h"
#include "harness/compare/sample.h"
#include "tools/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOT_A_NUMBER 0x7fc00000
#define OTHER_NAN    0xffc00001

static parity_value *bits32(uint32_t bits)
{
    parity_value *value = sample_tensor(PARITY_F32, 1, SHAPE(1), OF(0));
    memcpy(value->tensor->bits, &bits, sizeof bits);
    return value;
}

static void expect(parity_relation relation, parity_value *left, parity_value *right,
                   const char *expected)
{
    parity_outcome l = sample_outcome(left), r = sample_outcome(right);
    char *why = parity_difference(&l, &r, relation);
    if (!expected)
        ck_assert_msg(!why, "unexpected: %s", why);
    else
        ck_assert_str_eq(why ? why : "equal", expected);
    free(why);
}

#define SAME(left, right)        expect(PARITY_FIDELITY, left, right, NULL)
#define EXACT(left, right, why)  expect(PARITY_FIDELITY, left, right, why)
#define ACROSS(left, right, why) expect(PARITY_CONTRAST, left, right, why)

START_TEST(class_comes_first)
{
    SAME(bits32(NOT_A_NUMBER), bits32(OTHER_NAN));
    EXACT(bits32(NOT_A_NUMBER), bits32(0x3f800000), "element [0]: NaN against 1.0");
    EXACT(bits32(0x7f800000), bits32(NOT_A_NUMBER), "element [0]: inf against NaN");
    EXACT(bits32(0x7f800000), bits32(0x7f7fffff),
          "element [0]: inf against 3.4028235e38");
    EXACT(bits32(0x7f800000), bits32(0xff800000), "element [0]: inf against -inf");
    EXACT(bits32(0), bits32(0x80000000), "element [0]: 0.0 against -0.0, 1 ULP");
    ACROSS(bits32(0), bits32(0x80000000), "element [0]: 0.0 against -0.0, 1 ULP");
    ACROSS(bits32(NOT_A_NUMBER), bits32(OTHER_NAN), NULL);
    ACROSS(bits32(NOT_A_NUMBER), bits32(0x3f800000), "element [0]: NaN against 1.0");
}
END_TEST

START_TEST(distance_is_told)
{
    EXACT(bits32(0x3f800000), bits32(0x3f800001),
          "element [0]: 1.0 against 1.0000001, 1 ULP");
    EXACT(bits32(1), bits32(0x80000002), "element [0]: 1e-45 against -3e-45, 4 ULP");
    EXACT(bits32(0x3f800000), bits32(0x40000000), "element [0]: 1.0 against 2.0");
    ck_assert_double_eq(parity_ulps(1.0, nextafter(1.0, 2), PARITY_F64), 1);
    ck_assert_double_eq(parity_ulps(nextafter(1.0, 0), nextafter(1.0, 2), PARITY_F64), 2);
    ck_assert_double_eq(parity_ulps(0x1p-126, 0x1p-126 - 0x1p-149, PARITY_F32), 1);
    ck_assert_double_eq(parity_ulps(1, 1 + 0x1p-10, PARITY_F16), 1);
    ck_assert_double_eq(parity_ulps(448, 416, PARITY_F8E4M3), 1);
    ck_assert_double_eq(parity_ulps(5, 6, PARITY_I32), -1);
}
END_TEST

START_TEST(tensors_differ)
{
    EXACT(sample_tensor(PARITY_F32, 2, SHAPE(1, 2), OF(1, 2)),
          sample_tensor(PARITY_F32, 2, SHAPE(1, 2), OF(1, 2.5)),
          "element [0, 1]: 2.0 against 2.5");
    EXACT(sample_tensor(PARITY_F32, 2, SHAPE(2, 2), OF(1, 2, 3, 4)),
          sample_tensor(PARITY_F32, 2, SHAPE(2, 2), OF(1, 8, 8, 8)),
          "element [0, 1]: 2.0 against 8.0; 3 of 4 elements differ");
    EXACT(sample_tensor(PARITY_F32, 0, NULL, OF(1)),
          sample_tensor(PARITY_F32, 0, NULL, OF(2)), "1.0 against 2.0");
    EXACT(sample_tensor(PARITY_F32, 1, SHAPE(1), OF(1)),
          sample_tensor(PARITY_F64, 1, SHAPE(1), OF(1)), "dtype f32 against f64");
    EXACT(sample_tensor(PARITY_F32, 1, SHAPE(2), OF(1, 2)),
          sample_tensor(PARITY_F32, 2, SHAPE(1, 2), OF(1, 2)),
          "shape [2] against [1, 2]");
    EXACT(sample_tensor(PARITY_F32, 2, SHAPE(0, 3), NULL),
          sample_tensor(PARITY_F32, 2, SHAPE(0, 4), NULL), "shape [0, 3] against [0, 4]");
    EXACT(sample_tensor(PARITY_I64, 1, SHAPE(1), OF(1)),
          sample_tensor(PARITY_I64, 1, SHAPE(1), OF(2)), "element [0]: 1 against 2");
    ACROSS(sample_tensor(PARITY_U8, 1, SHAPE(1), OF(1)),
           sample_tensor(PARITY_BOOL8, 1, SHAPE(1), OF(1)), "dtype u8 against bool");
}
END_TEST

START_TEST(layout_counts_within_one_language)
{
    parity_value *left =
        sample_place(sample_tensor(PARITY_F32, 1, SHAPE(1), OF(1)), 1, 1);
    parity_value *right =
        sample_place(sample_tensor(PARITY_F32, 1, SHAPE(1), OF(1)), 1, 1);
    char name[] = "variable", yes[] = "true", no[] = "false";
    parity_fact facts[2][1] = {{{name, yes}}, {{name, no}}};
    SAME(left, right);
    right->tensor->facts = facts[1];
    right->tensor->nfacts = 1;
    EXACT(left, right, "variable not stated against false");
    left->tensor->facts = facts[0];
    left->tensor->nfacts = 1;
    EXACT(left, right, "variable true against false");
    right->tensor->offset = 3;
    EXACT(left, right, "offset 0 against 3");
    right->tensor->strides[0] = 2;
    EXACT(left, right, "strides [1] against [2]");
    ACROSS(left, right, NULL);
    EXACT(left, sample_tensor(PARITY_F32, 1, SHAPE(1), OF(1)),
          "a tensor against a host copy");
    left->tensor->nfacts = right->tensor->nfacts = 0;
    left->tensor->facts = right->tensor->facts = NULL;
}
END_TEST

START_TEST(long_tensors_compare_by_hash)
{
    SAME(sample_hashed(300000, 1, 5, 2), sample_hashed(300000, 1, 5, 2));
    EXACT(sample_hashed(300000, 1, 5, 2), sample_hashed(300000, 1, 5, 3),
          "element [5]: 2.0 against 3.0");
    EXACT(sample_hashed(300000, 1, 299999, 2), sample_hashed(300000, 1, 5, 1),
          "element [299999]: 2.0 against 1.0");
    parity_outcome l = sample_outcome(sample_hashed(300000, 1, 1000, 2));
    parity_outcome r = sample_outcome(sample_hashed(300000, 1, 1000, 3));
    char *why = parity_difference(&l, &r, PARITY_FIDELITY);
    ck_assert_ptr_nonnull(why);
    ck_assert_ptr_nonnull(strstr(why, "an element between the first and the last 64"));
    free(why);
}
END_TEST

START_TEST(kinds_across_languages)
{
    parity_value *unit = sample_text(PARITY_VALUE_UNIT, "");
    parity_value *tensor = sample_tensor(PARITY_F32, 1, SHAPE(1), OF(1));
    parity_value *err = sample_text(PARITY_VALUE_ERR, "slice-set only");
    parity_value *raised = sample_raised("RuntimeError", "other words");
    ACROSS(sample_items(PARITY_VALUE_OK, ITEMS(tensor)), tensor, NULL);
    ACROSS(sample_items(PARITY_VALUE_OK, ITEMS(unit)), tensor, NULL);
    ACROSS(err, raised, NULL);
    ACROSS(err, tensor, "Err(\"slice-set only\") against a tensor f32 [1.0]");
    ACROSS(err, unit, "Err(\"slice-set only\") against None");
    ACROSS(sample_text(PARITY_VALUE_NONE, ""), unit, NULL);
    ACROSS(tensor, unit, "a tensor f32 [1.0] against None");
    ACROSS(err, sample_raised("NameError", "name 'y' is not defined"),
           "the Python exception tells of a slip in the case, not of PyTorch");
    ACROSS(sample_text(PARITY_VALUE_NONE, ""), tensor, "None against a tensor f32 [1.0]");
    ACROSS(sample_bool(true), sample_bool(false), "true against False");
    ACROSS(sample_bool(true), sample_text(PARITY_VALUE_INT, "1"), "true against 1");
    ACROSS(sample_text(PARITY_VALUE_TEXT, "a"), sample_text(PARITY_VALUE_TEXT, "b"),
           "\"a\" against 'b'");
    EXACT(err, sample_text(PARITY_VALUE_ERR, "slice-set"),
          "Err(\"slice-set only\") against Err(\"slice-set\")");
    EXACT(sample_items(PARITY_VALUE_OK, ITEMS(unit)), unit, "Ok(()) against ()");
}
END_TEST

START_TEST(numbers_across_languages)
{
    ACROSS(sample_text(PARITY_VALUE_INT, "3"), sample_float(3, PARITY_F64), NULL);
    ACROSS(sample_text(PARITY_VALUE_INT, "3"), sample_float(3.5, PARITY_F64),
           "3 against 3.5");
    ACROSS(sample_text(PARITY_VALUE_INT, "9007199254740993"),
           sample_float(9007199254740992.0, PARITY_F64),
           "9007199254740993 against 9007199254740992.0");
    ACROSS(sample_float(0.1f, PARITY_F32), sample_float(0.1f, PARITY_F64), NULL);
    ACROSS(sample_float(0.1f, PARITY_F32), sample_float(0.1, PARITY_F64),
           "0.1 against 0.1");
    ACROSS(sample_float(NAN, PARITY_F32), sample_float(NAN, PARITY_F64), NULL);
    ACROSS(sample_float(NAN, PARITY_F32), sample_float(1, PARITY_F64), "NaN against 1.0");
    ACROSS(sample_text(PARITY_VALUE_INT, "0"), sample_float(NAN, PARITY_F64),
           "0 against nan");
    ACROSS(sample_mib(64.0003), sample_mib(64.3), NULL);
    ACROSS(sample_mib(0.001), sample_mib(64), "0.001 against 64.0");
    ACROSS(sample_mib(NAN), sample_mib(64), "NaN against 64.0");
    EXACT(sample_float(1, PARITY_F32), sample_float(1, PARITY_F64),
          "type f32 against f64");
    EXACT(sample_float(0, PARITY_F32), sample_float(-0.0, PARITY_F32),
          "0.0 against -0.0, 1 ULP");
}
END_TEST

START_TEST(lists_tell_the_item)
{
    parity_value *one = sample_text(PARITY_VALUE_INT, "1"),
                 *two = sample_text(PARITY_VALUE_INT, "2");
    EXACT(sample_items(PARITY_VALUE_LIST, ITEMS(one, one)),
          sample_items(PARITY_VALUE_LIST, ITEMS(one, two)), "item 1: 1 against 2");
    EXACT(sample_items(PARITY_VALUE_LIST, ITEMS(one)),
          sample_items(PARITY_VALUE_LIST, ITEMS(one, two)),
          "number of items 1 against 2");
}
END_TEST

static const struct {
    parity_outcome_kind left;
    const char *left_type, *left_text;
    parity_outcome_kind right;
    const char *right_type, *right_text;
    bool fidelity, contrast; /* equal */
} endings[] = {
    {PARITY_VALUE, NULL, NULL, PARITY_VALUE, NULL, NULL, true, true},
    {PARITY_ERROR, NULL, "a", PARITY_ERROR, NULL, "b", false, true},
    {PARITY_PANIC, NULL, "a", PARITY_PANIC, NULL, "b", false, true},
    {PARITY_PANIC, NULL, "a", PARITY_ERROR, NULL, "a", false, false},
    {PARITY_HANG, NULL, "a", PARITY_HANG, NULL, "b", true, true},
    {PARITY_REFUSED, "E0382", "a", PARITY_REFUSED, "E0382", "b", true, true},
    {PARITY_REFUSED, "E0382", "a", PARITY_REFUSED, "E0368", "a", false, true},
    {PARITY_CRASH, NULL, "SIGSEGV", PARITY_VALUE, NULL, NULL, false, false},
};

START_TEST(endings_by_kind_and_text)
{
    parity_outcome left =
        sample_ending(endings[_i].left, endings[_i].left_type, endings[_i].left_text);
    parity_outcome right =
        sample_ending(endings[_i].right, endings[_i].right_type, endings[_i].right_text);
    for (int across = 0; across < 2; across++) {
        char *why =
            parity_difference(&left, &right, across ? PARITY_CONTRAST : PARITY_FIDELITY);
        ck_assert_int_eq(!why, across ? endings[_i].contrast : endings[_i].fidelity);
        free(why);
    }
}
END_TEST

static const struct {
    const char *bound;
    double left, right, largest;
    bool close;
} bounds[] = {
    {NULL, 1, 1 + 0x1p-23, 1, false},
    {"elementary", 1, 1 + 0x1p-22, 1, true},
    {"elementary", 1, 1 + 0x1p-22 + 0x1p-23, 1, false},
    {"elementary", 0, 1e-40, 1, false},
    {"sum", 0, 0x1p-18, 1, true}, /* 32 steps of 2^-23 at the largest magnitude */
    {"sum", 0, 0x1p-17, 1, false},
    {"sum", NAN, NAN, 1, true},
    {"sum", NAN, 1, 1, false},
    {"sum", INFINITY, 3e38, 3e38, false},
    {"sum", INFINITY, INFINITY, 1, true},
    {"sum", 0.0, -0.0, 1, false},
    {"sum", 1e20, -1e20, 1e20, false},
    {"sum", 3.4e38, -3.4e38, 3.4e38, false},
};

START_TEST(bound_never_passes_another_class)
{
    const parity_bound *bound =
        bounds[_i].bound ? parity_bound_find(bounds[_i].bound) : NULL;
    ck_assert_int_eq(!bound, !bounds[_i].bound);
    ck_assert_int_eq(parity_close(bounds[_i].left, bounds[_i].right, PARITY_F32, bound,
                                  bounds[_i].largest),
                     bounds[_i].close);
    ck_assert_int_eq(parity_close(bounds[_i].right, bounds[_i].left, PARITY_F32, bound,
                                  bounds[_i].largest),
                     bounds[_i].close);
}
END_TEST

START_TEST(bounds_have_reasons)
{
    for (const parity_bound *bound = parity_bounds; bound->name; bound++) {
        ck_assert_ptr_eq(parity_bound_find(bound->name), bound);
        ck_assert_uint_gt(strlen(bound->reason), 20);
        ck_assert(bound->steps > 0 && isfinite(bound->steps));
    }
    ck_assert_ptr_null(parity_bound_find("nothing"));
    ck_assert_ptr_null(parity_bound_find(""));
}
END_TEST

static const struct {
    const char *key, *version;
    bool matches;
} versions[] = {
    {"<0.8.3", "0.8.2", true},
    {"<0.8.3", "0.8.3", false},
    {"<0.8.3", "0.11.0", false},
    {"<0.10", "0.9.1", true},
    {">=0.9, <0.11", "0.10.0", true},
    {">=0.9, <0.11", "0.11.0", false},
    {">= 0.9 , < 0.11", "0.9.0", true},
    {"0.11.0", "0.11.0", true},
    {"=0.11.0", "0.11.1", false},
    {"!=0.11.0", "0.11.1", true},
    {"<=2.15.0", "2.15.0+cu132", true},
    {"<0.11.0", "0.11.0-rc1", true},
    {"<0.9.1", "0.9", true},
    {">0.9", "0.9.1", true},
    {">0.9", "0.9.0", false},
    {"0.9", "0.9.0", true},
    {"<=0.9.0", "0.9", true},
    {"<0.9.0", "0.9-rc1", true},
    {">0.11.0-rc1", "0.11.0-rc2", true},
    {"candle <0.8.3", "0.8.2", true},
    {"torch <0.8.3", "0.8.2", false},
    {"<", "0.8.2", false},
    {"old", "0.8.2", false},
    {"<0.8.3 or so", "0.8.2", false},
    {"", "0.8.2", false},
};

START_TEST(version_key)
{
    parity_column column =
        sample_column(&sample_candle, "candle@x/cpu", versions[_i].version, "cpu");
    ck_assert_int_eq(parity_version_matches(versions[_i].key, &column),
                     versions[_i].matches);
}
END_TEST

START_TEST(devices_by_name)
{
    ck_assert(parity_same_device("metal", "metal-soft"));
    ck_assert(parity_same_device("cpu", "cpu"));
    ck_assert(!parity_same_device("metal", "cpu"));
    ck_assert(!parity_same_device("metal", "metal2"));
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("difference");
    TCase *all = tcase_create("difference");
    tcase_add_checked_fixture(all, NULL, sample_free);
    tcase_add_test(all, class_comes_first);
    tcase_add_test(all, distance_is_told);
    tcase_add_test(all, tensors_differ);
    tcase_add_test(all, layout_counts_within_one_language);
    tcase_add_test(all, long_tensors_compare_by_hash);
    tcase_add_test(all, kinds_across_languages);
    tcase_add_test(all, numbers_across_languages);
    tcase_add_test(all, lists_tell_the_item);
    tcase_add_loop_test(all, endings_by_kind_and_text, 0, COUNT(endings));
    tcase_add_loop_test(all, bound_never_passes_another_class, 0, COUNT(bounds));
    tcase_add_test(all, bounds_have_reasons);
    tcase_add_loop_test(all, version_key, 0, COUNT(versions));
    tcase_add_test(all, devices_by_name);
    suite_add_tcase(suite, all);
    return suite;
}
