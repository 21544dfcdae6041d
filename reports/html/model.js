// The report as data: cases, their rows, and what can be asked of them.

const {lang, report} = JSON.parse(document.getElementById('data').textContent);
const LANGUAGES = {torch: 'PyTorch', candle: 'candle'};

// By weight: the heaviest state of a row is that of the row.
const STATES = [
  {name: 'nothing', sign: '–', word: 'nothing to judge'},
  {name: 'not judged', sign: '·', word: 'not judged'},
  {name: 'agree', sign: '✓', word: 'agrees', many: 'agree'},
  {name: 'finding', sign: '≠', word: 'finding', many: 'findings'},
  {name: 'broken', sign: '✗', word: 'broken'},
];

const columns = new Map(report.columns.map(column => [column.id, column]));
const isShown = column => !column.background && (column.recorded || !column.absent);
const stateOf = verdict => verdict.broken ? 'broken' : verdict.state;
const weight = state => STATES.findIndex(each => each.name === state);
const sentence = both => both ? both[lang] ?? both.en ?? both.zh : null;

// Characters that draw nothing or turn the direction of text, made visible.
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const plain = text => String(text).replace(UNSEEN, c => '\\u{' + c.codePointAt(0).toString(16) + '}');

function kindOf(outcome) {
  const [kind, body] = Object.entries(outcome)[0];
  return {kind, body: body ?? {}};
}

function endText(run) {
  const {kind, body} = kindOf(run.ends);
  if (kind === 'value') return 'ran through';
  return [kind.replace('_', ' '), body.type].filter(Boolean).join(' ') + (body.text ? ': ' + body.text : '');
}

// What one column saw of one row. `observed` is empty for the program as a whole.
function cellOf(run, row) {
  const column = columns.get(run.column);
  if (kindOf(run.ends).kind === 'absent') return null;
  if (!row) return {run, column, observed: [], text: endText(run)};
  const wanted = row.observes[column.language];
  if (!wanted) return null;
  const observed = wanted.map(index => run.observed[index]).filter(Boolean);
  return {run, column, observed, text: observed.map(each => each.text).join(', '), fate: run.rows[row.id]?.fate};
}

function rowOf(one, row) {
  const verdicts = one.verdicts.filter(verdict => verdict.row === (row ? row.id : null));
  const cells = one.runs.filter(run => isShown(columns.get(run.column)))
    .map(run => cellOf(run, row)).filter(Boolean);
  const worst = verdicts.reduce((a, b) => a && weight(stateOf(a)) >= weight(stateOf(b)) ? a : b, null);
  const told = new Map(verdicts.filter(verdict => verdict.explanation)
    .map(verdict => [sentence(verdict.explanation), verdict.explanation]));
  return {
    case: one, id: row ? row.id : '', of: row?.of, cells, verdicts, worst,
    state: worst ? stateOf(worst) : 'nothing',
    sentences: [...told.values()],
    command: worst ? worst.command : './parity show ' + one.shell,
    text: [row ? row.id : 'program', ...cells.map(cell => cell.text), ...told.keys(),
      ...verdicts.map(verdict => verdict.why ?? '')].join('\n').toLowerCase(),
  };
}

// The program as a whole is a row where there is something to say about how it ended.
function isTold(one) {
  return one.verdicts.some(verdict => verdict.row === null) ||
    one.runs.some(run => isShown(columns.get(run.column)) && !['value', 'absent'].includes(kindOf(run.ends).kind));
}

const cases = report.cases.map(one => {
  one.shell = /^[\w./@:+,=%-]+$/.test(one.id) ? one.id : "'" + one.id.replaceAll("'", "'\\''") + "'";
  one.text = [one.id, sentence(one.title), sentence(one.about), ...Object.values(one.programs)]
    .filter(Boolean).join('\n').toLowerCase();
  one.all = [...(isTold(one) ? [null] : []), ...one.rows].map(row => rowOf(one, row));
  return one;
});
const rows = cases.flatMap(one => one.all);
rows.forEach((row, index) => { row.index = index; });
const findRow = (id, row) => rows.find(each => each.case.id === id && each.id === row);
