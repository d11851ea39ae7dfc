// d) A rejudging: its draft is looked at and dropped, another one is applied.

import assert from 'node:assert/strict';
import { asJudge, contest, counted, select, WAIT_MS } from './contest.mjs';
import { noAxeFindings } from './tools.mjs';

export async function journey(browser) {
  const started = await contest(browser);
  const { page, context, faults } = await asJudge(browser, started);
  try {
    const { id } = await counted(page, started.told.teams[0].id);
    for (const [button, state] of [['#drop', 'dropped'], ['#apply', 'applied']]) {
      await select(page, id);
      await page.keyboard.press('r');
      await page.waitForSelector('dialog#act[open]');
      await page.fill('dialog[open] .reason', 'the limits of the children were raised');
      await page.click('#confirm');
      await page.waitForURL(/\/desk\/rejudgings\//);
      await page.waitForSelector('#apply', { timeout: WAIT_MS });
      await page.waitForSelector('#difference');
      await page.getByLabel('Show unchanged teams too').check();
      assert.equal(await page.locator('.difference tbody tr').count(), started.told.teams.length);
      await noAxeFindings(page);
      await page.click(button);
      await page.waitForFunction((wanted) => document.querySelector('#state')?.textContent === wanted, state, { timeout: WAIT_MS });
      assert.equal(await page.locator('#apply').count(), 0);
    }
    return faults;
  } finally {
    await context.close();
  }
}
