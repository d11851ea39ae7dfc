// A headless chromium whose pages are watched: console errors, broken security policy, axe findings.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** A machine that builds at the same time is slow; a journey that passes is not slower by this. */
const TIMEOUT_MS = 60_000;
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

export function openBrowser() {
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
}

/** A page with its faults; `options` are those of a browser context. */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected(page, message)) faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => void dialog.accept());
  await page.exposeFunction('policyBroken', (what) => faults.push(`policy: ${what}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      void window.policyBroken(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  return { page, context, faults, expectStatus: (status) => { page.expectedStatus = status; } };
}

/** Browsers log each refused request; a journey that provokes a refusal says which. */
function expected(page, message) {
  return page.expectedStatus !== undefined && message.text().includes(`status of ${page.expectedStatus}`);
}

/** Serious and critical findings of axe on the page as it is. */
export async function axeFindings(page) {
  // Sent through the debugger, which the page's policy does not concern.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, nodes }) => `axe ${impact}: ${id}: ${nodes.map((node) => node.target.join(' ')).join('; ')}`);
}
