"""Checks the pages of docs/pages against a run and prints TAP, one line a page."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get('PARITY_BUILD', ROOT / 'build')) / 'harness/cli/parity'


def parity(*arguments):
    return subprocess.run([PROGRAM, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors='replace')


def absent_judge():
    """Why a page cannot be checked: where a judge is missing its record stands in, and pages say so."""
    for line in parity('list', '--columns').stdout.splitlines():
        column, _, reason = line.partition(' ')
        if column.split('@')[0] in ('candle', 'torch') and reason.strip():
            return '%s: %s' % (column, reason.strip())
    return ''


def main():
    pages = sorted(str(path.relative_to(ROOT)) for path in (ROOT / 'docs/pages').glob('*.md'))
    reason = absent_judge()
    if reason and not os.environ.get('CI'):
        print('ok docs/pages # SKIP ' + reason)
        return 0
    done = parity('docs', '--check', *pages)
    said = (done.stdout + done.stderr).splitlines()
    told = [page for page in pages if any(line.startswith(page + ':') for line in said)]
    for page in pages:
        print('%s %s' % ('not ok' if page in told else 'ok', page))
    if bool(told) != bool(done.returncode):
        print('not ok exit code\n# %d' % done.returncode)
    if done.returncode:
        print('# ' + '\n# '.join(said))
    return 1 if done.returncode else 0


if __name__ == '__main__':
    sys.exit(main())
