"""Every seeded fault of the core must be noticed by a case. Needs a build with -Dmutants=true."""
import concurrent.futures
import re
import sys

import items
import suite

TABLE = items.ROOT / 'backends/core/mutants.h'


def mutants():
    """(name, what is wrong then), from the table of the core."""
    rows = re.findall(r'X\((\w+),\s*"([^"]*)"\)', TABLE.read_text(encoding='utf-8'))
    assert rows, 'no mutants in %s' % TABLE
    return rows


def judge(row):
    name, about = row
    # With a seed the stand-in for Metal is late, so that a missing wait shows.
    result, code, said = suite.run(['--column', 'core'], PARITY_MUTANT=name, PARITY_METAL_SEED='1')
    cases = result['cases'] if result else []
    caught = [(case['id'], verdict) for case in cases for verdict in suite.broken(case)]
    if code == 1 and caught:
        case, verdict = caught[0]
        return True, '%s: %s\n# seen by %s: %s, and %d more' % (
            name, about, case, suite.describe(verdict), len(caught) - 1)
    return False, '%s: %s\n# exit code %d\n# %s' % (name, about, code, '\n# '.join(said.splitlines()[-20:]))


def main():
    failed = False
    # Without a fault nothing may be broken, or the rest would prove nothing.
    result, code, said = suite.run(['--column', 'core'], PARITY_MUTANT='')
    clean = code == 0 and result is not None and result['cases']
    print('%s no fault, nothing broken' % ('ok' if clean else 'not ok'))
    print('# ' + '\n# '.join(said.splitlines()[-5:]))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for passed, text in pool.map(judge, mutants()):
            print('%s %s' % ('ok' if passed else 'not ok', text), flush=True)
            failed = failed or not passed
    return 1 if failed or not clean else 0


if __name__ == '__main__':
    sys.exit(main())
