/* Programs and what they print; expected values are those of the real crates. */
#include "backends/lang/testing.h"
#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>

#define ROWS(name, ...)                                                                  \
    START_TEST(name)                                                                     \
    {                                                                                    \
        static const lang_testing_row rows[] = {__VA_ARGS__};                            \
        lang_testing_rows(rows, sizeof rows / sizeof *rows);                             \
    }                                                                                    \
    END_TEST

ROWS(numbers_have_rust_s_types,
     {"let a = 7 / 2; let b = -7 % 4; let c = 7.0 / 2.0;", "a; b; c", "3; -3; 3.5"},
     {"let x: f32 = 0.1; let y = x + 0.2;", "y", "0.3"},
     {"let x = 0.1; let y = x + 0.2;", "y", "0.30000000000000004"},
     {"let x = 0.1; let y = x + 0.2; let z: f32 = y;", "y", "0.3"},
     {"let a = 250u8 + 10; let b = 1usize - 2; let c = i32::MAX + 1;", "a; b; c",
      "4; 18446744073709551615; -2147483648"},
     {"let a = 300i32 as u8; let b = -1.5 as u32; let c = f64::NAN as i64;", "a; b; c",
      "44; 0; 0"},
     {"let a = 1 << 4 | 3; let b = !0u8; let c = !true;", "a; b; c", "19; 255; false"},
     {"let a = 1.5f32.max(2.5); let b = (-2i32).abs(); let c = 2f64.sqrt();", "a; b; c",
      "2.5; 2; 1.4142135623730951"},
     {"let a = 1 < 2 && 2.5 >= 2.5; let b = \"a\" == \"b\" || false;", "a; b",
      "true; false"},
     {"let x = f64::NAN; let a = x == x; let b = x < x; let c = x != x;", "a; b; c",
      "false; false; true"})

ROWS(methods_of_numbers_and_iterators,
     {"let x = 3usize.pow(2); let y = 200u8.wrapping_add(100); let z = 3i32.pow(21);",
      "x; y; z", "9; 44; 1870418611"},
     {"let s: f32 = vec![1.0f32, 2.0].iter().sum(); let n = (1..4).product::<i32>(); let "
      "e: f64 = "
      "Vec::<f64>::new().iter().sum();",
      "s; n; e", "3.0; 6; -0.0"},
     {"let a = 2f32.powi(-3); let b = 1.1f32.powi(7); let c = (-2.5f64).floor();",
      "a; b; c", "0.125; 1.9487174; -3.0"},
     {"let mut v = vec![]; for i in [2, 0] { v.push(i as f32 + 1.); let u: usize = i; }",
      "v", "[3.0, 1.0]"},
     {"let s = format!(\"{:.0} {:.1} {} {:?} {:?}\", 2.5, 0.25, 1e21, 1e-7, -0.0f32);",
      "s", "2 0.2 1000000000000000000000 1e-7 -0.0"})

#define NOT_RUN                                                                          \
    "unsupported: the type of a number may follow from code that did not run; write "    \
    "its "                                                                               \
    "suffix"

ROWS(
    code_that_did_not_run_may_say_the_type,
    {"let x = 0.1; if false { let y: f32 = x; }", "x", NOT_RUN},
    {"let x = 0.1; let f = |y: f32| y + x;", "x", NOT_RUN},
    {"let x = 0.1; let f = |y: f32| y + x; f(1.);", "x", "0.1"},
    {"let x = 0.1; let b = 1 > 2 && x > 0.5f32;", "x; b", NOT_RUN "; false"},
    {"let x = 0.1; for i in 0..0 { let y: f32 = x; }", "x", NOT_RUN},
    {"let x = 0.1; let t = Tensor::new(&[x], &dev)?; if false { let y: f32 = x; }", NULL,
     NOT_RUN},
    {"let x = 0.1; let r = attempt(|| { let v = vec![1]; v[1]; let y: f32 = x; Ok(1) });",
     "x", NOT_RUN},
    {"let n = 3; if n > 5 { println!(\"{n}\"); }", "n", "3"},
    {"let k = 2.0; let mut s = 0.0; for i in 0..3 { if i == 1 { s += k; } }", "s", "2.0"})

ROWS(literals_take_the_type_of_their_use,
     {"let n = 3; let t = Tensor::ones(n, DType::F32, &dev)?; let m: usize = n;", "t",
      "[1.0, 1.0, 1.0]"},
     {"let t = Tensor::new(&[1f32, 2.], &dev)?;", "t.dtype()", "F32"},
     {"let t = Tensor::new(&[1., 2.], &dev)?; let u = Tensor::new(&[1, 2], &dev)?;",
      "t.dtype(); u.dtype()", "F64; I32"},
     {"let t = Tensor::new(&[[1, 2], [3, 4u8]], &dev)?;", "t.dtype()", "U8"},
     {"let x = 0.1; let t = Tensor::new(&[x], &dev)?; let y: f32 = x;", NULL,
      "unsupported: the type of this number follows from a later line than the core "
      "needs it; "
      "write its suffix @1:52"})

