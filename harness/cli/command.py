"""What the end-to-end tests of the command line share: running the built program."""
import json
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(os.environ['PARITY_ROOT'])
PROGRAM = pathlib.Path(os.environ['PARITY_BUILD']) / 'harness/cli/parity'


def parity(*arguments, timeout=300, **environment):
    """Runs parity; the result has returncode, stdout and stderr as text."""
    return subprocess.run([PROGRAM, *map(str, arguments)], env={**os.environ, **environment},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace',
                          timeout=timeout)


def report(*arguments, **environment):
    """Runs `parity run` and returns its JSON report and the exit code."""
    done = parity('run', *arguments, '--report', 'json', **environment)
    return json.loads(done.stdout), done.returncode


def columns():
    """The engines that can run here."""
    lines = parity('list', '--columns').stdout.splitlines()
    return {line.split()[0].split('@')[0].split('/')[0] for line in lines if len(line.split()) == 1}


def needs(*engines):
    missing = [engine for engine in engines if engine not in columns()]
    return unittest.skipIf(missing, 'not here: ' + ', '.join(missing))
