/* Numbers and named patterns as elements of every type. */
#include "harness/load/elements.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void store(void *bytes, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)(bits >> (8 * i));
}

/* The floating formats: bits of exponent and fraction; f8e4m3 has no infinity and one
 * NaN. */
typedef struct format {
    int exponent;
    int fraction;
    bool finite;
} format;

static bool format_of(parity_dtype dtype, format *out)
{
    switch (dtype) {
    case PARITY_F8E4M3:
        *out = (format){4, 3, true};
        return true;
    case PARITY_F16:
        *out = (format){5, 10, false};
        return true;
    case PARITY_BF16:
        *out = (format){8, 7, false};
        return true;
    case PARITY_F32:
        *out = (format){8, 23, false};
        return true;
    case PARITY_F64:
        *out = (format){11, 52, false};
        return true;
    default:
        return false;
    }
}

static uint64_t exponent_bits(format f)
{
    return (((uint64_t)1 << f.exponent) - 1) << f.fraction;
}

static uint64_t nan_bits(format f)
{
    uint64_t fraction = ((uint64_t)1 << f.fraction) - 1;
    return exponent_bits(f) | (f.finite ? fraction : (uint64_t)1 << (f.fraction - 1));
}

static uint64_t largest_bits(format f)
{
    return f.finite ? nan_bits(f) - 1 : exponent_bits(f) - 1;
}

/* What is too large becomes: the largest number where there is no infinity, as in both
 * libraries. */
static uint64_t infinity_bits(format f)
{
    return f.finite ? largest_bits(f) : exponent_bits(f);
}

/* Rounds |number| to the format. Bits of positive numbers order as the numbers do, so
 * that a carry out of the fraction runs into the exponent by itself. */
static uint64_t round_to(format f, double number)
{
    int bias = (1 << (f.exponent - 1)) - 1;
    int exponent = 0;
    frexp(number, &exponent);
    exponent -= 1;
    if (exponent < 1 - bias)
        exponent = 1 - bias;
    double scaled = nearbyint(ldexp(number, f.fraction - exponent));
    double top = ldexp(1, 62);
    uint64_t whole = scaled < top ? (uint64_t)scaled : (uint64_t)top;
    if (exponent > bias + 1 || whole >= (uint64_t)1 << 54)
        return infinity_bits(f);
    uint64_t bits = whole + ((uint64_t)(exponent + bias - 1) << f.fraction);
    return bits > largest_bits(f) ? infinity_bits(f) : bits;
}

static uint64_t float_bits(format f, double number)
{
    uint64_t sign = signbit(number) ? (uint64_t)1 << (f.exponent + f.fraction) : 0;
    if (isnan(number))
        return sign | nan_bits(f);
    if (isinf(number))
        return sign | infinity_bits(f);
    if (number == 0)
        return sign;
    return sign | round_to(f, fabs(number));
}

void parity_element_from_double(parity_dtype dtype, double number, void *bytes)
{
    format f;
    size_t size = parity_dtype_size(dtype);
    if (format_of(dtype, &f))
        store(bytes, float_bits(f, number), size);
    else if (parity_dtype_class(dtype) == PARITY_CLASS_BOOL)
        store(bytes, number != 0, size);
    else if (parity_dtype_class(dtype) == PARITY_CLASS_UINT)
        store(bytes, (uint64_t)number, size);
    else
        store(bytes, (uint64_t)(int64_t)number, size);
}

/* Largest and smallest of an integer type. */
static uint64_t integer_max(parity_dtype dtype)
{
    unsigned bits = 8 * (unsigned)parity_dtype_size(dtype);
    if (parity_dtype_class(dtype) == PARITY_CLASS_BOOL)
        return 1;
    bits -= parity_dtype_class(dtype) == PARITY_CLASS_INT;
    return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static int integer_from_text(parity_dtype dtype, const char *text, void *bytes,
                             parity_error *error)
{
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        store(bytes, *text == 't', parity_dtype_size(dtype));
        return 0;
    }
    bool minus = *text == '-';
    const char *digits = text + (minus || *text == '+');
    char *end = NULL;
    errno = 0;
    uint64_t size = strtoull(digits, &end, 10);
    if (*digits < '0' || *digits > '9' || *end != '\0')
        return parity_fail(error, "`%.40s` is no %s number", text,
                           parity_dtype_name(dtype));
    uint64_t max = integer_max(dtype);
    bool is_signed = parity_dtype_class(dtype) == PARITY_CLASS_INT;
    uint64_t limit = minus ? (is_signed ? max + 1 : 0) : max;
    if (errno == ERANGE || size > limit)
        return parity_fail(error, "%.40s does not fit into %s", text,
                           parity_dtype_name(dtype));
    store(bytes, minus ? 0 - size : size, parity_dtype_size(dtype));
    return 0;
}

int parity_element_from_text(parity_dtype dtype, const char *text, void *bytes,
                             parity_error *error)
{
    if (parity_dtype_class(dtype) != PARITY_CLASS_FLOAT)
        return integer_from_text(dtype, text, bytes, error);
    const char *word = text + (*text == '-' || *text == '+');
    word += *word == '.';
    bool special = strcmp(word, "inf") == 0 || strcmp(word, "nan") == 0;
    char *end = NULL;
    double number = 0;
    if (special)
        number = copysign(*word == 'i' ? (double)INFINITY : (double)NAN,
                          *text == '-' ? -1 : 1);
    else if (dtype == PARITY_F32)
        number = (double)strtof(text, &end);
    else
        number = strtod(text, &end);
    bool plain =
        text[strspn(text, "+-0123456789.eE")] == '\0' && strpbrk(text, "0123456789");
    if (!special && (!plain || *end != '\0'))
        return parity_fail(error, "`%.40s` is no number", text);
    parity_element_from_double(dtype, number, bytes);
    return 0;
}

