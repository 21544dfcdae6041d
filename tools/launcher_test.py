"""The launcher in a copy of its own, with stand-ins for the programs that fetch and compile.

PATH holds nothing but the stand-ins and the plain tools named below, so that what is installed on this
machine cannot matter.
"""
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'tools/test'))
import terminal  # noqa: E402

SLOW = True  # several sleep
PLAIN = '''bash basename cat chmod cp cut date dirname du env find flock grep head ln ls mkdir mv perl ps
    readlink rm rmdir sed sh sha256sum sleep sort tail touch tr uname xargs'''.split()

# What each stand-in does, besides writing its name and arguments to $CALLS.
STAND_INS = {
    'id': 'echo ${FAKE_UID:-1000}',
    'cc': 'true',
    'c++': 'true',
    'clang': 'true',
    'clang-format': 'true',
    'git': 'true',
    'meson': '''
        for last; do :; done
        build=$(eval "echo \\${$(($# - 1))}")
        mkdir -p "$build/meson-private" && touch "$build/meson-private/coredata.dat" "$build/build.ninja"''',
    'ninja': '''
        mkdir -p "$2/harness/cli"
        printf '#!/bin/sh\\necho ran "$@"\\nenv | grep ^PARITY_ | sort\\n' >"$2/harness/cli/parity"
        chmod +x "$2/harness/cli/parity"
        sleep ${TAKES:-0}''',
    'pkg-config': '[ ! -e "$FAKE/no-module-$2" ]',
    'rustc': 'echo "rustc 1.95.0"',
    'cargo': '''
        while [ "$1" != --target-dir ]; do shift; done
        mkdir -p "$2/release"
        [ -e "$2/begun" ] && echo "goes on" >>"$CALLS"
        touch "$2/begun" && echo "begun by cargo" >>"$CALLS"
        [ -e "$FAKE/no-network" ] && { echo "error: no network"; exit 101; }
        [ -e "$FAKE/slow" ] && sleep 30
        sleep ${TAKES:-0}
        touch "$2/release/done"''',
    'apt-get': '''
        [ -e "$FAKE/no-network" ] && exit 100
        rm -f "$FAKE"/no-module-*''',
    'python3': 'case "$1" in *build.py) exec cargo --target-dir "$2" ;; *) exit 9 ;; esac',
    # Runs probe.py by saying its facts; makes environments; its pip fetches.
    'python3.11': '''
        case "$*" in
            *probe.py) cat "$FAKE/probe" ;;
            *find_python.py) cat "$FAKE/embed" ;;
            "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
            "-m pip --version") true ;;
            "-m pip install "*)
                [ -e "$FAKE/no-network" ] && { echo "No matching distribution found for torch"; exit 1; }
                [ -e "$FAKE/slow" ] && sleep 30
                true ;;
            *) exit 9 ;;
        esac''',
}

PROBE = '''python_exe={exe}
python_version={version}
python_prefix=/usr
python_venv=yes
python_torch={torch}
'''


