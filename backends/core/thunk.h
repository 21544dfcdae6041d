/* For writing rows of the method table: THUNK(name) opens the function of a row; FUNCTION
 * and METHOD make the row; core_give turns a result of the typed functions into a value.
 */
#ifndef PARITY_CORE_THUNK_H
#define PARITY_CORE_THUNK_H

#include "backends/core/method.h"

#if defined(__GNUC__)
#define CORE_MAYBE_UNUSED __attribute__((unused))
#else
#define CORE_MAYBE_UNUSED
#endif

#define THUNK(name)                                                                      \
    static core_status name(                                                             \
        CORE_MAYBE_UNUSED core_context *context, CORE_MAYBE_UNUSED core_value *result,   \
        CORE_MAYBE_UNUSED const core_value *self,                                        \
        CORE_MAYBE_UNUSED const core_value *args, CORE_MAYBE_UNUSED size_t nargs,        \
        CORE_MAYBE_UNUSED core_error *error)
#define FUNCTION(path, signature, fallible, thunk)                                       \
    {                                                                                    \
        CORE_KIND_UNIT, path, signature, fallible, thunk                                 \
    }
#define METHOD(kind, name, signature, fallible, thunk)                                   \
    {                                                                                    \
        CORE_KIND_##kind, name, signature, fallible, thunk                               \
    }
#define CORE_METHODS_END                                                                 \
    {                                                                                    \
        CORE_KIND_UNIT, NULL, NULL, false, NULL                                          \
    }

/* Ends a thunk whose result is the tensor that `call` puts in `out`. */
#define GIVE(call)                                                                       \
    core_tensor *out = NULL;                                                             \
    return core_give(result, &out, call)

/* On CORE_OK makes *result the tensor, whose reference it takes. Passes the status on. */
core_status core_give(core_value *result, core_tensor **tensor, core_status status);

size_t core_arg_usize(const core_value *value);
/* Number with its type: u8, u32, i16, i32, i64, f32, f64; CORE_UNSUPPORTED for others. */
core_status core_arg_scalar(core_scalar *out, const core_value *value, core_error *error);
/* Several of one type, which literals take from the others. */
core_status core_arg_scalars(core_scalar *out, const core_value *values, size_t count,
                             core_error *error);
/* `o`: tensor or scalar. */
core_status core_arg_operand(core_operand *out, const core_value *value,
                             core_error *error);
/* `M`: at most CORE_MAX_RANK dims. */
size_t core_arg_dims(core_dim dims[CORE_MAX_RANK], const core_value *value);
/* `h`: the hole is filled in for count elements. */
core_status core_arg_shape_hole(core_shape *out, const core_value *value, size_t count,
                                core_error *error);
/* `L` of tensors, borrowed; *tensors is new, free() it. */
core_status core_arg_tensors(const core_tensor ***tensors, size_t *count,
                             const core_value *list, core_error *error);
core_value core_value_list_usize(const size_t *values, size_t count);

#endif
