/* model: values and outcomes to and from JSON, every kind, and everything a worker may
 * get wrong. */
#include "harness/base/memory.h"
#include "harness/model/outcome.h"
#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>

/* One of each kind, written as value_to_json writes it: reading and writing gives the
 * same text. */
static const char *const good[] = {
    "{\"unit\": null}",
    "{\"bool\": true}",
    "{\"int\": \"-9223372036854775809\"}",
    "{\"float\": {\"bits\": \"cdcccc3d\", \"dtype\": \"f32\"}}",
    "{\"float\": {\"bits\": \"000000000000f0bf\", \"dtype\": \"f64\"}}",
    "{\"text\": \"\\u5f20\\\"\"}",
    "{\"id\": 4}",
    "{\"mib\": 64.0}",
    "{\"list\": [{\"int\": \"1\"}, {\"list\": []}]}",
    "{\"ok\": {\"unit\": null}}",
    "{\"err\": \"slice-set only supports contiguous tensors\"}",
    "{\"some\": {\"bool\": false}}",
    "{\"none\": null}",
    "{\"raised\": {\"type\": \"RuntimeError\", \"text\": \"no\"}}",
    "{\"other\": {\"type\": \"DType\", \"text\": \"F32\"}}",
    "{\"tensor\": {\"dtype\": \"f32\", \"shape\": [1, 2], \"bits\": \"AACAPwAAAEA=\", "
    "\"strides\": [2, 1], \"offset\": 0, \"storage\": \"s1\", \"handle\": \"h1\", "
    "\"facts\": {\"variable\": \"true\"}}}",
    "{\"tensor\": {\"dtype\": \"u8\", \"shape\": [0], \"bits\": \"\", \"host\": true}}",
};

START_TEST(value_round_trip)
{
    json_error_t where;
    json_t *json = json_loads(good[_i], 0, &where);
    ck_assert_msg(json != NULL, "%s", where.text);
    parity_names storages = {0}, handles = {0};
    parity_value *value = NULL;
    parity_error error = {0};
    ck_assert_msg(parity_value_from_json(&value, json, &storages, &handles, &error) == 0,
                  "%s: %s", good[_i], error.message);
    json_t *again = parity_value_to_json(value);
    ck_assert_msg(json_equal(json, again), "%s became %s", good[_i],
                  json_dumps(again, 0));
    json_decref(json);
    json_decref(again);
    parity_value_free(value);
    parity_names_free(&storages);
    parity_names_free(&handles);
}
END_TEST

static const char *const bad[] = {
    "{}",
    "[]",
    "{\"unit\": null, \"bool\": true}",
    "{\"nothing\": 1}",
    "{\"bool\": 1}",
    "{\"int\": 1}",
    "{\"int\": \"01\"}",
    "{\"int\": \"1.5\"}",
    "{\"int\": \"\"}",
    "{\"int\": \"-0\"}",
    "{\"float\": {\"bits\": \"00\", \"dtype\": \"f32\"}}",
    "{\"float\": {\"bits\": \"0000803g\", \"dtype\": \"f32\"}}",
    "{\"float\": {\"bits\": \"0000803f\", \"dtype\": \"f16\"}}",
    "{\"float\": \"0000803f\"}",
    "{\"id\": \"4\"}",
    "{\"list\": {}}",
    "{\"list\": [1]}",
    "{\"ok\": null}",
    "{\"raised\": {\"type\": \"RuntimeError\"}}",
    "{\"tensor\": {}}",
    "{\"tensor\": {\"dtype\": \"f31\", \"shape\": [], \"bits\": \"\", \"host\": true}}",
    "{\"tensor\": {\"dtype\": \"f32\", \"shape\": [2], \"bits\": \"AACAPw==\", \"host\": "
    "true}}",
    "{\"tensor\": {\"dtype\": \"f32\", \"shape\": [-1], \"bits\": \"\", \"host\": true}}",
    "{\"tensor\": {\"dtype\": \"f32\", \"shape\": [4611686018427387904, 4], \"bits\": "
    "\"\", \"host\": true}}",
    "{\"tensor\": {\"dtype\": \"f32\", \"shape\": [], \"bits\": \"AACAPw==\"}}",
    "{\"tensor\": {\"dtype\": \"u8\", \"shape\": [1], \"bits\": \"AA==\", \"strides\": "
    "[], "
    "\"offset\": 0, \"storage\": \"a\", \"handle\": \"b\"}}",
    "{\"tensor\": {\"dtype\": \"u8\", \"shape\": [200], \"hash\": \"0123456789abcdef\", "
    "\"head\": \"AA==\", \"tail\": \"AA==\", \"host\": true}}",
};

