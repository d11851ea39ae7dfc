// e) Overlay: drag, keys, fields, undo, pairs, automatic alignment, save; a second tab that saved is noticed.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isReal } from './program.mjs';
import { centreOfMap, coloursDrawn, drag, enter, exactNumbers, figure, metresPerPixel, noAxeFindings, numberOf, openOverlay, said, transformOf } from './tools.mjs';

export async function journey(browser) {
  const visit = await enter(browser, 'overlay');
  const { page, program, context, faults, expectStatus } = visit;
  try {
    await openOverlay(page, program);
    assert.ok((await coloursDrawn(page)) > 3, 'both maps are drawn');
    if (process.env.FIGURES) await pictured(page);
    await dragged(page);
    await byKeysAndFields(page);
    await undone(page);
    await byPairs(page);
    await automatic(page);
    await saved(page, context, program, expectStatus);
    await noAxeFindings(page);
    return faults;
  } finally {
    await context.close();
    await program.stop();
  }
}

/** The image of the documentation: the map where the search lays it. */
async function pictured(page) {
  await page.locator('map-pane canvas').focus();
  await page.keyboard.press('a');
  await page.waitForSelector('#verdict', { timeout: 20_000 });
  await exactNumbers(page);
  await page.evaluate(() => {
    document.querySelector('.panel').scrollTop = 0;
    document.activeElement.blur();
  });
  await figure(page, 'overlay');
  await page.keyboard.press('Control+z');
  await exactNumbers(page);
}

