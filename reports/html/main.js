// Puts the page together.

function showSummary() {
  const when = report.started ? new Date(report.started).toISOString().replace('T', ' ').slice(0, 16) + ' UTC' : '';
  document.getElementById('run').textContent =
    [`${cases.length} cases`, `${rows.length} rows`, when].filter(Boolean).join(' · ');
  const counts = new Map();
  for (const row of rows) counts.set(row.state, (counts.get(row.state) ?? 0) + 1);
  document.getElementById('counts').append(...[...STATES].reverse().filter(state => counts.get(state.name)).map(state =>
    h('button', {type: 'button', class: `count ${state.name.replace(' ', '-')}`, title: `only rows: ${state.word}`,
      click: () => choose({state: wanted.state === state.name ? '' : state.name})},
      mark(state.name), ` ${counts.get(state.name)} ${counts.get(state.name) > 1 && state.many || state.word}`)));
}

setShade(storedShade());
showSummary();
for (const name of Object.keys(FILTERS)) fillSelect(name);
document.getElementById('columns').append(columnsView());
document.getElementById('filters').open = matchMedia('(min-width: 1200px)').matches;
// What is scrolled to must not be behind the bar.
const bar = document.querySelector('.bar');
new ResizeObserver(() => document.documentElement.style.setProperty('--bar', `${bar.offsetHeight}px`)).observe(bar);
document.getElementById('query').addEventListener('input', event => choose({query: event.target.value}));
document.getElementById('reset').addEventListener('click', reset);
document.getElementById('help').addEventListener('click', () => document.getElementById('keys').showModal());
document.getElementById('shade').addEventListener('click', nextShade);
document.addEventListener('keydown', onKey);
addEventListener('hashchange', readAddress);
addEventListener('beforeprint', () => showAll());
const showAll = showCases(document.getElementById('rows'), 12);
readAddress();
