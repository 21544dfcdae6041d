"""The worker of the core, through the protocol of docs/protocol.md."""
import base64
import json
import os
import pathlib
import struct
import subprocess
import unittest

BUILD = pathlib.Path(os.environ.get('PARITY_BUILD', 'build'))
WORKER = BUILD / 'backends/parity-core-worker'


class Worker:
    def __enter__(self):
        self.process = subprocess.Popen([WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, encoding='utf-8')
        self.ready = self.read()['ready']
        self.id = 0
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.code = self.process.wait(10)
        self.printed = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def write(self, message):
        self.process.stdin.write(json.dumps(message) + '\n')
        self.process.stdin.flush()

    def send(self, program, *observe, **fields):
        self.id += 1
        run = {'case': 'test', 'device': 'cpu', 'program': program, 'observe': list(observe), 'data': [],
               'memory': 0, 'trace': False, 'fresh': False, **fields}
        self.write({'id': self.id, 'run': run})

    def run(self, program, *observe, **fields):
        self.send(program, *observe, **fields)
        return self.read()


class CoreWorker(unittest.TestCase):
    def test_says_what_it_is_and_ends_with_its_input(self):
        with Worker() as worker:
            self.assertEqual(worker.ready['engine'], 'core')
            self.assertEqual(worker.ready['protocol'], 1)
            self.assertTrue(worker.ready['cancel'])
        self.assertEqual(worker.code, 0)

    def test_identifiers_and_storages_start_anew_with_every_case(self):
        with Worker() as worker:
            for _ in range(3):
                answer = worker.run('let a = Tensor::ones(2, DType::F32, &dev)?;\nlet b = a.clone();',
                                    'a.id()', 'a', 'b')
                self.assertEqual(answer['ends'], {'value': None})
                self.assertEqual(answer['observed'][0], {'value': {'id': 1}})
                first, second = (seen['value']['tensor'] for seen in answer['observed'][1:])
                self.assertEqual(first['storage'], second['storage'])
                self.assertEqual(first['handle'], second['handle'])
                self.assertEqual(base64.b64decode(first['bits']), struct.pack('<2f', 1, 1))
                self.assertEqual(first['facts'], {'variable': 'false', 'tracked': 'false'})

    def test_data_is_bound_before_identifiers_count(self):
        bits = base64.b64encode(struct.pack('<3d', 1, -0.0, 2.5)).decode()
        data = [{'name': 'x', 'dtype': 'f64', 'shape': [3], 'bits': bits}]
        with Worker() as worker:
            answer = worker.run('let y = x.copy()?;', 'y.id()', 'y', data=data)
        self.assertEqual(answer['observed'][0], {'value': {'id': 1}})
        self.assertEqual(answer['observed'][1]['value']['tensor']['bits'], bits)

    def test_large_tensors_travel_as_hash_head_and_tail(self):
        with Worker() as worker:
            tensor = worker.run('let x = Tensor::arange(0f32, 300000., &dev)?;',
                                'x')['observed'][0]['value']['tensor']
        self.assertNotIn('bits', tensor)
        self.assertEqual(len(tensor['hash']), 16)
        tail = struct.unpack('<64f', base64.b64decode(tensor['tail']))
        self.assertEqual(tail[-1], 299999)

    def test_endings(self):
        rows = [
            ('Tensor::ones(2, DType::F32, &dev)?.reshape(3)?;', 'error',
             'shape mismatch in reshape, lhs: [2], rhs: [3]'),
            ('let v = vec![1];\nlet x = v[1];', 'panic',
             'index out of bounds: the len is 1 but the index is 1'),
            ('let x = match 1 { _ => 2 };', 'unsupported', '`match` is outside what the core interprets'),
            ('let m = VarMap::new();\nlet g = m.data().lock().unwrap();\nm.all_vars();', 'hang', 'deadlock'),
        ]
        with Worker() as worker:
            for program, kind, text in rows:
                answer = worker.run(program, '1')
                self.assertIn(text, answer['ends'][kind]['text'])
                self.assertEqual(answer['observed'], [{'not_reached': {}}])
            self.assertEqual(worker.run('let v = vec![1];\nlet x = v[1];')['ends']['panic']['line'], 2)

    def test_trace_names_every_statement(self):
        with Worker() as worker:
            worker.send('let a = 1;\nfor i in 0..2 {\n  let b = i;\n}\n', 'a', trace=True)
            places = []
            while 'at' in (message := worker.read()):
                places.append(message['at']['line'])
        self.assertEqual(message['observed'], [{'value': {'int': '1'}}])
        self.assertEqual(sorted(set(places)), [1, 2, 3])
        self.assertEqual(places.count(3), 2)

    def test_an_endless_loop_is_given_up_when_asked(self):
        with Worker() as worker:
            worker.send('let mut n = 0u64; loop { n += 1; }')
            worker.write({'cancel': 1})
            self.assertEqual(worker.read(), {'id': 1, 'cancelled': True})
            self.assertEqual(worker.run('let a = 2;', 'a')['observed'], [{'value': {'int': '2'}}])

    def test_what_a_program_prints_harms_nothing(self):
        with Worker() as worker:
            answer = worker.run('println!("{{\\"id\\": {}}}", 1);', '1')
        self.assertEqual(answer['ends'], {'value': None})
        self.assertEqual(worker.printed, '{"id": 1}\n')


if __name__ == '__main__':
    unittest.main()
