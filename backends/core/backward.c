/* backward (backprop.rs): nodes in reverse order of the graph, one rule an operation. */
#include "backends/core/backward.h"
#include "backends/core/thunk.h"

#include <stdlib.h>
#include <string.h>

/* --- gradients grow --- */

/* The gradient of arg as it stands, zeros when it was not there; borrowed. */
static core_term sum_of(core_back *b, const core_tensor *arg)
{
    core_scratch *s = b->s;
    core_tensor **slot = core_gradstore_slot(b->grads, arg->id);
    if (!*slot && !s->status)
        s->status = core_tensor_zeros_like(s->context, slot, arg, s->error);
    return *slot;
}

/* Replaces it. Takes the reference; NULL after a failure changes nothing. */
static void put(core_back *b, const core_tensor *arg, core_tensor *sum)
{
    if (sum)
        core_tensor_unref(core_gradstore_insert(b->grads, arg->id, sum));
}

static void grow(core_back *b, const core_tensor *arg, core_binary op, core_term term)
{
    core_scratch *s = b->s;
    core_tensor *next = NULL;
    if (CORE_MUTANT(grad_constants) && !core_tensor_tracked(arg))
        return;
    core_term sum = sum_of(b, arg);
    if (!s->status)
        s->status = core_tensor_binary(s->context, &next, op, sum, term, s->error);
    put(b, arg, next);
}

void core_back_add(core_back *b, const core_tensor *arg, core_term term)
{
    grow(b, arg, CORE_ADD, term);
}

void core_back_sub(core_back *b, const core_tensor *arg, core_term term)
{
    grow(b, arg, CORE_SUB, term);
}

/* --- rules --- */

static void extreme_rule(core_back *b)
{
    core_scratch *s = b->s;
    core_dtype dtype = core_tensor_dtype(b->grad);
    core_term masks[2];
    for (size_t i = 0; i < 2; i++)
        masks[i] = core_s_to_dtype(s, core_s_cmp(s, CORE_EQ, b->node, b->args[i]), dtype);
    for (size_t i = 0; i < 2; i++) {
        core_term ties = core_s_affine(s, masks[1 - i], 1.0, 1.0);
        core_back_add(b, b->args[i],
                      core_s_div(s, core_s_mul(s, masks[i], b->grad), ties));
    }
}

static void binary_rule(core_back *b)
{
    core_scratch *s = b->s;
    const core_tensor *lhs = b->args[0], *rhs = b->args[1];
    switch ((core_binary)b->info->sub) {
    case CORE_ADD:
        core_back_add(b, lhs, b->grad);
        core_back_add(b, rhs, b->grad);
        break;
    case CORE_SUB:
        core_back_add(b, lhs, b->grad);
        core_back_sub(b, rhs, b->grad);
        break;
    case CORE_MUL:
        core_back_add(b, lhs, core_s_mul(s, b->grad, rhs));
        core_back_add(b, rhs, core_s_mul(s, b->grad, lhs));
        break;
    case CORE_DIV: {
        core_back_add(b, lhs, core_s_div(s, b->grad, rhs));
        core_term product = core_s_mul(s, b->grad, lhs);
        core_back_sub(b, rhs, core_s_div(s, product, core_s_unary(s, CORE_SQR, rhs)));
        break;
    }
    default:
        extreme_rule(b);
    }
}

static void where_rule(core_back *b)
{
    core_scratch *s = b->s;
    core_term zeros = core_s_zeros_like(s, b->grad);
    core_back_add(b, b->args[1], core_s_where(s, b->args[0], b->grad, zeros));
    core_back_add(b, b->args[2], core_s_where(s, b->args[0], zeros, b->grad));
}

static void slice_scatter_rule(core_back *b)
{
    core_scratch *s = b->s;
    const core_tensor *lhs = b->args[0], *rhs = b->args[1];
    core_back_add(b, rhs,
                  core_s_narrow(s, b->grad, 0, b->info->a, rhs->layout.shape.dims[0]));
    core_term zeros = core_s_zeros_like(s, rhs);
    core_tensor *kept = NULL;
    if (!s->status)
        s->status = core_tensor_slice_scatter0(s->context, &kept, b->grad, zeros,
                                               b->info->a, s->error);
    core_back_add(b, lhs, core_s_keep(s, kept));
}

static void gather_rule(core_back *b)
{
    core_scratch *s = b->s;
    core_tensor *sum = NULL;
    core_term old = sum_of(b, b->args[0]);
    if (!s->status)
        s->status = core_tensor_scatter(s->context, &sum, old, b->args[1], b->grad,
                                        (core_dim)b->info->a, true, s->error);
    put(b, b->args[0], sum);
}

