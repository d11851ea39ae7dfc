// Steps that several journeys share.

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { axeFindings, openPage } from './browser.mjs';
import { startProgram } from './program.mjs';

const EVENTUALLY_MS = 60_000;
const FIGURES = fileURLToPath(new URL('../../docs/figures/', import.meta.url));

/** The program, a page of it that is logged in, and everything that goes wrong there. */
export async function enter(browser, kind, options = {}, pageOptions = {}) {
  const program = await startProgram(kind, options);
  const opened = await openPage(browser, pageOptions);
  try {
    await opened.page.goto(program.link);
    await opened.page.waitForURL((url) => !url.pathname.startsWith('/login'));
    return { ...opened, program };
  } catch (error) {
    await opened.context.close();
    await program.stop();
    throw error;
  }
}

export async function openOverlay(page, program, map = '1') {
  await page.goto(`${program.origin}/overlay/${map}`);
  await exactNumbers(page);
}

export function exactNumbers(page) {
  return page.waitForSelector('#numbers[data-exact="yes"]');
}

/** x, y, rotation in degrees, scale, with twelve digits. */
export async function transformOf(page) {
  const text = await page.locator('#align-argument').textContent();
  return text.replace('--align ', '').split(',').map(Number);
}

/** The text of a number in the panel, such as that of image_similarity. */
export function numberOf(page, id) {
  return page.locator(`#numbers td[data-id="${id}"]`).textContent();
}

export async function drag(page, from, to, options = {}) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down(options);
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up(options);
}

export async function centreOfMap(page, index = 0) {
  const box = await page.locator('map-pane canvas').nth(index).boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export function metresPerPixel(page) {
  return page.evaluate(() => document.querySelector('map-pane').view().metresPerPixel);
}

/** Different colours on a canvas: one means that nothing was drawn. */
export function coloursDrawn(page, index = 0) {
  return page.evaluate((at) => {
    const canvas = document.querySelectorAll('map-pane canvas')[at];
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set();
    for (let pixel = 0; pixel < data.length; pixel += 4 * 37) colours.add((data[pixel] << 16) | (data[pixel + 1] << 8) | data[pixel + 2]);
    return colours.size;
  }, index);
}

export function said(page) {
  return page.locator('#announcer').textContent();
}

export async function noAxeFindings(page) {
  assert.deepEqual(await axeFindings(page), []);
}

/** Written only when FIGURES is set: the images of the documentation. */
export async function figure(page, name) {
  if (!process.env.FIGURES) return;
  await mkdir(FIGURES, { recursive: true });
  await page.screenshot({ path: join(FIGURES, `${name}.png`) });
}

/** Whether something comes true, on a machine that does other things too. */
export async function eventually(page, holds) {
  for (const until = Date.now() + EVENTUALLY_MS; Date.now() < until;) {
    if (await holds()) return true;
    await page.waitForTimeout(100);
  }
  return holds();
}
