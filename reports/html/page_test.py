"""The HTML report in Debian's Chromium: runs page_test.js and reports its tests one by one."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'tools/test'))
import node  # noqa: E402

ALONE = True  # it measures time
SLOW = True   # it starts a browser some twenty times
SCRIPT = HERE / 'page_test.js'
SAMPLE = pathlib.Path(os.environ['PARITY_BUILD']) / 'reports/report-sample'
TAP = re.compile(r'^(not )?ok \d+ - (.*?)(?: # .*)?$')


def results(output):
    """{name: None or what is wrong} from the TAP of node's test runner."""
    found, name = {}, None
    for line in output.splitlines():
        match = TAP.match(line)
        if match:
            name = match.group(2)
            found[name] = '' if match.group(1) else None
        elif name and found[name] is not None:
            found[name] += line + '\n'
    return found


def names():
    """As page_test.js has them; those made in a loop by what they begin with."""
    return re.findall(r"test\(['`]([^'`$]+)", SCRIPT.read_text(encoding='utf-8'))


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        chromium = node.program('chromium')
        with tempfile.TemporaryDirectory() as folder:
            pages = {'PAGE': ['html', '2000'], 'HARD': ['html']}
            for name, arguments in pages.items():
                page = pathlib.Path(folder) / (name.lower() + '.html')
                with open(page, 'wb') as file:
                    subprocess.run([SAMPLE, *arguments], stdout=file, check=True)
                pages[name] = str(page)
            done = node.run(SCRIPT, '--test-reporter=tap', source=HERE, timeout=500, CHROMIUM=chromium,
                            **pages)
        cls.results, cls.said = results(done.stdout), done.stdout + done.stderr


def check(start):
    def method(self):
        mine = {name: wrong for name, wrong in self.results.items() if name.startswith(start)}
        self.assertTrue(mine, 'no result of this test:\n' + self.said[-2000:])
        for name, wrong in mine.items():
            self.assertIsNone(wrong, name)
    return method


for each in names():
    setattr(Page, 'test_' + re.sub(r'\W+', '_', each).strip('_'), check(each))


if __name__ == '__main__':
    unittest.main()
