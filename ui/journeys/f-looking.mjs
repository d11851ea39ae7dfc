// f) Swipe, blink, difference, layers, measure, files dropped onto the page.

import assert from 'node:assert/strict';
import { centreOfMap, drag, enter, metresPerPixel, noAxeFindings, openOverlay, said } from './tools.mjs';

export async function journey(browser) {
  const { page, program, context, faults } = await enter(browser, 'overlay');
  try {
    await openOverlay(page, program);
    await modes(page);
    await difference(page);
    await layers(page);
    await measured(page);
    await dropped(page);
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await noAxeFindings(page);
    await page.keyboard.press('Escape');
    return faults;
  } finally {
    await context.close();
    await program.stop();
  }
}

const picture = (page) => page.evaluate(() => document.querySelector('map-pane canvas').toDataURL());
/** Waits until the picture stays as it is: a busy machine draws late. */
async function settled(page) {
  let before = null;
  for (let look = 0; look < 40; look += 1) {
    await page.waitForTimeout(150);
    const now = await picture(page);
    if (now === before) return;
    before = now;
  }
}

async function modes(page) {
  await page.locator('map-pane canvas').focus();
  await settled(page);
  const blended = await picture(page);
  await page.keyboard.press('s');
  await settled(page);
  const swiped = await picture(page);
  assert.notEqual(swiped, blended);
  const centre = await centreOfMap(page);
  await drag(page, { x: centre.x, y: centre.y + 150 }, { x: centre.x - 200, y: centre.y + 150 });
  assert.ok((await page.locator('#swipe').inputValue()) < 0.45, 'the divider was dragged');
  await page.keyboard.press('k');
  const first = await picture(page);
  let blinks = false;
  for (let look = 0; look < 40 && !blinks; look += 1) {
    await page.waitForTimeout(150);
    blinks = (await picture(page)) !== first;
  }
  assert.ok(blinks, 'the maps blink');
  await page.keyboard.press('b');
  await settled(page);
  const both = await picture(page);
  await page.keyboard.down('t');
  await settled(page);
  assert.notEqual(await picture(page), both, 'the truth alone while T is held');
  await page.keyboard.up('t');
  await settled(page);
  assert.equal(await picture(page), both);
  await page.locator('#blend').fill('0');
  await settled(page);
  assert.notEqual(await picture(page), both);
  await page.locator('#blend').fill('0.5');
}

async function difference(page) {
  await page.locator('map-pane canvas').focus();
  const [response] = await Promise.all([
    page.waitForResponse((answer) => answer.url().includes('difference.png')),
    page.keyboard.press('d'),
  ]);
  assert.equal(response.status(), 200);
  await page.waitForSelector('.legend li');
  assert.equal(await page.locator('.legend li').count(), 9);
  await page.keyboard.press('b');
}

async function layers(page) {
  await page.evaluate(() => { document.querySelector('#section-layers').open = true; });
  for (const box of await page.locator('#section-layers > label input').all()) await box.check();
  await page.waitForFunction(() => !document.querySelector('#section-layers').textContent.includes('computing'));
  await settled(page);
  const lists = page.locator('#section-layers details.list');
  assert.ok((await lists.count()) > 0, 'layers are lists too');
  await lists.first().evaluate((list) => { list.open = true; });
  const centre = () => page.evaluate(() => document.querySelector('map-pane').view().centre.join());
  const before = await centre();
  await lists.first().locator('button').first().click();
  assert.notEqual(await centre(), before, 'an item of the list is shown');
  await page.getByRole('button', { name: 'Show all' }).click();
}

/** Pairs and a transform, dropped as files. */
async function dropped(page) {
  const drop = (name, text) => page.evaluate(([file, content]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], file));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
  }, [name, text]);
  await drop('points.csv', '1,1,2,2\n3,3,4,4\n');
  await page.waitForFunction(() => document.querySelectorAll('.pairs .residual').length === 2);
  await drop('transform.json', JSON.stringify({ truth_from_map: { x_m: 0.25, y_m: 0.5, theta_rad: 0, scale: 1 } }));
  await page.waitForFunction(() => document.querySelector('#field-x').value === '0.25');
}

async function measured(page) {
  const centre = await centreOfMap(page);
  const metres = await metresPerPixel(page);
  await page.locator('map-pane canvas').focus();
  await page.keyboard.press('m');
  await page.mouse.click(centre.x - 100, centre.y);
  await page.mouse.click(centre.x + 100, centre.y);
  assert.match(await said(page), new RegExp(`^${(200 * metres).toFixed(3)} m at 0.00 degrees`));
  await page.keyboard.press('Escape');
}
