"""What the suite does not judge: `python3 tools/coverage [--accept] [--raise 'RELATION ENGINE'] [--list]`.

Runs every case on every column and counts the verdicts of fidelity and contrast that could not be
made. limits.txt holds the numbers, which only go down; ./parity test fails above them.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'test'))
import ratchet  # noqa: E402
import suite  # noqa: E402


def main():
    parser = argparse.ArgumentParser(prog='coverage', description=__doc__.split('\n')[0])
    parser.add_argument('--accept', action='store_true', help='lower the limits to what was found')
    parser.add_argument('--raise', dest='raised', action='append', default=[], metavar='RELATION ENGINE',
                        help='with --accept: let this number rise; say why in the commit')
    parser.add_argument('--list', action='store_true', help='name every verdict that is missing')
    options = parser.parse_args()
    result, code, said = suite.run([])
    if result is None:
        sys.exit('coverage: parity run ended with %d\n%s' % (code, said))
    if options.accept:
        ratchet.accept(result, options.raised)
    limits = ratchet.limits()
    for key, entries in sorted(ratchet.not_judged(result).items()):
        print('%-10s %-18s %4d of at most %d' % (*key, len(entries), limits.get(key, 0)))
        for entry in entries if options.list else ():
            print('    %s  %s  %s' % entry)
    return 1 if ratchet.complaints(result) else 0


if __name__ == '__main__':
    sys.exit(main())
