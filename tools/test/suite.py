"""Runs `parity run` and reads its JSON report."""
import json
import os
import pathlib
import subprocess
import tempfile

PROGRAM = pathlib.Path(os.environ['PARITY_BUILD']) / 'harness/cli/parity'
BROKEN = {'undocumented', 'finding gone', 'changed'}


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
    return [verdict for verdict in case['verdicts'] if verdict['state'] in BROKEN]


def describe(verdict):
    """A verdict in one line."""
    row = verdict.get('row')
    return '%s, %s%s: %s' % (verdict['relation'], verdict['state'],
                             ', row %s' % row if row is not None else '', verdict.get('why'))


def columns(report):
    """(name, None or why it is not live) of each column."""
    for column in report['columns']:
        yield column['id'], column.get('absent') or ('from its record' if column.get('recorded') else None)
