/* Every report on the same hard result, against texts that were reviewed line by line
 * (golden/), and what all of them promise. */
#include "harness/base/memory.h"
#include "reports/digest.h"
#include "reports/fixture.h"
#include "reports/writer.h"
#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static const parity_report_options plain = {.lang = "en", .width = 80};

static char *read_file(const char *name)
{
    const char *root = getenv("PARITY_ROOT");
    parity_buffer path = {0}, text = {0};
    char block[4096];
    size_t count;
    parity_buffer_printf(&path, "%s/%s", root ? root : ".", name);
    FILE *file = fopen(path.data, "rb");
    ck_assert_msg(file != NULL, "cannot open %s", path.data);
    while ((count = fread(block, 1, sizeof block, file)) > 0)
        parity_buffer_add(&text, block, count);
    fclose(file);
    parity_buffer_free(&path);
    return parity_buffer_take(&text);
}

static char *rendered(const char *name, const parity_report_options *options)
{
    parity_buffer out = {0};
    parity_error error;
    const parity_report *report = parity_report_find(name);
    ck_assert_msg(report != NULL, "no report %s", name);
    ck_assert_int_eq(report->render(&out, report_fixture(), options, &error), 0);
    return parity_buffer_take(&out);
}

/* Line by line, so that a failure names the line. */
static void expect_file(char *text, const char *file)
{
    char *expected = read_file(file), *l = text, *r = expected;
    for (int line = 1; *l || *r; line++) {
        size_t nl = strcspn(l, "\n"), nr = strcspn(r, "\n");
        ck_assert_msg(nl == nr && strncmp(l, r, nl) == 0,
                      "%s:%d\n   is: %.*s\n  not: %.*s", file, line, (int)nl, l, (int)nr,
                      r);
        ck_assert_msg(l[nl] == r[nr], "%s:%d: the text ends", file, line);
        l += nl + (l[nl] == '\n');
        r += nr + (r[nr] == '\n');
    }
    free(text);
    free(expected);
}

static const struct {
    const char *report, *file;
    int width; /* 0: that of a usual terminal */
} goldens[] = {
    {"transcript", "reports/golden/transcript.txt"},
    {"markdown", "reports/golden/markdown.md"},
    {"terminal", "reports/golden/terminal.txt"},
    {"relations", "reports/golden/relations.txt"},
    {"json", "reports/golden/report.json"},
    {"case", "reports/golden/case.txt"},
    {"case", "reports/golden/case_wide.txt", 120},
    {"csv", "reports/golden/csv.txt"},
    {"junit", "reports/golden/junit.xml"},
};

START_TEST(report_as_reviewed)
{
    parity_report_options options = plain;
    if (goldens[_i].width)
        options.width = goldens[_i].width;
    expect_file(rendered(goldens[_i].report, &options), goldens[_i].file);
}
END_TEST

/* One line of a mapping in another language, and colours only when asked for. */
START_TEST(options_are_kept)
{
    parity_report_options options = {.lang = "zh", .width = 80, .colour = true};
    char *markdown = rendered("markdown", &options),
         *terminal = rendered("terminal", &options);
    ck_assert_ptr_nonnull(strstr(markdown, "## 克隆\n"));
    ck_assert_ptr_nonnull(strstr(terminal, "\x1b[1;31mchanged\x1b[0m"));
    options.verbose = true;
    char *verbose = rendered("terminal", &options);
    ck_assert_ptr_nonnull(strstr(verbose, "the case says: The handle | sees `it`."));
    free(markdown);
    free(terminal);
    free(verbose);
}
END_TEST

/* What every report must do: UTF-8, whole lines, no control characters of a program's
 * making. */
START_TEST(every_report_is_safe)
{
    size_t count = 0;
    for (const parity_report *const *report = parity_reports; *report;
         report++, count++) {
        ck_assert_ptr_eq(parity_report_find((*report)->name), *report);
        ck_assert_uint_gt(strlen((*report)->about), 10);
        char *text = rendered((*report)->name, &plain);
        ck_assert_msg(strlen(text) > 0 && text[strlen(text) - 1] == '\n',
                      "%s ends in a line", (*report)->name);
        /* A transcript is what the program printed, byte for byte. */
        bool verbatim = strcmp((*report)->name, "transcript") == 0;
        /* RFC 4180 ends its lines so. */
        bool csv = strcmp((*report)->name, "csv") == 0;
        for (const char *p = text; *p; p++)
            ck_assert_msg((unsigned char)*p >= 0x20 || *p == '\n' || verbatim ||
                              (csv && *p == '\r' && p[1] == '\n'),
                          "%s prints \\x%02x", (*report)->name, (unsigned)*p);
        utf8proc_int32_t character;
        for (const char *p = text; *p;) {
            utf8proc_ssize_t used =
                utf8proc_iterate((const utf8proc_uint8_t *)p, -1, &character);
            ck_assert_msg(used > 0, "%s is not UTF-8", (*report)->name);
            p += used;
        }
        free(text);
        report_fixture_free();
    }
    ck_assert_uint_ge(count, 5);
    ck_assert_ptr_null(parity_report_find("nothing"));
}
END_TEST

