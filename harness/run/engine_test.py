"""End to end: engines given on the command line, a good one and a bad one."""
import json
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ['PARITY_ROOT'])
BUILD = pathlib.Path(os.environ['PARITY_BUILD'])
sys.path.insert(0, str(ROOT / 'harness/cli'))
from command import parity

TOY = "python3 '%s'" % (ROOT / 'harness/run/testing/toy_engine.py')
FAULTY = BUILD / 'harness/run/faulty/parity-faulty'

CASE = '''\
title: A small program
torch: |
  a = 3
  b = [a, 4.5, 'five']
rows:
  - id: first
    torch: 'a  {a}'
  - id: second
    torch: 'b  {b}'
'''


class Engines(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        folder = pathlib.Path(self.folder.name) / 'toy'
        folder.mkdir()
        for name in 'one', 'two', 'three':
            (folder / (name + '.yaml')).write_text(CASE, encoding='utf-8')
        (folder / 'end.yaml').write_text(
            CASE.replace('a = 3', 'a = 1 / 0') + 'ends:\n  torch: error\n', encoding='utf-8')

    def run_toy(self, *more, command=TOY):
        return parity('run', 'toy/*', '--cases', self.folder.name, '--engine', 'toy:torch=' + command,
                      '--column', 'toy/cpu', *more)

    def outcomes(self, command):
        done = self.run_toy('--report', 'json', command=command)
        result = json.loads(done.stdout)
        index = [c['id'] for c in result['columns']].index('toy/cpu')
        return {case['id']: case['runs'][index] for case in result['cases']}, done.returncode

    def test_the_toy_engine_prints_a_transcript(self):
        done = self.run_toy('--report', 'transcript')
        self.assertIn("a  3\nb  [3, 4.5, 'five']\n", done.stdout, done.stderr)

    def test_a_faulty_engine_costs_one_case(self):
        sound, _ = self.outcomes(TOY)
        self.assertEqual(sound['toy/end']['ends']['error']['type'], 'ZeroDivisionError')
        for fault in 'garbage_line', 'missing_row', 'half_line':
            runs, code = self.outcomes('%s %s --case toy/two -- %s' % (FAULTY, fault, TOY))
            self.assertEqual(code, 2, fault)
            self.assertIn('broke the protocol', runs['toy/two']['ends']['crash']['text'])
            for case in 'toy/one', 'toy/three', 'toy/end':
                self.assertEqual(runs[case]['ends'], sound[case]['ends'], fault)
                self.assertEqual(runs[case]['observed'], sound[case]['observed'], fault)

    def test_a_command_that_is_no_engine(self):
        done = self.run_toy(command='echo hello')
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn('did not become ready', done.stdout + done.stderr)


if __name__ == '__main__':
    unittest.main()
