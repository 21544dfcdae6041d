#include "oracles/torch/tensor.h"

#include "harness/base/memory.h"
#include "oracles/libtorch/look.h"
#include "oracles/torch/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int torch_library_init(torch_library *library, PyObject *torch, PyObject *prelude,
                       parity_error *error)
{
    library->tensor_type = PyObject_GetAttrString(torch, "Tensor");
    library->strided = PyObject_GetAttrString(torch, "strided");
    library->storage_of = PyObject_GetAttrString(prelude, "storage_of");
    for (size_t i = 0; i < PARITY_DTYPE_COUNT; i++) {
        library->dtypes[i] =
            PyObject_GetAttrString(torch, libtorch_dtype_name((parity_dtype)i));
        if (library->dtypes[i] == NULL)
            PyErr_Clear();
    }
    if (!library->tensor_type || !library->strided || !library->storage_of)
        return torch_exception_fail(error, "this torch is not the library it should be");
    return 0;
}

/* The answer of an attribute or method that says yes or no; -1 with an exception. */
static int flag_of(PyObject *tensor, const char *name, bool call)
{
    PyObject *answer = call ? PyObject_CallMethod(tensor, name, NULL)
                            : PyObject_GetAttrString(tensor, name);
    int flag = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return flag;
}

/* "complex64" from torch.complex64. */
static void short_name(char *name, size_t size, PyObject *object)
{
    PyObject *string = object ? PyObject_Str(object) : NULL;
    char *text = string ? torch_text(string) : NULL;
    PyErr_Clear();
    const char *start = text ? text : "unknown";
    snprintf(name, size, "%s", strncmp(start, "torch.", 6) == 0 ? start + 6 : start);
    free(text);
    Py_XDECREF(string);
}

/* Only strided tensors in the memory of this process have bits that can be read. */
static int check_kind(PyObject *tensor, const torch_library *library,
                      parity_error *reason)
{
    char name[64];
    PyObject *layout = PyObject_GetAttrString(tensor, "layout");
    PyObject *device = PyObject_GetAttrString(tensor, "device");
    PyObject *type = device ? PyObject_GetAttrString(device, "type") : NULL;
    int status = -1;
    if (layout == NULL || type == NULL) {
        status = -1;
    } else if (layout != library->strided) {
        short_name(name, sizeof name, layout);
        parity_fail(reason, "a tensor of layout %s is not observed", name);
    } else if (PyUnicode_CompareWithASCIIString(type, "cpu") != 0) {
        short_name(name, sizeof name, device);
        parity_fail(reason, "a tensor on device %s is not observed", name);
    } else {
        status = 0;
    }
    Py_XDECREF(layout);
    Py_XDECREF(device);
    Py_XDECREF(type);
    int negative = status == 0 ? flag_of(tensor, "is_neg", true) : 0;
    if (negative == 1)
        return parity_fail(reason, "a tensor with the lazy negative bit is not observed; "
                                   "resolve_neg() first");
    return negative < 0 ? -1 : status;
}

static int read_dtype(parity_tensor *out, PyObject *tensor, const torch_library *library,
                      parity_error *reason)
{
    char name[64];
    PyObject *dtype = PyObject_GetAttrString(tensor, "dtype");
    if (dtype == NULL)
        return -1;
    size_t i = 0;
    while (i < PARITY_DTYPE_COUNT && library->dtypes[i] != dtype)
        i++;
    out->dtype = (parity_dtype)i;
    short_name(name, sizeof name, dtype);
    Py_DECREF(dtype);
    if (i == PARITY_DTYPE_COUNT)
        return parity_fail(reason, "a tensor of dtype %s is not observed", name);
    return 0;
}

/* A tuple of integers into an array of PARITY_MAX_RANK; takes the reference. */
static int read_sizes(int64_t *out, size_t *rank, PyObject *sizes, parity_error *reason)
{
    if (sizes == NULL)
        return -1;
    Py_ssize_t count = PyTuple_Check(sizes) ? PyTuple_GET_SIZE(sizes) : -1;
    int status = 0;
    if (count < 0 || count > PARITY_MAX_RANK)
        status = parity_fail(reason, "a tensor of %zd dimensions is not observed", count);
    for (Py_ssize_t i = 0; status == 0 && i < count; i++) {
        out[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(sizes, i));
        if (out[i] < 0)
            status = PyErr_Occurred() ? -1 : parity_fail(reason, "a negative stride");
    }
    Py_DECREF(sizes);
    *rank = (size_t)count;
    return status;
}

static int read_layout(parity_tensor *out, PyObject *tensor, parity_error *reason)
{
    size_t dimensions;
    PyObject *offset = NULL;
    if (read_sizes(out->shape, &out->rank, PyObject_GetAttrString(tensor, "shape"),
                   reason) ||
        read_sizes(out->strides, &dimensions, PyObject_CallMethod(tensor, "stride", NULL),
                   reason) ||
        (offset = PyObject_CallMethod(tensor, "storage_offset", NULL)) == NULL)
        return -1;
    out->offset = PyLong_AsLongLong(offset);
    Py_DECREF(offset);
    return PyErr_Occurred() ? -1 : 0;
}

static void add_fact(parity_tensor *out, const char *name, const char *text)
{
    out->facts = parity_realloc(out->facts, (out->nfacts + 1) * sizeof *out->facts);
    out->facts[out->nfacts].name = parity_strdup(name);
    out->facts[out->nfacts].text = parity_strdup(text);
    out->nfacts++;
}

static int read_facts(parity_tensor *out, PyObject *tensor, int64_t version)
{
    static const char *const flags[][2] = {{"requires_grad", "requires_grad"},
                                           {"leaf", "is_leaf"}};
    char digits[24];
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        int flag = flag_of(tensor, flags[i][1], false);
        if (flag < 0)
            return -1;
        add_fact(out, flags[i][0], flag ? "true" : "false");
    }
    /* Tensors made in inference mode have no version. */
    snprintf(digits, sizeof digits, "%lld", (long long)version);
    if (version >= 0)
        add_fact(out, "version", digits);
    return 0;
}

int torch_tensor_observe(parity_tensor *out, PyObject *tensor, bool host,
                         const torch_library *library, parity_names *storages,
                         parity_names *handles, parity_error *reason)
{
    torch_memory memory;
    char name[32];
    out->host = host;
    if (check_kind(tensor, library, reason) || read_dtype(out, tensor, library, reason) ||
        read_layout(out, tensor, reason) ||
        torch_memory_of(&memory, tensor, out, library->storage_of, reason) ||
        libtorch_bits(out, memory.start, memory.bytes, reason))
        return -1;
    if (host)
        return 0;
    snprintf(name, sizeof name, "%llx", (unsigned long long)memory.storage);
    out->storage = parity_names_number(storages, name);
    snprintf(name, sizeof name, "%p", (void *)tensor);
    out->handle = parity_names_number(handles, name);
    return read_facts(out, tensor, memory.version);
}
