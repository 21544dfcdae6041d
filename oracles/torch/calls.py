"""Writes down the operator calls of a program, as docs/libtorch.md describes them.

A mode of PyTorch sees every call below autograd, also those of backward. A tensor in the text
is a way to look at a storage (dtype, sizes, strides, offset, version counter): Python objects that
do so alike have one name. `native` is the module of memory_shim.c."""

import ast
import base64
import json
import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode

import parity_refusals as refusals  # refusals.py

CONSTANT_LIMIT = 8 << 20   # bytes of a storage that no call made
WATCHED_LIMIT = 1 << 20    # bytes of a storage whose contents are compared between calls

# Operators that leave memory as it was; it is filled with the same bytes in every run.
UNWRITTEN = ("empty", "resize")
LOOKING_ON = {"profiler"}  # namespaces of operators that change nothing

# What a row may ask of a tensor without an operator being called.
PROPERTIES = {"shape", "size", "stride", "storage_offset", "dim", "ndim", "numel", "is_contiguous",
              "_version"}
# What hands the result of an operator on as a number or truth of Python.
SCALARS = {"float": "float", "int": "int", "bool": "bool", "item": "", "equal": "", "allclose": ""}


class Untraceable(Exception):
    """The reason why the text cannot go on."""


class Calls(TorchDispatchMode):
    def __init__(self, tracer):
        super().__init__()
        self.tracer = tracer

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return self.tracer.call(func, args, kwargs or {})


class Storage:
    def __init__(self, name, weak):
        self.name = name
        self.weak = weak
        self.digest = None   # of its bytes after the last call; None: too large


class Tensor:
    def __init__(self, name, counter):
        self.name = name
        self.counter = counter   # identity; 0: not known before it is used