static void index_select_rule(core_back *b)
{
    core_scratch *s = b->s;
    core_tensor *sum = NULL;
    core_term old = sum_of(b, b->args[0]);
    if (!s->status)
        s->status = core_tensor_index_add(s->context, &sum, old, b->args[1], b->grad,
                                          (core_dim)b->info->a, s->error);
    put(b, b->args[0], sum);
}

static void source_by_gather(core_back *b)
{
    core_scratch *s = b->s;
    core_tensor *source = NULL;
    if (!s->status)
        s->status = core_tensor_gather(s->context, &source, b->grad, b->args[1],
                                       (core_dim)b->info->a, s->error);
    core_back_add(b, b->args[2], core_s_keep(s, source));
}

/* The rules of scatter and scatter_add for the base are each other's, upstream as here.
 */
static void scatter_rule(core_back *b)
{
    core_back_add(b, b->args[0], b->grad);
    source_by_gather(b);
}

static void scatter_add_rule(core_back *b)
{
    core_scratch *s = b->s;
    sum_of(b, b->args[0]);
    core_term ones = core_s_ones_like(s, b->args[0]);
    core_term zeros = core_s_zeros_like(s, ones);
    core_tensor *mask = NULL;
    if (!s->status)
        s->status = core_tensor_scatter(s->context, &mask, ones, b->args[1], zeros,
                                        (core_dim)b->info->a, false, s->error);
    core_back_add(b, b->args[0], core_s_mul(s, b->grad, core_s_keep(s, mask)));
    source_by_gather(b);
}

static void index_add_rule(core_back *b)
{
    core_scratch *s = b->s;
    core_tensor *source = NULL;
    core_back_add(b, b->args[0], b->grad);
    if (!s->status)
        s->status = core_tensor_index_select(s->context, &source, b->grad, b->args[1],
                                             (core_dim)b->info->a, s->error);
    core_back_add(b, b->args[2], core_s_keep(s, source));
}

static void matmul_rule(core_back *b)
{
    core_scratch *s = b->s;
    core_back_add(b, b->args[0], core_s_matmul(s, b->grad, core_s_t(s, b->args[1])));
    core_back_add(b, b->args[1], core_s_matmul(s, core_s_t(s, b->args[0]), b->grad));
}

static void cat_rule(core_back *b)
{
    size_t start = 0, dim = b->info->a;
    for (size_t i = 0; i < b->nargs && !b->s->status; i++) {
        core_scratch piece = {.context = b->s->context, .error = b->s->error};
        core_back one = *b;
        one.s = &piece;
        size_t len = b->args[i]->layout.shape.dims[dim];
        core_back_add(&one, b->args[i], core_s_narrow(&piece, b->grad, dim, start, len));
        start += len;
        b->s->status = piece.status;
        core_s_end(&piece);
    }
}

static void broadcast_rule(core_back *b)
{
    core_scratch *s = b->s;
    const core_shape *node = &b->node->layout.shape, *arg = &b->args[0]->layout.shape;
    size_t left = node->rank - arg->rank, count = 0;
    core_dim dims[CORE_MAX_RANK];
    for (size_t i = 0; i < node->rank; i++)
        if (i < left || node->dims[i] != arg->dims[i - left])
            dims[count++] = (core_dim)i;
    core_tensor *term = NULL;
    if (!s->status)
        s->status =
            core_tensor_sum(s->context, &term, b->grad, dims, count, true, s->error);
    core_term kept = core_s_keep(s, term);
    for (size_t i = 0; i < left && !s->status; i++) {
        term = NULL;
        s->status = core_tensor_squeeze(s->context, &term, kept, 0, s->error);
        kept = core_s_keep(s, term);
    }
    sum_of(b, b->args[0]);
    core_back_add(b, b->args[0], core_s_broadcast_as(s, kept, arg));
}

/* A reduced tensor brought back to the shape of the argument. */
static core_term broadcast_back(core_back *b, core_term reduced)
{
    const core_shape *shape = &b->args[0]->layout.shape;
    if (!b->s->status && core_tensor_rank(reduced) != shape->rank)
        reduced = core_s_reshape(b->s, reduced, &b->info->dims);
    return core_s_broadcast_as(b->s, reduced, shape);
}

static void reduce_rule(core_back *b)
{
    core_scratch *s = b->s;
    const core_tensor *arg = b->args[0];
    if (b->info->sub == CORE_SUM) {
        core_back_add(b, arg, broadcast_back(b, b->grad));
        return;
    }
    core_term node = broadcast_back(b, b->node);
    core_term grad = broadcast_back(b, b->grad);
    core_term mask = core_s_to_dtype(s, core_s_cmp(s, CORE_EQ, node, arg), arg->dtype);
    core_term term = core_s_mul(s, mask, grad);
    sum_of(b, arg);
    core_back_add(b, arg, core_s_broadcast_as(s, term, &arg->layout.shape));
}

