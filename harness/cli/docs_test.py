"""parity docs: pages come from runs, and say so when they no longer do."""
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile
import unittest

from command import PROGRAM, ROOT, needs, parity

MARKER = re.compile(r'^(?P<prefix>[ >]*)<!-- parity: .* -->\n', re.M)

CASE = '''title: t
torch: |
  x = torch.tensor([1.5, 2.0])
candle: |
  let x = Tensor::new(&[1.5f32, 2.0], &dev)?;
rows:
  - id: x
    torch:  'x = {x}'
    candle: 'x: {x}'
  - id: y
    candle: 'y: {x}'
'''

# The words of a marker, and where and what is wrong with them.
WRONG = [
    ('transcipt c', '14: there is no report `transcipt` for pages; did you mean `transcript`?'),
    ('json c', '14: there is no report `json` for pages'),
    ('transcript sampel', '25: there is no case `sampel`, did you mean `sample`?'),
    ('transcript c rows=x,z', '34: there is no row `z`'),
    ('transcript c column=cor', '34: there is no column `cor`'),
    ('transcript c colunm=core', '27: `colunm` is no key, did you mean `column`?'),
    ('transcript c anchor=a', '27: a region of transcript takes no `anchor`'),
    ('code c column=core anchor=a', '40: no line `ANCHOR: a` is in the program'),
    ('transcript c lang=fr', '32: lang= takes en or zh'),
    ('transcript c column=core caption=versoin',
     '47: nothing is known as `versoin`, did you mean `version`?'),
    ('transcript c column=core head=a,b', '39: more heads (2) than blocks to print (1)'),
    ('compiler c column=core', '1: there is nothing to show'),
    ('flow c column=core', '1: there is nothing to show'),
    ('intents c column=core', '1: there is nothing to show'),
]


def emptied(text):
    """The page without what stands in its regions."""
    return re.sub(r'(<!-- parity: [^\n]* -->\n).*?(<!-- /parity -->)', r'\1\2', text, flags=re.S)


