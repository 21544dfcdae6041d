/* Nodes: what a handle points at, and how operations end. */
#include "backends/core/internal.h"

#include <stdlib.h>
#include <string.h>

core_tensor *core_tensor_ref(const core_tensor *tensor)
{
    core_tensor *self = (core_tensor *)tensor;
    self->refs++;
    return self;
}

/* Dropping the last handle drops the op and its arguments. A list instead of recursion,
 * so that a graph of any depth can be dropped. */
void core_tensor_unref(core_tensor *tensor)
{
    if (!tensor || --tensor->refs)
        return;
    tensor->next = NULL;
    core_tensor *todo = tensor;
    while (todo) {
        core_tensor *node = todo;
        todo = node->next;
        core_op *op = node->op;
        for (size_t i = 0; op && i < op->nargs; i++)
            if (!--op->args[i]->refs) {
                op->args[i]->next = todo;
                todo = op->args[i];
            }
        free(op);
        node->context->nodes--;
        core_storage_unref(node->context, node->storage);
        free(node);
    }
}

uint64_t core_tensor_id(const core_tensor *tensor)
{
    return tensor->id;
}

core_dtype core_tensor_dtype(const core_tensor *tensor)
{
    return tensor->dtype;
}

core_device *core_tensor_device(const core_tensor *tensor)
{
    return tensor->storage->device;
}

const core_layout *core_tensor_layout(const core_tensor *tensor)
{
    return &tensor->layout;
}

size_t core_tensor_rank(const core_tensor *tensor)
{
    return tensor->layout.shape.rank;
}

size_t core_tensor_count(const core_tensor *tensor)
{
    return core_shape_count(&tensor->layout.shape);
}

bool core_tensor_is_variable(const core_tensor *tensor)
{
    return tensor->is_variable;
}

bool core_tensor_tracked(const core_tensor *tensor)
{
    return tensor->is_variable || tensor->op;
}

bool core_tensor_is_contiguous(const core_tensor *tensor)
{
    return core_layout_contiguous(&tensor->layout);
}

const core_storage *core_tensor_storage(const core_tensor *tensor)
{
    return tensor->storage;
}

const void *core_tensor_memory(const core_tensor *tensor)
{
    return tensor->storage->data;
}

core_op *core_op_new(const core_op_info *info, const core_tensor *const *args,
                     size_t nargs)
{
    bool tracked = false;
    for (size_t i = 0; i < nargs; i++)
        tracked |= core_tensor_tracked(args[i]);
    if (!tracked)
        return NULL;
    core_op *op = core_alloc(sizeof *op + nargs * sizeof op->args[0]);
    op->info = *info;
    op->nargs = nargs;
    for (size_t i = 0; i < nargs; i++)
        op->args[i] = core_tensor_ref(args[i]);
    return op;
}

core_tensor *core_node_new(core_context *context, core_storage *storage,
                           const core_layout *layout, core_op *op, bool is_variable)
{
    core_tensor *node = core_alloc(sizeof *node);
    node->refs = 1;
    node->id = context->next_id++;
    node->context = context;
    node->storage = storage;
    node->op = op;
    node->dtype = storage->dtype;
    node->is_variable = is_variable;
    node->seen = 0;
    core_layout_copy(&node->layout, layout);
    if (!storage->owner)
        storage->owner = node->id;
    context->nodes++;
    return node;
}

core_status core_same(core_tensor **out, const core_tensor *self)
{
    *out = core_tensor_ref(self);
    return CORE_OK;
}

core_status core_view_node(core_context *context, core_tensor **out,
                           const core_layout *layout, const core_op_info *info,
                           const core_tensor *self)
{
    core_op *op = info ? core_op_new(info, &self, 1) : NULL;
    *out = core_node_new(context, core_storage_ref(self->storage), layout, op, false);
    return CORE_OK;
}

core_status core_new_node(core_context *context, core_tensor **out, core_status status,
                          core_storage *storage, const core_shape *shape,
                          const core_op_info *info, const core_tensor *const *args,
                          size_t nargs)
{
    if (status) {
        core_storage_unref(context, storage);
        return status;
    }
    core_layout layout;
    core_layout_set(&layout, shape, 0);
    core_op *op = info ? core_op_new(info, args, nargs) : NULL;
    *out = core_node_new(context, storage, &layout, op, false);
    return CORE_OK;
}
