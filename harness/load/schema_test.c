/* docs/case.schema.json says what the tables of form.c say, no more and no less.
 *
 * The schema is made of the tables. Run this test with PARITY_WRITE_SCHEMA=1 to write it
 * anew. */
#include "harness/base/buffer.h"
#include "harness/load/form.h"
#include "tools/test_main.h"

#include <jansson.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *form_json(const parity_form *form, json_t *definitions);

/* A reference, after the form was added to the definitions. */
static json_t *reference(const parity_form *form, json_t *definitions)
{
    if (json_object_get(definitions, form->name) == NULL) {
        json_object_set_new(definitions, form->name, json_null());
        json_object_set_new(definitions, form->name, form_json(form, definitions));
    }
    return json_pack("{s:o}", "$ref", json_sprintf("#/definitions/%s", form->name));
}

static json_t *scalar_json(const parity_form *form)
{
    static const char *const types[][4] = {
        [PARITY_TEXT] = {"string"},
        [PARITY_NUMBER] = {"string", "number"},
        [PARITY_TRUTH] = {"boolean"},
        [PARITY_ANY] = {"string", "number", "boolean"},
    };
    json_t *out = json_object();
    json_t *type = json_array();
    for (size_t i = 0; types[form->scalar][i] != NULL; i++)
        json_array_append_new(type, json_string(types[form->scalar][i]));
    if (json_array_size(type) == 1)
        json_object_set(out, "type", json_array_get(type, 0));
    else
        json_object_set(out, "type", type);
    json_decref(type);
    if (form->words != NULL) {
        json_t *words = json_array();
        for (size_t i = 0; form->words[i] != NULL; i++)
            json_array_append_new(words, json_string(form->words[i]));
        json_object_set_new(out, "enum", words);
    } else if (form->pattern != NULL) {
        json_object_set_new(out, "pattern", json_string(form->pattern));
    } else if (form->scalar != PARITY_TRUTH) {
        json_object_set_new(out, "minLength", json_integer(1));
    }
    if (form->expands)
        out = json_pack("{s:[o,{s:s,s:s}]}", "anyOf", out, "type", "string", "pattern",
                        "\\$\\{");
    return out;
}

static json_t *mapping_json(const parity_form *form, json_t *definitions)
{
    json_t *out = json_pack("{s:s}", "type", "object");
    if (form->keys == NULL) {
        json_object_set_new(out, "additionalProperties",
                            reference(form->values, definitions));
        if (form->names != NULL)
            json_object_set_new(out, "propertyNames",
                                reference(form->names, definitions));
        return out;
    }
    json_t *properties = json_object();
    json_t *required = json_array();
    for (const parity_key *key = form->keys; key->name != NULL; key++) {
        json_t *value = reference(key->form, definitions);
        json_object_set_new(value, "description", json_string(key->doc));
        json_object_set_new(properties, key->name, value);
        if (key->required)
            json_array_append_new(required, json_string(key->name));
    }
    json_object_set_new(out, "properties", properties);
    json_object_set_new(out, "additionalProperties", json_false());
    if (json_array_size(required) > 0)
        json_object_set(out, "required", required);
    json_decref(required);
    return out;
}

static json_t *form_json(const parity_form *form, json_t *definitions)
{
    json_t *shapes = json_array();
    if (form->shapes & PARITY_SCALAR)
        json_array_append_new(shapes, scalar_json(form));
    if (form->shapes & PARITY_MAPPING)
        json_array_append_new(shapes, mapping_json(form, definitions));
    if (form->shapes & PARITY_SEQUENCE)
        json_array_append_new(shapes, json_pack("{s:s,s:o}", "type", "array", "items",
                                                reference(form->items, definitions)));
    json_t *out = json_pack("{s:s}", "description", form->wants);
    if (json_array_size(shapes) == 1)
        json_object_update(out, json_array_get(shapes, 0));
    else
        json_object_set(out, "anyOf", shapes);
    json_decref(shapes);
    return out;
}

static json_t *whole_schema(void)
{
    json_t *definitions = json_object();
    json_t *out =
        json_pack("{s:s,s:s}", "$schema", "http://json-schema.org/draft-07/schema#",
                  "title", "A case of Parity");
    json_t *root = form_json(&parity_form_case, definitions);
    json_object_update(out, root);
    json_decref(root);
    json_object_set_new(out, "definitions", definitions);
    return out;
}

