"""parity show on terminals of several widths, with an engine that needs no library."""
import os
import pathlib
import re
import sys
import tempfile
import unicodedata
import unittest

from command import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / 'tools/test'))
import terminal  # noqa: E402

TOY = ROOT / 'harness/run/testing/toy_engine.py'
CASE = '''title: {en: Widths, zh: 宽度}
about:
  en: >-
    A sentence that is longer than eighty columns and so has to go on in a second line of it, which is not
    a line of its own.
  zh: 引用看得见原地写，克隆是一份拷贝，所以这一句长得要在终端里换一行才放得下，换行不可以把标点留在行首。
torch: |
  # 中文注释：两个字符宽
  x = [1.0, 2.0]
  long = [1000001, 1000002, 1000003, 1000004, 1000005, 1000006, 1000007, 1000008, 1000009, 1000010]
candle: |
  // 中文注释
  let x = vec![1.0, 2.0];
rows:
  - id: x
    torch:  '值 {x}'
    candle: '值 {x}'
'''


def cells(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in 'WF' else 1
               for c in text)


def on_terminal(width, *arguments):
    """The lines on a terminal that is so wide, without colours."""
    code, text = terminal.run([PROGRAM, *arguments], width, {**os.environ, 'NO_COLOR': '1'})
    assert code in (0, 1, 2), 'exit code %d\n%s' % (code, text)
    return re.sub(r'\r[^\n]*?\x1b\[K', '', text).splitlines()


class Show(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (cls.folder / 'wide.yaml').write_text(CASE, encoding='utf-8')

    def show(self, width, *arguments):
        engines = ['--engine=%s=%s %s' % (name, sys.executable, TOY)
                   for name in ('toy:torch', 'other:candle')]
        return on_terminal(width, 'show', '--cases', self.folder, *engines, '--column', 'toy',
                           '--column', 'other', *arguments, 'wide')

    def test_side_by_side_when_wide(self):
        for width in 110, 140, 200:
            lines = self.show(width)
            beside = [line for line in lines if '│' in line]
            self.assertTrue(any('x = [1.0, 2.0]' in line and '│' in line for line in lines), lines)
            programs = beside[:beside.index(next(line for line in beside if line.startswith('== ')))]
            self.assertEqual(len({cells(line[:line.index('│')]) for line in programs}), 1, programs)
            self.assertLessEqual(max(map(cells, lines)), width)

    def test_a_long_line_goes_on(self):
        lines = self.show(110)
        left = [line.split('│')[0].rstrip() for line in lines if '│' in line]
        start = next(i for i, line in enumerate(left) if line.startswith('long = '))
        self.assertTrue(left[start + 1].startswith('↪ '), left)
        self.assertIn('1000010]', left[start] + left[start + 1])

    def test_one_above_the_other_when_narrow(self):
        for width in 80, 100:
            lines = self.show(width)
            self.assertFalse([line for line in lines if '│' in line])
            heads = [next((i for i, line in enumerate(lines) if line.startswith('--- ' + name)), None)
                     for name in ('torch', 'candle')]
            self.assertNotIn(None, heads, '\n'.join(lines))
            torch, candle = heads
            self.assertLess(torch, candle)
            # A program's line is the program's: it is never broken, so that it can be copied.
            code = lines[torch + 1:candle]
            self.assertIn('# 中文注释：两个字符宽', code)
            self.assertTrue(any(line.endswith('1000010]') and line.startswith('long') for line in code))
            for line in lines[:torch] + lines[candle:]:
                self.assertLessEqual(cells(line), width, line)

    def test_chinese_sentences_wrap(self):
        about = self.show(80, '--lang', 'zh')[1:3]
        self.assertEqual(len(about), 2)
        self.assertGreater(cells(about[0]), 74)
        self.assertLessEqual(cells(about[0]), 80)
        self.assertNotIn(about[1][0], '，。、')

    def test_both_columns_and_the_relations_are_shown(self):
        lines = self.show(140)
        self.assertTrue(any(re.match(r'== toy\S* +│ == other', line) for line in lines), lines)
        self.assertTrue(any('值 [1.0, 2.0]' in line for line in lines), lines)


if __name__ == '__main__':
    unittest.main()