static void to_dtype_rule(core_back *b)
{
    core_back_add(b, b->args[0], core_s_to_dtype(b->s, b->grad, b->args[0]->dtype));
}

static void copy_rule(core_back *b)
{
    core_back_add(b, b->args[0], b->grad);
}

static void affine_rule(core_back *b)
{
    core_back_add(b, b->args[0], core_s_affine(b->s, b->grad, b->info->x, 0.0));
}

static core_term zeros_with_dim(core_back *b, size_t size)
{
    core_scratch *s = b->s;
    core_shape shape = b->args[0]->layout.shape;
    core_tensor *out = NULL;
    shape.dims[b->info->a] = size;
    if (!s->status)
        s->status = core_tensor_zeros(s->context, &out, &shape, b->grad->dtype,
                                      b->grad->storage->device, s->error);
    return core_s_keep(s, out);
}

static void narrow_rule(core_back *b)
{
    core_scratch *s = b->s;
    size_t dim = b->info->a, start = b->info->b, len = b->info->c, n = 0;
    size_t right = b->args[0]->layout.shape.dims[dim] - start - len;
    const core_tensor *parts[3];
    if (start)
        parts[n++] = zeros_with_dim(b, start);
    parts[n++] = b->grad;
    if (right)
        parts[n++] = zeros_with_dim(b, right);
    core_tensor *padded = NULL;
    if (!s->status)
        s->status =
            core_tensor_cat(s->context, &padded, parts, n, (core_dim)dim, s->error);
    core_back_add(b, b->args[0], core_s_keep(s, padded));
}

static void reshape_rule(core_back *b)
{
    core_back_add(b, b->args[0],
                  core_s_reshape(b->s, b->grad, &b->args[0]->layout.shape));
}

static void to_device_rule(core_back *b)
{
    core_scratch *s = b->s;
    core_tensor *moved = NULL;
    core_term sum = sum_of(b, b->args[0]);
    if (!s->status)
        s->status = core_tensor_to_device(s->context, &moved, b->grad,
                                          sum->storage->device, s->error);
    core_back_add(b, b->args[0], core_s_keep(s, moved));
}

static void transpose_rule(core_back *b)
{
    core_scratch *s = b->s;
    core_tensor *back = NULL;
    if (!s->status)
        s->status =
            core_tensor_transpose(s->context, &back, b->grad, (core_dim)b->info->a,
                                  (core_dim)b->info->b, s->error);
    core_back_add(b, b->args[0], core_s_keep(s, back));
}

static void permute_rule(core_back *b)
{
    core_scratch *s = b->s;
    core_dim inverse[CORE_MAX_RANK];
    core_tensor *back = NULL;
    for (size_t i = 0; i < b->info->dims.rank; i++)
        inverse[b->info->dims.dims[i]] = (core_dim)i;
    if (!s->status)
        s->status = core_tensor_permute(s->context, &back, b->grad, inverse,
                                        b->info->dims.rank, s->error);
    core_back_add(b, b->args[0], core_s_keep(s, back));
}

static void custom_rule(core_back *b)
{
    core_scratch *s = b->s;
    const core_kernel_row *row = b->info->kernel.row;
    core_tensor *terms[3] = {0};
    if (!row->backward)
        s->status = core_fail(s->error, CORE_ERROR, "backward is not supported for %s",
                              row->name);
    if (!s->status)
        s->status = row->backward(s->context, terms, (const core_tensor *const *)b->args,
                                  b->grad, b->info->kernel.param, s->error);
    for (size_t i = 0; i < b->nargs; i++)
        if (terms[i])
            core_back_add(b, b->args[i], core_s_keep(s, terms[i]));
}

static void no_rule(core_back *b)
{
    (void)b;
}