class Launcher(unittest.TestCase):
    def setUp(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix='parity launcher '))
        self.addCleanup(shutil.rmtree, self.top)
        self.checkout = self.top / 'check out'
        for path in ['parity', 'tools/setup', 'oracles/torch/requirements.txt',
                     'oracles/torch/find_python.py']:
            source, target = ROOT / path, self.checkout / path
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, target)
        crates = self.checkout / 'oracles/candle/crates/prelude/src'
        crates.mkdir(parents=True)
        (crates.parents[1] / 'Cargo.lock').write_text('lock\n')
        (crates / 'lib.rs').write_text('// prelude\n')
        self.fake = self.top / 'fake'
        self.bin = self.fake / 'bin'
        self.bin.mkdir(parents=True)
        self.calls_file = self.fake / 'calls'
        self.calls_file.touch()
        for tool in PLAIN:
            found = shutil.which(tool)
            if found:
                (self.bin / tool).symlink_to(found)
        for name in STAND_INS:
            self.install(name)
        self.probe()
        self.environment = {'PATH': str(self.bin), 'HOME': str(self.top), 'CALLS': str(self.calls_file),
                            'FAKE': str(self.fake), 'PARITY_CACHE': str(self.top / 'cache')}

    def install(self, name):
        text = '#!/bin/sh\necho "%s $*" >>"$CALLS"\n%s\n' % (name, textwrap.dedent(STAND_INS[name]))
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def probe(self, torch='', path=None, version='3.11.2'):
        text = PROBE.format(exe="'%s'" % (path or self.bin / 'python3.11'), torch=torch, version=version)
        (self.fake / 'probe').write_text(text)
        (self.fake / 'embed').write_text('include\t/usr/include\n')

    def flag(self, name):
        (self.fake / name).touch()

    def start(self, *arguments, **environment):
        return subprocess.Popen([self.checkout / 'parity', *arguments],
                                env={**self.environment, **environment},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, start_new_session=True)

    def run_parity(self, *arguments, code=0, **environment):
        process = self.start(*arguments, **environment)
        output, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, said)
        return output, said

    def calls(self, word=''):
        return [line for line in self.calls_file.read_text().splitlines() if line.startswith(word)]

    def wait_for(self, word):
        end = time.monotonic() + 20
        while not self.calls(word):
            self.assertLess(time.monotonic(), end, 'no call of %s in %s' % (word, self.calls()))
            time.sleep(0.02)

    def cached(self, pattern):
        return sorted(path.name for path in (self.top / 'cache').glob(pattern))


class FreshMachine(Launcher):
    def test_sets_up_and_runs(self):
        output, said = self.run_parity('run', 'a b')
        self.assertEqual(output.splitlines()[0], 'ran run a b')
        self.assertIn('PARITY_CRATES=%s/cache/crates-' % self.top, output)
        self.assertIn('PARITY_PYTHON_USED=%s/cache/python-' % self.top, output)
        self.assertIn('PARITY_ROOT=%s' % self.checkout, output)
        announced = said.index('This is fetched and built now')
        for part in ['PyTorch, into', 'candle 0.11.0, into', 'Parity itself, into']:
            self.assertLess(announced, said.index(part))
            self.assertLess(said.index(part), said.index('PyTorch: done'))

    def test_the_announcement_names_size_and_time(self):
        _, said = self.run_parity('run')
        self.assertRegex(said, r'PyTorch, into .*\n +\S*[\d.]+ GB fetched, .*GB on disk.*minutes')
        self.assertRegex(said, r'candle 0.11.0, into .*\n +.*MB on disk.*minutes')

    def test_stdout_is_left_to_reports(self):
        output, _ = self.run_parity('run')
        self.assertEqual(output.splitlines()[0], 'ran run')

    def test_help_sets_nothing_up(self):
        for arguments in [[], ['--help'], ['help']]:
            output, said = self.run_parity(*arguments)
            self.assertIn('./parity run', output)
            self.assertEqual(said, '')
        self.assertEqual(self.calls(), [])

    def test_commands_that_run_no_case_fetch_nothing(self):
        for command in ['list', 'check', 'doctor']:
            output, _ = self.run_parity(command)
            self.assertEqual(output.splitlines()[0], 'ran ' + command)
        self.assertEqual(self.calls('cargo') + self.calls('python3.11 -m'), [])
        self.run_parity('run')
        self.assertEqual(len(self.calls('cargo')), 1)

    def test_exit_code_and_arguments_pass_through(self):
        self.run_parity('run')
        program = self.checkout / 'build/harness/cli/parity'
        (self.bin / 'ninja').write_text('#!/bin/sh\n')
        program.write_text('#!/bin/sh\nfor a; do echo "<$a>"; done\nexit 2\n')
        output, _ = self.run_parity('run', '', 'x  y', '*', code=2)
        self.assertEqual(output.splitlines(), ['<run>', '<>', '<x  y>', '<*>'])

    def test_runs_through_a_symlink_from_elsewhere(self):
        link = self.top / 'link'
        link.symlink_to(self.checkout / 'parity')
        done = subprocess.run([link, 'run'], env=self.environment, cwd='/', capture_output=True, text=True)
        self.assertIn('PARITY_ROOT=%s' % self.checkout, done.stdout)


