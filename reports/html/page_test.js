// The page in a real browser. page_test.py makes the pages and runs this: PAGE has 2,000 rows, HARD the texts
// that are hard to show. Nothing may be fetched and nothing may be said on the console.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {after, afterEach, before, test} = require('node:test');
const {pathToFileURL} = require('node:url');
const {chromium} = require('playwright-core');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const LARGE = pathToFileURL(process.env.PAGE).href;
const HARD = pathToFileURL(process.env.HARD).href;
const ROW = {case: 'clone/case_005', row: 'row_03'};

let browser, folder, complaints;

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parity-page-'));
  browser = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM, headless: true, args: FLAGS, viewport: {width: 1400, height: 900}});
  await browser.grantPermissions(['clipboard-read', 'clipboard-write']);
});

after(async () => {
  await browser?.close();
  fs.rmSync(folder, {recursive: true, force: true});
});

afterEach(async () => {
  for (const page of browser.pages().slice(1)) await page.close();
  assert.deepStrictEqual(complaints, []);
});

async function open(address = LARGE, options = {}) {
  const page = await browser.newPage();
  complaints = [];
  page.on('console', message => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', error => complaints.push(`error: ${error.message}`));
  page.on('request', request => {
    if (!request.url().startsWith('file:')) complaints.push(`request: ${request.url()}`);
  });
  if (options.width) await page.setViewportSize({width: options.width, height: options.height ?? 900});
  if (options.media) await page.emulateMedia(options.media);
  await page.goto(address);
  await page.waitForFunction(() => document.querySelectorAll('section.case').length ===
    JSON.parse(document.getElementById('data').textContent).report.cases.length);
  return page;
}

const link = parts => `${LARGE}#${new URLSearchParams(parts)}`;
const data = page => page.evaluate(() => JSON.parse(document.getElementById('data').textContent).report);
const found = page => page.locator('#found').textContent();

// What is copied arrives a little later.
async function clipboard(page, wanted) {
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  for (let attempt = 0; attempt < 50 && !wanted.test(await read()); attempt++) await page.waitForTimeout(20);
  assert.match(await read(), wanted);
  return read();
}

// "clone/case_005 row_03" of every row that is to be seen, as a person sees it.
const seen = page => page.evaluate(() => [...document.querySelectorAll('section.case')].flatMap(section =>
  [...section.querySelectorAll('tr.row')].filter(row => row.offsetParent !== null || row.checkVisibility())
    .map(row => `${section.querySelector('.id').textContent} ${row.querySelector('.row-name').textContent}`)));

// The same from the data, by a rule of the test's own.
function expected(report, rule) {
  return report.cases.flatMap(one => [null, ...one.rows.map(row => row.id)].filter(row => rule(one, row))
    .map(row => `${one.id} ${row ?? 'program'}`));
}

const verdicts = (one, row) => one.verdicts.filter(verdict => verdict.row === row);

test('usable in under a second with 2,000 rows', async context => {
  const times = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    const page = await browser.newPage();
    await page.addInitScript(() => document.addEventListener('DOMContentLoaded', () => {
      const query = document.getElementById('query');
      query.value = 'case_042 row_07';
      query.dispatchEvent(new Event('input'));
      document.querySelector('.row:not([hidden]) .row-button')?.getBoundingClientRect();
      window.usable = performance.now();
      window.answer = document.getElementById('found').textContent;
    }));
    await page.goto(LARGE);
    times.push(await page.evaluate(() => window.usable));
    assert.strictEqual(await page.evaluate(() => window.answer), '1 of 2,100 rows');
    await page.close();
  }
  complaints = [];
  context.diagnostic(`usable after ${times.map(Math.round)} ms`);
  assert.ok(Math.min(...times) < 1000, `usable after ${times.map(Math.round)} ms`);
});

test('shows all rows', async () => {
  const page = await open();
  assert.strictEqual(await found(page), '2,100 rows');
  assert.strictEqual((await seen(page)).length, 2100);
});

