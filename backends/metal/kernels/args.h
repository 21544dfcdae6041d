/* Arguments of the kernels, for the host and for the shaders: this text stands before
 * every file of kernels. Buffer 0 of a kernel is its struct, its operands follow. Sizes,
 * strides and offsets count elements. */
#ifndef PARITY_METAL_ARGS_H
#define PARITY_METAL_ARGS_H

#ifdef __METAL_VERSION__
#include <metal_stdlib>
#else
#include <stdint.h>
#endif

#define METAL_MAX_RANK 16

/* How an operand is walked in row-major order. Rank 0: its elements follow each other. */
typedef struct metal_view {
    uint32_t rank;
    uint32_t dims[METAL_MAX_RANK];
    uint32_t strides[METAL_MAX_RANK];
} metal_view;

typedef struct metal_map_args {
    uint32_t count;
    float a; /* affine: factor; powf: exponent; elu: alpha */
    float b; /* affine: what is added */
    metal_view in;
} metal_map_args;

typedef struct metal_pair_args {
    uint32_t count;
    metal_view lhs;
    metal_view rhs;
} metal_pair_args;

typedef struct metal_where_args {
    uint32_t count;
    metal_view pred;
    metal_view on_true;
    metal_view on_false;
} metal_where_args;

typedef struct metal_fill_args {
    uint32_t count;
    uint32_t low; /* the bits of the element */
    uint32_t high;
    metal_view out;
} metal_fill_args;

typedef struct metal_copy2d_args {
    uint32_t rows;
    uint32_t cols;
    uint32_t in_stride;
    uint32_t out_stride;
} metal_copy2d_args;

/* Operands with the indexed dim in the middle: left × length × right. */
typedef struct metal_index_args {
    uint32_t count;
    uint32_t length; /* of the indexed dim in what is selected from or added to */
    uint32_t right;
    uint32_t ids; /* indexes along the dim */
    metal_view in;
} metal_index_args;

typedef struct metal_reduce_args {
    uint32_t work;  /* elements that make one result */
    uint32_t width; /* threads that make it, a power of two */
    uint32_t last;  /* size of the last dim of the view */
    metal_view in;  /* the dims that stay, then those that go */
} metal_reduce_args;

typedef struct metal_matmul_args {
    uint32_t batches;
    uint32_t m;
    uint32_t n;
    uint32_t k;
    uint32_t lhs_row;
    uint32_t lhs_col;
    uint32_t lhs_batch;
    uint32_t rhs_row;
    uint32_t rhs_col;
    uint32_t rhs_batch;
} metal_matmul_args;

#endif
