// One contest for all journeys of a run, and people of every role who enter it.

import { spawn, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openPage } from './browser.mjs';
import { startPostgres } from './postgres.mjs';
import { isReal, linkOf, stop } from './program.mjs';

const run = promisify(execFile);
const MOCK = fileURLToPath(new URL('../mock/contest.mjs', import.meta.url));
/** A real program measures maps, on a machine that does other things too. */
export const WAIT_MS = isReal ? 600_000 : 15_000;
/** A change is ranked after a second without another. */
const QUIET_MS = 2500;

let running = null;

/** Started by the first journey that asks for it. */
export function contest(browser) {
  running ??= start(browser).catch((error) => {
    running = null;
    throw error;
  });
  return running;
}

export async function endContest() {
  const started = await running?.catch(() => null);
  await started?.admin.context.close().catch(() => undefined);
  await started?.end();
  running = null;
}

async function start(browser) {
  const folder = isReal ? await contestFolder() : null;
  const database = process.env.DATABASE === 'postgres' ? await startPostgres() : null;
  if (database?.why) throw new Error(database.why);
  const places = database ? ['--db', database.url] : [];
  const child = isReal
    ? spawn(process.env.MAPJUDGE, ['serve', folder, '--listen', '127.0.0.1:0', ...places], { stdio: ['pipe', 'pipe', 'pipe'] })
    : spawn(process.execPath, [MOCK, '--port', '0'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const end = async () => {
    await stop(child);
    await database?.stop();
  };
  const link = await linkOf(child).catch(async (error) => {
    await end();
    throw error;
  });
  const admin = await openPage(browser);
  await admin.page.goto(link);
  await admin.page.waitForURL((url) => url.pathname === '/desk');
  if (isReal) await idle(admin.page);
  const told = await api(admin.page, 'GET', '/contest');
  return { admin, folder, places, origin: new URL(link).origin, told, people: new Set(), checkedUpTo: 0, end };
}

/**
 * Faults, if a ranking that is shown is not, byte for byte, what `mapjudge contest` computes on the export. Called after each
 * journey; does nothing where nothing happened in the contest of all journeys since.
 */
export async function sameBytes() {
  const started = await running?.catch(() => null);
  if (!isReal || !started) return [];
  const { page } = started.admin;
  if (await headOf(page) === started.checkedUpTo) return [];
  const faults = await comparedBytes(page, started.folder, started.places);
  started.checkedUpTo = await headOf(page);
  return faults;
}

/** The same for one contest: its newest ranking, which judges see, and the published one. */
export async function comparedBytes(page, folder, places = []) {
  await settled(page);
  const faults = [];
  const { published_seq: published } = await api(page, 'GET', '/contest');
  for (const [of, at] of [['jury', null], ...(published == null ? [] : [['public', published]])]) {
    const shown = await page.evaluate((which) => fetch(`/api/v1/ranking?of=${which}`).then((answer) => answer.text()), of);
    if (await recomputed(folder, places, at) !== shown) faults.push(`the ranking (${of}) that is shown is not the one that \`mapjudge contest\` computes on the export`);
  }
  return faults;
}

/** Until nothing waits. A ranking follows a change after a second of quiet, unless it would be the one that is there. */
export async function settled(page) {
  for (let before = null; before !== await headOf(page);) {
    before = await headOf(page);
    await idle(page);
    await page.waitForTimeout(QUIET_MS);
    await idle(page);
  }
}

const headOf = async (page) => (await api(page, 'GET', '/audit?limit=1')).head.seq;

async function recomputed(folder, places, at) {
  const making = await mkdtemp(join(tmpdir(), 'mapjudge-export-'));
  // One folder of results for all exports: what did not change is not measured again.
  const out = join(folder, '.recomputed');
  const then = at === null ? [] : ['--at', String(at)];
  await run(process.env.MAPJUDGE, ['serve', 'export', join(making, 'export'), '--contest', folder, ...then, ...places]);
  await run(process.env.MAPJUDGE, ['contest', join(making, 'export'), '--no-figures', '--overwrite', '--quiet', '--out', out]);
  await rm(making, { recursive: true });
  return readFile(join(out, 'contest.json'), 'utf8');
}

/** What lay in the folders of the teams is measured first. */
async function idle(page) {
  for (const until = Date.now() + WAIT_MS; Date.now() < until;) {
    const { items } = await api(page, 'GET', '/jobs');
    if (items.length === 0) return;
    await page.waitForTimeout(500);
  }
  throw new Error('the files of the demonstration are still being measured');
}

/** The contest of the demonstration, made once per build of the program; a folder of one's own. */
export async function contestFolder() {
  const { size, mtimeMs } = await stat(process.env.MAPJUDGE);
  const scene = join(tmpdir(), `mapjudge-contest-${size}-${Math.round(mtimeMs)}`);
  if (!existsSync(scene)) {
    const making = await mkdtemp(join(tmpdir(), 'mapjudge-making-'));
    await run(process.env.MAPJUDGE, ['demo', '--quiet', '--out', join(making, 'demo')]);
    await askJudges(join(making, 'demo', 'contest', 'rules.toml'));
    // Another run may have made it meanwhile.
    await rename(join(making, 'demo', 'contest'), scene).catch((error) => { if (!existsSync(scene)) throw error; });
  }
  const own = await mkdtemp(join(tmpdir(), 'mapjudge-serve-'));
  await cp(scene, own, { recursive: true });
  return own;
}

/** The rules of the demonstration ask judges for nothing: here for one value more. */
async function askJudges(path) {
  const rules = await readFile(path, 'utf8');
  const asking = rules.replace(/^formula = "(.*)"$/m, 'formula = "$1 + 2*P"');
  if (asking === rules) throw new Error('the rules of the demonstration have no formula');
  await writeFile(path, `${asking}\n[[parts]]\nname = "P"\ntitle = "Presentation"\nif_undefined = 0\nfrom = { kind = "judge", about = "0 to 5, from the talk of the team" }\n`);
}

/** A request of the logged-in page itself. */
export function api(page, method, path, body) {
  return page.evaluate(async ([how, where, what]) => {
    const answer = await fetch(`/api/v1${where}`, { method: how, headers: what ? { 'Content-Type': 'application/json' } : {}, body: what ? JSON.stringify(what) : undefined });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${how} ${where}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }, [method, path, body]);
}

/** A page of this person, who is added when first asked for. */
export async function enterAs(browser, started, name, role, team, options = {}) {
  const { admin, people } = started;
  const { link } = people.has(name)
    ? await api(admin.page, 'POST', `/users/${encodeURIComponent(name)}/code`, {})
    : await api(admin.page, 'POST', '/users', { name, role, ...(team ? { team } : {}) });
  people.add(name);
  const opened = await openPage(browser, options);
  await opened.page.goto(link);
  await opened.page.waitForURL((url) => !url.pathname.startsWith('/login'));
  await opened.page.waitForSelector('.top');
  return opened;
}

export const asTeam = (browser, started, index = 0, options = {}) => {
  const team = started.told.teams[index];
  return enterAs(browser, started, `${team.name} crew ${index}`, 'team', team.id, options);
};
export const asJudge = (browser, started, name = 'Jo', options = {}) => enterAs(browser, started, name, 'judge', null, options);

/** Files of a submission: of the demonstration for the real program, invented ones for its stand-in. */
export async function goodFiles(started, variant = 0) {
  if (!isReal) return [{ name: 'nav.tif', mimeType: 'image/tiff', buffer: Buffer.from(`II* invented ${variant} ${Date.now()}`) }];
  const team = ['aurora', 'borealis', 'cascade', 'dynamo'][variant % 4];
  const names = ['nav.tif', 'victims.geojson', 'hazards.geojson', 'labels.geojson', 'robot_path.geojson', 'responder_path.geojson'];
  return Promise.all(names.map(async (name) => ({ name, mimeType: 'application/octet-stream', buffer: await readFile(join(started.folder, team, name)) })));
}

export const BROKEN = [{ name: 'nav.tif', mimeType: 'image/tiff', buffer: Buffer.from('this is no map') }];

/** Hands in files on the page of a team; returns the number of the submission when it is measured or broken. */
export async function handIn(page, files) {
  await page.setInputFiles('#files', files);
  await page.click('#send');
  await page.waitForSelector('#receipt', { timeout: WAIT_MS });
  const number = Number(/Submission (\d+)/.exec(await page.locator('#receipt').textContent())[1]);
  await page.waitForFunction((wanted) => {
    const latest = document.querySelector('.latest');
    return latest?.textContent.includes(`Submission ${wanted}`) && latest.getAttribute('aria-busy') === 'false';
  }, number, { timeout: WAIT_MS });
  return number;
}

/** Opens a submission at the desk. */
export async function select(page, id) {
  await page.goto(`${new URL(page.url()).origin}/desk`);
  await page.waitForSelector('.desk-columns');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.waitForSelector('.switch button:last-child[aria-pressed="true"]');
  await page.click(`[data-id="${id}"]`);
  await page.waitForSelector('#parts, #findings');
  await page.waitForFunction((wanted) => document.querySelector(`[data-id="${wanted}"]`)?.getAttribute('aria-current') === 'true', id);
}

/** The submission that counts for a team, measured. */
export async function counted(page, team, mission) {
  const { items } = await api(page, 'GET', `/submissions?team=${encodeURIComponent(team)}&limit=200`);
  return items.find((one) => one.counts && one.times.measured && (mission === undefined || one.mission === mission));
}

/** Nothing is published before all that counts is verified. */
export async function verifyAll(page) {
  const { items } = await api(page, 'GET', '/queue');
  for (const { id } of items.filter((one) => one.counts && one.attention.includes('to_verify'))) await api(page, 'PUT', `/submissions/${id}/verification`, {});
}

/** Publishes by the dialog and waits until it is done. */
export async function publish(page, note = '') {
  await verifyAll(page);
  if (isReal) await settled(page);
  await page.click('#publish');
  await page.waitForSelector('#difference', { timeout: WAIT_MS });
  if (note) await page.fill('dialog#act textarea', note);
  await page.click('#confirm');
  await page.waitForSelector('dialog#act:not([open])', { state: 'attached', timeout: WAIT_MS });
}

export const board = (page) => page.locator('.board, #empty').textContent();
