#include "oracles/torch/program.h"

#include "harness/base/memory.h"
#include "oracles/torch/calls.py.h"
#include "oracles/torch/prelude.py.h"
#include "oracles/torch/refusals.py.h"
#include "oracles/torch/state.py.h"

#include <stdlib.h>
#include <string.h>

static int call(PyObject *module, const char *function, parity_error *error)
{
    PyObject *result = PyObject_CallMethod(module, function, NULL);
    if (result == NULL)
        return torch_exception_fail(error, function);
    Py_DECREF(result);
    return 0;
}

int torch_session_init(torch_session *session, parity_error *error)
{
    session->state = torch_module_new("parity_state", torch_state_source);
    if (session->state == NULL)
        return torch_exception_fail(error, "torch cannot be imported, or is too old");
    PyObject *torch = PyImport_ImportModule("torch");
    session->prelude = torch_module_new("parity_prelude", torch_prelude_source);
    if (session->prelude == NULL)
        return torch_exception_fail(error, "the prelude does not fit this torch");
    session->native = torch_memory_module();
    if (!session->native ||
        PyObject_SetAttrString(session->prelude, "native", session->native) != 0)
        return torch_exception_fail(error, "the shim does not fit this Python");
    if (session->native != Py_None) {
        PyObject *imported = torch_module_new("parity_refusals", torch_refusals_source);
        if (imported)
            session->calls = torch_module_new("parity_calls", torch_calls_source);
        Py_XDECREF(imported);
        if (session->calls == NULL)
            return torch_exception_fail(
                error, "calls.py or refusals.py does not fit this torch");
    }
    PyObject *builtins = PyImport_ImportModule("builtins");
    session->compile = builtins ? PyObject_GetAttrString(builtins, "compile") : NULL;
    session->unsupported = PyObject_GetAttrString(session->prelude, "Unsupported");
    Py_XDECREF(builtins);
    if (!session->compile || !session->unsupported)
        return torch_exception_fail(error, "the interpreter is not complete");
    if (torch_observer_init(&session->observer, torch, session->prelude, error) != 0)
        return -1;
    Py_DECREF(torch);
    return call(session->state, "warm_up", error);
}

/* The str of module.attribute; new, NULL when it cannot be had. */
static char *attribute_text(const char *module_name, const char *attribute)
{
    PyObject *module = PyImport_ImportModule(module_name);
    PyObject *object = module ? PyObject_GetAttrString(module, attribute) : NULL;
    PyObject *string = object ? PyObject_Str(object) : NULL;
    char *text = string ? torch_text(string) : NULL;
    Py_XDECREF(string);
    Py_XDECREF(object);
    Py_XDECREF(module);
    PyErr_Clear();
    return text;
}

json_t *torch_session_provenance(const torch_session *session)
{
    (void)session;
    json_t *facts = json_object();
    char *torch = attribute_text("torch", "__version__");
    char *python = attribute_text("sys", "version");
    if (torch)
        json_object_set_new(facts, "torch", json_string(torch));
    if (python) {
        python[strcspn(python, " ")] = '\0';
        json_object_set_new(facts, "python", json_string(python));
    }
    free(torch);
    free(python);
    return facts;
}

char *torch_session_version(const torch_session *session)
{
    (void)session;
    char *version = attribute_text("torch", "__version__");
    if (version)
        version[strcspn(version, "+")] = '\0';
    return version;
}
