/* Case texts to cases: what they mean. */
#include "harness/load/form.h"
#include "tools/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "title: t\ntorch: |\n  x = 1\ncandle: |\n  let x = 1;\n"

static parity_suite load(const char *text)
{
    parity_suite suite = {0};
    parity_load_file(&suite, "t.yaml", "t", text, strlen(text));
    return suite;
}

/* All problems, one "line:column: message" a line. */
static char *problems(const parity_suite *suite)
{
    parity_buffer out = {0};
    for (size_t i = 0; i < suite->nproblems; i++)
        parity_buffer_printf(&out, "%s%d:%d: %s", i > 0 ? "\n" : "",
                             suite->problems[i].pos.line, suite->problems[i].pos.column,
                             suite->problems[i].message);
    return parity_buffer_take(&out);
}

static parity_suite load_good(const char *text)
{
    parity_suite suite = load(text);
    char *found = problems(&suite);
    ck_assert_msg(suite.nproblems == 0, "%s", found);
    free(found);
    return suite;
}

static void check_template(const char *text, const char *expected)
{
    parity_buffer yaml = {0};
    parity_buffer_printf(&yaml, HEAD "rows:\n  - id: a\n    %s\n", text);
    parity_suite suite = load_good(yaml.data);
    const parity_case *test = &suite.cases[0];
    int l = test->nobserve[0] > 0 || test->rows[0].text[0].pieces != NULL ? 0 : 1;
    parity_buffer found = {0};
    for (size_t i = 0; i < test->rows[0].text[l].npieces; i++) {
        const parity_piece *piece = &test->rows[0].text[l].pieces[i];
        if (piece->literal != NULL) {
            parity_buffer_printf(&found, "<%s>", piece->literal);
            continue;
        }
        const parity_expr *expr = &test->observe[l][piece->observe];
        parity_buffer_printf(&found, "[%s|%s|%d]", expr->name != NULL ? expr->name : "",
                             expr->text, expr->decimals);
    }
    ck_assert_str_eq(found.data, expected);
    parity_buffer_free(&found);
    parity_buffer_free(&yaml);
    parity_suite_free(&suite);
}

START_TEST(templates)
{
    check_template("torch: '{{k: v}} {x}'", "<{k: v} >[|x|-1]");
    check_template("torch: '{a == b}{n=a == b}{n_2=x}'",
                   "[|a == b|-1][n|a == b|-1][n_2|x|-1]");
    check_template("torch: '{a==b}'", "[|a==b|-1]");
    check_template("torch: '{sd[\"weight\"]} {x[{''a'':1}[''a'']]:.0}'",
                   "[|sd[\"weight\"]|-1]< >[|x[{'a':1}['a']]|0]");
    check_template("torch: '{mib=f(x, y):.12}'", "[mib|f(x, y)|12]");
    check_template("torch: '{x[1:.5]} {x[:, 1:2]} {(lambda: 3)()}'",
                   "[|x[1:.5]|-1]< >[|x[:, 1:2]|-1]< >[|(lambda: 3)()|-1]");
    check_template("torch: '{\"}\"}{f(\"\\\"}\")}'", "[|\"}\"|-1][|f(\"\\\"}\")|-1]");
    check_template("torch: '{\"\"\"a\"}\"\"\"}'", "[|\"\"\"a\"}\"\"\"|-1]");
    check_template("torch: '{ x }'", "[|x|-1]");
    check_template("torch: ' '", "< >");
    check_template("candle: '{x[\"a\"]} {v.iter().map(|c| c == ''}'').count()}'",
                   "[|x[\"a\"]|-1]< >[|v.iter().map(|c| c == '}').count()|-1]");
    check_template("candle: '{r#\"}\"{\"#} {br\"\\\"}'",
                   "[|r#\"}\"{\"#|-1]< >[|br\"\\\"|-1]");
    check_template("candle: '{f::<''static, u8>(&x)} {''\\''''}'",
                   "[|f::<'static, u8>(&x)|-1]< >[|'\\''|-1]");
    check_template("candle: '{DType::F32} {{if a { b } else { c }}}'",
                   "[|DType::F32|-1]< {if a >[|b|-1]< else >[|c|-1]<}>");
    check_template("candle: '{if a { b } else { c }}'", "[|if a { b } else { c }|-1]");
}
END_TEST