START_TEST(value_refuses)
{
    json_t *json = json_loads(bad[_i], 0, NULL);
    ck_assert_msg(json != NULL, "%s is no JSON", bad[_i]);
    parity_names names = {0};
    parity_value *value = NULL;
    parity_error error = {0};
    ck_assert_msg(parity_value_from_json(&value, json, &names, &names, &error) == -1,
                  "%s was taken", bad[_i]);
    ck_assert_str_ne(error.message, "");
    json_decref(json);
    parity_names_free(&names);
}
END_TEST

START_TEST(nesting_is_bounded)
{
    parity_buffer text = {0};
    for (int i = 0; i < 1000; i++)
        parity_buffer_text(&text, "{\"list\": [");
    parity_buffer_text(&text, "{\"unit\": null}");
    for (int i = 0; i < 1000; i++)
        parity_buffer_text(&text, "]}");
    json_t *json = json_loads(text.data, 0, NULL);
    parity_names names = {0};
    parity_value *value = NULL;
    ck_assert_int_eq(parity_value_from_json(&value, json, &names, &names, NULL), -1);
    json_decref(json);
    parity_buffer_free(&text);
}
END_TEST

START_TEST(same_names_same_numbers)
{
    parity_names names = {0};
    ck_assert_uint_eq(parity_names_number(&names, "0x7f"), 1);
    ck_assert_uint_eq(parity_names_number(&names, "0x80"), 2);
    ck_assert_uint_eq(parity_names_number(&names, "0x7f"), 1);
    parity_names_free(&names);
}
END_TEST

static const char *const outcomes[] = {
    "{\"value\": null}",
    "{\"value\": {\"bool\": true}}",
    "{\"error\": {\"type\": \"RuntimeError\", \"text\": \"a\", \"line\": 3, \"column\": "
    "1}}",
    "{\"panic\": {\"text\": \"p\"}}",
    "{\"refused\": {\"type\": \"E0382\", \"text\": \"t\", \"detail\": \"d\", \"line\": "
    "7, "
    "\"column\": 18}}",
    "{\"hang\": {\"text\": \"lock\"}}",
    "{\"unsupported\": {\"text\": \"match\", \"line\": 1, \"column\": 2}}",
    "{\"not_reached\": {}}",
};

START_TEST(outcome_round_trip)
{
    json_t *json = json_loads(outcomes[_i], 0, NULL);
    parity_names names = {0};
    parity_outcome outcome = {0};
    parity_error error = {0};
    ck_assert_msg(parity_outcome_from_json(&outcome, json, &names, &names, &error) == 0,
                  "%s", error.message);
    json_t *again = parity_outcome_to_json(&outcome);
    ck_assert_msg(json_equal(json, again), "%s", outcomes[_i]);
    json_decref(json);
    json_decref(again);
    parity_outcome_clear(&outcome);
}
END_TEST

START_TEST(outcome_survives_bytes_that_are_no_text)
{
    parity_outcome outcome = {0};
    parity_outcome_set(&outcome, PARITY_PANIC, NULL, "a\xFF", (parity_pos){0, 0});
    parity_outcome_set(&outcome, PARITY_ERROR, "T", outcome.text, (parity_pos){1, 0});
    json_t *json = parity_outcome_to_json(&outcome);
    ck_assert_str_eq(
        json_string_value(json_object_get(json_object_get(json, "error"), "text")),
        "a\xC3\xBF");
    json_decref(json);
    parity_outcome_clear(&outcome);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("model");
    TCase *all = tcase_create("model");
    tcase_add_loop_test(all, value_round_trip, 0, sizeof good / sizeof *good);
    tcase_add_loop_test(all, value_refuses, 0, sizeof bad / sizeof *bad);
    tcase_add_test(all, nesting_is_bounded);
    tcase_add_test(all, same_names_same_numbers);
    tcase_add_loop_test(all, outcome_round_trip, 0, sizeof outcomes / sizeof *outcomes);
    tcase_add_test(all, outcome_survives_bytes_that_are_no_text);
    suite_add_tcase(suite, all);
    return suite;
}
