/* The shim from C: what it says of tensors, and what it survives. */
#include "oracles/libtorch/shim.h"

#include "tools/test_main.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static shim_value integer(int64_t number)
{
    return (shim_value){.kind = SHIM_INT, .integer = number};
}

static shim_value given(shim_tensor *tensor)
{
    return (shim_value){.kind = SHIM_TENSOR, .tensor = tensor};
}

/* A result that must be one tensor. */
static shim_tensor *call(const char *name, const char *overload, const shim_value *args,
                         size_t count)
{
    shim_error error;
    shim_value results;
    int status = shim_call(&results, name, overload, args, count, &error);
    ck_assert_msg(status == 0, "%s: %s", name, error.text);
    ck_assert_uint_eq(results.count, 1);
    ck_assert_int_eq(results.items[0].kind, SHIM_TENSOR);
    shim_tensor *tensor = results.items[0].tensor;
    results.items[0] = (shim_value){0};
    shim_results_free(&results);
    return tensor;
}

static shim_tensor *ones(int64_t rows, int64_t columns)
{
    shim_value sizes[] = {integer(rows), integer(columns)};
    shim_value list = {.kind = SHIM_LIST, .items = sizes, .count = 2};
    return call("aten::ones", "", &list, 1);
}

static shim_info info_of(const shim_tensor *tensor)
{
    shim_error error;
    shim_info info;
    ck_assert_msg(shim_tensor_info(&info, tensor, &error) == 0, "%s", error.text);
    return info;
}

/* The call must fail so. */
static void refuse(const char *name, const char *overload, const shim_value *args,
                   size_t count, const char *type, const char *text)
{
    shim_error error;
    shim_value results;
    ck_assert_int_eq(shim_call(&results, name, overload, args, count, &error), -1);
    ck_assert_str_eq(error.type, type);
    ck_assert_msg(strstr(error.text, text), "%s is not in: %s", text, error.text);
    ck_assert_ptr_null(strchr(error.text, '\n'));
    ck_assert_uint_eq(results.count, 0);
}

START_TEST(tensors_are_seen_exactly)
{
    shim_tensor *x = ones(2, 3);
    shim_value args[] = {given(x), integer(1), integer(1), integer(3)};
    shim_tensor *view = call("aten::slice", "Tensor", args, 4);
    shim_info base = info_of(x), seen = info_of(view);
    ck_assert_str_eq(base.dtype, "float32");
    ck_assert_str_eq(base.layout, "strided");
    ck_assert_str_eq(base.device, "cpu");
    ck_assert_uint_eq(base.bytes, 24);
    ck_assert(base.readable && !base.negative && base.leaf && !base.requires_grad);
    ck_assert_ptr_null(base.base);
    ck_assert_int_eq(seen.offset, 1);
    ck_assert_int_eq(seen.sizes[1], 2);
    ck_assert_int_eq(seen.strides[0], 3);
    ck_assert_ptr_eq(seen.storage, base.storage);
    ck_assert_ptr_eq(seen.counter, base.counter);
    ck_assert_ptr_nonnull(seen.base);
    ck_assert_uint_ge(seen.uses, 2);
    shim_tensor *alone = ones(1, 1);
    ck_assert_uint_lt(info_of(alone).uses, seen.uses);
    shim_tensor_free(alone);
    ck_assert_int_eq(seen.version, 0);
    shim_value zero[] = {given(view)};
    shim_tensor_free(call("aten::zero_", "", zero, 1));
    ck_assert_int_eq(info_of(x).version, 1);
    float last;
    memcpy(&last, info_of(x).data + 20, sizeof last);
    ck_assert(last == 0);
    shim_tensor_free(view);
    shim_tensor_free(x);
}
END_TEST

START_TEST(views_are_made_by_hand)
{
    shim_error error;
    shim_tensor *bytes, *view;
    float two[] = {1, 2};
    int64_t size = 1, stride = 1;
    ck_assert_int_eq(shim_tensor_new(&bytes, two, sizeof two, &error), 0);
    shim_look look = {"float32", 1, &size, &stride, 1, bytes, 0, false};
    ck_assert_int_eq(shim_tensor_view(&view, bytes, &look, &error), 0);
    shim_info info = info_of(view);
    ck_assert_ptr_eq(info.counter, info_of(bytes).counter);
    shim_tensor_free(view);
    look.counter = NULL;
    look.version = 7;
    ck_assert_int_eq(shim_tensor_view(&view, bytes, &look, &error), 0);
    ck_assert_ptr_ne(info_of(view).counter, info_of(bytes).counter);
    ck_assert_int_eq(info_of(view).version, 7);
    shim_tensor_free(view);
    int64_t beyond[] = {2, INT64_MAX, -1};
    for (size_t i = 0; i < 3; i++) {
        look.sizes = &beyond[i];
        ck_assert_int_eq(shim_tensor_view(&view, bytes, &look, &error), -1);
    }
    look.sizes = &size;
    look.dtype = "float31";
    ck_assert_int_eq(shim_tensor_view(&view, bytes, &look, &error), -1);
    ck_assert_ptr_nonnull(strstr(error.text, "float31"));
    shim_tensor_free(bytes);
}
END_TEST

