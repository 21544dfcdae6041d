#include "oracles/torch/program.h"

#include "harness/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* One case while it runs. */
typedef struct case_run {
    torch_session *session;
    const parity_request *request;
    /* "<case id>": tells frames of the program from those of libraries */
    PyObject *filename;
    PyObject *module; /* a __main__ of its own */
    PyObject *names;  /* its dict, borrowed */
    PyObject *kept;   /* everything observed, so that no identity is used twice */
    PyObject *tracer; /* of calls.py, when the calls are asked for; else NULL */
    const parity_answer *plain; /* then: what a run without it came to */
    parity_names storages;
    parity_names handles;
} case_run;

/* The exception that is set becomes an outcome. */
static void outcome_of_exception(parity_outcome *out, const case_run *run)
{
    PyObject *exception = torch_exception_take();
    if (exception == NULL) {
        parity_outcome_set(out, PARITY_ERROR, "SystemError", "no exception was set",
                           (parity_pos){0, 0});
        return;
    }
    parity_pos pos =
        torch_exception_place(exception, run->filename, run->request->program);
    char *type = torch_type_name(exception);
    char *text = NULL;
    PyObject *message = NULL;
    /* The str of a SyntaxError repeats the place. */
    if (PyObject_TypeCheck(exception, (PyTypeObject *)PyExc_SyntaxError) &&
        pos.line > 0 && (message = PyObject_GetAttrString(exception, "msg")) != NULL)
        text = torch_first_line(message);
    else
        text = torch_first_line(exception);
    Py_XDECREF(message);
    PyErr_Clear();
    if (PyObject_TypeCheck(exception, (PyTypeObject *)run->session->unsupported))
        parity_outcome_set(out, PARITY_UNSUPPORTED, NULL, text, pos);
    else
        parity_outcome_set(out, PARITY_ERROR, type, text, pos);
    free(type);
    free(text);
    Py_DECREF(exception);
}

static void memory_limit(uint64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    /* A program may have lowered it; the next one gets its own. */
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
    parity_limit_memory(bytes);
}

/* Binds one tensor of the request under its name. */
static int bind(case_run *run, const parity_data *data)
{
    PyObject *dtype = run->session->observer.library.dtypes[data->dtype];
    if (dtype == NULL) {
        PyErr_Format(run->session->unsupported, "this torch has no dtype %s",
                     parity_dtype_name(data->dtype));
        return -1;
    }
    PyObject *shape = PyTuple_New((Py_ssize_t)data->rank);
    for (size_t i = 0; shape && i < data->rank; i++)
        PyTuple_SET_ITEM(shape, (Py_ssize_t)i, PyLong_FromLongLong(data->shape[i]));
    PyObject *tensor = shape ? PyObject_CallMethod(run->session->prelude, "tensor_of",
                                                   "y#OO", (const char *)data->bits,
                                                   (Py_ssize_t)data->nbytes, dtype, shape)
                             : NULL;
    int status = tensor ? PyDict_SetItemString(run->names, data->name, tensor) : -1;
    Py_XDECREF(shape);
    Py_XDECREF(tensor);
    return status;
}

/* A fresh __main__ with what a program finds: the names of the prelude and its data. */
static int open_run(case_run *run)
{
    run->filename = PyUnicode_FromFormat("<%s>", run->request->case_id);
    run->kept = PyList_New(0);
    run->module = PyModule_New("__main__");
    if (!run->filename || !run->kept || !run->module)
        return -1;
    run->names = PyModule_GetDict(run->module);
    PyObject *given = PyObject_GetAttrString(run->session->prelude, "PROGRAM_NAMES");
    int status = given ? PyDict_Update(run->names, given) : -1;
    Py_XDECREF(given);
    if (status != 0 ||
        PyDict_SetItemString(run->names, "__builtins__", PyEval_GetBuiltins()) != 0 ||
        PyDict_SetItemString(PyImport_GetModuleDict(), "__main__", run->module) != 0)
        return -1;
    for (size_t i = 0; i < run->request->ndata; i++)
        if (bind(run, &run->request->data[i]) != 0)
            return -1;
    return 0;
}

static void close_run(case_run *run)
{
    Py_XDECREF(run->kept);
    if (run->names)
        PyDict_Clear(run->names); /* functions and their globals refer to each other */
    Py_XDECREF(run->module);
    Py_XDECREF(run->filename);
    parity_names_free(&run->storages);
    parity_names_free(&run->handles);
    PyErr_Clear();
}

