/* Arithmetic operators and indexing (tensor.rs:2980-3110). */
#include "backends/core/internal.h"
#include "backends/core/method.h"

#include <string.h>

/* One side: a tensor, or a number, or the Err that a Result holds. */
static core_status side(const core_value **out, const core_value *in, core_error *error)
{
    if (in->kind == CORE_KIND_ERR)
        return core_fail(error, CORE_ERROR, "%s", in->text.data);
    *out = in->kind == CORE_KIND_OK ? &in->items[0] : in;
    return CORE_OK;
}

static bool is_tensor(const core_value *v)
{
    return v->kind == CORE_KIND_TENSOR || v->kind == CORE_KIND_VAR;
}

/* tensor op number: affine(mul, add), as bin_trait! has it. */
static core_status tensor_number(core_context *context, core_tensor **out, char op,
                                 const core_tensor *t, double v, core_error *error)
{
    double mul = op == '*' ? v : op == '/' ? 1.0 / v : 1.0;
    double add = op == '+' ? v : op == '-' ? -v : 0.0;
    return core_tensor_affine(context, out, t, mul, add, error);
}

static core_status number_tensor(core_context *context, core_tensor **out, char op,
                                 double v, const core_tensor *t, core_error *error)
{
    if (op == '-')
        return core_tensor_affine(context, out, t, -1.0, v, error);
    if (op != '/')
        return tensor_number(context, out, op, t, v, error);
    core_tensor *recip = NULL;
    core_status status = core_tensor_unary(context, &recip, CORE_RECIP, t, error);
    if (!status)
        status = core_tensor_affine(context, out, recip, v, 0.0, error);
    core_tensor_unref(recip);
    return status;
}

static core_status unfit(char op, const core_value *l, const core_value *r,
                         core_error *error)
{
    return core_fail(error, CORE_UNSUPPORTED, "%s %c %s", core_kind_name(l->kind), op,
                     core_kind_name(r->kind));
}

core_status core_operator(core_context *context, core_value *result, char op,
                          const core_value *lhs, const core_value *rhs, core_error *error)
{
    static const char operators[] = "+-*/";
    const core_value *l = NULL, *r = NULL;
    const char *at = strchr(operators, op);
    if (!op || !at)
        return unfit(op, lhs, rhs, error);
    core_status status = side(&l, lhs, error);
    if (!status)
        status = side(&r, rhs, error);
    if (status)
        return status;
    bool number = (lhs->kind == CORE_KIND_FLOAT && lhs->number.dtype == CORE_F64) ||
                  (rhs->kind == CORE_KIND_FLOAT && rhs->number.dtype == CORE_F64);
    core_tensor *out = NULL;
    if (is_tensor(l) && is_tensor(r))
        status = core_tensor_binary(context, &out, (core_binary)(at - operators),
                                    l->tensor, r->tensor, error);
    else if (number && is_tensor(lhs))
        status = tensor_number(context, &out, op, l->tensor, r->number.value, error);
    else if (number && is_tensor(rhs))
        status = number_tensor(context, &out, op, l->number.value, r->tensor, error);
    else
        status = unfit(op, lhs, rhs, error);
    if (!status)
        *result = core_value_tensor(out);
    return status;
}

core_status core_value_index(core_context *context, core_value *result,
                             const core_value *value, const core_value *index,
                             core_error *error)
{
    (void)context;
    if (value->kind == CORE_KIND_MAP || value->kind == CORE_KIND_MAP_GUARD) {
        const core_map *map = value->kind == CORE_KIND_MAP
                                  ? value->map
                                  : core_map_guard_map(value->map_guard);
        if (index->kind != CORE_KIND_STRING)
            return core_fail(error, CORE_UNSUPPORTED, "a HashMap indexed by a %s",
                             core_kind_name(index->kind));
        const core_tensor *var = core_map_get(map, index->text.data);
        if (!var)
            return core_fail(error, CORE_PANIC, "no entry found for key");
        *result = core_value_var(core_tensor_ref(var));
        return CORE_OK;
    }
    if ((value->kind == CORE_KIND_LIST || value->kind == CORE_KIND_TUPLE) &&
        index->kind == CORE_KIND_INT) {
        size_t i = (size_t)index->integer.bits;
        if (i >= value->count)
            return core_fail(error, CORE_PANIC,
                             "index out of bounds: the len is %zu but the index is %zu",
                             value->count, i);
        return core_value_clone(result, &value->items[i], error);
    }
    return core_fail(error, CORE_UNSUPPORTED, "a %s indexed by a %s",
                     core_kind_name(value->kind), core_kind_name(index->kind));
}