/* Appends a line for every place where the two differ. */
static void compare(parity_buffer *out, const char *path, const json_t *table,
                    const json_t *file)
{
    if (json_equal(table, file))
        return;
    if (!json_is_object(table) || !json_is_object(file)) {
        parity_buffer_printf(out, "%s\n", path);
        return;
    }
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)table, key, value) {
        parity_buffer below = {0};
        parity_buffer_printf(&below, "%s/%s", path, key);
        if (json_object_get(file, key) == NULL)
            parity_buffer_printf(out, "%s is in the table only\n", below.data);
        else
            compare(out, below.data, value, json_object_get(file, key));
        parity_buffer_free(&below);
    }
    json_object_foreach ((json_t *)file, key, value)
        if (json_object_get(table, key) == NULL)
            parity_buffer_printf(out, "%s/%s is in the schema only\n", path, key);
}

START_TEST(schema_is_the_tables)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/docs/case.schema.json", getenv("PARITY_ROOT"));
    json_t *table = whole_schema();
    if (getenv("PARITY_WRITE_SCHEMA") != NULL) {
        FILE *out = fopen(path, "w");
        ck_assert(out != NULL && json_dumpf(table, out, JSON_INDENT(2)) == 0);
        ck_assert(fputc('\n', out) == '\n' && fclose(out) == 0);
    }
    json_error_t error;
    json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(file != NULL, "%s: %s", path, error.text);
    parity_buffer differences = {0};
    compare(&differences, "", table, file);
    ck_assert_msg(
        differences.length == 0,
        "docs/case.schema.json and harness/load/form.c differ (run this test with "
        "PARITY_WRITE_SCHEMA=1 to write the schema anew):\n%s",
        differences.data);
    json_decref(table);
    json_decref(file);
}
END_TEST

START_TEST(differences_are_seen)
{
    json_t *table = whole_schema();
    json_t *file = json_deep_copy(table);
    json_t *row = json_object_get(json_object_get(file, "definitions"), "row");
    json_object_del(json_object_get(row, "properties"), "of");
    json_object_set_new(row, "required", json_array());
    parity_buffer out = {0};
    compare(&out, "", table, file);
    ck_assert_str_eq(out.data, "/definitions/row/properties/of is in the table only\n"
                               "/definitions/row/required\n");
    parity_buffer_free(&out);
    json_decref(table);
    json_decref(file);
}
END_TEST

/* The schema's pattern and the loader's function say the same of these texts. */
static void check_pattern(const parity_form *form)
{
    static const char *const texts[] = {"",           "a",
                                        "A",          "a b",
                                        "a-b",        "a_1",
                                        "1",          "0.5",
                                        "2s",         "2 s",
                                        "500ms",      "1.5min",
                                        "1.",         ".5",
                                        "4GiB",       "4gib",
                                        "4.5GiB",     "<0.8.3",
                                        "< 1",        "<=1.2",
                                        "=>1",        ">=2, <3",
                                        ">=2,<3",     "torch",
                                        "torch <2.1", "candle >=0.8, <0.9.1",
                                        "==1",        "!=1",
                                        "tch 1",      "1.2.",
                                        "f32",        "f8+e4",
                                        "a,b",        "[a]",
                                        "1,",         "<",
                                        "1 ",         "-1",
                                        "é",          "a\nb",
                                        "\n"};
    regex_t regex;
    ck_assert_int_eq(regcomp(&regex, form->pattern, REG_EXTENDED | REG_NOSUB), 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_msg(form->accepts(texts[i]) ==
                          (regexec(&regex, texts[i], 0, NULL, 0) == 0),
                      "%s: `%s`", form->name, texts[i]);
    regfree(&regex);
}

static size_t walk(const parity_form *form, const parity_form **seen, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (seen[i] == form)
            return count;
    ck_assert_uint_lt(count, 100);
    seen[count++] = form;
    ck_assert_msg((form->pattern == NULL) == (form->accepts == NULL), "%s", form->name);
    if (form->pattern != NULL)
        check_pattern(form);
    for (const parity_key *key = form->keys; key != NULL && key->name != NULL; key++) {
        ck_assert_msg(key->doc[strlen(key->doc) - 1] == '.', "%s needs a sentence",
                      key->name);
        count = walk(key->form, seen, count);
    }
    const parity_form *below[] = {form->items, form->values, form->names};
    for (size_t i = 0; i < 3; i++)
        if (below[i] != NULL)
            count = walk(below[i], seen, count);
    return count;
}

START_TEST(patterns_and_functions_agree)
{
    const parity_form *seen[100];
    size_t count = walk(&parity_form_case, seen, 0);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            ck_assert_msg(strcmp(seen[i]->name, seen[j]->name) != 0,
                          "two forms are called %s", seen[i]->name);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("schema");
    TCase *tests = tcase_create("schema");
    tcase_add_test(tests, schema_is_the_tables);
    tcase_add_test(tests, differences_are_seen);
    tcase_add_test(tests, patterns_and_functions_agree);
    suite_add_tcase(suite, tests);
    return suite;
}