class Terminal(Launcher):
    def test_progress_is_live_there_and_leaves_no_trace(self):
        code, text = terminal.run([self.checkout / 'parity', 'run'], 80, {**self.environment, 'TAKES': '3'})
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r'\r\x1b\[K  compile +\d s')
        # What stays after each line was overwritten
        final = [re.sub(r'.*\x1b\[K', '', line.rstrip('\r')) for line in text.split('\n')]
        self.assertTrue([line for line in final if line.startswith('  compile: done in ')], text)
        self.assertNotIn('rror', text)


class UpToDate(Launcher):
    def test_starts_nothing_but_ninja(self):
        self.run_parity('run')
        self.calls_file.write_text('')
        _, said = self.run_parity('run')
        self.assertEqual(said, '')
        self.assertEqual([line.split()[0] for line in self.calls()], ['ninja'])

    def test_costs_little(self):
        self.run_parity('run')
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for _ in range(5):
            self.run_parity('run')
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # Processor time: that of a busy machine's clock would say nothing about the launcher.
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.assertLess(used / 5, 0.1)

    def test_an_edited_prelude_is_compiled_again_from_what_is_there(self):
        self.run_parity('run')
        (self.checkout / 'oracles/candle/crates/prelude/src/lib.rs').write_text('// edited\n')
        self.run_parity('run')
        self.assertEqual(len(self.calls('cargo')), 2)
        self.assertEqual(len(self.calls('goes on')), 1)
        self.assertEqual(len(self.cached('crates-*')), 2)

    def test_the_last_four_preludes_are_kept(self):
        self.run_parity('run')
        for number in range(5):
            (self.checkout / 'oracles/candle/crates/prelude/src/lib.rs').write_text('// %d\n' % number)
            self.run_parity('run')
        self.assertEqual(len(self.cached('crates-*')), 4)

    def test_other_requirements_make_another_environment(self):
        self.run_parity('run')
        with open(self.checkout / 'oracles/torch/requirements.txt', 'a') as file:
            file.write('more==1\n')
        self.run_parity('run')
        self.assertEqual(len(self.cached('python-*')), 2)

    def test_a_second_clone_takes_all_from_the_cache(self):
        self.run_parity('run')
        clone = self.top / 'second'
        shutil.copytree(self.checkout, clone, ignore=shutil.ignore_patterns('build'))
        self.calls_file.write_text('')
        subprocess.run([clone / 'parity', 'run'], env=self.environment, check=True, capture_output=True)
        self.assertEqual(self.calls('cargo') + self.calls('python3.11 -m'), [])

    def test_a_cache_that_was_removed_is_made_again(self):
        self.run_parity('run')
        shutil.rmtree(self.top / 'cache')
        output, _ = self.run_parity('run')
        self.assertEqual(len(self.calls('cargo')), 2)
        self.assertIn('PARITY_CRATES=', output)

    def test_the_unit_tests_stay_configured(self):
        self.run_parity('run')
        self.assertIn('-Dtests=false', self.calls('meson')[-1])
        self.run_parity('test', code=9)  # the stand-in for python3 runs no tests
        self.assertIn('-Dtests=true', self.calls('meson')[-1])
        self.run_parity('setup')
        self.run_parity('test', code=9)
        self.assertEqual(len(self.calls('meson')), 2)

    def test_a_failing_build_is_shown_and_ends_it(self):
        self.run_parity('run')
        (self.bin / 'ninja').write_text('#!/bin/sh\necho "x.c:1: error: oops"; exit 1\n')
        output, said = self.run_parity('run', code=4)
        self.assertIn('x.c:1: error: oops', said)
        self.assertEqual(output, '')


