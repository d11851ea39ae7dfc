// k) A phone of 360 px, in the dark: nothing sticks out of any page of a contest, and a team can hand in.

import assert from 'node:assert/strict';
import { asJudge, asTeam, contest, counted } from './contest.mjs';
import { noAxeFindings } from './tools.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: 'dark' };

export async function journey(browser) {
  const started = await contest(browser);
  const crew = await asTeam(browser, started, 0, PHONE);
  const judge = await asJudge(browser, started, 'Jo', PHONE);
  try {
    await looksRight(crew.page, `${started.origin}/team`, '#upload');
    await crew.page.setInputFiles('#files', [{ name: 'nav.tif', mimeType: 'image/tiff', buffer: Buffer.from('x') }]);
    assert.ok(await crew.page.locator('#send').isEnabled());
    const { id } = await counted(judge.page, started.told.teams[0].id);
    await looksRight(crew.page, `${started.origin}/`, '.board, #empty');
    await looksRight(judge.page, `${started.origin}/desk#${id}`, '#parts');
    await fits(judge.page, `${started.origin}/desk/values`, '.values-grid, .empty');
    await fits(judge.page, `${started.origin}/submission/${id}`, '#findings');
    await fits(judge.page, `${started.origin}/audit`, '.audit');
    await started.admin.page.setViewportSize({ width: 360, height: 740 });
    await fits(started.admin.page, `${started.origin}/desk/users`, '#add');
    return [...crew.faults, ...judge.faults, ...started.admin.faults];
  } finally {
    await started.admin.page.setViewportSize({ width: 1280, height: 800 });
    await Promise.all([crew, judge].map(({ context }) => context.close()));
  }
}

async function looksRight(page, address, ready) {
  await fits(page, address, ready);
  await noAxeFindings(page);
}

async function fits(page, address, ready) {
  await page.goto(address);
  await page.waitForSelector(ready);
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(widths[0] <= widths[1], `${address} is ${widths[0]} px wide on ${widths[1]} px`);
}
