"""An engine written from docs/protocol.md alone: runs a case's `torch:` text as plain Python, without torch.

It knows numbers, texts, lists and data bound by the case. Try it on any case that needs no more:

    parity run 'selftest/toy*' --engine toy:torch='python3 harness/run/testing/toy_engine.py'
"""
import base64
import json
import os
import struct
import sys
import traceback

FORMATS = {'f32': 'f', 'f64': 'd', 'i64': 'q', 'i32': 'i', 'u32': 'I', 'u8': 'B'}

# Programs print: keep the protocol on descriptors of its own.
requests = os.fdopen(os.dup(0), 'r', encoding='utf-8')
answers = os.fdopen(os.dup(1), 'w', encoding='utf-8')
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)


def say(message):
    answers.write(json.dumps(message) + '\n')
    answers.flush()


def elements(tensor):
    code = FORMATS[tensor['dtype']]
    return [x for (x,) in struct.iter_unpack('<' + code, base64.b64decode(tensor['bits']))]


def raised(error):
    return {'type': type(error).__name__, 'text': (str(error).splitlines() or [''])[0]}


def value(x):
    if x is None:
        return {'unit': None}
    if isinstance(x, bool):
        return {'bool': x}
    if isinstance(x, int):
        return {'int': str(x)}
    if isinstance(x, float):
        return {'float': {'bits': struct.pack('<d', x).hex(), 'dtype': 'f64'}}
    if isinstance(x, str):
        return {'text': x}
    if isinstance(x, (list, tuple)):
        return {'list': [value(item) for item in x]}
    if isinstance(x, Exception):
        return {'raised': raised(x)}
    return {'other': {'type': type(x).__name__, 'text': repr(x)}}


def failed(error):
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == 'case']
    return {'error': dict(raised(error), **({'line': lines[-1]} if lines else {}))}


def run(request):
    names = {tensor['name']: elements(tensor) for tensor in request['data']}
    try:
        exec(compile(request['program'], 'case', 'exec'), names)
    except Exception as error:
        return failed(error), [{'not_reached': {}} for _ in request['observe']]
    observed = []
    for expression in request['observe']:
        try:
            observed.append({'value': value(eval(expression, names))})
        except Exception as error:
            observed.append(failed(error))
    return {'value': None}, observed


say({'ready': {'protocol': 1, 'engine': 'toy', 'version': None,
               'provenance': {'python': sys.version.split()[0]}}})
for line in requests:
    request = json.loads(line)
    if 'run' in request:
        ends, observed = run(request['run'])
        sys.stdout.flush()
        say({'id': request['id'], 'ends': ends, 'observed': observed})
