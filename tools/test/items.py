"""What there is to test, group by group. An item is a program that prints TAP."""
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get('PARITY_BUILD', ROOT / 'build'))
HERE = pathlib.Path(__file__).resolve().parent
LOGS = BUILD / 'launcher-logs'

# Builds beside build/, each in a folder of its own: meson options, and the environment of its programs.
VARIANTS = {
    'asan': (['-Db_sanitize=address,undefined', '-Db_lundef=false', '--werror',
              '-Dpython=' + os.environ.get('PARITY_PYTHON_USED', '')],
             {'ASAN_OPTIONS': 'detect_leaks=1:halt_on_error=1:strict_string_checks=1:'
                              'allocator_may_return_null=1',
              'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1'}),
    'tsan': (['-Db_sanitize=thread', '-Db_lundef=false'], {'TSAN_OPTIONS': 'halt_on_error=1'}),
    'mutants': (['-Dmutants=true', '-Dtests=false'], {}),
}


@dataclasses.dataclass
class Item:
    name: str
    command: list
    timeout: float = 120
    slow: bool = False       # left out by --quick
    alone: bool = False      # measures time or takes both cores
    variant: str = ''        # the build it needs, of VARIANTS
    folder: pathlib.Path = ROOT
    environment: dict = dataclasses.field(default_factory=dict)


def variant_build(variant):
    return ROOT / ('build-' + variant) if variant else BUILD


def variant_environment(variant):
    """A variant runs no torch worker: a sanitizer's runtime must be the first library of its process."""
    if not variant:
        return {}
    return dict(VARIANTS[variant][1], PARITY_BUILD=str(variant_build(variant)), PARITY_PYTHON_USED='')


def configure(variant):
    folder = variant_build(variant)
    options = VARIANTS[variant][0]
    # clang compiles the Metal column; what is compiled alike can share a sanitizer.
    clang = ['env', 'CC=clang', 'CXX=clang++'] if shutil.which('clang') else []
    make = ['configure', *options, folder] if (folder / 'build.ninja').exists() else \
        ['setup', *options, folder, ROOT]
    return [[*clang, 'meson', *make], [*clang, 'ninja', '-C', folder]]


def build(group):
    """Makes the variants that the group needs. (item, result, seconds) when one cannot be made."""
    for variant in sorted({item.variant for item in group if item.variant}):
        start = time.monotonic()
        for command in configure(variant):
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors='replace')
            if done.returncode:
                return (Item(variant + '/build', command), tap.Result(0, 1, tap.tail(done.stdout)),
                        time.monotonic() - start)
        print('      build-%-38s made  (%.1f s)' % (variant, time.monotonic() - start), flush=True)
    return None


def style(_options):
    return [Item('style', [sys.executable, ROOT / 'tools/style'])]


def unit(_options, variant=''):
    """The Check suites, as meson knows them. A variant is asked for them once it exists."""
    described = json.loads(subprocess.run(['meson', 'introspect', '--tests', BUILD], check=True,
                                          capture_output=True, text=True).stdout)
    prefix = variant or 'unit'
    for test in described:
        command = [part.replace(str(BUILD), str(variant_build(variant))) for part in test['cmd']]
        if variant == 'tsan' and test['name'] == 'libtorch_shim':
            continue  # PyTorch and its threads are not compiled for it
        # A sanitizer makes programs several times slower.
        factor = 8 if variant else 1
        environment = dict(test['env'], **variant_environment(variant),
                           CK_TIMEOUT_MULTIPLIER=str(factor))
        yield Item('%s/%s' % (prefix, test['name']), command, test['timeout'] * factor,
                   slow=bool(variant), variant=variant, environment=environment,
                   folder=pathlib.Path(test['workdir'] or BUILD))


def end_to_end(_options):
    """Every *_test.py of the tree. A file with `ALONE = True` runs by itself, one with `SLOW = True`
    not under --quick."""
    skipped = {'build', 'target', '.git'}
    for path in sorted(ROOT.rglob('*_test.py')):
        relative = path.relative_to(ROOT)
        if any(part in skipped or part.startswith('build-') for part in relative.parts):
            continue
        text = path.read_text(encoding='utf-8')
        yield Item('e2e/%s' % relative.with_suffix(''),
                   [sys.executable, HERE / 'unittest_tap.py', path], timeout=600,
                   slow='\nSLOW = True' in text, alone='\nALONE = True' in text)


def suite(_options, variant=''):
    """Every case: on all columns of this machine, or on the core alone as the variant built it."""
    name, command = variant or 'cases', [sys.executable, HERE / 'suite_tap.py']
    flags = {'suite': []}
    if variant:
        flags = {'suite': ['--column', 'core'], 'in-process': ['--column', 'core', '--in-process'],
                 'reordered': ['--column', 'core']}
    for suffix, arguments in flags.items():
        environment = variant_environment(variant)
        if suffix == 'reordered':  # the stand-in for Metal: late, and in another order
            environment['PARITY_METAL_SEED'] = '1'
        yield Item('%s/%s' % (name, suffix), command + arguments, timeout=1200, slow=bool(variant),
                   alone=True, variant=variant, environment=environment)


def pages(_options):
    """The documentation that regenerates itself."""
    return [Item('pages', [sys.executable, HERE / 'pages_tap.py'], timeout=600)]


def replay(_options, variant):
    """The worker without Python as the variant built it, against the torch worker of build/."""
    worker = variant_build(variant) / 'oracles/libtorch/parity-libtorch-worker'
    return [Item('%s/replay' % variant,
                 [sys.executable, HERE / 'unittest_tap.py', ROOT / 'oracles/libtorch/worker_test.py'],
                 timeout=600, slow=True, variant=variant,
                 environment=dict(VARIANTS[variant][1], PARITY_LIBTORCH_WORKER=str(worker)))]


def sanitized(variant):
    def make(options):
        more = replay(options, variant) if variant == 'asan' else []
        return [*unit(options, variant), *more, *suite(options, variant)]
    return make


def mutants(_options):
    return [Item('mutants', [sys.executable, HERE / 'mutants_tap.py'], timeout=1200, slow=True,
                 alone=True, variant='mutants', environment=variant_environment('mutants'))]


def together(*makers):
    return lambda options: [item for make in makers for item in make(options)]


# In the order of what a developer wants to hear first. Items of one group run side by side.
GROUPS = [together(style, unit), together(end_to_end, pages), suite, sanitized('asan'), sanitized('tsan'),
          mutants]
