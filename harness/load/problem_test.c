/* What is said about case texts that are wrong, and where. */
#include "harness/load/load.h"
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

/* A case text and everything that is said about it. */
static const struct bad {
    const char *text;
    const char *expected;
} bad[] = {
    {"", "1:1: is empty; a case has at least a title and a program"},
    {"# only a comment\n", "1:1: is empty; a case has at least a title and a program"},
    {"- a\n",
     "1:1: the case is a list; it must be a mapping with title:, torch: and candle:"},
    {"title: t\n", "1:1: the case needs a program: torch: or candle:"},
    {"torch: x\n", "1:1: the case needs a key `title`"},
    {"titel: t\ntorch: x\n",
     "1:1: unknown key `titel` in the case, did you mean `title`?\n"
     "1:1: the case needs a key `title`"},
    {HEAD "zzzzzz: 1\n", "6:1: unknown key `zzzzzz` in the case; known are title, about, "
                         "torch, candle, matrix, data, "
                         "subjects, rows, finding, devices, versions, ends, intents, "
                         "timeout, memory, fresh, skip"},
    {HEAD "title: u\n",
     "6:1: key `title` stands here for the second time; the first is in line 1"},
    {"title:\n  en: a\n  en: b\ntorch: x\n",
     "3:3: key `en` stands here for the second time; the first is in line 2"},
    {"title:\ntorch: x\n",
     "1:7: title: is empty; it must be a sentence, or {en: …, zh: …}"},
    {"title: [a]\ntorch: x\n",
     "1:8: title: is a list; it must be a sentence, or {en: …, zh: …}"},
    {"title: {zh: a}\ntorch: x\n", "1:8: title: needs a key `en`"},
    {"title: true\ntorch: 3\n", "1:8: title: must be a sentence, or {en: …, zh: …}; a "
                                "bare true is a boolean in YAML, quote "
                                "it\n2:8: torch: must be a program, as a block of text "
                                "(|); a bare 3 is a number in YAML, "
                                "quote it"},
    {HEAD "fresh: yes\n", "6:8: fresh: must be true or false"},
    {HEAD "fresh: 'true'\n", "6:8: fresh: must be true or false"},
    {HEAD "timeout: 2 s\n",
     "6:10: timeout: `2 s` must be a time such as 2s, 500ms or 1.5"},
    {HEAD "timeout: 0\n", "6:10: a timeout is more than 0 and at most 60 minutes"},
    {HEAD "memory: 4GB\n", "6:9: memory: `4GB` must be a size such as 512MiB or 4GiB"},
    {HEAD "memory: 1KiB\n", "6:9: memory is at least 1MiB and at most 1024GiB"},
    {HEAD "skip: true\n", "6:7: skip: must be a sentence, or a list of {when: …, text: "
                          "sentence}; a bare true is a "
                          "boolean in YAML, quote it"},

    /* rows */
    {HEAD "rows:\n  - id: A b\n    torch: '{x}'\n",
     "7:9: id: `A b` must be a name of a-z, 0-9 and _"},
    {HEAD "rows:\n  - id: a\n", "7:5: row `a` needs torch: or candle:"},
    {HEAD "rows:\n  - torch: '{x}'\n", "7:5: rows: needs a key `id`"},
    {HEAD "rows:\n  - {id: a, torch: '{x}'}\n  - {id: a, torch: '{x}'}\n",
     "8:10: row id `a` stands here for the second time; the first is in line 7"},
    {HEAD "rows:\n  - {id: a, torch: '{x}', of: w}\n", "7:31: `w` names no subject"},
    {HEAD "subjects:\n  weight:\n    torch: {was: a, now: b}\nrows:\n"
          "  - {id: a, torch: '{x}', of: wieght}\n"
          "  - {id: b, candle: '{x}', of: weight}\n"
          "  - {id: c, torch: '{x} {y}', of: weight}\n",
     "10:31: `wieght` names no subject, did you mean `weight`?\n"
     "11:32: the subject `weight` has no candle: side, so this row has no fate there\n"
     "12:20: a row with of: has one expression; this has 2"},
    {HEAD "rows:\n  - {id: a, torch: '{x}', finding: why}\n",
     "7:36: a finding compares the languages; this row needs both torch: and candle:"},
    {"title: t\ntorch: x\nrows:\n  - {id: a, candle: '{x}'}\n",
     "4:21: the case has no candle: program to observe"},
    {HEAD "rows:\n  - {id: a, torch: {valeu: x}}\n",
     "7:21: unknown key `valeu` in torch:, did you mean `value`?\n"
     "7:20: torch: needs a key `value`"},

    /* pairs */
    {HEAD "rows:\n  - {id: a, torch: '{x} {y}', candle: '{x}'}\n",
     "7:39: torch: and candle: pair by position, but have 2 and 1 expressions without a "
     "name; name "
     "those that belong together ({name=…})"},
    {HEAD "rows:\n  - {id: a, torch: '{n=x}', candle: '{m=x}'}\n",
     "7:20: `{n=…}` has no partner of that name in candle:\n"
     "7:37: `{m=…}` has no partner of that name in torch:"},
    {HEAD "rows:\n  - {id: a, torch: '{n=x} {n=y}'}\n",
     "7:20: the name `n` stands here twice"},
    {HEAD "rows:\n  - {id: a, torch: {value: x}, candle: '{x} {y}'}\n",
     "7:40: torch: and candle: pair by position, but have 1 and 2 expressions without a "
     "name; name "
     "those that belong together ({name=…})"},

    /* templates */
    {HEAD "rows:\n  - {id: a, torch: 'a {x'}\n",
     "7:23: this `{` is not closed; a brace in the text itself is doubled: {{"},
    {HEAD "rows:\n  - {id: a, torch: 'a } b'}\n",
     "7:23: this `}` closes nothing; a brace in the text itself is doubled: }}"},
    {HEAD "rows:\n  - {id: a, torch: 'a {} b'}\n",
     "7:23: an expression is missing here; braces in the text itself are doubled: {{}}"},
    {HEAD "rows:\n  - {id: a, torch: '{x=}'}\n",
     "7:21: an expression is missing here; braces in the text itself are doubled: {{}}"},
    {HEAD "rows:\n  - {id: a, torch: '{f(x]}'}\n", "7:25: this `]` closes nothing"},
    {HEAD "rows:\n  - {id: a, torch: '{x[\"a}'}\n", "7:24: this quote is not closed"},
    {HEAD "rows:\n  - {id: a, torch: '{x:.3f}'}\n",
     "7:23: `:.3f` is no format here; the only one is :.3, for decimals"},
    {HEAD "rows:\n  - {id: a, candle: '{x:?}'}\n",
     "7:24: `:?` is no format here; the only one is :.3, for decimals"},
    /* doubled quotes and wide characters before the place */
    {HEAD "rows:\n  - {id: a, torch: '''权'' {x'}\n",
     "7:27: this `{` is not closed; a brace in the text itself is doubled: {{"},
    {HEAD "rows:\n  - id: a\n    torch: \"\\u6743\\t {x\"\n",
     "8:22: this `{` is not closed; a brace in the text itself is doubled: {{"},
    {HEAD "rows:\n  - id: a\n    torch: >-\n      one\n      two {x\n",
     "10:11: this `{` is not closed; a brace in the text itself is doubled: {{"},

    /* ends */
    {HEAD "ends: {candle: hangs}\n",
     "6:16: candle: `hangs` is not known; it must be hang, panic, crash, error, refused, "
     "{refused: E0382, at: …}, or a list of these, did you mean `hang`?"},
    {HEAD "ends: {torch: panic}\n",
     "6:15: a PyTorch program ends with error, hang or crash, never with panic"},
    {HEAD "ends: {torch: {refused: E0382}}\n",
     "6:15: a PyTorch program ends with error, hang or crash, never with refused"},
    {HEAD "ends: {candle: {refused: E382}}\n",
     "6:26: `E382` is no error code; they have four digits"},
    {HEAD "ends: {candle: {refused: E0382, at: y}}\n",
     "6:37: `y` does not occur in the program"},
    {HEAD "ends: {candle: {refused: E0382, panic: x}}\n",
     "6:33: `refused` and `panic` exclude each other"},
    {HEAD "ends: {candle: {at: x}}\n", "6:16: does not say how it ends; name one of "
                                       "refused, error, panic, crash, or ends: with one "
                                       "of the words"},
    {"title: t\ntorch: x\nends: {candle: hang}\n",
     "3:16: the case has no candle: program that could end"},
    {"title: t\ntorch: x\nfinding: why\n",
     "3:10: a finding compares the languages; the case needs both torch: and candle:"},

    /* departures */
    {HEAD "devices: {metall: why}\n", "6:11: devices: `metall` is not known; it must be "
                                      "a device: cpu, cuda or metal, did you mean "
                                      "`metal`?"},
    {HEAD "versions: {'<o.8': why}\n",
     "6:12: versions: `<o.8` must be versions such as '<0.8.3' or 'torch >=2.0, <2.2'"},
    {HEAD "devices: {metal: {zh: a}}\n", "6:23: the English sentence (en:) is missing"},
    {HEAD "devices: {metal: {}}\n", "6:18: a sentence is missing: text: why"},
    {HEAD "devices: {metal: {text: a, en: b}}\n",
     "6:32: en: and zh: belong into text: {en: …, zh: …} here"},

    /* intents */
    {HEAD "rows:\n  - {id: clone, torch: '{x}'}\nintents:\n"
          "  - {effect: e, torch: a, evidence: [clones]}\n"
          "  - {effect: e, torch: a, evidence: []}\n  - {effect: e, evidence: [clone]}\n",
     "9:38: `clones` is no row id, did you mean `clone`?\n"
     "10:37: an intent needs at least one row as evidence\n"
     "11:5: an intent needs torch: or candle:"},

    /* matrix */
    {HEAD "matrix: {d: []}\n", "6:13: `d` has no values, so there would be no case"},
    {HEAD "matrix: {d: [a, b]}\n",
     "6:10: nothing uses ${d}, so all its cases would be the same"},
    {HEAD "matrix: {d: [a, a]}\nabout: ${d}\n", "6:17: d has `a` twice"},
    {HEAD "matrix: {d: ['a b']}\nabout: ${d}\n",
     "6:14: d: `a b` must be a label of letters, digits and _ . + -"},
    {HEAD "matrix: {dtype: [a]}\nabout: ${dtpye} ${dtype}\n",
     "7:8: `${dtpye}` is no name of the matrix, did you mean `dtype`? (write $${dtpye} "
     "for the "
     "text itself)"},
    {"title: t\ntorch: |\n  x = ${d}\nmatrix: {d: {a: {candle: A}}}\n",
     "3:7: the value `a` of d has no torch: text"},
    {HEAD "matrix: {d: [a, b]}\nrows:\n  - id: r\n    torch: '{x}'\n    candle: '{x}'\n"
          "    finding:\n      - {when: {e: a}, text: s}\n      - {when: {d: [a, c]}, "
          "text: s}\n",
     "12:17: `e` is no name of the matrix\n13:24: `c` is no value of d"},
    {HEAD "matrix: {d: [a, b]}\nfinding:\n  - s\n  - {when: {d: a}, text: s}\n",
     "8:5: has no when:, so nothing after it is ever taken; put it last"},

    /* data */
    {HEAD "data: {x: {dtype: f23, shape: [2], pattern: ones}}\n",
     "6:19: `f23` is no dtype, did you mean `f32`?"},
    {HEAD "data: {x: {dtype: f32, shape: [2], pattern: aranges}}\n",
     "6:45: pattern: `aranges` is not known; it must be zeros, ones, arange, signs, "
     "dyadic or edge, "
     "did you mean `arange`?"},
    {HEAD "data: {x: {dtype: f32, shape: [-1], pattern: ones}}\n",
     "6:32: `-1` is no size; it must be a whole number"},
    {HEAD "data: {x: {dtype: f32, shape: [100000, 100000], pattern: ones}}\n",
     "6:31: the tensors of a case may take 32 MiB together"},
    {HEAD "data: {x: {dtype: f32, shape: [3], values: [1, 2]}}\n",
     "6:44: 2 values, but the shape has 3 elements"},
    {HEAD "data: {x: {dtype: f32, values: [[1, 2], [3]]}}\n",
     "6:41: the nested lists are not all of one shape"},
    {HEAD "data: {x: {dtype: u8, values: [1, 256]}}\n", "6:35: 256 does not fit into u8"},
    {HEAD "data: {x: {dtype: u8, values: [1.5]}}\n", "6:32: `1.5` is no u8 number"},
    {HEAD "data: {x: {dtype: f32, shape: [2]}}\n",
     "6:11: tensor `x` needs one of pattern:, values: and file:"},
    {HEAD "data: {x: {dtype: u8, shape: [2], pattern: signs}}\n",
     "6:44: the pattern signs needs a type with a sign; u8 has none"},
    {HEAD "data: {x: {file: ../x.safetensors, tensor: a}}\n",
     "6:18: `../x.safetensors` must lie below the case file's folder"},
    {HEAD "data: {x: {file: none.safetensors, tensor: a}}\n",
     "6:18: none.safetensors cannot be opened: No such file or directory"},

    /* YAML */
    {"title: t\n\ttorch: x\n", "2:1: YAML cannot be indented with a tab; use spaces"},
    {"title: 'a\ntorch: x\n",
     "3:1: not YAML: found unexpected end of stream, while scanning a "
     "quoted scalar that starts in line 1"},
    {"title: *a\n",
     "1:8: case files have no aliases (*name); write it out, or use matrix:"},
    {"title: &a b\n",
     "1:8: case files have no anchors (&name) and no tags (!name); quote a text "
     "that begins with &, * or !"},
    {"title: !!python/object b\n", "1:8: case files have no anchors (&name) and no tags "
                                   "(!name); quote a text that begins with "
                                   "&, * or !"},
    {"title: t\ntorch: x\n---\ntitle: u\n",
     "3:1: a case file holds one case; put the next document into a file of its own"},
    {"? [a]\n: b\n", "1:3: a key must be a word"},
    {"title: \"a\\0\"\n", "1:8: contains an escaped NUL character, which no program can"},
    {"title: t\ntorch: a\x01\n",
     "2:9: a control character; write it as an escape of the program's language"},
    {"title: \xff\n", "1:8: byte 0xFF is not UTF-8; save the file as UTF-8"},
    {"title: 权\x80\n", "1:9: byte 0x80 is not UTF-8; save the file as UTF-8"},
    {"title: a\rtorch: b\n", "1:9: a carriage return that ends no line; use line feeds"},
    {"title: a\xe2\x80\xa8 b\n",
     "1:9: a Unicode line separator, which YAML and editors count "
     "differently; write it as an escape of the program's language"},
};

