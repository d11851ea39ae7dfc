// a) A team logs in, hands in broken files, sees why, hands in good ones, and asks a question.

import assert from 'node:assert/strict';
import { asTeam, BROKEN, contest, goodFiles, handIn, WAIT_MS } from './contest.mjs';
import { eventually, figure, noAxeFindings, said } from './tools.mjs';

export async function journey(browser) {
  const started = await contest(browser);
  const { page, context, faults } = await asTeam(browser, started);
  try {
    await page.waitForSelector('#upload');
    assert.equal(new URL(page.url()).pathname, '/team');
    await page.locator('label:has-text("Keep files")').locator('input').uncheck().catch(() => undefined);
    const before = await page.locator('.list-table tbody tr').count();
    const broken = await handIn(page, BROKEN);
    assert.match(await page.locator('.latest').textContent(), /broken/);
    assert.ok(await page.locator('#findings .level-error').count() > 0, 'an error is among the findings');
    assert.match(await page.locator('#findings').textContent(), /nav\.tif/);
    await page.setInputFiles('#files', await goodFiles(started));
    assert.equal(await page.locator('.rules tr.missing').count(), 0);
    const good = await handIn(page, await goodFiles(started));
    assert.equal(good, broken + 1);
    assert.match(await page.locator('.latest .steps').textContent(), /Measured\s*\d\d:\d\d/);
    assert.ok(await eventually(page, async () => (await said(page)).includes(`Submission ${good}`)));
    assert.equal(await page.locator('.list-table tbody tr').count(), before + 2);
    assert.match(await page.locator('.list-table tbody tr').first().textContent(), /counts/);
    await noAxeFindings(page);
    await figure(page, 'serve-team');
    await asks(page);
    await foreignPages(page, started);
    return faults;
  } finally {
    await context.close();
  }
}

async function asks(page) {
  const text = `May walls be thicker? ${Date.now()}`;
  await page.fill('.thread textarea', text);
  await page.locator('.thread').getByRole('button', { name: 'Send' }).click();
  await page.waitForFunction((wanted) => document.querySelector('.notes')?.textContent.includes(wanted), text, { timeout: WAIT_MS });
  assert.equal(await page.locator('.thread textarea').inputValue(), '');
}

/** What belongs to judges is not shown to a team, in words and without a fault. */
async function foreignPages(page, started) {
  for (const address of ['/desk', '/desk/values', '/desk/users', '/audit']) {
    await page.goto(started.origin + address);
    await page.waitForSelector('.empty h1');
    assert.match(await page.locator('.empty').textContent(), /another role/);
  }
  await noAxeFindings(page);
}
