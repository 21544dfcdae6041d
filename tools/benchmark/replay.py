"""How long PyTorch's programs take under Python, and how long the same operator calls without it.

Each worker runs the suite several times in one run, as folders beside each other. The first time,
in which operators are called for the first time, does not count.
"""
import json
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile

COLUMNS = ('torch', 'libtorch')
COPIES = 8
LARGE = 1 << 20  # elements of a tensor
CASES = pathlib.Path(__file__).resolve().parents[2] / 'cases'


def copy_cases(folder):
    """The suite as `0/…`, `1/…`. Records and traces name their case, so they are renamed."""
    for name in map(str, range(COPIES)):
        shutil.copytree(CASES, folder / name, ignore=shutil.ignore_patterns('selftest'))
        for pattern in ('*.out', '*.trace'):
            for path in (folder / name).rglob(pattern):
                text = path.read_text(encoding='utf-8')
                path.write_text(re.sub('^case ', 'case %s/' % name, text, flags=re.M), encoding='utf-8')


def seconds(build, cases, column):
    """{case: median seconds on a warm worker} of cases that end by themselves."""
    report = cases.parent / 'report.json'
    subprocess.run([build / 'harness/cli/parity', 'run', '--cases', cases, '--column', column,
                    '--report', 'json=%s' % report], capture_output=True, check=False)
    result = json.loads(report.read_text(encoding='utf-8')) if report.exists() else {'cases': []}
    measured = {}
    for case in result['cases']:
        copy, _, name = case['id'].partition('/')
        for run in case['runs']:
            ended = {'value', 'error'} & run['ends'].keys()
            if copy != '0' and run['column'].startswith(column) and ended:
                measured.setdefault(name, []).append(run['seconds'])
    return {name: statistics.median(values) for name, values in measured.items()}


def with_large_tensors():
    found = set()
    for path in CASES.rglob('*.trace'):
        case = None
        for line in path.read_text(encoding='utf-8').splitlines():
            case = line[5:] if line.startswith('case ') else case
            sizes = re.match(r'  t\d+ s\d+ \w+ \[([\d,]+)\]', line)
            if sizes and math.prod(map(int, sizes[1].split(','))) >= LARGE:
                found.add(case)
    return found


def table(build, duration):
    """Prints it; says why not where a column is missing."""
    with tempfile.TemporaryDirectory() as folder:
        cases = pathlib.Path(folder) / 'cases'
        copy_cases(cases)
        python, replay = (seconds(build, cases, column) for column in COLUMNS)
    cases = sorted(python.keys() & replay.keys(), key=lambda case: -replay[case])
    print('\nPyTorch programs of the suite, warm: under Python, and their calls replayed by libtorch')
    if not cases:
        print('not here: a column of %s (./parity doctor says why)' % ' and '.join(COLUMNS))
        return
    # Apart: where time goes into large tensors (page faults, filling, hashing), the same in both.
    known = with_large_tensors()
    large = [case for case in cases if case in known]
    rest = [case for case in cases if case not in large]
    for label, some in (('all %d cases' % len(cases), cases), ('%d without large tensors' % len(rest), rest),
                        (', '.join(large), large)):
        left, right = (sum(times[case] for case in some) for times in (python, replay))
        if some:
            print('%-32s%12s%12s%11.1fx' % (label, duration(left * 1e9), duration(right * 1e9), left / right))