ROWS(control_flow,
     {"let mut s = 0; for i in 0..5 { if i == 3 { continue } s += i; }", "s", "7"},
     {"let mut s = 0; for i in (1..=3).rev() { s = s * 10 + i; }", "s", "321"},
     {"let mut n = 0; while n < 10 { n += 3; }", "n", "12"},
     {"let mut n = 0; let m = loop { n += 1; if n == 4 { break n * 2 } };", "m", "8"},
     {"let a = if 1 > 2 { 1 } else if 2 > 1 { 2 } else { 3 };", "a", "2"},
     {"let a = { let b = 2; b * b };", "a", "4"},
     {"let v = vec![1, 2, 3]; let mut s = 0; for x in &v { s += x; } for x in v { s += "
      "x; }",
      "s", "12"},
     {"let mut s = 0; for (i, x) in [10, 20].iter().enumerate() { s += i as i32 * x; }",
      "s", "20"},
     {"let mut n = 0; loop { n += 1; }", NULL,
      "unsupported: the program takes more than 100000 steps @1:16"},
     {"fn f(n: u32) -> u32 { if n == 0 { return 0 } n + f(n - 1) } let a = f(4);", "a",
      "10"},
     {"fn f(n: u32) -> u32 { f(n + 1) } f(0);", NULL,
      "unsupported: calls and expressions nested too deep for the core @1:25"})

ROWS(containers,
     {"let mut v = vec![1, 2]; v.push(3); v[0] = 9; let n = v.len();", "v; n",
      "[9, 2, 3]; 3"},
     {"let t = (1, (2.5, true)); let (a, (b, _)) = t;", "a; b; t.1.1", "1; 2.5; true"},
     {"let v = [0u8; 3]; let w = v; let x = v;", "w; x", "[0, 0, 0]; [0, 0, 0]"},
     {"let v: Vec<i64> = (0..3).map(|x| x * x).collect();", "v", "[0, 1, 4]"},
     {"let v = vec![1, 2]; let r = v[2];", NULL,
      "panic: index out of bounds: the len is 2 but the index is 2 @1:29"},
     {"let a = Some(3); let b: Option<i32> = None;", "a; b; a.unwrap(); b.is_none()",
      "Some(3); None; 3; true"},
     {"let s = format!(\"{:?} {} {:.2} {x}\", \"a\\\"b\", 1.5f32, 2.345, x = 7);", "s",
      "\"a\\\"b\" 1.5 2.35 7"},
     {"let s = format!(\"{:?} {:?}\", vec![1.0, 2.5], (1, Some(\"x\")));", "s",
      "[1.0, 2.5] (1, Some(\"x\"))"})

ROWS(
    structs_and_functions,
    {"struct L { w: Tensor, k: f64 }\n"
     "impl L { fn new(k: f64) -> Result<Self> { Ok(Self { w: Tensor::ones(2, DType::F32, "
     "&Device::Cpu)?, k }) }\n fn f(&self, x: &Tensor) -> Result<Tensor> { (x * "
     "&self.w)? * self.k "
     "} }\n"
     "let l = L::new(2.)?; let y = l.f(&Tensor::new(&[1f32, 3.], &dev)?)?;",
     "y; l.k", "[2.0, 6.0]; 2.0"},
    {"struct P(f32, usize); let p = P(1., 2); let q = p.1 + 1;", "p.0; q", "1.0; 3"},
    {"#[derive(Clone)] struct S { a: Vec<i32>, b: i32 } let s = S { a: vec![1], b: 2 };"
     "let mut t = S { b: 3, ..s.clone() }; t.a.push(4);",
     "s.a; t.a; t.b", "[1]; [1, 4]; 3"},
    {"let k = 3; let f = |x| x * k; let a = f(2);", "a", "6"},
    {"let mut n = 0; let mut f = || n += 1; f(); f();", "n", "2"},
    {"fn f(a: &mut Vec<i32>) { a.push(1); } let mut v = vec![]; f(&mut v); f(&mut v);",
     "v", "[1, 1]"},
    {"let x = 5; let r = &x; let y = *r + 1;", "y", "6"},
    {"let mut x = 5; let r = &mut x; *r += 2;", "x", "7"})

