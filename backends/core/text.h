#ifndef PARITY_CORE_TEXT_H
#define PARITY_CORE_TEXT_H

#include "backends/core/tensor.h"

core_scalar core_scalar_load(core_dtype dtype, const void *bytes);
/* Debug of Scalar: "F64(5.0)". Borrowed from `out`, which core_text_free frees. */
const char *core_scalar_text(core_text *out, core_scalar value);

#endif