START_TEST(mistakes_of_the_caller_are_errors)
{
    shim_tensor *x = ones(2, 2);
    shim_value args[] = {given(x), given(x), integer(1), integer(1), integer(1)};
    shim_value text = {.kind = SHIM_TEXT, .text = "x"};
    shim_value wrong[] = {given(x), text};
    shim_value named[] = {given(x), given(x), integer(2)};
    shim_value word = {.kind = SHIM_WORD, .name = "dtype", .text = "float31"};
    shim_value sized[] = {{.kind = SHIM_LIST}, word};
    named[2].name = "beta";
    refuse("aten::no_such", "", args, 1, "TypeError", "no operator aten::no_such");
    refuse("aten::add", "No", args, 2, "TypeError", "no operator aten::add.No");
    refuse("aten::add", "Tensor", args, 1, "TypeError", "lacks its argument other");
    refuse("aten::add", "Tensor", args, 5, "TypeError", "fewer arguments than 5");
    refuse("aten::add", "Tensor", wrong, 2, "TypeError", "a text where Tensor");
    refuse("aten::add", "Tensor", named, 3, "TypeError", "no argument beta");
    named[2].name = "other";
    refuse("aten::add", "Tensor", named, 3, "TypeError", "other is given twice");
    refuse("aten::ones", "", sized, 2, "TypeError", "no dtype float31");
    shim_tensor_free(x);
}
END_TEST

START_TEST(errors_read_as_in_python)
{
    shim_error error;
    shim_tensor *x = ones(2, 2), *leaf;
    shim_value three[] = {integer(3)};
    shim_value view[] = {given(x), {.kind = SHIM_LIST, .items = three, .count = 1}};
    shim_value narrow[] = {given(x), integer(5), integer(0), integer(1)};
    refuse("aten::view", "", view, 2, "RuntimeError",
           "shape '[3]' is invalid for input of size 4");
    refuse("aten::narrow", "", narrow, 4, "IndexError",
           "Dimension out of range (expected to be in range of [-2, 1], but got 5)");
    shim_info info = info_of(x);
    shim_look look = {"float32", 2, info.sizes, info.strides, 0, NULL, 0, true};
    ck_assert_int_eq(shim_tensor_view(&leaf, x, &look, &error), 0);
    ck_assert(info_of(leaf).requires_grad && info_of(leaf).leaf);
    shim_value zero[] = {given(leaf)};
    refuse("aten::zero_", "", zero, 1, "RuntimeError",
           "a leaf Variable that requires grad is being used in an in-place operation.");
    shim_tensor_free(leaf);
    shim_tensor_free(x);
}
END_TEST

START_TEST(out_of_memory_is_an_error)
{
    shim_value much[] = {integer((int64_t)1 << 45)}; /* 2^47 bytes: no address space */
    shim_value sizes = {.kind = SHIM_LIST, .items = much, .count = 1};
    refuse("aten::ones", "", &sizes, 1, "RuntimeError",
           "you tried to allocate 140737488355328 bytes");
    much[0].integer = INT64_MAX;
    refuse("aten::ones", "", &sizes, 1, "RuntimeError", "");
    shim_tensor_free(ones(2, 2)); /* and goes on */
}
END_TEST

/* An index that is out of bounds only where the last of four threads works. */
START_TEST(an_exception_on_another_thread_arrives)
{
    enum { COUNT = 1 << 20 };
    shim_error error;
    shim_tensor *bytes, *index, *x = ones(COUNT, 1);
    int64_t size[] = {COUNT, 1}, stride[] = {1, 1};
    int64_t *places = calloc(COUNT, sizeof *places);
    places[COUNT - 1] = COUNT;
    ck_assert_int_eq(shim_threads(4, &error), 0);
    ck_assert_int_eq(shim_tensor_new(&bytes, places, COUNT * sizeof *places, &error), 0);
    shim_look look = {"int64", 2, size, stride, 0, NULL, 0, false};
    ck_assert_int_eq(shim_tensor_view(&index, bytes, &look, &error), 0);
    shim_value args[] = {given(x), integer(0), given(index)};
    for (int i = 0; i < 20; i++)
        refuse("aten::gather", "", args, 3, "RuntimeError", "out of bounds");
    shim_tensor_free(bytes);
    shim_tensor_free(index);
    shim_tensor_free(x);
    free(places);
}
END_TEST

