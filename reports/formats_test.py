"""What other programs read is read by others here: JUnit by xmllint, JSON by jsonschema, CSV by Python."""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / 'tools/test'))
import node  # noqa: E402

BUILD = pathlib.Path(os.environ['PARITY_BUILD'])
KINDS = 'junit', 'json', 'csv'
ENGINES = 'toy:torch', 'other:candle'
TOY = ROOT / 'harness/run/testing/toy_engine.py'
CASES = {
    'words/plain.yaml': '''title: Plain
torch: |
  x = [1.0, 2.0]
  y = "a,b"
candle: |
  x = [1.0, 2.5]
  y = "a,b"
rows:
  - {id: same, torch: '{y}', candle: '{y}'}
  - {id: known, torch: '{x}', candle: '{x}', finding: 'It says "why", <so>.'}
  - {id: alone, torch: '{len(y)}'}
''',
    'words/broken.yaml': '''title: Broken & <b>
torch: |
  x = 1
candle: |
  x = 2
rows:
  - {id: x, torch: '{x}', candle: '{x}'}
''',
    'words/raised.yaml': '''title: Raised
torch: |
  raise ValueError("first, \\"quoted\\"\\nsecond")
ends: {torch: error}
''',
    'skipped.yaml': '''title: Skipped
skip: no time
torch: |
  x = 1
''',
}


def sample(report, *rows):
    done = subprocess.run([BUILD / 'reports/report-sample', report, *rows], check=True, capture_output=True)
    return done.stdout.decode()


def real():
    """Reports of a run of CASES on engines that need no library."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, text in CASES.items():
            (folder / 'cases' / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / 'cases' / name).write_text(text, encoding='utf-8')
        engines = ['--engine=%s=%s %s' % (name, sys.executable, TOY) for name in ENGINES]
        reports = ['--report=%s=%s' % (kind, folder / kind) for kind in KINDS]
        done = subprocess.run([BUILD / 'harness/cli/parity', 'run', '--cases', folder / 'cases', *engines,
                               '--column', 'toy', '--column', 'other', *reports],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return done, {kind: (folder / kind).read_bytes().decode() for kind in KINDS}


class Formats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_of_cases, cls.real = real()
        cls.texts = {kind: [cls.real[kind], sample(kind), sample(kind, '200')] for kind in cls.real}

    def test_the_run_is_what_the_reports_tell_of(self):
        self.assertEqual(self.run_of_cases.returncode, 1, self.run_of_cases.stdout)

    def check_with(self, command, text, name):
        with tempfile.NamedTemporaryFile('w', suffix=name, encoding='utf-8') as file:
            file.write(text)
            file.flush()
            return subprocess.run([*command[0], file.name, *command[1]], capture_output=True, text=True)

    def test_junit_validates(self):
        command = [node.program('xmllint'), '--noout', '--schema', HERE / 'junit.xsd'], []
        for text in self.texts['junit']:
            done = self.check_with(command, text, '.xml')
            self.assertEqual(done.returncode, 0, done.stderr[:2000])
        wrong = self.real['junit'].replace(' failures="', ' faults="')
        self.assertNotEqual(self.check_with(command, wrong, '.xml').returncode, 0)

    def test_json_validates(self):
        command = [node.program('jsonschema'), '-i'], [ROOT / 'docs/report.schema.json']
        for text in self.texts['json']:
            done = self.check_with(command, text, '.json')
            self.assertEqual(done.returncode, 0, done.stderr[:2000])
        for old, new in (('"parity": 1', '"parity": 2'), ('"theme"', '"topic"'),
                         ('"dtype": "f32"', '"dtype": "f33"')):
            self.assertIn(old, self.texts['json'][1])
            wrong = self.texts['json'][1].replace(old, new, 1)
            self.assertNotEqual(self.check_with(command, wrong, '.json').returncode, 0, new)

    def test_junit_says_what_the_run_found(self):
        suites = {suite.get('name'): suite for suite in xml.fromstring(self.real['junit'])}
        self.assertEqual(list(suites), sorted(suites))
        tests = {(name, test.get('name')): test
                 for name, suite in suites.items() for test in suite.iter('testcase')}
        failed = {key for key, test in tests.items() if test.find('failure') is not None}
        self.assertEqual(failed, {('words/broken', 'row x')})
        failure = tests['words/broken', 'row x'].find('failure')
        self.assertEqual(failure.get('type'), 'undocumented')
        self.assertIn('parity run words/broken', failure.text)
        self.assertEqual(tests['skipped', 'program'].find('skipped').get('message'), 'no time')
        for suite in suites.values():
            for name, kind in (('tests', 'testcase'), ('failures', 'failure'), ('skipped', 'skipped')):
                self.assertEqual(int(suite.get(name)), len(list(suite.iter(kind))), suite.get('name'))

    def test_csv_is_that_of_rfc_4180(self):
        for text in self.texts['csv']:
            self.assertEqual(text.count('\n'), text.count('\r\n'))
            self.assertTrue(text.endswith('\r\n'))
            rows = list(csv.reader(io.StringIO(text, newline=''), strict=True))
            self.assertEqual({len(row) for row in rows}, {19})
        cells = {(row['case'], row['row'], row['column'].split('/')[0]): row
                 for row in csv.DictReader(io.StringIO(self.real['csv'], newline=''))}
        self.assertEqual(cells['words/plain', 'same', 'toy']['text'], 'a,b')
        known = cells['words/plain', 'known', 'other']
        self.assertEqual((known['state'], known['explanation']), ('finding', 'It says "why", <so>.'))
        self.assertEqual(cells['words/broken', 'x', 'toy']['title'], 'Broken & <b>')
        self.assertEqual(cells['words/raised', '', 'toy']['outcome'], 'error')
        self.assertNotIn(('words/plain', 'alone', 'other'), cells)

    def test_json_says_the_same_as_csv(self):
        report = json.loads(self.real['json'])
        rows = list(csv.DictReader(io.StringIO(self.real['csv'], newline='')))
        seen = [(one['id'], run['column']) for one in report['cases'] for run in one['runs']
                if 'absent' not in run['ends']]
        self.assertEqual(sorted({(row['case'], row['column']) for row in rows}), sorted(set(seen)))


if __name__ == '__main__':
    unittest.main()
