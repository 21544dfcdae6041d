/* What is put together from narrow, cat and reshape: chunk, i(..), repeat, roll, flip,
 * padding (tensor.rs:688-880, 990-1010, 2640-2730, 2826-2930; indexer.rs). */
#include "backends/core/internal.h"
#include "backends/core/thunk.h"

#include <stdlib.h>
#include <string.h>

/* Replaces *at by its successor. */
static void step(core_tensor **at, core_tensor *next)
{
    core_tensor_unref(*at);
    *at = next;
}

static core_status pad_zeros(core_context *context, core_tensor **out,
                             const core_tensor *self, size_t dim, size_t size,
                             core_error *error)
{
    core_shape shape = self->layout.shape;
    shape.dims[dim] = size;
    return core_tensor_zeros(context, out, &shape, self->dtype, self->storage->device,
                             error);
}

core_status core_tensor_pad_with_zeros(core_context *context, core_tensor **out,
                                       const core_tensor *self, core_dim dim, size_t left,
                                       size_t right, core_error *error)
{
    if (left == 0 && right == 0)
        return core_same(out, self);
    size_t d = 0, n = 0;
    core_tensor *l = NULL, *r = NULL;
    core_status status =
        core_dim_index(&d, dim, &self->layout.shape, "pad_with_zeros", error);
    if (!status && left)
        status = pad_zeros(context, &l, self, d, left, error);
    if (!status && right)
        status = pad_zeros(context, &r, self, d, right, error);
    const core_tensor *parts[3];
    if (l)
        parts[n++] = l;
    parts[n++] = self;
    if (r)
        parts[n++] = r;
    if (!status)
        status = core_tensor_cat(context, out, parts, n, (core_dim)d, error);
    core_tensor_unref(l);
    core_tensor_unref(r);
    return status;
}

static core_status pad_with_same(core_context *context, core_tensor **out,
                                 const core_tensor *self, core_dim dim, size_t left,
                                 size_t right, core_error *error)
{
    if (left == 0 && right == 0)
        return core_same(out, self);
    if (core_tensor_count(self) == 0)
        return core_fail(error, CORE_ERROR,
                         "cannot use pad_with_same on an empty tensor");
    size_t d = 0, n = 0;
    core_tensor *l = NULL, *r = NULL;
    core_status status =
        core_dim_index(&d, dim, &self->layout.shape, "pad_with_same", error);
    if (!status && left)
        status = core_tensor_narrow(context, &l, self, (core_dim)d, 0, 1, error);
    if (!status && right)
        status = core_tensor_narrow(context, &r, self, (core_dim)d,
                                    self->layout.shape.dims[d] - 1, 1, error);
    const core_tensor **parts = core_alloc((left + right + 1) * sizeof *parts);
    for (size_t i = 0; i < left; i++)
        parts[n++] = l;
    parts[n++] = self;
    for (size_t i = 0; i < right; i++)
        parts[n++] = r;
    if (!status)
        status = core_tensor_cat(context, out, parts, n, (core_dim)d, error);
    free(parts);
    core_tensor_unref(l);
    core_tensor_unref(r);
    return status;
}

THUNK(chunk)
{
    const core_shape *shape = &self->tensor->layout.shape;
    size_t chunks = core_arg_usize(&args[0]), dim = 0;
    core_status status = core_dim_index(&dim, args[1].dim, shape, "chunk", error);
    if (status)
        return status;
    size_t size = shape->dims[dim], start = 0;
    if (chunks == 0)
        return core_fail(error, CORE_PANIC, "attempt to divide by zero");
    size_t count = size < chunks ? size : chunks;
    core_value *items = core_alloc(count * sizeof *items);
    size_t done = 0;
    for (; done < count && !status; done++) {
        size_t len = size < chunks ? 1 : size / chunks + (done < size % chunks);
        core_tensor *piece = NULL;
        status = core_tensor_narrow(context, &piece, self->tensor, (core_dim)dim, start,
                                    len, error);
        items[done] = status ? (core_value){0} : core_value_tensor(piece);
        start += len;
    }
    core_value list = core_value_items(CORE_KIND_LIST, items, done);
    free(items);
    if (status)
        core_value_clear(&list);
    else
        *result = list;
    return status;
}

/* --- i(..) (indexer.rs) --- */

static core_status index_range(core_context *context, core_tensor **out,
                               const core_tensor *x, size_t dim, core_range range,
                               size_t full, core_error *error)
{
    size_t start = range.has_start ? (size_t)range.start : 0;
    size_t stop = range.has_end ? (size_t)range.end + range.inclusive : full;
    return core_tensor_narrow(context, out, x, (core_dim)dim, start,
                              stop > start ? stop - start : 0, error);
}

