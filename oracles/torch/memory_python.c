#include "oracles/torch/memory.h"

int torch_memory_start(parity_error *error)
{
    (void)error;
    return 0;
}

int torch_memory_of(torch_memory *out, PyObject *tensor, const parity_tensor *seen,
                    PyObject *storage_of, parity_error *reason)
{
    long long identity, length;
    unsigned long long place;
    (void)seen;
    (void)reason;
    PyObject *answer = PyObject_CallFunctionObjArgs(storage_of, tensor, NULL);
    int ok = answer && PyArg_ParseTuple(answer, "LKL", &identity, &place, &length);
    Py_XDECREF(answer);
    if (!ok)
        return -1;
    *out = (torch_memory){.storage = (uintptr_t)identity,
                          .start = (const unsigned char *)(uintptr_t)place,
                          .bytes = length,
                          .version = -1};
    /* Tensors made in inference mode have no version. */
    PyObject *version = PyObject_GetAttrString(tensor, "_version");
    if (version)
        out->version = PyLong_AsLongLong(version);
    Py_XDECREF(version);
    PyErr_Clear();
    return 0;
}

PyObject *torch_memory_module(void)
{
    Py_RETURN_NONE;
}
