"""What a program of the torch column may do wrong, and that the next one does not notice."""

import os
import signal
import subprocess
import time
import unittest

from worker_client import PROGRAM, PYTHON, Worker, WorkerTestCase, plain

SLOW = True  # loops and hangs take their deadlines


class IsolationTest(WorkerTestCase):
    def test_exceptions(self):
        shape = "shape '[3]' is invalid for input of size 2"
        # From Python 3.11 on with a column, in characters.
        columns = tuple(map(int, self.worker.ready['provenance']['python'].split('.'))) >= (3, 11)
        for program, error, line, column in (
                ('x = 1\nx.foo', "AttributeError: 'int' object has no attribute 'foo'", 2, 1),
                ('x = torch.ones(2); y = x; x.reshape(3)', 'RuntimeError: ' + shape, 1, 27),
                ('s = "張張"; torch.ones(2).reshape(3)', 'RuntimeError: ' + shape, 1, 11),
                ('def f():\n  torch.ones(2).reshape(3)\nf()', 'RuntimeError: ' + shape, 2, 3),
                ('raise SystemExit(3)', 'SystemExit: 3', 1, 1),
                ('raise KeyboardInterrupt', 'KeyboardInterrupt: ', 1, 1),
                ('import signal\nsignal.raise_signal(signal.SIGINT)\npass', 'KeyboardInterrupt: ', 2, 1),
                ('class E(Exception):\n  def __str__(self): raise ValueError\nraise E', 'E: ', 3, 1),
                ('raise ValueError("one\\ntwo")', 'ValueError: one', 1, 1)):
            with self.subTest(program):
                end = self.ends(program)['error']
                self.assertEqual(end['type'] + ': ' + end['text'], error)
                self.assertEqual((end['line'], end.get('column')), (line, column if columns else None))
        self.assertEqual(self.ends('x = 1\nx = = 1'), {'error': {
            'type': 'SyntaxError', 'text': 'invalid syntax', 'line': 2, 'column': 5}})
        self.still_serves()

    def test_recursion(self):
        self.assertEqual(self.ends('def f(): f()\nf()')['error']['type'], 'RecursionError')
        end = self.ends('import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()', memory=1 << 30)
        self.assertIn(next(iter(end)), ('error', 'crash'))
        self.assertEqual(self.ends('def f(): f()\nf()')['error']['type'], 'RecursionError')

    def test_memory(self):
        end = self.ends('torch.ones(10 * 2**30, dtype=torch.uint8)')
        self.assertEqual((end['error']['type'], end['error']['line']), ('RuntimeError', 1))
        self.assertIn('allocate', end['error']['text'])
        self.assertEqual(self.ends('bytearray(10 * 2**30)')['error']['type'], 'MemoryError')
        self.assertEqual(plain(self.value('x = torch.empty(5 * 2**30, dtype=torch.uint8)', 'x.numel()',
                                          memory=0)['value']), 5 * 2**30)

    def test_deaths(self):
        for program, text in {
                'import os\nos._exit(3)': 'exited with code 3',
                'import ctypes\nctypes.string_at(0)': 'SIGSEGV',
                'import os\nos.abort()': 'SIGABRT',
                'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)': 'SIGKILL',
                'import os\nos.closerange(0, 65536)': 'the program closed the channel of the worker',
                'import os\nos.fork() and os._exit(5)\nimport time; time.sleep(30)': 'exited with code 5',
                'import os\nfor fd in map(int, os.listdir("/proc/self/fd")):\n'
                '  if fd > 99: os.write(fd, b"x\\n")':
                    'the program wrote to the channel of the worker',
        }.items():
            with self.subTest(program):
                self.assertEqual(self.ends(program), {'crash': {'text': text}})
                self.still_serves()

    def test_cancel(self):
        for program in ('while True: pass', 'try:\n  while True: pass\nexcept BaseException: pass',
                        'import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))\n'
                        'while True: pass',
                        'import threading\nlock = threading.Lock(); lock.acquire(); lock.acquire()',
                        'import subprocess\nsubprocess.run(["sleep", "60"])'):
            with self.subTest(program):
                number = self.worker.send(program, 'x')
                time.sleep(0.1)
                start = time.monotonic()
                self.worker.line({'cancel': number})
                self.assertEqual(self.worker.receive(), {'id': number, 'cancelled': True})
                self.assertLess(time.monotonic() - start, 1)
                self.still_serves()
        self.worker.line({'cancel': self.worker.last})  # answered already
        self.still_serves()

    def test_prints_go_to_stderr(self):
        self.value('import os, sys\nprint("print" + "ed")\nos.write(1, b"writ" b"ten\\n")\n'
                   'os.system("echo she" "lled")', 'sys.stdin.read()')
        time.sleep(0.05)
        for word in (b'printed', b'written', b'shelled'):
            self.assertIn(word, self.worker.said)

    def test_other_device(self):
        answer = self.worker.ask('1', 'x', device='metal')
        self.assertIn('unsupported', answer['ends'])

    # What the next program finds

    def test_state_comes_back(self):
        read = ('[str(torch.get_default_dtype()), torch.is_grad_enabled(), torch.get_num_threads(), '
                'torch.are_deterministic_algorithms_enabled(), torch.rand(1).item(), len(warnings.filters), '
                'os.getcwd(), os.environ.get("LEFT"), sys.getrecursionlimit(), random.random(), '
                'str(torch.tensor(1/3)), torch.relu(torch.ones(1)).item(), len(sys.path), '
                'torch.is_inference_mode_enabled(), str(torch.ones(1).device), hasattr(torch, "left"), '
                'torch.nn.Linear(1, 1)(torch.zeros(1, 1)).numel(), gc.isenabled(), sys.stdout.fileno(), '
                'torch.tensor(1e-40).mul(1).item(), sys.getprofile() is None, print.__name__]')
        imports = 'import gc, os, random, sys, warnings'
        fresh = plain(self.value(imports, read, fresh=True)['value'])
        for change in (
                'torch.set_default_dtype(torch.float64)', 'torch.set_grad_enabled(False)',
                'torch.manual_seed(5); random.seed(5)', 'torch.rand(7); random.random()',
                'torch.use_deterministic_algorithms(True)', 'warnings.simplefilter("error")',
                'os.chdir("/")', 'os.environ["LEFT"] = "1"; del os.environ["PATH"]',
                'sys.setrecursionlimit(99)', 'torch.set_printoptions(precision=1)',
                'torch.relu = torch.neg; torch.left = 1', 'torch.Tensor.mul = None', 'sys.path.append("x")',
                'torch.inference_mode().__enter__()', 'getattr(torch, "set_default_device", print)("meta")',
                'torch.nn.modules.module.register_module_forward_hook(lambda *a: torch.ones(3))',
                'gc.disable()', 'sys.stdout = open(os.devnull)', 'torch.set_flush_denormal(True)',
                'torch.set_num_threads(3); torch.ones(10**6).add(1)', 'sys.setprofile(lambda *a: None)',
                'import builtins; builtins.print = len', 'sys.stdout.close()', 'os.close(1)',
                'torch.autograd.set_detect_anomaly(True)', 'torch._C._set_warnAlways(True)',
                'torch.rand = None', 'import torch.utils.data'):
            with self.subTest(change):
                self.value(f'{imports}\n{change}', '1')
                self.assertEqual(plain(self.value(imports, read)['value']), fresh)

    def test_what_runs_on_does_not_reach_the_next(self):
        mark = f'/tmp/parity-torch-{os.getpid()}'
        for program in (f'import threading\nt = threading.Timer(0.3, lambda: open("{mark}", "w")); t.start()',
                        f'import subprocess\nsubprocess.Popen("sleep 0.3; touch {mark}", shell=True)',
                        f'import os, time\nif os.fork() == 0: time.sleep(0.3); open("{mark}", "w")',
                        'import signal\nsignal.alarm(1)'):
            with self.subTest(program):
                self.value(program, '1')
                self.still_serves()
                time.sleep(1.1 if 'alarm' in program else 0.6)
                self.still_serves()
                self.assertFalse(os.path.exists(mark))

    def test_process_is_shared_unless_fresh(self):
        pids = [plain(self.value('import os', 'os.getpid()', **more)['value'])
                for more in ({}, {}, {'fresh': True}, {})]
        self.assertEqual(pids[0], pids[1])
        self.assertNotEqual(pids[1], pids[2])
        self.assertEqual(pids[2], pids[3])

    def test_memory_stays_flat(self):
        def resident():
            return plain(self.value('import os', 'int(open("/proc/self/statm").read().split()[1])')['value'])
        program = 'class A:\n  pass\na = A(); a.a = a; x = torch.ones(2**20)\ndef f(): return x'
        for _ in range(20):
            self.value(program, 'x')
        before = resident()
        for _ in range(100):
            self.value(program, 'x')
        self.assertLess(resident() - before, 8 << 20 >> 12)

    # Deaths from outside

    def test_kill_of_the_idle_child(self):
        child = plain(self.value('import os', 'os.getpid()')['value'])
        os.kill(child, signal.SIGKILL)
        self.still_serves()

    def test_kill_of_the_busy_child(self):
        child = plain(self.value('import os', 'os.getpid()')['value'])
        number = self.worker.send('import time\ntime.sleep(0.4)', '7')
        time.sleep(0.1)
        os.kill(child, signal.SIGKILL)
        self.assertEqual(self.worker.receive(), {'id': number, 'ends': {'value': None},
                                                 'observed': [{'value': {'int': '7'}}]})

    def test_kill_of_the_parent(self):
        worker = Worker()
        child = plain(worker.ask('import os', 'os.getpid()')['observed'][0]['value'])
        worker.send('while True: pass')
        worker.process.kill()
        worker.process.wait()
        for _ in range(100):
            if not os.path.exists(f'/proc/{child}') or zombie(child):
                break
            time.sleep(0.01)
        else:
            self.fail('the child outlived its parent')
        worker.close()

    def test_end_of_input(self):
        worker = Worker()
        worker.send('import time; time.sleep(0.2)', '1')
        worker.process.stdin.close()
        self.assertEqual(worker.receive()['observed'], [{'value': {'int': '1'}}])
        self.assertEqual(worker.process.wait(10), 0)
        worker.close()

    def test_in_one_process(self):
        worker = Worker('--no-fork')
        self.assertFalse(worker.ready['cancel'] or worker.ready['fresh'])
        answers = [worker.ask('torch.set_grad_enabled(False); print(1)', 'torch.is_grad_enabled()'),
                   worker.ask('', 'torch.is_grad_enabled()')]
        self.assertEqual([a['observed'][0]['value'] for a in answers], [{'bool': False}, {'bool': True}])
        self.assertEqual(worker.close(), 0)

    def test_usage_and_wrong_python(self):
        for arguments, code, word in (([], 3, b'usage'), (['/nowhere/python'], 1, b'parity-torch-worker: '),
                                      ([PYTHON, '--fork'], 3, b'usage')):
            done = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                                  env={'PATH': '/usr/bin:/bin'}, check=False)
            self.assertEqual((done.returncode, done.stdout), (code, b''))
            self.assertIn(word, done.stderr)


def zombie(pid):
    with open(f'/proc/{pid}/stat', encoding='utf-8') as file:
        return file.read().rsplit(')', 1)[1].split()[0] == 'Z'


if __name__ == '__main__':
    unittest.main()