START_TEST(says_what_is_wrong)
{
    parity_buffer wrong = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        parity_suite suite = load(bad[i].text);
        char *found = problems(&suite);
        if (strcmp(found, bad[i].expected) != 0)
            parity_buffer_printf(&wrong, "%s\nexpected\n%s\nfound\n%s\n\n", bad[i].text,
                                 bad[i].expected, found);
        ck_assert_uint_eq(suite.ncases, 0);
        free(found);
        parity_suite_free(&suite);
    }
    ck_assert_msg(wrong.length == 0, "%s", wrong.data);
}
END_TEST

static char *printed(const char *text)
{
    parity_suite suite = load(text);
    parity_buffer out = {0};
    for (size_t i = 0; i < suite.nproblems; i++)
        parity_problem_print(&out, &suite.problems[i]);
    parity_suite_free(&suite);
    return parity_buffer_take(&out);
}

static void check_printed(const char *text, const char *expected)
{
    char *found = printed(text);
    ck_assert_str_eq(found, expected);
    free(found);
}

START_TEST(caret_stands_under_the_place)
{
    check_printed("tilte: 一\ntorch: x\n",
                  "t.yaml:1:1: unknown key `tilte` in the case, did you mean `title`?\n"
                  "    tilte: 一\n    ^\n"
                  "t.yaml:1:1: the case needs a key `title`\n    tilte: 一\n    ^\n");
    check_printed("title: {en: 数据, qq: a}\ntorch: x\n",
                  "t.yaml:1:17: unknown key `qq` in title:; known are en, zh\n"
                  "    title: {en: 数据, qq: a}\n"
                  "                      ^\n");
    check_printed(
        "title: a\ntorch: {a\t: b}\n",
        "t.yaml:2:8: torch: is a mapping; it must be a program, as a block of text "
        "(|)\n    torch: {a\t: b}\n           ^\n");
    /* A control character of the file or of a message never reaches a terminal. */
    check_printed("title: a\x1b[2J\n",
                  "t.yaml:1:9: a control character; write it as an escape of "
                  "the program's language\n    title: a\xef\xbf\xbd[2J\n"
                  "            ^\n");
    check_printed(
        "title: a\ntorch: b\n\"x\\e\": c\n",
        "t.yaml:3:1: unknown key `x\xef\xbf\xbd` in the case; known are title, about, "
        "torch, candle, matrix, data, subjects, rows, finding, devices, versions, ends, "
        "intents, timeout, memory, fresh, skip\n    \"x\\e\": c\n    ^\n");
}
END_TEST

