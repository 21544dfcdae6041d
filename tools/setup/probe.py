"""What the launcher has to know about a Python, as shell assignments. Imports nothing heavy."""
import importlib.metadata
import importlib.util
import shlex
import sys


def torch():
    try:
        return importlib.metadata.version('torch')
    except importlib.metadata.PackageNotFoundError:
        return ''


facts = {
    'python_exe': sys.executable,
    'python_version': '%d.%d.%d' % sys.version_info[:3],
    'python_prefix': sys.base_prefix,
    'python_venv': 'yes' if all(map(importlib.util.find_spec, ['ensurepip', 'venv'])) else '',
    'python_torch': torch(),
}
for key, value in facts.items():
    print('%s=%s' % (key, shlex.quote(value)))
