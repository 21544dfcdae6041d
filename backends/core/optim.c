/* SGD and AdamW (candle-nn optim.rs). A step writes the variables in place with Var::set.
 */
#include "backends/core/internal.h"
#include "backends/core/scratch.h"
#include "backends/core/thunk.h"

#include <math.h>
#include <stdlib.h>

struct core_sgd {
    core_tensor **vars;
    size_t count;
    double lr;
};

static bool is_float(const core_tensor *var)
{
    return core_dtype_info(var->dtype)->is_float;
}

core_sgd *core_sgd_new(const core_tensor *const *vars, size_t count, double lr)
{
    core_sgd *sgd = core_alloc(sizeof *sgd);
    *sgd = (core_sgd){.lr = lr};
    for (size_t i = 0; i < count; i++)
        if (is_float(vars[i]))
            core_sgd_push(sgd, vars[i]);
    return sgd;
}

void core_sgd_push(core_sgd *sgd, const core_tensor *var)
{
    sgd->vars = core_realloc(sgd->vars, (sgd->count + 1) * sizeof *sgd->vars);
    sgd->vars[sgd->count++] = core_tensor_ref(var);
}

void core_sgd_free(core_sgd *sgd)
{
    if (!sgd)
        return;
    for (size_t i = 0; i < sgd->count; i++)
        core_tensor_unref(sgd->vars[i]);
    free(sgd->vars);
    free(sgd);
}

core_status core_sgd_step(core_context *context, core_sgd *sgd,
                          const core_gradstore *grads, core_error *error)
{
    core_scratch s = {.context = context, .error = error};
    for (size_t i = 0; i < sgd->count && !s.status; i++) {
        const core_tensor *var = sgd->vars[i], *grad = core_gradstore_get(grads, var->id);
        if (!grad)
            continue;
        core_term next =
            core_s_binary(&s, CORE_SUB, var, core_s_affine(&s, grad, sgd->lr, 0.0));
        if (!s.status)
            s.status = core_var_set(context, var, next, error);
        core_s_end(&s);
    }
    return s.status;
}

/* --- AdamW --- */

typedef struct moments {
    core_tensor *var;
    core_tensor *first;
    core_tensor *second;
} moments;

struct core_adamw {
    moments *vars;
    size_t count;
    int step;
    core_adamw_params params;
};

core_status core_adamw_new(core_context *context, core_adamw **out,
                           const core_tensor *const *vars, size_t count,
                           core_adamw_params params, core_error *error)
{
    core_adamw *adamw = core_alloc(sizeof *adamw);
    *adamw = (core_adamw){.params = params};
    adamw->vars = core_alloc(count * sizeof *adamw->vars);
    core_status status = CORE_OK;
    for (size_t i = 0; i < count && !status; i++) {
        if (!is_float(vars[i]))
            continue;
        moments *m = &adamw->vars[adamw->count++];
        const core_shape *shape = &vars[i]->layout.shape;
        core_device *device = vars[i]->storage->device;
        *m = (moments){.var = core_tensor_ref(vars[i])};
        status = core_var_zeros(context, &m->first, shape, vars[i]->dtype, device, error);
        if (!status)
            status =
                core_var_zeros(context, &m->second, shape, vars[i]->dtype, device, error);
    }
    if (status)
        core_adamw_free(adamw);
    else
        *out = adamw;
    return status;
}

void core_adamw_free(core_adamw *adamw)
{
    if (!adamw)
        return;
    for (size_t i = 0; i < adamw->count; i++) {
        core_tensor_unref(adamw->vars[i].var);
        core_tensor_unref(adamw->vars[i].first);
        core_tensor_unref(adamw->vars[i].second);
    }
    free(adamw->vars);
    free(adamw);
}

