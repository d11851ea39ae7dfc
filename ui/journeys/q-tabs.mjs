// q) Eight tabs of one browser: they share one stream of events, all of them change, and requests still get through.

import assert from 'node:assert/strict';
import { openPage } from './browser.mjs';
import { api, contest } from './contest.mjs';
import { eventually } from './tools.mjs';

const TABS = 8;

export async function journey(browser) {
  const started = await contest(browser);
  const first = await openPage(browser);
  try {
    const tabs = [first.page];
    while (tabs.length < TABS) tabs.push(await first.context.newPage());
    for (const tab of tabs) {
      await tab.goto(started.origin);
      await tab.waitForSelector('.board, #empty');
    }
    const text = `Lunch is at ${Date.now()}`;
    await api(started.admin.page, 'POST', '/notices', { text });
    for (const [index, tab] of tabs.entries()) {
      assert.ok(await eventually(tab, async () => (await tab.locator('.notices').textContent().catch(() => '')).includes(text)), `tab ${index + 1} hears of it`);
    }
    for (const tab of tabs) assert.equal(await tab.evaluate(() => fetch('/api/v1/contest').then((answer) => answer.status)), 200);
    return first.faults;
  } finally {
    await first.context.close();
  }
}
