/* Expressions for tests. */
#include "backends/core/testing.h"

#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bench *bench_new(const char *device)
{
    bench *b = calloc(1, sizeof *b);
    b->context = core_context_new();
    b->device = core_context_device(b->context, device);
    b->first = 1;
    return b;
}

void bench_free(bench *b)
{
    for (size_t i = b->count; i-- > 0;)
        core_value_clear(&b->bound[i].value);
    ck_assert_uint_eq(core_context_live(b->context), 0);
    core_context_free(b->context);
    free(b);
}

/* --- parsing --- */

typedef struct reader {
    bench *b;
    const char *at;
    core_error *error;
} reader;

static core_status expression(reader *r, core_value *out);

static void skip(reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool accept(reader *r, const char *text)
{
    skip(r);
    size_t length = strlen(text);
    if (strncmp(r->at, text, length))
        return false;
    r->at += length;
    return true;
}

static void word(reader *r, char out[64])
{
    size_t n = 0;
    skip(r);
    while ((isalnum((unsigned char)*r->at) || *r->at == '_' ||
            (*r->at == ':' && (r->at[1] == ':' || r->at[-1] == ':') && r->at[1] != '<' &&
             r->at[2] != '<')) &&
           n < 63)
        out[n++] = *r->at++;
    out[n] = '\0';
}

static core_status number(reader *r, core_value *out, bool negative)
{
    static const struct {
        const char *suffix;
        core_int_type type;
    } ints[] = {{"u8", CORE_INT_U8},   {"u32", CORE_INT_U32}, {"i32", CORE_INT_I32},
                {"i64", CORE_INT_I64}, {"i16", CORE_INT_I16}, {"usize", CORE_INT_USIZE}};
    char *end = NULL;
    bool range = strstr(r->at, "..") &&
                 strspn(r->at, "0123456789") == (size_t)(strstr(r->at, "..") - r->at);
    double real = range ? 0 : strtod(r->at, &end);
    size_t digits = strspn(r->at, "0123456789");
    if (!range && end > r->at + digits) {
        r->at = end;
        bool f32 = accept(r, "f32");
        *out = core_value_float(f32 ? CORE_F32 : CORE_F64, negative ? -real : real, !f32);
        return CORE_OK;
    }
    uint64_t bits = strtoull(r->at, NULL, 10);
    r->at += digits;
    if (accept(r, "f32") || accept(r, "f64")) {
        core_dtype dtype = r->at[-2] == '3' ? CORE_F32 : CORE_F64;
        *out = core_value_float(dtype, negative ? -(double)bits : (double)bits, false);
        return CORE_OK;
    }
    *out = core_value_int(CORE_INT_I32, negative ? 0 - bits : bits, true);
    for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++)
        if (accept(r, ints[i].suffix)) {
            out->integer.type = ints[i].type;
            out->integer.literal = false;
            break;
        }
    return CORE_OK;
}

/* Items up to `close`; a trailing comma is allowed. *comma: there was one. */
static core_status items(reader *r, core_value **out, size_t *count, const char *close,
                         bool *comma)
{
    core_status status = CORE_OK;
    *out = NULL;
    *count = 0;
    *comma = false;
    while (!status && !accept(r, close)) {
        *out = realloc(*out, (*count + 1) * sizeof **out);
        status = expression(r, &(*out)[*count]);
        *count += !status;
        *comma |= accept(r, ",");
    }
    return status;
}

static void drop_items(core_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        core_value_clear(&values[i]);
    free(values);
}

static core_status group(reader *r, core_value *out, core_kind kind, const char *close)
{
    core_value *values = NULL;
    size_t count = 0;
    bool comma = false;
    core_status status = items(r, &values, &count, close, &comma);
    if (status) {
        drop_items(values, count);
        return status;
    }
    if (kind == CORE_KIND_TUPLE && count == 0)
        *out = (core_value){0};
    else if (kind == CORE_KIND_TUPLE && count == 1 && !comma)
        *out = values[0];
    else
        *out = core_value_items(kind, values, count);
    free(values);
    return CORE_OK;
}

