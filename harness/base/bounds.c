#include "harness/base/bounds.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

const parity_bound parity_bounds[] = {
    {"elementary", 2, PARITY_SCALE_ELEMENT,
     "exp, log, tanh and their kin: two libraries, each within one unit in the last "
     "place"},
    {"sum", 32, PARITY_SCALE_LARGEST,
     "sum, mean, var, norm: PyTorch adds pairwise in vector lanes, candle from left to "
     "right"},
    {"matmul", 64, PARITY_SCALE_LARGEST,
     "matmul, linear: another order of the products, with or without fused multiply-add"},
    {"conv", 128, PARITY_SCALE_LARGEST,
     "convolution: im2col and a matrix product against a direct or a blocked kernel"},
    {NULL, 0, PARITY_SCALE_ELEMENT, NULL},
};

const parity_bound *parity_bound_find(const char *name)
{
    for (const parity_bound *bound = parity_bounds; bound->name; bound++)
        if (strcmp(bound->name, name) == 0)
            return bound;
    return NULL;
}

/* Bits of the mantissa and the exponent of the smallest normal number. */
static const struct {
    int mantissa;
    int lowest;
} floats[PARITY_DTYPE_COUNT] = {
    [PARITY_BF16] = {7, -126},  [PARITY_F16] = {10, -14},  [PARITY_F32] = {23, -126},
    [PARITY_F64] = {52, -1022}, [PARITY_F8E4M3] = {3, -6},
};

/* Position of a number on the line of all numbers of its type, counted from zero. */
static double position(double number, parity_dtype dtype)
{
    int mantissa = floats[dtype].mantissa, lowest = floats[dtype].lowest, exponent;
    double magnitude = fabs(number);
    if (magnitude < ldexp(1, lowest))
        return ldexp(magnitude, mantissa - lowest);
    double fraction = frexp(magnitude, &exponent) * 2 - 1;
    return ldexp(exponent - lowest + fraction, mantissa);
}

/* 64-bit positions do not fit a double to the unit, so that type counts in integers. */
static double ulps64(double left, double right)
{
    int64_t l, r;
    memcpy(&l, &left, sizeof l);
    memcpy(&r, &right, sizeof r);
    uint64_t a = (uint64_t)l & INT64_MAX, b = (uint64_t)r & INT64_MAX;
    if ((l < 0) == (r < 0))
        return a > b ? (double)(a - b) : (double)(b - a);
    return (double)(a + b + 1);
}

double parity_ulps(double left, double right, parity_dtype dtype)
{
    if (!floats[dtype].mantissa)
        return -1;
    if (dtype == PARITY_F64)
        return ulps64(left, right);
    double a = position(left, dtype), b = position(right, dtype);
    return !signbit(left) == !signbit(right) ? fabs(a - b) : a + b + 1;
}

static double spacing(double magnitude, parity_dtype dtype)
{
    int exponent;
    if (magnitude < ldexp(1, floats[dtype].lowest))
        exponent = floats[dtype].lowest + 1;
    else
        frexp(magnitude, &exponent);
    return ldexp(1, exponent - 1 - floats[dtype].mantissa);
}

bool parity_close(double left, double right, parity_dtype dtype,
                  const parity_bound *bound, double largest)
{
    if (isnan(left) || isnan(right))
        return isnan(left) && isnan(right);
    if (isinf(left) || isinf(right))
        return left == right;
    if (left == 0 && right == 0)
        return !signbit(left) == !signbit(right);
    if (!bound || !floats[dtype].mantissa)
        return left == right;
    double scale =
        bound->scale == PARITY_SCALE_LARGEST ? largest : fmax(fabs(left), fabs(right));
    double error = fabs(left - right);
    return error <= bound->steps * spacing(scale, dtype);
}
