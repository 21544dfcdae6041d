/* Tensors from nested lists of numbers, as NdArray makes them (device.rs:28-231). */
#ifndef PARITY_CORE_ARRAY_H
#define PARITY_CORE_ARRAY_H

#include "backends/core/value.h"

/* Tensor::new; with a shape, whose number of elements is checked (Var::from_slice). */
core_status core_array_new(core_context *context, core_tensor **out,
                           const core_value *array, const core_shape *shape,
                           core_device *device, core_error *error);
/* from_vec and from_slice: a flat list; the shape may have a hole and is not checked
 * otherwise. */
core_status core_array_from_vec(core_context *context, core_tensor **out,
                                const core_value *list, const core_value *shape,
                                core_device *device, core_error *error);

#endif
