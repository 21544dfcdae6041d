"""End to end: parity check says which records no longer belong to their cases."""
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from command import ROOT, parity


class Records(unittest.TestCase):
    def setUp(self):
        self.cases = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.cases)
        shutil.copytree(ROOT / 'cases/clone', self.cases / 'clone')

    def check(self, file, old, new):
        path = self.cases / 'clone' / file
        text = path.read_text(encoding='utf-8')
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1), encoding='utf-8')
        return parity('check', '--cases', str(self.cases))

    def test_as_they_are(self):
        done = self.check('handle.yaml', 'title:', 'title:')
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn('out of date', done.stdout)

    def test_program_changed(self):
        done = self.check('handle.yaml', 'x[0] = 9', 'x[0] = 8')
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("the record of clone/handle in torch@2.15.0/cpu was made from other case "
                      "text; accept new outcomes with parity bless 'clone/handle'", done.stdout)
        self.assertNotIn('in candle', done.stdout)

    def test_case_gone(self):
        done = self.check('dtypes.yaml', '    u8:', '    byte:')
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn('there is no case clone/dtypes[u8] any more', done.stdout)

    def test_file_gone(self):
        (self.cases / 'clone/handle.yaml').unlink()
        done = parity('check', '--cases', str(self.cases))
        self.assertEqual(done.returncode, 3, done.stdout)
        for name in ['handle.out', 'handle.trace']:
            self.assertIn('%s: has no handle.yaml beside it' % (self.cases / 'clone' / name),
                          done.stderr)

    def test_file_of_another_program(self):
        (self.cases / 'clone/a.out').write_text('ELF\n', encoding='utf-8')
        done = parity('check', 'clone/*', '--cases', str(self.cases))
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == '__main__':
    unittest.main()
