/* The programs of the two documented pages, as the core prints them; the lines are those
 * that the real crates printed. */
#include "backends/lang/lang.h"
#include "harness/base/buffer.h"
#include "harness/compare/render.h"
#include "harness/load/load.h"
#include "tools/test_main.h"

#include <stdlib.h>

static void load(parity_suite *suite, const char *name)
{
    const char *root = getenv("PARITY_ROOT");
    parity_buffer file = {0};
    parity_buffer_printf(&file, "%s/cases/%s.yaml", root ? root : ".", name);
    parity_load_file(suite, file.data, name, NULL, 0);
    ck_assert_msg(suite->ncases == 1, "%s: %s", file.data,
                  suite->nproblems ? suite->problems[0].message : "no case");
    parity_buffer_free(&file);
}

static void run(parity_run *out, const parity_case *test)
{
    size_t count = test->nobserve[PARITY_CANDLE];
    const char **texts = parity_alloc((count + 1) * sizeof *texts);
    for (size_t i = 0; i < count; i++)
        texts[i] = test->observe[PARITY_CANDLE][i].text;
    lang_request request = {.program = test->program[PARITY_CANDLE].text,
                            .device = "cpu",
                            .observe = texts,
                            .nobserve = count};
    *out = (parity_run){.ran = true, .nobserved = count};
    out->observed = parity_alloc((count + 1) * sizeof *out->observed);
    lang_run(&request, &out->end, out->observed);
    ck_assert_msg(out->end.kind == PARITY_VALUE, "%d:%d %s", out->end.pos.line,
                  out->end.pos.column, out->end.text);
    free(texts);
}

static void expect_page(const char *name, const char *const *lines)
{
    parity_suite suite = {0};
    parity_run outcome;
    load(&suite, name);
    const parity_case *test = &suite.cases[0];
    run(&outcome, test);
    for (size_t i = 0; i < test->nrows; i++) {
        parity_buffer line = {0};
        if (!test->rows[i].text[PARITY_CANDLE].pieces ||
            !test->rows[i].text[PARITY_CANDLE].shown)
            continue;
        parity_render_row(&line, test, i, PARITY_CANDLE, &outcome);
        ck_assert_ptr_nonnull(*lines);
        ck_assert_str_eq(line.data, *lines++);
        parity_buffer_free(&line);
    }
    ck_assert_ptr_null(*lines);
    for (size_t i = 0; i < outcome.nobserved; i++)
        parity_outcome_clear(&outcome.observed[i]);
    free(outcome.observed);
    parity_suite_free(&suite);
}

START_TEST(snapshot)
{
    static const char *const lines[] = {
        "weight after step      [[0.5, 1.5]]",
        "as_tensor().clone()    [[0.5, 1.5]]",
        "as_tensor().detach()   [[0.5, 1.5]]",
        "as_tensor().copy()     [[1.0, 2.0]]",
        "as_tensor() * 1.0      [[1.0, 2.0]]",
        "to_device(Cpu)         [[0.5, 1.5]]",
        "buf.clone() after slice_set [[7.0, 7.0], [0.0, 0.0]]",
        "buf.copy() after slice_set  [[0.0, 0.0], [0.0, 0.0]]",
        NULL,
    };
    expect_page("pages/snapshot", lines);
}
END_TEST

START_TEST(references)
{
    static const char *const lines[] = {
        "after c = &a + &b: a = [1.0, 1.0, 1.0], b = [1.0, 1.0, 1.0], c = [2.0, 2.0, "
        "2.0]",
        "forward twice with &self.w: [[3.0, 3.0]] [[3.0, 3.0]]",
        "x 64 MiB: clone allocated 0.000 MiB, shares storage true",
        "x 64 MiB: copy allocated 64.000 MiB, shares storage false",
        "ids: x TensorId(4), clone TensorId(4), copy TensorId(5)",
        "t.slice_set([9], 0, 0): t = [9.0, 2.0, 3.0, 4.0], clone = [9.0, 2.0, 3.0, 4.0], "
        "copy = [1.0, 2.0, 3.0, 4.0]",
        "m.narrow(0, 1, 1).slice_set(..): m = [[0.0, 0.0, 0.0], [7.0, 8.0, 9.0]]",
        "t.slice_set(&t.clone()): Err(\"cannot use slice_set when self and src share "
        "their "
        "storage\")",
        "non-contiguous view slice_set: Err(\"slice-set only supports contiguous "
        "tensors\")",
        "after w.set([0,0,0]): clone = [0.0, 0.0, 0.0], w*2 computed before = [2.0, 4.0, "
        "6.0]",
        "w.set(&(w * 2)): Ok(())",
        "w.set(&w.clone()): Err(\"cannot set variable cannot set a variable to a tensor "
        "that is "
        "derived from its value\")",
        "after w.set([0,0,0]): detached = [0.0, 0.0, 0.0]",
        NULL,
    };
    expect_page("pages/references", lines);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("lang_pages");
    TCase *tc = tcase_create("pages");
    tcase_add_test(tc, snapshot);
    tcase_add_test(tc, references);
    suite_add_tcase(suite, tc);
    return suite;
}