static const parity_case *find(const parity_suite *suite, const char *id)
{
    for (size_t i = 0; i < suite->ncases; i++)
        if (strcmp(suite->cases[i].id, id) == 0)
            return &suite->cases[i];
    ck_abort_msg("no case %s", id);
    return NULL;
}

START_TEST(matrix_makes_cases)
{
    parity_suite suite = load_good(
        "title: ${dtype}\n"
        "torch: |\n  x = torch.ones(2, dtype=${dtype})\n"
        "candle: |\n  let x = Tensor::ones(2, ${dtype}, &dev)?; // $${dtype} $x\n"
        "matrix:\n  dtype: {f32: {torch: torch.float32, candle: DType::F32}, u8: {torch: "
        "torch.uint8, candle: DType::U8}}\n  n: [1, 2]\n"
        "data: {d: {dtype: '${dtype}', shape: ['${n}'], pattern: ones}}\n"
        "ends: {candle: [{when: {dtype: u8, n: 2}, panic: 'no ${dtype}', at: "
        "'${dtype}'}]}\n"
        "rows:\n  - id: a\n    torch: '${dtype} {x}'\n    candle: '{x}'\n"
        "    finding:\n      - {when: {dtype: u8}, text: 'only ${dtype}'}\n"
        "      - {when: {n: [2]}, text: {en: second, zh: 二}}\n");
    ck_assert_uint_eq(suite.ncases, 4);
    const parity_case *test = find(&suite, "t[u8,2]");
    ck_assert_str_eq(test->title.en, "u8");
    ck_assert_str_eq(test->program[PARITY_TORCH].text,
                     "x = torch.ones(2, dtype=torch.uint8)\n");
    ck_assert_str_eq(test->program[PARITY_CANDLE].text,
                     "let x = Tensor::ones(2, DType::U8, &dev)?; // ${dtype} $x\n");
    ck_assert_str_eq(test->rows[0].text[0].pieces[0].literal, "torch.uint8 ");
    ck_assert_str_eq(test->rows[0].finding.en, "only u8");
    ck_assert_int_eq(test->ends[PARITY_CANDLE].kind, PARITY_PANIC);
    ck_assert_str_eq(test->ends[PARITY_CANDLE].text, "no DType::U8");
    ck_assert_str_eq(test->ends[PARITY_CANDLE].at, "DType::U8");
    ck_assert_int_eq(test->data[0].dtype, PARITY_U8);
    ck_assert_int_eq(test->data[0].shape[0], 2);
    test = find(&suite, "t[f32,2]");
    ck_assert_str_eq(test->rows[0].finding.zh, "二");
    ck_assert_int_eq(test->ends[PARITY_CANDLE].kind, PARITY_VALUE);
    test = find(&suite, "t[f32,1]");
    ck_assert_ptr_null(test->rows[0].finding.en);
    parity_suite_free(&suite);
}
END_TEST

