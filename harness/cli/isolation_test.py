"""End to end: programs that crash, hang or exhaust memory cost only themselves."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from command import PROGRAM, needs, parity, report

SLOW = True  # hangs take their deadlines


def outcomes(result):
    """(case, column) → everything that a column saw of a case. Where a hang was when its time ran out
    and what a crash left behind are not the same each time."""
    seen = {}
    for case in result['cases']:
        for run in case['runs']:
            if 'hang' not in run['ends'] and 'crash' not in run['ends']:
                seen[case['id'], run['column']] = run['ends'], run.get('observed')
    return seen


@needs('core', 'candle', 'torch')
class Isolation(unittest.TestCase):
    def test_hostile_programs_leave_the_others_unchanged(self):
        alone, code = report('clone/*', 'copy/*')
        self.assertEqual(code, 0)
        together, code = report('clone/*', 'copy/*', 'outcomes/*')
        self.assertEqual(code, 0)
        expected, seen = outcomes(alone), outcomes(together)
        for key, value in expected.items():
            self.assertEqual(seen[key], value, key)

    def test_killed_workers_lose_nothing(self):
        expected, _ = report('clone/*', 'affine/*', 'slice_set/*')
        process = subprocess.Popen([PROGRAM, 'run', 'clone/*', 'affine/*', 'slice_set/*', '--report', 'json'],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        killed = []

        def children():
            found = subprocess.run(['ps', '-o', 'pid=,args=', '--ppid', str(process.pid)],
                                   capture_output=True, text=True).stdout
            return [int(line.split()[0]) for line in found.splitlines() if 'rustc' not in line]

        def kill():
            for _ in range(3):  # a start is tried five times
                for pid in children():
                    try:
                        os.kill(pid, signal.SIGKILL)
                        killed.append(pid)
                    except ProcessLookupError:
                        pass
                time.sleep(0.2)

        thread = threading.Thread(target=kill)
        thread.start()
        text = process.communicate(timeout=300)[0]
        thread.join()
        self.assertTrue(killed)
        self.assertEqual(outcomes(json.loads(text)), outcomes(expected))


if __name__ == '__main__':
    unittest.main()