/* An operation without a rule has no gradient in the core. */
static core_back_step *const rules[CORE_OP_COUNT] = {
    [CORE_OP_BINARY] = binary_rule,
    [CORE_OP_UNARY] = core_back_unary,
    [CORE_OP_CMP] = no_rule,
    [CORE_OP_REDUCE] = reduce_rule,
    [CORE_OP_MATMUL] = matmul_rule,
    [CORE_OP_GATHER] = gather_rule,
    [CORE_OP_SCATTER] = scatter_rule,
    [CORE_OP_SCATTER_ADD] = scatter_add_rule,
    [CORE_OP_INDEX_SELECT] = index_select_rule,
    [CORE_OP_INDEX_ADD] = index_add_rule,
    [CORE_OP_WHERE_COND] = where_rule,
    [CORE_OP_CAT] = cat_rule,
    [CORE_OP_AFFINE] = affine_rule,
    [CORE_OP_TO_DTYPE] = to_dtype_rule,
    [CORE_OP_COPY] = copy_rule,
    [CORE_OP_BROADCAST] = broadcast_rule,
    [CORE_OP_NARROW] = narrow_rule,
    [CORE_OP_SLICE_SCATTER0] = slice_scatter_rule,
    [CORE_OP_RESHAPE] = reshape_rule,
    [CORE_OP_TO_DEVICE] = to_device_rule,
    [CORE_OP_TRANSPOSE] = transpose_rule,
    [CORE_OP_PERMUTE] = permute_rule,
    [CORE_OP_ELU] = core_back_elu,
    [CORE_OP_POWF] = core_back_powf,
    [CORE_OP_CUSTOM] = custom_rule,
};

/* --- all of it --- */

static core_status one_node(core_context *context, core_gradstore *grads,
                            core_tensor *node, core_error *error)
{
    core_tensor *gradient = core_gradstore_remove(grads, node->id), *grad = NULL;
    if (!gradient)
        return core_fail(error, CORE_PANIC, "candle internal error - grad not populated");
    core_status status = core_tensor_detach(context, &grad, gradient, error);
    core_tensor_unref(gradient);
    if (!status && node->op) {
        core_scratch s = {.context = context, .error = error};
        core_back b = {grads,           &s,  node, &node->op->info, node->op->args,
                       node->op->nargs, grad};
        if (rules[node->op->info.kind])
            rules[node->op->info.kind](&b);
        else
            s.status =
                core_fail(error, CORE_UNSUPPORTED,
                          "the gradient of this operation is not known to the core");
        status = s.status;
        core_s_end(&s);
    }
    core_tensor_unref(grad);
    return status;
}

core_status core_tensor_backward(core_context *context, core_gradstore **out,
                                 const core_tensor *self, core_error *error)
{
    core_node_list list = {0};
    core_tensor *ones = NULL;
    core_sorted_nodes(&list, context, self);
    core_gradstore *grads = core_gradstore_new(context);
    core_status status = core_tensor_ones_like(context, &ones, self, error);
    if (!status)
        core_gradstore_insert(grads, self->id, ones);
    for (size_t i = list.count; i-- > 0 && !status;)
        if (!list.items[i]->is_variable)
            status = one_node(context, grads, list.items[i], error);
    free(list.items);
    if (status) {
        core_gradstore_free(grads);
        return status;
    }
    *out = grads;
    return CORE_OK;
}

/* --- rows --- */

THUNK(backward)
{
    core_gradstore *grads = NULL;
    core_status status = core_tensor_backward(context, &grads, self->tensor, error);
    if (!status)
        *result = (core_value){.kind = CORE_KIND_GRADSTORE, .gradstore = grads};
    return status;
}

/* Option<Tensor>, taking the reference; NULL is None. */
static core_status option(core_value *result, core_tensor *tensor)
{
    core_value some = core_value_tensor(tensor);
    *result = tensor ? core_value_items(CORE_KIND_SOME, &some, 1)
                     : (core_value){.kind = CORE_KIND_NONE};
    return CORE_OK;
}

THUNK(get)
{
    const core_tensor *gradient = core_gradstore_get(self->gradstore, args[0].tensor->id);
    return option(result, gradient ? core_tensor_ref(gradient) : NULL);
}

THUNK(get_id)
{
    if (args[0].kind != CORE_KIND_ID)
        return core_fail(error, CORE_UNSUPPORTED,
                         "get_id of something else than a TensorId");
    const core_tensor *gradient = core_gradstore_get(self->gradstore, args[0].id);
    return option(result, gradient ? core_tensor_ref(gradient) : NULL);
}

THUNK(remove_)
{
    return option(result, core_gradstore_remove(self->gradstore, args[0].tensor->id));
}

THUNK(insert)
{
    core_tensor *gradient = core_tensor_ref(args[1].tensor);
    return option(result,
                  core_gradstore_insert(self->gradstore, args[0].tensor->id, gradient));
}

const core_method core_methods_backward[] = {
    METHOD(TENSOR, "backward", "", true, backward),
    METHOD(GRADSTORE, "get", "t", false, get),
    METHOD(GRADSTORE, "get_id", "*", false, get_id),
    METHOD(GRADSTORE, "remove", "t", false, remove_),
    METHOD(GRADSTORE, "insert", "tt", false, insert),
    CORE_METHODS_END,
};
