#include "harness/base/dtype.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
    parity_class class;
} rows[PARITY_DTYPE_COUNT] = {
    [PARITY_BOOL8] = {"bool", 1, PARITY_CLASS_BOOL},
    [PARITY_U8] = {"u8", 1, PARITY_CLASS_UINT},
    [PARITY_I8] = {"i8", 1, PARITY_CLASS_INT},
    [PARITY_U16] = {"u16", 2, PARITY_CLASS_UINT},
    [PARITY_I16] = {"i16", 2, PARITY_CLASS_INT},
    [PARITY_U32] = {"u32", 4, PARITY_CLASS_UINT},
    [PARITY_I32] = {"i32", 4, PARITY_CLASS_INT},
    [PARITY_U64] = {"u64", 8, PARITY_CLASS_UINT},
    [PARITY_I64] = {"i64", 8, PARITY_CLASS_INT},
    [PARITY_BF16] = {"bf16", 2, PARITY_CLASS_FLOAT},
    [PARITY_F16] = {"f16", 2, PARITY_CLASS_FLOAT},
    [PARITY_F32] = {"f32", 4, PARITY_CLASS_FLOAT},
    [PARITY_F64] = {"f64", 8, PARITY_CLASS_FLOAT},
    [PARITY_F8E4M3] = {"f8e4m3", 1, PARITY_CLASS_FLOAT},
};

const char *parity_dtype_name(parity_dtype dtype)
{
    return rows[dtype].name;
}

bool parity_dtype_from_name(parity_dtype *dtype, const char *name)
{
    for (int i = 0; i < PARITY_DTYPE_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *dtype = (parity_dtype)i;
            return true;
        }
    return false;
}

size_t parity_dtype_size(parity_dtype dtype)
{
    return rows[dtype].size;
}

parity_class parity_dtype_class(parity_dtype dtype)
{
    return rows[dtype].class;
}

/* A small binary float with sign, `exponent` bits and `mantissa` bits. */
static double small_float(uint32_t bits, int exponent, int mantissa, bool ieee)
{
    int bias = (1 << (exponent - 1)) - 1;
    uint32_t sign = bits >> (exponent + mantissa) & 1;
    int e = (int)(bits >> mantissa & ((1u << exponent) - 1));
    uint32_t m = bits & ((1u << mantissa) - 1);
    int top = (1 << exponent) - 1;
    double value;
    if (ieee && e == top)
        value = m ? NAN : INFINITY;
    else if (!ieee && e == top && m == (1u << mantissa) - 1)
        value = NAN; /* e4m3 has no infinities and one NaN */
    else if (e == 0)
        value = ldexp((double)m, 1 - bias - mantissa);
    else
        value = ldexp((double)m + (double)(1u << mantissa), e - bias - mantissa);
    return sign ? -value : value;
}

double parity_dtype_to_double(parity_dtype dtype, const void *bytes)
{
    const unsigned char *b = bytes;
    uint64_t bits = 0;
    for (size_t i = rows[dtype].size; i-- > 0;)
        bits = bits << 8 | b[i];
    switch (dtype) {
    case PARITY_F64: {
        double d;
        memcpy(&d, &bits, sizeof d);
        return d;
    }
    case PARITY_F32: {
        uint32_t low = (uint32_t)bits;
        float f;
        memcpy(&f, &low, sizeof f);
        return f;
    }
    case PARITY_F16:
        return small_float((uint32_t)bits, 5, 10, true);
    case PARITY_BF16:
        return small_float((uint32_t)bits, 8, 7, true);
    case PARITY_F8E4M3:
        return small_float((uint32_t)bits, 4, 3, false);
    default:
        return NAN;
    }
}
