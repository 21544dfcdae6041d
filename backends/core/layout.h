/* Shapes and layouts (candle-core shape.rs, layout.rs, nditer.rs). */
#ifndef PARITY_CORE_LAYOUT_H
#define PARITY_CORE_LAYOUT_H

#include "backends/core/types.h"

/* product of the dims, wraps as in candle */
size_t core_shape_count(const core_shape *shape);
bool core_shape_equal(const core_shape *a, const core_shape *b);
core_shape core_shape_of(const size_t *dims, size_t rank);

/* `[2, 3]`; the buffer holds any shape. */
#define CORE_SHAPE_TEXT (CORE_MAX_RANK * 22 + 3)
const char *core_shape_text(char buffer[CORE_SHAPE_TEXT], const core_shape *shape);
const char *core_dims_text(char buffer[CORE_SHAPE_TEXT], const size_t *dims, size_t rank);

/* Row-major strides. */
void core_layout_set(core_layout *layout, const core_shape *shape, size_t offset);
void core_layout_copy(core_layout *out, const core_layout *in);
bool core_layout_contiguous(const core_layout *layout);
bool core_layout_fortran(const core_layout *layout);
void core_layout_narrow(core_layout *out, const core_layout *in, size_t dim, size_t start,
                        size_t len);
void core_layout_transpose(core_layout *out, const core_layout *in, size_t a, size_t b);
void core_layout_permute(core_layout *out, const core_layout *in, const size_t *dims);
/* false: cannot broadcast. */
bool core_layout_broadcast(core_layout *out, const core_layout *in,
                           const core_shape *shape);
void core_layout_remove_dim(core_layout *out, const core_layout *in, size_t dim);
void core_layout_insert_dim(core_layout *out, const core_layout *in, size_t dim);
/* Distance between blocks when dims [dim..] are one dense block each and the outer dims
 * step uniformly; false when they do not (layout.rs outer_stride_for_dim). */
bool core_layout_outer_stride(size_t *stride, const core_layout *layout, size_t dim);

/* Walks up to CORE_ND operands of one shape together, innermost run first: neighbouring
 * dims that are dense for all of them are merged (nditer.rs). */
#define CORE_ND 3
typedef struct core_nd {
    size_t operands;
    size_t inner; /* elements of a run */
    size_t inner_stride[CORE_ND];
    size_t offset[CORE_ND]; /* of the current run */
    size_t rank;            /* of the outer dims */
    size_t dims[CORE_MAX_RANK];
    size_t stride[CORE_ND][CORE_MAX_RANK];
    size_t index[CORE_MAX_RANK];
    bool more; /* there is a current run */
} core_nd;

void core_nd_start(core_nd *nd, const core_layout *const *layouts, size_t operands);
void core_nd_next(core_nd *nd);

/* Offset in the storage of element `index` in row-major order. */
size_t core_layout_at(const core_layout *layout, size_t index);

#endif
