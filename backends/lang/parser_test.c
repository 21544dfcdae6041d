#include "backends/lang/parser.h"
#include "harness/base/buffer.h"
#include "tools/test_main.h"

#include <stdlib.h>
#include <string.h>

static parity_arena *arena;
static lang_interner *names;

static void setup(void)
{
    arena = parity_arena_new();
    names = lang_interner_new(arena);
}

static void teardown(void)
{
    parity_arena_free(arena);
}

static lang_expr *expr(const char *text)
{
    lang_expr *e;
    parity_error error = {0};
    ck_assert_msg(lang_parse_expression(&e, arena, names, text, &error) == 0, "%s: %s",
                  text, error.message);
    return e;
}

/* Prefix notation of operators, to see how they bind. */
static void show(parity_buffer *out, const lang_expr *e)
{
    switch (e->kind) {
    case LANG_EXPR_NUMBER:
        parity_buffer_printf(out, "%lld", (long long)e->number.i);
        break;
    case LANG_EXPR_PATH:
        parity_buffer_text(out, e->name);
        break;
    case LANG_EXPR_BINARY:
    case LANG_EXPR_ASSIGN:
        parity_buffer_printf(out, "(%s%s ", e->name,
                             e->kind == LANG_EXPR_ASSIGN ? "=" : "");
        show(out, e->a);
        parity_buffer_char(out, ' ');
        show(out, e->b);
        parity_buffer_char(out, ')');
        break;
    case LANG_EXPR_RANGE:
        parity_buffer_text(out, e->inclusive ? "(..= " : "(.. ");
        if (e->a)
            show(out, e->a);
        parity_buffer_char(out, ' ');
        if (e->b)
            show(out, e->b);
        parity_buffer_char(out, ')');
        break;
    default:
        parity_buffer_printf(out, "[%d%s", (int)e->kind, *e->name ? " " : "");
        parity_buffer_text(out, e->name);
        if (e->a) {
            parity_buffer_char(out, ' ');
            show(out, e->a);
        }
        parity_buffer_char(out, ']');
    }
}

