/* Programs that rustc accepts and that an interpreter reads wrongly at first: who is read
 * when, which name is meant, when a temporary ends, what type a literal has. Values are
 * those of the real crates (rustc 1.95); what the core cannot tell must be unsupported.
 */
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

#define LATE                                                                             \
    "unsupported: the type of this number follows from a later line than the core "      \
    "needs "                                                                             \
    "it; write its suffix"
#define NOT_RUN                                                                          \
    "unsupported: the type of a number may follow from code that did not run; write "    \
    "its suffix"

ROWS(copies_are_read_before_the_arguments,
     {"let mut x = 10i32; let y = x.wrapping_add({ x = 5; 1 });", "y", "11"},
     {"let mut x = 10i32; let y = x < { x = 50; 20 }; let z = x == { x = 1; 50 };",
      "y; z", "true; true"},
     {"let mut x = 10i32; let r = &mut x; let y = r.wrapping_add({ *r = 5; 1 });", "y",
      "11"},
     {"let mut o = Some(1i32); let y = o.unwrap_or({ o = Some(7); 5 });", "y; o",
      "1; Some(7)"},
     {"#[derive(Clone, Copy)] struct P { a: i32 }\n"
      "impl P { fn plus(self, n: i32) -> i32 { self.a + n }\n"
      "fn add(&mut self, n: i32) { self.a += n; } }\n"
      "let mut p = P { a: 1 }; let y = p.plus({ p.a = 100; 5 }); p.add(y);",
      "y; p.a", "6; 106"})

ROWS(names_mean_what_they_mean_in_rust,
     {"const N: i32 = 1; let r = { let a = N; const N: i32 = 2; a };", "r", "2"},
     {"let r = K + 1; const K: i32 = 2;", "r", "3"},
     {"let f = |x: i32| x + 1; let r = { fn f(x: i32) -> i32 { x * 100 } f(2) };", NULL,
      "unsupported: `f` is a variable and a function here; give one of them another "
      "name @1:67"},
     {"struct P { a: i32 } impl P { fn get(&self) -> i32 { self.a } } let p = P { a: 1 };"
      "let r = { struct P; impl P { fn get(&self) -> i32 { 100 } } p.get() };",
      NULL, "unsupported: another struct is called `P` here @1:145"},
     {"struct U; impl U { fn k(&self) -> i32 { 4 } } let u = U;", "u.k()", "4"},
     {"let t = (1, vec![2]); let (a, _) = t;", NULL,
      "unsupported: a pattern that leaves a part of the value where it is, is "
      "outside what the core interprets @1:23"},
     {"let t = (1, vec![2]); let _ = t.1;", "t.1", "[2]"})

ROWS(temporaries_end_where_they_do_in_rust,
     {"let m = VarMap::new(); let n = (if true { m.data().lock().unwrap().len() } else { "
      "0 }) + m.all_vars().len();",
      "n", "0"},
     {"let m = VarMap::new(); let n = (if false { 0 } else { "
      "m.data().lock().unwrap().len() }) + m.all_vars().len();",
      "n", "0"},
     {"let m = VarMap::new(); let g = (&m.data().lock().unwrap(), 1); m.all_vars();",
      NULL,
      "unsupported: a temporary that lives as long as the name, inside of a larger "
      "value; give it a name of its own @1:32"},
     {"let m = VarMap::new(); let g = { &m.data().lock().unwrap() }; m.all_vars();", NULL,
      "unsupported: a temporary that lives as long as the name, inside of a larger "
      "value; give it a name of its own @1:32"},
     {"let x = 1; let t = (&x, [&x], 4);", "t", "[1, [1], 4]"},
     {"let m = VarMap::new(); let g = m.data().lock().unwrap(); let c = || drop(g); "
      "drop(c); m.all_vars();",
      NULL,
      "unsupported: a guard within a closure is outside what the core interprets "
      "@1:66"})

ROWS(literals_have_one_type_in_the_whole_program,
     {"let x = 0.1 + 0.2; let s = format!(\"{x}\");", "s; x * 2f32", NOT_RUN},
     {"let x = 0.1 + 0.2;", "x; match x { y => y * 2f32 }", NOT_RUN},
     {"let x = 0.1 + 0.2; bail!(\"no {x}\"); let y: f32 = x;", NULL, NOT_RUN},
     {"let x = 0.1 + 0.2; panic!(\"no {x}\"); let y: f32 = x;", NULL, NOT_RUN},
     {"let x = 0.1 + 0.2; let s = format!(\"{x}\"); bail!(\"no {s}\");", NULL,
      "error: no 0.30000000000000004 @1:44"},
     {"let x = 2000000000; let y = (x + x) / 2;", NULL, LATE " @1:30"},
     {"let a = -2147483648; let b = -1; let c = a % b;", NULL, LATE " @1:42"},
     {"let a = -2147483648; let b = -a;", NULL, LATE " @1:30"},
     {"let n = 200 << 2; let s = format!(\"{n}\"); if false { let u: u8 = n; }", NULL,
      NOT_RUN},
     {"let o: Option<u8> = None; let x = o.map(|q| 200 << 2).unwrap_or(7);", "x as f32",
      "7.0"},
     {"let o = Some(1u8); let x = o.map(|q| 200 << 2).unwrap_or_else(|| 7u8);",
      "x as f32", NOT_RUN},
     {"let a = 1.000000059604644775390625000000001 as f32;", "a", "1.0000001"})

/* Rust joins types that an interpreter sees one at a time: of a place and all that is
 * ever put there, of the branches of an if, of all calls of a closure. 0.1 + 0.2 shows
 * which type a literal got: 0.3 in f32, 0.30000000000000004 in f64. */
