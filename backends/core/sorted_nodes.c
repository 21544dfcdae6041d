/* Which nodes backward visits, and in which order (backprop.rs sorted_nodes). Depth first
 * with a stack of its own, so that a long chain does not use up the program's. */
#include "backends/core/backward.h"

#include <stdlib.h>

/* The arguments that the gradient can flow to; the rest of the graph is cut off here. */
static size_t walked(const core_tensor *node)
{
    const core_op *op = node->op;
    if (node->is_variable || !core_dtype_info(node->dtype)->is_float || !op)
        return 0;
    if (op->info.kind == CORE_OP_AFFINE && op->info.x == 0.0)
        return 0;
    if (op->info.kind == CORE_OP_TO_DTYPE &&
        !core_dtype_info(op->args[0]->dtype)->is_float)
        return 0;
    if (op->info.kind == CORE_OP_UNARY)
        switch ((core_unary)op->info.sub) {
        case CORE_CEIL:
        case CORE_FLOOR:
        case CORE_ROUND:
        case CORE_SIGN:
            return 0;
        default:
            break;
        }
    return op->nargs;
}

typedef struct frame {
    core_tensor *node;
    size_t next; /* argument to look at */
} frame;

typedef struct walk {
    core_node_list *list;
    size_t capacity; /* of the list */
    frame *stack;
    size_t depth, room;
} walk;

static void push_frame(walk *w, core_tensor *node)
{
    if (w->depth == w->room) {
        w->room = w->room ? 2 * w->room : 64;
        w->stack = core_realloc(w->stack, w->room * sizeof *w->stack);
    }
    w->stack[w->depth++] = (frame){node, 0};
    node->seen_grad = node->is_variable;
}

static void push_node(walk *w, core_tensor *node)
{
    core_node_list *list = w->list;
    if (list->count == w->capacity) {
        w->capacity = w->capacity ? 2 * w->capacity : 64;
        list->items = core_realloc(list->items, w->capacity * sizeof *list->items);
    }
    list->items[list->count++] = node;
}

void core_sorted_nodes(core_node_list *list, core_context *context,
                       const core_tensor *root)
{
    uint32_t epoch = ++context->epoch;
    walk w = {.list = list};
    push_frame(&w, (core_tensor *)root);
    while (w.depth > 0) {
        frame *top = &w.stack[w.depth - 1];
        core_tensor *node = top->node;
        if (top->next < walked(node)) {
            core_tensor *arg = node->op->args[top->next];
            if (arg->seen == epoch) {
                node->seen_grad |= arg->seen_grad;
                top->next++;
            } else {
                push_frame(&w, arg);
            }
            continue;
        }
        node->seen = epoch;
        if (node->seen_grad)
            push_node(&w, node);
        w.depth--;
    }
    free(w.stack);
}
