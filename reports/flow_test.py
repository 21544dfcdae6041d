"""The charts of `--report flow`, read by Mermaid itself."""
import json
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / 'harness/cli'), str(ROOT / 'tools/test')]
import command  # noqa: E402
import node  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent / 'mermaid'

# Texts that mean something to Mermaid, to Markdown or to HTML.
HOSTILE = ['"]; x-->y["', 'end', '#quot; #35;', '`**b**`', '<b>&amp;</b>', '%%{init: {"theme": "dark"}}%%',
           '|a|', '{{k}}', '中文 \\n', 'subgraph', 'a --> b', '---']


def charts(*texts):
    """What Mermaid reads: labels, edges and boxes of each text, or its error."""
    with tempfile.NamedTemporaryFile('w', suffix='.json', encoding='utf-8') as file:
        json.dump(texts, file)
        file.flush()
        done = node.run(HERE / 'read.js', source=HERE, CHARTS=file.name)
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def flow(*arguments):
    return command.parity('run', *arguments, '--report', 'flow').stdout


def case(label, row):
    """A case with one snapshot that follows; the names of its subject, write and row are given."""
    quoted = [json.dumps(text, ensure_ascii=False) for text in (label, row)]
    return '''title: t
candle: |
  let t = Tensor::zeros(2, DType::F32, &dev)?;
  let was = value(&t);
  let c = t.clone();
  t.slice_set(&Tensor::ones(1, DType::F32, &dev)?, 0, 0)?;
subjects:
  t:
    candle: {was: was, now: t}
    label: {en: %s}
    write: {en: %s}
rows:
  - id: c
    of: t
    candle: %s
''' % (quoted[0], quoted[0], json.dumps(row.replace('{', '{{').replace('}', '}}') + '  {c}',
                                        ensure_ascii=False))


class Flow(unittest.TestCase):
    def test_fates_are_edges(self):
        text = flow('sharing/writes', '--column', 'core/cpu')
        chart, = charts(text)
        self.assertNotIn('error', chart, text)
        labels = chart['labels']
        self.assertEqual(labels['keeps'], 'keeps the old value')
        reached = {labels[start]: end for start, end, _ in chart['edges'] if end in ('keeps', 'follows')}
        self.assertEqual(reached['t.clone()<br>a view of t'], 'follows')
        self.assertEqual(reached['t.copy()<br>&t * 1.0'], 'keeps')
        self.assertEqual(reached['w.as_tensor().clone()<br>w.as_detached_tensor()'], 'follows')
        self.assertEqual(chart['boxes'], [])

    @command.needs('torch')
    def test_each_language_has_a_box(self):
        chart, = charts(flow('sharing/writes', '--column', 'core/cpu', '--column', 'torch'))
        self.assertEqual(sorted(chart['boxes']), ['PyTorch', 'candle'])

    def test_any_text_is_a_label(self):
        with tempfile.TemporaryDirectory() as folder:
            for index, text in enumerate(HOSTILE):
                path = pathlib.Path(folder) / ('c%02d.yaml' % index)
                path.write_text(case(text, text), encoding='utf-8')
            texts = [flow('c%02d' % index, '--cases', folder, '--column', 'core/cpu')
                     for index in range(len(HOSTILE))]
        for text, source, chart in zip(HOSTILE, texts, charts(*texts)):
            with self.subTest(text):
                self.assertNotIn('error', chart, source)
                self.assertEqual(chart['labels']['s0'], text)
                self.assertEqual(chart['labels']['w0'], text)
                self.assertEqual(chart['labels']['s0_0'], text)
                self.assertEqual(len(chart['labels']), 4)
                self.assertEqual([edge[:2] for edge in chart['edges']],
                                 [['w0', 's0'], ['s0', 's0_0'], ['s0_0', 'follows']])

    def test_the_charts_of_the_pages(self):
        pages = [page.read_text(encoding='utf-8') for page in sorted((ROOT / 'docs/pages').glob('*.md'))]
        texts = [text for page in pages
                 for text in re.findall(r'^```mermaid\n(.*?)^```$', page, re.M | re.S)]
        self.assertGreaterEqual(len(texts), 4)
        for text, chart in zip(texts, charts(*texts)):
            self.assertNotIn('error', chart, text)
            self.assertGreaterEqual(len(chart['edges']), 6)

    def test_mermaid_refuses_what_is_none(self):
        self.assertIn('error', charts('flowchart TB\n a["x')[0])


if __name__ == '__main__':
    unittest.main()