ROWS(errors_and_panics,
     {"Tensor::ones((2, 3), DType::F32, &dev)?.narrow(5, 0, 1)?;", "1",
      "error: narrow: dimension index 5 out of range for shape [2, 3] @1:56"},
     {"let r = Tensor::ones(2, DType::F32, &dev)?.reshape(3);", "r; r.is_err()",
      "Err(\"shape mismatch in reshape, lhs: [2], rhs: [3]\"); true"},
     {"Tensor::ones(2, DType::F32, &dev)?.reshape(3).unwrap();", NULL,
      "panic: called `Result::unwrap()` on an `Err` value: shape mismatch in reshape, "
      "lhs: [2], "
      "rhs: [3] @1:47"},
     {"let n: Option<i32> = None; n.expect(\"nothing\");", NULL, "panic: nothing @1:30"},
     {"let z = 0; let a = 1 / z;", NULL, "panic: attempt to divide by zero @1:20"},
     {"assert!(1 + 1 == 3);", NULL, "panic: assertion failed: 1 + 1 == 3 @1:1"},
     {"let a = 1; assert_eq!(a, 2, \"on {}\", 3);", NULL,
      "panic: assertion `left == right` failed: on 3\n  left: 1\n right: 2 @1:12"},
     {"bail!(\"no {}\", 1);", NULL, "error: no 1 @1:1"},
     {"let r = attempt(|| { panic!(\"at {}\", 3); Ok(1) });", "r", "Err(\"at 3\")"},
     {"return Ok(());", "1", "not_reached: "})

ROWS(ownership,
     {"let a = Tensor::ones(2, DType::F32, &dev)?; let b = a; let c = a;", NULL,
      "unsupported: `a` was moved; rustc refuses this (E0382) @1:64"},
     {"let a = Tensor::ones(2, DType::F32, &dev)?; let c = (a + 1.0)?; a.dims();", NULL,
      "unsupported: `a` was moved; rustc refuses this (E0382) @1:65"},
     {"let mut a = Tensor::ones(2, DType::F32, &dev)?; let b = a; a = (b + 1.)?;", "a",
      "[2.0, 2.0]"},
     {"let mut a = Tensor::ones(2, DType::F32, &dev)?; let b = a.clone(); a += &b;", NULL,
      "unsupported: `+=` on Tensor; only the compiler judges this @1:68"},
     {"let r; { let x = 1; r = &x; } let y = *r;", NULL,
      "unsupported: a reference to what was moved or dropped @1:39"},
     {"struct S { t: Tensor } let s = S { t: Tensor::ones(1, DType::F32, &dev)? }; let t "
      "= s.t; "
      "let u = s.t;",
      NULL, "unsupported: `t` was moved; rustc refuses this (E0382) @1:100"},
     {"let v = vec![Tensor::ones(1, DType::F32, &dev)?]; let t = v[0];", NULL,
      "unsupported: moving out of a borrow; rustc refuses this (E0507) @1:59"},
     {"let a = \"x\".to_string(); let f = move || a.len(); let n = f(); let b = a;", NULL,
      "unsupported: `a` was moved; rustc refuses this (E0382) @1:72"})

ROWS(handles_and_identifiers,
     {"let a = Tensor::ones(2, DType::F32, &dev)?; let b = a.clone(); let c = a.copy()?;",
      "a.id(); b.id(); c.id(); shares(&a, &b); shares(&a, &c)",
      "TensorId(1); TensorId(1); TensorId(2); true; false"},
     {"let (t, mib) = measure(|| Tensor::zeros((256, 1024), DType::F32, &dev)); let t = "
      "t?;",
      "mib; t.dims()", "1.0; [256, 1024]"},
     {"let a = Tensor::zeros(2, DType::F32, &dev)?; let was = value(&a);\n"
      "a.slice_set(&Tensor::ones(1, DType::F32, &dev)?, 0, 0)?;",
      "was; a", "[0.0, 0.0]; [1.0, 0.0]"},
     {"let t = Tensor::new(&[[1u8, 2]], &dev)?; let v = t.to_vec2::<u8>()?; "
      "let w: Vec<Vec<u8>> = t.to_vec2()?;",
      "v; w; t.shape(); t.dims2()?", "[[1, 2]]; [[1, 2]]; [1, 2]; [1, 2]"},
     {"let t = Tensor::new(1f32, &dev)?; let v = t.to_scalar()?;", NULL,
      "unsupported: the element type of `to_scalar` is not written here; write "
      "`to_scalar::<f32>`, or the type it has @1:45"})

/* A short sum begins with its first product, a sum along contiguous rows with 0. */
ROWS(products_keep_the_sign_of_zeros,
     {"let x = Tensor::arange(0f32, 6., &dev)?.reshape((2, 3))?; let z = "
      "x.zeros_like()?.neg()?.narrow(1, 0, 2)?; let y = x.narrow(1, 0, 2)?; let a = "
      "z.matmul(&y)?; let b = z.matmul(&y.t()?)?;",
      "a; b", "[[-0.0, -0.0], [-0.0, -0.0]]; [[0.0, 0.0], [0.0, 0.0]]"})

