#include "oracles/torch/observe.h"

#include "harness/base/memory.h"

#include <stdlib.h>

enum {
    DEPTH = 32,
    NODES = 1000000
}; /* what the protocol nests, and what a line can hold */

typedef struct walker {
    const torch_observer *observer;
    parity_names *storages;
    parity_names *handles;
    parity_error *reason;
    size_t nodes;
    int depth;
} walker;

int torch_observer_init(torch_observer *observer, PyObject *torch, PyObject *prelude,
                        parity_error *error)
{
    observer->host = PyObject_GetAttrString(prelude, "Host");
    observer->mib = PyObject_GetAttrString(prelude, "Mib");
    if (!observer->host || !observer->mib)
        return torch_exception_fail(error, "the prelude lacks a type");
    return torch_library_init(&observer->library, torch, prelude, error);
}

static int observe(parity_value **out, PyObject *object, walker *walk);

static parity_value *text_value(parity_value_kind kind, char *text)
{
    parity_value *value = parity_value_new(kind);
    value->text = text;
    return value;
}

static int observe_other(parity_value **out, PyObject *object)
{
    PyObject *repr = PyObject_Repr(object);
    char *text = repr ? torch_text(repr) : NULL;
    Py_XDECREF(repr);
    if (text == NULL)
        return -1;
    *out = text_value(PARITY_VALUE_OTHER, text);
    (*out)->type = torch_type_name(object);
    return 0;
}

static int observe_int(parity_value **out, PyObject *object)
{
    /* The digits of the number itself, whatever a subclass such as an IntEnum prints. */
    PyObject *digits = PyLong_Type.tp_repr(object);
    if (digits == NULL) {
        /* More than 4300 digits are only written in hex. */
        PyErr_Clear();
        digits = PyNumber_ToBase(object, 16);
        if (digits == NULL)
            return -1;
        *out = text_value(PARITY_VALUE_OTHER, torch_text(digits));
        (*out)->type = torch_type_name(object);
    } else {
        *out = text_value(PARITY_VALUE_INT, torch_text(digits));
    }
    Py_DECREF(digits);
    return 0;
}

static int observe_float(parity_value **out, PyObject *object, const walker *walk)
{
    int mib = PyObject_IsInstance(object, walk->observer->mib);
    if (mib < 0)
        return -1;
    *out = parity_value_new(mib ? PARITY_VALUE_MIB : PARITY_VALUE_FLOAT);
    (*out)->number = PyFloat_AS_DOUBLE(object);
    (*out)->dtype = PARITY_F64;
    return 0;
}

static int observe_text(parity_value **out, PyObject *object)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(object);
    if (PyUnicode_FindChar(object, 0, 0, length, 1) >= 0)
        return observe_other(out, object); /* repr writes a NUL as an escape */
    char *text = torch_text(object);
    *out = text_value(PARITY_VALUE_TEXT, text ? text : parity_strdup(""));
    return 0;
}

static int observe_raised(parity_value **out, PyObject *object)
{
    *out = text_value(PARITY_VALUE_RAISED, torch_first_line(object));
    (*out)->type = torch_type_name(object);
    return 0;
}

static int observe_tensor(parity_value **out, PyObject *tensor, bool host, walker *walk)
{
    *out = parity_value_new(PARITY_VALUE_TENSOR);
    (*out)->tensor = parity_alloc(sizeof *(*out)->tensor);
    return torch_tensor_observe((*out)->tensor, tensor, host, &walk->observer->library,
                                walk->storages, walk->handles, walk->reason);
}

static int observe_host(parity_value **out, PyObject *object, walker *walk)
{
    PyObject *tensor = PyObject_GetAttrString(object, "tensor");
    int status = tensor ? observe_tensor(out, tensor, true, walk) : -1;
    Py_XDECREF(tensor);
    return status;
}

static int append(parity_value *list, size_t *capacity, PyObject *item, walker *walk)
{
    parity_value *value = NULL;
    int status = observe(&value, item, walk);
    if (status == 0) {
        PARITY_GROW(list->items, list->nitems, *capacity);
        list->items[list->nitems++] = value;
    }
    return status;
}

/* Lists, tuples and their kin (torch.Size, what torch.max returns) as lists. */
static int observe_items(parity_value **out, PyObject *object, walker *walk)
{
    size_t capacity = 0;
    int status = 0;
    *out = parity_value_new(PARITY_VALUE_LIST);
    for (Py_ssize_t i = 0; status == 0 && i < PySequence_Fast_GET_SIZE(object); i++) {
        PyObject *item = PySequence_Fast_GET_ITEM(object, i);
        Py_INCREF(item); /* the __repr__ of another item may change the list */
        status = append(*out, &capacity, item, walk);
        Py_DECREF(item);
    }
    return status;
}

/* A dict as the list of its (key, value) pairs, in its order. */
static int observe_pairs(parity_value **out, PyObject *object, walker *walk)
{
    PyObject *pairs = PyDict_Items(object);
    int status = pairs ? observe_items(out, pairs, walk) : -1;
    Py_XDECREF(pairs);
    return status;
}

static int observe_kind(parity_value **out, PyObject *object, walker *walk)
{
    const torch_observer *observer = walk->observer;
    if (object == Py_None) {
        *out = parity_value_new(PARITY_VALUE_UNIT);
        return 0;
    }
    if (PyBool_Check(object)) {
        *out = parity_value_new(PARITY_VALUE_BOOL);
        (*out)->boolean = object == Py_True;
        return 0;
    }
    if (PyLong_Check(object))
        return observe_int(out, object);
    if (PyFloat_Check(object))
        return observe_float(out, object, walk);
    if (PyUnicode_Check(object))
        return observe_text(out, object);
    if (PyList_Check(object) || PyTuple_Check(object))
        return observe_items(out, object, walk);
    if (PyDict_Check(object))
        return observe_pairs(out, object, walk);
    if (PyExceptionInstance_Check(object))
        return observe_raised(out, object);
    if (PyObject_TypeCheck(object, (PyTypeObject *)observer->host))
        return observe_host(out, object, walk);
    if (PyObject_TypeCheck(object, (PyTypeObject *)observer->library.tensor_type))
        return observe_tensor(out, object, false, walk);
    return observe_other(out, object);
}

static int observe(parity_value **out, PyObject *object, walker *walk)
{
    *out = NULL;
    if (walk->depth >= DEPTH)
        return parity_fail(walk->reason, "more than %d lists in each other", DEPTH);
    if (++walk->nodes > NODES)
        return parity_fail(walk->reason, "more than %d values in one observation", NODES);
    walk->depth++;
    int status = observe_kind(out, object, walk);
    walk->depth--;
    if (status != 0) {
        parity_value_free(*out);
        *out = NULL;
    }
    return status;
}

int torch_observe(parity_value **out, PyObject *object, const torch_observer *observer,
                  parity_names *storages, parity_names *handles, parity_error *reason)
{
    walker walk = {observer, storages, handles, reason, 0, 0};
    return observe(out, object, &walk);
}