START_TEST(long_lines_are_cut_around_the_place)
{
    parity_buffer text = {0};
    parity_buffer_text(&text, "title: t\nabout: {en: '");
    for (int i = 0; i < 500; i++)
        parity_buffer_text(&text, "数");
    parity_buffer_text(&text, "', x: y}\ntorch: a\n");
    parity_suite suite = load(text.data);
    ck_assert_uint_eq(suite.nproblems, 1);
    ck_assert_int_eq(suite.problems[0].pos.column, 517);
    parity_buffer out = {0};
    parity_problem_print(&out, &suite.problems[0]);
    /* 60 characters before the caret: one is the ellipsis' place, 56 are two cells wide.
     */
    char *caret = strrchr(out.data, '\n') - 1;
    while (caret[-1] != '\n')
        caret--;
    ck_assert_uint_eq(strspn(caret, " "), 4 + 1 + 57 * 2 + 3);
    parity_buffer_free(&out);
    parity_buffer_free(&text);
    parity_suite_free(&suite);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("problem");
    TCase *tests = tcase_create("problem");
    tcase_add_test(tests, says_what_is_wrong);
    tcase_add_test(tests, caret_stands_under_the_place);
    tcase_add_test(tests, long_lines_are_cut_around_the_place);
    suite_add_tcase(suite, tests);
    return suite;
}
