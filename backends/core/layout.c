/* Shapes, layouts and walking over them. */
#include "backends/core/layout.h"
#include "backends/core/mutants.h"

#include <stdio.h>
#include <string.h>

size_t core_shape_count(const core_shape *shape)
{
    size_t count = 1;
    for (size_t i = 0; i < shape->rank; i++)
        count *= shape->dims[i];
    return count;
}

bool core_shape_equal(const core_shape *a, const core_shape *b)
{
    return a->rank == b->rank && !memcmp(a->dims, b->dims, a->rank * sizeof a->dims[0]);
}

core_shape core_shape_of(const size_t *dims, size_t rank)
{
    core_shape shape = {.rank = rank};
    memcpy(shape.dims, dims, rank * sizeof dims[0]);
    return shape;
}

const char *core_dims_text(char buffer[CORE_SHAPE_TEXT], const size_t *dims, size_t rank)
{
    size_t used = 0;
    buffer[used++] = '[';
    for (size_t i = 0; i < rank; i++)
        used += (size_t)snprintf(buffer + used, CORE_SHAPE_TEXT - used, "%s%zu",
                                 i ? ", " : "", dims[i]);
    buffer[used++] = ']';
    buffer[used] = '\0';
    return buffer;
}

const char *core_shape_text(char buffer[CORE_SHAPE_TEXT], const core_shape *shape)
{
    return core_dims_text(buffer, shape->dims, shape->rank);
}

void core_layout_set(core_layout *layout, const core_shape *shape, size_t offset)
{
    size_t stride = 1, rank = shape->rank;
    layout->shape.rank = rank;
    for (size_t i = rank; i-- > 0;) {
        layout->shape.dims[i] = shape->dims[i];
        layout->stride[i] = stride;
        stride *= shape->dims[i];
    }
    layout->offset = offset;
}

void core_layout_copy(core_layout *out, const core_layout *in)
{
    size_t rank = in->shape.rank;
    out->shape.rank = rank;
    out->offset = in->offset;
    memcpy(out->shape.dims, in->shape.dims, rank * sizeof in->shape.dims[0]);
    memcpy(out->stride, in->stride, rank * sizeof in->stride[0]);
}

bool core_layout_contiguous(const core_layout *layout)
{
    size_t expected = 1;
    for (size_t i = layout->shape.rank; i-- > 0;) {
        size_t dim = layout->shape.dims[i];
        bool matters = CORE_MUTANT(contiguous_size_one) ? true : dim > 1;
        if (matters && layout->stride[i] != expected)
            return false;
        expected *= dim;
    }
    return true;
}

bool core_layout_fortran(const core_layout *layout)
{
    size_t expected = 1;
    for (size_t i = 0; i < layout->shape.rank; i++) {
        if (layout->shape.dims[i] > 1 && layout->stride[i] != expected)
            return false;
        expected *= layout->shape.dims[i];
    }
    return true;
}

void core_layout_narrow(core_layout *out, const core_layout *in, size_t dim, size_t start,
                        size_t len)
{
    core_layout_copy(out, in);
    out->shape.dims[dim] = len;
    if (!CORE_MUTANT(narrow_offset))
        out->offset += in->stride[dim] * start;
}

void core_layout_transpose(core_layout *out, const core_layout *in, size_t a, size_t b)
{
    core_layout_copy(out, in);
    out->shape.dims[a] = in->shape.dims[b];
    out->shape.dims[b] = in->shape.dims[a];
    if (CORE_MUTANT(transpose_strides))
        return;
    out->stride[a] = in->stride[b];
    out->stride[b] = in->stride[a];
}

void core_layout_permute(core_layout *out, const core_layout *in, const size_t *dims)
{
    core_layout_copy(out, in);
    for (size_t i = 0; i < in->shape.rank; i++) {
        out->shape.dims[i] = in->shape.dims[dims[i]];
        out->stride[i] = in->stride[dims[i]];
    }
}

bool core_layout_broadcast(core_layout *out, const core_layout *in,
                           const core_shape *shape)
{
    if (shape->rank < in->shape.rank)
        return false;
    size_t added = shape->rank - in->shape.rank;
    for (size_t i = 0; i < shape->rank; i++) {
        size_t stride = 0;
        if (i >= added) {
            size_t from = in->shape.dims[i - added];
            if (from == shape->dims[i])
                stride = in->stride[i - added];
            else if (from != 1)
                return false;
        }
        out->stride[i] = stride;
    }
    out->shape.rank = shape->rank;
    memcpy(out->shape.dims, shape->dims, shape->rank * sizeof shape->dims[0]);
    out->offset = in->offset;
    return true;
}

