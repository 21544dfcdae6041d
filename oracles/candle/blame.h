/* Whose fault an error of the compiler is. */
#ifndef ORACLES_CANDLE_BLAME_H
#define ORACLES_CANDLE_BLAME_H

#include "oracles/candle/diagnostics.h"
#include "oracles/candle/generate.h"

/* Looks through all errors of a batch for those of one module. An error that touches an
 * observation is the observation's: refused[i] becomes REFUSED with the text of the
 * error. Any other makes *program REFUSED, with code, text, rendered diagnostic, and the
 * place in the program. Returns whether anything was found. */
bool candle_blame(parity_outcome *program, parity_outcome *refused,
                  const candle_module *module, const parity_case *test,
                  const candle_diagnostics *diagnostics);

/* The first error as an outcome without a place, for a module compiled alone whose error
 * lies in no file of ours (the linker's, or of code made from a generic function). */
bool candle_blame_alone(parity_outcome *program, const candle_diagnostics *diagnostics);

#endif
