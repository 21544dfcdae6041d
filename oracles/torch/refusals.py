"""Exceptions that are raised above the operators that calls.py sees: by an operator that is made of
others, or by autograd."""

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_map


class Refusals(TorchFunctionMode):
    def __init__(self, tracer):
        super().__init__()
        self.tracer = tracer

    def __torch_function__(self, func, types, args=(), kwargs=None):
        try:
            return func(*args, **(kwargs or {}))
        except Exception as error:
            self.tracer.refusal(func, args, kwargs or {}, error)
            raise


def first_line(error):
    return str(error).splitlines()[0] if str(error) else ""


def views_leaf(tensor):
    return tensor._is_view() and tensor._base.is_leaf


def made_anew(value):
    """As the replay makes it for a call that is refused."""
    if not isinstance(value, torch.Tensor):
        return value
    if not value.requires_grad:
        return value.data
    if value.is_leaf:
        return value.data.requires_grad_()
    if not views_leaf(value):
        return value
    return value._base.data.requires_grad_().as_strided(value.shape, value.stride(), value.storage_offset())


def operator(func, args, kwargs, error):
    """The operator whose exception it is, or None: calling it by its name, with gradients recorded as
    the replay does, ends in the same one."""
    name = getattr(func, "__name__", "")
    with _disable_current_modes(), torch._C.DisableTorchFunction(), torch.enable_grad():
        try:
            args, kwargs = tree_map(made_anew, (args, kwargs))
            overload = torch._C._jit_resolve_packet("aten::" + name, *args, **kwargs)
            op = getattr(getattr(torch.ops.aten, name), overload or "default")
        except Exception:
            return None
        try:
            op(*args, **kwargs)
        except Exception as other:
            if type(other) is type(error) and first_line(other) == first_line(error):
                return op
    return None
