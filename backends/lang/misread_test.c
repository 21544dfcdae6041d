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
     {"let a = 1.000000059604644775390625000000001 as f32;", "a", "1.0000001"})

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
    tcase_add_test(tc, texts_are_those_of_rust);
    suite_add_tcase(suite, tc);
    return suite;
}