ROWS(locks_follow_the_scopes,
     {"let m = VarMap::new(); let b = m.data().lock().unwrap().len() == 0 && "
      "m.all_vars().len() == 0;",
      "b", "true"},
     {"let m = VarMap::new(); let f = || m.data().lock().unwrap().len(); let n = f() + "
      "m.all_vars().len();",
      "n", "0"},
     {"let m = VarMap::new(); while m.data().lock().unwrap().len() > 0 {} if "
      "m.data().lock().unwrap().len() == 0 { m.all_vars(); }",
      "1", "1"},
     {"let m = VarMap::new(); let g = m.data().lock().unwrap().clone(); "
      "m.all_vars().len();",
      "1", "1"},
     {"let m = VarMap::new(); { let g = m.data().lock().unwrap(); } m.all_vars();", "1",
      "1"},
     {"let m = VarMap::new(); let n = m.data().lock().unwrap().len(); m.all_vars();", "n",
      "0"},
     {"let m = VarMap::new(); let g = m.data().lock().unwrap(); drop(g); m.all_vars();",
      "1", "1"},
     {"let m = VarMap::new(); let _ = m.data().lock().unwrap(); m.all_vars();", "1", "1"})

START_TEST(a_guard_that_lives_is_a_hang)
{
    static const char *const programs[] = {
        "let m = VarMap::new(); let g = m.data().lock().unwrap(); m.all_vars();",
        "let m = VarMap::new(); let _g = m.data().lock().unwrap(); m.all_vars();",
        "let m = VarMap::new(); let g = &*m.data().lock().unwrap(); m.all_vars();",
        "let m = VarMap::new(); let (a, b) = (m.data().lock().unwrap().len(), "
        "m.all_vars());",
        "let t = Tensor::ones(2, DType::F32, &dev)?; let (g, _l) = "
        "t.storage_and_layout(); "
        "t.zero_set()?;",
        "let t = Tensor::ones(2, DType::F32, &dev)?; t.inplace_op2(&t, "
        "&parity::ops::add_assign())?;",
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char *found = lang_testing_run(programs[i], NULL);
        ck_assert_msg(strncmp(found, "hang: ", 6) == 0, "%s\ngives %s", programs[i],
                      found);
        free(found);
    }
}
END_TEST

/* 2^62 elements of 4 bytes are 0 bytes when the product wraps. */
ROWS(a_broadcast_tensor_may_not_fit_into_memory,
     {"let x = Tensor::ones(1, DType::F32, "
      "&dev)?.broadcast_as(4611686018427387904usize)?;",
      "x; x.to_vec1::<f32>()",
      "unsupported: not enough memory to look at 4611686018427387904 elements; "
      "unsupported: not enough memory to look at 4611686018427387904 elements"})

ROWS(what_the_core_does_not_know_has_a_place,
     {"let x = 1;\nlet y = foo(x);", NULL,
      "unsupported: the function `foo` is not known to the core @2:9"},
     {"let x = y;", NULL, "unsupported: `y` is not known to the core @1:9"},
     {"let x = 1.5;\n\n  x.frobnicate();", NULL,
      "unsupported: the method `frobnicate` of float is not known to the core @3:5"},
     {"let x = 1u8 + 1u16;", NULL,
      "unsupported: numbers of two types meet here; only the compiler judges this @1:9"},
     {"let x = 1;", "x; y; x +",
      "1; unsupported: `y` is not known to the core; unsupported: in "
      "`x +`: expected an expression, found the end of the program"},
     {"peak_rss(|| 1);", NULL,
      "unsupported: the core has no resident set of its own to measure; measure() counts "
      "the "
      "bytes it asks for @1:1"})

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("lang");
    TCase *tc = tcase_create("programs");
    tcase_add_test(tc, numbers_have_rust_s_types);
    tcase_add_test(tc, methods_of_numbers_and_iterators);
    tcase_add_test(tc, code_that_did_not_run_may_say_the_type);
    tcase_add_test(tc, literals_take_the_type_of_their_use);
    tcase_add_test(tc, control_flow);
    tcase_add_test(tc, containers);
    tcase_add_test(tc, structs_and_functions);
    tcase_add_test(tc, errors_and_panics);
    tcase_add_test(tc, ownership);
    tcase_add_test(tc, handles_and_identifiers);
    tcase_add_test(tc, products_keep_the_sign_of_zeros);
    tcase_add_test(tc, locks_follow_the_scopes);
    tcase_add_test(tc, a_guard_that_lives_is_a_hang);
    tcase_add_test(tc, a_broadcast_tensor_may_not_fit_into_memory);
    tcase_add_test(tc, what_the_core_does_not_know_has_a_place);
    suite_add_tcase(suite, tc);
    return suite;
}
