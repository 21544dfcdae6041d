"""What a program may have changed of the process, and how the next one gets it back.

Each row of SETTINGS reads something; when it is no longer what it was, it is put back with the second
function. What cannot be put back, and whatever still differs afterwards, makes `restore` say
that this process has served its last case."""

import _signal  # without the enumerations of signal, which are slow
import builtins
import copy
import gc
import linecache
import math
import os
import random
import signal
import sys
import types
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import torch
    import torch.nn.modules.module as hooks

SEED = 0
SIGNALS = sorted(int(number) for number in signal.valid_signals())


def optional(owner, name, default=None):
    """For what the oldest and the newest PyTorch do not have both."""
    return getattr(owner, name, lambda *_: default)


def hooks_now():
    """The tables that torch.nn.modules.module.register_module_*_hook fill."""
    return {name: len(table) for name, table in vars(hooks).items()
            if name.startswith("_global_") and isinstance(table, dict)}


def hooks_clear(was):
    for name in was:
        getattr(hooks, name).clear()


def environment_put_back(was):
    os.environ.clear()
    os.environ.update(was)


def filters_put_back(was):
    warnings.resetwarnings()
    warnings.filters[:] = was


def streams_put_back(was):
    sys.stdin, sys.stdout, sys.stderr = was


def handlers_now():
    return [_signal.getsignal(number) for number in SIGNALS]


def children_now():
    """Whether processes are left that the program started. Reaps those that have ended."""
    try:
        while True:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return True
    except ChildProcessError:
        return False


def threads_now():
    return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 1


# (read, put back); None: it cannot be put back
SETTINGS = (
    (torch.get_default_dtype, torch.set_default_dtype),
    (torch.is_grad_enabled, torch._C._set_grad_enabled),
    (torch.get_num_threads, torch.set_num_threads),
    (torch.get_deterministic_debug_mode, torch.set_deterministic_debug_mode),
    (torch.get_float32_matmul_precision, torch.set_float32_matmul_precision),
    (torch.is_warn_always_enabled, torch.set_warn_always),
    (torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly),
    (torch.is_inference_mode_enabled, None),
    (optional(torch._C, "_len_torch_function_stack"), None),
    (optional(torch._C, "_len_torch_dispatch_stack"), None),
    (optional(torch._C, "_is_any_autocast_enabled"), None),
    (lambda: vars(torch._tensor_str.PRINT_OPTS).copy(),
     lambda was: torch.set_printoptions(profile="default")),
    (hooks_now, hooks_clear),
    (lambda: dict(os.environ), environment_put_back),
    (os.getcwd, os.chdir),
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (lambda: list(sys.path), lambda was: sys.path.__setitem__(slice(None), was)),
    (lambda: list(warnings.filters), filters_put_back),
    (lambda: (sys.stdin, sys.stdout, sys.stderr), streams_put_back),
    (lambda: [stream.closed for stream in (sys.stdin, sys.stdout, sys.stderr)], None),
    (sys.getprofile, sys.setprofile),
    (gc.isenabled, lambda was: gc.enable()),
    (gc.get_threshold, lambda was: gc.set_threshold(*was)),
    (lambda: signal.getitimer(signal.ITIMER_REAL)[0], lambda was: signal.alarm(0)),
    (handlers_now, None),
    (lambda: [os.fstat(number)[1:3] for number in range(3)], None),
    (children_now, None),
    (threads_now, None),
)

# Programs that try something out also replace functions; these places are looked at.
OWNERS = (torch, torch.Tensor, torch.nn, torch.nn.Module, torch.nn.Parameter, torch.nn.Linear,
          torch.nn.functional, torch.autograd, torch.optim, torch.optim.Optimizer, torch.optim.SGD,
          copy, math, os, random, warnings, builtins)

settings = []
names = []


def warm_up():
    """Does once what the first program would otherwise pay for: the first backward, the first
    optimizer. Everything made so far is then left out of garbage collections."""
    torch.set_num_threads(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layer = torch.nn.Linear(2, 1)
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
        layer(torch.ones(1, 2)).sum().backward()
        optimizer.step()
    del layer, optimizer
    gc.collect()
    gc.freeze()


def remember():
    """Takes down how things are; restore goes back to it."""
    seed()  # the module random takes a new one in a forked process
    settings[:] = [(read, put_back, read()) for read, put_back in SETTINGS]
    names[:] = [(owner, dict(vars(owner))) for owner in OWNERS]


def seed():
    torch.default_generator.manual_seed(SEED)
    random.seed(SEED)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(SEED)


def names_put_back(owner, was):
    now = dict(vars(owner))
    for name in now.keys() - was.keys():
        # Submodules are imported late, and the record of warnings belongs to the module.
        if isinstance(now[name], types.ModuleType) or name == "__warningregistry__":
            was[name] = now[name]
        else:
            delattr(owner, name)
    for name, value in was.items():
        if name not in now or now[name] is not value:
            setattr(owner, name, value)


def restore():
    """Puts everything back; False when this process must not run another program."""
    try:
        for owner, was in names:
            if vars(owner) != was:
                names_put_back(owner, was)
        linecache.clearcache()
        gc.collect()
        for read, put_back, was in settings:
            if read() == was:
                continue
            if put_back is None:
                return False
            put_back(was)
            if read() != was:
                return False
        seed()
        return True
    except BaseException:
        return False
