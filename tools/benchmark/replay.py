"""How long PyTorch's programs take under Python, and how long the same operator calls without it."""
import json
import pathlib
import subprocess
import tempfile

COLUMNS = ('torch', 'libtorch')


def seconds(build, column, rounds):
    """{case: least seconds over the rounds} on a warm worker, of cases that end by themselves."""
    least = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / 'report.json'
            subprocess.run([build / 'harness/cli/parity', 'run', '--column', column, '--report',
                            'json=%s' % report], capture_output=True, check=False)
            result = json.loads(report.read_text(encoding='utf-8')) if report.exists() else {'cases': []}
        for case in result['cases']:
            for run in case['runs']:
                ended = {'value', 'error'} & run['ends'].keys()
                if run['column'].startswith(column) and ended:
                    least[case['id']] = min(run['seconds'], least.get(case['id'], run['seconds']))
    return least


def table(build, rounds, duration):
    """Prints it; says why not where a column is missing."""
    python, replay = (seconds(build, column, rounds) for column in COLUMNS)
    cases = sorted(python.keys() & replay.keys(), key=lambda case: -replay[case])
    print('\nPyTorch programs of the suite, warm: under Python, and their calls replayed by libtorch')
    if not cases:
        print('not here: a column of %s (./parity doctor says why)' % ' and '.join(COLUMNS))
        return
    # The longest alone: what it spends is memory (page faults, filling, hashing), the same in both.
    for label, some in (('all %d cases' % len(cases), cases), ('without ' + cases[0], cases[1:]),
                        (cases[0], cases[:1])):
        left, right = (sum(times[case] for case in some) for times in (python, replay))
        if some:
            print('%-32s%12s%12s%11.1fx' % (label, duration(left * 1e9), duration(right * 1e9), left / right))
