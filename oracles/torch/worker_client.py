"""For the tests: the torch worker, spoken to in its protocol."""

import base64
import json
import os
import pathlib
import struct
import subprocess
import threading
import unittest

ROOT = pathlib.Path(os.environ.get('PARITY_ROOT', pathlib.Path(__file__).parents[2]))
BUILD = pathlib.Path(os.environ.get('PARITY_BUILD', ROOT / 'build'))
PROGRAM = BUILD / 'oracles/torch/parity-torch-worker'
PYTHON = os.environ.get('PARITY_PYTHON_USED') or os.environ.get('PARITY_PYTHON', '')
LETTERS = {'f32': '<f', 'f64': '<d', 'i64': '<q', 'i32': '<i', 'u8': '<B', 'bool': '<?'}


class Worker:
    def __init__(self, *arguments, command=None):
        environment = {**{name: value for name, value in os.environ.items() if 'SAN_OPTIONS' in name},
                       'PATH': os.environ['PATH'], 'HOME': os.environ.get('HOME', '/'),
                       'LC_ALL': 'C.UTF-8', 'OMP_NUM_THREADS': '1', 'CUDA_VISIBLE_DEVICES': '',
                       'PYTHONPATH': '/nowhere', 'PYTHONSTARTUP': '/nowhere/x.py'}
        self.process = subprocess.Popen(command or [PROGRAM, PYTHON, *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment, start_new_session=True)
        self.said = b''
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()
        self.last = 0
        self.ready = self.receive()['ready']

    def listen(self):
        for chunk in iter(lambda: self.process.stderr.read1(65536), b''):
            self.said += chunk

    def line(self, value):
        self.process.stdin.write(json.dumps(value).encode() + b'\n')
        self.process.stdin.flush()

    def send(self, program, *observe, memory=4 << 30, **more):
        self.last += 1
        self.line({'id': self.last, 'run': dict({'case': 'test/case', 'device': 'cpu', 'program': program,
                                                 'observe': observe, 'memory': memory}, **more)})
        return self.last

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            raise EOFError(self.said.decode(errors='replace')[-2000:])
        return json.loads(line)

    def ask(self, program, *observe, **more):
        """The whole answer; checks the id and the number of outcomes."""
        number = self.send(program, *observe, **more)
        answer = self.receive()
        assert answer['id'] == number, answer
        assert len(answer['observed']) == len(observe), answer
        return answer

    def close(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        code = self.process.wait(10)
        self.listener.join(10)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


def plain(value):
    """A value of the protocol as Python has it."""
    (kind, body), = value.items()
    if kind == 'int':
        return int(body)
    if kind == 'float':
        return struct.unpack('<d', bytes.fromhex(body['bits']))[0]
    if kind == 'list':
        return [plain(item) for item in body]
    if kind == 'tensor':
        return elements(body)
    return body


def elements(tensor):
    bits = base64.b64decode(tensor['bits'])
    flat = [number for number, in struct.iter_unpack(LETTERS[tensor['dtype']], bits)]
    for size in reversed(tensor['shape'][1:]):
        flat = [flat[i:i + size] for i in range(0, len(flat), size)]
    return flat if tensor['shape'] else flat[0]


class WorkerTestCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not PYTHON or not PROGRAM.exists():
            raise unittest.SkipTest('no Python with torch, so its worker was not built')
        cls.worker = Worker()

    @classmethod
    def tearDownClass(cls):
        code = cls.worker.close()
        assert code == 0, code

    def value(self, program, expression, **more):
        answer = self.worker.ask(program, expression, **more)
        self.assertEqual(answer['ends'], {'value': None})
        return answer['observed'][0]

    def ends(self, program, **more):
        answer = self.worker.ask(program, '1', **more)
        self.assertEqual(answer['observed'], [{'not_reached': {}}])
        return answer['ends']

    def still_serves(self):
        self.assertEqual(self.value('x = torch.ones(2)', 'x + 1')['value']['tensor']['bits'],
                         base64.b64encode(struct.pack('<2f', 2, 2)).decode())