/* A call with the arguments at the reader, in parentheses. */
static core_status call(reader *r, core_value *out, const core_method *method,
                        const core_value *self, const core_value *type)
{
    core_value *args = NULL;
    size_t count = 0;
    bool comma = false;
    core_status status = accept(r, "(") ? items(r, &args, &count, ")", &comma) : CORE_OK;
    if (!status)
        status = core_method_call(r->b->context, out, method, self, type, type != NULL,
                                  args, count, r->error);
    drop_items(args, count);
    return status;
}

static core_status primary(reader *r, core_value *out)
{
    char name[64];
    skip(r);
    if (accept(r, "&"))
        return primary(r, out);
    if (accept(r, "-"))
        return number(r, out, true);
    if (isdigit((unsigned char)*r->at))
        return number(r, out, false);
    if (accept(r, "("))
        return group(r, out, CORE_KIND_TUPLE, ")");
    if (accept(r, "[") || accept(r, "vec!["))
        return group(r, out, CORE_KIND_LIST, "]");
    word(r, name);
    if (!strcmp(name, "dev")) {
        *out = (core_value){.kind = CORE_KIND_DEVICE, .device = r->b->device};
        return CORE_OK;
    }
    for (size_t i = 0; i < r->b->count; i++)
        if (!strcmp(r->b->bound[i].name, name))
            return core_value_clone(out, &r->b->bound[i].value, r->error);
    const core_method *method = core_path_find(name);
    if (!method)
        return core_fail(r->error, CORE_UNSUPPORTED,
                         "the test does not know \"%s\" at \"%s\"", name, r->at);
    return call(r, out, method, NULL, NULL);
}

static core_status postfix(reader *r, core_value *out)
{
    core_status status = primary(r, out);
    while (!status && (accept(r, "?") || (r->at[0] == '.' && r->at[1] != '.'))) {
        char name[64];
        core_value type = {.kind = CORE_KIND_DTYPE}, self = *out;
        if (*r->at != '.')
            continue;
        r->at++;
        word(r, name);
        bool typed = accept(r, "::<");
        if (typed) {
            char dtype[64];
            word(r, dtype);
            core_dtype_from_name(&type.dtype, dtype);
            accept(r, ">");
        }
        if (!strcmp(name, "into")) {
            accept(r, "()");
            continue;
        }
        const core_method *method = core_method_find(self.kind, name);
        if (!method)
            status = core_fail(r->error, CORE_UNSUPPORTED, "%s has no method %s",
                               core_kind_name(self.kind), name);
        else
            status = call(r, out, method, &self, typed ? &type : NULL);
        core_value_clear(&self);
        if (status)
            *out = (core_value){0};
    }
    return status;
}

static core_status operators(reader *r, core_value *out)
{
    core_status status = postfix(r, out);
    skip(r);
    while (!status && *r->at && strchr("+-*/", *r->at)) {
        char op = *r->at++;
        core_value lhs = *out, rhs = {0};
        status = postfix(r, &rhs);
        if (!status)
            status = core_operator(r->b->context, out, op, &lhs, &rhs, r->error);
        core_value_clear(&lhs);
        core_value_clear(&rhs);
        skip(r);
    }
    return status;
}

static core_status expression(reader *r, core_value *out)
{
    core_range range = {0};
    *out = (core_value){0};
    skip(r);
    if (strncmp(r->at, "..", 2)) {
        core_status status = operators(r, out);
        if (status || strncmp(r->at, "..", 2))
            return status;
        range.has_start = true;
        range.start = out->integer.bits;
    }
    r->at += 2;
    range.inclusive = accept(r, "=");
    if (isdigit((unsigned char)*r->at)) {
        core_value end;
        number(r, &end, false);
        range.has_end = true;
        range.end = end.integer.bits;
    }
    *out = (core_value){.kind = CORE_KIND_RANGE, .range = range};
    return CORE_OK;
}

