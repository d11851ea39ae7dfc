// Milliseconds from a verdict by key to the next pair of scans drawn, and verdicts a minute.
//
//   node journeys/verdict-rate.mjs [COUNT]

import { openBrowser } from './browser.mjs';
import { enter } from './tools.mjs';

const count = Number(process.argv[2] ?? 100);
const browser = await openBrowser();
const { page, program } = await enter(browser, 'review');
try {
  await page.waitForSelector('#match');
  await page.waitForTimeout(1000);
  const times = await page.evaluate(async (verdicts) => {
    const pane = document.querySelector('map-pane');
    const shown = () => document.querySelector('#relation')?.textContent;
    const milliseconds = [];
    for (let verdict = 0; verdict < verdicts && !document.querySelector('#done'); verdict += 1) {
      const [before, frames, started] = [shown(), pane.framesDrawn, performance.now()];
      window.dispatchEvent(new KeyboardEvent('keydown', { key: verdict % 3 === 2 ? 'x' : 'a' }));
      while (!document.querySelector('#done') && (shown() === before || pane.framesDrawn === frames)) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      milliseconds.push(performance.now() - started);
    }
    return milliseconds;
  }, count);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(0);
  const total = times.reduce((sum, time) => sum + time, 0);
  process.stdout.write(`${times.length} verdicts: median ${at(0.5)} ms, p95 ${at(0.95)} ms, ${(total / 1000).toFixed(1)} s in all\n`);
} finally {
  await browser.close();
  await program.stop();
}
