"""What the launcher has to know about a Python, as shell assignments. Imports nothing heavy."""
import importlib.metadata
import importlib.util
import os
import shlex
import sys
import sysconfig


def embed():
    """The shared library and headers with which a program can embed this Python, or ''."""
    name = sysconfig.get_config_var('INSTSONAME') or ''
    folders = [sysconfig.get_config_var('LIBDIR') or '', sysconfig.get_config_var('LIBPL') or '',
               os.path.join(sys.base_prefix, 'lib')]
    prefix = sysconfig.get_config_var('PYTHONFRAMEWORKPREFIX')
    if prefix:
        folders.append(prefix)
    version = '%d.%d' % sys.version_info[:2]
    names = [name, 'libpython%s.so.1.0' % version, 'libpython%s.dylib' % version]
    if not os.path.exists(os.path.join(sysconfig.get_path('include'), 'Python.h')):
        return ''
    for folder in folders:
        for each in names:
            path = os.path.join(folder, each)
            if not each.endswith('.a') and os.path.isfile(path):
                return path
    return ''


def torch():
    try:
        return importlib.metadata.version('torch')
    except importlib.metadata.PackageNotFoundError:
        return ''


facts = {
    'python_exe': sys.executable,
    'python_version': '%d.%d.%d' % sys.version_info[:3],
    'python_prefix': sys.base_prefix,
    'python_embed': embed(),
    'python_venv': 'yes' if all(map(importlib.util.find_spec, ['ensurepip', 'venv'])) else '',
    'python_torch': torch(),
}
for key, value in facts.items():
    print('%s=%s' % (key, shlex.quote(value)))
