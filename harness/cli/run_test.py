"""End to end: parity run, its exit codes, and that it sees what it must see."""
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from command import ROOT, needs, parity, report


def copy_of(*themes):
    """A tree of its own with some of the case folders, so that a test may change files."""
    folder = pathlib.Path(tempfile.mkdtemp())
    for theme in themes:
        shutil.copytree(ROOT / 'cases' / theme, folder / theme)
    return folder


def change(path, old, new):
    text = path.read_text(encoding='utf-8')
    assert old in text, '%s is not in %s' % (old, path)
    path.write_text(text.replace(old, new, 1), encoding='utf-8')


class Pages(unittest.TestCase):
    """Transcripts equal what the real libraries printed by hand (cases/pages/expected)."""

    def expected(self, name, block=None):
        text = (ROOT / 'cases/pages/expected' / name).read_text(encoding='utf-8')
        if block is None:
            return text
        return re.search(r'^== %s\n((?:(?!== ).*\n)*)' % block, text, re.M).group(1)

    def transcript(self, case, column):
        done = parity('run', 'pages/' + case, '--column', column, '--report', 'transcript')
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    @needs('torch')
    def test_torch(self):
        for case in 'snapshot', 'references':
            self.assertEqual(self.transcript(case, 'torch'), self.expected(case + '.torch.txt'))

    @needs('core')
    def test_core(self):
        self.assertEqual(self.transcript('snapshot', 'core/cpu'),
                         self.expected('snapshot.candle.txt', 'cpu'))
        self.assertEqual(self.transcript('references', 'core/cpu'),
                         self.expected('references.candle.txt'))

    @needs('core')
    def test_metal(self):
        listed = parity('list', '--columns').stdout.split('\n')
        if not any(line.split() == ['core/metal-soft'] for line in listed):
            self.skipTest('this build has no stand-in for Metal')
        expected = self.expected('snapshot.candle.txt').replace('== metal\n', '== metal-soft\n')
        self.assertEqual(self.transcript('snapshot', 'core'), expected)

    @needs('candle')
    def test_candle(self):
        self.assertEqual(self.transcript('snapshot', 'candle@0.11.0/cpu'),
                         self.expected('snapshot.candle.txt', 'cpu'))
        self.assertEqual(self.transcript('references', 'candle@0.11.0/cpu'),
                         self.expected('references.candle.txt'))


class Broken(unittest.TestCase):
    """What is wrong must be named, with exit code 1."""

    def assert_names(self, folder, pattern, row, *arguments):
        done = parity('run', pattern, '--cases', folder, *arguments)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(row, done.stdout)

    def test_a_changed_record(self):
        folder = copy_of('clone')
        record = folder / 'clone/handle.out'
        text = record.read_text(encoding='utf-8')
        # One bit of one element of the candle block: 9.0 becomes 10.0.
        start = text.index('candle@0.11.0/cpu')
        place = text.index('bits=AAAQQQ', start)
        record.write_text(text[:place] + 'bits=AAAgQQ' + text[place + len('bits=AAAQQQ'):],
                          encoding='utf-8')
        self.assert_names(folder, 'clone/handle', 'written', '--column', 'core')

    def test_a_removed_finding(self):
        folder = copy_of('var_set')
        case = folder / 'var_set/dtype.yaml'
        text = case.read_text(encoding='utf-8')
        case.write_text(re.sub(r'    finding: >-\n.*\n', '', text), encoding='utf-8')
        shutil.copy(ROOT / 'cases/var_set/dtype.out', folder / 'var_set/dtype.out')
        self.assert_names(folder, 'var_set/dtype', 'refused')

    @needs('candle', 'torch')
    def test_selftest(self):
        """Each case below selftest/ is broken in the way that its first line names."""
        for case in sorted((ROOT / 'cases/selftest').glob('*.yaml')):
            with self.subTest(case.stem):
                state = re.match(r'# must be broken: (.*)', case.read_text(encoding='utf-8')).group(1)
                result, code = report(case)
                self.assertEqual(code, 1)
                states = {v['state'] for c in result['cases'] for v in c['verdicts']}
                self.assertIn(state, states)


class ExitCodes(unittest.TestCase):
    def test_unknown_case(self):
        done = parity('run', 'pages/snapshor')
        self.assertEqual(done.returncode, 3)
        self.assertIn("did you mean 'pages/snapshot'", done.stderr)

    def test_a_folder_is_no_pattern(self):
        done = parity('run', 'clone')
        self.assertEqual(done.returncode, 3)
        self.assertIn("those in the folder are 'clone/*'", done.stderr)

    def test_unknown_column(self):
        done = parity('run', '--column', 'tensorflow')
        self.assertEqual(done.returncode, 3)
        self.assertIn('core/cpu', done.stderr)

    def test_unknown_report(self):
        done = parity('run', '--report', 'transcrip')
        self.assertEqual(done.returncode, 3)
        self.assertIn("did you mean 'transcript'", done.stderr)

    def test_bad_case_file(self):
        with tempfile.TemporaryDirectory() as folder:
            case = pathlib.Path(folder, 'bad.yaml')
            case.write_text('title: x\ntorh: |\n  x = 1\n', encoding='utf-8')
            done = parity('check', case)
            self.assertEqual(done.returncode, 3)
            self.assertRegex(done.stderr, r'bad\.yaml:2:1: .*torch')

    def test_no_command(self):
        self.assertEqual(parity().returncode, 3)
        self.assertEqual(parity('--help').returncode, 0)
        self.assertIn("did you mean 'run'", parity('rum').stderr)


if __name__ == '__main__':
    unittest.main()
