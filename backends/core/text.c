/* What `{:?}` and `{}` print of numbers and tensors (display.rs). Display works on the
 * tensor with flatten_all and get, as upstream, because these use identifiers. */
#include "backends/core/internal.h"
#include "backends/core/text.h"
#include "backends/core/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers. */

/* Shortest digits that read back: digits without a point, *exponent such that 0.d1d2… ×
 * 10^exponent. */
static size_t shortest(char digits[24], int *exponent, double value, core_dtype dtype)
{
    char text[40];
    for (int precision = 0; precision < 17; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, value);
        if (dtype == CORE_F32 ? strtof(text, NULL) == (float)value
                              : strtod(text, NULL) == value)
            break;
    }
    size_t count = 0;
    char *e = strchr(text, 'e');
    for (char *c = text; c < e; c++)
        if (*c >= '0' && *c <= '9')
            digits[count++] = *c;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    *exponent = atoi(e + 1) + 1;
    return count;
}

static void zeros(core_text *out, int count)
{
    while (count-- > 0)
        core_text_add(out, "0", 1);
}

static void plain_digits(core_text *out, const char *digits, size_t count, int exponent)
{
    int n = (int)count;
    if (exponent <= 0) {
        core_text_add(out, "0.", 2);
        zeros(out, -exponent);
        core_text_add(out, digits, count);
    } else if (exponent >= n) {
        core_text_add(out, digits, count);
        zeros(out, exponent - n);
    } else {
        core_text_add(out, digits, (size_t)exponent);
        core_text_add(out, ".", 1);
        core_text_add(out, digits + exponent, count - (size_t)exponent);
    }
}

void core_float_text(core_text *out, double value, core_dtype dtype, bool display)
{
    char digits[24];
    int exponent = 1;
    if (value != value) {
        core_text_add(out, "NaN", 3);
        return;
    }
    if (signbit(value))
        core_text_add(out, "-", 1);
    value = fabs(value);
    if (isinf(value)) {
        core_text_add(out, "inf", 3);
        return;
    }
    size_t count = shortest(digits, &exponent, value, dtype);
    if (!display && value != 0 && (exponent < -3 || exponent > 16)) {
        core_text_add(out, digits, 1);
        if (count > 1) {
            core_text_add(out, ".", 1);
            core_text_add(out, digits + 1, count - 1);
        }
        core_text_printf(out, "e%d", exponent - 1);
        return;
    }
    plain_digits(out, digits, count, exponent);
    if (!display && exponent >= (int)count)
        core_text_add(out, ".0", 2);
}

const char *core_scalar_text(core_text *out, core_scalar value)
{
    const core_dtype_row *type = core_dtype_info(value.dtype);
    core_text_printf(out, "%s(", type->variant);
    if (type->is_float)
        core_float_text(out, value.real, value.dtype, false);
    else
        core_text_printf(out, "%lld", (long long)value.integer);
    core_text_printf(out, ")");
    return out->data;
}

core_scalar core_scalar_load(core_dtype dtype, const void *bytes)
{
    core_scalar out = {.dtype = dtype};
    switch (dtype) {
    case CORE_U8:
        out.integer = *(const uint8_t *)bytes;
        break;
    case CORE_U32:
        out.integer = *(const uint32_t *)bytes;
        break;
    case CORE_I16:
        out.integer = *(const int16_t *)bytes;
        break;
    case CORE_I32:
        out.integer = *(const int32_t *)bytes;
        break;
    case CORE_I64:
        out.integer = *(const int64_t *)bytes;
        break;
    case CORE_F32:
        out.real = *(const float *)bytes;
        break;
    default:
        out.real = *(const double *)bytes;
    }
    return out;
}

/* Tensors. */

/* The elements of a tensor in order; *out is new. */
static core_status read_all(core_context *context, char **out, const core_tensor *tensor,
                            core_error *error)
{
    void *bytes = NULL;
    size_t nbytes;
    core_status status = core_tensor_room(&bytes, &nbytes, tensor, error);
    if (!status)
        status = core_tensor_read(context, bytes, tensor, error);
    if (status) {
        free(bytes);
        bytes = NULL;
    }
    *out = bytes;
    return status;
}

static core_scalar element(const core_tensor *tensor, const char *bytes, size_t i)
{
    return core_scalar_load(tensor->dtype,
                            bytes + i * core_dtype_info(tensor->dtype)->size);
}

static void add_display(core_text *out, core_scalar v)
{
    if (core_dtype_info(v.dtype)->is_float)
        core_float_text(out, v.real, v.dtype, true);
    else
        core_text_printf(out, "%lld", (long long)v.integer);
}

static void add_device(core_text *out, const core_tensor *tensor)
{
    const char *suffix = tensor->storage->device->suffix;
    core_text_add(out, suffix, strlen(suffix));
}