START_TEST(keys_reach_the_case)
{
    parity_suite suite = load_good(
        HEAD
        "timeout: 500ms\nmemory: 2GiB\nfresh: true\nskip: why not\nfinding: because\n"
        "ends: {torch: {error: no}, candle: {refused: E0382, at: let}}\n"
        "devices: {metal: {text: {en: a, zh: b}, ends: {panic: p}}}\n"
        "versions: {'torch <2.1': hm, '<0.8.3': {ends: hang}}\n"
        "subjects:\n  s:\n    torch: {was: a, now: b}\n    candle: {was: c, now: d}\n"
        "    label: L\nrows:\n  - {id: r, of: s, torch: {value: x}, candle: '{x}'}\n"
        "intents:\n  - {effect: e, candle: c, note: n, evidence: [r]}\n");
    const parity_case *test = &suite.cases[0];
    ck_assert(test->timeout == 0.5);
    ck_assert_uint_eq(test->memory, (uint64_t)2 << 30);
    ck_assert(test->fresh);
    ck_assert_str_eq(test->skip, "why not");
    ck_assert_str_eq(test->finding.en, "because");
    ck_assert_int_eq(test->finding.pos.line, 10);
    ck_assert_int_eq(test->ends[PARITY_TORCH].kind, PARITY_ERROR);
    ck_assert_str_eq(test->ends[PARITY_TORCH].text, "no");
    ck_assert_str_eq(test->ends[PARITY_CANDLE].type, "E0382");
    ck_assert_ptr_null(test->ends[PARITY_CANDLE].text);
    ck_assert_str_eq(test->devices[0].sentence.zh, "b");
    ck_assert_int_eq(test->devices[0].ends.kind, PARITY_PANIC);
    ck_assert_str_eq(test->versions[0].key, "torch <2.1");
    ck_assert(!test->versions[0].has_ends && test->versions[1].has_ends);
    ck_assert_ptr_null(test->versions[1].sentence.en);
    ck_assert_uint_eq(test->rows[0].of, 0);
    ck_assert(!test->rows[0].text[PARITY_TORCH].shown &&
              test->rows[0].text[PARITY_CANDLE].shown);
    ck_assert_uint_eq(test->nobserve[PARITY_TORCH], 3);
    ck_assert_str_eq(
        test->observe[PARITY_TORCH][test->subjects[0].was[PARITY_TORCH]].text, "a");
    ck_assert_str_eq(
        test->observe[PARITY_CANDLE][test->subjects[0].now[PARITY_CANDLE]].text, "d");
    ck_assert_str_eq(test->intents[0].evidence[0], "r");
    parity_suite_free(&suite);
}
END_TEST

START_TEST(text_hash_covers_what_engines_get)
{
    static const char rows[] = "rows:\n  - {id: r, torch: '%s {x}', candle: '{%s}'}\n%s";
    static const char *const variants[][3] = {
        {"a", "x", ""},
        {"b", "x", ""}, /* the text around an expression is ours */
        {"a", "y", ""},
        {"a", "x", "memory: 1GiB\n"},
        {"a", "x", "fresh: true\n"},
        {"a", "x", "data: {d: {dtype: f32, shape: [1], pattern: ones}}\n"},
        {"a", "x", "data: {d: {dtype: f32, shape: [1], pattern: zeros}}\n"},
        {"a", "x", "data: {d: {dtype: f32, shape: [1, 1], pattern: zeros}}\n"},
    };
    enum { COUNT = sizeof variants / sizeof *variants };
    uint64_t hashes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        char text[500];
        int n = snprintf(text, sizeof text, "%s", HEAD);
        snprintf(text + n, sizeof text - (size_t)n, rows, variants[i][0], variants[i][1],
                 variants[i][2]);
        parity_suite suite = load_good(text);
        hashes[i] = suite.cases[0].text_hash[PARITY_CANDLE];
        ck_assert_uint_ne(suite.cases[0].text_hash[PARITY_TORCH], hashes[i]);
        parity_suite_free(&suite);
    }
    ck_assert_uint_eq(hashes[0], hashes[1]);
    for (size_t i = 2; i < COUNT; i++)
        for (size_t j = 1; j < i; j++)
            ck_assert_msg(hashes[i] != hashes[j], "%zu and %zu", i, j);
}
END_TEST

