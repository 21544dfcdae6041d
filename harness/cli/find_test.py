"""parity find: from parsed programs, with places."""
import pathlib
import tempfile
import unittest

from command import parity

CASES = {
    'one.yaml': '''title: {en: One, zh: 一}
torch: |
  # x.hidden()
  x = torch.ones(2).clone(); s = "y.hidden()"
candle: |
  let x = Tensor::ones(2, DType::F32, &dev)?; // 中 x.hidden()
  let 中 = x.clone();
rows:
  - id: r
    torch:  '{x.chunk(2)[0]}'
    candle: '{x.clone()}'
    finding: {en: Why one., zh: 为什么。}
    devices: {metal: Why there.}
''',
    'two.yaml': '''title: Two
matrix:
  op:
    a: {torch: 'torch.chunk(x, 2)', candle: 'x.chunk(2, 0)?'}
    b: {torch: 'x.neg()', candle: 'x.neg()?'}
torch: |
  x = torch.ones(2)
  y = ${op}
candle: |
  let x = Tensor::ones(2, DType::F32, &dev)?;
  let y = ${op};
''',
}


class Find(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name, text in CASES.items():
            (cls.folder / name).write_text(text, encoding='utf-8')

    def find(self, name, *arguments):
        done = parity('find', '--cases', self.folder, *arguments, name)
        return done.stdout.replace(str(self.folder) + '/', ''), done

    def test_places_and_findings(self):
        text, done = self.find('clone')
        self.assertEqual(done.returncode, 0)
        self.assertEqual(text, 'one  One\n'
                               '  one.yaml:4:21: torch: x = torch.ones(2).clone(); s = "y.hidden()"\n'
                               '  one.yaml:7:13: candle: let 中 = x.clone();\n'
                               '  one.yaml:11:17: candle: x.clone()\n'
                               '  finding, r: Why one.\n'
                               '  metal, r: Why there.\n\n'
                               '1 case, 1 with a finding; parity show CASE runs one\n')

    def test_chinese(self):
        self.assertIn('one  一\n', self.find('clone', '--lang', 'zh')[0])
        self.assertIn('finding, r: 为什么。\n', self.find('clone', '--lang', 'zh')[0])

    def test_comments_and_strings_do_not_count(self):
        text, done = self.find('hidden')
        self.assertEqual((text, done.returncode), ('', 3))
        self.assertIn("no case calls 'hidden'", done.stderr)

    def test_a_function_finds_the_method(self):
        text, _ = self.find('torch.chunk')
        self.assertIn('one.yaml:10:17: torch: x.chunk(2)[0]', text)
        self.assertIn('two.yaml:', text)
        self.assertIn('2 cases, 1 with a finding', text)
        self.assertNotIn('candle: let y', text)

    def test_combinations_are_one_case(self):
        text, _ = self.find('neg')
        self.assertEqual(text.count('two  Two\n'), 1)
        self.assertIn('1 case, 0 with a finding', text)

    def test_ways_to_write_it(self):
        expected = self.find('chunk')[0]
        for name in ('.chunk', 'chunk()'):
            self.assertEqual(self.find(name)[0], expected)
        self.assertIn('one', self.find('Tensor::ones')[0])
        self.assertEqual(self.find('candle_core::Tensor::ones')[0], self.find('Tensor::ones')[0])
        for name in ('torch.Tensor.clone', 'Tensor.clone'):
            self.assertIn('one.yaml:4:21: torch', self.find(name)[0])
            self.assertNotIn('candle: ', self.find(name)[0])
        self.assertIn('one.yaml:7:13: candle', self.find('candle_core::Tensor::clone')[0])
        self.assertEqual(self.find('Var::ones')[0], '')

    def test_the_nearest_name(self):
        self.assertIn("did you mean 'chunk'?", self.find('chunks')[1].stderr)
        self.assertEqual(parity('find').returncode, 3)
        self.assertIn("did you mean 'chunk'?", self.find('torch.nn.functional.chunks')[1].stderr)
        self.assertIn("'vec!' is a macro", self.find('vec!')[1].stderr)


if __name__ == '__main__':
    unittest.main()
