#!/usr/bin/env python3
"""The tests of the core must notice every seeded fault of a build with -Dmutants=true.

Arguments: the program that lists the faults, then the test programs. Without a fault all of them pass;
with each fault at least one fails.
"""
import os
import subprocess
import sys


def passes(program, mutant):
    env = dict(os.environ, PARITY_MUTANT=mutant, CK_FORK='no', CK_VERBOSITY='silent')
    env.pop('CK_TAP_LOG_FILE_NAME', None)
    done = subprocess.run([program], env=env, timeout=120, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    return done.returncode == 0


def main(lister, programs):
    names = subprocess.run([lister], check=True, capture_output=True, text=True).stdout.split()
    failed = [os.path.basename(p) for p in programs if not passes(p, '')]
    survived = [name for name in names if all(passes(p, name) for p in programs)]
    if failed:
        print('these fail without any fault:', ', '.join(failed))
    if len(names) < 12:
        print('only', len(names), 'faults in this build: configure with -Dmutants=true')
    for name in survived:
        print('no test notices', name)
    print(f'{len(names) - len(survived)} of {len(names)} faults noticed')
    return bool(failed or survived or len(names) < 12)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2:]))
