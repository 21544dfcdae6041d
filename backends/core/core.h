/* The tensor core: candle 0.11.0's object model in C, a library of its own.
 *
 *     core_context *context = core_context_new();
 *     core_device *cpu = core_context_device(context, "cpu");
 *     core_tensor *x = NULL, *y = NULL;
 *     core_error error;
 *     core_shape shape = {2, {2, 3}};
 *     if (core_tensor_ones(context, &x, &shape, CORE_F32, cpu, &error) ||
 *         core_tensor_affine(context, &y, x, 2.0, 1.0, &error))
 *         fprintf(stderr, "%s: %s\n", core_status_name(error.status), error.text);
 *     core_tensor_unref(x);
 *     core_tensor_unref(y);
 *     core_context_free(context);
 *
 * types.h   status, errors, element types, shapes, layouts, the context
 * tensor.h  tensors, variables, gradients, guards
 * nn.h      VarMap, VarBuilder, Linear, SGD, AdamW
 * value.h   values of a candle program
 * method.h  the method table, for an evaluator or for bindings
 * device.h  what a device has to implement (backends/cpu is one) */
#ifndef PARITY_CORE_CORE_H
#define PARITY_CORE_CORE_H

#include "backends/core/method.h"
#include "backends/core/nn.h"
#include "backends/core/tensor.h"
#include "backends/core/types.h"
#include "backends/core/value.h"

#endif
