// A small stand-in for `mapjudge serve`: the addresses of the contract, an invented contest, people of every role.
//
//   node mock/contest.mjs [--port 8766]      prints one link per person; open one

import { createServer } from 'node:http';
import { randomBytes } from 'node:crypto';
import { ContestState, sha } from './contest-state.mjs';
import { contestRoutes } from './contest-routes.mjs';
import { partsOf } from './multipart.mjs';
import { OverlayMock } from './overlay.mjs';
import { answerPage, answerProblem, bodyOf, bytesOf, HEADERS, notFound, Refused } from './serving.mjs';

const argument = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const state = new ContestState();
const overlay = new OverlayMock(Number(argument('size', '800')));
const routes = contestRoutes(state, overlay);
const sessions = new Map();
const streams = new Map();
const idempotent = new Map();
const STRANGER = { name: null, role: null, team: null };

state.told = (name, data, team = null) => {
  for (const [stream, me] of streams) {
    const isJudge = ['judge', 'admin'].includes(me.role);
    if (!isJudge && !['ranking', 'notice'].includes(name) && (me.role !== 'team' || me.team !== team)) continue;
    stream.write(`id: ${state.events.length}\nevent: ${name}\ndata: ${JSON.stringify({ seq: state.events.length, ...data })}\n\n`);
  }
};

function personOf(request) {
  const token = /mapjudge=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
  const person = state.people.get(sessions.get(token));
  return person && !person.revoked ? person : STRANGER;
}

function login(body, response) {
  const name = state.keys.get(body.code);
  if (!name) throw new Refused(403, 'This link does not work', 'It was used before, is too old, or belongs to another contest.', 'Ask the organisers for a new link.');
  state.keys.delete(body.code);
  const token = randomBytes(16).toString('hex');
  sessions.set(token, name);
  state.people.get(name).seen_at = state.at(0);
  state.people.get(name).has_code = false;
  state.event(name, 'logged_in', name, {});
  response.writeHead(204, { 'Set-Cookie': `mapjudge=${token}; HttpOnly; SameSite=Strict; Path=/` });
  response.end();
}

async function upload(request, me) {
  const parts = partsOf(await bytesOf(request), request.headers['content-type']);
  const field = (name) => parts.find((part) => part.name === name)?.bytes.toString();
  const repeated = idempotent.get(request.headers['idempotency-key']);
  if (repeated) return repeated;
  const team = me.role === 'team' ? me.team : field('team');
  if (!team || !state.missions.some(({ id }) => id === field('mission'))) throw new Refused(422, 'The mission is missing', 'Say for which mission and team the files are.');
  const kept = field('keep') ? state.submission(field('keep')).files : [];
  const sent = parts.filter(({ name }) => name === 'file');
  const files = [...sent.map(({ filename, bytes }) => ({ name: filename, bytes: bytes.length, blake3: sha(bytes) })), ...kept.filter(({ name }) => !sent.some(({ filename }) => filename === name))];
  const map = sent.find(({ filename }) => filename === 'nav.tif');
  const broken = map ? !map.bytes.subarray(0, 2).equals(Buffer.from('II')) : !files.some(({ name }) => name === 'nav.tif');
  const made = state.receive(me.name, team, field('mission'), files, { quality: 0.5 + (parseInt(sha(files[0].blake3).slice(0, 4), 16) % 450) / 1000, broken });
  state.told('submission', { kind: 'submission_received', subject: made.id }, team);
  state.start(made);
  const answer = { id: made.id, number: made.number, team, mission: made.mission, files, receipt: made.receipt, late: made.late };
  if (request.headers['idempotency-key']) idempotent.set(request.headers['idempotency-key'], answer);
  return answer;
}

function stream(request, response, me) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(': open\n\n');
  streams.set(response, me);
  request.on('close', () => streams.delete(response));
}