static core_status index_tensor(core_context *context, core_tensor **out,
                                const core_tensor *x, size_t dim, const core_tensor *ids,
                                core_error *error)
{
    if (core_tensor_rank(ids) != 1)
        return core_fail(error, CORE_ERROR,
                         "multi-dimensional tensor indexing is not supported");
    core_tensor *moved = NULL;
    core_status status =
        core_tensor_to_device(context, &moved, ids, x->storage->device, error);
    if (!status)
        status = core_tensor_index_select(context, out, x, moved, (core_dim)dim, error);
    core_tensor_unref(moved);
    return status;
}

/* A list of u32: the index tensor is made when the index is converted, before anything
 * else. */
static core_status index_list(core_context *context, core_tensor **out,
                              const core_value *list, core_error *error)
{
    uint32_t *ids = core_alloc(list->count * sizeof *ids);
    for (size_t i = 0; i < list->count; i++) {
        const core_value *item = &list->items[i];
        if (item->kind != CORE_KIND_INT ||
            (!item->integer.literal && item->integer.type != CORE_INT_U32)) {
            free(ids);
            return core_fail(error, CORE_UNSUPPORTED, "an index list that is not of u32");
        }
        ids[i] = (uint32_t)item->integer.bits;
    }
    core_status status = core_tensor_from_data(
        context, out, ids, list->count, &(core_shape){1, {list->count}}, CORE_U32,
        core_context_device(context, "cpu"), error);
    free(ids);
    return status;
}

static core_status index_one(core_context *context, core_tensor **out,
                             const core_tensor *x, size_t *dim, const core_value *index,
                             size_t full, core_error *error)
{
    switch (index->kind) {
    case CORE_KIND_INT: {
        core_tensor *slice = NULL;
        core_status status = core_tensor_narrow(context, &slice, x, (core_dim)*dim,
                                                core_arg_usize(index), 1, error);
        if (!status)
            status = core_tensor_squeeze(context, out, slice, (core_dim)*dim, error);
        core_tensor_unref(slice);
        return status;
    }
    case CORE_KIND_RANGE:
        return index_range(context, out, x, (*dim)++, index->range, full, error);
    case CORE_KIND_TENSOR:
    case CORE_KIND_VAR:
        return index_tensor(context, out, x, (*dim)++, index->tensor, error);
    default:
        return core_fail(error, CORE_UNSUPPORTED, "an index of type %s",
                         core_kind_name(index->kind));
    }
}

static core_status index_all(core_context *context, core_tensor **out,
                             const core_tensor *self, const core_value *indexes,
                             size_t count, core_error *error)
{
    const core_shape *shape = &self->layout.shape;
    core_tensor *x = core_tensor_ref(self);
    core_status status = CORE_OK;
    size_t dim = 0;
    for (size_t i = 0; i < count && !status; i++) {
        const core_value *index = &indexes[i];
        bool open = index->kind == CORE_KIND_RANGE && !index->range.has_end;
        core_tensor *next = NULL;
        if (open && i >= shape->rank)
            status = core_fail(error, CORE_PANIC,
                               "index out of bounds: the len is %zu but the index is %zu",
                               shape->rank, i);
        else
            status = index_one(context, &next, x, &dim, index,
                               i < shape->rank ? shape->dims[i] : 0, error);
        if (!status)
            step(&x, next);
    }
    if (status)
        core_tensor_unref(x);
    else
        *out = x;
    return status;
}

THUNK(index_op)
{
    const core_value *indexes = &args[0];
    size_t count = 1;
    if (args[0].kind == CORE_KIND_TUPLE) {
        indexes = args[0].items;
        count = args[0].count;
    }
    core_value *converted = core_alloc(count * sizeof *converted);
    core_status status = CORE_OK;
    size_t made = 0;
    for (; made < count && !status; made++) {
        converted[made] = indexes[made];
        if (indexes[made].kind != CORE_KIND_LIST)
            continue;
        core_tensor *ids = NULL;
        status = index_list(context, &ids, &indexes[made], error);
        converted[made] = core_value_tensor(ids);
    }
    core_tensor *out = NULL;
    if (!status)
        status = index_all(context, &out, self->tensor, converted, count, error);
    for (size_t i = 0; i < made; i++)
        if (indexes[i].kind == CORE_KIND_LIST)
            core_tensor_unref(converted[i].tensor);
    free(converted);
    return core_give(result, &out, status);
}

/* --- repeat, roll, flip --- */

