// b) A judge answers, enters a value, verifies and publishes; the open page of a viewer changes by itself.

import assert from 'node:assert/strict';
import { openPage } from './browser.mjs';
import { api, asJudge, asTeam, board, contest, counted, goodFiles, handIn, publish, select, WAIT_MS } from './contest.mjs';
import { eventually, figure, noAxeFindings } from './tools.mjs';

export async function journey(browser) {
  const started = await contest(browser);
  const team = started.told.teams[1];
  const crew = await asTeam(browser, started, 1);
  const judge = await asJudge(browser, started);
  const viewer = await openPage(browser);
  try {
    await handIn(crew.page, await goodFiles(started, 1));
    await crew.page.locator('.thread textarea').fill('Which cells count as searched?');
    await crew.page.locator('.thread').getByRole('button', { name: 'Send' }).click();
    await crew.page.waitForFunction(() => document.querySelector('.notes')?.textContent.includes('Which cells'), null, { timeout: WAIT_MS });
    await viewer.page.goto(started.origin);
    await viewer.page.waitForSelector('.board, #empty');
    const before = await board(viewer.page);
    const { page } = judge;
    const { id } = await counted(page, team.id);
    await select(page, id);
    await answers(page);
    if (started.told.criteria.length > 0) await enters(page, started, id);
    await page.waitForSelector('#verify:not([disabled])', { timeout: WAIT_MS });
    await noAxeFindings(page);
    await figure(page, 'serve-desk');
    await page.click('#verify');
    await page.waitForSelector('#verify[disabled]');
    await publishedDifference(page);
    await publish(page, 'after the second run');
    assert.ok(await eventually(viewer.page, async () => (await board(viewer.page)) !== before), 'the page of the viewer changed');
    assert.ok(await viewer.page.locator(`.board [data-team="${team.name}"]`).isVisible());
    await sheet(viewer.page, team.name);
    await crew.page.goto(started.origin + '/team');
    assert.ok(await eventually(crew.page, async () => /Published\s*\d\d:\d\d/.test(await crew.page.locator('.latest .steps').textContent())));
    return [...judge.faults, ...viewer.faults, ...crew.faults];
  } finally {
    await Promise.all([crew, judge, viewer].map(({ context }) => context.close()));
  }
}

async function answers(page) {
  assert.match(await page.locator('.notes').textContent(), /Which cells/);
  assert.ok(await page.locator('.detail-chips [data-chip="question"]').isVisible());
  await page.fill('.thread textarea', 'Those within 1.5 m of the path.');
  await page.locator('.thread').getByRole('button', { name: 'Send' }).click();
  await page.waitForSelector('.detail-chips [data-chip="question"]', { state: 'detached', timeout: WAIT_MS });
}

/** Score and ranks before and after are shown before anything is saved. */
async function enters(page, started, id) {
  const before = await api(page, 'GET', `/submissions/${id}`);
  await page.click('#enter');
  await page.waitForSelector('dialog[open] #value');
  const name = await page.locator('#criterion').inputValue();
  const old = before.values.find((value) => value.name === name)?.value;
  const value = old === 1 ? 0 : 1;
  await page.fill('#value', String(value));
  await page.waitForSelector('#preview .preview-score', { timeout: WAIT_MS });
  await page.fill('dialog[open] .reason', 'too short');
  assert.ok(await page.locator('dialog[open] button.main').isDisabled());
  await page.fill('dialog[open] .reason', 'seen on the printed map');
  await noAxeFindings(page);
  await page.locator('dialog[open] button.main').click();
  await page.waitForSelector('dialog#act:not([open])', { state: 'attached', timeout: WAIT_MS });
  assert.ok(await eventually(page, async () => (await page.locator('#parts').textContent()).includes('seen on the printed map')));
}

async function publishedDifference(page) {
  await page.keyboard.press('p');
  await page.waitForSelector('#difference', { timeout: WAIT_MS });
  await noAxeFindings(page);
  await figure(page, 'serve-publish');
  await page.keyboard.press('Escape');
}

async function sheet(page, team) {
  const row = page.locator(`.board [data-team="${team}"]`);
  await row.getByRole('button').click();
  await page.waitForSelector('.sheet');
  assert.ok((await page.locator('.sheet .formula').first().textContent()).length > 5);
  await noAxeFindings(page);
  await row.getByRole('button').click();
  await page.waitForSelector('.sheet', { state: 'detached' });
  await figure(page, 'serve-scoreboard');
}
