"""Rules that need a compiler, the build or clang-format."""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess

CLANG_FORMAT = '14'  # another version formats some lines otherwise

# What the global symbols of a library may be called, by the longest prefix of the source. The command
# line is a program, nothing links it.
PREFIXES = {
    'harness/': ['parity_'],
    'harness/cli/': [''],
    'harness/compare/sample.c': ['sample_'],
    'reports/': ['parity_report_', 'report_'],
    'backends/core/': ['core_'],
    'backends/cpu/': ['core_'],
    'backends/metal/': ['metal_', 'core_metal_', 'soft_'],
    'backends/lang/': ['lang_', 'parity_'],
    'oracles/candle/': ['parity_engine_candle', 'candle_'],
    'oracles/torch/': ['parity_engine_torch', 'torch_'],
    'oracles/libtorch/': ['parity_engine_libtorch', 'libtorch_', 'shim_'],
}


class Skip(Exception):
    """The rule cannot be checked here."""


def build_folder(root):
    folder = os.environ.get('PARITY_BUILD') or str(root / 'build')
    if not os.path.exists(os.path.join(folder, 'compile_commands.json')):
        raise Skip('not built')
    return folder


def commands(root):
    """(source relative to the root, object) of everything that the build compiles."""
    folder = build_folder(root)
    with open(os.path.join(folder, 'compile_commands.json'), encoding='utf-8') as file:
        for entry in json.load(file):
            source = os.path.realpath(os.path.join(entry['directory'], entry['file']))
            if source.startswith(str(root) + os.sep) and not source.startswith(folder):
                yield os.path.relpath(source, root), os.path.join(entry['directory'], entry['output'])


def symbol_prefix(root, paths):
    """global symbols bear the prefix of their library"""
    for source, compiled in commands(root):
        folder = max((each for each in PREFIXES if source.startswith(each)), key=len, default=None)
        if folder is None or '_test.p' in compiled or not os.path.exists(compiled):
            continue
        listed = subprocess.run(['nm', '--extern-only', '--defined-only', '-P', compiled],
                                check=True, capture_output=True, text=True).stdout
        # Weak ones are instances of templates and inline functions of C++, of other libraries.
        strong = [line.split()[0] for line in listed.splitlines() if line.split()[1] not in 'VWuvw']
        for symbol in strong:
            if symbol != 'main' and not symbol.startswith((*PREFIXES[folder], '__', 'DW.')):
                yield '%s: %s must begin with %s' % (source, symbol, ' or '.join(PREFIXES[folder]))


def header_includes(root):
    """The -I and -isystem options of the build, for headers that include other libraries."""
    with open(os.path.join(build_folder(root), 'compile_commands.json'), encoding='utf-8') as file:
        options = {option for entry in json.load(file)
                   for option in re.findall(r'-(?:I|isystem) ?(/\S+)', entry['command'])}
    return ['-isystem' + option for option in sorted(options)]


def objective_c(path):
    return re.search(r'^(@|#import|#include <objc/)', path.read_text(encoding='utf-8'), re.M)


def header_alone(root, paths):
    """every header compiles alone as C, and those that say extern "C" also as C++"""
    headers = [path for path in paths if path.endswith('.h') and not objective_c(root / path)]
    extra = header_includes(root)
    languages = [('c', ['cc', '-std=c11', '-D_GNU_SOURCE']), ('c++', ['c++', '-std=c++17'])]
    if not shutil.which('c++'):
        raise Skip('there is no C++ compiler')

    def compile_one(task):
        path, (language, command) = task
        done = subprocess.run([*command, '-fsyntax-only', '-Wall', '-Werror', '-I', root, *extra,
                               '-x', language, '-'],
                              input='#include "%s"\n' % path, capture_output=True, text=True)
        errors = [line for line in done.stderr.splitlines() if 'error' in line]
        if errors and 'Python.h: No such file' in errors[0]:
            return None  # this build has no torch worker
        return '%s as %s: %s' % (path, language, (errors or ['?'])[0]) if done.returncode else None

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        tasks = [(path, language) for path in headers for language in languages
                 if language[0] == 'c' or 'extern "C"' in (root / path).read_text(encoding='utf-8')]
        yield from filter(None, pool.map(compile_one, tasks))


def formatting(root, paths):
    """C is formatted by clang-format 14 (tools/format does it)"""
    program = shutil.which('clang-format-' + CLANG_FORMAT) or shutil.which('clang-format')
    version = program and subprocess.run([program, '--version'], capture_output=True, text=True).stdout
    if not version or not re.search(r'version %s\.' % CLANG_FORMAT, version):
        raise Skip('there is no clang-format %s' % CLANG_FORMAT)
    sources = [path for path in paths if path.endswith(('.c', '.h', '.m'))]
    done = subprocess.run([program, '--dry-run', '-Werror', *sources], cwd=root, capture_output=True,
                          text=True)
    seen = set()
    for line in done.stderr.splitlines():
        match = re.match(r'(\S+?:\d+):\d+: error', line)
        if match and match.group(1) not in seen:
            seen.add(match.group(1))
            yield '%s: not as clang-format writes it' % match.group(1)


RULES = [symbol_prefix, header_alone, formatting]
