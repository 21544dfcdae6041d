#include "oracles/torch/interpreter.h"

#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>

static int started(PyStatus status, const char *executable, parity_error *error)
{
    if (!PyStatus_Exception(status))
        return 0;
    return parity_fail(error, "Python did not start from %s: %s", executable,
                       status.err_msg ? status.err_msg : "unknown reason");
}

int torch_interpreter_start(const char *executable, parity_error *error)
{
    PyPreConfig before;
    PyPreConfig_InitIsolatedConfig(&before);
    before.utf8_mode = 1;
    if (started(Py_PreInitialize(&before), executable, error) != 0)
        return -1;
    PyConfig config;
    PyConfig_InitIsolatedConfig(&config);
    config.use_hash_seed = 1;
    config.hash_seed = 0;
    config.buffered_stdio = 0;
    /* As in a script: SIGINT raises KeyboardInterrupt, a broken pipe is an exception. */
    config.install_signal_handlers = 1;
    PyStatus status = PyConfig_SetBytesString(&config, &config.executable, executable);
    if (!PyStatus_Exception(status))
        status = PyConfig_SetBytesString(&config, &config.program_name, executable);
    if (!PyStatus_Exception(status))
        status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    return started(status, executable, error);
}

PyObject *torch_module_new(const char *name, const char *source)
{
    char file[64];
    snprintf(file, sizeof file, "<parity %s>", name);
    PyObject *code = Py_CompileString(source, file, Py_file_input);
    PyObject *module = code ? PyImport_ExecCodeModule(name, code) : NULL;
    Py_XDECREF(code);
    return module;
}

PyObject *torch_exception_take(void)
{
#if PY_VERSION_HEX >= 0x030c0000
    return PyErr_GetRaisedException();
#else
    PyObject *type, *exception, *traceback;
    PyErr_Fetch(&type, &exception, &traceback);
    if (type == NULL)
        return NULL;
    PyErr_NormalizeException(&type, &exception, &traceback);
    if (traceback)
        PyException_SetTraceback(exception, traceback);
    Py_DECREF(type);
    Py_XDECREF(traceback);
    return exception;
#endif
}

char *torch_text(PyObject *text)
{
    PyObject *bytes = PyUnicode_Check(text)
                          ? PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace")
                          : NULL;
    if (bytes == NULL) {
        PyErr_Clear();
        return NULL;
    }
    char *copy = parity_strdup(PyBytes_AS_STRING(bytes));
    Py_DECREF(bytes);
    return copy;
}

char *torch_type_name(PyObject *object)
{
    const char *name = Py_TYPE(object)->tp_name;
    const char *dot = strrchr(name, '.');
    return parity_strdup(dot ? dot + 1 : name);
}

char *torch_first_line(PyObject *object)
{
    PyObject *string = PyObject_Str(object);
    if (string == NULL)
        PyErr_Clear();
    char *text = string ? torch_text(string) : NULL;
    Py_XDECREF(string);
    if (text == NULL)
        return parity_strdup("");
    text[strcspn(text, "\r\n")] = '\0';
    return text;
}

int torch_exception_fail(parity_error *error, const char *what)
{
    PyObject *exception = torch_exception_take();
    if (exception == NULL)
        return parity_fail(error, "%s", what);
    char *type = torch_type_name(exception);
    char *text = torch_first_line(exception);
    int status = parity_fail(error, "%s: %s: %s", what, type, text);
    free(type);
    free(text);
    Py_DECREF(exception);
    return status;
}

/* An attribute as a number, 0 for anything else. */
static int number_of(PyObject *object, const char *name)
{
    PyObject *number = PyObject_GetAttrString(object, name);
    long value = number && PyLong_Check(number) ? PyLong_AsLong(number) : 0;
    Py_XDECREF(number);
    if (PyErr_Occurred())
        PyErr_Clear();
    return value > 0 && value <= INT_MAX ? (int)value : 0;
}

static bool same_text(PyObject *object, const char *attribute, PyObject *text)
{
    PyObject *found = PyObject_GetAttrString(object, attribute);
    int same = found ? PyObject_RichCompareBool(found, text, Py_EQ) : 0;
    Py_XDECREF(found);
    PyErr_Clear();
    return same == 1;
}

parity_pos torch_exception_place(PyObject *exception, PyObject *filename)
{
    parity_pos pos = {0, 0};
    if (PyObject_TypeCheck(exception, (PyTypeObject *)PyExc_SyntaxError) &&
        same_text(exception, "filename", filename)) {
        pos.line = number_of(exception, "lineno");
        pos.column = number_of(exception, "offset");
        return pos;
    }
    PyObject *trace = PyException_GetTraceback(exception);
    while (trace && trace != Py_None) {
        PyObject *frame = PyObject_GetAttrString(trace, "tb_frame");
        PyObject *code = frame ? PyObject_GetAttrString(frame, "f_code") : NULL;
        if (code && same_text(code, "co_filename", filename))
            pos.line = number_of(trace, "tb_lineno");
        Py_XDECREF(code);
        Py_XDECREF(frame);
        PyObject *next = PyObject_GetAttrString(trace, "tb_next");
        Py_DECREF(trace);
        trace = next;
    }
    Py_XDECREF(trace);
    PyErr_Clear();
    return pos;
}
