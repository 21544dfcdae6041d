/* Texts that are no programs, and programs with a few bytes or tokens changed: whatever
 * comes, the core ends with an outcome. Run with sanitizers these tests say more. */
#include "backends/lang/testing.h"
#include "tools/test_main.h"

#include "harness/base/buffer.h"
#include "harness/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const programs[] = {
    "let varmap = VarMap::new();\n"
    "let vb = VarBuilder::from_varmap(&varmap, DType::F32, &dev);\n"
    "let lin = linear_no_bias(2, 1, vb.pp(\"lin\"))?;\n"
    "let vars = varmap.data().lock().unwrap().clone();\n"
    "vars[\"lin.weight\"].set(&Tensor::new(&[[1f32, 2.]], &dev)?)?;\n"
    "let w = &vars[\"lin.weight\"];\n"
    "let mut opt = SGD::new(varmap.all_vars(), 0.5)?;\n"
    "opt.backward_step(&lin.forward(&Tensor::new(&[[1f32, 1.]], &dev)?)?.sum_all()?)?;\n",
    "struct L { w: Tensor, k: f64 }\n"
    "impl L { fn f(&self, x: &Tensor) -> Result<Tensor> { (x * &self.w)? * self.k } }\n"
    "let l = L { w: Tensor::ones((3, 2), DType::F32, &dev)?, k: 2. };\n"
    "let (a, b) = measure(|| l.f(&l.w)); let a = a?;\n"
    "let c = a.narrow(0, 1, 1)?; c.slice_set(&Tensor::zeros((1, 2), DType::F32, &dev)?, "
    "0, 0)?;\n"
    "let s = format!(\"{a:?} {} {:.2}\", 1, b);\n",
    "let mut v = vec![1, 2, 3]; v.push(4); let mut s = 0u8;\n"
    "for (i, x) in v.iter().enumerate() { if i % 2 == 0 && *x > 1 { s += *x as u8; } "
    "else { "
    "continue } }\n"
    "let r: Result<Vec<_>> = (0..3).map(|i| Tensor::full(i as f32, 2, &dev)).collect();\n"
    "let t = (v[0], [1.5; 2], Some(\"a\")); let (p, _, mut q) = t; q = None;\n"
    "fn f(n: usize) -> usize { if n < 2 { n } else { f(n - 1) + f(n - 2) } } let g = "
    "f(5);\n"
    "while s > 1 { s /= 2; } let u = { let w = &mut v; w[1] = -7; w.len() };\n",
};

static const char *const pieces[] = {
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "&",
    "*",
    "?",
    ".",
    ",",
    ";",
    ":",
    "::",
    "..",
    "=",
    "+=",
    "|",
    "||",
    "<",
    ">",
    "-",
    "!",
    "\"",
    "'",
    "#",
    "/*",
    "//",
    "0",
    "1.",
    "1e400",
    "99999999999999999999",
    "-1",
    "0x",
    "let ",
    "let mut ",
    "fn ",
    "if ",
    "for ",
    "in ",
    "loop {}",
    "return ",
    "break ",
    "struct ",
    "impl ",
    "move |x| ",
    "vec![",
    "println!(\"{}\",",
    "as u8",
    "as f32",
    ".unwrap()",
    ".clone()",
    ".len()",
    "[0]",
    ".0",
    "drop(v)",
    "v",
    "a",
    "self",
    "Self",
    "t",
    "dev",
    "None",
    "Some(",
    "Ok(",
    "Err(",
    "..Default::default()",
    "usize::MAX",
    "f32::NAN",
    "\xC3\xA9",
    "\xFF",
    "\x01",
    "shares(",
    "attempt(|| ",
    "&mut ",
    "format!(\"{a:?}\")",
    "v = vec![v]",
};

static uint64_t state;

static size_t draw(size_t bound)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % bound;
}

/* One change: bytes taken out, doubled, or a piece put in. */
static void change(parity_buffer *text)
{
    size_t at = draw(text->length + 1), length = draw(12);
    char *old = parity_buffer_take(text);
    size_t total = strlen(old);
    length = at + length > total ? total - at : length;
    parity_buffer_add(text, old, at);
    switch (draw(3)) {
    case 0:
        break;
    case 1:
        parity_buffer_add(text, old + at, length);
        parity_buffer_add(text, old + at, length);
        break;
    default:
        parity_buffer_text(text, pieces[draw(sizeof pieces / sizeof *pieces)]);
        parity_buffer_add(text, old + at, length);
    }
    parity_buffer_text(text, old + at + length);
    free(old);
}

static void run(const char *text)
{
    free(lang_testing_run(text, "a; v; w; s; t.id(); r; q; l.w"));
}

START_TEST(changed_programs)
{
    state = 20240229;
    for (int round = 0; round < 4000; round++) {
        parity_buffer text = {0};
        parity_buffer_text(&text, programs[draw(sizeof programs / sizeof *programs)]);
        for (size_t changes = 1 + draw(3); changes; changes--)
            change(&text);
        run(text.data ? text.data : "");
        parity_buffer_free(&text);
    }
}
END_TEST

START_TEST(pieces_in_any_order)
{
    state = 7;
    for (int round = 0; round < 3000; round++) {
        parity_buffer text = {0};
        for (size_t n = 1 + draw(25); n; n--) {
            parity_buffer_text(&text, pieces[draw(sizeof pieces / sizeof *pieces)]);
            if (draw(3) == 0)
                parity_buffer_text(&text, "; ");
        }
        run(text.data);
        parity_buffer_free(&text);
    }
}
END_TEST

START_TEST(bytes_of_any_kind)
{
    state = 1;
    for (int round = 0; round < 3000; round++) {
        char text[64];
        size_t length = draw(sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = (char)(1 + draw(255));
        text[length] = '\0';
        run(text);
    }
}
END_TEST

/* Values that Rust's types would not allow to grow. */
START_TEST(values_that_nest_without_end)
{
    run("let mut v = vec![]; for i in 0..5000 { v = vec![v]; }");
    run("let mut v = Some(1); loop { v = Some(v); }");
    run("let mut v = vec![vec![]]; for i in 0..5000 { let w = v.clone(); v[0] = w; }");
    run("let mut v = (0..3).map(|x| x); for i in 0..5000 { v = v.map(|x| x); }");
    run("let mut f = || 1; for i in 0..5000 { f = move || f(); } f();");
    run("let mut v = vec![]; for i in 0..500 { v.push(v.clone()); }");
    run("let v = vec![vec![0u8; 1000000]; 1000000];");
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("lang_malformed");
    TCase *tc = tcase_create("texts");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, changed_programs);
    tcase_add_test(tc, pieces_in_any_order);
    tcase_add_test(tc, bytes_of_any_kind);
    tcase_add_test(tc, values_that_nest_without_end);
    suite_add_tcase(suite, tc);
    return suite;
}
