"""Asked by meson: how a C program embeds the interpreter that runs this. Prints lines
of a word and a text, a tab between them: include PATH, link ARGUMENT, rpath PATH; or one
line: absent REASON."""

import os
import sys
import sysconfig

get = sysconfig.get_config_var


def answer():
    if sys.version_info < (3, 9):
        return ["absent\tit is Python %d.%d; 3.9 or newer is needed" % sys.version_info[:2]]
    headers = sysconfig.get_path("include")
    if not os.path.isfile(os.path.join(headers, "Python.h")):
        return ["absent\tit has no headers (%s/Python.h); install its development package, "
                "python3-dev on Debian" % headers]
    found = ["include\t" + headers]
    folders = [get("LIBDIR"), os.path.join(sys.base_prefix, "lib"), get("PYTHONFRAMEWORKPREFIX")]
    if get("Py_ENABLE_SHARED") or get("PYTHONFRAMEWORK"):
        for folder in filter(None, folders):
            for name in filter(None, [get("LDLIBRARY"), get("INSTSONAME")]):
                library = os.path.join(folder, name)
                if os.path.isfile(library):
                    return found + ["link\t" + library, "rpath\t" + folder]
    return ["absent\tit has no shared libpython (it was built without --enable-shared); install "
            "libpython3-dev on Debian, or name an interpreter that has one"]


print("\n".join(answer()))
