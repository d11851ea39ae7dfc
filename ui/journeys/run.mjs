// Walks through the pages in a headless browser: one line per journey, exit code 1 on a fault.
//
//   node journeys/run.mjs [LETTER|NAME..]        against the mock server
//   MAPJUDGE=path/to/mapjudge node journeys/run.mjs      against the program; after each journey through a contest its
//                                           rankings (of judges and public) are computed anew from the export, and
//                                           compared byte for byte
//   MAPJUDGE=.. DATABASE=postgres .. a b c d  the contest on a PostgreSQL server of their own
//   FIGURES=1 ..                            also writes the images of the documentation

import { openBrowser } from './browser.mjs';
import { endContest, sameBytes } from './contest.mjs';

const JOURNEYS = [
  'a-hand-in', 'b-publish', 'c-freeze', 'd-rejudge', 'e-hand-frame', 'e-overlay', 'f-looking', 'g-compare', 'h-review', 'i-collision',
  'j-connection', 'k-contest-phone', 'k-phone', 'l-print', 'm-contest-keyboard', 'm-keyboard', 'n-life', 'o-first-contact', 'p-strangers',
  'q-tabs',
];
const wanted = process.argv.slice(2);
const browser = await openBrowser();
let failed = 0;
const began = Date.now();
for (const name of JOURNEYS.filter((journey) => wanted.length === 0 || wanted.includes(journey[0]) || wanted.includes(journey))) {
  const { journey } = await import(`./${name}.mjs`);
  const started = Date.now();
  const walk = async () => [...await journey(browser), ...await sameBytes()];
  const tried = () => walk().catch((error) => [error.stack ?? String(error)]);
  let faults = await tried();
  if (faults.length > 0) {
    // A machine that stood still for a moment breaks a journey; a defect breaks it again.
    process.stdout.write(`again ${name}: ${faults[0].split('\n')[0]}\n`);
    faults = await tried();
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name} ${seconds} s\n`);
  for (const fault of faults) process.stdout.write(`     ${fault}\n`);
  failed += faults.length === 0 ? 0 : 1;
}
await endContest();
await browser.close();
process.stdout.write(`${failed === 0 ? 'all journeys passed' : `${failed} journeys failed`} in ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
process.exit(failed === 0 ? 0 : 1);
