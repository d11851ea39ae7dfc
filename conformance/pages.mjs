// Checks pages that mapjudge wrote: valid HTML, nothing loaded from a network, nothing wider than the screen, and no
// serious fault of accessibility.
//
//   node conformance/pages.mjs --modules FOLDER/node_modules --browser /usr/bin/chromium PAGE.html ..
//
// FOLDER has html-validate, axe-core and puppeteer-core from npm. Exit code 1 if a page has a fault.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const WIDTHS = [390, 1280];
const FLAGS = ["--modules", "--browser"];
const words = process.argv.slice(2);
const option = (name) => words[words.indexOf(name) + 1];
const pages = words.filter((word, at) => !FLAGS.includes(word) && !FLAGS.includes(words[at - 1]));
const require = createRequire(resolve(option("--modules"), "x.js"));
const { HtmlValidate } = require("html-validate");
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// What breaks a page for a reader; matters of taste such as inline styles are not checked.
const validator = new HtmlValidate({
  extends: ["html-validate:standard"],
  rules: {
    "doctype-style": "off",
    "long-title": "off",
    "no-inline-style": "off",
    "no-trailing-whitespace": "off",
    "require-sri": "off",
    "valid-id": "off",
    "attribute-boolean-style": "off",
    "no-implicit-button-type": "off",
    "tel-non-breaking": "off",
  },
});

const faults = [];
const browser = await puppeteer.launch({ executablePath: option("--browser"), args: ["--no-sandbox"] });
for (const page of pages) {
  const html = readFileSync(page, "utf8");
  const report = await validator.validateString(html);
  for (const message of report.results.flatMap((result) => result.messages)) {
    if (message.severity === 2) faults.push(`${page}:${message.line}: ${message.ruleId}: ${message.message}`);
  }
  const tab = await browser.newPage();
  // The pages forbid scripts of others by their policy, which the checker is one of.
  await tab.setBypassCSP(true);
  await tab.setRequestInterception(true);
  const address = pathToFileURL(resolve(page)).href;
  tab.on("request", (request) => {
    const url = request.url();
    if (url === address || url.startsWith("data:")) return request.continue();
    faults.push(`${page}: loads ${url}`);
    return request.abort();
  });
  for (const width of WIDTHS) {
    await tab.setViewport({ width, height: 900 });
    await tab.goto(address, { waitUntil: "load" });
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) faults.push(`${page}: ${wide} px wide on a screen of ${width} px`);
    await tab.evaluate(axe);
    const found = await tab.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    for (const fault of found.violations.filter(({ impact }) => impact === "serious" || impact === "critical")) {
      const places = fault.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ");
      faults.push(`${page} at ${width} px: ${fault.id}: ${fault.help} (${fault.nodes.length}): ${places}`);
    }
  }
  await tab.close();
}
await browser.close();
for (const fault of faults) console.error(fault);
console.log(`${pages.length} pages, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