class Tracer:
    def __init__(self, native, prelude, names):
        self.native = native
        self.prelude = prelude
        self.names = names
        self.lines = []
        self.stopped = None
        self.storages = {}     # identity: Storage
        self.tensors = {}      # (storage, dtype, sizes, strides, offset): [Tensor]
        self.counters = {}     # identity: name of a tensor that has it
        self.untold = set()    # counters whose versions are others while calls are written down
        self.held = []         # so that neither counters nor the objects below are made twice
        self.errors = {}       # id of an exception: name
        self.measures = {}     # id of a Mib: name
        self.counts = {}       # letter: names given
        self.shared = []       # during one observation: calls of shares
        self.versions = []     # during one observation: see observe
        self.scalar = None     # and the last number or truth that a call returned
        self.random = None     # state of the generator after the last random call
        self.dtype = torch.get_default_dtype()
        self.modes = (refusals.Refusals(self), Calls(self))

    # Starting, ending

    def start(self):
        self.names["shares"] = self.shares
        self.names["measure"] = self.measuring("requested", self.prelude.measure)
        self.names["peak_rss"] = self.measuring("peak", self.prelude.peak_rss)
        self.random = torch.get_rng_state()
        self.clone = torch.UntypedStorage.clone
        torch.UntypedStorage.clone = clone_by_calls
        for mode in self.modes:
            mode.__enter__()

    def finish(self):
        for mode in reversed(self.modes):
            mode.__exit__(None, None, None)
        torch.UntypedStorage.clone = self.clone
        for storage in self.storages.values():
            torch.UntypedStorage._free_weak_ref(storage.weak)
        self.native.release()
        return "\n".join(self.lines) + "\n"

    def ended(self, error):
        """The program has ended, with an exception or None."""
        if error is None:
            self.emit("ends value")
        elif id(error) in self.errors:
            self.emit("ends raised %s" % self.errors[id(error)])
        else:
            self.emit("ends unsupported %s" % json.dumps(
                "the program ended with %s, which Python raised and no operator" % type(error).__name__))

    def emit(self, line):
        if self.stopped is None:
            self.lines.append(line)

    def stop(self, reason):
        self.emit("stop " + json.dumps(reason))
        self.stopped = self.stopped or reason

    def name(self, letter):
        self.counts[letter] = self.counts.get(letter, 0) + 1
        return letter + str(self.counts[letter])

    # Tensors

    def look(self, tensor):
        found = self.native.look(tensor)
        if isinstance(found, str):
            raise Untraceable(found)
        if found["version"] < 0:
            raise Untraceable("inference mode is not traced")
        return found

    def key(self, look):
        return look["storage"], look["dtype"], look["sizes"], look["strides"], look["offset"]

    def watch(self, tensor, look):
        """The storage of a tensor, which is new, or was written by calls only."""
        storage = self.storages.get(look["storage"])
        digest = self.native.storage_digest(tensor) if look["bytes"] <= WATCHED_LIMIT else None
        if storage is None:
            if look["bytes"] > CONSTANT_LIMIT:
                raise Untraceable("a tensor of more than 8 MiB that no operator made")
            storage = Storage(self.name("s"), tensor.untyped_storage()._weak_ref())
            self.storages[look["storage"]] = storage
            self.emit("storage %s %s" % (storage.name, encoded(self.native.storage_bytes(tensor))))
        elif storage.digest is not None and storage.digest != digest:
            raise Untraceable("the memory of a tensor was written by something that is no operator")
        storage.digest = digest
        return storage

    def storage(self, value):
        """The name of a storage that is an argument itself."""
        untyped = value if isinstance(value, torch.UntypedStorage) else value._untyped_storage
        tensor = torch.empty(0, dtype=torch.uint8).set_(untyped)
        return self.watch(tensor, self.look(tensor)).name

    def hold(self, tensor, look, name):
        if look["counter"] not in self.counters:
            self.native.hold(tensor)
            self.counters[look["counter"]] = name

    def add(self, tensor, look, storage, grad=False):
        """A tensor that no call returned as it is: made by Python, or by autograd."""
        counter = self.counters.get(look["counter"])
        name = self.name("t")
        self.emit("tensor %s %s %s %s%s" % (name, storage.name, geometry(look),
                                            counter or "new@%d" % look["version"], " grad" if grad else ""))
        if not grad:
            self.tensors.setdefault(self.key(look), []).append(Tensor(name, look["counter"]))
            self.hold(tensor, look, name)
        return name

    def use(self, tensor, grad=False):
        """The name of a tensor with its version, as an argument or an observation."""
        look = self.look(tensor)
        storage = self.watch(tensor, look)
        version = "?" if look["counter"] in self.untold else look["version"]
        if grad and look["requires_grad"]:
            if not look["leaf"]:
                return "%s@%s" % (self.view_of_leaf(tensor, look, storage, version), version)
            return "%s@%s" % (self.add(tensor, look, storage, True), version)
        for known in self.tensors.get(self.key(look), ()):
            if known.counter in (0, look["counter"]):
                known.counter = look["counter"]
                self.hold(tensor, look, known.name)
                return "%s@%s" % (known.name, version)
        return "%s@%s" % (self.add(tensor, look, storage), version)

    def view_of_leaf(self, tensor, look, storage, version):
        """One that autograd knows to be a view is made by a call."""
        if not refusals.views_leaf(tensor):
            raise Untraceable("the graph of autograd is not traced")
        base = self.add(tensor._base, self.look(tensor._base), storage, True)
        self.emit("call aten::as_strided %s@%s %s" % (base, version, geometry(look).partition(" ")[2]))
        name = self.name("t")
        self.emit("  %s %s %s %s" % (name, storage.name, geometry(look), self.native.digest(tensor)))
        return name

    def sweep(self):
        """Storages that are gone."""
        for identity, storage in list(self.storages.items()):
            if torch.UntypedStorage._expired(storage.weak):
                torch.UntypedStorage._free_weak_ref(storage.weak)
                self.emit("free " + storage.name)
                del self.storages[identity]
                for key in [key for key in self.tensors if key[0] == identity]:
                    del self.tensors[key]

    # Calls

    def call(self, func, args, kwargs):
        if self.stopped is not None or func.namespace in LOOKING_ON:
            return func(*args, **kwargs)
        try:
            arguments = self.begin(func, args, kwargs)
        except Untraceable as reason:
            self.stop(str(reason))
            return func(*args, **kwargs)
        self.native.fill(any(part in func.name() for part in UNWRITTEN))
        try:
            result = func(*args, **kwargs)
        except Exception as error:
            self.raised(error)
            raise
        finally:
            self.native.fill(False)
        start = len(self.lines)
        try:
            self.end(func, arguments, result)
        except Untraceable as reason:
            del self.lines[start - 1:]  # with the call itself
            self.stop(str(reason))
        return result

    def begin(self, func, args, kwargs, grad=False):
        """Writes the call; returns its tensors as (tensor, look, name)."""
        self.sweep()
        if torch.is_inference_mode_enabled():
            raise Untraceable("inference mode is not traced")
        if torch.Tag.nondeterministic_seeded in func.tags:
            self.randomness()
        if torch.get_default_dtype() is not self.dtype:
            self.dtype = torch.get_default_dtype()
            self.emit("dtype " + self.word(self.dtype, []))
        tensors = []
        words = [self.word(value, tensors, grad) for value in args]
        words += ["%s=%s" % (name, self.word(value, tensors, grad)) for name, value in kwargs.items()]
        self.emit(" ".join(["call", func.name(), *words]))
        return tensors

    def word(self, value, tensors, grad=False):
        if isinstance(value, torch.Tensor):
            used = self.use(value, grad)
            tensors.append((value, self.look(value), used.split("@")[0]))
            return used
        if isinstance(value, (torch.UntypedStorage, torch.TypedStorage)):
            return self.storage(value)
        if value is None or value is torch.default_generator:
            return "none"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return str(value)
        if isinstance(value, float):
            return value.hex() if math.isfinite(value) else str(value)
        if isinstance(value, str):
            return json.dumps(value)
        if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
            return str(value).split(".")[1]
        if isinstance(value, torch.device):
            return str(value)
        if isinstance(value, (list, tuple)):
            return "[%s]" % ",".join(self.word(item, tensors, grad) for item in value)
        raise Untraceable("an argument of type %s is not traced" % type(value).__name__)

    def randomness(self):
        """The generator draws on where it was, unless the program set it."""
        state = torch.get_rng_state()
        if not torch.equal(state, self.random):
            seed = torch.initial_seed()
            fresh = torch.Generator().manual_seed(seed).get_state()
            if torch.equal(state, fresh):
                self.emit("seed %d" % seed)
            else:
                self.emit("generator " + encoded(bytes(state.tolist())))
        self.random = None

    def end(self, func, arguments, result):
        if self.random is None:
            self.random = torch.get_rng_state()
        for tensor, look, name in arguments:
            self.rekey(tensor, look, name)
        if writes_lists(func._schema):
            # What is written by calls within this one counts them only when nobody looks on.
            self.untold.update(look["counter"] for _, look, _ in arguments)
        named = set()
        results = result if isinstance(result, tuple) else (result,)
        for item in results if func._schema.returns else ():
            self.result(item, arguments, named)
        for tensor, before, name in arguments:
            storage = self.storages[before["storage"]]
            after = self.look(tensor)
            digest = self.native.storage_digest(tensor) if after["bytes"] <= WATCHED_LIMIT else None
            if name not in named and (digest != storage.digest or digest is None and func._schema.is_mutable):
                self.emit("  wrote %s %s" % (name, self.native.digest(tensor)))
                named.add(name)
        for tensor, before, name in arguments:
            storage = self.storages[before["storage"]]
            storage.digest = self.native.storage_digest(tensor) if storage.digest is not None else None

    def rekey(self, tensor, before, name):
        """A call may give a tensor other sizes."""
        after = self.look(tensor)
        if self.key(after) == self.key(before):
            return
        for known in self.tensors.get(self.key(before), []):
            if known.name == name:
                self.tensors[self.key(before)].remove(known)
                self.tensors.setdefault(self.key(after), []).append(known)
                break

    def result(self, value, arguments, named):
        if isinstance(value, (list, tuple)):
            self.emit("  list %d" % len(value))
            for item in value:
                self.result(item, arguments, named)
        elif isinstance(value, torch.Tensor):
            self.returned(value, arguments, named)
        else:
            self.scalar = self.name("n")
            self.emit("  %s %s" % (self.scalar, self.word(value, [])))

    def returned(self, tensor, arguments, named):
        look = self.look(tensor)
        storage = self.storages.get(look["storage"])
        sources = [name for _, other, name in arguments if other["storage"] == look["storage"]]
        name = next((name for other, _, name in arguments if other is tensor), None)
        if name is None:
            name = self.name("t")
            counter = look["counter"]  # not held: PyTorch copies what has an owner besides it
            if storage is None:
                storage = Storage(self.name("s"), tensor.untyped_storage()._weak_ref())
                self.storages[look["storage"]] = storage
            else:
                # A view has the counter of what it looks at.
                counter = next((known.counter for items in self.tensors.values() for known in items
                                if known.name in sources), 0)
            self.tensors.setdefault(self.key(look), []).append(Tensor(name, counter))
            storage.digest = None
        if look["bytes"] <= WATCHED_LIMIT and storage.digest is None:
            storage.digest = self.native.storage_digest(tensor)
        named.add(name)
        self.emit("  %s %s %s %s" % (name, storage.name, geometry(look), self.native.digest(tensor)))

    # Exceptions

    def raised(self, error):
        name = self.name("e")
        self.errors[id(error)] = name
        self.held.append(error)
        self.emit("  raises %s %s %s" % (name, type(error).__name__, json.dumps(refusals.first_line(error))))

    def refusal(self, func, args, kwargs, error):
        """An exception of an operator that is made of others, or of autograd."""
        if id(error) in self.errors or self.stopped is not None:
            return
        op = refusals.operator(func, args, kwargs, error)
        if op is None:
            return
        try:
            self.begin(op, args, kwargs, True)
            self.raised(error)
        except Untraceable:
            pass  # it stays an exception of Python

    # What Parity gives to programs

    def shares(self, a, b):
        answer = self.prelude.shares(a, b)
        try:
            self.shared.append("shares %s %s" % (self.use(a), self.use(b)))
        except Untraceable as reason:
            self.stop(str(reason))
        return answer

    def measuring(self, what, function):
        def measure(f):
            name = self.name("m")
            self.emit("measure %s %s" % (name, what))
            try:
                result, mib = function(f)
            finally:
                self.emit("end " + name)
            self.measures[id(mib)] = name
            self.held.append(mib)
            return result, mib
        return measure

    # Observations

    def begin_observation(self):
        self.shared = []
        self.scalar = None

    def observe(self, text, found, versions):
        """What was found for an expression. `versions` are those of the tensors in it in a run
        that was not traced."""
        self.versions = versions
        try:
            self.emit("observe " + (self.derived(text, found) or self.leaf(found)))
        except Untraceable as reason:
            self.emit("observe unsupported " + json.dumps(str(reason)))

    def observe_failed(self, error):
        if id(error) in self.errors:
            self.emit("observe failed " + self.errors[id(error)])
        else:
            self.emit("observe unsupported " + json.dumps(
                "the expression raised %s, which is of Python and no operator" % type(error).__name__))

    def leaf(self, found):
        if isinstance(found, torch.Tensor):
            used = self.use(found)
            # Python's references make autograd copy what it otherwise writes in place.
            plain = str(self.versions.pop(0)) if self.versions else "?"
            told = "?" in (plain, used[-1]) or used.endswith("@" + plain)
            return ("tensor " if told else "unversioned ") + used
        if isinstance(found, self.prelude.Host):
            return "host " + self.use(found.tensor)
        if isinstance(found, (list, tuple)):
            return " ".join(["list", str(len(found)), *map(self.leaf, found)])
        if id(found) in self.measures:
            return "mib " + self.measures[id(found)]
        if id(found) in self.errors:
            return "raised " + self.errors[id(found)]
        if isinstance(found, BaseException):
            raise Untraceable("%s is of Python and no operator raised it" % type(found).__name__)
        raise Untraceable("a %s is of Python and no operator made it" % type(found).__name__)

    def derived(self, text, found):
        """For numbers and truths, which Python does not tell apart: what the expression says."""
        node = ast.parse(text.strip(), mode="eval").body
        called = isinstance(node, ast.Call)
        target = node.func if called else node
        name = target.id if isinstance(target, ast.Name) else getattr(target, "attr", None)
        if called and name == "shares" and isinstance(target, ast.Name) and len(self.shared) == 1:
            return self.shared[0]
        if called and name in SCALARS and self.scalar and isinstance(found, (bool, int, float)):
            return "scalar %s %s" % (self.scalar, SCALARS[name] or type(found).__name__)
        if isinstance(target, ast.Attribute) and name in PROPERTIES and plain(target.value) \
                and not (called and (node.args or node.keywords)):
            owner = eval(compile(ast.Expression(target.value), "<observation>", "eval"), self.names)
            if isinstance(owner, torch.Tensor):
                return "%s %s" % ({"size": "shape", "ndim": "dim"}.get(name, name), self.use(owner))
        return None


def clone_by_calls(storage):
    """The clone of a storage, as deepcopy makes it, in memory that an operator allocates."""
    return torch.empty(storage.nbytes(), dtype=torch.uint8).untyped_storage().copy_(storage)


def writes_lists(schema):
    return any(argument.alias_info is not None and argument.alias_info.is_write
               and str(argument.type).startswith("List") for argument in schema.arguments)


def plain(node):
    """A name, or parts of one: looking twice does no harm."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Name)


def encoded(data):
    return base64.b64encode(data).decode() or "-"


def geometry(look):
    sizes, strides = (",".join(map(str, look[name])) for name in ("sizes", "strides"))
    return "%s [%s] [%s] %d" % (look["dtype"], sizes, strides, look["offset"])