/* f64::powi: by repeated squaring, which rounds otherwise than pow(). */
static double powi(double base, int exponent)
{
    double result = 1.0;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

static core_status adamw_var(core_context *context, const core_adamw *adamw,
                             const moments *m, const core_tensor *g, core_error *error)
{
    core_scratch s = {.context = context, .error = error};
    const core_adamw_params *p = &adamw->params;
    double scale_m = 1.0 / (1.0 - powi(p->beta1, adamw->step));
    double scale_v = 1.0 / (1.0 - powi(p->beta2, adamw->step));
    core_term next_m = core_s_add(&s, core_s_affine(&s, m->first, p->beta1, 0.0),
                                  core_s_affine(&s, g, 1.0 - p->beta1, 0.0));
    core_term square =
        core_s_affine(&s, core_s_unary(&s, CORE_SQR, g), 1.0 - p->beta2, 0.0);
    core_term next_v =
        core_s_add(&s, core_s_affine(&s, m->second, p->beta2, 0.0), square);
    core_term m_hat = core_s_affine(&s, next_m, scale_m, 0.0);
    core_term v_hat = core_s_affine(&s, next_v, scale_v, 0.0);
    core_term decayed = core_s_affine(&s, m->var, 1.0 - p->lr * p->weight_decay, 0.0);
    core_term root = core_s_affine(&s, core_s_unary(&s, CORE_SQRT, v_hat), 1.0, p->eps);
    core_term change = core_s_affine(&s, core_s_div(&s, m_hat, root), p->lr, 0.0);
    core_term theta = core_s_binary(&s, CORE_SUB, decayed, change);
    if (!s.status)
        s.status = core_var_set(context, m->first, next_m, error);
    if (!s.status)
        s.status = core_var_set(context, m->second, next_v, error);
    if (!s.status)
        s.status = core_var_set(context, m->var, theta, error);
    core_s_end(&s);
    return s.status;
}

core_status core_adamw_step(core_context *context, core_adamw *adamw,
                            const core_gradstore *grads, core_error *error)
{
    core_status status = CORE_OK;
    adamw->step++;
    for (size_t i = 0; i < adamw->count && !status; i++) {
        const core_tensor *g = core_gradstore_get(grads, adamw->vars[i].var->id);
        if (g)
            status = adamw_var(context, adamw, &adamw->vars[i], g, error);
    }
    return status;
}

/* --- rows --- */

THUNK(sgd_new)
{
    const core_tensor **vars = NULL;
    size_t count = 0;
    core_status status = core_arg_tensors(&vars, &count, &args[0], error);
    if (!status)
        *result = (core_value){.kind = CORE_KIND_SGD,
                               .sgd = core_sgd_new(vars, count, args[1].number.value)};
    free(vars);
    return status;
}

static core_status gradstore_arg(const core_value *arg, core_error *error)
{
    if (arg->kind == CORE_KIND_GRADSTORE)
        return CORE_OK;
    return core_fail(error, CORE_UNSUPPORTED, "step with a %s",
                     core_kind_name(arg->kind));
}

static core_status step(core_context *context, const core_value *self,
                        const core_gradstore *grads, core_error *error)
{
    return self->kind == CORE_KIND_SGD
               ? core_sgd_step(context, self->sgd, grads, error)
               : core_adamw_step(context, self->adamw, grads, error);
}

THUNK(step_)
{
    core_status status = gradstore_arg(&args[0], error);
    return status ? status : step(context, self, args[0].gradstore, error);
}

THUNK(backward_step)
{
    core_gradstore *grads = NULL;
    core_status status = core_tensor_backward(context, &grads, args[0].tensor, error);
    if (!status)
        status = step(context, self, grads, error);
    core_gradstore_free(grads);
    return status;
}

THUNK(learning_rate)
{
    *result = core_value_f64(self->kind == CORE_KIND_SGD ? self->sgd->lr
                                                         : self->adamw->params.lr);
    return CORE_OK;
}

THUNK(set_learning_rate)
{
    if (self->kind == CORE_KIND_SGD)
        self->sgd->lr = args[0].number.value;
    else
        self->adamw->params.lr = args[0].number.value;
    return CORE_OK;
}

THUNK(push)
{
    core_sgd_push(self->sgd, args[0].tensor);
    return CORE_OK;
}

THUNK(into_inner)
{
    core_value *items = core_alloc(self->sgd->count * sizeof *items);
    for (size_t i = 0; i < self->sgd->count; i++)
        items[i] = core_value_var(core_tensor_ref(self->sgd->vars[i]));
    *result = core_value_items(CORE_KIND_LIST, items, self->sgd->count);
    free(items);
    return CORE_OK;
}

static core_status make_adamw(core_context *context, core_value *result,
                              const core_value *list, core_adamw_params params,
                              core_error *error)
{
    const core_tensor **vars = NULL;
    size_t count = 0;
    core_adamw *adamw = NULL;
    core_status status = core_arg_tensors(&vars, &count, list, error);
    if (!status)
        status = core_adamw_new(context, &adamw, vars, count, params, error);
    if (!status)
        *result = (core_value){.kind = CORE_KIND_ADAMW, .adamw = adamw};
    free(vars);
    return status;
}

THUNK(adamw_new)
{
    if (args[1].kind != CORE_KIND_ADAMW_PARAMS)
        return core_fail(error, CORE_UNSUPPORTED, "AdamW::new with a %s",
                         core_kind_name(args[1].kind));
    return make_adamw(context, result, &args[0], args[1].adamw_params, error);
}

THUNK(adamw_new_lr)
{
    core_adamw_params params = CORE_ADAMW_DEFAULT;
    params.lr = args[1].number.value;
    return make_adamw(context, result, &args[0], params, error);
}

THUNK(adamw_params)
{
    *result =
        (core_value){.kind = CORE_KIND_ADAMW_PARAMS, .adamw_params = self->adamw->params};
    return CORE_OK;
}

THUNK(params_default)
{
    *result =
        (core_value){.kind = CORE_KIND_ADAMW_PARAMS, .adamw_params = CORE_ADAMW_DEFAULT};
    return CORE_OK;
}

const core_method core_methods_optim[] = {
    FUNCTION("SGD::new", "Lf", true, sgd_new),
    METHOD(SGD, "step", "*", true, step_),
    METHOD(SGD, "backward_step", "t", true, backward_step),
    METHOD(SGD, "learning_rate", "", false, learning_rate),
    METHOD(SGD, "set_learning_rate", "f", false, set_learning_rate),
    METHOD(SGD, "push", "v", false, push),
    METHOD(SGD, "into_inner", "", false, into_inner),
    FUNCTION("AdamW::new", "L*", true, adamw_new),
    FUNCTION("AdamW::new_lr", "Lf", true, adamw_new_lr),
    FUNCTION("ParamsAdamW::default", "", false, params_default),
    METHOD(ADAMW, "step", "*", true, step_),
    METHOD(ADAMW, "backward_step", "t", true, backward_step),
    METHOD(ADAMW, "learning_rate", "", false, learning_rate),
    METHOD(ADAMW, "set_learning_rate", "f", false, set_learning_rate),
    METHOD(ADAMW, "params", "", false, adamw_params),
    CORE_METHODS_END,
};
