// m) The keyboard alone: every act without a mouse, keys listed and switched off.

import assert from 'node:assert/strict';
import { enter, exactNumbers, noAxeFindings, openOverlay, said, transformOf } from './tools.mjs';

export async function journey(browser) {
  const { page, program, context, faults } = await enter(browser, 'overlay', {}, { reducedMotion: 'reduce', colorScheme: 'dark' });
  try {
    await openOverlay(page, program);
    const start = await transformOf(page);
    await tabTo(page, (element) => element.tagName === 'CANVAS');
    for (const key of ['ArrowUp', 'Shift+ArrowLeft', ']', '+', '-', '0', 'Control+ArrowLeft', 's', 'd', 'k', 'k', 'b']) await page.keyboard.press(key);
    assert.notDeepEqual(await transformOf(page), start);
    assert.match(await said(page), /blend/);
    await tabTo(page, (element) => element.id === 'field-x');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('0.75');
    await page.keyboard.press('Enter');
    assert.equal((await transformOf(page))[0], 0.75);
    await tabTo(page, (element) => element.matches('#section-pairs > summary'));
    await page.keyboard.press('Enter');
    await tabTo(page, (element) => element.textContent.trim() === 'Add pair');
    await page.keyboard.press('Enter');
    assert.match(await said(page), /Pair 1 added/);
    await tabTo(page, (element) => element.matches('#section-save > summary'));
    await page.keyboard.press('Enter');
    await tabTo(page, (element) => element.id === 'save-by');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type('placed with the keyboard alone');
    // The button is free from the next frame on, which a busy machine draws late; Tab leaps over it until then.
    await page.waitForSelector('#save:not([disabled])');
    await tabTo(page, (element) => element.id === 'save');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#saved').catch(async (error) => {
      const seen = await page.evaluate(() => `${document.activeElement?.id}: ${document.querySelector('#section-save')?.textContent}`);
      throw new Error(`${error.message}; on the page: ${seen.replace(/\s+/g, ' ')}`);
    });
    await switchedOff(page);
    await exactNumbers(page);
    await noAxeFindings(page);
    return faults;
  } finally {
    await context.close();
    await program.stop();
  }
}

/** Presses Tab until the element is reached; its focus must be visible. */
async function tabTo(page, wanted) {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(`(${wanted})(document.activeElement)`);
    if (!found) continue;
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, 'none', 'the focus is visible');
    return;
  }
  assert.fail(`no Tab leads to ${wanted}`);
}

async function switchedOff(page) {
  await tabTo(page, (element) => element.tagName === 'CANVAS');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  const before = (await transformOf(page)).join();
  await tabTo(page, (element) => element.tagName === 'CANVAS');
  await page.keyboard.press('ArrowUp');
  assert.equal((await transformOf(page)).join(), before, 'keys are off');
  await page.evaluate(() => localStorage.removeItem('mapjudge-keys'));
}