/* Calls a method of the tracer, if there is one; what fails in it ends the trace only. */
static void trace(const case_run *run, const char *method, const char *format, ...)
{
    PyObject *type, *exception, *traceback;
    if (run->tracer == NULL)
        return;
    PyErr_Fetch(&type, &exception, &traceback);
    va_list args;
    va_start(args, format);
    PyObject *arguments = Py_VaBuildValue(format, args);
    va_end(args);
    PyObject *function = PyObject_GetAttrString(run->tracer, method);
    PyObject *result =
        function && arguments ? PyObject_CallObject(function, arguments) : NULL;
    if (result == NULL)
        PyErr_WriteUnraisable(run->tracer);
    Py_XDECREF(result);
    Py_XDECREF(function);
    Py_XDECREF(arguments);
    PyErr_Restore(type, exception, traceback);
}

/* The exception that is set, which stays set; borrowed, None when there is none. */
static PyObject *exception_now(void)
{
    PyObject *exception = torch_exception_take();
    if (exception == NULL)
        return Py_None;
    PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    Py_DECREF(exception);
    return exception;
}

static void open_tracer(case_run *run)
{
    run->tracer =
        PyObject_CallMethod(run->session->calls, "Tracer", "OOO", run->session->native,
                            run->session->prelude, run->names);
    if (run->tracer == NULL)
        PyErr_WriteUnraisable(run->session->calls);
    trace(run, "start", "()");
}

/* The text of the calls, new; NULL: there is none. */
static char *close_tracer(case_run *run)
{
    char *calls = NULL;
    if (run->tracer) {
        PyObject *text = PyObject_CallMethod(run->tracer, "finish", NULL);
        calls = text ? torch_text(text) : NULL;
        if (text == NULL)
            PyErr_WriteUnraisable(run->tracer);
        Py_XDECREF(text);
        Py_CLEAR(run->tracer);
    }
    return calls;
}

static int on_event(PyObject *context, PyFrameObject *frame, int what, PyObject *argument)
{
    case_run *run = PyCapsule_GetPointer(context, NULL);
    (void)argument;
    if (what != PyTrace_LINE)
        return 0;
    PyCodeObject *code = PyFrame_GetCode(frame);
    if (PyObject_RichCompareBool(code->co_filename, run->filename, Py_EQ) == 1)
        run->session->at(run->session->context, run->request,
                         (parity_pos){PyFrame_GetLineNumber(frame), 1});
    Py_DECREF(code);
    return 0;
}

/* Compiles and evaluates a text in the names of the case. A new reference or NULL. */
static PyObject *evaluate(const case_run *run, const char *text, const char *mode,
                          PyObject *filename)
{
    PyObject *code =
        PyObject_CallFunction(run->session->compile, "sOsii", text, filename, mode, 0, 1);
    PyObject *result = code ? PyEval_EvalCode(code, run->names, run->names) : NULL;
    Py_XDECREF(code);
    return result;
}

/* What inspect and torch.jit look up when they ask for the source of a function. */
static void show_source(const case_run *run)
{
    PyObject *cache = PyImport_ImportModule("linecache");
    PyObject *files = cache ? PyObject_GetAttrString(cache, "cache") : NULL;
    PyObject *text = PyUnicode_FromString(run->request->program);
    PyObject *lines = text ? PyUnicode_Splitlines(text, 1) : NULL;
    PyObject *entry = lines ? Py_BuildValue("(nOOO)", PyUnicode_GET_LENGTH(text), Py_None,
                                            lines, run->filename)
                            : NULL;
    if (files && entry)
        PyObject_SetItem(files, run->filename, entry);
    Py_XDECREF(entry);
    Py_XDECREF(lines);
    Py_XDECREF(text);
    Py_XDECREF(files);
    Py_XDECREF(cache);
    PyErr_Clear();
}

static int execute(case_run *run)
{
    PyObject *context = NULL;
    show_source(run);
    if (run->request->trace) {
        context = PyCapsule_New(run, NULL, NULL);
        PyEval_SetTrace(on_event, context);
    }
    PyObject *result = evaluate(run, run->request->program, "exec", run->filename);
    PyEval_SetTrace(NULL, NULL);
    Py_XDECREF(context);
    Py_XDECREF(result);
    return result ? 0 : -1;
}