/* A report of nothing is still a report. */
START_TEST(every_report_takes_an_empty_result)
{
    parity_result nothing = {0};
    for (const parity_report *const *report = parity_reports; *report; report++) {
        parity_buffer out = {0};
        parity_error error;
        ck_assert_int_eq((*report)->render(&out, &nothing, &plain, &error), 0);
        parity_buffer_free(&out);
    }
}
END_TEST

/* As much of JSON Schema as docs/report.schema.json uses. */
static void check_schema(const json_t *schema, const json_t *root, const json_t *value,
                         const char *where);

static bool has_type(const json_t *value, const char *type)
{
    static const struct {
        const char *name;
        int type;
    } types[] = {{"object", JSON_OBJECT},   {"array", JSON_ARRAY},
                 {"string", JSON_STRING},   {"null", JSON_NULL},
                 {"integer", JSON_INTEGER}, {"number", JSON_REAL},
                 {"number", JSON_INTEGER}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0 && (int)json_typeof(value) == types[i].type)
            return true;
    return strcmp(type, "boolean") == 0 && json_is_boolean(value);
}

static void check_type(const json_t *type, const json_t *value, const char *where)
{
    bool found =
        !type || (json_is_string(type) && has_type(value, json_string_value(type)));
    size_t i;
    const json_t *one;
    json_array_foreach (type, i, one)
        found = found || has_type(value, json_string_value(one));
    ck_assert_msg(found, "%s has another type", where);
}

static void check_members(const json_t *schema, const json_t *root, const json_t *value)
{
    const json_t *known = json_object_get(schema, "properties"), *one;
    const json_t *more = json_object_get(schema, "additionalProperties");
    size_t i;
    const char *key;
    json_t *member;
    const json_t *least = json_object_get(schema, "minProperties"),
                 *most = json_object_get(schema, "maxProperties");
    json_int_t count = (json_int_t)json_object_size(value);
    ck_assert_msg(!least || count >= json_integer_value(least), "too few members");
    ck_assert_msg(!most || count <= json_integer_value(most), "too many members");
    json_array_foreach (json_object_get(schema, "required"), i, one)
        ck_assert_msg(json_object_get(value, json_string_value(one)) != NULL,
                      "%s is missing", json_string_value(one));
    json_object_foreach ((json_t *)value, key, member) {
        const json_t *sub = json_object_get(known, key);
        ck_assert_msg(sub || !json_is_false(more), "%s is not in the schema", key);
        if (sub || more)
            check_schema(sub ? sub : more, root, member, key);
    }
}

static void check_schema(const json_t *schema, const json_t *root, const json_t *value,
                         const char *where)
{
    const json_t *reference = json_object_get(schema, "$ref"), *item;
    size_t i;
    if (reference) {
        const char *name = json_string_value(reference) + strlen("#/$defs/");
        schema = json_object_get(json_object_get(root, "$defs"), name);
        ck_assert_msg(schema != NULL, "no definition %s", name);
    }
    check_type(json_object_get(schema, "type"), value, where);
    const json_t *values = json_object_get(schema, "enum");
    bool found = !values;
    json_array_foreach (values, i, item)
        found = found || json_equal(item, value);
    ck_assert_msg(found, "%s has a value that is not in the schema", where);
    if (json_is_object(value))
        check_members(schema, root, value);
    json_array_foreach (value, i, item)
        check_schema(json_object_get(schema, "items"), root, item, where);
}

START_TEST(json_follows_its_schema)
{
    json_error_t error;
    char *text = rendered("json", &plain), *file = read_file("docs/report.schema.json");
    json_t *value = json_loads(text, 0, &error), *schema = json_loads(file, 0, &error);
    ck_assert_msg(value && schema, "line %d: %s", error.line, error.text);
    check_schema(schema, schema, value, "report");
    json_decref(value);
    json_decref(schema);
    free(text);
    free(file);
}
END_TEST

