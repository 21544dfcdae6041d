"""Runs an item and counts the lines of the Test Anything Protocol that it prints."""
import dataclasses
import os
import re
import signal
import subprocess

TEST_LINE = re.compile(r'^(not )?ok\b(.*)$')
EVIDENCE_LINES = 60
RUNNING = set()  # processes, each the leader of its group


@dataclasses.dataclass
class Result:
    passed: int = 0
    failed: int = 0
    evidence: str = ''


def count(text):
    """(passed, failed); a test that was skipped is neither."""
    passed = failed = 0
    for line in text.splitlines():
        match = TEST_LINE.match(line)
        if not match or '# skip' in match.group(2).lower():
            continue
        if match.group(1):
            failed += 1
        else:
            passed += 1
    return passed, failed


def tail(text):
    lines = text.rstrip().splitlines()
    failures = [line for line in lines if line.startswith('not ok')]
    cut = ['…'] if len(lines) > EVIDENCE_LINES else []
    kept = lines[-EVIDENCE_LINES:]
    missing = [line for line in failures if line not in kept]
    return '\n'.join('      ' + line for line in missing + cut + kept)


def execute(item):
    """(exit code or None on time-out, output). The item's whole process group ends with it."""
    environment = dict(os.environ, **item.environment)
    process = subprocess.Popen(item.command, cwd=item.folder, env=environment, text=True,
                               errors='replace', stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    RUNNING.add(process)
    code = None
    try:
        output, _ = process.communicate(timeout=item.timeout)
        code = process.returncode
    except subprocess.TimeoutExpired:
        kill(process)
        output, _ = process.communicate()
    kill(process)  # what it left behind
    RUNNING.discard(process)
    return code, output


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def stop(_number, _frame):
    """For a signal: nothing that was started goes on."""
    for process in list(RUNNING):
        kill(process)
    os._exit(130)


def run(item):
    code, output = execute(item)
    passed, failed = count(output)
    if code is None:
        failed, output = failed + 1, output + '\nno end within %d s' % item.timeout
    elif code != 0 and not failed:
        failed, output = 1, output + '\nexit code %d' % code
    elif passed + failed == 0:
        failed, output = 1, output + '\nran no test'
    return Result(passed, failed, tail(output) if failed else '')
