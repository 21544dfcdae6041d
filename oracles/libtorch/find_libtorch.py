"""Asked by meson: where the interpreter that runs this has PyTorch's C++ library. Prints lines of a
word and a text, a tab between them: include PATH, library PATH (the folder), version TEXT, abi 0 or 1;
or one line: absent REASON. Imports nothing of torch, which would take seconds."""

import importlib.util
import os
import re


def answer():
    found = importlib.util.find_spec("torch")
    if found is None or not found.submodule_search_locations:
        return ["absent\tit has no torch"]
    folder = found.submodule_search_locations[0]
    include, library = os.path.join(folder, "include"), os.path.join(folder, "lib")
    if not os.path.isfile(os.path.join(include, "ATen", "core", "dispatch", "Dispatcher.h")):
        return ["absent\tits torch comes without headers (%s/ATen)" % include]
    if not os.path.isfile(os.path.join(library, "libtorch_cpu.so")):
        return ["absent\tthere is no %s/libtorch_cpu.so" % library]
    with open(os.path.join(folder, "version.py"), encoding="utf-8") as file:
        version = re.search(r"__version__ = ['\"]([^'\"+]+)", file.read()).group(1)
    # Wheels have said so in a header since 2.6, and all are built with 1 since 2.7.
    with open(os.path.join(library, "libc10.so"), "rb") as file:
        abi = int(b"_ZNSt7__cxx11" in file.read())
    return ["include\t" + include, "library\t" + library, "version\t" + version, "abi\t%d" % abi]


print("\n".join(answer()))
