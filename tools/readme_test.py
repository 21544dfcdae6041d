"""What README.md shows is what the program prints.

In a block marked `console` every line `$ ./parity …` is run, and its output must equal the lines that
follow. A line `…` stands for any lines, and times are not compared. `try` prints a column as soon as it
is ready: there each line must occur, in any order.
"""
import os
import pathlib
import re
import shlex
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = pathlib.Path(os.environ['PARITY_BUILD']) / 'harness/cli/parity'
COMMAND = '$ ./parity '


def blocks(page):
    return re.findall(r'^```console\n(.*?)^```$', page.read_text(encoding='utf-8'), re.M | re.S)


def commands(block):
    """(command line, lines that it prints) of a block. A command goes on after a backslash."""
    found = []
    for line in block.replace('\\\n', ' ').splitlines():
        if line.startswith(COMMAND):
            found.append((line[len(COMMAND):], []))
        elif found:
            found[-1][1].append(line)
    return found


def pattern(lines):
    """A regular expression for the lines."""
    parts = []
    for line in lines:
        if line.strip() == '…':
            parts.append(r'(?:.*\n)*?')
        else:
            parts.append(re.sub(r'\d+\\\.\d+\\ (m?s)\b', r'[\\d.]+ \1', re.escape(line)) + r'[ ]*\n')
    return ''.join(parts)


class Readme(unittest.TestCase):
    def test_the_output_shown_is_the_output(self):
        shown = [each for block in blocks(ROOT / 'README.md') for each in commands(block)]
        self.assertGreaterEqual(len(shown), 2)
        for command, lines in shown:
            if not lines or command == 'test':
                continue
            with self.subTest(command):
                done = subprocess.run([PROGRAM, *shlex.split(command)], cwd=ROOT, capture_output=True,
                                      stdin=subprocess.DEVNULL, text=True, timeout=300)
                if command.startswith('try '):
                    self.assertLessEqual(set(lines) - {'…'}, set(done.stdout.splitlines()))
                else:
                    self.assertRegex(done.stdout, r'\A%s\Z' % pattern(lines), done.stderr)


if __name__ == '__main__':
    unittest.main()
