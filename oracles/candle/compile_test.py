"""The candle column from text to answer, on the real compiler: what programs do, what the compiler refuses,
what is kept. Starts the compiled workers itself and speaks the protocol with them."""
import base64
import concurrent.futures
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ.get('PARITY_BUILD', 'build'))
DRIVER = BUILD / 'oracles/candle/candle-compile-driver'
CRATES = os.environ.get('PARITY_CRATES', '')
PRELUDE = pathlib.Path(__file__).resolve().parent / 'crates/prelude/src/lib.rs'

MOVED = '''let a = Tensor::ones(3, DType::F32, &Device::Cpu)?;
let b = Tensor::ones(3, DType::F32, &Device::Cpu)?;
let c = (a + b)?;
println!("{c} {a}");
'''
SLOW = True  # compiles some thirty programs

ADD_ASSIGN = '''let mut a = Tensor::ones(3, DType::F32, &Device::Cpu)?;
let b = Tensor::ones(3, DType::F32, &Device::Cpu)?;
a += &b;
'''
REFERENCES = '''let a = Tensor::ones(3, DType::F32, &dev)?;
let b = Tensor::ones(3, DType::F32, &dev)?;
let c = (&a + &b)?;
let x = Tensor::ones((4096, 4096), DType::F32, &dev)?;
let (y, mib_clone) = measure(|| x.clone());
let (z, mib_copy) = measure(|| x.copy());
let z = z?;
struct Layer {
  w: Tensor,
}
impl Layer {
  fn forward(&self, x: &Tensor) -> Result<Tensor> {
    x.matmul(&self.w)
  }
}
let layer = Layer { w: Tensor::ones((3, 2), DType::F32, &dev)? };
let once = layer.forward(&Tensor::ones((1, 3), DType::F32, &dev)?)?;
let t = Tensor::new(&[1f32, 2., 3., 4.], &dev)?;
let alias = t.clone();
let copied = t.copy()?;
t.slice_set(&Tensor::new(&[9f32], &dev)?, 0, 0)?;
let self_write = t.slice_set(&t.clone(), 0, 0);
let w = Var::new(&[1f32, 2., 3.], &dev)?;
let set_self = w.set(&w.clone());
let set_new = w.set(&(&*w * 2.0)?);
'''
SNAPSHOT = '''let varmap = VarMap::new();
let vb = VarBuilder::from_varmap(&varmap, DType::F32, &dev);
let lin = linear_no_bias(2, 1, vb.pp("lin"))?;
let vars = varmap.data().lock().unwrap().clone();
vars["lin.weight"].set(&Tensor::new(&[[1f32, 2.]], &dev)?)?;
let x = Tensor::new(&[[1f32, 1.]], &dev)?;
let w_was = value(&vars["lin.weight"]);
let w = &vars["lin.weight"];
let snap_clone = w.as_tensor().clone();
let snap_copy = w.as_tensor().copy()?;
let mut opt = SGD::new(varmap.all_vars(), 0.5)?;
opt.backward_step(&lin.forward(&x)?.sum_all()?)?;
'''


def case(name, program, *observe, data=()):
    return {'id': name, 'program': program, 'observe': list(observe), 'data': list(data)}


def compile_cases(cases, cache, trace=False, crates=None):
    request = {'crates': crates or CRATES, 'cache': str(cache), 'trace': trace, 'cases': cases}
    done = subprocess.run([DRIVER], input=json.dumps(request), text=True, check=True,
                          stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def tensor(*values):
    bits = base64.b64encode(struct.pack('<%df' % len(values), *values)).decode()
    return {'name': 'x', 'dtype': 'f32', 'shape': [len(values)], 'bits': bits}


def request(number, one, data=(), trace=False):
    return json.dumps({'id': number, 'run': {
        'case': one['id'], 'device': 'cpu', 'program': one['program'], 'observe': one['observe'],
        'data': list(data), 'memory': 4 << 30, 'trace': trace, 'fresh': False}}) + '\n'


def talk(worker, *lines, timeout=20):
    """(exit code, answers after the ready message, standard error); None for a hang."""
    try:
        done = subprocess.run([worker], input=''.join(lines), text=True, timeout=timeout,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b'').decode().splitlines()[1:], ''
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()[1:]], done.stderr