START_TEST(operators_bind_as_in_rust)
{
    static const char *const rows[][2] = {
        {"a + b * c", "(+ a (* b c))"},
        {"a - b - c", "(- (- a b) c)"},
        {"a || b && c == d | e ^ f & g << h + i",
         "(|| a (&& b (== c (| d (^ e (& f (<< g (+ h i))))))))"},
        {"a >> 1 >= b > c", NULL},
        {"a >> 1 >= b", "(>= (>> a 1) b)"},
        {"a = b += 1", "(= a (+= b 1))"},
        {"a..b + 1", "(.. a (+ b 1))"},
        {"..=3", "(..=  3)"},
        {"a..", "(.. a )"},
        {"-1", "-1"},
        {"1 - -1", "(- 1 -1)"},
        {"(a + b) * c", "(* (+ a b) c)"},
        {"a >>= 2", "(>>= a 2)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        parity_buffer out = {0};
        lang_expr *e;
        if (!rows[i][1]) {
            ck_assert_int_eq(lang_parse_expression(&e, arena, names, rows[i][0], NULL),
                             -1);
            continue;
        }
        show(&out, expr(rows[i][0]));
        ck_assert_str_eq(out.data, rows[i][1]);
        parity_buffer_free(&out);
    }
}
END_TEST

START_TEST(forms_of_a_program)
{
    lang_block *block;
    parity_error error = {0};
    const char *text =
        "use candle_core::Tensor;\n"
        "#[derive(Debug, Clone)]\n"
        "struct Layer<'a> { pub w: Vec<Vec<f32>>, n: &'a [usize; 3] }\n"
        "struct P(f32, usize);\n"
        "impl Layer<'_> { fn f(&self, x: &Tensor) -> Result<Tensor> { x.sqr() } }\n"
        "fn g() {}\n"
        "const N: usize = 3;\n"
        "let (mut a, _) = (1, 2);\n"
        "let v: Vec<Vec<f32>> = vec![vec![0.; 3]; 2];\n"
        "if a > 1 { a = 2; } else if a < 0 {} else { g() }\n"
        "for (i, &x) in v.iter().enumerate() { println!(\"{i} {x:?} {}\", a + 1); }\n"
        "while a < 3 { a += 1; if a == 2 { break } }\n"
        "let f = move |x: f32, y| -> f32 { x * y };\n"
        "let p = Params { lr: 0.1, ..Default::default() };\n"
        "let r = t.to_vec2::<f32>()?[0][1..].len() as f64;\n"
        "return Ok(())";
    ck_assert_msg(lang_parse_program(&block, arena, names, text, &error) == 0, "%d:%d %s",
                  error.pos.line, error.pos.column, error.message);
    ck_assert_uint_eq(block->nstructs, 2);
    ck_assert_uint_eq(block->nimpls, 1);
    ck_assert_uint_eq(block->nfns, 1);
    ck_assert(block->structs[0]->clone && !block->structs[0]->copy);
    ck_assert_uint_eq(block->nstmts, 9);
    ck_assert_ptr_nonnull(block->tail);
    ck_assert_int_eq(block->stmts[2].pos.line, 9);
    ck_assert_int_eq(block->stmts[2].expr->pos.column, 24);
}
END_TEST

START_TEST(places_of_expressions)
{
    lang_expr *method = expr("a.b(1)?.cd::<f32>(2)");
    ck_assert_int_eq(method->pos.column, 9);
    ck_assert_int_eq(expr("xé + yy")->b->pos.column, 6);
    ck_assert_int_eq(expr("v [ 1 ]")->pos.column, 1);
}
END_TEST

START_TEST(outside_the_subset)
{
    static const struct {
        const char *text;
        const char *why;
        int line;
        int column;
    } rows[] = {
        {"let x = 1;\nlet y = match x { _ => 2 };", "`match` is outside what the core", 2,
         9},
        {"if let Some(x) = y {}", "`if let` is outside", 1, 4},
        {"let Some(x) = y else { return };", "pattern", 1, 5},
        {"unsafe { }", "`unsafe` is outside", 1, 1},
        {"trait T {}", "`trait` is outside", 1, 1},
        {"fn f<T>(x: T) {}", "type parameters", 1, 6},
        {"fn f(x: impl Fn()) {}", "`impl` is outside", 1, 9},
        {"impl InplaceOp1 for X {}", "implementing a trait", 1, 1},
        {"let x = dbg!(1);", "macro `dbg!`", 1, 9},
        {"let c = 'x';", "character", 1, 9},
        {"let x = f(1;", "expected `)`, found `;`", 1, 12},
        {"let x 1;", "expected `;`, found `1`", 1, 7},
        {"let x = 1", "expected `;`, found the end", 1, 10},
        {"#[cfg(test)] fn f() {}", "attributes", 1, 3},
        {"use foo::Bar;", "importing from `foo`", 1, 1},
        {"use candle_core::Tensor as T;", "`as` is outside", 1, 25},
        {"println!(\"{:>5}\", x);", "format `{:>5}`", 1, 10},
        {"println!(\"{}\");", "more arguments", 1, 10},
        {"println!(\"}\");", "brace", 1, 10},
        {"'a: loop {}", "expected an expression", 1, 1},
        {"x.await;", "`await` is outside", 1, 3},
        {"let x = 1i7;", "suffix", 1, 9},
        {"}", "expected the end of the program", 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lang_block *block;
        parity_error error = {0};
        ck_assert_msg(lang_parse_program(&block, arena, names, rows[i].text, &error) ==
                          -1,
                      "%s was read", rows[i].text);
        ck_assert_msg(strstr(error.message, rows[i].why), "%s: %s", rows[i].text,
                      error.message);
        ck_assert_msg(error.pos.line == rows[i].line &&
                          error.pos.column == rows[i].column,
                      "%s: %d:%d", rows[i].text, error.pos.line, error.pos.column);
    }
}
END_TEST

START_TEST(deep_nesting_is_refused)
{
    static const char *const pieces[] = {"(",        "[",    "{",      "-",  "&",
                                         "!",        "|x| ", "if a {", "f(", "vec![",
                                         "fn f() {", "a.b(", "a["};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        parity_buffer text = {0};
        lang_block *block;
        parity_error error = {0};
        for (int n = 0; n < 100000; n++)
            parity_buffer_text(&text, pieces[i]);
        ck_assert_int_eq(lang_parse_program(&block, arena, names, text.data, &error), -1);
        ck_assert_msg(strstr(error.message, "nested deeper"), "%s: %s", pieces[i],
                      error.message);
        parity_buffer_free(&text);
    }
}
END_TEST

START_TEST(long_chains_are_refused)
{
    static const char *const pieces[] = {"+ 1", ".f()", "?", " as f32", "[0]", ".0"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        parity_buffer text = {0};
        lang_expr *e;
        parity_error error = {0};
        parity_buffer_text(&text, "a");
        for (int n = 0; n < 100000; n++)
            parity_buffer_text(&text, pieces[i]);
        ck_assert_int_eq(lang_parse_expression(&e, arena, names, text.data, &error), -1);
        ck_assert_msg(strstr(error.message, "nested deeper"), "%s: %s", pieces[i],
                      error.message);
        parity_buffer_free(&text);
    }
}
END_TEST

START_TEST(format_strings)
{
    lang_expr *e = expr("format!(\"a{{b}}{} {x:?}{0:.3} {k}\", 1, k = 2)");
    ck_assert_uint_eq(e->npieces, 8);
    ck_assert_uint_eq(e->pieces[0].length, 2);
    ck_assert_int_eq((int)e->pieces[2].value->number.i, 1);
    ck_assert(e->pieces[4].debug);
    ck_assert_str_eq(e->pieces[4].value->name, "x");
    ck_assert_int_eq(e->pieces[5].precision, 3);
    ck_assert_int_eq((int)e->pieces[7].value->number.i, 2);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("lang_parser");
    TCase *tc = tcase_create("trees");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, operators_bind_as_in_rust);
    tcase_add_test(tc, forms_of_a_program);
    tcase_add_test(tc, places_of_expressions);
    tcase_add_test(tc, outside_the_subset);
    tcase_add_test(tc, deep_nesting_is_refused);
    tcase_add_test(tc, long_chains_are_refused);
    tcase_add_test(tc, format_strings);
    suite_add_tcase(suite, tc);
    return suite;
}
