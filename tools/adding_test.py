"""docs/adding.md, followed literally: every file is saved, every command typed, its output compared."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / 'harness/cli'), str(ROOT / 'tools')]
import command  # noqa: E402
import readme_test  # noqa: E402

SLOW = True  # starts PyTorch and compiles at every step
TUTORIAL = '## A case, in five minutes\n'


def steps():
    """(text before, kind of block, block) of the tutorial."""
    page = (ROOT / 'docs/adding.md').read_text(encoding='utf-8')
    start = page.index(TUTORIAL) + len(TUTORIAL)
    tutorial = page[start:page.index('\n## ', start)]
    found, at = [], 0
    while (match := re.compile(r'^```(\w+)\n(.*?)^```$', re.M | re.S).search(tutorial, at)):
        found.append((tutorial[at:match.start()], match.group(1), match.group(2)))
        at = match.end()
    return found


class Adding(unittest.TestCase):
    def setUp(self):
        """A checkout with cases of its own, made of links to this one."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for path in ROOT.iterdir():
            if path.name not in ('cases', '.git'):
                (self.root / path.name).symlink_to(path)
        shutil.copytree(ROOT / 'cases', self.root / 'cases')
        self.file = None

    def save(self, text, block):
        named = re.search(r'Save this as `([^`]+)`', text)
        if named:
            self.file = self.root / named.group(1)
            self.assertFalse(self.file.exists(), 'the tutorial would overwrite a case')
            self.file.parent.mkdir(exist_ok=True)
            self.file.write_text(block, encoding='utf-8')
        else:
            self.assertIn('Add these lines', text)
            with self.file.open('a', encoding='utf-8') as file:
                file.write(block)

    def type(self, line, expected):
        environment = {**os.environ, 'PARITY_ROOT': str(self.root)}
        done = subprocess.run([command.PROGRAM, *shlex.split(line)], cwd=self.root, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        shown = done.stdout.replace(str(self.root) + '/', '')
        self.assertRegex(shown, r'\A%s\Z' % readme_test.pattern(expected), done.stderr)

    @command.needs('core', 'candle', 'torch')
    def test_a_newcomer_adds_a_case(self):
        kinds = [kind for _, kind, _ in steps()]
        self.assertEqual(kinds.count('yaml'), 2)
        self.assertGreaterEqual(kinds.count('console'), 5)
        for text, kind, block in steps():
            if kind == 'yaml':
                self.save(text, block)
                continue
            for line, expected in readme_test.commands(block):
                with self.subTest(line):
                    self.type(line, expected)
        self.assertTrue(self.file.with_suffix('.out').exists())


if __name__ == '__main__':
    unittest.main()