test('search finds words in any order, in values, sentences and programs', async () => {
  const page = await open();
  const ask = async words => {
    await page.fill('#query', words);
    return seen(page);
  };
  assert.deepStrictEqual(await ask('ROW_07 case_011'), ['detach/case_011 row_07']);
  assert.strictEqual((await ask('only one copies')).length, 200);
  assert.strictEqual((await ask('.narrow(3)')).length, 420);
  assert.strictEqual((await ask('[19.5')).length, 0);
  assert.match(await page.locator('#notice').textContent(), /No row matches/);
  assert.strictEqual((await ask('[3.5, 2.0] case_012')).length, 1);
  await page.click('#reset');
  assert.strictEqual(await found(page), '2,100 rows');
});

const sides = verdict => [verdict.left, verdict.right];
// The recorded column takes part in a verdict, or has an outcome of the case.
const inMetal = (one, row) => verdicts(one, row).some(verdict => sides(verdict).includes('candle@0.11.0/metal')) ||
  !('absent' in one.runs.find(run => run.column === 'candle@0.11.0/metal').ends);
const RULES = {
  state: ['broken', (one, row) => verdicts(one, row).some(verdict => verdict.broken)],
  theme: ['narrow', one => one.id.startsWith('narrow/')],
  method: ['Tensor::zeros', one => one.programs.candle.includes('Tensor::zeros')],
  relation: ['contrast', (one, row) => verdicts(one, row).some(verdict => verdict.relation === 'contrast')],
  column: ['candle@0.11.0/metal', inMetal],
  device: ['metal', inMetal],
};

for (const [name, [value, rule]] of Object.entries(RULES)) {
  test(`filter by ${name}`, async () => {
    const page = await open();
    await page.selectOption(`#${name}`, value);
    const wanted = expected(await data(page), rule);
    assert.ok(wanted.length > 0 && (wanted.length < 2100 || name === 'method'), `${wanted.length} rows`);
    assert.deepStrictEqual(await seen(page), wanted);
    assert.match(page.url(), new RegExp(`${name}=`));
    const again = await open(page.url());
    assert.deepStrictEqual(await seen(again), wanted);
  });
}

test('filters and search act together, on one verdict', async () => {
  const page = await open();
  await page.selectOption('#relation', 'contrast');
  await page.selectOption('#state', 'finding');
  await page.selectOption('#method', 'clone');
  await page.fill('#query', 'case_005');
  assert.deepStrictEqual(await seen(page), ['clone/case_005 row_03', 'clone/case_005 row_13']);
  // A broken contrast and a fidelity that holds are two verdicts.
  await page.click('#reset');
  await page.selectOption('#relation', 'fidelity');
  await page.selectOption('#state', 'broken');
  assert.strictEqual((await seen(page)).length, 0);
});

test('a chosen column speaks in the list, and choices say how many rows they leave', async () => {
  const page = await open();
  await page.selectOption('#column', 'core/metal-soft');
  const first = page.locator('section.case').first();
  await first.locator('.source', {hasText: 'modelled'}).first().waitFor();
  await page.locator('#theme').focus();
  assert.ok((await page.locator('#theme option').allTextContents()).includes('copy (420)'));
});

test('counts of states are filters', async () => {
  const page = await open();
  await page.click('.count.broken');
  assert.strictEqual((await seen(page)).length, 20);
  await page.click('.count.broken');
  assert.strictEqual((await seen(page)).length, 2100);
});

test('a link opens its row, in view, with the focus on it', async () => {
  const page = await open(link(ROW));
  const row = page.locator('tr.row.target');
  assert.strictEqual(await row.locator('.row-name').textContent(), 'row_03');
  assert.ok(await page.locator('tr.detail').isVisible());
  const box = await row.boundingBox(), bar = await page.locator('.bar').boundingBox();
  assert.ok(box.y >= bar.y + bar.height && box.y < 400, `row at ${box.y}, bar to ${bar.y + bar.height}`);
  assert.strictEqual(await page.evaluate(() => document.activeElement.textContent), '≠row_03');
  await page.evaluate(() => { location.hash = '#case=copy%2Fcase_002'; });
  await page.locator('section.case.target', {hasText: 'Number 002'}).waitFor();
  await page.evaluate(() => { location.hash = '#case=nowhere&row=x'; });
  await page.locator('#notice', {hasText: 'no row “nowhere x”'}).waitFor();
});

