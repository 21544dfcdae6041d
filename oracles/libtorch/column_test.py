"""The libtorch column on the command line: from parity bless to a verdict."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get('PARITY_ROOT', pathlib.Path(__file__).parents[2]))
BUILD = pathlib.Path(os.environ.get('PARITY_BUILD', ROOT / 'build'))
PROGRAM = BUILD / 'harness/cli/parity'

SLOW = True  # starts PyTorch more than ten times

CASE = '''title: One of the test
matrix:
  n: [1, 2]
torch: |
  x = torch.ones(${n}, 3)
  y = x.t()
  y.add_(1)
rows:
  - id: views
    torch: '{x} {y} {shares(x, y)}'
'''


class ColumnTest(unittest.TestCase):
    def setUp(self):
        if not os.environ.get('PARITY_PYTHON_USED') or \
                not (BUILD / 'oracles/libtorch/parity-libtorch-worker').exists():
            raise unittest.SkipTest('no Python with torch, so there is nothing to trace')
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.cases = pathlib.Path(self.folder.name)
        (self.cases / 'a').mkdir()
        self.file, self.trace = self.cases / 'a/b.yaml', self.cases / 'a/b.trace'
        self.file.write_text(CASE, encoding='utf-8')

    def parity(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments, '--cases', self.cases], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)
        return done.returncode, done.stdout + done.stderr

    def bless(self, *arguments):
        code, said = self.parity('bless', '--column', 'torch', *arguments)
        self.assertEqual(code, 0, said)
        return said

    def document(self):
        code, said = self.parity('run', '--column', 'libtorch', '--report', 'json')
        return code, json.loads(said[:said.rindex('\n}') + 2])

    def why_not(self):
        _, document = self.document()
        return document['cases'][0]['runs'][0]['ends']['unsupported']['text']

    def run_column(self):
        code, document = self.document()
        verdicts = [verdict for case in document['cases'] for verdict in case['verdicts']
                    if verdict['relation'] == 'fidelity']
        return code, verdicts

    def test_from_bless_to_verdict(self):
        code, verdicts = self.run_column()
        self.assertEqual({verdict['state'] for verdict in verdicts}, {'not judged'})
        self.assertIn('b.trace', self.bless())
        code, verdicts = self.run_column()
        self.assertEqual((code, [verdict['state'] for verdict in verdicts]), (0, ['agree'] * 4))
        self.assertIn('0 files', self.bless('--check'))

    def test_a_difference_breaks_fidelity_and_names_the_call(self):
        self.bless()
        text = self.trace.read_text(encoding='utf-8')
        changed = text.replace('call aten::add_.Tensor t2@0 1', 'call aten::add_.Tensor t2@0 2', 1)
        self.trace.write_text(changed, encoding='utf-8')
        code, verdicts = self.run_column()
        broken = [verdict for verdict in verdicts if verdict['broken']]
        self.assertEqual(code, 1)
        self.assertIn('call 3, aten::add_.Tensor: the bits of t2 are', broken[0]['why'])
        self.assertIn('b.trace', self.bless())  # which puts it right
        self.assertEqual(self.trace.read_text(encoding='utf-8'), text)

    def test_stale_and_damaged_traces(self):
        self.bless()
        self.file.write_text(CASE.replace('add_(1)', 'add_(2)'), encoding='utf-8')
        self.assertIn('recorded from other case text', self.why_not())
        self.file.write_text(CASE, encoding='utf-8')
        text = self.trace.read_text(encoding='utf-8')
        self.trace.write_text(text.replace('torch@2', 'torch@1'), encoding='utf-8')
        self.assertIn('not recorded for this version', self.why_not())
        self.trace.write_text(text[:-9], encoding='utf-8')
        code, said = self.parity('run', '--column', 'libtorch')
        self.assertIn('b.trace:', said)
        self.assertEqual(code, 1)

    def test_bless_keeps_what_did_not_run(self):
        self.bless()
        text = self.trace.read_text(encoding='utf-8')
        self.bless('a/b[1]')
        self.assertEqual(self.trace.read_text(encoding='utf-8'), text)
        self.file.write_text(CASE.replace('n: [1, 2]', 'n: [1]'), encoding='utf-8')
        self.bless()
        self.assertEqual(re.findall(r'^case (.*)$', self.trace.read_text(encoding='utf-8'), re.M), ['a/b[1]'])


if __name__ == '__main__':
    unittest.main()