static const struct {
    const char *text, *plain, *markdown, *code, *shell;
} texts[] = {
    {"a|b", "a|b", "a\\|b", "`a\\|b`", "'a|b'"},
    {"`c`", "`c`", "\\`c\\`", "`` `c` ``", "'`c`'"},
    {"a``b", "a``b", "a\\`\\`b", "```a``b```", "'a``b'"},
    {"<i> & *x*", "<i> & *x*", "&lt;i&gt; &amp; \\*x\\*", "`<i> & *x*`", "'<i> & *x*'"},
    {"it's", "it's", "it's", "`it's`", "'it'\\''s'"},
    {"\x1b[1m\x7f", "\\x1b[1m\\x7f", "\\x1b\\[1m\\x7f", "`\\x1b[1m\\x7f`",
     "'\x1b[1m\x7f'"},
    {"\u202eabc", "\\u{202e}abc", "\\u{202e}abc", "`\\u{202e}abc`", "'\u202eabc'"},
    {"\xff\xe4", "\ufffd\ufffd", "\ufffd\ufffd", "`\ufffd\ufffd`", "'\xff\xe4'"},
    {"pages/a[f32]", "pages/a[f32]", "pages/a\\[f32\\]", "`pages/a[f32]`",
     "'pages/a[f32]'"},
    {"core/cpu", "core/cpu", "core/cpu", "`core/cpu`", "core/cpu"},
};

START_TEST(texts_are_escaped)
{
    parity_buffer out[4] = {{0}, {0}, {0}, {0}};
    report_plain(&out[0], texts[_i].text);
    report_markdown(&out[1], texts[_i].text);
    report_markdown_code(&out[2], texts[_i].text);
    report_shell(&out[3], texts[_i].text);
    ck_assert_str_eq(out[0].data, texts[_i].plain);
    ck_assert_str_eq(out[1].data, texts[_i].markdown);
    ck_assert_str_eq(out[2].data, texts[_i].code);
    ck_assert_str_eq(out[3].data, texts[_i].shell);
    json_t *string = report_json(texts[_i].text);
    ck_assert(json_is_string(string));
    json_decref(string);
    for (int i = 0; i < 4; i++)
        parity_buffer_free(&out[i]);
}
END_TEST

/* Text in XML, CSV, and JSON in a script of HTML. */
static const struct {
    const char *text, *xml, *csv, *script;
} fields[] = {
    {"a<b>&\"'", "a&lt;b&gt;&amp;&quot;'", "\"a<b>&\"\"'\"", "a\\u003cb>&\"'"},
    {"</script><!--", "&lt;/script&gt;&lt;!--", "</script><!--",
     "\\u003c/script>\\u003c!--"},
    {"a,b", "a,b", "\"a,b\"", "a,b"},
    {"a\nb", "a\nb", "a\\x0ab", "a\nb"},
    {"\x1b[1m", "\\x1b[1m", "\\x1b[1m", "\x1b[1m"},
    {"\xef\xbf\xbf\xff", "\ufffd\ufffd", "\xef\xbf\xbf\ufffd", "\xef\xbf\xbf\xff"},
    {"", "", "", ""},
};

START_TEST(fields_are_escaped)
{
    parity_buffer out[3] = {{0}, {0}, {0}};
    report_xml(&out[0], fields[_i].text);
    report_csv(&out[1], fields[_i].text);
    report_script_data(&out[2], fields[_i].text);
    ck_assert_str_eq(out[0].data ? out[0].data : "", fields[_i].xml);
    ck_assert_str_eq(out[1].data ? out[1].data : "", fields[_i].csv);
    ck_assert_str_eq(out[2].data ? out[2].data : "", fields[_i].script);
    for (int i = 0; i < 3; i++)
        parity_buffer_free(&out[i]);
}
END_TEST

START_TEST(width_counts_cells)
{
    parity_buffer out = {0};
    ck_assert_uint_eq(report_width("abc"), 3);
    ck_assert_uint_eq(report_width("测试"), 4);
    ck_assert_uint_eq(report_width("e\u0301"), 1);
    report_pad(&out, "测", 4);
    ck_assert_str_eq(out.data, "测  ");
    parity_buffer_free(&out);
    char *cut = report_shorten("测试", 4);
    ck_assert_str_eq(cut, "测…");
    free(cut);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("reports");
    TCase *all = tcase_create("reports");
    tcase_add_checked_fixture(all, NULL, report_fixture_free);
    tcase_add_loop_test(all, report_as_reviewed, 0, COUNT(goldens));
    tcase_add_test(all, options_are_kept);
    tcase_add_test(all, every_report_is_safe);
    tcase_add_test(all, every_report_takes_an_empty_result);
    tcase_add_test(all, json_follows_its_schema);
    tcase_add_loop_test(all, texts_are_escaped, 0, COUNT(texts));
    tcase_add_loop_test(all, fields_are_escaped, 0, COUNT(fields));
    tcase_add_test(all, width_counts_cells);
    suite_add_tcase(suite, all);
    return suite;
}
