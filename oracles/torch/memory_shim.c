#include "oracles/torch/memory.h"

#include "harness/base/memory.h"
#include "oracles/libtorch/gather.h"
#include "oracles/libtorch/look.h"

#include <string.h>

/* Counters that must not be freed while their identity is in use. */
static void **held;
static size_t nheld, held_capacity;

int torch_memory_start(parity_error *error)
{
    shim_error failure;
    if (shim_memory_install(&failure) != 0)
        return parity_fail(error, "%s", failure.text);
    return 0;
}

static int raise(const shim_error *failure)
{
    PyErr_SetString(PyExc_RuntimeError, failure->text);
    return -1;
}

/* The tensor of a Python object; NULL with an exception set. */
static shim_tensor *tensor_of(PyObject *object)
{
    shim_tensor *tensor = NULL;
    shim_error failure;
    PyObject *number = PyObject_GetAttrString(object, "_cdata");
    void *impl = number ? PyLong_AsVoidPtr(number) : NULL;
    Py_XDECREF(number);
    if (impl == NULL && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "the tensor has no memory");
    if (impl && shim_tensor_borrow(&tensor, impl, &failure) != 0)
        raise(&failure);
    return tensor;
}

static int info_of(shim_info *out, PyObject *object)
{
    shim_error failure;
    shim_tensor *tensor = tensor_of(object);
    if (tensor == NULL)
        return -1;
    int status = shim_tensor_info(out, tensor, &failure);
    shim_tensor_free(tensor);
    return status == 0 ? 0 : raise(&failure);
}

int torch_memory_of(torch_memory *out, PyObject *tensor, const parity_tensor *seen,
                    PyObject *storage_of, parity_error *reason)
{
    shim_info info;
    (void)storage_of;
    if (info_of(&info, tensor) != 0)
        return -1;
    size_t sizes = seen->rank * sizeof *seen->shape;
    if (info.rank != seen->rank || memcmp(info.sizes, seen->shape, sizes) != 0 ||
        memcmp(info.strides, seen->strides, sizes) != 0 || info.offset != seen->offset)
        return parity_fail(reason, "Python and ATen say different things of the tensor's "
                                   "shape, strides or offset");
    /* Storages without bytes have no address. */
    const void *identity = info.data ? info.data : info.storage;
    *out = (torch_memory){.storage = (uintptr_t)identity,
                          .start = info.data,
                          .bytes = (int64_t)info.bytes,
                          .version = info.version};
    return 0;
}

static PyObject *integers(const int64_t *values, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++)
        PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, PyLong_FromLongLong(values[i]));
    return tuple;
}

/* look(tensor): a dict; or a str, why the tensor cannot be looked at. */
static PyObject *look(PyObject *module, PyObject *object)
{
    shim_info info;
    parity_error reason;
    parity_tensor seen = {0};
    (void)module;
    if (info_of(&info, object) != 0)
        return NULL;
    if (libtorch_look(&seen, &info, &reason) != 0)
        return PyUnicode_FromString(reason.message);
    return Py_BuildValue(
        "{s:s,s:N,s:N,s:L,s:K,s:n,s:K,s:L,s:N,s:N}", "dtype", info.dtype, "sizes",
        integers(info.sizes, info.rank), "strides", integers(info.strides, info.rank),
        "offset", (long long)info.offset, "storage",
        (unsigned long long)(uintptr_t)info.storage, "bytes", (Py_ssize_t)info.bytes,
        "counter", (unsigned long long)(uintptr_t)info.counter, "version",
        (long long)info.version, "requires_grad", PyBool_FromLong(info.requires_grad),
        "leaf", PyBool_FromLong(info.leaf));
}

/* digest(tensor): the elements as libtorch_digest writes them. */
static PyObject *digest(PyObject *module, PyObject *object)
{
    shim_info info;
    parity_error reason;
    char text[LIBTORCH_DIGEST];
    (void)module;
    if (info_of(&info, object) != 0)
        return NULL;
    if (libtorch_digest(text, &info, &reason) != 0) {
        PyErr_SetString(PyExc_RuntimeError, reason.message);
        return NULL;
    }
    return PyUnicode_FromString(text);
}

static PyObject *storage_digest(PyObject *module, PyObject *object)
{
    shim_info info;
    (void)module;
    if (info_of(&info, object) != 0)
        return NULL;
    return PyLong_FromUnsignedLongLong(libtorch_storage_hash(&info));
}

static PyObject *storage_bytes(PyObject *module, PyObject *object)
{
    shim_info info;
    (void)module;
    if (info_of(&info, object) != 0)
        return NULL;
    return PyBytes_FromStringAndSize((const char *)info.data, (Py_ssize_t)info.bytes);
}

static PyObject *hold(PyObject *module, PyObject *object)
{
    shim_tensor *tensor = tensor_of(object);
    (void)module;
    if (tensor == NULL)
        return NULL;
    PARITY_GROW(held, nheld, held_capacity);
    held[nheld++] = shim_counter_hold(tensor);
    shim_tensor_free(tensor);
    Py_RETURN_NONE;
}

static PyObject *release(PyObject *module, PyObject *none)
{
    (void)module;
    (void)none;
    while (nheld > 0)
        shim_counter_free(held[--nheld]);
    Py_RETURN_NONE;
}

static PyObject *requested(PyObject *module, PyObject *none)
{
    (void)module;
    (void)none;
    return PyLong_FromUnsignedLongLong(shim_memory_now().requested);
}

static PyObject *fill(PyObject *module, PyObject *flag)
{
    (void)module;
    shim_memory_fill(PyObject_IsTrue(flag) == 1);
    Py_RETURN_NONE;
}

PyObject *torch_memory_module(void)
{
    static PyMethodDef methods[] = {
        {"look", look, METH_O, NULL},
        {"digest", digest, METH_O, NULL},
        {"storage_digest", storage_digest, METH_O, NULL},
        {"storage_bytes", storage_bytes, METH_O, NULL},
        {"hold", hold, METH_O, NULL},
        {"release", release, METH_NOARGS, NULL},
        {"requested", requested, METH_NOARGS, NULL},
        {"fill", fill, METH_O, NULL},
        {NULL, NULL, 0, NULL},
    };
    static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                     .m_name = "parity_native",
                                     .m_size = -1,
                                     .m_methods = methods};
    return PyModule_Create(&definition);
}
