// What the stand-ins for the program share: headers, refusals, the built page, bodies of requests.

import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = join(fileURLToPath(new URL('.', import.meta.url)), '..', 'dist');
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

export class Refused extends Error {
  constructor(status, title, detail, hint = null, more = {}) {
    super(title);
    this.body = { type: 'about:blank', title, status, detail, hint, ...more };
  }
}

export function notFound() {
  throw new Refused(404, 'Not found', 'There is nothing at this address.');
}

export async function bytesOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

export async function bodyOf(request) {
  const bytes = await bytesOf(request);
  return bytes.length ? JSON.parse(bytes.toString()) : {};
}

export async function answerPage(response, url) {
  const name = url.pathname.startsWith('/assets/') ? normalize(url.pathname) : '/index.html';
  const bytes = await readFile(join(DIST, name));
  response.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream' });
  response.end(bytes);
}

export function answerProblem(response, error) {
  const body = error instanceof Refused ? error.body : { type: 'about:blank', title: 'Mock error', status: 500, detail: String(error.stack ?? error) };
  if (!response.headersSent) response.writeHead(body.status, { 'Content-Type': 'application/problem+json' });
  response.end(JSON.stringify(body));
}
