// e) From the desk to the overlay of a submission: moved by a field, saved with a reason, and the desk says "by hand"; then two maps compared.

import assert from 'node:assert/strict';
import { asJudge, contest, counted, select, WAIT_MS } from './contest.mjs';
import { coloursDrawn, eventually, exactNumbers, noAxeFindings } from './tools.mjs';

export async function journey(browser) {
  const started = await contest(browser);
  const { page, context, faults } = await asJudge(browser, started);
  try {
    const first = await counted(page, started.told.teams[0].id);
    const second = await counted(page, started.told.teams[1].id, first.mission);
    await select(page, first.id);
    await page.keyboard.press('o');
    await page.waitForURL(/\/overlay\//);
    await exactNumbers(page);
    assert.ok((await coloursDrawn(page)) > 3);
    const x = Number(await page.locator('#field-x').inputValue());
    await page.fill('#field-x', String(x + 0.05));
    await page.locator('#field-x').blur();
    await page.locator('#section-save > summary').click();
    assert.equal(await page.locator('#save-by').inputValue(), 'Jo');
    assert.equal(await page.getByRole('button', { name: 'Finish' }).count(), 0);
    await page.fill('#save-reason', 'one cell to the east fits the west wall');
    await exactNumbers(page);
    await noAxeFindings(page);
    await page.click('#save');
    await page.waitForSelector('#saved', { timeout: WAIT_MS });
    await page.getByRole('link', { name: 'Back to the desk' }).click();
    await page.waitForSelector('#frame');
    await page.waitForFunction(() => /by hand, by Jo/.test(document.querySelector('#frame')?.textContent ?? ''), null, { timeout: WAIT_MS });
    await page.goto(`${started.origin}/compare?of=${first.id},${second.id}`);
    await page.waitForSelector('.panes.of-2 map-pane canvas');
    assert.ok(await eventually(page, async () => (await coloursDrawn(page)) > 3 && (await coloursDrawn(page, 1)) > 3));
    return faults;
  } finally {
    await context.close();
  }
}