void core_layout_remove_dim(core_layout *out, const core_layout *in, size_t dim)
{
    size_t rank = 0;
    for (size_t i = 0; i < in->shape.rank; i++) {
        if (i == dim)
            continue;
        out->shape.dims[rank] = in->shape.dims[i];
        out->stride[rank++] = in->stride[i];
    }
    out->shape.rank = rank;
    out->offset = in->offset;
}

void core_layout_insert_dim(core_layout *out, const core_layout *in, size_t dim)
{
    size_t rank = in->shape.rank;
    for (size_t i = 0; i <= rank; i++) {
        size_t from = i < dim ? i : i - 1;
        out->shape.dims[i] = i == dim ? 1 : in->shape.dims[from];
        out->stride[i] = i == dim ? (dim < rank ? in->stride[dim] : 1) : in->stride[from];
    }
    out->shape.rank = rank + 1;
    out->offset = in->offset;
}

bool core_layout_outer_stride(size_t *stride, const core_layout *layout, size_t dim)
{
    const size_t *dims = layout->shape.dims;
    size_t expected = 1;
    for (size_t i = layout->shape.rank; i-- > dim;) {
        if (layout->stride[i] != expected)
            return false;
        expected *= dims[i];
    }
    *stride = expected;
    if (dim == 0)
        return true;
    *stride = layout->stride[dim - 1];
    size_t outer = *stride;
    for (size_t k = dim - 1; k-- > 0;) {
        outer *= dims[k + 1];
        if (layout->stride[k] != outer)
            return false;
    }
    return true;
}

/* Can the dim before `i` be walked as a continuation of `i` by every operand? */
static bool merges(const core_nd *nd, const core_layout *const *layouts, size_t i,
                   size_t run)
{
    for (size_t o = 0; o < nd->operands; o++)
        if (layouts[o]->stride[i] != nd->inner_stride[o] * run)
            return false;
    return true;
}

void core_nd_start(core_nd *nd, const core_layout *const *layouts, size_t operands)
{
    const core_shape *shape = &layouts[0]->shape;
    size_t i = shape->rank;
    nd->operands = operands;
    nd->inner = 1;
    nd->rank = 0;
    nd->more = core_shape_count(shape) != 0;
    for (size_t o = 0; o < operands; o++) {
        nd->offset[o] = layouts[o]->offset;
        nd->inner_stride[o] = 1;
    }
    bool first = true;
    for (; i > 0; i--) {
        size_t dim = shape->dims[i - 1];
        if (dim == 1)
            continue;
        if (first)
            for (size_t o = 0; o < operands; o++)
                nd->inner_stride[o] = layouts[o]->stride[i - 1];
        else if (!merges(nd, layouts, i - 1, nd->inner))
            break;
        first = false;
        nd->inner *= dim;
    }
    for (size_t d = 0; d < i; d++) {
        if (shape->dims[d] == 1)
            continue;
        nd->dims[nd->rank] = shape->dims[d];
        nd->index[nd->rank] = 0;
        for (size_t o = 0; o < operands; o++)
            nd->stride[o][nd->rank] = layouts[o]->stride[d];
        nd->rank++;
    }
}

void core_nd_next(core_nd *nd)
{
    for (size_t d = nd->rank; d-- > 0;) {
        nd->index[d]++;
        for (size_t o = 0; o < nd->operands; o++)
            nd->offset[o] += nd->stride[o][d];
        if (nd->index[d] < nd->dims[d])
            return;
        for (size_t o = 0; o < nd->operands; o++)
            nd->offset[o] -= nd->stride[o][d] * nd->dims[d];
        nd->index[d] = 0;
    }
    nd->more = false;
}

size_t core_layout_at(const core_layout *layout, size_t index)
{
    size_t offset = layout->offset;
    for (size_t i = layout->shape.rank; i-- > 0;) {
        offset += index % layout->shape.dims[i] * layout->stride[i];
        index /= layout->shape.dims[i];
    }
    return offset;
}
