// The keyboard, the clipboard, and the address: `#case=…&row=…` is a row, the filters stand there too.

let place = {};

// The program as a whole is the row without a name.
const address = parts => '#' + new URLSearchParams(Object.entries(parts)
  .filter(([name, value]) => value !== undefined && (value !== '' || name === 'row')));

function writeAddress() {
  const hash = address({...wanted, ...place});
  history.replaceState(null, '', hash === '#' ? location.pathname + location.search : hash);
}

function notice(text) {
  const element = document.getElementById('notice');
  element.hidden = !text;
  element.textContent = text ?? '';
}

function goTo(target, row) {
  if (row) openRow(row);
  target.scrollIntoView({block: 'start'});
  for (const each of document.querySelectorAll('.target')) each.classList.remove('target');
  target.classList.add('target');
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  for (const name of Object.keys(wanted)) wanted[name] = parts.get(name) ?? '';
  place = {case: parts.get('case') ?? undefined, row: parts.get('row') ?? undefined};
  applyFilters();
  if (!place.case) return;
  showAll();
  const one = cases.find(each => each.id === place.case);
  const row = place.row === undefined ? null : findRow(place.case, place.row);
  if (!one || row === undefined) {
    notice(`This report has no row “${plain([place.case, place.row].filter(Boolean).join(' '))}”.`);
  } else if (row) {
    row.button.focus();
    goTo(row.element, row);
  } else {
    goTo(one.element);
  }
}

async function copy(text, what) {
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without the right to use the clipboard, as on a page from a plain server: the old way.
    const area = h('textarea', {class: 'unseen'});
    area.value = text;
    document.body.append(area);
    area.select();
    copied = document.execCommand('copy');
    area.remove();
  }
  const element = document.getElementById('said');
  element.textContent = copied ? `Copied ${what}` : `Could not copy ${what}`;
  element.classList.add('shown');
  clearTimeout(copy.timer);
  copy.timer = setTimeout(() => element.classList.remove('shown'), 1600);
}

const current = () => document.activeElement?.parityRow ?? document.activeElement?.closest('tr.detail')?.previousSibling
  ?.querySelector('.row-button').parityRow;

function move(step) {
  showAll();
  const seen = rows.filter(row => row.seen);
  const from = seen.indexOf(current());
  const to = step === Infinity ? seen.length - 1 : step === -Infinity ? 0 : from < 0 ? 0 : from + step;
  const row = seen[Math.max(0, Math.min(seen.length - 1, to))];
  row?.button.focus({preventScroll: true});
  row?.element.scrollIntoView({block: 'nearest'});
}

function escape() {
  const query = document.getElementById('query'), row = current();
  if (document.activeElement === query && query.value) choose({query: ''});
  else if (document.activeElement === query) query.blur();
  else if (row?.detail) { toggleRow(row); row.button.focus(); } else reset();
}

const onRow = act => () => { const row = current(); if (row) act(row); };
const ACTIONS = {
  '/': () => document.getElementById('query').select(),
  '?': () => document.getElementById('keys').showModal(),
  ArrowDown: () => move(1), j: () => move(1),
  ArrowUp: () => move(-1), k: () => move(-1),
  Home: () => move(-Infinity), End: () => move(Infinity),
  ArrowRight: onRow(row => row.detail || toggleRow(row)),
  ArrowLeft: onRow(row => { if (row.detail) toggleRow(row); row.button.focus(); }),
  c: onRow(row => copy(row.command, 'the command')),
  l: onRow(row => copy(new URL(address({case: row.case.id, row: row.id}), location.href).href, 'the link')),
  f: () => { document.getElementById('filters').open = true; document.getElementById('state').focus(); },
  t: () => nextShade(),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById('keys').open) return;
  const typing = event.target.matches('input, select, textarea');
  const inText = event.target.matches('pre') && event.key.startsWith('Arrow');
  if (event.key === 'Escape') escape();
  else if (event.target.id === 'query' && event.key === 'ArrowDown') move(1);
  else if (!typing && !inText && Object.hasOwn(ACTIONS, event.key)) ACTIONS[event.key]();
  else return;
  event.preventDefault();
}

const SHADES = {'': 'Auto', light: 'Light', dark: 'Dark'};

function setShade(shade) {
  document.documentElement.dataset.shade = shade;
  const button = document.getElementById('shade');
  button.textContent = `◐ ${SHADES[shade]}`;
  button.setAttribute('aria-label', `Colours: ${SHADES[shade]}`);
  // A page that is a file may have no storage.
  try { localStorage.setItem('parity-shade', shade); } catch { return; }
}

function nextShade() {
  const names = Object.keys(SHADES);
  setShade(names[(names.indexOf(document.documentElement.dataset.shade ?? '') + 1) % names.length]);
}

function storedShade() {
  try { return localStorage.getItem('parity-shade') ?? ''; } catch { return ''; }
}
