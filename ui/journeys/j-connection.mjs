// j) The connection is lost and comes back: a bar says so, what was typed stays, also after a reload.

import assert from 'node:assert/strict';
import { asTeam, BROKEN, contest, WAIT_MS } from './contest.mjs';
import { eventually, noAxeFindings, said } from './tools.mjs';

export async function journey(browser) {
  const started = await contest(browser);
  const { page, context, faults } = await asTeam(browser, started, 3);
  try {
    await page.waitForSelector('#upload');
    const text = `Is the time of day used? ${Date.now()}`;
    const hasThread = await page.locator('.thread').count() > 0;
    await page.setInputFiles('#files', BROKEN);
    await context.setOffline(true);
    await page.waitForSelector('.connection-bar');
    assert.ok(await eventually(page, async () => /No connection/.test(await said(page))));
    if (hasThread) await page.fill('.thread textarea', text);
    await page.click('#send');
    await page.waitForSelector('#upload .problem');
    assert.match(await page.locator('details.chosen').textContent(), /nav\.tif/, 'the chosen file is still there');
    await noAxeFindings(page);
    await context.setOffline(false);
    await page.waitForSelector('.connection-bar', { state: 'detached', timeout: WAIT_MS });
    await page.locator('#upload .problem').getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('#receipt', { timeout: WAIT_MS });
    if (hasThread) await draftsStay(page, text);
    return faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'));
  } finally {
    await context.close();
  }
}

async function draftsStay(page, text) {
  const address = await page.locator('.latest a').getAttribute('href');
  await page.goto(new URL(address, page.url()).href);
  await page.waitForSelector('.thread textarea');
  await page.fill('.thread textarea', text);
  await page.reload();
  await page.waitForSelector('.thread textarea');
  assert.equal(await page.locator('.thread textarea').inputValue(), text);
}
