/* Element types, named as both libraries' documentation names them. One table, one row
 * each. */
#ifndef PARITY_BASE_DTYPE_H
#define PARITY_BASE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum parity_dtype {
    PARITY_BOOL8, /* torch.bool; candle has none */
    PARITY_U8,
    PARITY_I8,
    PARITY_U16,
    PARITY_I16,
    PARITY_U32,
    PARITY_I32,
    PARITY_U64,
    PARITY_I64,
    PARITY_BF16,
    PARITY_F16,
    PARITY_F32,
    PARITY_F64,
    PARITY_F8E4M3,
    PARITY_DTYPE_COUNT
} parity_dtype;

typedef enum parity_class {
    PARITY_CLASS_BOOL,
    PARITY_CLASS_UINT,
    PARITY_CLASS_INT,
    PARITY_CLASS_FLOAT
} parity_class;

/* "bool", "u8", "i8", … "bf16", "f16", "f32", "f64", "f8e4m3": the names in the protocol,
 * in records and in case files. */
const char *parity_dtype_name(parity_dtype dtype);
bool parity_dtype_from_name(parity_dtype *dtype, const char *name);
size_t parity_dtype_size(parity_dtype dtype); /* bytes an element */
parity_class parity_dtype_class(parity_dtype dtype);
/* Reads one little-endian element of a floating type; exact. */
double parity_dtype_to_double(parity_dtype dtype, const void *bytes);

#endif
