"""parity watch: a case is saved, and only what the edit touches runs again."""
import os
import pathlib
import queue
import subprocess
import tempfile
import threading
import time
import unittest

from command import PROGRAM, needs

CASE = '''title: t
torch: |
  x = torch.ones(2)
candle: |
  let x = Tensor::ones(2, DType::F32, &dev)?;
rows:
  - id: x
    torch:  'x = {x}'
    candle: 'x: {x}'
'''
VERDICT = 'not judged;'  # of the line that ends a verdict


class Watch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.save('watched', CASE)
        self.save('other', CASE)

    def save(self, name, text):
        """As editors do it: the new file takes the old one's place."""
        part = self.folder / (name + '.part')
        part.write_text(text, encoding='utf-8')
        part.rename(self.folder / (name + '.yaml'))

    def start(self, *arguments):
        self.program = subprocess.Popen(
            [PROGRAM, 'watch', '--cases', self.folder, *arguments], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ))
        self.addCleanup(self.program.stdout.close)
        self.addCleanup(self.program.wait)
        self.addCleanup(self.program.kill)
        self.lines = queue.Queue()
        threading.Thread(target=lambda: [self.lines.put(line) for line in self.program.stdout],
                         daemon=True).start()
        self.until('watching')

    def until(self, text, seconds=60):
        """The lines up to the first one with the text."""
        got = []
        deadline = time.monotonic() + seconds
        while not got or text not in got[-1]:
            try:
                got.append(self.lines.get(timeout=max(0.01, deadline - time.monotonic())))
            except queue.Empty:
                self.fail('%r was not printed: %s' % (text, ''.join(got)))
        return ''.join(got)

    def test_a_saved_case_is_judged(self):
        self.start('--column', 'core')
        self.save('watched', CASE.replace('ones(2, D', 'zeros(2, D'))
        text = self.until(VERDICT)
        self.assertIn('\nwatched\n', '\n' + text)
        self.assertIn('x: [0.0, 0.0]', text)
        self.assertNotIn('other', text)
        self.save('other', CASE.replace('ones(2, D', 'zeros(2, D'))
        self.assertIn('\nother\n', '\n' + self.until(VERDICT))

    def test_a_sentence_runs_nothing(self):
        self.start('--column', 'core')
        self.save('watched', CASE)
        self.assertIn('(core/cpu after', self.until(VERDICT))
        self.save('watched', CASE.replace('title: t', 'title: another'))
        text = self.until(VERDICT)
        self.assertIn('watched', text)
        self.assertNotIn('after', text)

    def test_a_mistake_is_told_and_then_mended(self):
        self.start('--column', 'core')
        self.save('watched', CASE.replace('title', 'titel'))
        self.assertIn('watched.yaml:1:1', self.until('did you mean'))
        self.save('watched', CASE)
        self.assertIn('x: [1.0, 1.0]', self.until(VERDICT))

    def test_a_save_in_place_is_one(self):
        """The file is empty for a moment, which is no mistake of its author."""
        self.start('--column', 'core')
        with open(self.folder / 'watched.yaml', 'w', encoding='utf-8') as file:
            time.sleep(0.3)
            file.write(CASE.replace('ones(2, D', 'zeros(2, D'))
        text = self.until(VERDICT)
        self.assertIn('x: [0.0, 0.0]', text)
        self.assertNotIn('is empty', text)

    def test_a_new_case_is_seen(self):
        self.start('--column', 'core', 'new')
        self.save('watched', CASE.replace('ones', 'zeros'))  # does not match
        self.save('new', CASE)
        text = self.until(VERDICT)
        self.assertIn('new\n', text)
        self.assertNotIn('watched', text)

    @needs('candle')
    def test_only_one_language_runs_again(self):
        self.start('--column', 'core', '--column', 'candle')
        self.save('watched', CASE)
        text = self.until(VERDICT)
        self.assertIn('(core/cpu after', text)
        self.assertIn('(candle@', text)
        self.save('watched', CASE.replace('torch.ones', 'torch.zeros'))
        self.assertNotIn('after', self.until(VERDICT))
        self.save('watched', CASE.replace('Tensor::ones', 'Tensor::zeros'))
        text = self.until(VERDICT)
        self.assertIn('(core/cpu after', text)
        self.assertIn('(candle@', text)


if __name__ == '__main__':
    unittest.main()
