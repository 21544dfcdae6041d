"""Node and its packages, for tests that need a browser or somebody's JavaScript.

A folder with a package.json and a package-lock.json names the packages; they are fetched once, into the
cache, under the hash of the two files.
"""
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import unittest


def absent(reason):
    """Skips the test; in CI, where the set-up brings everything, nothing may be skipped."""
    if os.environ.get('CI'):
        raise RuntimeError(reason)
    raise unittest.SkipTest(reason)


def program(*names):
    """The first of the programs that is there."""
    for name in names:
        if shutil.which(name):
            return shutil.which(name)
    return absent('%s was not found: install the package that tools/setup/packages.txt names' % names[0])


def fetch(source, target):
    if os.environ.get('PARITY_OFFLINE', '0') not in ('', '0'):
        absent('the packages of %s are not in the cache, and PARITY_OFFLINE forbids to fetch them' % source)
    npm, part = program('npm'), target.with_name(target.name + '.part')
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    for name in ('package.json', 'package-lock.json'):
        shutil.copy(source / name, part)
    done = subprocess.run([npm, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], cwd=part,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        absent('npm could not fetch the packages of %s: %s' % (source, done.stderr.strip()[-400:]))
    part.rename(target)


def modules(source):
    """The node_modules folder with the packages that `source` names."""
    source = pathlib.Path(source)
    key = hashlib.sha256()
    for name in ('package.json', 'package-lock.json'):
        key.update((source / name).read_bytes())
    default = pathlib.Path(os.environ.get('XDG_CACHE_HOME') or pathlib.Path.home() / '.cache') / 'parity'
    cache = pathlib.Path(os.environ.get('PARITY_CACHE') or default)
    target = cache / ('node-' + key.hexdigest()[:16])
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / 'node.lock', 'w', encoding='utf-8') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            fetch(source, target)
    return target / 'node_modules'


def run(script, *arguments, source, timeout=300, **environment):
    """Runs a CommonJS script that may require the packages of `source`."""
    return subprocess.run([program('node'), *arguments, script], timeout=timeout, text=True,
                          env={**os.environ, 'NODE_PATH': str(modules(source)), **environment},
                          stdin=subprocess.DEVNULL, capture_output=True)
