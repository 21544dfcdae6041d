"""Who may include whom. Includes between our files form a star around harness/."""
import re

# The longest prefix of a file's path decides; '' stands for the file's own folder.
MAY_INCLUDE = {
    'harness/base/': [],
    'harness/model/': ['harness/base/'],
    # A record shows its values as the languages print them.
    'harness/load/': ['harness/base/', 'harness/model/', 'harness/compare/render.h'],
    'harness/run/': ['harness/base/', 'harness/model/'],
    'harness/compare/': ['harness/base/', 'harness/model/', 'harness/load/'],
    'harness/pages/': ['harness/base/', 'harness/model/', 'harness/load/'],
    'harness/cli/': ['harness/'],
    'reports/': ['harness/base/', 'harness/model/', 'harness/compare/'],
    'backends/': ['harness/'],
    # The tensor core is a library of its own.
    'backends/core/': ['backends/cpu/'],
    'backends/cpu/': ['backends/core/'],
    'backends/metal/': ['backends/core/'],
    'backends/lang/': ['backends/core/', 'harness/'],
    # A judge shares no code with the judged.
    'oracles/candle/': ['harness/'],
    'oracles/torch/': ['harness/', 'oracles/libtorch/'],
    'oracles/libtorch/': ['harness/'],
    'tools/': ['harness/', 'backends/'],
}
# Libraries that one folder only may know.
OWNED = {
    'Python.h': 'oracles/torch/',
    'yaml.h': 'harness/load/',
    'Metal/Metal.h': 'backends/metal/',
    'Foundation/Foundation.h': 'backends/metal/',
}
TESTS_MAY = ['tools/test_main.h', 'harness/base/']

INCLUDE = re.compile(r'^\s*#\s*(?:include|import)\s*([<"])([^>"]+)')


def includes(root, path):
    lines = (root / path).read_text(encoding='utf-8', errors='replace').splitlines()
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def sources(paths):
    return [path for path in paths if path.endswith(('.c', '.h', '.m', '.cc'))]


def folder_of(path):
    return max((folder for folder in MAY_INCLUDE if path.startswith(folder)), key=len, default=None)


def include_direction(root, paths):
    """base ← model ← load, run, compare ← cli; everything → harness; harness → nothing outside"""
    for path in sources(paths):
        folder = folder_of(path)
        if folder is None:
            yield '%s: its folder is not in MAY_INCLUDE of tools/style/rules_include.py' % path
            continue
        allowed = [folder, *MAY_INCLUDE[folder]]
        if path.endswith(('_test.c', '_test.m')) or path.startswith('tools/'):
            allowed += TESTS_MAY
        for number, ours, name in includes(root, path):
            if ours and not name.startswith(tuple(allowed)):
                yield '%s:%d: "%s" is not among what %s may include' % (path, number, name, folder)


def owned_library(root, paths):
    """Python.h only in oracles/torch, yaml.h only in harness/load"""
    for path in sources(paths):
        for number, _, name in includes(root, path):
            owner = OWNED.get(name)
            if owner and not path.startswith(owner):
                yield '%s:%d: only %s may include <%s>' % (path, number, owner, name)


RULES = [include_direction, owned_library]