static void *refuse_often(void *x)
{
    for (int i = 0; i < 200; i++) {
        shim_value narrow[] = {given(x), integer(5), integer(0), integer(1)};
        refuse("aten::narrow", "", narrow, 4, "IndexError", "out of range");
    }
    return NULL;
}

START_TEST(threads_of_the_caller_do_not_meet)
{
    pthread_t threads[4];
    shim_tensor *tensors[4];
    for (int i = 0; i < 4; i++) {
        tensors[i] = ones(2, 2);
        ck_assert_int_eq(pthread_create(&threads[i], NULL, refuse_often, tensors[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        shim_tensor_free(tensors[i]);
    }
}
END_TEST

START_TEST(memory_is_counted_to_the_byte)
{
    shim_error error;
    ck_assert_int_eq(shim_memory_install(&error), 0);
    shim_tensor *x = ones(4096, 4096), *same;
    shim_value args[] = {given(x)};
    uint64_t before = shim_memory_now().requested, live = shim_memory_now().live;
    ck_assert_int_eq(shim_tensor_share(&same, x, &error), 0);
    ck_assert_uint_eq(shim_memory_now().requested - before, 0);
    shim_memory_mark();
    shim_tensor_free(call("aten::clone", "", args, 1));
    ck_assert_uint_eq(shim_memory_now().requested - before, 64 << 20);
    ck_assert_uint_ge(shim_memory_now().peak - live, 64 << 20);
    ck_assert_uint_eq(shim_memory_now().live, live);
    shim_memory_fill(true);
    shim_value one[] = {integer(3)};
    shim_value sizes = {.kind = SHIM_LIST, .items = one, .count = 1};
    shim_tensor *empty = call("aten::empty", "memory_format", &sizes, 1);
    ck_assert_int_eq(info_of(empty).data[0], SHIM_FILL);
    shim_memory_fill(false);
    shim_tensor_free(empty);
    shim_tensor_free(same);
    shim_tensor_free(x);
}
END_TEST

START_TEST(schemas_declare)
{
    shim_error error;
    shim_schema schema;
    ck_assert_int_eq(shim_schema_of(&schema, "aten::add_", "Tensor", &error), 0);
    ck_assert_uint_eq(schema.narguments, 3);
    ck_assert_str_eq(schema.names[2], "alpha");
    ck_assert(schema.writes[0] && !schema.writes[1]);
    ck_assert_uint_eq(schema.aliases[0], 1);
    ck_assert_int_eq(shim_schema_of(&schema, "aten::split", "Tensor", &error), 0);
    ck_assert(!schema.writes[0]);
    ck_assert_uint_eq(schema.aliases[0] & 1, 1);
    ck_assert_int_eq(shim_schema_of(&schema, "aten::mm", "", &error), 0);
    ck_assert_uint_eq(schema.aliases[0], 0);
    ck_assert_int_eq(shim_schema_of(&schema, "aten::mm", "x", &error), -1);
}
END_TEST

START_TEST(seeds_repeat)
{
    shim_error error;
    unsigned char drawn[2][8];
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(shim_seed(5, &error), 0);
        shim_value one[] = {integer(2)};
        shim_value sizes = {.kind = SHIM_LIST, .items = one, .count = 1};
        shim_tensor *x = call("aten::rand", "", &sizes, 1);
        memcpy(drawn[i], info_of(x).data, 8);
        shim_tensor_free(x);
    }
    ck_assert_mem_eq(drawn[0], drawn[1], 8);
    ck_assert_int_eq(shim_generator_set("x", 1, &error), -1);
}
END_TEST

Suite *parity_test_suite(void)
{
    Suite *suite = suite_create("libtorch_shim");
    TCase *tests = tcase_create("shim");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, tensors_are_seen_exactly);
    tcase_add_test(tests, views_are_made_by_hand);
    tcase_add_test(tests, mistakes_of_the_caller_are_errors);
    tcase_add_test(tests, errors_read_as_in_python);
    tcase_add_test(tests, out_of_memory_is_an_error);
    tcase_add_test(tests, an_exception_on_another_thread_arrives);
    tcase_add_test(tests, threads_of_the_caller_do_not_meet);
    tcase_add_test(tests, memory_is_counted_to_the_byte);
    tcase_add_test(tests, schemas_declare);
    tcase_add_test(tests, seeds_repeat);
    suite_add_tcase(suite, tests);
    return suite;
}