ROWS(literals_have_the_type_of_their_place,
     {"let mut v: Vec<f32> = Vec::new(); v.push(0.1 + 0.2);", "v", "[0.3]"},
     {"let mut v = Vec::<f32>::new(); v.push(0.1 + 0.2);", "v", "[0.3]"},
     {"let mut v = vec![]; v.push(0.1 + 0.2);", "v", "[0.30000000000000004]"},
     {"let mut v = vec![1f32]; v = vec![0.1 + 0.2];", "v", "[0.3]"},
     {"let mut v = vec![(1f32, 2)]; v.push((0.1 + 0.2, 1));", "v",
      "[[1.0, 2], [0.3, 1]]"},
     {"fn f() -> Vec<f32> { vec![] } let mut v = f(); v.push(0.1 + 0.2);", "v", "[0.3]"},
     {"let x: f32; x = 0.1 + 0.2;", "x", "0.3"},
     {"let mut o: Option<f32> = None; o = Some(0.1 + 0.2);", "o", "Some(0.3)"},
     {"let o = Some::<f32>(0.1 + 0.2);", "o", "Some(0.3)"},
     {"struct S { v: Vec<f32>, o: Option<f32> } let mut s = S { v: vec![], o: None };"
      "s.v.push(0.1 + 0.2); s.o = Some(0.1 + 0.2);",
      "s.v; s.o", "[0.3]; Some(0.3)"},
     {"let mut a = [[1f32, 2.], [3., 4.]]; a[0] = [0.1 + 0.2, 0.5];", "a[0]",
      "[0.3, 0.5]"},
     {"let v = vec![1f32, 0.5]; let w = v.iter().map(|x| x * 3.0).collect::<Vec<f32>>();",
      "w", "[3.0, 1.5]"})

ROWS(
    literals_whose_type_is_said_elsewhere_are_not_guessed,
    {"let mut v = vec![1f32]; v.clear(); v.push(0.1 + 0.2);", "v", NOT_RUN},
    {"let t = Tensor::zeros(0, DType::F32, &dev)?; let mut v = t.to_vec1::<f32>()?; "
     "v.push(0.1 + 0.2);",
     "v", NOT_RUN},
    {"let o: Option<f32> = None; let x = o.unwrap_or(0.1 + 0.2);", "x", NOT_RUN},
    {"let o: Option<f32> = None; let x: f32 = o.unwrap_or(0.1 + 0.2);", "x", "0.3"},
    {"let t = Tensor::new(&[1f32, 2.], &dev)?; let x = "
     "t.to_scalar::<f32>().unwrap_or_else(|_| 0.1 + 0.2);",
     "x", NOT_RUN},
    {"let x = Some(0.1 + 0.2).unwrap_or_else(|| 1f32);", "x", NOT_RUN},
    {"let mut o = Some(1f32); o = None; o = Some(0.1 + 0.2);", "o", NOT_RUN},
    {"let x = if true { 0.1 + 0.2 } else { 1f32 };", "x", NOT_RUN},
    {"let x = if true { 0.1 + 0.2 } else { -1.5 };", "x", "0.30000000000000004"},
    {"let a = 0.1 + 0.2; let b = 1.5; let z = if true { a } else { b };", "a", NOT_RUN},
    {"let c = true; let x = loop { if c { break 0.1 + 0.2; } break 1f32; };", "x",
     NOT_RUN},
    {"let f = |c: bool| { if c { return 0.1 + 0.2; } 0.5f32 }; let x = f(true);", "x",
     NOT_RUN},
    {"let f = |p: i32| 0.1 + 0.2; let a = 1f32 * (if true { 0.5 } else { f(1) }); let b "
     "= "
     "f(2);",
     "b", NOT_RUN},
    {"let f = |p: i32| 0.1 + 0.2; let b = f(2); let s = format!(\"{b}\"); if false { let "
     "a: f32 = f(1); }",
     NULL, NOT_RUN},
    {"let f = |x| x * 2.0; let mut s = 0.0; for i in 0..3 { if i > 0 { s += f(0.25); } }",
     "s", "1.0"},
    {"let f = |x| format!(\"{x}\"); let s = f(0.1 + 0.2); if false { f(1f32); }", NULL,
     NOT_RUN},
    {"let f = |x| format!(\"{x}\"); let s = f(0.1 + 0.2); f(1f32);", NULL,
     "unsupported: numbers of two types meet here; only the compiler judges this @1:51"})

ROWS(texts_are_those_of_rust,
     {"let s = format!(\"{:?} {:?} {}\", 1e-4f32, 9.9e-5f32, 1e-4f32);", "s",
      "0.0001 9.9e-5 0.0001"},
     {"let s = format!(\"{:?}\", \"a\\u{200b}b é中'\\\" \\u{301}\\u{a0}\\u{7f}\");", "s",
      "\"a\\u{200b}b é中'\\\" \\u{301}\\u{a0}\\u{7f}\""},
     {"let s = format!(\"{:.2}\", true);", NULL,
      "unsupported: a precision for bool is outside what the core interprets @1:26"})

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("lang_misread");
    TCase *tc = tcase_create("programs");
    tcase_add_test(tc, copies_are_read_before_the_arguments);
    tcase_add_test(tc, names_mean_what_they_mean_in_rust);
    tcase_add_test(tc, temporaries_end_where_they_do_in_rust);
    tcase_add_test(tc, literals_have_one_type_in_the_whole_program);
    tcase_add_test(tc, literals_have_the_type_of_their_place);
    tcase_add_test(tc, literals_whose_type_is_said_elsewhere_are_not_guessed);
    tcase_add_test(tc, texts_are_those_of_rust);
    suite_add_tcase(suite, tc);
    return suite;
}
