// l) On A4: the scoreboard with a score sheet and its hashes, and cards for the teams.

import assert from 'node:assert/strict';
import { openPage } from './browser.mjs';
import { contest, publish } from './contest.mjs';

/** The printable width of A4 with margins of 14 mm, in CSS pixels. */
const A4 = { width: 688, height: 1017 };

export async function journey(browser) {
  const started = await contest(browser);
  const { page: admin } = started.admin;
  const { page, context, faults } = await openPage(browser);
  try {
    await admin.goto(`${started.origin}/desk`);
    await admin.waitForSelector('#publish');
    if (started.told.published_seq == null) await publish(admin);
    await page.goto(started.origin);
    await page.waitForSelector('.board');
    await page.locator('.team-button').first().click();
    await page.waitForSelector('.sheet');
    await page.locator('.sheet details').first().evaluate((files) => { files.open = true; });
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(A4);
    await fits(page);
    assert.ok(!await page.locator('.top').isVisible() && !await page.locator('.downloads').isVisible());
    const head = (await page.locator('.foot .on-paper').textContent()).trim();
    assert.match(head, /^[0-9a-f]{64}$/);
    assert.ok(await page.locator('.foot .on-paper').isVisible());
    assert.ok(await page.locator('.sheet .hashes .on-paper').first().isVisible());
    assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
    await cards(admin, started);
    return [...faults, ...started.admin.faults];
  } finally {
    await admin.emulateMedia({ media: null });
    await admin.setViewportSize({ width: 1280, height: 800 });
    await context.close();
  }
}

/** Makes links for all teams anew, so it comes after the journeys in which teams are logged in by older ones. */
async function cards(page, started) {
  await page.goto(`${started.origin}/desk/users`);
  await page.click('#cards');
  await page.waitForSelector('dialog#act[open]');
  await page.click('#confirm');
  await page.waitForSelector('#team-cards');
  assert.equal(await page.locator('.team-card .qr path').count(), started.told.teams.length);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(A4);
  await fits(page);
  assert.ok(!await page.locator('#add').isVisible());
}

async function fits(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= A4.width, `the page is ${wide} px wide on paper of ${A4.width} px`);
}
