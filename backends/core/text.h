#ifndef PARITY_CORE_TEXT_H
#define PARITY_CORE_TEXT_H

#include "backends/core/tensor.h"

core_scalar core_scalar_load(core_dtype dtype, const void *bytes);

#endif