/** Answers of the overlay for the first map of its stand-in, whatever the submission. */
async function answerOverlay(request, response, url, id, rest) {
  const index = String((state.submissions.indexOf(state.submission(id)) % 3) + 1);
  const tile = /^planes\/(truth|map)\/(\d+)\/(\d+)\/(\d+)\.png$/.exec(rest);
  if (tile || rest === 'difference.png') {
    const png = tile ? overlay.tile(index, tile[1], Number(tile[2]), Number(tile[3]), Number(tile[4]), url.searchParams.get('ink')) : overlay.difference(index, url.searchParams);
    response.writeHead(200, { 'Content-Type': 'image/png' });
    response.end(png);
    return true;
  }
  const made = state.submission(id);
  const answers = {
    'POST live': (body) => overlay.live(index, body), 'POST fit': (body) => overlay.fit(body), 'POST align': () => overlay.align(index), 'POST climb': (body) => overlay.climb(index, body),
    'GET layers': () => overlay.layers(index), 'GET layers/rooms': () => overlay.rooms(index),
    'GET frame': () => ({ file: made.frame }),
    'PUT frame': (body) => {
      made.frame = { method: 'manual', verdict: 'certain', by: personOf(request).name, reason: body.reason, of_older_map: false };
      state.event(personOf(request).name, 'frame_saved', id, {});
      state.told('decision', { kind: 'frame_saved', subject: id }, made.team);
      return { saved_to: 'the contest', findings: [] };
    },
  };
  const answer = answers[`${request.method} ${rest}`];
  if (!answer) return false;
  if (rest === 'frame') response.setHeader('ETag', '"1"');
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(answer(request.method === 'GET' ? {} : await bodyOf(request))));
  return true;
}

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 160"><rect width="240" height="160" fill="#fff"/><g fill="none" stroke="#0b57d0" stroke-width="3"><path d="M12 12h216v136H12zM92 12v56M92 100v48M164 12v80M12 88h50M164 124h64"/></g><g fill="none" stroke="#d0690b" stroke-width="2"><path d="M14 15h213v135H13zM95 14v55M94 101v47M166 15v79M13 91h50M166 126h62"/></g></svg>`;

async function answerApi(request, response, url) {
  const path = url.pathname.slice('/api/v1'.length);
  const me = personOf(request);
  if (path === '/events') return stream(request, response, me);
  if (path === '/login') return login(await bodyOf(request), response);
  if (path === '/logout') {
    response.writeHead(204, { 'Set-Cookie': 'mapjudge=; Path=/; Max-Age=0' });
    return response.end();
  }
  if (path === '/legend') return send(response, overlay.legend());
  if (path === '/submissions' && request.method === 'POST') {
    if (!['team', 'judge', 'admin'].includes(me.role)) throw new Refused(401, 'Not logged in', 'Log in to hand in files.');
    return send(response, await upload(request, me), 201);
  }
  if (/^\/submissions\/[^/]+\/pictures\//.test(path)) {
    response.writeHead(200, { 'Content-Type': 'image/svg+xml' });
    return response.end(PICTURE);
  }
  const part = /^\/submissions\/([^/]+)\/(live|fit|align|climb|layers|layers\/rooms|frame|difference\.png|planes\/.+)$/.exec(path);
  if (part && await answerOverlay(request, response, url, decodeURIComponent(part[1]), part[2])) return undefined;
  for (const [roles, method, pattern, answer] of routes) {
    const match = pattern.exec(path);
    if (!match || method !== request.method) continue;
    if (roles && !me.role) throw new Refused(401, 'Not logged in', 'This page needs a log-in.', 'Open your link.');
    if (roles && !roles.includes(me.role)) throw new Refused(403, 'Not allowed', 'Your role does not see this.');
    const body = method === 'GET' ? {} : await bodyOf(request);
    const [id, name] = match.slice(1).map((text) => text && decodeURIComponent(text));
    return send(response, answer({ id, name, body, me, query: url.searchParams, request, response, origin: `http://${request.headers.host}` }));
  }
  return notFound();
}

function send(response, value, status = 200) {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(value));
}

const server = createServer((request, response) => {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const url = new URL(request.url, 'http://127.0.0.1');
  const work = url.pathname.startsWith('/api/v1/') ? answerApi(request, response, url) : answerPage(response, url);
  work.catch((error) => answerProblem(response, error));
});

server.listen(Number(argument('port', '8766')), '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  process.stdout.write(`${origin}/login#${state.code('Ada Admin')}\n`);
  for (const name of state.people.keys()) process.stdout.write(`# ${name}: ${origin}/login#${state.code(name)}\n`);
});

process.on('SIGTERM', () => process.exit(0));
