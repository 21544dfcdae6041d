"""The names that a program of the torch column finds besides `torch` and `copy`."""

import copy
import ctypes
import gc

import torch


native = None  # the module of memory_shim.c, set by the worker


class Unsupported(BaseException):
    """Not an Exception, so that neither `attempt` nor a program's own handler hides it."""


class Host:
    """A host copy: values, shape and dtype of a tensor as they were when it was made."""

    __slots__ = ("tensor",)

    def __init__(self, tensor):
        self.tensor = tensor

    def __repr__(self):
        return f"value({self.tensor.tolist()!r})"


class Mib(float):
    """Memory in MiB."""


def value(x):
    """A host copy of a tensor, or of the tensors in a list, tuple or dict; else x itself."""
    if isinstance(x, torch.Tensor):
        return Host(x.detach().to("cpu", copy=True))
    if isinstance(x, dict):
        return {key: value(item) for key, item in x.items()}
    if isinstance(x, (list, tuple)):
        return [value(item) for item in x]
    return x


def attempt(f):
    """What f() returns, or the exception that it raises, as a value."""
    try:
        return f()
    except Exception as error:
        return error.with_traceback(None)


def shares(a, b):
    """Whether two tensors lie in the same memory."""
    return storage_of(a)[0] == storage_of(b)[0]


def measure(f):
    """What f() returns, and the MiB that it requested from PyTorch's CPU allocator."""
    if native is None:
        raise Unsupported("measure in PyTorch needs the shim, which was not built: there is no C++ "
                          "compiler, or it does not know this PyTorch; peak_rss measures the resident set")
    before = native.requested()
    result = f()
    return result, Mib((native.requested() - before) / 2**20)


def peak_rss(f):
    """What f() returns, and by how much it raised the peak of the resident set, in whole MiB:
    the counters of the kernel are not exact to the page."""
    gc.collect()
    # Memory that malloc kept would be used again without a page being added.
    if hasattr(_libc, "malloc_trim"):
        _libc.malloc_trim(0)
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError as error:
        raise Unsupported(f"peak_rss needs Linux: {error}") from None
    before = _resident()
    result = f()
    after = _resident()
    # Pages of libraries come in as their code first runs; they are no doing of f.
    growth = (after["VmHWM"] - after["RssFile"]) - (before["VmRSS"] - before["RssFile"])
    return result, Mib(max(0, round(growth / 1024)))


PROGRAM_NAMES = {
    "torch": torch,
    "copy": copy,
    "value": value,
    "attempt": attempt,
    "shares": shares,
    "measure": measure,
    "peak_rss": peak_rss,
}

_libc = ctypes.CDLL(None)
# untyped_storage is new in PyTorch 2.0
_storage = getattr(torch.Tensor, "untyped_storage", None) or torch.Tensor._storage


def storage_of(tensor):
    """(identity, address, bytes) of the memory a tensor lies in."""
    storage = _storage(tensor)
    address = storage.data_ptr()
    # Storages without bytes all have address 0; the object then tells them apart.
    return address or -storage._cdata, address, storage.nbytes()


def tensor_of(bits, dtype, shape):
    """A new tensor with these little-endian elements."""
    if not bits:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(bytearray(bits), dtype=torch.uint8).clone().view(dtype).reshape(shape)


def _resident():
    """The lines of /proc/self/status that are in KiB."""
    with open("/proc/self/status") as file:
        lines = (line.split() for line in file)
        return {line[0][:-1]: int(line[1]) for line in lines if line[-1] == "kB"}
