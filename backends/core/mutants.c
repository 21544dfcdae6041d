/* Which fault PARITY_MUTANT names. */
#include "backends/core/mutants.h"
#include "backends/core/tensor.h"

#include <stdlib.h>
#include <string.h>

#ifdef CORE_MUTANTS
static const core_mutant mutants[] = {
#define X(name, about) {#name, about},
    CORE_MUTANT_LIST(X)
#undef X
        {NULL, NULL},
};

bool core_mutant_on(enum core_mutant_index index)
{
    static const char *chosen;
    if (!chosen) {
        const char *name = getenv("PARITY_MUTANT");
        chosen = name ? name : "";
    }
    return chosen[0] && !strcmp(mutants[index].name, chosen);
}
#else
static const core_mutant mutants[] = {{NULL, NULL}};
#endif

const core_mutant *core_mutants(void)
{
    return mutants;
}
