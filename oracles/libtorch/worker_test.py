"""What the torch worker writes down, and the replaying worker makes of it without Python."""

import os
import pathlib
import random
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'torch'))
from worker_client import BUILD, PYTHON, ROOT, Worker, plain  # noqa: E402

# Another build of it, such as one with sanitizers, which need all the address space there is.
OTHER = os.environ.get('PARITY_LIBTORCH_WORKER')
REPLAY = pathlib.Path(OTHER) if OTHER else BUILD / 'oracles/libtorch/parity-libtorch-worker'

# (program, observed expressions), each to be seen alike by both workers.
ALIKE = {
    'views': ('x = torch.arange(12.).reshape(3, 4)\ny = x.t()[1:, ::2]\ny.add_(1)\nz = y.contiguous()',
              'x', 'y', 'z', 'x.expand(2, 3, 4)', 'shares(x, y)', 'shares(y, z)', 'y.shape', 'y.stride()',
              'y.is_contiguous()', 'y.storage_offset()', 'y.numel()', 'y.ndim', 'x._version'),
    'in place': ('x = torch.zeros(2, 3)\nx[0] = 7\nx[:, 1].mul_(2)\nx[torch.tensor([True, False])] = -1\n'
                 'w = x.view(6)\nx.resize_(3, 2)\nx.t_()\nx.unsqueeze_(0)', 'x', 'w'),
    'results in lists': ('x = torch.arange(6.)\na, b = x.split(3)\nv, i = x.view(2, 3).max(1)\n'
                         'c = x.chunk(4)\nb.zero_()', 'x', '[a, b]', 'v', 'i', 'c', '{0: a}.values() and a'),
    'out': ('x = torch.ones(3)\ny = torch.empty(0)\ntorch.add(x, 1, out=y)\nz = torch.zeros(3)\n'
            'torch.mul(y, y, out=z)', 'y', 'z'),
    'foreach': ('a = [torch.ones(2), torch.zeros(3)]\ntorch._foreach_add_(a, 2.0)', 'a'),
    'autograd': ('x = torch.tensor([1., 2.], requires_grad=True)\nw = torch.nn.Parameter(torch.ones(2, 2))\n'
                 'y = torch.nn.functional.linear(x, w).relu().pow(2)\ny.sum().backward()',
                 'x.grad', 'w.grad', 'y'),
    'optimizers': ('m = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))\n'
                   'for make in (torch.optim.SGD, torch.optim.Adam):\n'
                   '    o = make(m.parameters(), lr=0.1)\n'
                   '    for _ in range(3):\n        o.zero_grad()\n'
                   '        m(torch.randn(5, 3)).mean().backward()\n'
                   '        o.step()', '[p for p in m.parameters()]'),
    'copies': ('l = torch.nn.Linear(2, 1)\nd = copy.deepcopy(l.state_dict())\nwas = value(l.weight)\n'
               'data = l.weight.data\ncut = l.weight.detach()\nbig = copy.deepcopy(torch.ones(3 << 20))\n'
               'with torch.no_grad(): l.weight.fill_(3)',
               'l.weight', 'd["weight"]', 'was', 'data', 'cut', 'shares(data, cut)', 'data._version',
               'big'),
    'random': ('a = torch.rand(3)\ntorch.manual_seed(5)\nb = torch.randn(3)\ns = torch.get_rng_state()\n'
               'c = torch.randperm(9)\ntorch.set_rng_state(s)\nd = torch.randperm(9)\n'
               'e = torch.nn.functional.dropout(torch.ones(9))', 'a', 'b', 'c', 'd', 'e'),
    'types': ('x = torch.tensor([1.5, -2.5])\nh = x.to(torch.bfloat16) * 3\nd = x.double() / 3\n'
              'torch.set_default_dtype(torch.float64)\nz = torch.zeros(2)\nf = 1 / torch.tensor([0., -0.])',
              'h', 'd', 'z', 'f', 'x > 0', 'x.to(torch.uint8).long()', 'torch.tensor(5)',
              'torch.empty(0, 3)'),
    'numbers': ('x = torch.tensor([1.5, 2.])', 'float(x[0])', 'x.sum().item()', 'int(x[1])', 'bool(x[0])',
                'torch.equal(x, x)', 'x.argmax().item()'),
    'exceptions': ('x = torch.ones(2, 2)\na = attempt(lambda: x.copy_(torch.ones(3)))\n'
                   'b = attempt(lambda: x.reshape(3))\nc = attempt(lambda: x.narrow(5, 0, 1))\n'
                   'd = attempt(lambda: x @ torch.ones(3))\nw = torch.nn.Parameter(x)\n'
                   'e = attempt(lambda: w.zero_())\nf = attempt(lambda: x.mul_(2))\n'
                   'g = attempt(lambda: w[1:].copy_(torch.ones(1)))\n'
                   'h = attempt(lambda: w.t()[0].zero_())\n',
                   'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'x', 'x.view(7)'),
    'memory': ('x = torch.ones(1024, 1024)\n_, a = measure(lambda: x.t())\n'
               '_, b = measure(lambda: x.clone())\n'
               '_, c = peak_rss(lambda: (x + 1).sum())', 'a', 'b', 'c', 'x[0, :3]'),
    'uninitialised': ('x = torch.empty(64)\nx[:32] = 1\ny = x + 1\nz = torch.zeros_like(y)',
                      'x[:32]', 'y[3]', 'z'),
    'an end': ('x = torch.ones(2)\nx.view(3)', 'x'),
}

# A program, the expression, and a word of the reason why it is not replayed.
NOT_TRACED = (
    ('import ctypes\nx = torch.ones(2); ctypes.memset(x.data_ptr(), 0, 4); y = x + 1', 'y', 'no operator'),
    ('x = torch.ones(2); y = x', 'y is x', 'bool is of Python'),
    ('x = torch.ones(2, requires_grad=True)', 'x.grad', 'NoneType is of Python'),
    ('x = torch.rand(2, generator=torch.Generator().manual_seed(1))', 'x', 'Generator'),
    ('with torch.inference_mode(): x = torch.ones(2); y = x + 1', 'x', 'inference'),
    ('x = torch.view_as_complex(torch.ones(2))', 'x.real', 'complex64'),
    ('r = attempt(lambda: [][0])', 'r', 'IndexError is of Python'),
    ('x = torch.ones(2)', 'no_name', 'NameError, which is of Python'),
    ('x = torch.ones(2)\nno_name', 'x', 'ended with NameError'),
    ('w = torch.ones(2, requires_grad=True)\nwith torch.no_grad(): v = w[1:]\n'
     'u = torch.ones(1, requires_grad=True)\nr = attempt(lambda: v.copy_(u))',
     'r', 'RuntimeError is of Python'),
    ('w = torch.ones(2, requires_grad=True)\ny = (w * w).sum()\nwith torch.no_grad(): w.zero_()\n'
     'r = attempt(lambda: y.backward())', 'r', 'RuntimeError is of Python'),
    ('x = torch.frombuffer(bytearray(9 << 20), dtype=torch.uint8); y = x + 1', 'y', '8 MiB'),
)

# What is changed in the trace of TAMPERED, and what the replay says of it.
TAMPERED = 'a = torch.ones(2, 3)\nb = a.t()\nb.mul_(3)\nc = a + b.t()\nd = attempt(lambda: c.view(5))\n'
CHANGES = (
    (r'=0000803f0000803f', '=0100803f0000803f', 'call 1, aten::ones: the bits of t1'),
    (r'(t2 s1 )float32', r'\1float64', 'call 2, aten::t: the result is float32'),
    (r'(t2 s1 float32 \[3,2\] )\[1,3\]', r'\1[3,1]', 'under Python float32 [3,2] strides [3,1]'),
    (r'(t2 s1 float32 \[3,2\] \[1,3\] )0', r'\g<1>1', 'offset 1'),
    (r't2 s1', 't2 s2', 'call 2, aten::t: the result lies in the memory of s1'),
    (r't2@0 3', 't2@1 3', 'call 3, aten::mul_.Tensor: t2 has version 0, under Python 1'),
    (r'observe tensor t1@1', 'observe tensor t1@0', 't1 has version 1, under Python 0'),
    (r'input of size 6', 'input of size 7', 'under Python RuntimeError'),
    (r'raises e1 RuntimeError', 'raises e1 ValueError', 'under Python ValueError'),
    (r'(  raises .*\n)', '', 'aten::view: RuntimeError: shape'),
)


class ReplayTestCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not PYTHON or not REPLAY.exists():
            raise unittest.SkipTest("PyTorch's C++ library is not here, so its worker was not built")
        cls.torch = Worker()
        cls.replay = Worker(command=[REPLAY])
        if OTHER:
            ask = cls.replay.ask
            cls.replay.ask = lambda *rest, **more: ask(*rest, **{**more, 'memory': 0})

    @classmethod
    def tearDownClass(cls):
        codes = cls.torch.close(), cls.replay.close()
        assert codes == (0, 0), codes

    def calls(self, program, *observe):
        answer = self.torch.ask(program, *observe, calls=True)
        return answer['calls'], answer


def comparable(outcome):
    """Without what only Python has: the objects, and what autograd knows."""
    if isinstance(outcome, dict):
        return {key: comparable(value) for key, value in outcome.items()
                if key not in ('handle', 'requires_grad', 'leaf', 'line', 'column')}
    return [comparable(item) for item in outcome] if isinstance(outcome, list) else outcome


class ReplayTest(ReplayTestCase):
    def test_ready(self):
        ready = self.replay.ready
        self.assertEqual((ready['engine'], ready['version']), ('libtorch', self.torch.ready['version']))
        maps = pathlib.Path('/proc/%d/maps' % self.replay.process.pid).read_text(encoding='utf-8')
        self.assertIn('libtorch_cpu', maps)
        self.assertNotRegex(maps, r'libpython|libtorch_python')

    def test_alike(self):
        for name, (program, *observe) in ALIKE.items():
            with self.subTest(name):
                calls, answer = self.calls(program, *observe)
                again = self.replay.ask(calls, *observe)
                self.assertEqual(comparable(again['ends']), comparable(answer['ends']), calls)
                for text, left, right in zip(observe, again['observed'], answer['observed']):
                    left, right = comparable(left), comparable(right)
                    if name == 'memory' and text == 'c':  # whole MiB: the instruments differ
                        left['value']['mib'] = round(left['value']['mib'])
                    self.assertEqual(versions_told(left, right), right, text)

    def test_not_traced(self):
        for program, expression, word in NOT_TRACED:
            with self.subTest(program):
                calls, _ = self.calls(program, expression)
                answer = self.replay.ask(calls, expression)
                reason = answer['ends'].get('unsupported') or answer['observed'][0]['unsupported']
                self.assertIn(word, reason['text'])

    def test_every_difference_is_named(self):
        observe = 'a', 'b', 'c', 'd', 'c + 1'
        calls, _ = self.calls(TAMPERED, *observe)
        self.assertEqual(self.replay.ask(calls, *observe)['ends'], {'value': None})
        for pattern, replacement, text in CHANGES:
            with self.subTest(pattern):
                changed = re.sub(pattern, replacement, calls, count=1)
                self.assertNotEqual(changed, calls)
                answer = self.replay.ask(changed, *observe)
                self.assertEqual(answer['ends'].get('error', {}).get('type'), 'ReplayDiffers', answer['ends'])
                self.assertIn(text, answer['ends']['error']['text'])
                self.assertEqual(answer['observed'], [{'not_reached': {}}] * len(observe))

    def test_nothing_is_copied_from_the_trace(self):
        """Another constant gives other observations: only the checks know what was seen."""
        calls, _ = self.calls('x = torch.tensor([1., 2.])', 'x')
        changed = re.sub(r'^(storage s1 ).*', r'\1AAAAQAAAQEA=', calls, flags=re.M)
        self.assertIn('ReplayDiffers', str(self.replay.ask(changed, 'x')['ends']))
        changed = re.sub(r'=\w+', '=0000004000004040', changed)
        observed = self.replay.ask(changed, 'x')['observed'][0]
        self.assertEqual(plain(observed['value']), [2, 3])

    def test_cases_do_not_touch_each_other(self):
        calls, first = self.calls('torch.set_default_dtype(torch.float64)\ntorch.manual_seed(9)\n'
                                  'x = torch.rand(2)', 'x')
        other, answer = self.calls('x = torch.rand(2)', 'x')
        for text, wanted in ((calls, first), (other, answer), (calls, first)):
            self.assertEqual(comparable(self.replay.ask(text, 'x')['observed']),
                             comparable(wanted['observed']))

    @unittest.skipIf(OTHER, 'needs a limit on memory')
    def test_memory_is_given_back(self):
        program = 'for _ in range(300): x = torch.ones(4 << 20)'  # 16 MiB each, under a limit of 1 GiB
        calls, _ = self.calls(program, 'x[0]')
        self.assertEqual(calls.count('\nfree '), 299)
        self.assertEqual(self.replay.ask(calls, 'x[0]', memory=1 << 30)['ends'], {'value': None})
        self.assertIn('allocate', str(self.replay.ask(calls.replace('\nfree', '\nseed 1\nseed 1 '), 'x[0]',
                                                      memory=1 << 30)['ends']))

    def test_schema(self):
        """_unsafe_view returns its argument's memory, and its schema says that it does not."""
        calls, _ = self.calls('x = torch.ones(2, 3)\ny = torch.ops.aten._unsafe_view(x, [6])\n'
                              'z = x.view(6)', 'y')
        answer = self.replay.ask(calls, 'y')
        self.assertEqual((answer['ends'], answer['notes'].count('\n')), ({'value': None}, 1))
        self.assertIn('schema: aten::_unsafe_view returned undeclared memory of its argument self: '
                      'aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor', answer['notes'])
        self.assertNotIn('notes', self.replay.ask('ends value\n'))

    def test_schema_of_what_is_written(self):
        """native_batch_norm writes the running statistics, and its schema says that it does not."""
        calls, _ = self.calls('x = torch.arange(6.).reshape(2, 3)\n'
                              'mean, var = torch.zeros(3), torch.ones(3)\n'
                              'torch.native_batch_norm(x, None, None, mean, var, True, 0.1, 1e-5)\n'
                              'mean.add_(1)', 'mean')
        answer = self.replay.ask(calls, 'mean')
        self.assertEqual(answer['ends'], {'value': None})
        for name in ('running_mean', 'running_var'):
            self.assertIn('schema: aten::native_batch_norm wrote, undeclared, its argument %s: ' % name,
                          answer['notes'])
        self.assertEqual(answer['notes'].count('\n'), 2)  # add_ declares what it writes

    def test_damaged_traces(self):
        observe = 'a', 'b', 'c', 'd', 'c + 1'
        calls, _ = self.calls(TAMPERED, *observe)
        lines = calls.splitlines(True)
        for count in range(len(lines)):
            answer = self.replay.ask(''.join(lines[:count]), *observe)
            self.assertFalse(all('value' in one for one in answer['observed']), count)
        for missing in range(len(lines)):
            self.replay.ask(''.join(lines[:missing] + lines[missing + 1:]), *observe)
        draw = random.Random(6)
        for _ in range(3000):
            at = draw.randrange(len(calls))
            garbage = draw.choice(['', ' ', '\n', '[', ']', '"', '@', '-', '9', 't', 's1', '=', ',', '\\',
                                   'none'])
            self.replay.ask(calls[:at] + garbage + calls[at + draw.randrange(3):], *observe)
        for text in ('', '\n', 'call', 'call \n', 'call aten::ones [[[[[[[[1]]]]]]]]\n', 'observe list 9 \n',
                     'call aten::ones ' + '1 ' * 99 + '\n', 'tensor t1 s1 float32 [9] [1] 0 new@0\n',
                     'storage s1 !\n', 'free s1\n', 'end m1\n', 'ends raised e1\n', 'seed\n', 'stop\n',
                     'storage s1 AACAPw==\ntensor t1 s1 float32 [9999] [1] 0 new@0\nends value\n'
                     'observe tensor t1@0\n'):
            self.assertIn('error', self.replay.ask(text, 'x')['ends'] if text.strip() else {'error': 1}, text)
        self.assertEqual(self.replay.ask(calls, *observe)['ends'], {'value': None})

    def test_recorded_pages(self):
        for name in ('snapshot', 'references'):
            text = (ROOT / 'cases/pages' / (name + '.trace')).read_text(encoding='utf-8')
            body = re.sub(r'\Aparity trace 1\n\n(?:\w+ .*\n){4}', '', text)
            observe = re.findall(r'^observe ', body, re.M)
            answer = self.replay.ask(body, *observe)
            self.assertEqual(answer['ends'], {'value': None})
            self.assertTrue(all('value' in one for one in answer['observed']))


def versions_told(left, right):
    """The version of a gradient is not told where writing the calls down changes it."""
    if isinstance(left, dict):
        return {key: right[key] if key == 'version' and value == '?' else versions_told(value, right[key])
                for key, value in left.items()}
    if isinstance(left, list):
        return [versions_told(*pair) for pair in zip(left, right)]
    return left


if __name__ == '__main__':
    unittest.main()