static void add_versions(PyObject *list, const parity_value *value)
{
    for (size_t i = 0; i < value->nitems; i++)
        add_versions(list, value->items[i]);
    const parity_tensor *tensor = value->tensor;
    for (size_t i = 0; tensor && i < tensor->nfacts; i++)
        if (strcmp(tensor->facts[i].name, "version") == 0) {
            PyObject *version = PyLong_FromString(tensor->facts[i].text, NULL, 10);
            if (version)
                PyList_Append(list, version);
            Py_XDECREF(version);
        }
}

/* The versions of the tensors that the plain run observed here, in order. */
static PyObject *versions_of(const parity_answer *plain, size_t index)
{
    PyObject *list = PyList_New(0);
    if (list && plain && plain->observed[index].value)
        add_versions(list, plain->observed[index].value);
    return list;
}

static void observe_one(case_run *run, parity_outcome *out, size_t index)
{
    const char *text = run->request->observe[index];
    parity_error reason;
    reason.message[0] = '\0';
    trace(run, "begin_observation", "()");
    PyObject *filename = PyUnicode_FromString("<observation>");
    PyObject *object =
        filename ? evaluate(run, text + strspn(text, " \t\n"), "eval", filename) : NULL;
    Py_XDECREF(filename);
    int status = object ? torch_observe(&out->value, object, &run->session->observer,
                                        &run->storages, &run->handles, &reason)
                        : -1;
    if (object)
        trace(run, "observe", "(sON)", text, object, versions_of(run->plain, index));
    else
        trace(run, "observe_failed", "(O)", exception_now());
    if (object && PyList_Append(run->kept, object) != 0)
        status = -1;
    Py_XDECREF(object);
    if (status == 0)
        out->kind = PARITY_VALUE;
    else if (PyErr_Occurred())
        outcome_of_exception(out, run);
    else
        parity_outcome_set(out, PARITY_UNSUPPORTED, NULL, reason.message,
                           (parity_pos){0, 0});
}

/* Before the first case: what all later ones find again. */
static void remember(torch_session *session)
{
    if (session->remembered)
        return;
    PyObject *done = PyObject_CallMethod(session->state, "remember", NULL);
    session->remembered = done && fegetenv(&session->floating) == 0;
    Py_XDECREF(done);
    PyErr_Clear();
}

static bool restored(const torch_session *session)
{
    fesetenv(&session->floating);
    PyObject *clean = PyObject_CallMethod(session->state, "restore", NULL);
    bool good = clean == Py_True;
    Py_XDECREF(clean);
    PyErr_Clear();
    return good;
}

static bool run_once(torch_session *session, const parity_request *request,
                     parity_answer *answer, const parity_answer *plain)
{
    case_run run = {.session = session, .request = request, .plain = plain};
    memory_limit(request->memory);
    int status = open_run(&run);
    if (status == 0) {
        if (plain)
            open_tracer(&run);
        status = execute(&run);
        trace(&run, "ended", "(O)", exception_now());
    }
    if (status != 0)
        outcome_of_exception(&answer->end, &run);
    else
        for (size_t i = 0; i < request->nobserve; i++)
            observe_one(&run, &answer->observed[i], i);
    answer->calls = close_tracer(&run);
    close_run(&run);
    bool good = restored(session);
    memory_limit(0);
    return good;
}

/* The calls come from a second run: writing them down can change what is seen. */
static bool run_traced(torch_session *session, const parity_request *request,
                       parity_answer *answer)
{
    parity_answer traced;
    parity_answer_init(&traced, request);
    bool good = run_once(session, request, &traced, answer);
    answer->calls = traced.calls;
    traced.calls = NULL;
    parity_answer_clear(&traced, request);
    return good;
}

bool torch_program_run(torch_session *session, const parity_request *request,
                       parity_answer *answer)
{
    if (strcmp(request->device, "cpu") != 0 || request->program == NULL) {
        parity_outcome_set(&answer->end, PARITY_UNSUPPORTED, NULL,
                           request->program ? "this column has the device cpu only"
                                            : "the case has no program for PyTorch",
                           (parity_pos){0, 0});
        return true;
    }
    remember(session);
    bool good = run_once(session, request, answer, NULL);
    if (good && request->calls && session->calls)
        good = run_traced(session, request, answer);
    return good;
}