core_status bench_run(bench *b, core_value *value, const char *program, core_error *error)
{
    reader r = {b, program, error};
    core_status status = expression(&r, value);
    while (!status && (accept(&r, ";") || accept(&r, "?;"))) {
        core_value_clear(value);
        status = expression(&r, value);
    }
    skip(&r);
    if (!status && *r.at)
        status = core_fail(error, CORE_UNSUPPORTED, "the test stopped at \"%s\"", r.at);
    if (status)
        *value = (core_value){0};
    return status;
}

/* --- describing --- */

static void add_elements(core_text *out, bench *b, const core_tensor *tensor)
{
    core_error error;
    core_shape flat = {1, {core_tensor_count(tensor)}};
    char *bytes = calloc(flat.dims[0] + 1, 8);
    core_status status = core_tensor_read(b->context, bytes, tensor, &error);
    if (status) {
        core_text_printf(out, "%s", error.text);
        free(bytes);
        return;
    }
    core_tensor *copy = NULL;
    status = core_tensor_from_data(b->context, &copy, bytes, flat.dims[0], &flat,
                                   core_tensor_dtype(tensor), b->device, &error);
    ck_assert_int_eq(status, CORE_OK);
    core_value self = core_value_tensor(copy), list = {0};
    core_value type = {.kind = CORE_KIND_DTYPE, .dtype = core_tensor_dtype(tensor)};
    status =
        core_method_call(b->context, &list, core_method_find(CORE_KIND_TENSOR, "to_vec1"),
                         &self, &type, 1, NULL, 0, &error);
    ck_assert_int_eq(status, CORE_OK);
    core_value_debug(b->context, out, &list, &error);
    core_value_clear(&self);
    core_value_clear(&list);
    free(bytes);
}

static void add_dims(core_text *out, const size_t *dims, size_t rank)
{
    core_text_printf(out, "[");
    for (size_t i = 0; i < rank; i++)
        core_text_printf(out, "%s%zu", i ? ", " : "", dims[i]);
    core_text_printf(out, "]");
}

static void describe_tensor(core_text *out, bench *b, const core_tensor *t)
{
    const core_layout *layout = core_tensor_layout(t);
    core_text_printf(out, "%s ", core_dtype_info(core_tensor_dtype(t))->variant);
    add_dims(out, layout->shape.dims, layout->shape.rank);
    core_text_printf(out, " stride ");
    add_dims(out, layout->stride, layout->shape.rank);
    core_text_printf(out, " offset %zu", layout->offset);
    if (core_tensor_id(t) < b->first)
        core_text_printf(out, " same");
    for (size_t i = 0; i < b->count; i++) {
        const core_value *v = &b->bound[i].value;
        bool view = !strcmp(b->bound[i].name, "s") || !strcmp(b->bound[i].name, "row") ||
                    !strcmp(b->bound[i].name, "col");
        if (!view && core_tensor_storage(v->tensor) == core_tensor_storage(t))
            core_text_printf(out, " of %s", b->bound[i].name);
    }
    if (core_tensor_is_variable(t))
        core_text_printf(out, " var");
    if (core_tensor_tracked(t))
        core_text_printf(out, " tracked");
    core_text_printf(out, " ");
    add_elements(out, b, t);
}

static void describe(core_text *out, bench *b, const core_value *value)
{
    core_error error;
    bool tensors = value->kind == CORE_KIND_LIST && value->count &&
                   value->items[0].kind == CORE_KIND_TENSOR;
    if (value->kind == CORE_KIND_TENSOR || value->kind == CORE_KIND_VAR) {
        describe_tensor(out, b, value->tensor);
    } else if (tensors) {
        core_text_printf(out, "[");
        for (size_t i = 0; i < value->count; i++) {
            core_text_printf(out, "%s", i ? ", " : "");
            describe_tensor(out, b, value->items[i].tensor);
        }
        core_text_printf(out, "]");
    } else if (value->kind == CORE_KIND_SOME) {
        core_text_printf(out, "Some(");
        describe(out, b, &value->items[0]);
        core_text_printf(out, ")");
    } else {
        core_value_debug(b->context, out, value, &error);
    }
}

