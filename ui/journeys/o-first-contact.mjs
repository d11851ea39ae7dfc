// o) First contact: an empty folder, the commands of the README, and a published ranking that the public sees.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openPage } from './browser.mjs';
import { comparedBytes, WAIT_MS } from './contest.mjs';
import { isReal, linkOf, stop } from './program.mjs';
import { figure } from './tools.mjs';

const MOST_MS = 5 * 60_000;
const README = new URL('../../README.md', import.meta.url);

export async function journey(browser) {
  if (!isReal) return [];
  const commands = ['mapjudge demo --out demo', 'mapjudge serve demo/contest --listen 127.0.0.1:0'];
  const folder = await mkdtemp(join(tmpdir(), 'mapjudge-first-'));
  const began = Date.now();
  const call = (command) => command.split(' ').slice(1);
  await promisify(execFile)(process.env.MAPJUDGE, call(commands[0]), { cwd: folder });
  const server = spawn(process.env.MAPJUDGE, call(commands[1]), { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  const [admin, visitor] = [await openPage(browser), await openPage(browser)];
  try {
    const link = await linkOf(server);
    await visitor.page.goto(new URL(link).origin);
    await visitor.page.waitForSelector('#empty');
    await publishes(admin.page, link);
    await visitor.page.waitForSelector('.board [data-team]', { timeout: WAIT_MS });
    assert.equal(await visitor.page.locator('.board [data-team]').count(), 4);
    const took = Date.now() - began;
    process.stdout.write(`     from an empty folder to the published ranking: ${commands.length} commands, ${(took / 1000).toFixed(1)} s\n`);
    assert.ok(took < MOST_MS, `${took} ms`);
    await figure(visitor.page, 'serve-scoreboard');
    await inReadme(['cargo install --path crates/cli', ...commands]);
    return [...await comparedBytes(admin.page, join(folder, 'demo', 'contest')), ...admin.faults, ...visitor.faults];
  } finally {
    await Promise.all([admin, visitor].map(({ context }) => context.close()));
    await stop(server);
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the desk offers, one after the other: V for each submission, then P. */
async function publishes(page, link) {
  await page.goto(link);
  await page.waitForURL((url) => url.pathname === '/desk');
  await page.waitForFunction(() => document.querySelectorAll('[data-chip="to_verify"]').length > 0 && document.querySelectorAll('.desk-queue [data-id]').length === 4, null, { timeout: WAIT_MS });
  for (let left = 4; left > 0; left -= 1) {
    await page.locator('.desk-queue [data-id]').first().click();
    await page.waitForSelector('#verify:not([disabled])', { timeout: WAIT_MS });
    await page.keyboard.press('v');
    await page.waitForFunction((more) => document.querySelectorAll('.desk-queue [data-id]').length === more, left - 1, { timeout: WAIT_MS });
  }
  await page.keyboard.press('p');
  await page.waitForSelector('#confirm:not([disabled])', { timeout: WAIT_MS });
  await page.click('#confirm');
  await page.waitForSelector('dialog#act:not([open])', { state: 'attached', timeout: WAIT_MS });
}

async function inReadme(commands) {
  const readme = await readFile(README, 'utf8').catch(() => null);
  // The journeys also run from a copy of this folder alone.
  if (readme !== null) for (const command of commands) assert.ok(readme.includes(command), `the README has: ${command}`);
}