THUNK(repeat)
{
    const core_shape *repeats = args[0].shape;
    core_tensor *x = NULL;
    core_status status = CORE_OK;
    size_t rank = core_tensor_rank(self->tensor);
    if (rank < repeats->rank) {
        core_shape shape = {.rank = repeats->rank};
        size_t added = repeats->rank - rank;
        for (size_t i = 0; i < shape.rank; i++)
            shape.dims[i] = i < added ? 1 : self->tensor->layout.shape.dims[i - added];
        status = core_tensor_reshape(context, &x, self->tensor, &shape, error);
    } else {
        x = core_tensor_ref(self->tensor);
    }
    for (size_t i = 0; i < repeats->rank && !status; i++) {
        size_t n = repeats->dims[i];
        if (n <= 1)
            continue;
        const core_tensor **parts = core_alloc(n * sizeof *parts);
        for (size_t j = 0; j < n; j++)
            parts[j] = x;
        core_tensor *next = NULL;
        status = core_tensor_cat(context, &next, parts, n, (core_dim)i, error);
        free(parts);
        if (!status)
            step(&x, next);
    }
    if (status) {
        core_tensor_unref(x);
        x = NULL;
    }
    return core_give(result, &x, status);
}

THUNK(roll)
{
    const core_shape *shape = &self->tensor->layout.shape;
    size_t dim = 0;
    core_status status = core_dim_index(&dim, args[1].dim, shape, "roll", error);
    if (status)
        return status;
    int32_t size = (int32_t)(uint32_t)shape->dims[dim],
            by = (int32_t)args[0].integer.bits;
    if (size == 0)
        return core_fail(error, CORE_PANIC,
                         "attempt to calculate the remainder with a divisor of zero");
    int64_t rest = (int64_t)by % size;
    size_t shift = (size_t)(rest < 0 ? rest + (size < 0 ? -(int64_t)size : size) : rest);
    core_tensor *a = NULL, *b = NULL, *out = NULL;
    if (shift == 0)
        return core_give(result, &out, core_same(&out, self->tensor));
    size_t split = shape->dims[dim] - shift;
    status =
        core_tensor_narrow(context, &a, self->tensor, (core_dim)dim, 0, split, error);
    if (!status)
        status = core_tensor_narrow(context, &b, self->tensor, (core_dim)dim, split,
                                    shift, error);
    if (!status)
        status = core_tensor_cat(context, &out, (const core_tensor *[]){b, a}, 2,
                                 (core_dim)dim, error);
    core_tensor_unref(a);
    core_tensor_unref(b);
    return core_give(result, &out, status);
}

THUNK(flip)
{
    core_tensor *x = core_tensor_ref(self->tensor);
    core_dim dims[CORE_MAX_RANK];
    size_t ndims = core_arg_dims(dims, &args[0]);
    core_status status = CORE_OK;
    for (size_t i = 0; i < ndims && !status; i++) {
        size_t dim = 0;
        status = core_dim_index(&dim, dims[i], &x->layout.shape, "dim", error);
        if (status)
            break;
        size_t n = x->layout.shape.dims[dim];
        int64_t *ids = core_alloc(n * sizeof *ids);
        for (size_t j = 0; j < n; j++)
            ids[j] = (int64_t)(n - 1 - j);
        core_tensor *index = NULL, *next = NULL;
        status = core_tensor_from_data(context, &index, ids, n, &(core_shape){1, {n}},
                                       CORE_I64, x->storage->device, error);
        free(ids);
        if (!status)
            status =
                core_tensor_index_select(context, &next, x, index, (core_dim)dim, error);
        core_tensor_unref(index);
        if (!status)
            step(&x, next);
    }
    if (status) {
        core_tensor_unref(x);
        x = NULL;
    }
    return core_give(result, &x, status);
}

THUNK(pad_zeros_thunk)
{
    GIVE(core_tensor_pad_with_zeros(context, &out, self->tensor, args[0].dim,
                                    core_arg_usize(&args[1]), core_arg_usize(&args[2]),
                                    error));
}

THUNK(pad_same_thunk)
{
    GIVE(pad_with_same(context, &out, self->tensor, args[0].dim, core_arg_usize(&args[1]),
                       core_arg_usize(&args[2]), error));
}

const core_method core_methods_slice[] = {
    METHOD(TENSOR, "chunk", "nd", true, chunk),
    METHOD(TENSOR, "i", "I", true, index_op),
    METHOD(TENSOR, "repeat", "s", true, repeat),
    METHOD(TENSOR, "roll", "id", true, roll),
    METHOD(TENSOR, "flip", "M", true, flip),
    METHOD(TENSOR, "pad_with_zeros", "dnn", true, pad_zeros_thunk),
    METHOD(TENSOR, "pad_with_same", "dnn", true, pad_same_thunk),
    CORE_METHODS_END,
};