/* The next identifier, by using it. */
static uint64_t next_id(bench *b)
{
    core_tensor *probe = NULL;
    core_error error;
    core_tensor_zeros(b->context, &probe, &(core_shape){0}, CORE_U8, b->device, &error);
    uint64_t id = core_tensor_id(probe);
    core_tensor_unref(probe);
    return id;
}

char *bench_describe(bench *b, const char *program)
{
    core_value value = {0};
    core_error error = {0};
    core_text out = {0};
    b->first = next_id(b) + 1;
    core_status status = bench_run(b, &value, program, &error);
    if (status <= CORE_ERROR)
        core_text_printf(&out, "ids %llu ", (unsigned long long)(next_id(b) - b->first));
    if (status)
        core_text_printf(&out, "%s %s", core_status_name(status), error.text);
    else
        describe(&out, b, &value);
    core_value_clear(&value);
    return out.data;
}

/* --- fixtures --- */

void bench_let(bench *b, const char *name, const char *expression_text)
{
    core_error error = {0};
    core_value value = {0};
    core_status status = bench_run(b, &value, expression_text, &error);
    ck_assert_msg(status == CORE_OK, "%s: %s", expression_text, error.text);
    ck_assert_uint_lt(b->count, BENCH_NAMES);
    strncpy(b->bound[b->count].name, name, sizeof b->bound[0].name - 1);
    b->bound[b->count++].value = value;
}

void bench_fixtures(bench *b)
{
    static const char *const lets[][2] = {
        {"x", "Tensor::new(&[[0f32, 1., 2.], [3., 4., 5.]], &dev)"},
        {"y", "Tensor::new(&[[2f32, 7., 1.], [8., 2., 8.]], &dev)"},
        {"v", "Var::new(&[[1f32, -2., 3.], [4., 0.5, -6.]], &dev)"},
        {"s", "x.t()"},
        {"k", "Tensor::new(&[[1i64, -7, 3], [100, 0, -3]], &dev)"},
        {"u", "Tensor::new(&[[1u8, 2, 255], [0, 7, 30]], &dev)"},
        {"d", "Tensor::new(&[[0.5, 1.5, 2.5], [-3.5, 4.5, 5.5]], &dev)"},
        {"id", "Tensor::new(&[1u32, 0, 1], &dev)"},
        {"ix", "Tensor::new(&[[0u32, 1, 0], [1, 1, 0]], &dev)"},
        {"z", "Tensor::new(1.5f32, &dev)"},
        {"e", "Tensor::zeros((0, 3), DType::F32, &dev)"},
        {"c", "Tensor::arange(0f32, 24f32, &dev)?.reshape((2, 3, 4))"},
        {"n", "Tensor::new(&[-0f32, 0f32, 0f32, -1.], &dev)"},
        {"r", "Tensor::new(&[10f32, 20., 30.], &dev)"},
        {"row", "x.narrow(0, 1, 1)"},
        {"col", "x.narrow(1, 1, 1)"},
    };
    for (size_t i = 0; i < sizeof lets / sizeof lets[0]; i++)
        bench_let(b, lets[i][0], lets[i][1]);
    /* n is [-0.0, NaN, inf, -1.0] */
    core_tensor *n = b->bound[12].value.tensor;
    core_error error;
    float special[] = {-0.0f, 0.0f, 1.0f, -1.0f};
    special[1] /= special[1];
    special[2] /= special[1] != special[1] ? 0.0f : 1.0f;
    core_tensor *fresh = NULL;
    core_tensor_from_data(b->context, &fresh, special, 4, &(core_shape){1, {4}}, CORE_F32,
                          b->device, &error);
    core_tensor_unref(n);
    b->bound[12].value = core_value_tensor(fresh);
}
