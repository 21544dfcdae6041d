"""What only a stand-in for a device says is called modelled wherever it is shown."""
import csv
import io
import json
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'harness/cli'))
import command  # noqa: E402

SOFT = 'core/metal-soft'
ALONE = 'sharing/writes'  # no judge on Metal has an outcome of it
RECORDED = 'pages/snapshot'
COLUMNLESS = {'code', 'compiler', 'intents'}  # they name no column

TEXT = '''title: t
candle: |
  let x = Tensor::new(&[1f32], &dev)?;
rows:
  - {id: x, candle: '{x}'}
'''


def run(case, report):
    return command.parity('run', case, '--column', 'core', '--report', report).stdout


def unlabelled(text):
    """Lines that show the column without the word; evidence stands below a line that has it, or in a list."""
    return [line for line in text.splitlines() if 'metal-soft' in line and 'modelled' not in line
            and not line.startswith(('    ', '- **finding'))]


@unittest.skipIf(SOFT not in command.parity('list', '--columns').stdout, 'not here: ' + SOFT)
class Modelled(unittest.TestCase):
    def test_every_report_was_looked_at(self):
        listed = command.parity('list', '--reports').stdout.splitlines()
        reports = {line.split()[0] for line in listed if line}
        here = {'case', 'csv', 'flow', 'html', 'json', 'junit', 'markdown', 'relations', 'terminal',
                'transcript'}
        self.assertEqual(reports - COLUMNLESS, here)
        for report in COLUMNLESS:
            self.assertNotIn('metal-soft', run(ALONE, report), report)

    def test_texts_say_so_in_the_line(self):
        for report in ('case', 'flow', 'markdown', 'relations', 'terminal', 'transcript'):
            with self.subTest(report):
                text = run(ALONE, report)
                self.assertIn('metal-soft', text)
                self.assertEqual(unlabelled(text), [])

    def test_a_record_takes_the_word_away(self):
        for report in ('case', 'csv', 'flow', 'junit', 'markdown', 'relations', 'transcript'):
            with self.subTest(report):
                text = run(RECORDED, report)
                self.assertIn('metal-soft', text)
                self.assertNotIn('modelled', text)

    def test_json_and_html_say_so_of_the_run(self):
        runs = json.loads(run(ALONE, 'json'))['cases'][0]['runs']
        self.assertEqual({one['column']: one['modelled'] for one in runs}[SOFT], True)
        self.assertEqual({one['column']: one['modelled'] for one in runs}['core/cpu'], False)
        data = run(ALONE, 'html').partition('id="data">')[2].partition('</script>')[0]
        runs = json.loads(data)['report']['cases'][0]['runs']
        self.assertEqual([one['column'] for one in runs if one['modelled']], [SOFT])

    def test_csv_and_junit_say_so_of_the_source(self):
        rows = list(csv.DictReader(io.StringIO(run(ALONE, 'csv'), newline='')))
        self.assertEqual({row['source'] for row in rows if row['column'] == SOFT}, {'modelled'})
        suite, = xml.fromstring(run(ALONE, 'junit'))
        properties = {one.get('name'): one.get('value') for one in suite.iter('property')}
        self.assertIn('modelled', properties[SOFT])

    def test_show_and_try(self):
        self.assertEqual(unlabelled(command.parity('show', ALONE, '--column', 'core').stdout), [])
        with tempfile.NamedTemporaryFile('w', suffix='.yaml') as file:
            file.write(TEXT)
            file.flush()
            text = command.parity('try', file.name, '--column', 'core').stdout
        self.assertIn('metal-soft', text)
        self.assertEqual(unlabelled(text), [])


if __name__ == '__main__':
    unittest.main()
