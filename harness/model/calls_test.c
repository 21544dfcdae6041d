#include "harness/base/buffer.h"
#include "harness/model/calls.h"
#include "tools/test_main.h"

#include <string.h>

static const struct {
    parity_language language;
    const char *text, *calls; /* in the order of the text */
} programs[] = {
    {PARITY_TORCH, "y = x.clone().chunk(2)", "clone chunk"},
    {PARITY_TORCH, "y = torch.chunk(x, 2)[0]", "torch.chunk"},
    {PARITY_TORCH, "opt = torch.optim.SGD(lin.parameters(), lr=0.5)",
     "torch.optim.SGD parameters"},
    {PARITY_TORCH, "sd = copy.deepcopy(m.state_dict()); n = len(sd)",
     "copy.deepcopy state_dict"},
    {PARITY_TORCH, "a = value(x)  # x.detach()\nb = 'x.copy_(' + \"\"\"y.add_(\n\"\"\"",
     ""},
    {PARITY_TORCH, "def twice(x):\n    return x.mul(2)\ny = twice(x).add(1)", "mul add"},
    {PARITY_TORCH, "x.clone(); x.clone()", "clone"},
    {PARITY_TORCH, "s = 'it\\'s x.a('; x.b()", "b"},
    {PARITY_CANDLE, "let x = Tensor::zeros((2, 2), DType::F32, &dev)?;", "Tensor::zeros"},
    {PARITY_CANDLE, "let v = x.to_vec2::<f32>()?; let w: Vec<f32> = Vec::new();",
     "to_vec2"},
    {PARITY_CANDLE, "let l = linear_no_bias(2, 1, vb.pp(\"x.a()\"))?;",
     "linear_no_bias pp"},
    {PARITY_CANDLE, "// x.a()\n/* x.b() */ vars[\"w\"].set(&x)?; println!(\"{x}\");",
     "set"},
    {PARITY_CANDLE, "let y = candle_nn::ops::softmax(&x\n  .flatten_all()?, D::Minus1)?;",
     "ops::softmax flatten_all"},
    {PARITY_CANDLE,
     "fn twice<'a>(x: &'a Tensor) -> Result<Tensor> { x * 2.0 }\n"
     "let c = '\"'; twice(&x)?.neg()?; Ok(x.i(0)?)",
     "neg i"},
    {PARITY_CANDLE, "for i in 0..x.dim(0)? { if (i) > 1 { y.t()?; } }", "dim t"},
};

START_TEST(calls_are_found)
{
    parity_names names = {0};
    parity_buffer joined = {0};
    parity_buffer_text(&joined, "");
    parity_calls(&names, programs[_i].text, programs[_i].language);
    for (size_t i = 0; i < names.count; i++)
        parity_buffer_printf(&joined, "%s%s", i ? " " : "", names.names[i]);
    ck_assert_str_eq(joined.data, programs[_i].calls);
    parity_buffer_free(&joined);
    parity_names_free(&names);
}
END_TEST

/* Whatever is typed in a snippet: an end inside of anything. */
START_TEST(any_text_has_an_end)
{
    static const char *const texts[] = {"",     "'",    "\"\\", "/*",   "x.",
                                        "x::<", "'''x", "fn",   "a::b."};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int language = 0; language < PARITY_LANGUAGES; language++) {
            parity_names names = {0};
            parity_calls(&names, texts[i], (parity_language)language);
            ck_assert_uint_eq(names.count, 0);
            parity_names_free(&names);
        }
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("calls");
    TCase *all = tcase_create("calls");
    tcase_add_loop_test(all, calls_are_found, 0, sizeof programs / sizeof *programs);
    tcase_add_test(all, any_text_has_an_end);
    suite_add_tcase(suite, all);
    return suite;
}
