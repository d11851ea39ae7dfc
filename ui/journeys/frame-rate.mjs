// Frames per second of the overlay with two maps of 4000 x 4000 cells at 1280 x 800: moving, rotating, panning.
//
//   node journeys/frame-rate.mjs [CELLS]

import { openBrowser, openPage } from './browser.mjs';
import { startProgram } from './program.mjs';

const SECONDS = 3;
const size = Number(process.argv[2] ?? 4000);
const program = await startProgram('overlay', { size });
const browser = await openBrowser();
try {
  const { page } = await openPage(browser);
  const opened = Date.now();
  await page.goto(program.link);
  await page.waitForSelector('#numbers', { timeout: 60_000 });
  await page.waitForTimeout(200);
  process.stdout.write(`open to first numbers: ${((Date.now() - opened) / 1000).toFixed(2)} s\n`);
  await page.waitForTimeout(3000);
  const box = await page.locator('map-pane canvas').boundingBox();
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  for (const mode of ['Blend', 'Difference']) {
    await page.getByRole('button', { name: mode, exact: true }).click();
    report(mode, 'moving', await framesWhile(page, { x: centre.x + 140, y: centre.y + 40 }, 'left'));
    report(mode, 'rotating', await framesWhile(page, { x: centre.x + 84, y: centre.y }, 'left'));
    report(mode, 'panning', await framesWhile(page, { x: centre.x + 140, y: centre.y + 40 }, 'middle'));
    for (let undo = 0; undo < 2; undo += 1) await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'Show all' }).click();
  }
  const held = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
  process.stdout.write(`script memory: ${(held / 2 ** 20).toFixed(0)} MB\n`);
} finally {
  await browser.close();
  await program.stop();
}

function report(mode, act, frames) {
  process.stdout.write(`${mode} ${act}: ${(frames / SECONDS).toFixed(1)} frames/s\n`);
}

/** Presses a button of the mouse, then moves the pointer in a circle once per frame of the display. */
async function framesWhile(page, start, button) {
  await page.mouse.move(start.x, start.y);
  await page.mouse.down({ button });
  const frames = await page.evaluate(async ({ x, y, milliseconds }) => {
    const pane = document.querySelector('map-pane');
    const canvas = pane.querySelector('canvas');
    const before = pane.framesDrawn;
    const started = performance.now();
    for (let step = 0; performance.now() - started < milliseconds; step += 1) {
      const angle = step / 25;
      canvas.dispatchEvent(new PointerEvent('pointermove', {
        bubbles: true, pointerId: 1, clientX: x + 60 * Math.sin(angle), clientY: y + 60 * (1 - Math.cos(angle)),
      }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return pane.framesDrawn - before;
  }, { ...start, milliseconds: SECONDS * 1000 });
  await page.mouse.up({ button });
  return frames;
}
