/* Which PyTorch an interpreter would import, found without running it. */
#ifndef ORACLES_TORCH_SITE_H
#define ORACLES_TORCH_SITE_H

#include "harness/base/error.h"

/* Looks for torch/version.py in the package folders of the interpreter at that path:
 * those of its virtual environment, then, if the environment includes them, those of the
 * interpreter it was made from. *version is new, as written there ("2.15.0+cu132"). Fails
 * with what to do about it. */
int torch_site_version(char **version, const char *python, parity_error *error);

/* "3.11.7" from pyvenv.cfg, or "3.11" from the name of the folder that torch is in, new;
 * NULL when neither says. */
char *torch_site_python(const char *python);

#endif
