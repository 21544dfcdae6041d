/* The part of candle-nn that programs about references need: VarMap, VarBuilder, Linear,
 * SGD, AdamW. Handles are counted where candle's are Arc, and single owners otherwise. */
#ifndef PARITY_CORE_NN_H
#define PARITY_CORE_NN_H

#include "backends/core/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- VarMap: Arc<Mutex<HashMap<String, Var>>> (varmap.c) --- */
typedef struct core_varmap core_varmap;
typedef struct core_map core_map;             /* HashMap<String, Var> */
typedef struct core_map_guard core_map_guard; /* MutexGuard of it */

core_varmap *core_varmap_new(core_context *context);
core_varmap *core_varmap_ref(core_varmap *varmap);
void core_varmap_unref(core_varmap *varmap); /* NULL allowed */

/* data().lock().unwrap(). While the guard lives every other use of the map is
 * CORE_DEADLOCK. */
core_status core_varmap_lock(core_context *context, core_map_guard **out,
                             core_varmap *varmap, core_error *error);
void core_map_guard_free(core_map_guard *guard); /* unlocks; NULL allowed */
const core_map *core_map_guard_map(const core_map_guard *guard); /* borrowed */

core_map *core_map_clone(const core_map *map); /* new; the variables count up */
void core_map_free(core_map *map);             /* NULL allowed */
size_t core_map_count(const core_map *map);
/* Borrowed; NULL: not there. */
const core_tensor *core_map_get(const core_map *map, const char *name);

/* *vars is new, `count` new references; free the array with free(). */
core_status core_varmap_all_vars(core_context *context, core_tensor ***vars,
                                 size_t *count, core_varmap *varmap, core_error *error);

/* --- Init (init.rs) --- */
typedef enum core_init_kind {
    CORE_INIT_CONST,          /* a */
    CORE_INIT_RANDN,          /* mean a, stdev b */
    CORE_INIT_UNIFORM,        /* lo a, up b */
    CORE_INIT_KAIMING_NORMAL, /* fan in, ReLU: DEFAULT_KAIMING_NORMAL */
    CORE_INIT_KAIMING_UNIFORM,
} core_init_kind;

typedef struct core_init {
    core_init_kind kind;
    double a;
    double b;
} core_init;

core_status core_varmap_get(core_context *context, core_tensor **out, core_varmap *varmap,
                            const core_shape *shape, const char *path, core_init init,
                            core_dtype dtype, core_device *device, core_error *error);
core_status core_varmap_set_one(core_context *context, core_varmap *varmap,
                                const char *name, const core_tensor *value,
                                core_error *error);

/* --- VarBuilder over a VarMap (varbuilder.c) --- */
typedef struct core_varbuilder core_varbuilder;
core_varbuilder *core_varbuilder_from_varmap(core_varmap *varmap, core_dtype dtype,
                                             core_device *device);
core_varbuilder *core_varbuilder_clone(const core_varbuilder *vb);
void core_varbuilder_free(core_varbuilder *vb);
core_varbuilder *core_varbuilder_pp(const core_varbuilder *vb, const char *name);
core_status core_varbuilder_get(core_context *context, core_tensor **out,
                                const core_varbuilder *vb, const core_shape *shape,
                                const char *name, core_init init, core_error *error);

/* --- Linear (linear.c) --- */
typedef struct core_linear {
    core_tensor *weight;
    core_tensor *bias; /* may be NULL */
} core_linear;
core_status core_linear_new(core_context *context, core_linear **out, size_t in,
                            size_t outs, bool bias, const core_varbuilder *vb,
                            core_error *error);
/* Takes the references. */
core_linear *core_linear_from(core_tensor *weight, core_tensor *bias);
core_linear *core_linear_clone(const core_linear *linear);
void core_linear_free(core_linear *linear);
core_status core_linear_forward(core_context *context, core_tensor **out,
                                const core_linear *linear, const core_tensor *input,
                                core_error *error);

/* --- optimizers (optim.c) --- */
typedef struct core_sgd core_sgd;
/* vars are borrowed, counted up. Variables that are not float are left out, as in candle.
 */
core_sgd *core_sgd_new(const core_tensor *const *vars, size_t count, double lr);
void core_sgd_free(core_sgd *sgd);
void core_sgd_push(core_sgd *sgd, const core_tensor *var);
core_status core_sgd_step(core_context *context, core_sgd *sgd,
                          const core_gradstore *grads, core_error *error);

typedef struct core_adamw_params {
    double lr;
    double beta1;
    double beta2;
    double eps;
    double weight_decay;
} core_adamw_params;
#define CORE_ADAMW_DEFAULT ((core_adamw_params){0.001, 0.9, 0.999, 1e-8, 0.01})

typedef struct core_adamw core_adamw;
core_status core_adamw_new(core_context *context, core_adamw **out,
                           const core_tensor *const *vars, size_t count,
                           core_adamw_params params, core_error *error);
void core_adamw_free(core_adamw *adamw);
core_status core_adamw_step(core_context *context, core_adamw *adamw,
                            const core_gradstore *grads, core_error *error);

#ifdef __cplusplus
}
#endif
#endif