core_status core_tensor_debug(core_context *context, core_text *out,
                              const core_tensor *tensor, core_error *error)
{
    const core_shape *shape = &tensor->layout.shape;
    core_text_printf(out, "Tensor[");
    if (shape->rank == 0 || (shape->rank == 1 && shape->dims[0] < 10)) {
        char *bytes = NULL;
        core_status status = read_all(context, &bytes, tensor, error);
        if (status)
            return status;
        for (size_t i = 0; i < core_shape_count(shape); i++) {
            if (i)
                core_text_add(out, ", ", 2);
            add_display(out, element(tensor, bytes, i));
        }
        free(bytes);
    } else {
        core_text_printf(out, "dims ");
        for (size_t i = 0; i < shape->rank; i++)
            core_text_printf(out, "%s%zu", i ? ", " : "", shape->dims[i]);
    }
    core_text_printf(out, "; %s", core_dtype_info(tensor->dtype)->name);
    add_device(out, tensor);
    core_text_add(out, "]", 1);
    return CORE_OK;
}

/* The print options of display.rs, as they are by default. */
enum { PRECISION = 4, THRESHOLD = 1000, EDGE_ITEMS = 3, LINE_WIDTH = 80 };

typedef struct format {
    core_context *context;
    core_error *error;
    bool int_mode;
    bool sci_mode;
    bool summarize;
    int width;
} format;

static void sci_text(char *text, size_t size, double value)
{
    snprintf(text, size, "%.*e", PRECISION, value);
    char *e = strchr(text, 'e');
    if (e)
        snprintf(e + 1, size - (size_t)(e + 1 - text), "%d", atoi(e + 1));
}

static void number_text(char text[400], const format *f, core_scalar v)
{
    if (!core_dtype_info(v.dtype)->is_float)
        snprintf(text, 400, "%lld", (long long)v.integer);
    else if (v.real != v.real)
        snprintf(text, 400, "NaN");
    else if (isinf(v.real))
        snprintf(text, 400, "%s", v.real < 0 ? "-inf" : "inf");
    else if (f->sci_mode)
        sci_text(text, 400, v.real);
    else if (f->int_mode)
        snprintf(text, 400, "%.0f.", v.real);
    else
        snprintf(text, 400, "%.*f", PRECISION, v.real);
}

static void add_number(core_text *out, const format *f, core_scalar v)
{
    char text[400];
    number_text(text, f, v);
    core_text_printf(out, "%*s", f->width, text);
}

/* FloatFormatter::new: which of the three notations. */
static void choose_mode(format *f, const core_tensor *tensor, const char *bytes,
                        size_t count)
{
    bool f32 = tensor->dtype == CORE_F32;
    double min = INFINITY, max = 0;
    f->int_mode = true;
    for (size_t i = 0; i < count; i++) {
        double v = element(tensor, bytes, i).real;
        if (!isfinite(v) || v == 0)
            continue;
        f->int_mode &= ceil(v) == v;
        min = fmin(min, fabs(v));
        max = fmax(max, fabs(v));
    }
    if (max == 0)
        return;
    double ratio = f32 ? (double)((float)max / (float)min) : max / min;
    f->sci_mode = ratio > 1000.0 || max > 1e8 || min < (f32 ? (double)1e-4f : 1e-4);
}

/* Flattens, as max_width and FloatFormatter::new each do, and looks at all elements. */
static core_status measure(format *f, const core_tensor *shown, bool width)
{
    core_tensor *flat = NULL;
    char *bytes = NULL;
    core_status status =
        core_tensor_flatten(f->context, &flat, shown, NULL, NULL, f->error);
    if (!status)
        status = read_all(f->context, &bytes, flat, f->error);
    size_t count = status ? 0 : core_tensor_count(flat);
    if (!status && !width)
        choose_mode(f, flat, bytes, count);
    for (size_t i = 0; i < count && width; i++) {
        char text[400];
        number_text(text, f, element(flat, bytes, i));
        int length = (int)strlen(text);
        f->width = length > f->width ? length : f->width;
    }
    free(bytes);
    core_tensor_unref(flat);
    return status;
}

static void newline(core_text *out, int indent)
{
    core_text_printf(out, "\n%*s", indent, "");
}

/* A run of elements of a vector, without brackets. */
static core_status add_part(core_text *out, const format *f, const core_tensor *t,
                            size_t start, size_t len, int indent, bool wrap,
                            bool comma_first)
{
    core_tensor *part = NULL;
    char *bytes = NULL;
    core_status status =
        core_tensor_narrow(f->context, &part, t, 0, start, len, f->error);
    if (!status)
        status = read_all(f->context, &bytes, part, f->error);
    int per_line = LINE_WIDTH / (f->width + 2);
    if (per_line < 1)
        per_line = 1;
    for (size_t i = 0; i < len && !status; i++) {
        bool first = i == 0 && !comma_first;
        if (wrap && i && i % (size_t)per_line == 0) {
            core_text_add(out, ",", 1);
            newline(out, indent);
        } else if (!first) {
            core_text_add(out, ", ", 2);
        }
        add_number(out, f, element(part, bytes, i));
    }
    free(bytes);
    core_tensor_unref(part);
    return status;
}