static void check_place(const char *text, parity_pos in_program, int line, int column)
{
    parity_suite suite = load_good(text);
    parity_pos pos =
        parity_program_pos(&suite.cases[0].program[PARITY_TORCH], in_program);
    ck_assert_msg(pos.line == line && pos.column == column, "%s: %d:%d is %d:%d", text,
                  in_program.line, in_program.column, pos.line, pos.column);
    parity_suite_free(&suite);
}

START_TEST(places_of_programs)
{
    check_place("title: t\ntorch: |\n  # first\n  if a:\n    b\n", (parity_pos){3, 5}, 5,
                7);
    check_place("title: t\ntorch: |\n\n    a\n      b\n", (parity_pos){3, 3}, 5, 7);
    check_place("title: t\ntorch: |2\n    a\n  b\n", (parity_pos){1, 3}, 3, 5);
    check_place("title: t\r\ntorch: |-\r\n  a\r\n  b = 1\r\n", (parity_pos){2, 3}, 4, 5);
    check_place("title: t\ntorch: a = b\n", (parity_pos){1, 5}, 2, 12);
    check_place("title: t\ntorch: 'a = ''b'' + c'\n", (parity_pos){1, 11}, 2, 21);
    check_place("title: t\ntorch: \"a\\n数 = \\u6743\\\n   + c\\t; d\"\n",
                (parity_pos){2, 9}, 3, 7);
    check_place("title: t\ntorch: >\n  a = 1;\n  b = 2\n\n  c\n", (parity_pos){1, 8}, 4,
                3);
    check_place("title: t\ntorch: >\n  a = 1;\n  b = 2\n\n  c\n", (parity_pos){2, 1}, 6,
                3);
    check_place("title: t\ntorch: |\n  数据 = f(${d}) + 权\nmatrix: {d: [torch]}\n",
                (parity_pos){1, 16}, 3, 17);
    check_place("title: t\ntorch: |\n  a = ${d} + b\nmatrix: {d: [long_name]}\n",
                (parity_pos){1, 9}, 3, 7);
    check_place("title: t\ntorch: |\n  a = ${d} + b\nmatrix: {d: [long_name]}\n",
                (parity_pos){1, 17}, 3, 14);
    const parity_program bare = {.text = "a\nb", .pos = {10, 3}};
    ck_assert_int_eq(parity_program_pos(&bare, (parity_pos){2, 2}).column, 4);
    ck_assert_int_eq(parity_program_pos(&bare, (parity_pos){2, 0}).line, 11);
    ck_assert_int_eq(parity_program_pos(&bare, (parity_pos){0, 0}).line, 0);
}
END_TEST

