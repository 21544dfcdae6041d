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

/* The column, in characters from 1, of byte number `bytes` of a line. */
static int column_of_byte(const char *source, int line, long bytes)
{
    int column = 1;
    while (line > 1 && source) {
        source = strchr(source, '\n');
        source = source ? source + 1 : NULL;
        line--;
    }
    for (; source && bytes > 0 && *source && *source != '\n'; bytes--, source++)
        column += (*source & 0xC0) != 0x80;
    return column;
}

/* The column at which the instruction that a traceback points at stands; 0 before
 * Python 3.11. */
static int column_of(PyObject *trace, PyObject *code, const char *source, int line)
{
    long column = -1;
    int index = number_of(trace, "tb_lasti") / 2;
    PyObject *positions = PyObject_CallMethod(code, "co_positions", NULL);
    PyObject *place = positions ? PyIter_Next(positions) : NULL;
    while (place && index-- > 0) {
        Py_DECREF(place);
        place = PyIter_Next(positions);
    }
    if (place && PyTuple_Check(place) && PyTuple_GET_SIZE(place) == 4 &&
        PyLong_Check(PyTuple_GET_ITEM(place, 2)))
        column = PyLong_AsLong(PyTuple_GET_ITEM(place, 2));
    Py_XDECREF(place);
    Py_XDECREF(positions);
    PyErr_Clear();
    return column < 0 ? 0 : column_of_byte(source, line, column);
}

parity_pos torch_exception_place(PyObject *exception, PyObject *filename,
                                 const char *source)
{
    parity_pos pos = {0, 0};
    if (PyObject_TypeCheck(exception, (PyTypeObject *)PyExc_SyntaxError) &&
        same_text(exception, "filename", filename)) {
        pos.line = number_of(exception, "lineno");
        pos.column = number_of(exception, "offset");
        return pos;
    }
    PyObject *innermost = NULL, *its_code = NULL;
    PyObject *trace = PyException_GetTraceback(exception);
    while (trace && trace != Py_None) {
        PyObject *frame = PyObject_GetAttrString(trace, "tb_frame");
        PyObject *code = frame ? PyObject_GetAttrString(frame, "f_code") : NULL;
        PyObject *next = PyObject_GetAttrString(trace, "tb_next");
        if (code && same_text(code, "co_filename", filename)) {
            Py_XSETREF(innermost, trace);
            Py_XSETREF(its_code, code);
        } else {
            Py_DECREF(trace);
            Py_XDECREF(code);
        }
        Py_XDECREF(frame);
        trace = next;
    }
    if (innermost) {
        pos.line = number_of(innermost, "tb_lineno");
        pos.column = column_of(innermost, its_code, source, pos.line);
    }
    Py_XDECREF(innermost);
    Py_XDECREF(its_code);
    Py_XDECREF(trace);
    PyErr_Clear();
    return pos;
}
