/* CPython in this process: starting it, and what its exceptions and texts become.
 *
 * Include this before anything of the system: Python.h wants to be first. */
#ifndef ORACLES_TORCH_INTERPRETER_H
#define ORACLES_TORCH_INTERPRETER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "harness/model/outcome.h"

/* Starts the interpreter as if `executable` had been called with -I -u: the packages of
 * its virtual environment, no user site, no variables of the environment. Hash seed 0. */
int torch_interpreter_start(const char *executable, parity_error *error);

/* Runs Python source as a module of that name and adds it to sys.modules. A new
 * reference, or NULL with a Python exception set. */
PyObject *torch_module_new(const char *name, const char *source);

/* Takes the exception that is set, so that none is; normalised, with its traceback. A new
 * reference, or NULL when there was none. */
PyObject *torch_exception_take(void);

/* An exception that is set becomes a failure of ours: "what: Type: first line". Returns
 * -1. */
int torch_exception_fail(parity_error *error, const char *what);

/* Type name and first line of an exception, new. Never fails: a __str__ that raises
 * gives an empty text. */
char *torch_type_name(PyObject *object);
char *torch_first_line(PyObject *object);

/* A Python str as UTF-8, new; surrogates as escapes. Ends at a NUL. NULL when `text` is
 * no str. */
char *torch_text(PyObject *text);

/* Where in the source file `filename` (as it was given to compile), whose text is
 * `source`, an exception was last: for a SyntaxError of that file its place, else the
 * innermost line that it passed through, from Python 3.11 on with its column. 0 when it
 * never was there. */
parity_pos torch_exception_place(PyObject *exception, PyObject *filename,
                                 const char *source);

#endif
