// What a row shows when it is opened: verdicts, the evidence of each column, both programs, memory.

function copyButton(label, text, what) {
  return h('button', {type: 'button', class: 'copy', click: () => copy(text(), what)}, label);
}

function verdictLine(verdict) {
  const sides = [verdict.left, verdict.right].filter(Boolean).join(' against ');
  const state = stateOf(verdict);
  return h('li', null, mark(state), h('div', null,
    h('p', null, h('b', {class: `state ${state.replace(' ', '-')}`}, verdict.state), ' ',
      h('span', {class: 'relation'}, verdict.relation), ' ', h('span', {class: 'sides'}, sides)),
    verdict.why ? h('p', {class: 'why'}, verdict.why) : null,
    verdict.explanation ? said(verdict.explanation) : null,
    verdict.advice ? h('p', null, verdict.advice, '.') : null));
}

const typeOf = tensor => `${tensor.dtype} [${tensor.shape.join(', ')}]`;

// dtype, shape and what the handle says of itself, of the tensors that a cell saw.
function typeView(cell) {
  return cell.observed.flatMap(each => tensorsIn(each.outcome.value, [])).map(tensor => {
    // Each worker names its facts in its own order; `?` is what it cannot know.
    const facts = Object.entries(tensor.facts ?? {}).filter(([, text]) => text !== '?')
      .map(([name, text]) => `${name} ${text}`).sort();
    const layout = tensor.strides ? [`strides [${tensor.strides.join(', ')}]`, `offset ${tensor.offset}`]
      : [tensor.printed ? 'as printed, layout not known' : 'host copy'];
    return h('div', null, h('code', null, typeOf(tensor)), h('small', null, [...layout, ...facts].join(', ')));
  });
}

function sourceWords(cell) {
  const {column, run} = cell;
  if (run.modelled) return `modelled: ${column.device} stands in, and there is no record of the real device`;
  return column.recorded ? 'recorded' : `ran ${(report.started ?? '').replace('T', ' ').replace('Z', ' UTC')}`.trim();
}

function sourceView(cell) {
  const {column} = cell;
  const facts = Object.entries(column.provenance).map(([name, text]) => `${name} ${text}`);
  return [h('b', {class: cell.run.modelled || column.recorded ? 'source' : null}, sourceWords(cell)),
    h('small', null, [`${[column.engine, column.version].filter(Boolean).join(' ')} on ${column.device}`, ...facts]
      .join(', '))];
}

function evidenceRow(row, cell) {
  return h('tr', {role: 'row'},
    h('th', {role: 'rowheader', scope: 'row'}, cell.column.id),
    h('td', {role: 'cell', 'data-label': 'Saw'}, h('code', {class: row.id ? null : 'end'}, cell.text),
      cell.fate ? h('span', {class: `fate ${cell.fate}`}, cell.fate) : null),
    h('td', {role: 'cell', 'data-label': 'Type'}, typeView(cell)),
    h('td', {role: 'cell', 'data-label': 'Source'}, sourceView(cell)));
}

function evidenceView(row) {
  if (!row.cells.length) return null;
  return h('section', null, h('h3', null, 'Evidence'), h('table', {role: 'table', class: 'evidence'},
    h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, ['Column', 'Saw', 'Type', 'Source'].map(head))),
    h('tbody', {role: 'rowgroup'}, row.cells.map(cell => evidenceRow(row, cell)))));
}

// Lines at which a program of this language ended early, with what was said there.
function endings(one, language) {
  const found = new Map();
  for (const run of one.runs) {
    const {kind, body} = kindOf(run.ends);
    const column = columns.get(run.column);
    if (column.language === language && isShown(column) && body.line && !['value', 'unsupported'].includes(kind))
      found.set(body.line, endText(run));
  }
  return found;
}