class Interrupted(Launcher):
    def interrupt(self, word, number):
        self.flag('slow')
        process = self.start('run')
        try:
            self.wait_for(word)
        except AssertionError:
            os.killpg(process.pid, signal.SIGKILL)
            print(process.communicate(timeout=20))
            raise
        os.killpg(process.pid, number)
        _, said = process.communicate(timeout=20)
        self.assertNotEqual(process.returncode, 0)
        (self.fake / 'slow').unlink()
        return said

    def test_python_is_not_complete_until_it_is(self):
        said = self.interrupt('python3.11 -m pip install', signal.SIGINT)
        self.assertIn('goes on from here', said)
        self.assertEqual([name[-5:] for name in self.cached('python-*')], ['.part'])
        output, _ = self.run_parity('run')
        self.assertEqual([name.count('.part') for name in self.cached('python-*')], [0])
        # made once, filled twice
        self.assertEqual(len(self.calls('python3.11 -m venv')), 1)
        self.assertIn('PARITY_PYTHON_USED=', output)

    def test_cargo_goes_on(self):
        (self.bin / 'python3.11').unlink()
        for number in (signal.SIGINT, signal.SIGKILL):
            self.calls_file.write_text('')
            self.interrupt('begun by cargo', number)
        self.run_parity('run')
        self.assertEqual(len(self.calls('goes on')), 2)
        self.assertEqual([name.count('.part') for name in self.cached('crates-*')], [0])

    def test_a_half_configured_build_is_made_anew(self):
        private = self.checkout / 'build/meson-private'
        private.mkdir(parents=True)
        (private / 'coredata.dat').write_text('half')
        output, _ = self.run_parity('run')
        self.assertIn('ran run', output)


class TwoAtOnce(Launcher):
    def second_says(self, while_first_is_in):
        first = self.start('run', TAKES='3')
        self.wait_for(while_first_is_in)
        second = self.start('run')
        _, said = second.communicate(timeout=60)
        first.communicate(timeout=60)
        self.assertEqual([first.returncode, second.returncode], [0, 0])
        self.assertEqual(len(self.calls('cargo')), 1)
        self.assertEqual(len(self.calls('python3.11 -m pip install')), 1)
        return said

    def test_the_second_waits_for_what_is_fetched(self):
        self.assertIn('another parity is setting up; waiting', self.second_says('cargo'))

    def test_the_second_waits_for_what_is_compiled(self):
        self.assertIn('another parity is compiling in', self.second_says('ninja'))

    def test_a_running_parity_holds_no_lock(self):
        self.run_parity('run')
        (self.bin / 'ninja').write_text('#!/bin/sh\n')
        program = self.checkout / 'build/harness/cli/parity'
        program.write_text('#!/bin/sh\n[ "$1" = wait ] && exec sleep 30\n')
        runs = self.start('wait')
        time.sleep(0.5)
        _, said = self.run_parity('run', code=1)
        os.killpg(runs.pid, signal.SIGKILL)
        runs.communicate()
        self.assertEqual(said, '')


