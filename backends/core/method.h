/* The method table: every method and function of candle that a program can call, one row
 * each.
 *
 * Rows stand at the end of the file of their family (affine.c, shape_ops.c …), method.c
 * joins the families. To add a method, write its function and its row. */
#ifndef PARITY_CORE_METHOD_H
#define PARITY_CORE_METHOD_H

#include "backends/core/value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* args[] holds what the signature asks for, already checked and converted: type arguments
 * first, then the arguments, one a letter. *result is unit on entry. self is NULL for
 * functions. */
typedef core_status core_thunk(core_context *context, core_value *result,
                               const core_value *self, const core_value *args,
                               size_t nargs, core_error *error);

typedef struct core_method {
    core_kind receiver; /* CORE_KIND_UNIT: a function, found by its path */
    const char *name;   /* "narrow"; of a function its path, "Tensor::zeros" */
    /* A letter an argument:
     *   t tensor (a Var serves, as by Deref)    v Var         o tensor or scalar
     *   d dim (integer or D::Minus…)            n usize       i any integer
     *   f f64 (a literal or f64)                x integer or float whose type matters
     *   s shape: usize, tuple, list, Shape, ()  h shape with at most one hole `()`
     *   D dtype      V device      S text       r range       b bool
     *   L list (Vec, array, slice)              M dims: dim, tuple or list of dims, ()
     *   I index of i(..): number, range, list, tensor, or tuple of these
     *   A array of numbers: scalar or nested list of them
     *   k kernel of parity::ops                 * anything
     * `<D>` at the start: one type argument (turbofish), passed as dtype first; left out
     * it is passed as unit. A `?` before a letter: may be left out at the end. */
    const char *signature;
    /* Returns Result: `?` unwraps it, and without `?` an evaluator makes Ok(…) or, of
     * CORE_ERROR, Err(…). Others never return CORE_ERROR. */
    bool fallible;
    core_thunk *call;
} core_method;

/* A method of this receiver: of a VAR also those of a TENSOR. NULL: there is none. */
const core_method *core_method_find(core_kind receiver, const char *name);
/* A function by its path as written, without leading `candle_core::`, `candle_nn::`,
 * `crate::`: "Tensor::zeros", "Device::Cpu" (constants take no arguments),
 * "linear_no_bias", "parity::ops::fill" or "ops::fill". NULL: there is none. */
const core_method *core_path_find(const char *path);
/* Every row, for coverage and help. */
size_t core_method_count(void);
const core_method *core_method_at(size_t index);

/* Checks number and kinds of the arguments against the signature and calls the row.
 * Arguments that do not fit are CORE_UNSUPPORTED: rustc would have refused them, or the
 * core does not know the form. args stay the caller's. *result is new. */
core_status core_method_call(core_context *context, core_value *result,
                             const core_method *method, const core_value *self,
                             const core_value *types, size_t ntypes,
                             const core_value *args, size_t nargs, core_error *error);

/* `lhs op rhs` for op '+', '-', '*', '/' where at least one side is a Tensor (or a Var,
 * through `*` or `&`) or a Result of one (Ok or Err values), the other that or an f64.
 * Fallible: on CORE_OK *result is the tensor. */
core_status core_operator(core_context *context, core_value *result, char op,
                          const core_value *lhs, const core_value *rhs,
                          core_error *error);

/* `map["name"]` of MAP and MAP_GUARD, `list[n]`, `tuple.n`: *result is a clone of the
 * element. */
core_status core_value_index(core_context *context, core_value *result,
                             const core_value *value, const core_value *index,
                             core_error *error);

#ifdef __cplusplus
}
#endif
#endif