function programView(one, language) {
  const ended = endings(one, language);
  const lines = codeLines(language, one.programs[language]).map((parts, index) => {
    const end = ended.get(index + 1);
    if (parts.length === 1 && /^(#|\/\/) ANCHOR(_END)?:/.test(parts[0][1])) return null;
    return h('span', {class: end ? 'line at' : 'line', 'data-line': index + 1},
      parts.map(([kind, text]) => kind ? h('span', {class: `t-${kind}`}, text) : text),
      end ? h('span', {class: 'end'}, `  ◂ ${end}`) : null, '\n');
  });
  return h('figure', {class: 'program'}, h('figcaption', null, LANGUAGES[language],
    copyButton('Copy', () => one.programs[language], `the ${LANGUAGES[language]} program`)),
    h('pre', {tabindex: '0', 'aria-label': `${LANGUAGES[language]} program`}, h('code', null, lines)));
}

function details(one, language) {
  const texts = new Set(one.runs.filter(run => columns.get(run.column).language === language)
    .map(run => kindOf(run.ends).body.detail).filter(Boolean));
  return [...texts].map(text => h('pre', {class: 'said', tabindex: '0'}, text));
}

function programsView(one) {
  const languages = Object.keys(LANGUAGES).filter(language => one.programs[language]);
  return h('section', null, h('h3', null, 'Programs'), h('div', {class: 'programs'},
    languages.map(language => h('div', null, programView(one, language), details(one, language)))));
}

function actionsView(row) {
  const link = () => new URL(address({case: row.case.id, row: row.id}), location.href).href;
  return h('div', {class: 'actions'}, h('code', {class: 'command'}, row.command),
    copyButton('Copy command', () => row.command, 'the command'),
    h('a', {class: 'link', href: address({case: row.case.id, row: row.id})}, 'Link'),
    copyButton('Copy link', link, 'the link'),
    h('span', {class: 'place'}, row.worst?.line ? `${row.case.file}:${row.worst.line}` : row.case.file));
}

function rowDetail(row) {
  return h('tr', {role: 'row', class: 'detail', id: `${row.element.id}-detail`},
    h('td', {role: 'cell', colspan: '4'}, h('div', {class: 'detail-body'}, actionsView(row),
      row.verdicts.length ? h('ul', {class: 'verdicts'}, row.verdicts.map(verdictLine)) : null,
      evidenceView(row), programsView(row.case), memoryView(row.case))));
}

function openRow(row) {
  if (row.detail) return;
  row.detail = rowDetail(row);
  row.element.after(row.detail);
  row.element.classList.add('open');
  row.button.setAttribute('aria-expanded', 'true');
  row.button.setAttribute('aria-controls', row.detail.id);
}

function closeRow(row) {
  if (!row.detail) return;
  row.detail.remove();
  row.detail = null;
  row.element.classList.remove('open');
  row.button.setAttribute('aria-expanded', 'false');
  row.button.removeAttribute('aria-controls');
}

function toggleRow(row) {
  if (row.detail) closeRow(row); else openRow(row);
  place = row.detail ? {case: row.case.id, row: row.id} : {};
  writeAddress();
}

function togglePrograms(one, button) {
  one.extra.hidden = !one.extra.hidden;
  if (!one.extra.hasChildNodes()) one.extra.append(...[programsView(one), memoryView(one)].filter(Boolean));
  button.setAttribute('aria-expanded', String(!one.extra.hidden));
}

function columnsView() {
  const outcomes = column => column.recorded ? 'recorded' : column.absent ? `absent: ${column.absent}` : 'from this run';
  const facts = column => Object.entries(column.provenance).map(([name, text]) => `${name} ${text}`).join(', ');
  const line = column => h('tr', {role: 'row'}, h('th', {role: 'rowheader', scope: 'row'}, column.id),
    h('td', {role: 'cell', 'data-label': 'Outcomes'}, outcomes(column)),
    h('td', {role: 'cell', 'data-label': 'Provenance'}, facts(column)));
  return h('table', {role: 'table', class: 'evidence'},
    h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, ['Column', 'Outcomes', 'Provenance'].map(head))),
    h('tbody', {role: 'rowgroup'}, report.columns.filter(column => !column.background).map(line)));
}