class Docs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / 'cases').mkdir()
        (self.folder / 'cases/c.yaml').write_text(CASE, encoding='utf-8')
        (self.folder / 'cases/sample.yaml').write_text(CASE, encoding='utf-8')
        self.page = self.folder / 'page.md'

    def docs(self, *arguments):
        return parity('docs', '--cases', self.folder / 'cases', *arguments, self.page)

    def write(self, text):
        self.page.write_bytes(text.encode())
        return self.docs()

    def read(self):
        return self.page.read_bytes().decode()

    def expect_error(self, text, message, code=3):
        done = self.write(text)
        self.assertIn(message, done.stderr)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(self.read(), text)

    def test_the_rest_stays_byte_for_byte(self):
        text = ('a  \r\n\r\n> 1. <!-- parity: transcript c column=core/cpu rows=x -->\r\n>    old\x00\xe9\r\n'
                '>    <!-- /parity -->\t\r\n~~~rust\r\n<!--parity: code c column=core/cpu-->\r\n'
                '<!-- /parity -->\r\n~~~\r\n```md\r\n<!-- parity: nonsense -->\r\n```\r\nlast')
        done = self.write(text)
        self.assertEqual(done.returncode, 1)
        self.assertIn('page.md:3:6: these lines were edited by hand', done.stderr)
        self.assertEqual(self.docs('--force').returncode, 0)
        sums = re.compile(r' sum=[0-9a-f]{16}')
        expected = (text.replace('>    old\x00\xe9\r\n', '>    ```text\r\n>    x: [1.5, 2.0]\r\n>    ```\r\n')
                    .replace('core/cpu-->\r\n',
                             'core/cpu-->\r\nlet x = Tensor::new(&[1.5f32, 2.0], &dev)?;\r\n'))
        self.assertEqual(sums.sub('', self.read()), expected)
        before = self.page.stat()
        self.assertEqual(self.docs().returncode, 0)
        self.assertEqual(self.page.stat().st_ino, before.st_ino, 'written although nothing changed')

    def test_an_edit_by_hand_stays(self):
        self.assertEqual(self.write('<!-- parity: transcript c column=core/cpu rows=x -->\n<!-- /parity -->\n'
                                    '<!-- parity: transcript c column=core/cpu rows=y -->\n<!-- /parity -->\n'
                                    ).returncode, 0)
        right = self.read()
        edited = right.replace('x: [1.5', 'x: [1.6').replace('y: [1.5, 2.0]\n', '')
        self.page.write_text(edited, encoding='utf-8')
        done = self.docs('--check')
        self.assertEqual(done.returncode, 1)
        self.assertIn('page.md:3:\n  - x: [1.6, 2.0]\n  + x: [1.5, 2.0]\n', done.stdout)
        self.assertIn('page.md:8:\n  + y: [1.5, 2.0]\n', done.stdout)
        self.assertEqual(self.read(), edited)
        done = self.docs()
        self.assertEqual((done.returncode, self.read()), (1, edited))
        self.assertIn('page.md:1:1: these lines were edited by hand', done.stderr)
        self.assertIn('page.md:6:1: these lines were edited by hand', done.stderr)
        self.assertEqual((self.docs('--force').returncode, self.read()), (0, right))

    def test_another_outcome_is_a_difference(self):
        self.write('- <!-- parity: transcript c column=core/cpu rows=x -->\n  <!-- /parity -->\n')
        case = self.folder / 'cases/c.yaml'
        case.write_text(CASE.replace('1.5f32', '1.25f32'), encoding='utf-8')
        done = self.docs('--check')
        self.assertEqual(done.returncode, 1)
        self.assertIn('page.md:3:\n  -   x: [1.5, 2.0]\n  +   x: [1.25, 2.0]\n', done.stdout)

    def test_wrong_markers_have_places(self):
        for words, message in WRONG:
            with self.subTest(words):
                self.expect_error('<!-- parity: %s -->\n<!-- /parity -->\n' % words, 'page.md:1:' + message)
        self.expect_error('<!-- parity: transcript c -->\n', 'page.md:1:1: this region is not closed')

    def test_all_wrong_markers_are_told(self):
        done = self.write('<!-- parity: transcript a -->\n<!-- /parity -->\n'
                          '<!-- parity: transcript b -->\n<!-- /parity -->\n')
        self.assertIn('page.md:1:25', done.stderr)
        self.assertIn('page.md:3:25', done.stderr)

    def test_a_failure_changes_no_page(self):
        """The first region is right, the second one is not: the page stays as it was."""
        self.expect_error('<!-- parity: transcript c column=core rows=x -->\n<!-- /parity -->\n'
                          '<!-- parity: code c column=core anchor=a -->\n<!-- /parity -->\n', 'page.md:3:40')

    def test_mode_and_links_are_kept(self):
        target = self.folder / 'target.md'
        target.write_text('<!-- parity: transcript c column=core -->\n<!-- /parity -->\n', encoding='utf-8')
        target.chmod(0o640)
        self.page.symlink_to(target)
        self.assertEqual(self.docs().returncode, 0)
        self.assertTrue(self.page.is_symlink())
        self.assertIn('x: [1.5, 2.0]', target.read_text(encoding='utf-8'))
        self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o640)

    @needs('torch')
    def test_an_edit_during_the_run_stays(self):
        case = self.folder / 'cases/c.yaml'
        edit = '  with open(%r, "a") as page: page.write("late")\n' % str(self.page)
        case.write_text(CASE.replace('torch: |\n', 'torch: |\n' + edit), encoding='utf-8')
        text = '<!-- parity: transcript c column=torch rows=x -->\n<!-- /parity -->\n'
        done = self.write(text)
        self.assertIn('page.md was edited while the cases ran', done.stderr)
        self.assertEqual((done.returncode, self.read()), (3, text + 'late'))

    def test_two_at_once(self):
        text = '<!-- parity: transcript c column=core/cpu rows=x -->\n<!-- /parity -->\nrest\n'
        self.page.write_text(text, encoding='utf-8')
        command = [PROGRAM, 'docs', '--cases', self.folder / 'cases', self.page]
        several = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(4)]
        self.assertLessEqual({one.wait() for one in several}, {0, 3})
        self.assertEqual(emptied(re.sub(' sum=[0-9a-f]+', '', self.read())), text)
        self.assertIn('x: [1.5, 2.0]\n', self.read())
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ['cases', 'page.md'])

    def test_no_page_or_no_region(self):
        self.assertEqual(parity('docs').returncode, 3)
        self.assertEqual(parity('docs', self.folder / 'absent.md').returncode, 3)
        done = parity('docs', self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertIn('cannot be read: Is a directory', done.stderr)
        done = self.write('nothing here\n')
        self.assertEqual((done.returncode, self.read()), (0, 'nothing here\n'))
        self.assertIn('page.md has no region', done.stderr)

    @needs('candle')
    def test_a_refused_program(self):
        case = self.folder / 'cases/c.yaml'
        case.write_text('title: t\ncandle: |\n  let x: i32 = "a";\nends: {candle: {refused: E0308}}\n',
                        encoding='utf-8')
        self.assertEqual(self.write('<!-- parity: compiler c -->\n<!-- /parity -->\n').returncode, 0)
        self.assertIn('```text\nerror[E0308]: mismatched types\n', self.read())
        self.assertIn('let x: i32 = "a";', self.read())
        self.assertNotIn(str(ROOT), self.read())


@needs('candle', 'torch')
class Pages(unittest.TestCase):
    """The pages of the project."""
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copytree(ROOT / 'docs/pages', self.folder / 'pages')
        shutil.copytree(ROOT / 'cases', self.folder / 'cases')
        self.pages = sorted((self.folder / 'pages').glob('*.md'))

    def docs(self, *arguments):
        return parity('docs', '--cases', self.folder / 'cases', *arguments, *self.pages)

    def test_emptied_regions_are_restored(self):
        texts = [page.read_text(encoding='utf-8') for page in self.pages]
        for page, text in zip(self.pages, texts):
            self.assertLess(len(emptied(text)), len(text))
            page.write_text(emptied(text), encoding='utf-8')
        done = self.docs()
        self.assertEqual(done.returncode, 0, done.stderr)
        for page, text in zip(self.pages, texts):
            self.assertEqual(page.read_text(encoding='utf-8'), text, page.name)

    def test_a_recorded_digit_is_noticed(self):
        record = self.folder / 'cases/pages/snapshot.out'
        text = record.read_text(encoding='utf-8')
        metal = text.index('candle@0.11.0/metal')
        changed = text[:metal] + text[metal:].replace('AAAAPwAAwD8=', 'AACAPwAAwD8=', 1)
        record.write_text(changed, encoding='utf-8')
        done = self.docs('--check')
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r'snapshot\.en\.md:\d+:\n'
                                      r'  - weight after step      \[\[0\.5, 1\.5\]\]\n'
                                      r'  \+ weight after step      \[\[1\.0, 1\.5\]\]')

    def test_what_does_not_hold_is_no_page(self):
        """A record that the run contradicts: the page would still be the same, but it is not proved."""
        record = self.folder / 'cases/pages/references.out'
        text = record.read_text(encoding='utf-8')
        self.assertIn('bool false', text)
        record.write_text(text.replace('bool false', 'bool true', 1), encoding='utf-8')
        done = self.docs('--check')
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr,
                         r'references\.en\.md:\d+:1: changed \(record\) in pages/references, row')

    def test_pages_say_nothing_by_hand(self):
        """Digits, errors and tables of a page stand in its regions."""
        for page in self.pages:
            outside = emptied(page.read_text(encoding='utf-8'))
            self.assertNotRegex(outside, r'TensorId\(|Err\(|error\[E|^\|', page.name)
            self.assertEqual(outside.count('```'), 0, page.name)

    def test_both_languages_have_the_same_regions(self):
        for page in self.pages:
            if not page.name.endswith('.en.md'):
                continue
            other = page.with_name(page.name.replace('.en.', '.zh.'))
            kinds = [[re.sub(r' (lang=zh|sum=\S+|head="[^>]*")', '', marker) for marker in
                      re.findall(r'<!-- (parity: .*) -->', each.read_text(encoding='utf-8'))]
                     for each in (page, other)]
            self.assertEqual(kinds[0], kinds[1], page.name)


if __name__ == '__main__':
    unittest.main()
