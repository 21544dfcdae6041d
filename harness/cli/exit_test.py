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
        self.assertIn("NameError at line 1: name 'nothing' is not defined", done.stdout)

    @needs('core')
    def test_snippet_is_given_no_advice_on_case_files(self):
        done = parity('try', '--candle', 'Tensor::zeros(2, DType::F32, &dev)?.reshape(3)?', '--column',
                      'core/cpu')
        self.assertIn('undocumented', done.stdout)
        self.assertNotIn('`ends:`', done.stdout)

    @needs('core')
    def test_snippet_says_where_and_only_once_why(self):
        done = parity('try', '--candle', 'let a = 1;\nlet b = match a { _ => 2 };', '--row', 'b',
                      '--column', 'core/cpu')
        self.assertIn('unsupported at line 2: `match`', done.stdout)
        done = parity('try', '--candle', 'Tensor::zeros(2, DType::F32, &dev)?.reshape(3)?', '--column',
                      'core/cpu')
        self.assertEqual(done.stdout.count('shape mismatch'), 1, done.stdout)
        self.assertNotIn('row1', done.stdout)

    @needs('core', 'torch')
    def test_snippet_hints(self):
        for arguments, hint in [
                (['--candle', 'fn main() { }'], 'nothing calls the one in it'),
                (['--candle', 'Tensor::randn(0f32, 1., 3, &dev)?'], 'without a seed'),
                (['--torch', 'torch.ones(2)'], 'give both --torch and --candle')]:
            self.assertRegex(parity('try', *arguments).stdout, '\nhint: .*' + hint)
        done = parity('try', '--candle', 'let x = 1;', '--row', 'x', '--torch', 'x = 1')
        self.assertNotIn('hint', done.stdout)

    def test_snippet_given_wrongly(self):
        for arguments, message in [
                (['--torch', ' '], 'parity: the text behind --torch is empty'),
                (['--torch', 'x = 1', 'my.yaml'], 'parity: try takes one file, or a snippet'),
                (['/nowhere/my.yaml'], "parity: there is no file '/nowhere/my.yaml'"),
                (['/tmp'], 'a folder of cases is given to --cases')]:
            done = parity('try', *arguments)
            self.assertEqual(done.returncode, 3, arguments)
            self.assertIn(message, done.stderr)

    @needs('core')
    def test_command_that_runs_it_again(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, 'mine.yaml')
            file.write_text('title: t\ncandle: |\n  let x = 1;\n  panic!("no");\n', encoding='utf-8')
            done = parity('run', '--cases', folder, '--column', 'core/cpu')
            self.assertIn(f'{file}:4:3\n    ./parity run mine --cases {folder} --column core/cpu\n',
                          done.stdout)
            again = parity('run', 'mine', '--cases', folder, '--column', 'core/cpu')
            self.assertEqual((again.returncode, done.returncode), (1, 1))
            done = parity('run', file, '--column', 'core/cpu')
            self.assertIn(f'./parity run {file} --column core/cpu\n', done.stdout)

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