def numbers(outcome):
    seen = outcome['value']['tensor']
    bits = base64.b64decode(seen['bits'])
    return list(struct.unpack('<%df' % (len(bits) // 4), bits))


@unittest.skipUnless(CRATES, 'the candle crates are not compiled here')
class Candle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.cache)

    def answer(self, program, *observe, data=()):
        one = case(self.id().rsplit('.', 1)[1], program, *observe, data=[d['name'] for d in data])
        [plan] = compile_cases([one], self.cache)
        self.assertIn('worker', plan, plan)
        code, answers, said = talk(plan['worker'], request(1, one, data))
        self.assertEqual((code, len(answers)), (0, 1), said)
        self.assertEqual(len(answers[0]['observed']), len(observe))
        return answers[0]


class Pages(Candle):
    def test_references(self):
        got = self.answer(REFERENCES, 'c', 'mib_clone', 'mib_copy', 'shares(&x, &y)', 'shares(&x, &z)',
                          'x.id()', 'y.id()', 'z.id()', 'once', 't', 'alias', 'copied', 'self_write',
                          'set_self', 'set_new', 'w')
        self.assertEqual(got['ends'], {'value': None})
        seen = got['observed']
        self.assertEqual(numbers(seen[0]), [2, 2, 2])
        self.assertEqual(seen[1], {'value': {'mib': 0.0}})
        self.assertAlmostEqual(seen[2]['value']['mib'], 64, places=3)
        self.assertEqual([s['value'] for s in seen[3:8]],
                         [{'bool': True}, {'bool': False}, {'id': 4}, {'id': 4}, {'id': 5}])
        self.assertEqual(numbers(seen[8]), [3, 3])
        self.assertEqual([numbers(s) for s in seen[9:12]], [[9, 2, 3, 4], [9, 2, 3, 4], [1, 2, 3, 4]])
        self.assertEqual(seen[12]['value'],
                         {'err': 'cannot use slice_set when self and src share their storage'})
        self.assertEqual(seen[13]['value'], {'err': 'cannot set variable cannot set a variable to a tensor '
                                                    'that is derived from its value'})
        self.assertEqual(seen[14]['value'], {'ok': {'unit': None}})
        self.assertEqual(numbers(seen[15]), [2, 4, 6])
        t, alias, copied, w = (seen[i]['value']['tensor'] for i in (9, 10, 11, 15))
        self.assertEqual((t['storage'], t['handle']), (alias['storage'], alias['handle']))
        self.assertNotEqual(t['storage'], copied['storage'])
        self.assertEqual(w['facts'], {'variable': 'true', 'tracked': 'true'})

    def test_snapshot(self):
        got = self.answer(SNAPSHOT, 'w', 'snap_clone', 'snap_copy', 'w_was')
        self.assertEqual([numbers(s) for s in got['observed']], [[.5, 1.5], [.5, 1.5], [1, 2], [1, 2]])
        host = got['observed'][3]['value']['tensor']
        self.assertEqual(sorted(host), ['bits', 'dtype', 'host', 'shape'])

    def test_refused_programs_leave_the_others_alone(self):
        cases = [case('pages/moved', MOVED), case('fine', 'let a = 1u8;', 'a'),
                 case('pages/add_assign', ADD_ASSIGN), case('open', 'if true {\nlet a = 1;\n', '1'),
                 case('typo', 'let a = Tensor::onse(3)?;'),
                 case('closes', 'Ok(()) }\nfn other() -> Result<()> {', '1'),
                 case('lint', 'let a: u8 = 256;', 'a')]
        plans = compile_cases(cases, self.cache)
        refused = [plan['outcome']['refused'] if 'outcome' in plan else None for plan in plans]
        self.assertEqual([r and (r['type'], r['line'], r['column']) for r in refused],
                         [('E0382', 4, 16), None, ('E0368', 3, 1), ('error', 1, 9), ('E0599', 1, 17), None,
                          ('overflowing_literals', 1, 13)])
        # the places that the documented pages show
        self.assertIn('--> src/pages.moved.rs:7:18\n', refused[0]['detail'])
        self.assertIn(' 6 |   a += &b;\n', refused[2]['detail'])
        self.assertEqual(refused[0]['text'], 'borrow of moved value: `a`')
        _, [fine], _ = talk(plans[1]['worker'], request(1, cases[1]))
        self.assertEqual(fine['observed'], [{'value': {'int': '1'}}])
        _, [closes], _ = talk(plans[5]['worker'], request(1, cases[5]))
        self.assertEqual((closes['ends'], closes['observed']), ({'value': None}, [{'not_reached': {}}]))


class Observations(Candle):
    def test_kinds(self):
        got = self.answer('''let x = Tensor::new(&[[1f32, 2.], [3., 4.]], &dev)?;
            #[derive(Debug)] struct Own(#[allow(dead_code)] u8);
            let own = Own(3);
            let halves = Tensor::new(&[1f32, -0.], &dev)?;''',
                          '()', 'true', '-5i64', '0.1f32', '"é"', 'x.dims()', '(1u8, "a")', 'Some(2u32)',
                          'None::<u8>', 'x.reshape((3, 3))', 'x.dtype()', 'own', 'x.t()?',
                          'halves.to_dtype(DType::BF16)?',
                          'halves.to_dtype(DType::F8E4M3)?', 'x.narrow(1, 1, 1)?', 'u128::MAX')
        seen = [s['value'] for s in got['observed']]
        self.assertEqual(seen[:12], [
            {'unit': None}, {'bool': True}, {'int': '-5'}, {'float': {'bits': 'cdcccc3d', 'dtype': 'f32'}},
            {'text': 'é'}, {'list': [{'int': '2'}, {'int': '2'}]}, {'list': [{'int': '1'}, {'text': 'a'}]},
            {'some': {'int': '2'}}, {'none': None},
            {'err': 'shape mismatch in reshape, lhs: [2, 2], rhs: [3, 3]'},
            {'other': {'type': 'DType', 'text': 'F32'}}, {'other': {'type': 'Own', 'text': 'Own(3)'}}])
        self.assertEqual(numbers(got['observed'][12]), [1, 3, 2, 4])
        self.assertEqual(seen[12]['tensor']['strides'], [1, 2])
        self.assertEqual((seen[13]['tensor']['dtype'], base64.b64decode(seen[13]['tensor']['bits'])),
                         ('bf16', b'\x80\x3f\x00\x80'))
        self.assertEqual((seen[14]['tensor']['dtype'], base64.b64decode(seen[14]['tensor']['bits'])),
                         ('f8e4m3', b'\x38\x80'))
        self.assertEqual(seen[15]['tensor']['offset'], 1)
        self.assertEqual(seen[16], {'int': str(2 ** 128 - 1)})

    def test_one_that_panics_loses_only_itself(self):
        got = self.answer('let t = Tensor::ones(3, DType::F32, &dev)?;\n'
                          'let r = attempt(|| t.inplace_op1(&parity::ops::fail()));', 'r', 't', '1u8')
        self.assertEqual(got['observed'], [
            {'value': {'err': 'parity::ops::fail'}},
            {'panic': {'text': 'called `Result::unwrap()` on an `Err` value: PoisonError { .. }'}},
            {'value': {'int': '1'}}])

    def test_one_that_does_not_compile_loses_only_itself(self):
        got = self.answer('let a = vec![1u8];\nlet b = &a;\nlet c = a;', 'c', 'b', 'nope', 'f(', 'c.len()')
        kinds = [next(iter(s)) for s in got['observed']]
        self.assertEqual(kinds, ['value', 'refused', 'refused', 'refused', 'value'])
        self.assertEqual([s['refused']['type'] for s in got['observed'][1:4]], ['E0505', 'E0425', 'error'])
        self.assertIn('| nope\n', got['observed'][2]['refused']['detail'])

    def test_question_mark_and_temporaries(self):
        got = self.answer('let x = Tensor::new(&[1f32, 2.], &dev)?;',
                          'x.reshape((5,))?', 'x.copy()?', 'x.copy()?')
        self.assertEqual(got['observed'][0], {'error': {
            'type': 'candle', 'text': 'shape mismatch in reshape, lhs: [2], rhs: [5]'}})
        first, second = (s['value']['tensor']['storage'] for s in got['observed'][1:])
        self.assertNotEqual(first, second, 'memory that was freed passes for shared memory')

    def test_large_tensors_travel_as_hash(self):
        got = self.answer('let x = Tensor::arange(0u32, 1 << 20, &dev)?;\n'
                          'let y = x.reshape((1024, 1024))?;',
                          'x', 'y.t()?', 'y.t()?.contiguous()?')
        plain, strided, copied = (s['value']['tensor'] for s in got['observed'])
        self.assertNotIn('bits', plain)
        self.assertEqual(base64.b64decode(plain['head']), struct.pack('<64I', *range(64)))
        last = range((1 << 20) - 64, 1 << 20)
        self.assertEqual(base64.b64decode(plain['tail']), struct.pack('<64I', *last))
        self.assertEqual(len(plain['hash']), 16)
        self.assertEqual(strided['hash'], copied['hash'])
        self.assertNotEqual(strided['hash'], plain['hash'])

    def test_identifiers_and_data(self):
        got = self.answer('let y = (&x + 1.)?;\nlet z = y.clone();', 'y', 'y.id()', 'z.id()',
                          data=[tensor(1, 2)])
        self.assertEqual(numbers(got['observed'][0]), [2, 3])
        self.assertEqual([s['value'] for s in got['observed'][1:]], [{'id': 1}, {'id': 1}])


class Endings(Candle):
    def test_panics_have_a_place(self):
        # rustc places an index at its bracket
        got = self.answer('let v: Vec<i32> = vec![];\nlet s = "a\nb"; v[1];', 'v')
        self.assertEqual(got['ends'], {'panic': {
            'text': 'index out of bounds: the len is 0 but the index is 1', 'line': 3, 'column': 6}})
        self.assertEqual(got['observed'], [{'not_reached': {}}])

    def test_errors(self):
        got = self.answer('Tensor::ones(3, DType::F32, &dev)?.reshape((2, 2))?;', '1')
        self.assertEqual(got['ends'], {'error': {
            'type': 'candle', 'text': 'shape mismatch in reshape, lhs: [3], rhs: [2, 2]'}})
        self.assertEqual(got['observed'], [{'not_reached': {}}])

    def test_own_panic_hooks_and_payloads(self):
        got = self.answer('std::panic::set_hook(Box::new(|_| {}));\nstd::panic::panic_any(3);', '1')
        self.assertEqual(got['ends'], {'panic': {'text': 'a panic whose payload is no text'}})

    def test_last_ok_and_prints(self):
        got = self.answer('println!("{{\\"id\\": 1}}");\nprint!("half a line");\nOk(())\n', '2u8')
        self.assertEqual((got['ends'], got['observed']), ({'value': None}, [{'value': {'int': '2'}}]))

    def test_any_rust(self):
        got = self.answer('''use std::collections::BTreeMap;
            use std::sync::atomic::{AtomicU32, Ordering};
            static COUNT: AtomicU32 = AtomicU32::new(0);
            macro_rules! twice { ($e:expr) => { ($e, $e) }; }
            trait Area { fn area(&self) -> f64; }
            enum Shape { Square(f64) }
            impl Area for Shape { fn area(&self) -> f64 { let Shape::Square(s) = self; s * s } }
            mod inner { pub fn seven() -> u8 { 7 } }
            let joined = std::thread::spawn(|| COUNT.fetch_add(1, Ordering::SeqCst)).join().is_ok();
            let failed = std::thread::spawn(|| panic!("elsewhere")).join().is_err();
            let bits = unsafe { std::mem::transmute::<f32, u32>(1.0) };
            let area = Shape::Square(2.0).area();
            let pair = twice!(inner::seven());
            let map: BTreeMap<_, _> = [(1u8, "a")].into_iter().collect();
            fn early(n: u8) -> Result<u8> { if n > 1 { return Ok(n) } candle_core::bail!("small") }
            let (large, small) = (early(2), early(1));''',
                          'joined', 'failed', 'bits', 'area', 'pair', 'map', 'large', 'small',
                          'COUNT.load(Ordering::SeqCst)')
        self.assertEqual([s['value'] for s in got['observed']], [
            {'bool': True}, {'bool': True}, {'int': '1065353216'},
            {'float': {'bits': '0000000000001040', 'dtype': 'f64'}}, {'list': [{'int': '7'}, {'int': '7'}]},
            {'other': {'type': 'BTreeMap<u8, &str>', 'text': '{1: "a"}'}}, {'ok': {'int': '2'}},
            {'err': 'small'}, {'int': '1'}])

    def test_returning_early_reaches_no_observation(self):
        got = self.answer('if dev.is_cpu() {\n  return Ok(());\n}\nlet a = 1;', 'a')
        self.assertEqual((got['ends'], got['observed']), ({'value': None}, [{'not_reached': {}}]))

    def crash(self, program):
        one = case(self.id().rsplit('.', 1)[1], program, '1u8')
        [plan] = compile_cases([one], self.cache)
        return talk(plan['worker'], request(1, one), timeout=10)

    def test_abort(self):
        self.assertEqual(self.crash('std::process::abort();')[:2], (-6, []))

    def test_exit(self):
        self.assertEqual(self.crash('std::process::exit(7);')[:2], (7, []))

    def test_too_much_memory(self):
        code, answers, said = self.crash('let v = vec![1u8; 10 << 30];\nprintln!("{}", v.len());')
        self.assertEqual((code, answers), (-6, []))
        self.assertIn('memory allocation of 10737418240 bytes failed', said)

    def test_endless_recursion(self):
        code, answers, said = self.crash(
            'fn f(n: u64) -> u64 { let a = [n; 64]; f(n + 1) + std::hint::black_box(a)[3] }\n'
            'println!("{}", f(0));')
        self.assertEqual((code, answers), (-6, []))
        self.assertIn('stack', said)

    def test_closed_descriptors(self):
        code, answers, _ = self.crash('extern "C" { fn close(fd: i32) -> i32; }\n'
                                      'for fd in 0..70000 { unsafe { close(fd); } }')
        self.assertEqual((code, answers), (1, []))

    def test_endless_loop_and_its_trace(self):
        one = case('endless', 'let a = 1;\nfor i in 0..2 { let _ = i + a; }\nloop {}', 'a')
        [plan] = compile_cases([one], self.cache, trace=True)
        code, lines, _ = talk(plan['worker'], request(5, one, trace=True), timeout=2)
        self.assertIsNone(code)
        self.assertEqual([json.loads(line) for line in lines],
                         [{'id': 5, 'at': {'line': line, 'column': 1}} for line in (1, 2, 3)])


class Workers(Candle):
    def test_cases_share_a_worker_and_harm_nobody(self):
        cases = [case('a', 'panic!("one");', '1'),
                 case('b', 'let x = Tensor::zeros(1, DType::F32, &dev)?;', 'x.id()'),
                 case('c', 'std::env::set_current_dir("/").unwrap();', '3u8')]
        plans = compile_cases(cases, self.cache)
        found = {plan['worker'] for plan in plans}
        every = [request(i, one) for i, one in enumerate(cases + cases)]
        for worker in found:
            code, answers, said = talk(worker, *every)
            self.assertEqual((code, len(answers)), (0, 6), said)
            for answer in answers:
                of = cases[answer['id'] % 3]['id']
                if worker != plans[answer['id'] % 3]['worker']:
                    self.assertIn('unsupported', answer['ends'])
                elif of == 'a':
                    self.assertEqual(answer['ends']['panic']['text'], 'one')
                else:
                    expected = {'id': 1} if of == 'b' else {'int': '3'}
                    self.assertEqual(answer['observed'], [{'value': expected}])

    def test_ready(self):
        [plan] = compile_cases([case('r', '')], self.cache)
        done = subprocess.run([plan['worker']], input='', text=True, stdout=subprocess.PIPE, check=True)
        ready = json.loads(done.stdout)['ready']
        version = json.loads(pathlib.Path(CRATES, 'crates.json').read_text())['candle']
        self.assertEqual((ready['protocol'], ready['engine'], ready['version'], ready['cancel']),
                         (1, 'candle', version, False))
        self.assertTrue({'rustc', 'profile', 'features', 'target'} <= set(ready['provenance']))

    def test_another_request_than_compiled(self):
        one = case('o', 'let a = 1;', 'a')
        [plan] = compile_cases([one], self.cache)
        _, answers, _ = talk(plan['worker'], request(1, dict(one, observe=['a', 'b'])), '{"cancel": 1}\n',
                             request(2, one).replace('"cpu"', '"metal"'), request(3, one))
        self.assertIn('asked for 2', answers[0]['ends']['unsupported']['text'])
        self.assertEqual(len(answers[0]['observed']), 2)
        self.assertIn('no device metal', answers[1]['ends']['unsupported']['text'])
        self.assertEqual(answers[2]['ends'], {'value': None})


class Kept(Candle):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.cache))
        # A compiler that counts how often it is called.
        self.log = self.folder / 'calls'
        crates = json.loads(pathlib.Path(CRATES, 'crates.json').read_text())
        script = self.folder / 'rustc'
        script.write_text('#!/bin/sh\necho >> %s\nexec %s "$@"\n' % (self.log, crates['rustc']))
        script.chmod(0o755)
        crates['rustc'] = str(script)
        crates['dependencies'] = os.path.relpath(pathlib.Path(CRATES, crates['dependencies']), self.folder)
        for name, path in crates['extern'].items():
            crates['extern'][name] = os.path.relpath(pathlib.Path(CRATES, path), self.folder)
        (self.folder / 'crates.json').write_text(json.dumps(crates))

    def plan(self, cases):
        return compile_cases(cases, self.folder / 'kept', crates=str(self.folder))

    def calls(self):
        count = self.log.stat().st_size if self.log.exists() else 0
        self.log.unlink(missing_ok=True)
        return count

    def test_only_what_changed_is_compiled(self):
        cases = [case('c%d' % i, 'let a = %d;' % i, 'a') for i in range(6)] + [case('bad', 'a;')]
        first = self.plan(cases)
        self.assertGreater(self.calls(), 0)
        self.assertEqual(self.plan(cases), first)
        self.assertEqual(self.calls(), 0)
        cases[2] = case('c2', 'let a = 22;', 'a')
        second = self.plan(cases)
        self.assertEqual(self.calls(), 1)
        self.assertEqual(second[:2] + second[3:], first[:2] + first[3:])
        self.assertNotEqual(second[2], first[2])
        _, [answer], _ = talk(second[2]['worker'], request(1, cases[2]))
        self.assertEqual(answer['observed'], [{'value': {'int': '22'}}])

    def test_damage_is_repaired(self):
        one = case('c', 'let a = 1;', 'a')
        [plan] = self.plan([one])
        self.calls()
        pathlib.Path(plan['worker']).write_bytes(b'cut short')
        [again] = self.plan([one])
        self.assertEqual((self.calls(), again), (1, plan))
        self.assertEqual(talk(again['worker'], request(1, one))[0], 0)
        for entry in self.folder.glob('kept/candle/*/entries/*'):
            entry.write_text('{')
        self.plan([one])
        self.assertEqual(self.calls(), 1)

    def test_many_small_workers_become_one(self):
        cases = []
        for i in range(14):
            cases.append(case('c%d' % i, 'let a = %d;' % i, 'a'))
            plans = self.plan(cases)
        self.assertLessEqual(len({plan['worker'] for plan in plans}), 13)
        self.assertLess(self.calls(), 20)
        self.plan(cases)
        self.assertEqual(self.calls(), 0)

    def test_two_harnesses_at_once(self):
        cases = [case('c%d' % i, 'let a = %d;' % i, 'a') for i in range(4)]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            plans = list(pool.map(self.plan, [cases] * 3))
        for plan in plans:
            for one, prepared in zip(cases, plan):
                self.assertEqual(talk(prepared['worker'], request(1, one))[0], 0)

    def test_a_compiler_that_breaks_costs_one_case(self):
        crash = '#!/bin/sh\ngrep -q break src/*.rs && { echo thread rustc panicked >&2; exit 101; }\n'
        script = self.folder / 'rustc'
        script.write_text(script.read_text().replace('#!/bin/sh\n', crash))
        cases = [case('c%d' % i, '/* break */' if i == 3 else 'let a = %d;' % i, '1') for i in range(8)]
        plans = self.plan(cases)
        self.assertEqual([i for i, plan in enumerate(plans) if 'worker' not in plan], [3])
        broken = plans[3]['outcome']['unsupported']
        self.assertEqual(broken['text'], 'rustc itself failed (exit code 101)')

    def test_no_compiler(self):
        (self.folder / 'rustc').unlink()
        asked = {'crates': str(self.folder), 'cache': str(self.folder / 'kept'), 'cases': [case('c', '')]}
        done = subprocess.run([DRIVER], input=json.dumps(asked), text=True, capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn('could not be started (No such file or directory); compile', done.stderr)


class Prelude(Candle):
    def test_unit_tests(self):
        crates = json.loads(pathlib.Path(CRATES, 'crates.json').read_text())
        binary = self.cache / 'prelude-tests'
        libraries = pathlib.Path(CRATES, crates['dependencies'])
        externs = {name: pathlib.Path(CRATES, crates['extern'][name])
                   for name in ('candle_core', 'half', 'float8')}
        for name in ('base64', 'libc', 'serde_json', 'xxhash_rust'):
            externs[name] = max(libraries.glob('lib%s-*.rlib' % name), key=os.path.getmtime)
        command = [crates['rustc'], '--test', '--edition=2021', '--crate-name=parity', '-Awarnings',
                   '-o', binary, '-Ldependency=%s' % libraries, PRELUDE]
        command += ['--extern=%s=%s' % item for item in externs.items()]
        subprocess.run(command, check=True)
        done = subprocess.run([binary], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r'test result: ok\. [1-9]\d* passed')


if __name__ == '__main__':
    unittest.main()
