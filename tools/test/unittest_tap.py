"""Runs one *_test.py and prints TAP: `python3 tools/test/unittest_tap.py FILE`."""
import importlib.util
import os
import pathlib
import sys
import unittest


class TapResult(unittest.TestResult):
    def say(self, line):
        print(line, flush=True)

    def not_ok(self, test, err):
        self.say('not ok %s' % test.id())
        for line in self._exc_info_to_string(err, test).splitlines():
            self.say('# ' + line)

    def addSuccess(self, test):
        self.say('ok %s' % test.id())

    def addError(self, test, err):
        super().addError(test, err)
        self.not_ok(test, err)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.not_ok(test, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say('ok %s # SKIP %s' % (test.id(), reason))

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.say('ok %s' % test.id())

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.say('not ok %s' % test.id())
        self.say('# expected to fail, and passed')

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.not_ok(subtest, err)


def main():
    path = pathlib.Path(sys.argv[1]).resolve()
    # Neighbours are imported by their plain names.
    sys.path.insert(0, str(path.parent))
    os.environ['PYTHONDONTWRITEBYTECODE'] = '1'
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    result = TapResult()
    unittest.defaultTestLoader.loadTestsFromModule(module).run(result)
    return 0 if result.wasSuccessful() else 1


if __name__ == '__main__':
    sys.exit(main())
