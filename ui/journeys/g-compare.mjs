// g) Four maps compared, synchronised.

import assert from 'node:assert/strict';
import { isReal } from './program.mjs';
import { centreOfMap, coloursDrawn, enter, eventually, figure, noAxeFindings } from './tools.mjs';

/** Lays the first maps as the search does; for the image all of them, so that it shows how the maps differ. */
function alignFirst(page, count) {
  return page.evaluate(async (maps) => {
    const send = (method, url, body, headers = {}) =>
      fetch(url, { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } });
    for (let id = 1; id <= maps; id += 1) {
      const url = `/api/v1/submissions/${id}`;
      const { alignment } = await (await send('POST', `${url}/align`, {})).json();
      const tag = (await fetch(`${url}/frame`)).headers.get('ETag');
      await send('PUT', `${url}/frame`, { truth_from_map: alignment.truth_from_map, by: 'Ada', reason: 'as the search lays it', pairs: [] }, { 'If-Match': tag });
    }
  }, count);
}

export async function journey(browser) {
  const { page, program, context, faults } = await enter(browser, 'overlay');
  try {
    const count = isReal ? 4 : 3;
    await alignFirst(page, process.env.FIGURES ? count : 1);
    await page.goto(`${program.origin}/compare?of=${isReal ? '1,2,3,4' : '1,2,3'}`);
    await page.waitForFunction((panes) => document.querySelectorAll('map-pane').length === panes && document.querySelector('#side-by-side .best'), count);
    await page.waitForTimeout(300);
    await figure(page, 'compare');
    const views = () => page.evaluate(() => [...document.querySelectorAll('map-pane')].map((pane) => [...pane.view().centre, pane.view().metresPerPixel].join()));
    const centre = await centreOfMap(page);
    await page.mouse.move(centre.x, centre.y);
    await page.mouse.wheel(0, -300);
    await page.mouse.down();
    await page.mouse.move(centre.x + 40, centre.y + 25, { steps: 4 });
    await page.mouse.up();
    assert.equal(new Set(await views()).size, 1, 'one view for all panes');
    for (let pane = 0; pane < count; pane += 1) {
      assert.ok(await eventually(page, async () => (await coloursDrawn(page, pane)) > 2), `pane ${pane + 1} is drawn`);
    }
    await page.locator('.pane select').first().selectOption('2');
    await page.waitForFunction(() => !document.querySelector('#side-by-side').textContent.includes('…'));
    for (const key of ['s', 'd', 'k', 'b']) await page.keyboard.press(key);
    await page.locator('map-pane canvas').first().focus();
    await page.keyboard.press('2');
    assert.equal(await page.locator('.pane:visible').count(), 1);
    await page.keyboard.press('2');
    assert.equal(await page.locator('.pane:visible').count(), count);
    await noAxeFindings(page);
    return faults;
  } finally {
    await context.close();
    await program.stop();
  }
}
