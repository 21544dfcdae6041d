// Which rows are to be seen: a search and six filters, each with the choices that this report has.

const FILTERS = {
  state: {all: 'every state', of: () => STATES.map(state => state.name)},
  theme: {all: 'every theme', of: () => cases.map(one => one.theme)},
  method: {all: 'every method', of: () => cases.flatMap(one => one.calls)},
  relation: {all: 'every relation', of: () => rows.flatMap(row => row.verdicts.map(verdict => verdict.relation))},
  column: {all: 'every column', of: () => report.columns.filter(isShown).map(column => column.id)},
  device: {all: 'every device', of: () => report.columns.filter(isShown).map(column => column.device)},
};

const wanted = {query: '', state: '', theme: '', method: '', relation: '', column: '', device: ''};

// State, relation, column and device are asked of one verdict at a time; a row without verdicts has its
// columns.
function claims(row) {
  const sides = ids => ids.filter(id => columns.has(id)).map(id => columns.get(id));
  const said = row.verdicts.map(verdict => ({
    state: stateOf(verdict), relation: verdict.relation, sides: sides([verdict.left, verdict.right])}));
  const seen = {state: said.length ? null : 'nothing', relation: null, sides: row.cells.map(cell => cell.column)};
  return [...said, seen];
}

function holds(claim, want) {
  return (!want.state || claim.state === want.state) && (!want.relation || claim.relation === want.relation) &&
    ((!want.column && !want.device) || claim.sides.some(column =>
      (!want.column || column.id === want.column) && (!want.device || column.device === want.device)));
}

function matches(row, want, words) {
  const one = row.case;
  row.claims ??= claims(row);
  return (!want.theme || one.theme === want.theme) && (!want.method || one.calls.includes(want.method)) &&
    row.claims.some(claim => holds(claim, want)) &&
    words.every(word => row.text.includes(word) || one.text.includes(word));
}

const wordsOf = query => query.toLowerCase().split(/\s+/).filter(Boolean);

// How many rows each choice of a filter leaves, the others being as they are.
function countChoices(name) {
  const words = wordsOf(wanted.query);
  return [...new Set(FILTERS[name].of())].filter(value => value !== null).map(value => {
    const want = {...wanted, [name]: value};
    return {value, count: rows.reduce((sum, row) => sum + matches(row, want, words), 0)};
  });
}

function fillSelect(name) {
  const select = document.getElementById(name);
  const choices = [...new Set(FILTERS[name].of())].filter(value => value !== null);
  if (name !== 'state') choices.sort();
  select.replaceChildren(new Option(FILTERS[name].all, ''), ...choices.map(value => new Option(value, value)));
  select.addEventListener('change', () => choose({[name]: select.value}));
  // Counting is done when somebody looks.
  select.addEventListener('focus', () => {
    const counts = new Map(countChoices(name).map(choice => [choice.value, choice.count]));
    for (const option of select.options)
      if (option.value) option.textContent = `${option.value} (${counts.get(option.value)})`;
  });
}

function showWanted() {
  document.getElementById('query').value = wanted.query;
  let active = 0;
  for (const name of Object.keys(FILTERS)) {
    const select = document.getElementById(name);
    select.value = wanted[name];
    if (select.value !== wanted[name]) wanted[name] = select.value = '';
    select.classList.toggle('chosen', Boolean(wanted[name]));
    active += Boolean(wanted[name]);
  }
  const badge = document.getElementById('active');
  badge.hidden = !active;
  badge.textContent = active;
  document.getElementById('reset').disabled = !active && !wanted.query;
}

function applyFilters() {
  showWanted();
  const words = wordsOf(wanted.query);
  let count = 0;
  for (const row of rows) {
    row.seen = matches(row, wanted, words);
    count += row.seen;
  }
  showColumnChoice();
  for (const one of cases) showCase(one);
  const total = rows.length.toLocaleString('en');
  document.getElementById('found').textContent =
    count === rows.length ? `${total} rows` : `${count.toLocaleString('en')} of ${total} rows`;
  notice(count || !rows.length ? null : 'No row matches. Esc or Reset shows all.');
}

function choose(change) {
  Object.assign(wanted, change);
  applyFilters();
  writeAddress();
}

const reset = () => choose(Object.fromEntries(Object.keys(wanted).map(name => [name, ''])));
