// The list: a section a case, a table of its rows. Everything is made of text nodes, never of markup.

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'click') element.addEventListener('click', value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(2))
    if (child !== null && child !== undefined)
      element.append(child instanceof Node ? child : plain(child));
  return element;
}

const unseen = text => h('span', {class: 'unseen'}, text);
// The page is in English, the sentences of the cases may not be.
const tongue = both => ({lang: lang === 'zh' && both?.zh ? 'zh' : null});
const said = both => h('p', tongue(both), sentence(both));
const stateWord = name => STATES[weight(name)];

function mark(name) {
  return h('span', {class: `mark ${name.replace(' ', '-')}`, 'aria-hidden': 'true'}, stateWord(name).sign);
}

// The column whose word stands in the list for its language: the one that is asked for, else a judge, live
// before recorded.
function speaker(row, language) {
  const rank = cell => 4 * (cell.column.id === wanted.column) + 2 * cell.column.judge + !cell.column.recorded;
  const cells = row.cells.filter(cell => cell.column.language === language &&
    (!wanted.device || cell.column.device === wanted.device));
  return cells.reduce((a, b) => a && rank(a) >= rank(b) ? a : b, null);
}

function cellView(row, language) {
  const cell = speaker(row, language);
  if (!cell) return h('td', {role: 'cell', class: 'none', 'data-label': LANGUAGES[language]}, unseen('nothing'));
  return h('td', {role: 'cell', 'data-label': LANGUAGES[language]},
    h('code', {class: row.id ? null : 'end'}, cell.text),
    cell.fate ? h('span', {class: `fate ${cell.fate}`}, cell.fate) : null,
    cell.column.recorded ? h('span', {class: 'source', title: 'from a record, not from this run'}, 'recorded') : null,
    cell.run.modelled ? h('span', {class: 'source', title: 'a stand-in for the device, without a record of the real one'},
      'modelled') : null);
}

function verdictView(row) {
  const why = row.worst && row.worst.state !== 'agree' && !row.sentences.length ? row.worst.why : null;
  return h('td', {role: 'cell', class: why || row.sentences.length ? 'verdict' : 'verdict bare'},
    h('span', {class: `state ${row.state.replace(' ', '-')}`},
      row.worst?.broken ? row.worst.state : stateWord(row.state).word),
    row.sentences.map(said), why ? h('p', {class: 'why'}, why) : null);
}

function rowView(row) {
  const name = row.id || 'program';
  row.button = h('button', {type: 'button', class: 'row-button', 'aria-expanded': 'false', click: () => toggleRow(row)},
    mark(row.state), h('span', {class: 'row-name'}, name));
  row.element = h('tr', {role: 'row', class: 'row', id: `r${row.index}`},
    h('th', {role: 'rowheader', scope: 'row'}, row.button),
    cellView(row, 'torch'), cellView(row, 'candle'), verdictView(row));
  row.element.hidden = row.seen === false;
  row.button.parityRow = row;
  return row.element;
}

// After another column was chosen.
function renewCells(row) {
  const [, torch, candle] = row.element.children;
  torch.replaceWith(cellView(row, 'torch'));
  candle.replaceWith(cellView(row, 'candle'));
}

function caseHeading(one) {
  const title = sentence(one.title) ?? one.id;
  const toggle = h('button', {type: 'button', class: 'quiet', 'aria-expanded': 'false',
    click: () => togglePrograms(one, toggle)}, 'Programs');
  return h('header', {class: 'case-head'}, h('div', null,
    h('h2', {id: `h-${one.index}`}, h('a', {href: address({case: one.id}), ...tongue(one.title)}, title)),
    h('code', {class: 'id'}, one.id), Object.keys(one.programs).length ? toggle : null),
    one.about ? h('p', {class: 'about', ...tongue(one.about)}, sentence(one.about)) : null,
    one.skip ? h('p', {class: 'about'}, 'Skipped: ', one.skip) : null);
}

const head = label => h('th', {role: 'columnheader', scope: 'col'}, label);

function caseView(one, index) {
  one.index = index;
  one.extra = h('div', {class: 'extra', hidden: true});
  one.element = h('section', {class: 'case', 'aria-labelledby': `h-${index}`}, caseHeading(one), one.extra);
  // A section that is out of view is not laid out: its height is guessed from its rows.
  one.element.style.containIntrinsicSize = `auto ${120 + 44 * one.all.length}px`;
  if (one.all.length) {
    const body = h('tbody', {role: 'rowgroup'}, one.all.map(row => rowView(row)));
    one.element.append(h('table', {role: 'table', class: 'rows', 'aria-labelledby': `h-${index}`},
      h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, ['Row', 'PyTorch', 'candle', 'Verdict'].map(head))), body));
  }
  showCase(one);
  return one.element;
}

function showCase(one) {
  if (!one.element) return;
  let seen = 0;
  for (const row of one.all) {
    if (row.element.hidden === row.seen) row.element.hidden = !row.seen;
    if (row.detail) row.detail.hidden = !row.seen;
    seen += row.seen;
  }
  one.element.hidden = !seen && (one.all.length > 0 || Object.values(wanted).some(Boolean));
}

function showColumnChoice() {
  const choice = `${wanted.column} ${wanted.device}`;
  if (showColumnChoice.last !== undefined && showColumnChoice.last !== choice)
    for (const row of rows) if (row.element) renewCells(row);
  showColumnChoice.last = choice;
}

// The first cases at once, the others while the page is already in use.
function showCases(main, first) {
  let next = 0;
  const some = most => {
    const part = document.createDocumentFragment();
    for (let end = Math.min(cases.length, next + most); next < end; next++) part.append(caseView(cases[next], next));
    main.append(part);
  };
  const rest = () => { some(20); if (next < cases.length) setTimeout(rest); };
  some(first);
  if (next < cases.length) setTimeout(rest);
  return () => some(cases.length);
}