test('every row has a link, and a command to copy', async () => {
  const page = await open(link(ROW));
  assert.strictEqual(await page.locator('.command').textContent(),
    './parity run clone/case_005 --column candle@0.11.0/cpu --column torch@2.15.0/cpu');
  await page.getByRole('button', {name: 'Copy command'}).click();
  await clipboard(page, /^\.\/parity run clone\/case_005 --column/);
  await page.locator('#said', {hasText: 'Copied the command'}).waitFor();
  await page.getByRole('button', {name: 'Copy link'}).click();
  const again = await open(await clipboard(page, /^file:.*#case=/));
  assert.strictEqual(await again.locator('tr.row.target .row-name').textContent(), 'row_03');
});

test('keyboard', async () => {
  const page = await open();
  const at = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
  await page.keyboard.press('/');
  assert.strictEqual(await at(), 'query');
  await page.keyboard.type('case_005');
  await page.keyboard.press('ArrowDown');
  assert.strictEqual(await at(), '✓program');
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  assert.strictEqual(await at(), '✓row_01');
  await page.keyboard.press('k');
  assert.strictEqual(await at(), '✓row_00');
  await page.keyboard.press('End');
  assert.strictEqual(await at(), '✓row_19');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  assert.strictEqual(await page.locator('tr.detail').count(), 1);
  await page.keyboard.press('ArrowLeft');
  assert.strictEqual(await page.locator('tr.detail').count(), 0);
  await page.keyboard.press('Enter');
  assert.strictEqual(await page.locator('.row-button[aria-expanded=true]').count(), 1);
  await page.keyboard.press('c');
  await clipboard(page, /^\.\/parity run clone\/case_005/);
  await page.keyboard.press('l');
  await clipboard(page, /#case=clone%2Fcase_005&row=/);
  await page.keyboard.press('Escape');
  assert.strictEqual(await page.locator('tr.detail').count(), 0);
  await page.keyboard.press('Escape');
  assert.strictEqual(await found(page), '2,100 rows');
  await page.keyboard.press('f');
  assert.strictEqual(await at(), 'state');
  await page.keyboard.press('t');
  assert.notStrictEqual(await page.evaluate(() => document.documentElement.dataset.shade), 'light');
  await page.locator('.row-button').first().focus();
  await page.keyboard.press('?');
  assert.ok(await page.getByRole('dialog', {name: 'Keyboard'}).isVisible());
  await page.keyboard.press('Escape');
  assert.ok(!await page.locator('#keys').isVisible());
});

const background = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const LIGHT = 'rgb(255, 255, 255)', DARK = 'rgb(22, 24, 29)';

test('light and dark: as the system, or as chosen', async () => {
  const page = await open(LARGE, {media: {colorScheme: 'dark'}});
  assert.strictEqual(await background(page), DARK);
  await page.emulateMedia({colorScheme: 'light'});
  assert.strictEqual(await background(page), LIGHT);
  await page.click('#shade');
  await page.click('#shade');
  assert.strictEqual(await background(page), DARK);
  await page.reload();
  assert.strictEqual(await background(page), DARK);
  await page.getByRole('button', {name: 'Colours: Dark'}).click();
  assert.strictEqual(await background(page), LIGHT);
});

// WCAG: text on its background, of the pairs that the page uses.
function contrast(one, other) {
  const light = colour => colour.match(/[\d.]+/g).slice(0, 3).map(each => each / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

for (const colorScheme of ['light', 'dark']) {
  test(`text is legible, ${colorScheme}`, async () => {
    const page = await open(link(ROW), {media: {colorScheme}});
    const pairs = await page.evaluate(() => {
      const names = ['ink', 'quiet', 'link', 'agree', 'finding', 'broken', 'open', 'string', 'word', 'call', 'number'];
      const probe = document.body.appendChild(document.createElement('i'));
      const colour = name => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color; };
      return names.flatMap(name => ['page', 'raised'].map(under => [name, under, colour(name), colour(under)]));
    });
    for (const [name, under, ink, paper] of pairs)
      assert.ok(contrast(ink, paper) >= 4.5, `${name} on ${under}: ${contrast(ink, paper).toFixed(2)}`);
  });
}

test('both programs side by side, with highlighting', async () => {
  const page = await open(link(ROW));
  const boxes = async () => Promise.all([0, 1].map(i => page.locator('tr.detail .program').nth(i).boundingBox()));
  let [left, right] = await boxes();
  assert.ok(left.y === right.y && right.x >= left.x + left.width);
  const token = (kind, text) => page.locator(`tr.detail .t-${kind}`, {hasText: text}).first().waitFor();
  await token('comment', '# two');
  await token('string', '"0"');
  await token('call', 'clone');
  await token('word', 'let');
  await token('type', 'Tensor');
  assert.strictEqual(await page.locator('tr.detail .program code').first().textContent(),
    'x = torch.zeros(2)  # two\ny = x.clone("0")\n');
  await page.setViewportSize({width: 400, height: 900});
  [left, right] = await boxes();
  assert.ok(right.y >= left.y + left.height && left.x === right.x);
  const heading = page.locator('section.case', {hasText: 'Number 005'}).getByRole('button', {name: 'Programs'});
  await heading.click();
  assert.strictEqual(await heading.getAttribute('aria-expanded'), 'true');
});

test('names that share memory stand in one box', async () => {
  const page = await open(link(ROW));
  const drawn = await page.locator('tr.detail .drawings figure', {hasText: 'core/cpu'}).first().locator('.piece').evaluateAll(
    pieces => pieces.map(piece => [...piece.querySelectorAll('.names code')].map(name => name.textContent)));
  const run = (await data(page)).cases.find(one => one.id === ROW.case).runs.find(each => each.column === 'core/cpu');
  const storages = new Map();
  for (const {expression, outcome} of run.observed) {
    const {storage} = outcome.value.tensor;
    storages.set(storage, [...storages.get(storage) ?? [], expression]);
  }
  assert.deepStrictEqual(drawn, [...storages.values()]);
  assert.strictEqual(drawn.length, 3);
  const texts = await page.locator('tr.detail .drawings figure').nth(1).locator('.tensor small').allTextContents();
  assert.ok(texts.includes('elements 1 to 2'), texts.join());
  // One bar further right than the other, as their offsets say.
  const bars = await page.locator('tr.detail .drawings figure').nth(1).locator('.piece').first().locator('.reach i')
    .evaluateAll(all => all.map(bar => bar.getBoundingClientRect().x));
  assert.deepStrictEqual([...bars].sort((a, b) => a - b), bars);
  assert.ok(bars.at(-1) > bars[0]);
});

test('every cell says where it comes from', async () => {
  const page = await open(link({case: 'detach/case_001', row: 'row_03'}));
  const rows = page.locator('tr.detail .evidence tbody tr');
  const source = name => rows.filter({hasText: name}).locator('td').last().innerText();
  assert.match(await source('torch@2.15.0/cpu'), /ran 2026-01-02 03:04:05 UTC\s+torch 2\.15\.0 on cpu, platform linux x86_64/);
  assert.match(await source('candle@0.11.0/metal'), /recorded\s+candle 0\.11\.0 on metal, platform macos arm64/);
  // There is a record of the real device here, and none there.
  assert.doesNotMatch(await source('core/metal-soft'), /modelled/);
  const other = await open(link(ROW));
  assert.match(await other.locator('tr.detail .evidence tr', {hasText: 'core/metal-soft'}).innerText(), /modelled/);
  const types = await rows.filter({hasText: 'core/cpu'}).locator('td').nth(1).innerText();
  assert.match(types, /f32 \[2\]\s+strides \[1\], offset 1/);
});

test('what is not known of a tensor is not shown', async () => {
  const file = path.join(folder, 'printed.html');
  fs.writeFileSync(file, fs.readFileSync(process.env.HARD, 'utf8').replaceAll('"shape":[1],"host":true',
    '"shape":[1],"printed":true,"facts":{"version":"0","requires_grad":"?","leaf":"true"}'));
  const page = await open(pathToFileURL(file).href);
  await page.locator('tr.row', {hasText: 'broken'}).locator('.row-button').click();
  assert.strictEqual(await page.locator('tr.detail .evidence small').first().textContent(),
    'as printed, layout not known, leaf true, version 0');
});

for (const width of [400, 800, 1400]) {
  test(`nothing sticks out at ${width} px`, async () => {
    const page = await open(link(ROW), {width});
    const out = () => page.evaluate(() => [...document.querySelectorAll('body *')].filter(element =>
      element.checkVisibility() && !element.closest('pre, .unseen, .skip') && element.getBoundingClientRect().right > innerWidth + 1)
      .map(element => element.className || element.tagName));
    assert.deepStrictEqual(await out(), []);
    assert.strictEqual(await page.evaluate(() => document.documentElement.scrollWidth), width);
    const bar = await page.locator('.bar').boundingBox();
    assert.ok(bar.height < 110, `the bar takes ${bar.height} px`);
    await page.keyboard.press('f');
    assert.ok(await page.locator('#device').isVisible());
    assert.deepStrictEqual(await out(), []);
  });
}

test('a screen reader finds tables, headings, labels and names', async () => {
  const page = await open(link(ROW), {width: 400});
  await page.keyboard.press('f');
  for (const name of ['State', 'Theme', 'Method', 'Relation', 'Column', 'Device'])
    assert.ok(await page.getByRole('combobox', {name, exact: true}).isVisible(), name);
  assert.ok(await page.getByRole('searchbox', {name: /Search/}).isVisible());
  assert.ok(await page.getByRole('search').isVisible());
  const section = page.getByRole('region', {name: 'Number 005 of clone'});
  const table = section.getByRole('table', {name: 'Number 005 of clone'});
  assert.strictEqual(await table.getByRole('row', {name: /row_03 .*finding/}).count(), 1);
  assert.strictEqual(await table.getByRole('rowheader', {name: 'row_04'}).count(), 1);
  const button = table.getByRole('button', {name: 'row_03', expanded: true});
  assert.strictEqual(await button.count(), 1);
  assert.ok(await page.locator(`#${await button.getAttribute('aria-controls')}`).isVisible());
  assert.strictEqual(await page.getByRole('heading', {level: 2, name: 'Number 005 of clone'}).count(), 1);
  assert.strictEqual(await page.locator('[id]').evaluateAll(all => new Set(all.map(each => each.id)).size - all.length), 0);
  assert.strictEqual(await page.locator('#found').getAttribute('role'), 'status');
});

test('print has all that is chosen, and no controls', async () => {
  const page = await open(`${LARGE}#theme=copy`, {media: {media: 'print', colorScheme: 'dark'}});
  assert.ok(!await page.locator('.bar').isVisible());
  assert.ok(!await page.locator('.tools').isVisible());
  assert.strictEqual(await page.locator('section.case:visible').count(), 20);
  assert.strictEqual(await background(page), LIGHT);
  await page.evaluate(() => { document.documentElement.dataset.shade = 'dark'; });
  assert.strictEqual(await background(page), LIGHT);
  assert.strictEqual(await page.locator('section.case:visible').first().evaluate(
    element => getComputedStyle(element).contentVisibility), 'visible');
  const pdf = await page.pdf();
  assert.ok(pdf.length > 20000);
});

test('texts are shown as they are, never as markup', async () => {
  const page = await open(HARD);
  assert.ok(await page.getByText('A *star*, a <tag> and 中文.').isVisible());
  assert.strictEqual(await page.locator('tag').count(), 0);
  // An escape of terminals, and a character that turns the direction of text.
  const text = page.locator('tr.row', {hasText: 'text'}).locator('code');
  assert.strictEqual(await text.first().textContent(), 'a|b `c` "d" \\u{1b}[31m\\u{202e} 中文');
  await page.locator('tr.row', {hasText: 'broken'}).locator('.row-button').click();
  assert.match(await page.locator('tr.detail .command').textContent(), /^\.\/parity run '测试\/clone\[f32\]'/);
});

test('a refused program says where, and what the compiler said', async () => {
  const page = await open(`${HARD}#case=refused&row=`);
  const line = page.locator('tr.detail .line.at');
  assert.match(await line.textContent(), /let a = b;.*refused E0425: cannot find value `b`/);
  assert.match(await page.locator('tr.detail pre.said').textContent(), /^error\[E0425\]/);
});
