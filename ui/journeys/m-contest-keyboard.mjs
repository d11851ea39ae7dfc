// m) A judge with the keyboard alone: through the queue, a value, verification, taking back, the grid of values, the projector.

import assert from 'node:assert/strict';
import { asJudge, contest, counted, select, WAIT_MS } from './contest.mjs';
import { eventually, noAxeFindings, said } from './tools.mjs';

export async function journey(browser) {
  const started = await contest(browser);
  const { page, context, faults } = await asJudge(browser, started, 'Jo', { reducedMotion: 'reduce' });
  try {
    const { id } = await counted(page, started.told.teams[3].id);
    await select(page, id);
    const shown = () => page.locator('#subject').textContent();
    const before = await shown();
    // Nothing stands above the first.
    const isFirst = await page.locator('.desk-queue [data-id]').first().getAttribute('data-id') === id;
    const [there, back] = isFirst ? ['j', 'k'] : ['k', 'j'];
    await page.keyboard.press(there);
    assert.ok(await eventually(page, async () => (await shown()) !== before), 'J and K go through the list');
    await page.keyboard.press(back);
    assert.ok(await eventually(page, async () => (await shown()) === before), 'and back');
    await takesBack(page);
    await keysDialog(page);
    if (started.told.criteria.length > 0) await grid(page, started);
    await projector(page, started);
    await noAxeFindings(page);
    return faults;
  } finally {
    await context.close();
  }
}

/** Verifies, or takes the verification back first; both are events. */
async function takesBack(page) {
  if (await page.locator('#verify').isEnabled()) {
    await page.keyboard.press('v');
    await page.waitForSelector('#verify[disabled]', { timeout: WAIT_MS });
    assert.ok(await eventually(page, async () => /Verified/.test(await said(page))));
    await page.keyboard.press('u');
    await page.waitForSelector('dialog[open] .reason');
    await page.keyboard.type('verified the wrong one');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#verify:not([disabled])', { timeout: WAIT_MS });
    assert.ok(await eventually(page, async () => /Taken back/.test(await said(page))));
  } else {
    await page.keyboard.press('u');
    assert.ok(await eventually(page, async () => /Nothing to take back/.test(await said(page))));
  }
}

async function keysDialog(page) {
  await page.keyboard.press('?');
  await page.waitForSelector('dialog#keys[open]');
  assert.match(await page.locator('dialog#keys').textContent(), /Verify the submission/);
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  assert.equal(await page.locator('dialog#act[open]').count(), 0, 'keys are off');
  await page.evaluate(() => localStorage.removeItem('mapjudge-keys'));
}

async function grid(page, started) {
  await page.goto(`${started.origin}/desk/values`);
  await page.waitForSelector('.values-grid input');
  const field = page.locator('.values-grid input').first();
  await field.focus();
  const old = await field.inputValue();
  const entered = old === '1' ? '0' : '1';
  await page.keyboard.type(entered);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.dataset.at), '1,0');
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.evaluate(() => document.activeElement?.dataset.at), '0,0');
  assert.equal(await field.inputValue(), entered);
  await page.keyboard.press('Escape');
  assert.equal(await field.inputValue(), old);
  await page.keyboard.type(entered);
  await page.locator('.save-bar textarea').focus();
  await page.keyboard.type('entered with the keyboard alone');
  await noAxeFindings(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.ok(await eventually(page, async () => /saved/.test(await said(page))));
  assert.equal(await field.inputValue(), entered);
}

async function projector(page, started) {
  await page.goto(started.origin);
  await page.waitForSelector('.board, #empty');
  await page.keyboard.press('f');
  await page.waitForSelector('html.projector');
  const size = () => page.evaluate(() => parseFloat(getComputedStyle(document.querySelector('.team-button') ?? document.querySelector('h2')).fontSize));
  assert.ok((await size()) >= 28, 'team names are large');
  await noAxeFindings(page);
  await page.keyboard.press('f');
  await page.waitForSelector('html:not(.projector)');
}
