// k) A phone of 360 px: look, blend, fields, pinch; nothing sticks out.

import assert from 'node:assert/strict';
import { coloursDrawn, enter, noAxeFindings, openOverlay, transformOf } from './tools.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: 'dark' };

export async function journey(browser) {
  const { page, program, context, faults } = await enter(browser, 'overlay', {}, PHONE);
  try {
    await openOverlay(page, program);
    assert.ok((await coloursDrawn(page)) > 3);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(widths[0] <= widths[1], `the page is ${widths[0]} px wide on ${widths[1]} px`);
    await page.locator('#blend').fill('0.8');
    await page.fill('#field-x', '2');
    await page.locator('#field-x').blur();
    assert.equal((await transformOf(page))[0], 2);
    await pinched(page);
    const sheet = page.locator('.sheet-handle');
    await sheet.tap();
    await page.waitForSelector('.sheet-handle[aria-expanded="false"]', { timeout: 5000 });
    await sheet.tap();
    await page.waitForSelector('.sheet-handle[aria-expanded="true"]');
    await noAxeFindings(page);
    return faults;
  } finally {
    await context.close();
    await program.stop();
  }
}

/** Two fingers apart zoom in; one finger pans and does not move the map. */
async function pinched(page) {
  const box = await page.locator('map-pane canvas').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const scale = () => page.evaluate(() => document.querySelector('map-pane').view().metresPerPixel);
  const before = await scale();
  const session = await page.context().newCDPSession(page);
  const touch = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [{ x: x - 20, y, id: 0 }, { x: x + 20, y, id: 1 }]);
  for (const away of [30, 40, 60]) await touch('touchMove', [{ x: x - away, y, id: 0 }, { x: x + away, y, id: 1 }]);
  await touch('touchEnd', []);
  assert.ok((await scale()) < before / 2, 'two fingers zoom');
  const placed = (await transformOf(page)).join();
  await touch('touchStart', [{ x, y, id: 0 }]);
  for (const step of [10, 20, 30, 40, 40, 40]) {
    await touch('touchMove', [{ x: x + step, y: y + 10, id: 0 }]);
    await page.waitForTimeout(60);
  }
  await touch('touchEnd', []);
  assert.equal((await transformOf(page)).join(), placed, 'one finger pans');
}
