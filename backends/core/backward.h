#ifndef PARITY_CORE_BACKWARD_H
#define PARITY_CORE_BACKWARD_H

#include "backends/core/gradstore.h"
#include "backends/core/scratch.h"

typedef struct core_node_list {
    core_tensor **items; /* borrowed; free() the array */
    size_t count;
} core_node_list;

/* Nodes through which a gradient can reach a variable, the deepest first. The list starts
 * zeroed. */
void core_sorted_nodes(core_node_list *list, core_context *context,
                       const core_tensor *root);

/* One step of backward: the gradient of `node` is `grad`, and those of its arguments
 * grow. */
typedef struct core_back {
    core_gradstore *grads;
    core_scratch *s;
    const core_tensor *node;
    const core_op_info *info;
    core_tensor *const *args;
    size_t nargs;
    core_term grad;
} core_back;

typedef void core_back_step(core_back *b);

/* or_insert and add (or sub): the gradient of arg grows by term. */
void core_back_add(core_back *b, const core_tensor *arg, core_term term);
void core_back_sub(core_back *b, const core_tensor *arg, core_term term);

core_back_step core_back_unary; /* backward_unary.c */
core_back_step core_back_elu;
core_back_step core_back_powf;

#endif
