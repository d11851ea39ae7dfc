// i) Two judges enter the same value, in the dialog and in the grid: the second is told what the first entered, and loses nothing.

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
    const high = 1;
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
    await inTheGrid(jo, grace, started, id);
    return [...jo.faults, ...grace.faults];
  } finally {
    await Promise.all([jo, grace].map(({ context }) => context.close()));
  }
}

/** One types while the other saves; what is typed waits for a decision. */
async function inTheGrid(jo, grace, started, id) {
  const { page } = jo;
  const row = started.told.teams[0].name;
  await page.goto(`${started.origin}/desk/values`);
  const field = page.getByRole('textbox', { name: row }).first();
  await field.waitFor();
  const old = Number(await field.inputValue());
  await field.fill(String(old + 2));
  const { name } = started.told.criteria[0];
  await api(grace.page, 'PUT', `/submissions/${id}/values/${name}`, { value: old + 1, reason: 'counted once more by hand' });
  await page.waitForSelector('.collision', { timeout: WAIT_MS });
  assert.match(await page.locator('.collision').textContent(), /Grace/);
  assert.equal(await field.inputValue(), String(old + 2), 'what was typed stays');
  await page.fill('.save-bar textarea', 'the second look at the map');
  assert.ok(await page.locator('#save').isDisabled(), 'nothing goes over it unseen');
  await noAxeFindings(page);
  await page.getByRole('button', { name: 'Keep theirs' }).click();
  assert.equal(await field.inputValue(), String(old + 1));
  assert.equal(await page.locator('.collision').count(), 0);
}

async function fill(page, name, value, reason) {
  if (await page.locator('#criterion').inputValue() !== name) await page.selectOption('#criterion', name);
  await page.fill('#value', String(value));
  await page.fill('dialog[open] .reason', reason);
  await page.waitForSelector('dialog[open] button.main:not([disabled])');
}
