// c) Frozen: files are handed in, measured and verified, and nothing of it reaches the public before it is unfrozen.

import assert from 'node:assert/strict';
import { openPage } from './browser.mjs';
import { asTeam, board, contest, goodFiles, handIn, publish, verifyAll, WAIT_MS } from './contest.mjs';
import { eventually, noAxeFindings } from './tools.mjs';

export async function journey(browser) {
  const started = await contest(browser);
  const { page: admin } = started.admin;
  const crew = await asTeam(browser, started, 2);
  const viewer = await openPage(browser);
  const bytes = () => viewer.page.evaluate(() => fetch('/api/v1/ranking?of=public').then((answer) => answer.text()));
  try {
    await admin.goto(`${started.origin}/desk`);
    await admin.waitForSelector('#freeze');
    await publish(admin, 'before it is frozen');
    await viewer.page.goto(started.origin);
    await viewer.page.waitForSelector('.board');
    await freeze(admin, 'Freeze');
    await viewer.page.waitForSelector('.banner.frozen');
    await noAxeFindings(viewer.page);
    const [shown, page, text] = [await bytes(), await board(viewer.page), await viewer.page.locator('main').textContent()];
    const foot = await viewer.page.locator('.foot').textContent();
    await handIn(crew.page, await goodFiles(started, 3));
    await verifyAll(admin);
    await admin.click('#publish');
    await admin.waitForSelector('#difference', { timeout: WAIT_MS });
    assert.ok(await admin.locator('#confirm').isDisabled(), 'nothing is published while it is frozen');
    await admin.keyboard.press('Escape');
    await viewer.page.waitForTimeout(400);
    assert.ok(await bytes() === shown, 'the public ranking is the same bytes');
    assert.equal(await board(viewer.page), page);
    await viewer.page.reload();
    await viewer.page.waitForSelector('.board');
    assert.equal(await viewer.page.locator('main').textContent(), text, 'not a word more after loading it again');
    assert.equal(await viewer.page.locator('.foot').textContent(), foot, 'the head of the chain tells nothing either');
    await freeze(admin, 'Unfreeze');
    await viewer.page.waitForSelector('.banner.frozen', { state: 'detached' });
    await publish(admin, 'after it was unfrozen');
    assert.ok(await eventually(viewer.page, async () => (await bytes()) !== shown), 'what was published is shown now');
    return [...viewer.faults, ...crew.faults, ...started.admin.faults];
  } finally {
    await Promise.all([crew, viewer].map(({ context }) => context.close()));
    await admin.goto(`${started.origin}/desk`);
    await admin.waitForSelector('#freeze');
    if (await admin.locator('#freeze').textContent() === 'Unfreeze') await freeze(admin, 'Unfreeze');
  }
}

async function freeze(page, name) {
  assert.equal(await page.locator('#freeze').textContent(), name);
  await page.click('#freeze');
  await page.waitForSelector('dialog#act[open]');
  await page.click('#confirm');
  await page.waitForFunction((before) => document.querySelector('#freeze')?.textContent !== before, name);
}
