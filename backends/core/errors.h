/* candle's error texts (error.rs:22-245), one function a variant. They return CORE_ERROR.
 */
#ifndef PARITY_CORE_ERRORS_H
#define PARITY_CORE_ERRORS_H

#include "backends/core/types.h"

core_status core_err_dim(core_error *error, const char *op, ptrdiff_t dim,
                         const core_shape *shape);
core_status core_err_duplicate(core_error *error, const char *op, const size_t *dims,
                               size_t ndims, const core_shape *shape);
core_status core_err_shapes(core_error *error, const char *op, const core_shape *lhs,
                            const core_shape *rhs);
core_status core_err_dtypes(core_error *error, const char *op, core_dtype lhs,
                            core_dtype rhs);
core_status core_err_rank(core_error *error, size_t expected, size_t got,
                          const core_shape *shape);
core_status core_err_dtype_op(core_error *error, core_dtype dtype, const char *op);
core_status core_err_contiguous(core_error *error, const char *op);
core_status core_err_index(core_error *error, const char *op, uint64_t index,
                           size_t size);
core_status core_err_broadcast(core_error *error, const core_shape *from,
                               const core_shape *to);
core_status core_err_cat(core_error *error, size_t dim, const core_shape *first, size_t n,
                         const core_shape *nth);
core_status core_err_narrow(core_error *error, const char *message,
                            const core_shape *shape, size_t dim, size_t start,
                            size_t len);
core_status core_rank_limit(core_error *error,
                            size_t rank); /* CORE_UNSUPPORTED when too many */

#endif