/** 50 px are the right metres to 1e-6, and numbers follow. */
async function dragged(page) {
  const centre = await centreOfMap(page);
  const before = await transformOf(page);
  const psi = await numberOf(page, 'image_similarity');
  const from = { x: centre.x + 15, y: centre.y - 30 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const asked = page.waitForRequest((request) => request.url().endsWith('/live') && request.postDataJSON().exact === false);
  await page.mouse.move(from.x + 30, from.y - 10, { steps: 3 });
  await asked;
  // Small maps are exact at once; pooled ones are marked.
  if (!isReal) await page.waitForFunction(() => document.querySelector('#numbers')?.textContent.includes('≈'));
  await page.mouse.move(from.x + 50, from.y - 20, { steps: 3 });
  await page.mouse.up();
  const metres = await metresPerPixel(page);
  const after = await transformOf(page);
  assert.ok(Math.abs(after[0] - before[0] - 50 * metres) < 1e-6, `x moved by ${after[0] - before[0]} m`);
  assert.ok(Math.abs(after[1] - before[1] - 20 * metres) < 1e-6, `y moved by ${after[1] - before[1]} m`);
  await exactNumbers(page);
  assert.notEqual(await numberOf(page, 'image_similarity'), psi);
  assert.match(await said(page), /Map at x/);
  const { pivot, radius } = await ringOf(page, after);
  await drag(page, { x: pivot.x + radius, y: pivot.y }, { x: pivot.x, y: pivot.y - radius });
  assert.ok(Math.abs((await transformOf(page))[2] - before[2] - 90) < 2, 'the ring rotates by a quarter');
}

/** Where the ring is drawn: about the middle of the map. */
async function ringOf(page, [x_m, y_m]) {
  const box = await page.locator('map-pane canvas').boundingBox();
  const [column, row] = await page.evaluate(async (moved) => {
    const { maps: [{ geometry, frame }] } = await (await fetch('/api/v1/desk')).json();
    const { width, height, cell_size_m, origin } = geometry;
    const rotated = (angle, [x, y]) => [Math.cos(angle) * x - Math.sin(angle) * y, Math.sin(angle) * x + Math.cos(angle) * y];
    const [gridX, gridY] = rotated(origin.theta_rad, [(width * cell_size_m) / 2, (height * cell_size_m) / 2]);
    const [x, y] = rotated(frame.theta_rad, [gridX + origin.x_m, gridY + origin.y_m]);
    const { centre, metresPerPixel: metres, width: wide, height: high } = document.querySelector('map-pane').view();
    return [(x + moved[0] - centre[0]) / metres + wide / 2, high / 2 - (y + moved[1] - centre[1]) / metres];
  }, [x_m, y_m]);
  return { pivot: { x: box.x + column, y: box.y + row }, radius: Math.min(84, 0.2 * Math.min(box.width, box.height)) };
}

async function byKeysAndFields(page) {
  const start = await transformOf(page);
  await page.locator('map-pane canvas').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Alt+ArrowRight');
  const moved = await transformOf(page);
  assert.ok(Math.abs(moved[0] - start[0] - 0.055) < 1e-6, 'one cell and a tenth to the right');
  assert.ok(Math.abs(moved[1] - start[1] - 0.5) < 1e-6, 'ten cells up');
  await page.keyboard.press('[');
  await page.keyboard.press('Shift+BracketLeft');
  await page.keyboard.press('Alt+BracketRight');
  assert.ok(Math.abs((await transformOf(page))[2] - start[2] - 1.09) < 1e-6, '0.1 + 1 - 0.01 degrees');
  for (const [field, value] of [['x', '1.25'], ['y', '-0.5'], ['rotation', '3.5']]) {
    await page.fill(`#field-${field}`, value);
    await page.keyboard.press('Enter');
  }
  assert.ok(await page.locator('#field-scale').isDisabled(), 'the scale is locked');
  await page.check('#unlock-scale');
  await page.fill('#field-scale', '1.02');
  await page.keyboard.press('Enter');
  assert.deepEqual(await transformOf(page), [1.25, -0.5, 3.5, 1.02]);
}

async function undone(page) {
  await page.locator('map-pane canvas').focus();
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  let steps = 0;
  while (await undo.isEnabled()) {
    await page.keyboard.press('Control+z');
    steps += 1;
  }
  assert.ok(steps >= 12, `${steps} steps were taken back`);
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('Control+y');
  assert.deepEqual(await transformOf(page), [1.25, -0.5, 3.5, 1.02]);
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('Control+z');
}

async function byPairs(page) {
  const centre = await centreOfMap(page);
  const metres = await metresPerPixel(page);
  await page.keyboard.press('p');
  for (const [x, y] of [[-120, -90], [130, 60], [-60, 110]]) {
    await page.mouse.click(centre.x + x, centre.y + y);
    await page.mouse.click(centre.x + x + 20, centre.y + y - 10);
  }
  await page.waitForFunction(() => document.querySelectorAll('.pairs .residual').length === 3);
  assert.match(await page.locator('#fit').textContent(), /0\.0000 m/, 'equal arrows leave nothing');
  const before = await transformOf(page);
  await page.getByRole('button', { name: 'Move the map by this fit' }).click();
  const after = await transformOf(page);
  assert.ok(Math.abs(after[0] - before[0] - 20 * metres) < 1e-6 && Math.abs(after[2] - before[2]) < 1e-6);
  await page.selectOption('#motion', 'polynomial');
  await page.waitForSelector('#fit .warning');
  assert.match(await page.locator('#fit').textContent(), /No fit/);
  await page.selectOption('#motion', 'turn');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save CSV' }).click()]);
  const rows = readFileSync(await download.path(), 'utf8').trim().split('\n');
  const file = join(tmpdir(), `mapjudge-points-${process.pid}.csv`);
  writeFileSync(file, `${rows.join('\n')}\n1,1,1.5,1.5\n`);
  await page.locator('#section-pairs input[type="file"]').setInputFiles(file);
  await page.waitForFunction(() => document.querySelectorAll('.pairs .residual').length === 4);
  assert.equal(await page.locator('.pairs tr.worst').count(), 2, 'the worst pair is marked in both of its rows');
  await page.keyboard.press('Escape');
}

async function automatic(page) {
  await page.locator('map-pane canvas').focus();
  await page.keyboard.press('a');
  await page.waitForSelector('#verdict', { timeout: 20_000 });
  assert.match(await page.locator('#verdict').textContent(), /certain|ambiguous|failed|mirrored/);
  const next = page.locator('#section-automatic').getByRole('button', { name: 'Next' });
  if (await next.count()) await next.click();
  await page.locator('map-pane canvas').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('r');
  await page.waitForSelector('#climbed');
}

async function saved(page, context, program, expectStatus) {
  await page.fill('#field-x', '0.4');
  await page.keyboard.press('Enter');
  const other = await context.newPage();
  await openOverlay(other, program);
  await saveAs(other, 'Grace', 'the corner of the corridor fits better here');
  await page.bringToFront();
  await page.waitForFunction(() => document.body.textContent.includes('Another tab saved'));
  expectStatus(412);
  await saveAs(page, 'Ada', 'the automatic place is one room too far');
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await page.waitForSelector('#saved');
  assert.match(await page.locator('#saved').textContent(), /by hand/);
  await exactNumbers(page);
  await other.close();
  if (isReal) await sameAsCommandLine(page, program);
}

async function saveAs(page, by, reason) {
  await page.evaluate(() => { document.querySelector('#section-save').open = true; });
  await page.fill('#save-by', by);
  await page.fill('#save-reason', reason);
  await page.click('#save');
  await page.waitForFunction(() => document.querySelector('#saved') || document.querySelector('#section-save .problem'));
}

/** The saved file says who and how, and scores as the page does. */
async function sameAsCommandLine(page, program) {
  const frames = join(program.folder, 'frames');
  const file = join(frames, readdirSync(frames).find((name) => name.includes('team_a')) ?? readdirSync(frames)[0]);
  const frame = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(frame.alignment.method, 'manual');
  assert.equal(frame.by, 'Ada');
  const [psi] = /[\d.]+/.exec(await numberOf(page, 'image_similarity'));
  const args = ['score', program.maps[0], '--truth', program.truth, '--align', file, '--metrics', 'image_similarity', '--format', 'json'];
  const report = JSON.parse(execFileSync(process.env.MAPJUDGE, args, { encoding: 'utf8' }));
  const digits = psi.split('.')[1]?.length ?? 0;
  assert.ok(JSON.stringify(report).includes('image_similarity'));
  const found = valueOf(report, 'image_similarity');
  assert.equal(found.toFixed(digits), psi);
}

/** The value of a metric wherever the report keeps it. */
function valueOf(node, id) {
  if (node === null || typeof node !== 'object') return undefined;
  if ((node.id === id || node.metric === id) && typeof node.value === 'number') return node.value;
  for (const child of Object.values(node)) {
    const found = valueOf(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}