class Missing(Launcher):
    def test_no_network_leaves_the_columns_out_and_runs(self):
        self.flag('no-network')
        output, said = self.run_parity('run')
        self.assertEqual(output.splitlines()[0], 'ran run')
        self.assertNotIn('PARITY_PYTHON_USED', output)
        self.assertNotIn('PARITY_CRATES', output)
        self.assertIn('without the torch column: PyTorch could not be fetched', said)
        self.assertIn('without the candle column: the candle crates could not be compiled', said)
        self.assertIn('./parity setup', said)

    def test_a_failure_is_not_repeated_until_asked(self):
        self.flag('no-network')
        self.run_parity('run')
        self.calls_file.write_text('')
        self.run_parity('run')
        self.assertEqual(self.calls('cargo') + self.calls('python3.11 -m'), [])
        (self.fake / 'no-network').unlink()
        self.run_parity('setup')
        output, _ = self.run_parity('run')
        self.assertIn('PARITY_PYTHON_USED', output)
        self.assertIn('PARITY_CRATES', output)

    def test_offline_fetches_nothing(self):
        output, said = self.run_parity('run', PARITY_OFFLINE='1')
        self.assertIn('ran run', output)
        self.assertEqual(self.calls('cargo') + self.calls('python3.11 -m'), [])
        self.assertIn('PARITY_OFFLINE forbids', said)

    def test_cargo_is_looked_for_again(self):
        (self.bin / 'cargo').unlink()
        output, said = self.run_parity('run')
        self.assertIn('cargo and rustc were not found', said)
        self.assertNotIn('PARITY_CRATES', output)
        self.install('cargo')
        output, _ = self.run_parity('run')
        self.assertIn('PARITY_CRATES', output)

    def test_packages_are_named_with_the_command(self):
        self.flag('no-module-jansson')
        (self.bin / 'ninja').unlink()
        output, said = self.run_parity('run', code=4)
        self.assertEqual(output, '')
        self.assertNotIn('This is fetched', said)
        self.assertIn('not found: ninja jansson. Install with: ', said)
        self.assertIn('sudo apt-get install --no-install-recommends ninja-build libjansson-dev\n', said)

    def test_root_installs_packages(self):
        self.flag('no-module-jansson')
        output, _ = self.run_parity('run', FAKE_UID='0')
        self.assertIn('ran run', output)
        self.assertEqual(self.calls('apt-get'), [
            'apt-get install -y --no-install-recommends libjansson-dev'])

    def test_root_without_network_is_told_the_command(self):
        self.flag('no-module-jansson')
        self.flag('no-network')
        _, said = self.run_parity('run', code=4, FAKE_UID='0')
        self.assertIn('apt-get install --no-install-recommends libjansson-dev', said)


class OldPython(Launcher):
    def test_is_not_given_what_is_not_made_for_it(self):
        self.probe(version='3.10.12')
        _, said = self.run_parity('run')
        self.assertIn('it is Python 3.10.12, and the pinned PyTorch wants 3.11 or later', said)
        self.assertEqual(self.calls('python3.11 -m'), [])

    def test_may_bring_its_own(self):
        self.probe(version='3.10.12', torch='1.13.1')
        output, _ = self.run_parity('run', PARITY_PYTHON=str(self.bin / 'python3.11'))
        self.assertIn('PARITY_PYTHON_USED=%s' % (self.bin / 'python3.11'), output)


class GivenPython(Launcher):
    def given(self, torch):
        self.probe(torch)
        return self.run_parity('run', PARITY_PYTHON=str(self.bin / 'python3.11'))

    def test_is_used_and_nothing_fetched(self):
        for version in ['1.13', '1.13.1', '2.0.1+cpu', '2.15.0']:
            output, _ = self.given(version)
            self.assertIn('PARITY_PYTHON_USED=%s' % (self.bin / 'python3.11'), output)
        self.assertEqual(self.calls('python3.11 -m'), [])

    def test_too_old(self):
        output, said = self.given('1.9.0')
        self.assertNotIn('PARITY_PYTHON_USED', output)
        self.assertIn('has torch 1.9.0, which is older than 1.13', said)

    def test_without_a_library_to_embed(self):
        self.probe('2.15.0')
        (self.fake / 'embed').write_text('absent\tit has no libpython; install it\n')
        output, said = self.run_parity('run', PARITY_PYTHON=str(self.bin / 'python3.11'))
        self.assertNotIn('PARITY_PYTHON_USED', output)
        self.assertIn('python3.11: it has no libpython; install it', said)

    def test_without_torch(self):
        output, said = self.given('')
        self.assertNotIn('PARITY_PYTHON_USED', output)
        self.assertIn('has no torch', said)


class Clean(Launcher):
    def test_removes_ours_and_nothing_else(self):
        self.run_parity('run')
        keep = self.top / 'cache/someone-else'
        keep.mkdir()
        _, said = self.run_parity('doctor', '--clean')
        self.assertEqual(self.cached('*'), ['someone-else'])
        self.assertFalse((self.checkout / 'build').exists())
        self.assertIn('removing', said)


if __name__ == '__main__':
    unittest.main()
