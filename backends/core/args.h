#ifndef PARITY_CORE_ARGS_H
#define PARITY_CORE_ARGS_H

#include "backends/core/value.h"

/* One argument for a letter of a signature. *owned: *out has to be cleared by the caller;
 * else it borrows from *in. */
core_status core_arg_convert(core_value *out, bool *owned, char letter,
                             const core_value *in, core_error *error);

#endif
