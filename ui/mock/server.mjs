// A small stand-in for the program while the pages are developed: the same addresses, invented answers.
//
//   node mock/server.mjs [--port 8765] [--size 800]      then open http://127.0.0.1:8765/login#mock

import { createServer } from 'node:http';
import { OverlayMock } from './overlay.mjs';
import { ReviewMock } from './review.mjs';
import { answerPage, answerProblem, bodyOf, HEADERS, notFound, Refused } from './serving.mjs';
import { viewAnswer, viewValues } from './view.mjs';

const argument = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const overlay = new OverlayMock(Number(argument('size', '800')));
const review = new ReviewMock();
const streams = new Set();
const kind = argument('kind', 'overlay');
const start = { overlay: '/overlay/1', review: '/review/1', view: '/view' }[kind];

const ROUTES = [
  ['POST', /^\/login$/, ({ body }) => {
    if (body.code !== 'mock') throw new Refused(403, 'This link does not work', 'It was used before, or belongs to another start.', 'Start mapjudge again.');
    return { start };
  }],
  ['GET', /^\/desk$/, () => ({ ...overlay.desk(), kind, start, reviewer: kind === 'review' ? 'Ada' : null })],
  ['POST', /^\/finish$/, () => {
    end();
    return {};
  }],
  ['GET', /^\/legend$/, () => overlay.legend()],
  ['POST', /^\/submissions\/([^/]+)\/live$/, ({ id, body }) => overlay.live(id, body)],
  ['POST', /^\/submissions\/([^/]+)\/fit$/, ({ body }) => overlay.fit(body)],
  ['POST', /^\/submissions\/([^/]+)\/align$/, ({ id }) => overlay.align(id)],
  ['POST', /^\/submissions\/([^/]+)\/climb$/, ({ id, body }) => overlay.climb(id, body)],
  ['GET', /^\/submissions\/([^/]+)\/layers$/, ({ id }) => overlay.layers(id)],
  ['GET', /^\/submissions\/([^/]+)\/layers\/rooms$/, ({ id }) => overlay.rooms(id)],
  ['GET', /^\/submissions\/([^/]+)\/frame$/, ({ id, response }) => {
    response.setHeader('ETag', tagOf(id));
    return { file: overlay.frames.get(id) ?? null };
  }],
  ['PUT', /^\/submissions\/([^/]+)\/frame$/, ({ id, body, request, response }) => saveFrame(id, body, request, response)],
  ['POST', /^\/frame\/parse$/, ({ body }) => ({ pairs: [], warnings: [], ...JSON.parse(body.text) })],
  ['POST', /^\/points\/parse$/, ({ body }) => ({ pairs: parsePoints(body.text) })],
  ['POST', /^\/points\/format$/, ({ body }) => ({ text: body.pairs.map(({ map, truth }) => [...map, ...truth].join(',')).join('\n') })],
  ['GET', /^\/reviews\/1$/, () => review.review()],
  ['GET', /^\/reviews\/1\/next$/, ({ query }) => review.next((query.get('skip') ?? '').split(','), Number(query.get('count') ?? 4))],
  ['GET', /^\/reviews\/1\/list$/, ({ query }) => ({ rows: review.list(query.get('status')) })],
  ['GET', /^\/reviews\/1\/relations\/([^/]+)$/, ({ id }) => review.relation(id) ?? notFound()],
  ['POST', /^\/reviews\/1\/evaluate$/, ({ body }) => review.evaluate(body.id, body.delta)],
  ['POST', /^\/reviews\/1\/fit$/, ({ body }) => review.fit(body)],
  ['POST', /^\/reviews\/1\/refine$/, ({ body }) => {
    const refined = review.refine(body);
    if (!refined) throw new Refused(422, 'The scans do not match here', 'Too far from any match.', 'Move scan 2 closer first.');
    return refined;
  }],
  ['POST', /^\/reviews\/1\/verdicts$/, ({ body }) => {
    const decided = review.decide(body);
    if (!decided) throw new Refused(412, 'Decided meanwhile', 'Another reviewer wrote a line for this relation.');
    tell('review', {});
    return decided;
  }],
  ['GET', /^\/view$/, () => viewAnswer(overlay)],
  ['GET', /^\/view\/values$/, ({ query }) => viewValues(Number(query.get('x')), Number(query.get('y')))],
];

function tagOf(id) {
  return `"${overlay.frames.get(id)?.count ?? 0}"`;
}

function saveFrame(id, body, request, response) {
  if (request.headers['if-match'] !== tagOf(id)) throw new Refused(412, 'Saved meanwhile', 'Another tab saved a transform.');
  if (!body.by) throw new Refused(422, 'The name is missing', 'Say who saves the transform.');
  if (body.reason.length < 10) throw new Refused(422, 'A reason is needed', 'The automatic alignment is certain and this transform leaves it; the reason needs 10 characters.');
  overlay.frames.set(id, { ...body, count: (overlay.frames.get(id)?.count ?? 0) + 1 });
  response.setHeader('ETag', tagOf(id));
  tell('frame', { id });
  return { saved_to: 'frame.json', file: body, findings: [] };
}

function parsePoints(text) {
  const rows = text.trim().split('\n').map((line) => line.split(',').map(Number));
  if (rows.some((row) => row.length !== 4 || row.some(Number.isNaN))) throw new Refused(422, 'The points cannot be read', 'Each line needs four numbers.');
  return rows.map(([a, b, c, d]) => ({ map: [a, b], truth: [c, d], on: true }));
}

function tell(name, data) {
  for (const stream of streams) stream.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

async function answerApi(request, response, url) {
  const path = url.pathname.slice('/api/v1'.length);
  if (path === '/events') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': open\n\n');
    streams.add(response);
    request.on('close', () => streams.delete(response));
    return;
  }
  const tile = /^\/submissions\/([^/]+)\/planes\/(truth|map)\/(\d+)\/(\d+)\/(\d+)\.png$/.exec(path);
  const difference = /^\/submissions\/([^/]+)\/difference\.png$/.exec(path);
  if (tile || difference) {
    const png = tile ? overlay.tile(tile[1], tile[2], Number(tile[3]), Number(tile[4]), Number(tile[5]), url.searchParams.get('ink')) : overlay.difference(difference[1], url.searchParams);
    if (!png) notFound();
    response.writeHead(200, { 'Content-Type': 'image/png', 'Cache-Control': tile ? 'private, immutable, max-age=3600' : 'no-store' });
    response.end(png);
    return;
  }
  if (path === '/reviews/1/export') {
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="relations.txt"' });
    response.end(review.export());
    return;
  }
  for (const [method, pattern, answer] of ROUTES) {
    const match = pattern.exec(path);
    if (!match || method !== request.method) continue;
    const body = method === 'GET' ? {} : await bodyOf(request);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(answer({ id: match[1] && decodeURIComponent(match[1]), body, query: url.searchParams, request, response })));
    return;
  }
  notFound();
}

const server = createServer((request, response) => {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const url = new URL(request.url, 'http://127.0.0.1');
  const work = url.pathname.startsWith('/api/v1/') ? answerApi(request, response, url) : answerPage(response, url);
  work.catch((error) => answerProblem(response, error));
});

server.listen(Number(argument('port', '8765')), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/login#mock\n`);
});

function end() {
  tell('ending', {});
  setTimeout(() => process.exit(0), 150);
}

process.on('SIGTERM', end);