START_TEST(patterns_choose_cases)
{
    const parity_case test = {.id = "affine/ints[i64,view]",
                              .file = "cases/affine/ints.yaml"};
    const parity_case plain = {.id = "pages/snapshot",
                               .file = "/x/cases/pages/snapshot.yaml"};
    static const char *const yes[] = {NULL,
                                      "*",
                                      "affine/*",
                                      "affine/ints",
                                      "affine/ints[i64,view]",
                                      "*[i64,*]",
                                      "aff*view]",
                                      "affine/int?",
                                      "cases/affine/ints.yaml",
                                      "./cases/affine/ints.yaml",
                                      "ints.yaml",
                                      "/home/me/cases/affine/ints.yaml"};
    static const char *const no[] = {
        "",         "affine",         "affine/ints[u8,view]",
        "ints",     "*/float*",       "cases/affine/int.yaml",
        "nts.yaml", "affine/ints[i64"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        ck_assert_msg(parity_case_matches(&test, yes[i]), "%s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        ck_assert_msg(!parity_case_matches(&test, no[i]), "%s", no[i]);
    ck_assert(parity_case_matches(&plain, "pages/*"));
    ck_assert(parity_case_matches(&plain, "cases/pages/snapshot.yaml"));
    ck_assert(!parity_case_matches(&plain, "snapshot"));
}
END_TEST

START_TEST(cases_of_the_project)
{
    parity_suite suite = {0};
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/cases", getenv("PARITY_ROOT"));
    parity_load_tree(&suite, folder);
    char *found = problems(&suite);
    ck_assert_msg(suite.nproblems == 0, "%s", found);
    free(found);
    const parity_case *test = find(&suite, "pages/snapshot");
    ck_assert_uint_eq(test->nobserve[PARITY_TORCH], 11);
    ck_assert_uint_eq(test->nobserve[PARITY_CANDLE], 12);
    ck_assert_uint_eq(test->nrows, 10);
    ck_assert_str_eq(test->title.zh, "clone 出来的快照跟着参数变");
    ck_assert_str_eq(test->rows[2].text[PARITY_TORCH].pieces[0].literal,
                     "{k: v.clone()}           ");
    test = find(&suite, "pages/references");
    ck_assert_uint_eq(test->nrows, 13);
    ck_assert_int_eq(test->rows[7].versions[0].ends.kind, PARITY_HANG);
    test = find(&suite, "pages/references_moved");
    ck_assert_str_eq(test->ends[PARITY_CANDLE].at, "{a}");
    for (size_t i = 0; i < suite.ncases; i++)
        ck_assert_msg(strncmp(suite.cases[i].id, "selftest/", 9) != 0, "%s",
                      suite.cases[i].id);
    for (size_t i = 1; i < suite.ncases; i++)
        ck_assert_int_lt(strcmp(suite.cases[i - 1].id, suite.cases[i].id), 0);
    parity_suite_free(&suite);
}
END_TEST

static char *read_manual(void)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/docs/cases.md", getenv("PARITY_ROOT"));
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    parity_buffer out = {0};
    for (int c; (c = getc(file)) != EOF;)
        parity_buffer_char(&out, (char)c);
    fclose(file);
    return parity_buffer_take(&out);
}

/* Every example of docs/cases.md that has a title is a whole case. */
START_TEST(examples_of_the_manual)
{
    char *manual = read_manual();
    size_t examples = 0;
    for (char *at = strstr(manual, "```yaml\ntitle:"); at != NULL;
         at = strstr(at, "```yaml\ntitle:")) {
        at += strlen("```yaml\n");
        char *end = strstr(at, "```");
        ck_assert_ptr_nonnull(end);
        *end = '\0';
        parity_suite suite = load_good(at);
        ck_assert_uint_gt(suite.ncases, 0);
        parity_suite_free(&suite);
        at = end + 1;
        examples++;
    }
    ck_assert_uint_ge(examples, 8);
    free(manual);
}
END_TEST

static void check_explained(const char *manual, const parity_form *form, int depth)
{
    for (const parity_key *key = form->keys; key != NULL && key->name != NULL; key++) {
        char text[100];
        snprintf(text, sizeof text, "%s:", key->name);
        ck_assert_msg(strstr(manual, text) != NULL, "docs/cases.md does not explain %s",
                      text);
        if (depth > 0)
            check_explained(manual, key->form, depth - 1);
    }
    const parity_form *below[] = {form->items, form->values};
    for (size_t i = 0; i < 2 && depth > 0; i++)
        if (below[i] != NULL)
            check_explained(manual, below[i], depth - 1);
}

START_TEST(manual_has_every_key)
{
    char *manual = read_manual();
    check_explained(manual, &parity_form_case, 6);
    free(manual);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("load");
    TCase *tests = tcase_create("load");
    tcase_add_test(tests, templates);
    tcase_add_test(tests, matrix_makes_cases);
    tcase_add_test(tests, keys_reach_the_case);
    tcase_add_test(tests, text_hash_covers_what_engines_get);
    tcase_add_test(tests, places_of_programs);
    tcase_add_test(tests, patterns_choose_cases);
    tcase_add_test(tests, cases_of_the_project);
    tcase_add_test(tests, examples_of_the_manual);
    tcase_add_test(tests, manual_has_every_key);
    suite_add_tcase(suite, tests);
    return suite;
}
