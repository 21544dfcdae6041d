"""The project's own tests: `./parity test [--quick] [--list] [PATTERN ...]`.

Everything is an item with a name such as `unit/base`; PATTERN picks items by a part of their name or
as a glob. Each item is a program that prints TAP. The last line is `N passed, N failed`.
"""
import argparse
import concurrent.futures
import fnmatch
import os
import signal
import sys
import threading
import time

import items
import tap


def arguments():
    parser = argparse.ArgumentParser(prog='parity test', description="Runs Parity's own tests.")
    parser.add_argument('--quick', action='store_true',
                        help='leave out sanitizers, mutants and whatever else is slow')
    parser.add_argument('--list', action='store_true', help='print the names and run nothing')
    parser.add_argument('-j', '--jobs', type=int, default=2, help='items at a time (2)')
    parser.add_argument('pattern', nargs='*', help='part of a name, or a glob; else everything')
    return parser.parse_args()


def chosen(item, options):
    if options.quick and item.slow:
        return False
    return not options.pattern or any(pattern in item.name or fnmatch.fnmatch(item.name, pattern)
                                      for pattern in options.pattern)


class Tally:
    """Counts over all items; prints each item as it ends."""

    def __init__(self):
        self.passed = self.failed = 0
        self.lock = threading.Lock()

    def add(self, item, result, seconds):
        with self.lock:
            self.passed += result.passed
            self.failed += result.failed
            word = 'FAIL' if result.failed else 'ok'
            counts = '%d passed' % result.passed
            if result.failed:
                counts += ', %d failed' % result.failed
            print('%-4s  %-44s %s  (%.1f s)' % (word, item.name, counts, seconds))
            if result.failed:
                print(result.evidence)
                print('      again: ./parity test %s' % item.name)
            sys.stdout.flush()


def run_group(group, options, tally):
    """Items of one group run side by side, those that need the machine to themselves afterwards."""
    def one(item):
        start = time.monotonic()
        result = tap.run(item)
        tally.add(item, result, time.monotonic() - start)
        return result.failed == 0

    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        list(pool.map(one, [item for item in group if not item.alone]))
    for item in group:
        if item.alone:
            one(item)


def main():
    options = arguments()
    tally = Tally()
    found = False
    for make in items.GROUPS:
        group = [item for item in make(options) if chosen(item, options)]
        found = found or bool(group)
        if options.list:
            for item in group:
                print(item.name)
        elif group:
            # Only now: a build that no chosen item needs is not made.
            failure = items.build(group)
            if failure:
                tally.add(*failure)
            else:
                run_group(group, options, tally)
    if not found:
        print('no test is called %s; ./parity test --list prints the names' % ' or '.join(options.pattern))
    if options.list:
        return 0
    print('%d passed, %d failed' % (tally.passed, tally.failed))
    return 0 if tally.passed and not tally.failed else 1


if __name__ == '__main__':
    os.chdir(items.ROOT)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, tap.stop)
    sys.exit(main())
