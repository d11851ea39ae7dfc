// n) `align --by-hand`, `truth review`, `view`: from the link to the end of the program, and what can go wrong.

import assert from 'node:assert/strict';
import { openPage } from './browser.mjs';
import { coloursDrawn, enter, eventually, noAxeFindings, openOverlay, said } from './tools.mjs';

export async function journey(browser) {
  const faults = [...(await overlayLife(browser)), ...(await viewLife(browser))];
  return faults;
}

async function overlayLife(browser) {
  const { page, program, context, faults, expectStatus } = await enter(browser, 'overlay');
  const stranger = await openPage(browser);
  try {
    stranger.expectStatus(403);
    await stranger.page.goto(`${program.origin}/login#wrong-code`);
    await stranger.page.waitForSelector('.problem');
    await noAxeFindings(stranger.page);
    await brokenMap(page, program);
    await openOverlay(page, program);
    await page.fill('#field-x', '0.5');
    await page.locator('#field-x').blur();
    const argument = await page.locator('#align-argument').textContent();
    expectStatus('(none)');
    await program.stop();
    await page.waitForSelector('.connection-bar');
    assert.match(await page.locator('.connection-bar').textContent(), /ended/);
    assert.equal(await page.locator('.connection-bar input').inputValue(), argument);
    assert.match(await said(page), /ended/);
    await noAxeFindings(page);
    return [...faults.filter((fault) => !fault.includes('ERR_')), ...stranger.faults];
  } finally {
    await context.close();
    await stranger.context.close();
    await program.stop();
  }
}

/** A map that cannot be read is a sentence; the other maps work. */
async function brokenMap(page, program) {
  const maps = await page.evaluate(() => fetch('/api/v1/desk').then((answer) => answer.json()).then(({ maps: all }) => all.map(({ id, problem }) => [id, problem !== null])));
  const broken = maps.find(([, isBroken]) => isBroken);
  assert.ok(broken, 'one map is broken');
  await page.goto(`${program.origin}/overlay/${broken[0]}`);
  await page.waitForSelector('.problem');
  assert.ok((await page.locator('.problem').textContent()).length > 20);
  await page.goto(`${program.origin}/overlay/99`);
  await page.waitForSelector('.problem');
}

async function viewLife(browser) {
  const { page, program, context, faults } = await enter(browser, 'view');
  try {
    await page.waitForSelector('#time-slider');
    assert.ok(await eventually(page, async () => (await coloursDrawn(page)) > 3));
    const box = await page.locator('map-pane canvas').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForSelector('#values tr');
    const before = await page.locator('#time').textContent();
    await page.locator('map-pane canvas').focus();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowRight');
    assert.notEqual(await page.locator('#time').textContent(), before);
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForTimeout(300);
    await page.getByRole('button', { name: 'Pause' }).click();
    await noAxeFindings(page);
    return faults;
  } finally {
    await context.close();
    await program.stop();
  }
}