/* How many whole numbers from 0 on the type holds exactly, as a count before arange
 * restarts. */
static uint64_t exact_count(parity_dtype dtype)
{
    format f;
    if (format_of(dtype, &f))
        return ((uint64_t)1 << (f.fraction + 1)) + 1;
    uint64_t max = integer_max(dtype);
    return max == UINT64_MAX ? max : max + 1;
}

static void fill_arange(parity_dtype dtype, unsigned char *bytes, size_t count)
{
    uint64_t period = exact_count(dtype);
    size_t size = parity_dtype_size(dtype);
    for (size_t i = 0; i < count; i++)
        parity_element_from_double(dtype, (double)(i % period), bytes + i * size);
}

/* 1, -2, 3, -4, … 16, then from 1 again. */
static void fill_signs(parity_dtype dtype, unsigned char *bytes, size_t count)
{
    size_t size = parity_dtype_size(dtype);
    for (size_t i = 0; i < count; i++) {
        double number = (double)(i % 16 + 1);
        parity_element_from_double(dtype, i % 2 == 0 ? number : -number,
                                   bytes + i * size);
    }
}

/* Quarters from -2 to 1.75 in a fixed shuffled order: sums and products of many stay
 * exact. */
static void fill_dyadic(parity_dtype dtype, unsigned char *bytes, size_t count)
{
    size_t size = parity_dtype_size(dtype);
    for (size_t i = 0; i < count; i++)
        parity_element_from_double(dtype, (double)(5 * i % 16) / 4 - 2, bytes + i * size);
}

enum { EDGES = 14 };

/* What breaks kernels: zeros of both signs, subnormals, limits, infinities, NaN. */
static size_t float_edges(format f, uint64_t edges[EDGES])
{
    uint64_t sign = (uint64_t)1 << (f.exponent + f.fraction);
    uint64_t normal = (uint64_t)1 << f.fraction;
    const uint64_t all[EDGES] = {0,
                                 sign,
                                 1,
                                 sign | 1,
                                 normal - 1,
                                 normal,
                                 float_bits(f, 1),
                                 float_bits(f, -1),
                                 largest_bits(f),
                                 sign | largest_bits(f),
                                 nan_bits(f),
                                 sign | nan_bits(f),
                                 infinity_bits(f),
                                 sign | infinity_bits(f)};
    memcpy(edges, all, sizeof all);
    return f.finite ? EDGES - 2 : EDGES;
}

static size_t integer_edges(parity_dtype dtype, uint64_t edges[EDGES])
{
    uint64_t max = integer_max(dtype);
    if (max == 1) {
        edges[0] = 0;
        edges[1] = 1;
        return 2;
    }
    const uint64_t all[] = {0, 1, max, max - 1, 0 - max - 1, 0 - max, UINT64_MAX};
    bool is_signed = parity_dtype_class(dtype) == PARITY_CLASS_INT;
    memcpy(edges, all, sizeof all);
    return is_signed ? 7 : 4;
}

static void fill_edge(parity_dtype dtype, unsigned char *bytes, size_t count)
{
    format f;
    uint64_t edges[EDGES];
    size_t size = parity_dtype_size(dtype);
    size_t n = format_of(dtype, &f) ? float_edges(f, edges) : integer_edges(dtype, edges);
    for (size_t i = 0; i < count; i++)
        store(bytes + i * size, edges[i % n], size);
}

static void fill_with(parity_dtype dtype, unsigned char *bytes, size_t count,
                      double number)
{
    size_t size = parity_dtype_size(dtype);
    for (size_t i = 0; i < count; i++)
        parity_element_from_double(dtype, number, bytes + i * size);
}

static void fill_zeros(parity_dtype dtype, unsigned char *bytes, size_t count)
{
    fill_with(dtype, bytes, count, 0);
}

static void fill_ones(parity_dtype dtype, unsigned char *bytes, size_t count)
{
    fill_with(dtype, bytes, count, 1);
}

static const struct pattern {
    const char *name;
    void (*fill)(parity_dtype dtype, unsigned char *bytes, size_t count);
    bool needs_sign;
    bool needs_fraction;
} patterns[] = {
    {"zeros", fill_zeros, false, false},   {"ones", fill_ones, false, false},
    {"arange", fill_arange, false, false}, {"signs", fill_signs, true, false},
    {"dyadic", fill_dyadic, true, true},   {"edge", fill_edge, false, false},
};

int parity_pattern_fill(parity_dtype dtype, const char *pattern, void *bytes,
                        size_t count, parity_error *error)
{
    parity_class class = parity_dtype_class(dtype);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const struct pattern *p = &patterns[i];
        if (strcmp(p->name, pattern) != 0)
            continue;
        bool lacks =
            (p->needs_fraction && class != PARITY_CLASS_FLOAT) ||
            (p->needs_sign && class != PARITY_CLASS_FLOAT && class != PARITY_CLASS_INT);
        if (lacks)
            return parity_fail(error, "the pattern %s needs a type with %s; %s has none",
                               pattern, p->needs_fraction ? "fractions" : "a sign",
                               parity_dtype_name(dtype));
        p->fill(dtype, bytes, count);
        return 0;
    }
    return parity_fail(error, "`%.40s` is no pattern", pattern);
}
