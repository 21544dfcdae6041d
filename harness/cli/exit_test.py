"""End to end: exit codes of what cannot be judged, of snippets, and of bad files."""
import os
import pathlib
import stat
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from command import needs, parity


class ExitCodes(unittest.TestCase):
    @needs('core')
    def test_engine_that_does_not_start(self):
        done = parity('run', 'clone/handle', '--engine', 'mine:candle=/nonexistent/engine')
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn('mine/cpu', done.stdout)

    @needs('torch')
    def test_snippet(self):
        done = parity('try', '--torch', 'nothing', '--column', 'torch')
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("NameError: name 'nothing' is not defined", done.stdout)

    @needs('core')
    def test_snippet_is_given_no_advice_on_case_files(self):
        done = parity('try', '--candle', 'Tensor::zeros(2, DType::F32, &dev)?.reshape(3)?', '--column',
                      'core/cpu')
        self.assertIn('undocumented', done.stdout)
        self.assertNotIn('`ends:`', done.stdout)

    @needs('core', 'candle', 'torch')
    def test_snippet_shows_what_it_prints(self):
        done = parity('try', '--torch', 'print("from Python")', '--candle', 'println!("from Rust");')
        self.assertIn('torch@2.15.0/cpu\n  | from Python\n', done.stdout)
        for column in 'core/cpu', 'candle@0.11.0/cpu':
            self.assertIn(column + '\n  | from Rust\n', done.stdout)

    @needs('core', 'torch')
    def test_snippet_leaves_out_what_knows_nothing_of_it(self):
        done = parity('try', '--torch', 'x = torch.ones(2)', '--candle',
                      'let x = Tensor::ones(2, DType::F32, &dev)?;', '--row', '{x}')
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn('libtorch', done.stdout)
        self.assertNotIn('metal-soft', done.stdout)
        asked = parity('try', '--candle', 'let x = 1;', '--row', 'x', '--column', 'core')
        self.assertIn('metal-soft', asked.stdout)

    @needs('core')
    def test_snippet_with_nothing_to_compare(self):
        done = parity('try', '--candle', 'let x = 1 + 1;', '--row', 'x', '--column',
                      'core/cpu')
        self.assertEqual(done.returncode, 2, done.stdout)

    @needs('core')
    def test_report_into_what_is_no_file(self):
        run = 'run', 'clone/handle', '--column', 'core/cpu', '--report'
        with tempfile.TemporaryDirectory() as folder:
            pipe, out = os.path.join(folder, 'pipe'), []
            os.mkfifo(pipe)
            reader = threading.Thread(target=lambda: out.append(pathlib.Path(pipe).read_text()))
            reader.start()
            done = parity(*run, 'json=' + pipe)
            reader.join(10)
            self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode), 'the pipe was replaced')
        self.assertTrue(out and out[0].startswith('{'), done.stderr)
        if os.path.exists('/dev/full') and os.getuid():  # root could replace a device
            done = parity(*run, 'json=/dev/full')
            self.assertEqual(done.returncode, 3, done.stdout)
            self.assertIn('/dev/full cannot be written: No space left', done.stderr)

    def test_list_of_a_bad_file(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, 'bad.yaml').write_text('title: t\n', encoding='utf-8')
            pathlib.Path(folder, 'good.yaml').write_text('title: t\ncandle: let x = 1;\n',
                                                         encoding='utf-8')
            done = parity('list', '--cases', folder)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn('good', done.stdout)
        self.assertIn('bad.yaml:1:1: the case needs a program', done.stderr)


if __name__ == '__main__':
    unittest.main()
