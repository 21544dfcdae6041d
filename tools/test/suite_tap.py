"""Runs every case and prints TAP, one line a case and one a column: `suite_tap.py [ARGUMENTS OF RUN]`."""
import os
import pathlib
import sys

import suite

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'coverage'))
import ratchet  # noqa: E402


def main():
    result, code, said = suite.run(sys.argv[1:])
    if result is None:
        print('not ok parity run\n# exit code %d\n# %s' % (code, '\n# '.join(said.splitlines())))
        return 1
    failed = 0
    for case in result['cases']:
        broken = suite.broken(case)
        failed += bool(broken)
        print('%s %s' % ('not ok' if broken else 'ok', case['id']))
        for verdict in broken:
            print('# ' + suite.describe(verdict))
    for name, reason in suite.columns(result):
        # On a developer's machine a column may be missing, and its record stands in; not in CI.
        missing = reason and os.environ.get('CI')
        failed += bool(missing)
        print('%s column %s%s' % ('not ok' if missing else 'ok', name, ' # SKIP ' + reason if reason else ''))
    if code not in (0, 1) or (code == 1) != bool(failed):
        failed += 1
        print('not ok exit code\n# %d\n# %s' % (code, '\n# '.join(said.splitlines())))
    for key, text, entries in [] if sys.argv[1:] else ratchet.complaints(result):
        failed += 1
        print('not ok coverage of %s %s\n# %s; python3 tools/coverage --list says more' % (*key, text))
        for entry in entries:
            print('#   %s  %s  %s' % entry)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
