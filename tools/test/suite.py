"""Runs `parity run` and reads its JSON report."""
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# By hand, the launcher finds the columns; ./parity test has found them.
PROGRAM = (pathlib.Path(os.environ['PARITY_BUILD']) / 'harness/cli/parity' if 'PARITY_BUILD' in os.environ
           else ROOT / 'parity')


def run(arguments, **environment):
    """(report or None, exit code, what was printed)."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / 'report.json'
        done = subprocess.run([PROGRAM, 'run', *arguments, '--report', 'json=%s' % report],
                              env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors='replace')
        if not report.exists():
            return None, done.returncode, done.stdout
        return json.loads(report.read_text(encoding='utf-8')), done.returncode, done.stdout


def broken(case):
    return [verdict for verdict in case['verdicts'] if verdict['broken']]


def describe(verdict):
    """A verdict in one line."""
    where = 'row ' + verdict['row'] if verdict['row'] else 'the program'
    return '%s is %s (%s): %s' % (where, verdict['state'], verdict['relation'], verdict['why'])


def columns(report):
    """(name, None or why it is not live) of each column."""
    for column in report['columns']:
        if not column['recorded']:
            yield column['id'], column['absent']
