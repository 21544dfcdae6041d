/* Prints the names of the seeded faults, for mutants_test.py. */
#include "backends/core/tensor.h"

#include <stdio.h>

int main(void)
{
    for (const core_mutant *m = core_mutants(); m->name; m++)
        puts(m->name);
    return 0;
}
