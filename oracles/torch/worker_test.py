"""What a program of the torch column finds, and what is seen of it afterwards."""

import base64
import re
import struct
import unittest

from worker_client import PYTHON, ROOT, WorkerTestCase, elements, plain


def page(name):
    """The program of a case file, and its printed rows as (text, expression, decimals) pieces."""
    text = (ROOT / 'cases/pages' / (name + '.yaml')).read_text(encoding='utf-8')
    block = re.search(r'^torch: \|\n((?:  .*\n|\n)*)', text, re.M).group(1)
    program = re.sub(r'^  ', '', block, flags=re.M)
    rows = []
    shown_rows = text.split('\nintents:')[0]
    for row in re.findall(r"^    torch: +'(.*)'$", shown_rows, re.M):
        pieces = re.findall(r'(\{\{|\}\}|[^{}]+)|\{(?:(\w+)=)?([^{}]*?)(?::\.(\d))?\}',
                            row.replace("''", "'"))
        rows.append([(literal[:1] if literal in ('{{', '}}') else literal, expression, decimals)
                     for literal, _, expression, decimals in pieces])
    return program, rows


def shown(value, decimals):
    return '%.*f' % (int(decimals), plain(value)) if decimals else str(plain(value))


class ObserveTest(WorkerTestCase):
    def test_ready(self):
        ready = self.worker.ready
        self.assertEqual((ready['protocol'], ready['engine'], ready['cancel'], ready['fresh']),
                         (1, 'torch', True, True))
        self.assertRegex(ready['version'], r'^\d+\.\d+\.\d+$')
        self.assertTrue(ready['provenance']['torch'].startswith(ready['version']))

    def test_pages(self):
        for name in ('snapshot', 'references'):
            with self.subTest(name):
                program, rows = page(name)
                observe = [expression for row in rows for _, expression, _ in row if expression]
                answer = self.worker.ask(program, *observe)
                self.assertEqual(answer['ends'], {'value': None})
                values = iter(answer['observed'])
                printed = ''.join(
                    ''.join(literal or shown(next(values)['value'], decimals)
                            for literal, _, decimals in row) + '\n' for row in rows)
                expected = ROOT / 'cases/pages/expected' / (name + '.torch.txt')
                self.assertEqual(printed, expected.read_text(encoding='utf-8'))

    def test_names_of_a_program(self):
        names = self.value('', 'sorted(n for n in globals() if n[0] != "_")')
        self.assertEqual(plain(names['value']), ['attempt', 'copy', 'measure', 'peak_rss', 'shares',
                                                 'torch', 'value'])
        self.assertEqual(self.value('left_over = 1', '__name__'), {'value': {'text': '__main__'}})
        self.assertIn('error', self.value('', 'left_over'))

    def test_nothing_of_the_environment(self):
        flags = self.value('import sys', '[sys.flags.no_user_site, sys.flags.ignore_environment,'
                                         ' "/nowhere" in sys.path]')
        self.assertEqual(plain(flags['value']), [1, 1, False])
        self.assertEqual(self.value('import sys', 'sys.executable'), {'value': {'text': PYTHON}})

    def test_layouts(self):
        answer = self.worker.ask('x = torch.arange(12.).reshape(3, 4)', 'x', 'x.t()[1:]', 'x[:, ::2]',
                                 'x[1].expand(2, 4)', 'torch.tensor(5)', 'torch.ones(0, 3)')
        tensors = [one['value']['tensor'] for one in answer['observed']]
        self.assertEqual([(t['shape'], t['strides'], t['offset']) for t in tensors],
                         [([3, 4], [4, 1], 0), ([3, 3], [1, 4], 1), ([3, 2], [4, 2], 0),
                          ([2, 4], [0, 1], 4), ([], [], 0), ([0, 3], [3, 1], 0)])
        self.assertEqual([elements(t) for t in tensors[:5]],
                         [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[1, 5, 9], [2, 6, 10], [3, 7, 11]],
                          [[0, 2], [4, 6], [8, 10]], [[4, 5, 6, 7], [4, 5, 6, 7]], 5])
        self.assertEqual([t['storage'] == tensors[0]['storage'] for t in tensors],
                         [True, True, True, True, False, False])

    def test_dtypes(self):
        pairs = {'bool': '01', 'uint8': '01', 'int8': '01', 'int16': '0100', 'int32': '01000000',
                 'int64': '0100000000000000', 'bfloat16': '803f', 'float16': '003c',
                 'float32': '0000803f', 'float64': '000000000000f03f', 'float8_e4m3fn': '38',
                 'uint16': '0100', 'uint32': '01000000', 'uint64': '0100000000000000'}
        names = {'uint8': 'u8', 'int8': 'i8', 'int16': 'i16', 'int32': 'i32', 'int64': 'i64',
                 'bfloat16': 'bf16', 'float16': 'f16', 'float32': 'f32', 'float64': 'f64',
                 'float8_e4m3fn': 'f8e4m3', 'uint16': 'u16', 'uint32': 'u32', 'uint64': 'u64'}
        for dtype, bits in pairs.items():
            if plain(self.value('', f'hasattr(torch, "{dtype}")')['value']):
                tensor = self.value('', f'torch.ones(1).to(torch.{dtype})')['value']['tensor']
                self.assertEqual((tensor['dtype'], base64.b64decode(tensor['bits']).hex()),
                                 (names.get(dtype, dtype), bits))

    def test_special_bits(self):
        tensor = self.value('x = torch.tensor([0x7fc00001, 0x80000000 - 2**32, 0x7f800000], '
                            'dtype=torch.int32).view(torch.float32)', 'x')['value']['tensor']
        self.assertEqual(base64.b64decode(tensor['bits']).hex(), '0100c07f' '00000080' '0000807f')

    def test_facts_and_handles(self):
        answer = self.worker.ask(
            'w = torch.nn.Parameter(torch.ones(2)); y = w * 2; z = w.detach(); alias = w\n'
            'with torch.no_grad(): w.add_(1)', 'w', 'alias', 'y', 'z', 'w.data', 'w.data')
        tensors = [one['value']['tensor'] for one in answer['observed']]
        self.assertEqual(tensors[0]['facts'], {'requires_grad': 'true', 'leaf': 'true', 'version': '1'})
        self.assertEqual(tensors[2]['facts'], {'requires_grad': 'true', 'leaf': 'false', 'version': '0'})
        self.assertEqual(tensors[3]['facts'], {'requires_grad': 'false', 'leaf': 'true', 'version': '1'})
        handles = [t['handle'] for t in tensors]
        self.assertEqual(handles[0], handles[1])
        self.assertEqual(len(set(handles)), 5)
        self.assertEqual([t['storage'] == tensors[0]['storage'] for t in tensors],
                         [True, True, False, True, True, True])

    def test_observing_changes_nothing(self):
        answer = self.worker.ask('x = torch.ones(2, requires_grad=True); y = x * 1; h = id(x)', 'x', '[x, y]',
                                 'x._version', 'id(x) == h', 'torch.is_grad_enabled()',
                                 'y.grad_fn is not None',
                                 'y.sum().backward()', 'x.grad', 'torch.initial_seed()')
        values = [one['value'] for one in answer['observed']]
        self.assertEqual([plain(v) for v in values[2:7]], [0, True, True, True, None])
        self.assertEqual(plain(values[7]), [1, 1])

    def test_kinds(self):
        for expression, value in {
                'None': {'unit': None}, 'True': {'bool': True}, '2**70': {'int': str(2**70)},
                '-1': {'int': '-1'}, '0.1': {'float': {'bits': struct.pack('<d', 0.1).hex(), 'dtype': 'f64'}},
                'float("nan")': {'float': {'bits': struct.pack('<d', float('nan')).hex(), 'dtype': 'f64'}},
                '"張\\n"': {'text': '張\n'}, '"a\\0"': {'other': {'type': 'str', 'text': "'a\\x00'"}},
                '(1, [])': {'list': [{'int': '1'}, {'list': []}]},
                '{"a": 1}': {'list': [{'list': [{'text': 'a'}, {'int': '1'}]}]},
                'torch.Size([2, 3])': {'list': [{'int': '2'}, {'int': '3'}]},
                'torch.float32': {'other': {'type': 'dtype', 'text': 'torch.float32'}},
                'torch.device("cpu")': {'other': {'type': 'device', 'text': "device(type='cpu')"}},
                'ValueError("one\\ntwo")': {'raised': {'type': 'ValueError', 'text': 'one'}},
                'attempt(lambda: 1 // 0)': {'raised': {'type': 'ZeroDivisionError',
                                                       'text': 'integer division or modulo by zero'}},
        }.items():
            with self.subTest(expression):
                self.assertEqual(self.value('', expression), {'value': value})

    def test_host_copies_do_not_follow(self):
        answer = self.worker.ask('x = torch.ones(2); was = value(x); x.zero_()', 'was', 'x', 'value([x, 3])')
        was = answer['observed'][0]['value']['tensor']
        self.assertEqual((was['host'], elements(was)), (True, [1, 1]))
        self.assertEqual(set(was), {'dtype', 'shape', 'bits', 'host'})
        self.assertEqual(plain(answer['observed'][2]['value']), [[0, 0], 3])

    def test_large_values_travel_as_hash_and_edges(self):
        tensor = self.value('x = torch.arange(300000)', 'x')['value']['tensor']
        self.assertNotIn('bits', tensor)
        self.assertEqual(struct.unpack('<64q', base64.b64decode(tensor['head'])), tuple(range(64)))
        self.assertEqual(struct.unpack('<64q', base64.b64decode(tensor['tail'])),
                         tuple(range(300000 - 64, 300000)))
        other = self.value('x = torch.arange(600000)[::2] // 2', 'x')['value']['tensor']
        self.assertEqual(tensor['hash'], other['hash'])

    def test_what_has_no_notation(self):
        for expression, word in {
                'torch.ones(2).to_sparse()': 'sparse', 'torch.ones(1, dtype=torch.complex64)': 'complex64',
                'torch.ones(2, device="meta")': 'meta', '[torch.ones(2, device="meta")]': 'meta',
                'torch.ones(1).expand(10**12)': 'GiB', 'x': 'storage', 'deep': 'lists in each other',
                'torch.ones(2, dtype=torch.complex64).conj().imag': 'negative'}.items():
            with self.subTest(expression):
                observed = self.value('x = torch.ones(9)\n'
                                      'storage = getattr(x, "untyped_storage", None) or x._storage\n'
                                      'storage().resize_(4)\n'
                                      'deep = []; deep.append(deep)', expression)
                self.assertIn(word, observed['unsupported']['text'])

    def test_each_observation_stands_alone(self):
        answer = self.worker.ask('x = 1', 'x', 'y', 'x x', '[][0]', 'x')
        kinds = [next(iter(one)) for one in answer['observed']]
        self.assertEqual(kinds, ['value', 'error', 'error', 'error', 'value'])
        self.assertEqual(answer['observed'][1]['error'],
                         {'type': 'NameError', 'text': "name 'y' is not defined"})

    def test_data(self):
        bits = base64.b64encode(struct.pack('<4f', 1, 2, 3, 4)).decode()
        data = [{'name': 'x', 'dtype': 'f32', 'shape': [2, 2], 'bits': bits},
                {'name': 'e', 'dtype': 'bool', 'shape': [0, 2], 'bits': ''},
                {'name': 'b', 'dtype': 'bool', 'shape': [], 'bits': 'AQ=='}]
        answer = self.worker.ask('y = x.t() + 1', 'x', 'y', 'e', 'b', data=data)
        tensors = [one['value']['tensor'] for one in answer['observed']]
        self.assertEqual([elements(t) for t in tensors[:2]], [[[1, 2], [3, 4]], [[2, 4], [3, 5]]])
        self.assertEqual((tensors[2]['shape'], tensors[3]['shape'], elements(tensors[3])), ([0, 2], [], True))
        self.assertEqual(tensors[0]['facts'], {'requires_grad': 'false', 'leaf': 'true', 'version': '0'})

    def test_measure(self):
        answer = self.worker.ask('x = torch.ones(4096, 4096)\n_, a = measure(lambda: x)\n'
                                 '_, b = measure(lambda: x.clone())\n'
                                 '_, c = measure(lambda: torch.empty(3, dtype=torch.uint8))\n'
                                 '_, d = measure(lambda: [torch.zeros(256, 1024) for _ in "12345"] and None)',
                                 'a', 'b', 'c', 'd', 'torch.ones(2)')
        self.assertEqual([one['value'] for one in answer['observed'][:4]],
                         [{'mib': 0.0}, {'mib': 64.0}, {'mib': 3 / 2**20}, {'mib': 5.0}])

    def test_peak_rss(self):
        for _ in range(3):
            answer = self.worker.ask('x = torch.ones(4096, 4096)\n_, a = peak_rss(lambda: x)\n'
                                     '_, b = peak_rss(lambda: x.clone())\n'
                                     '_, c = peak_rss(lambda: (x + 1).sum())', 'a', 'b', 'c')
            self.assertEqual([one['value'] for one in answer['observed']],
                             [{'mib': 0.0}, {'mib': 64.0}, {'mib': 64.0}])

    def test_calls(self):
        program = 'x = torch.ones(2); y = x + 1'
        plain = self.worker.ask(program, 'y')
        self.assertNotIn('calls', plain)
        answer = self.worker.ask(program, 'y', calls=True)
        self.assertEqual({**plain, 'id': answer['id'], 'calls': answer['calls']}, answer)
        self.assertEqual(answer['calls'],
                         'call aten::ones [2] device=cpu pin_memory=false\n'
                         '  t1 s1 float32 [2] [1] 0 =0000803f0000803f\n'
                         'call aten::add.Tensor t1@0 1\n'
                         '  t2 s2 float32 [2] [1] 0 =0000004000000040\n'
                         'ends value\nobserve tensor t2@0\n')

    def test_trace(self):
        number = self.worker.send('def f(x):\n  return x + 1\nfor i in range(2):\n  f(i)\n', 'f(1)',
                                  trace=True)
        places = []
        answer = self.worker.receive()
        while 'at' in answer:
            places.append((answer['id'], answer['at']['line']))
            answer = self.worker.receive()
        self.assertEqual(places, [(number, line) for line in (1, 3, 4, 2, 3, 4, 2, 3)])
        self.assertEqual(answer['observed'], [{'value': {'int': '2'}}])

    def test_classes_and_sources_of_a_program(self):
        answer = self.worker.ask(
            'import io, inspect\nclass Net(torch.nn.Module):\n    def forward(self, x): return x * 2\n'
            'file = io.BytesIO(); torch.save(Net(), file); file.seek(0)\n'
            'net = torch.load(file, weights_only=False)', 'net(torch.ones(1))',
            'inspect.getsource(Net.forward)')
        self.assertEqual(plain(answer['observed'][0]['value']), [2])
        self.assertEqual(answer['observed'][1]['value'], {'text': '    def forward(self, x): return x * 2\n'})


if __name__ == '__main__':
    unittest.main()
