// p) Words of strangers on every page: scripts, markup, text from right to left and very long text stay words. Where the
// truth may be seen, a visitor compares published maps.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPage } from './browser.mjs';
import { api, comparedBytes, contestFolder, settled, WAIT_MS } from './contest.mjs';
import { isReal, linkOf, stop } from './program.mjs';
import { eventually, noAxeFindings } from './tools.mjs';

const IMAGE = '<img src=x onerror="window.hit=1">';
const SCRIPT = '"><script>window.hit=1</script><svg onload="window.hit=1">';
const RIGHT_TO_LEFT = '\u05d0\u05d1\u05d2 \u202egnp.exe\u2066 \u0627\u0644';
const LONG = 'W'.repeat(3990);
const WORDS = [IMAGE, SCRIPT, RIGHT_TO_LEFT, `${IMAGE}${LONG}`.slice(0, 4000)];

export async function journey(browser) {
  if (!isReal) return [];
  const folder = await contestFolder();
  const one = `${IMAGE} one`;
  await rename(join(folder, 'contest.toml'), { Aurora: one, Borealis: 'two \u05d0\u05d1\u05d2' });
  const server = spawn(process.env.MAPJUDGE, ['serve', folder, '--listen', '127.0.0.1:0'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const admin = await openPage(browser);
  const others = [];
  try {
    const { page } = admin;
    await page.goto(await linkOf(server));
    await page.waitForURL((url) => url.pathname === '/desk');
    const { origin } = new URL(page.url());
    const id = await handedIn(page, one);
    for (const text of WORDS) {
      await api(page, 'POST', `/submissions/${id}/notes`, { kind: 'question', text });
      await api(page, 'POST', '/notices', { text });
    }
    await longerIsRefused(page, id);
    await api(page, 'POST', '/users', { name: IMAGE, role: 'viewer' });
    const { link } = await api(page, 'POST', '/users', { name: SCRIPT.slice(0, 60), role: 'team', team: one });
    await published(page);
    const crew = await openPage(browser);
    const visitor = await openPage(browser);
    others.push(crew, visitor);
    await crew.page.goto(link);
    await crew.page.waitForURL((url) => url.pathname === '/team');
    for (const address of ['/', '/desk', `/desk#${id}`, '/desk/values', '/desk/users', '/audit', `/submission/${id}`, `/team?team=${encodeURIComponent(one)}`]) {
      await staysWords(page, origin + address);
    }
    for (const address of ['/team', `/submission/${id}`, '/']) await staysWords(crew.page, origin + address);
    for (const address of ['/', `/#team=${encodeURIComponent(one)}`, `/?team=${encodeURIComponent(SCRIPT)}`]) await staysWords(visitor.page, origin + address);
    await sheetWithFigures(visitor.page, origin);
    await compares(visitor.page, origin);
    return [...await comparedBytes(page, folder), ...[admin, ...others].flatMap(({ faults }) => faults)];
  } finally {
    await Promise.all([admin, ...others].map(({ context }) => context.close()));
    await stop(server);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Teams of the demonstration under other names; what is judged is published without a look at it. */
async function rename(file, names) {
  let text = (await readFile(file, 'utf8')).replace('[truth]', '[serve]\nverify = false\ntruth = "published"\n\n[truth]');
  for (const [known, name] of Object.entries(names)) text = text.replaceAll(JSON.stringify(known), JSON.stringify(name));
  await writeFile(file, text);
}

/** Files with names and contents that want to be markup; what the linter says about them is shown as findings. */
async function handedIn(page, team) {
  const labels = JSON.stringify({ type: 'FeatureCollection', features: [IMAGE, RIGHT_TO_LEFT, 'L'.repeat(10_000)].map((name) => ({ type: 'Feature', properties: { name, id: name, status: name }, geometry: { type: 'Point', coordinates: ['x', name] } })) });
  const id = await page.evaluate(async ([whose, files]) => {
    const form = new FormData();
    form.append('team', whose);
    for (const [name, text] of files) form.append('file', new Blob([text]), name);
    const answer = await fetch('/api/v1/submissions', { method: 'POST', body: form });
    const told = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(told));
    return told.id;
  }, [team, [['<script>window.hit=1<>.svg', `<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit=1"/>`], ['victims.geojson', labels], ['map.tif', IMAGE], [`${'n'.repeat(100)}.csv`, `id,${IMAGE}\n1,${'V'.repeat(10_000)}`]]]);
  for (const until = Date.now() + WAIT_MS; Date.now() < until;) {
    const { state } = await api(page, 'GET', `/submissions/${id}`);
    if (state !== 'received' && state !== 'checked') return id;
    await page.waitForTimeout(300);
  }
  throw new Error('the files are not judged');
}

/** Asked beside the page, so that what is refused is no error of its console. */
async function longerIsRefused(page, id) {
  const { origin } = new URL(page.url());
  const note = { headers: { 'sec-fetch-site': 'same-origin' }, data: { kind: 'question', text: 'W'.repeat(10_000) } };
  const answer = await page.request.post(`${origin}/api/v1/submissions/${id}/notes`, note);
  assert.equal(answer.status(), 422, '10,000 letters are refused');
}

async function published(page) {
  await settled(page);
  const draft = () => page.request.get(`${new URL(page.url()).origin}/api/v1/publications/draft`);
  for (const until = Date.now() + WAIT_MS; Date.now() < until;) {
    const answer = await draft();
    if (answer.ok()) {
      const { to_ranking: ranking } = await answer.json();
      await api(page, 'POST', '/publications', { ranking, note: SCRIPT });
      return;
    }
    await page.waitForTimeout(300);
  }
  throw new Error('nothing was ranked');
}

/** Once the truth may be seen, the published sheet shows the maps. */
async function sheetWithFigures(page, origin) {
  await page.goto(`${origin}/#team=Cascade`);
  await page.waitForSelector('.sheet .pictures img');
  for (const image of await page.locator('.sheet .pictures img').all()) {
    await image.scrollIntoViewIfNeeded();
    assert.ok(await eventually(page, () => image.evaluate((drawn) => drawn.complete && drawn.naturalWidth > 0)), 'the figure is drawn');
  }
  await noAxeFindings(page);
}

/** A visitor ticks teams whose maps were published, sees them side by side, and finds back. */
async function compares(page, origin) {
  await page.goto(origin);
  await page.waitForSelector('.board');
  for (const team of ['Cascade', 'Dynamo']) await page.locator(`tr[data-team="${team}"] input`).check();
  await page.click('#compare');
  await page.waitForSelector('#side-by-side .best', { timeout: WAIT_MS });
  assert.equal(await page.locator('map-pane').count(), 2);
  assert.equal(await page.locator('a[href^="/overlay/"]').count(), 0, 'nothing that a visitor may not open');
  await noAxeFindings(page);
  await page.getByRole('link', { name: 'Scoreboard' }).click();
  await page.waitForSelector('.board');
}

/** Nothing of it ran or became an element, and nothing sticks out of the page. */
async function staysWords(page, address) {
  await page.goto(address);
  await page.waitForSelector('.top');
  await page.waitForTimeout(400);
  const found = await page.evaluate(() => ({
    hit: window.hit, made: document.querySelectorAll('img[src="x"], main script, [onerror], [onload]').length,
    wide: document.documentElement.scrollWidth - window.innerWidth,
  }));
  assert.deepEqual({ hit: found.hit, made: found.made }, { hit: undefined, made: 0 }, address);
  assert.ok(found.wide <= 0, `${address} is ${found.wide} px too wide`);
}
