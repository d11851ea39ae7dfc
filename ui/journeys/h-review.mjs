// h) Review: accept, reject, adjust, undo, dispute, third opinion, export.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isReal } from './program.mjs';
import { centreOfMap, drag, enter, figure, noAxeFindings, said } from './tools.mjs';

export async function journey(browser) {
  const { page, program, context, faults } = await enter(browser, 'review');
  try {
    await page.waitForSelector('#match');
    await figure(page, 'review');
    await noAxeFindings(page);
    await acceptedAndRejected(page);
    const adjusted = await adjustedOne(page);
    await undone(page);
    if (isReal) {
      // A page that outlives its program would ask in vain, and its browser would say so.
      await context.close();
      await program.stop();
      faults.push(...(await disputed(browser, program.record, adjusted)));
    } else {
      await askedForSecond(page);
      await exported(page);
    }
    return faults;
  } finally {
    await context.close();
    await program.stop();
  }
}

const relation = (page) => page.locator('#relation').textContent();

/** Presses a key and waits for the next proposal. */
async function decide(page, key) {
  const before = await relation(page);
  await page.keyboard.press(key);
  await page.waitForFunction((shown) => document.querySelector('#relation')?.textContent !== shown, before);
  return before.replace('Relation ', '').trim();
}

const statusOf = (page, id, status) => page.waitForFunction(([name, wanted]) =>
  [...document.querySelectorAll('.proposals button')].some((row) => row.querySelector('strong').textContent === name && row.textContent.includes(wanted)), [id, status]);

async function acceptedAndRejected(page) {
  await page.locator('map-pane canvas').focus();
  await statusOf(page, await decide(page, 'a'), 'accepted');
  await statusOf(page, await decide(page, 'x'), 'rejected');
  await decide(page, 's');
}

async function adjustedOne(page) {
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('[');
  assert.match(await said(page), /Scan 2 at/);
  const centre = await centreOfMap(page);
  await drag(page, { x: centre.x - 150, y: centre.y - 100 }, { x: centre.x - 145, y: centre.y - 100 });
  await page.keyboard.press('z');
  await page.keyboard.press('f');
  await page.waitForFunction(() => /Refined/.test(document.querySelector('#announcer').textContent) || document.querySelector('.problem'));
  await page.keyboard.press('c');
  await page.keyboard.press('b');
  await page.keyboard.press('b');
  await page.keyboard.press('n');
  await page.keyboard.type('the door was open');
  await page.keyboard.press('Escape');
  await page.fill('#delta-x', '0.123');
  await page.keyboard.press('Enter');
  await page.locator('map-pane canvas').focus();
  const id = await decide(page, 'a');
  await statusOf(page, id, 'adjusted');
  return id;
}

async function undone(page) {
  const id = await decide(page, 'x');
  await statusOf(page, id, 'rejected');
  await page.keyboard.press('z');
  await page.waitForFunction((name) => document.querySelector('#relation')?.textContent.includes(name), id);
  await statusOf(page, id, 'proposed');
}

async function askedForSecond(page) {
  await page.getByRole('button', { name: 'Ask for a second opinion' }).click();
  await page.waitForFunction(() => document.body.textContent.includes('yours settles it'));
  await decide(page, 'a');
}

async function exported(page) {
  for (let left = 60; left > 0 && !(await page.locator('#done').count()); left -= 1) {
    const before = await relation(page);
    await page.keyboard.press('a');
    await page.waitForFunction((shown) => document.querySelector('#done') || document.querySelector('#relation')?.textContent !== shown, before);
  }
  await page.waitForSelector('#done');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#done #export').click()]);
  assert.ok(readFileSync(await download.path(), 'utf8').length > 0);
}

/** The adjusted relation goes to Grace, who rejects it, and then to Edsger, who settles it. */
async function disputed(browser, record, id) {
  const faults = [];
  for (const [reviewer, key, note] of [['Grace', 'x', 'hidden'], ['Edsger', 'a', 'settles']]) {
    const visit = await enter(browser, 'review', { reviewer, record });
    const { page } = visit;
    await page.waitForSelector('#match');
    await page.locator('.proposals button', { hasText: id }).first().click();
    await page.waitForFunction((name) => document.querySelector('#relation')?.textContent.includes(name), id);
    assert.match(await page.locator('.panel:not(.left)').textContent(), new RegExp(note));
    await page.locator('map-pane canvas').focus();
    await decide(page, key);
    await page.waitForTimeout(300);
    if (reviewer === 'Edsger') await page.waitForSelector('#agreement');
    faults.push(...visit.faults);
    await visit.context.close();
    await visit.program.stop();
  }
  const lines = readFileSync(record, 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter((line) => line.id === id);
  assert.ok(lines.some((line) => JSON.stringify(line).includes('opinions differ')), 'the dispute is a line');
  return faults;
}
