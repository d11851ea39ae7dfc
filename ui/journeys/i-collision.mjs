// i) Two judges enter the same value: the second is told what the first entered, and loses nothing.

import assert from 'node:assert/strict';
import { api, asJudge, contest, counted, select, WAIT_MS } from './contest.mjs';
import { eventually, noAxeFindings } from './tools.mjs';

export async function journey(browser) {
  const started = await contest(browser);
  const jo = await asJudge(browser, started, 'Jo');
  const grace = await asJudge(browser, started, 'Grace');
  try {
    const { id } = await counted(jo.page, started.told.teams[0].id);
    for (const { page } of [jo, grace]) {
      await select(page, id);
      await page.click('#enter');
      await page.waitForSelector('dialog[open] #value');
    }
    jo.expectStatus(412);
    const criterion = started.told.criteria.find(({ name }) => name !== undefined);
    const high = criterion.max ?? 1;
    await fill(grace.page, criterion.name, high, 'counted on the printed map');
    await grace.page.locator('dialog[open] button.main').click();
    await grace.page.waitForSelector('dialog#act:not([open])', { state: 'attached', timeout: WAIT_MS });
    await fill(jo.page, criterion.name, high - 1, 'the last room was not separated');
    await jo.page.locator('dialog[open] button.main').click();
    await jo.page.waitForSelector('#collision', { timeout: WAIT_MS });
    assert.match(await jo.page.locator('#collision').textContent(), /Grace|Somebody else/);
    assert.equal(await jo.page.locator('#value').inputValue(), String(high - 1));
    await noAxeFindings(jo.page);
    await jo.page.getByRole('button', { name: 'Enter mine over it' }).click();
    await jo.page.waitForSelector('dialog#act:not([open])', { state: 'attached', timeout: WAIT_MS });
    assert.ok(await eventually(jo.page, async () => {
      const { values } = await api(jo.page, 'GET', `/submissions/${id}`);
      return values.find(({ name }) => name === criterion.name)?.by === 'Jo';
    }));
    return [...jo.faults, ...grace.faults];
  } finally {
    await Promise.all([jo, grace].map(({ context }) => context.close()));
  }
}

async function fill(page, name, value, reason) {
  if (await page.locator('#criterion').inputValue() !== name) await page.selectOption('#criterion', name);
  await page.fill('#value', String(value));
  await page.fill('dialog[open] .reason', reason);
  await page.waitForSelector('dialog[open] button.main:not([disabled])');
}
