"""End to end: parity record and parity import, and what import refuses."""
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from command import ROOT, needs, parity

COLUMN = 'candle@0.11.0/cpu'


class Bundle(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.cases = self.folder / 'cases'
        shutil.copytree(ROOT / 'cases/copy', self.cases / 'copy')

    def bundle(self):
        """Format line, checksum line, the rest, and the path of a bundle made here."""
        path = self.folder / 'made.parity'
        made = parity('record', 'copy/layout', '--cases', self.cases, '--column', COLUMN, '-o', path)
        self.assertEqual(made.returncode, 0, made.stderr)
        head, checksum, rest = path.read_text(encoding='utf-8').split('\n', 2)
        return head, checksum, rest, path

    def imported(self, path, *options):
        return parity('import', path, '--cases', self.cases, *options)

    @needs('candle')
    def test_round_trip(self):
        record = self.cases / 'copy/layout.out'
        before = record.read_text(encoding='utf-8')
        _, _, rest, path = self.bundle()
        self.assertEqual(rest.count('\ncolumn %s\n' % COLUMN), 3)
        done = self.imported(path)
        self.assertEqual((done.returncode, record.read_text(encoding='utf-8')), (0, before), done.stderr)
        # Without the blocks it is what brings them back, and leaves PyTorch's alone.
        kept = re.sub(r'\ncase [^\n]*\ncolumn %s\n(?:[^\n]+\n)*' % re.escape(COLUMN), '', before)
        self.assertNotEqual(kept, before)
        record.write_text(kept, encoding='utf-8')
        self.assertEqual(self.imported(path, '--check').returncode, 1)
        self.assertEqual(record.read_text(encoding='utf-8'), kept)
        done = self.imported(path)
        self.assertEqual((done.returncode, record.read_text(encoding='utf-8')), (0, before), done.stderr)

    def refused(self, path, why):
        before = {p: p.read_bytes() for p in self.cases.rglob('*.out')}
        done = self.imported(path)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn(why, done.stderr)
        self.assertEqual({p: p.read_bytes() for p in self.cases.rglob('*.out')}, before)

    @needs('candle')
    def test_damage(self):
        head, checksum, rest, path = self.bundle()
        path.write_text('\n'.join([head, checksum, rest.replace('bits=AA', 'bits=BA', 1)]), encoding='utf-8')
        self.refused(path, 'is damaged')
        path.write_text('\n'.join([head, checksum, rest[:-20]]), encoding='utf-8')
        self.refused(path, 'is damaged')

    @needs('candle')
    def test_format(self):
        _, checksum, rest, path = self.bundle()
        path.write_text('\n'.join(['parity bundle 2', checksum, rest]), encoding='utf-8')
        self.refused(path, 'has format 2, and this Parity reads 1')
        path.write_text(rest, encoding='utf-8')
        self.refused(path, 'is no bundle')
        self.refused(self.folder / 'none', 'No such file')

    @needs('candle')
    def test_other_case_text(self):
        path = self.bundle()[3]
        case = self.cases / 'copy/layout.yaml'
        text = case.read_text(encoding='utf-8')
        case.write_text(text.replace('let c = v.copy()?;', 'let c = v.copy()?; let d = 1;'), encoding='utf-8')
        self.refused(path, 'copy/layout[column] of %s: it was made from other case text' % COLUMN)
        case.unlink()
        self.refused(path, 'there is no such case here')

    def test_what_cannot_be_recorded(self):
        done = parity('record', '--column', 'core')
        self.assertEqual(done.returncode, 3)
        self.assertIn('core/cpu is no judge', done.stderr)
        done = parity('record')
        self.assertEqual(done.returncode, 3)
        self.assertIn('which column?', done.stderr)


if __name__ == '__main__':
    unittest.main()