static core_status add_vector(core_text *out, const format *f, const core_tensor *t,
                              int indent)
{
    size_t n = t->layout.shape.dims[0];
    if (!f->summarize || n <= 2 * EDGE_ITEMS)
        return add_part(out, f, t, 0, n, indent, true, false);
    core_status status = add_part(out, f, t, 0, EDGE_ITEMS, indent, false, false);
    core_text_add(out, ", ...", 5);
    return status ? status
                  : add_part(out, f, t, n - EDGE_ITEMS, EDGE_ITEMS, indent, false, true);
}

static core_status add_tensor(core_text *out, const format *f, const core_tensor *t,
                              int indent);

static core_status add_row(core_text *out, const format *f, const core_tensor *t,
                           size_t i, int indent)
{
    core_tensor *row = NULL;
    core_status status = core_tensor_get(f->context, &row, t, i, f->error);
    if (!status)
        status = add_tensor(out, f, row, indent + 1);
    core_tensor_unref(row);
    return status;
}

static core_status add_rows(core_text *out, const format *f, const core_tensor *t,
                            int indent)
{
    size_t n = t->layout.shape.dims[0];
    bool cut = f->summarize && n > 2 * EDGE_ITEMS;
    core_status status = CORE_OK;
    for (size_t i = 0; i < n && !status; i++) {
        if (cut && i == EDGE_ITEMS) {
            core_text_add(out, "...", 3);
            newline(out, indent);
            i = n - EDGE_ITEMS;
        }
        status = add_row(out, f, t, i, indent);
        if (i + 1 != n) {
            core_text_add(out, ",", 1);
            newline(out, indent);
        }
    }
    return status;
}

static core_status add_tensor(core_text *out, const format *f, const core_tensor *t,
                              int indent)
{
    core_status status = CORE_OK;
    core_text_add(out, "[", 1);
    if (core_tensor_rank(t) == 0) {
        char bytes[8];
        status = core_tensor_read(f->context, bytes, t, f->error);
        if (!status)
            add_number(out, f, core_scalar_load(t->dtype, bytes));
    } else {
        status = core_tensor_rank(t) == 1 ? add_vector(out, f, t, indent)
                                          : add_rows(out, f, t, indent);
    }
    core_text_add(out, "]", 1);
    return status;
}

/* get_summarized_data: the corners only, for choosing notation and width. */
static core_status summary(core_context *context, core_tensor **out, const core_tensor *t,
                           core_error *error)
{
    size_t rank = core_tensor_rank(t), n = rank ? t->layout.shape.dims[0] : 0, count = 0;
    bool cut = n > 2 * EDGE_ITEMS;
    if (rank == 0 || (rank == 1 && !cut))
        return core_same(out, t);
    size_t parts = rank == 1 ? 2 : cut ? 2 * EDGE_ITEMS : n;
    core_tensor **made = core_alloc(parts * sizeof *made);
    core_status status = CORE_OK;
    for (; count < parts && !status; count++) {
        made[count] = NULL;
        if (rank == 1) {
            status = core_tensor_narrow(context, &made[count], t, 0,
                                        count ? n - EDGE_ITEMS : 0, EDGE_ITEMS, error);
            continue;
        }
        core_tensor *row = NULL;
        size_t at = cut && count >= EDGE_ITEMS ? n - 2 * EDGE_ITEMS + count : count;
        status = core_tensor_get(context, &row, t, at, error);
        if (!status)
            status = summary(context, &made[count], row, error);
        core_tensor_unref(row);
    }
    if (!status)
        status = core_tensor_cat(context, out, (const core_tensor *const *)made, parts, 0,
                                 error);
    while (count > 0)
        core_tensor_unref(made[--count]);
    free(made);
    return status;
}

core_status core_tensor_display(core_context *context, core_text *out,
                                const core_tensor *tensor, core_error *error)
{
    core_tensor *shown = NULL;
    core_error own = {0};
    format f = {.context = context, .error = error ? error : &own, .width = 1};
    f.summarize = core_tensor_count(tensor) > THRESHOLD;
    core_status status = f.summarize ? summary(context, &shown, tensor, f.error)
                                     : core_same(&shown, tensor);
    if (status == CORE_ERROR) {
        core_text_printf(out, "%s", f.error->text);
        return CORE_OK;
    }
    if (!status && core_dtype_info(tensor->dtype)->is_float)
        status = measure(&f, shown, false);
    if (!status)
        status = measure(&f, shown, true);
    core_tensor_unref(shown);
    if (!status)
        status = add_tensor(out, &f, tensor, 1);
    if (status)
        return status;
    char dims[CORE_SHAPE_TEXT];
    core_text_printf(out, "\nTensor[%s, %s", core_shape_text(dims, &tensor->layout.shape),
                     core_dtype_info(tensor->dtype)->name);
    add_device(out, tensor);
    core_text_add(out, "]", 1);
    return CORE_OK;
}
