// The addresses of a contest, answered from memory. Each route: who may, method, address, answer.

import { notFound, Refused } from './serving.mjs';

const JUDGES = ['judge', 'admin'];
const TEAMS_TOO = ['team', ...JUDGES];
const ALL = null;
const MIN_REASON = 10;

function reasoned(body) {
  if ((body.reason ?? '').trim().length < MIN_REASON) throw new Refused(422, 'A reason is needed', 'The reason needs at least 10 characters.', 'Say what you saw.');
}

function own(one, me) {
  if (me.role === 'team' && one.team !== me.team) notFound();
  return one;
}

export function contestRoutes(state, overlay) {
  const one = ({ id, me }) => own(state.submission(id), me);
  const detail = (found, me) => state.detail(found, me.role === 'team');
  const fresh = (found, tag) => {
    if (tag !== undefined && tag !== `"${found.version}"`) return false;
    return true;
  };
  const acted = (me, found, kind, body = {}) => {
    found.version += 1;
    state.event(me.name, kind, found.id, body);
    state.told('decision', { kind, subject: found.id }, found.team);
  };

  const putValue = ({ id, name, body, me, request }) => {
    const found = state.submission(id);
    const theirs = found.values.find((value) => value.name === name);
    if (!fresh(found, request.headers['if-match'])) {
      throw new Refused(412, 'Changed meanwhile', 'Somebody else changed this submission after you opened it.', null, { value: theirs ?? null, etag: `"${found.version}"` });
    }
    reasoned(body);
    const criterion = state.contest().criteria.find((known) => known.name === name) ?? notFound();
    if (typeof body.value !== 'number') throw new Refused(422, 'This cannot be done', 'expected a finite number');
    found.values = [...found.values.filter((value) => value.name !== name), state.value(name, body.value, me.name, body.reason)];
    acted(me, found, 'value_entered', { name, value: body.value });
    return detail(found, me);
  };

  const routes = [
    [ALL, 'GET', /^\/contest$/, ({ me }) => state.contest(JUDGES.includes(me.role))],
    [ALL, 'GET', /^\/me$/, ({ me }) => ({ name: me.name, role: me.role, team: me.team, permissions: [] })],
    [ALL, 'GET', /^\/ranking$/, ({ query, me, response }) => {
      const of = query.get('of') ?? 'public';
      if (of !== 'public' && !JUDGES.includes(me.role)) throw new Refused(403, 'Not allowed', 'Only judges see drafts.');
      const shown = of === 'public' ? state.public() : { seq: 0, text: JSON.stringify(state.ranking()) };
      if (!shown) throw new Refused(404, 'Nothing published yet', 'The judges have not published a ranking.', null, { code: 'NOTHING_PUBLISHED' });
      response.setHeader('X-Ranking-Seq', String(shown.seq));
      return JSON.parse(shown.text);
    }],
    [ALL, 'GET', /^\/ranking\/maps$/, ({ me }) => ({
      items: JUDGES.includes(me.role) ? state.submissions.filter((made) => state.counted(made.team, made.mission) === made && !made.broken).map((made) => ({ id: made.id, team: state.summary(made).team_name, mission: made.mission, pictures: [] })) : [],
    })],
    [ALL, 'GET', /^\/publications$/, () => ({ items: state.publications })],
    [JUDGES, 'GET', /^\/publications\/draft$/, () => state.draft()],
    [JUDGES, 'POST', /^\/publications$/, ({ body, me }) => {
      if (state.frozen) throw new Refused(409, 'Nothing is published', 'The public ranking is frozen.', 'An administrator lifts the freeze.');
      if (state.queue().some((made) => state.counted(made.team, made.mission) === made && state.attention(made).includes('to_verify'))) {
        throw new Refused(409, 'Nothing is published', 'Submissions that count are not verified.', 'Verify them.');
      }
      const made = state.publish(state.rank(), me.name, body.note ?? null);
      state.told('ranking', { kind: 'published', subject: String(made.ranking) });
      return made;
    }],
    [TEAMS_TOO, 'GET', /^\/submissions$/, ({ query, me }) => ({
      items: state.submissions.filter((made) => (me.role !== 'team' || made.team === me.team) && (!query.get('team') || made.team === query.get('team')) && (!query.get('mission') || made.mission === query.get('mission')))
        .map((made) => ({ ...state.summary(made), ...(me.role === 'team' ? { score: null, attention: [] } : {}) })).reverse(),
    })],
    [TEAMS_TOO, 'GET', /^\/submissions\/([^/]+)$/, (asked) => detail(one(asked), asked.me)],
    [JUDGES, 'GET', /^\/queue$/, () => ({ items: state.queue().map((made) => state.summary(made)), waiting: state.submissions.filter(({ state: at }) => ['received', 'checked'].includes(at)).length })],
    [JUDGES, 'PUT', /^\/submissions\/([^/]+)\/values\/([^/]+)$/, putValue],
    [JUDGES, 'DELETE', /^\/submissions\/([^/]+)\/values\/([^/]+)$/, ({ id, name, body, me }) => {
      reasoned(body);
      const found = state.submission(id);
      found.values = found.values.filter((value) => value.name !== name);
      acted(me, found, 'value_removed', { name });
      return detail(found, me);
    }],
    [JUDGES, 'POST', /^\/submissions\/([^/]+)\/values\/([^/]+)\/preview$/, ({ id, name, body, me }) => {
      const found = state.submission(id);
      const before = state.ranking();
      const values = [...found.values.filter((value) => value.name !== name), state.value(name, body.value, me.name, '')];
      const after = state.ranking({ id, values });
      const rank = (ranking, team) => ranking.ranking.find((entry) => entry.team === team).rank;
      return { score: { before: state.scoreOf(found), after: state.scoreOf(found, values) },
        ranks: before.ranking.map(({ team }) => ({ team, before: rank(before, team), after: rank(after, team) })).filter((row) => row.before !== row.after) };
    }],
    [JUDGES, 'GET', /^\/values$/, () => ({ criteria: state.contest().criteria, rows: state.teams.map((team) => {
      const counted = state.counted(team.id, 'final');
      return { team: team.name, submission: counted?.id ?? null, cells: Object.fromEntries(state.contest().criteria.map(({ name }) => {
        const value = counted?.values.find((candidate) => candidate.name === name);
        return [name, { value: value?.value ?? null, own: value?.value ?? null, opinions: value ? 1 : 0, by: value?.by ?? null, reason: value?.reason ?? null, version: value?.seq ?? 0 }];
      })) };
    }) })],
    [JUDGES, 'PUT', /^\/values$/, ({ body, me, request }) => {
      for (const cell of body.cells) putValue({ id: cell.submission, name: cell.name, body: cell, me, request: { headers: { ...request.headers, 'if-match': undefined } } });
      return { saved: body.cells.length };
    }],
    [JUDGES, 'PUT', /^\/submissions\/([^/]+)\/verification$/, ({ id, me, request }) => {
      const found = state.submission(id);
      if (!fresh(found, request.headers['if-match'])) throw new Refused(412, 'Changed meanwhile', 'Somebody else changed this submission after you opened it.', null, { etag: `"${found.version}"` });
      state.verify(found, me.name);
      state.told('decision', { kind: 'verified', subject: id }, found.team);
      return detail(found, me);
    }],
    [JUDGES, 'DELETE', /^\/submissions\/([^/]+)\/verification$/, ({ id, body, me }) => {
      reasoned(body);
      const found = state.submission(id);
      found.state = 'measured';
      delete found.times.verified;
      acted(me, found, 'unverified', body);
      return detail(found, me);
    }],
    [JUDGES, 'PUT', /^\/submissions\/([^/]+)\/counts$/, ({ id, body, me }) => {
      reasoned(body);
      const found = state.submission(id);
      for (const other of state.submissions) if (other.team === found.team && other.mission === found.mission) other.chosen = other === found;
      acted(me, found, 'counts_chosen', body);
      return detail(found, me);
    }],
    [JUDGES, 'DELETE', /^\/submissions\/([^/]+)\/counts$/, ({ id, body, me }) => {
      reasoned(body);
      const found = state.submission(id);
      found.chosen = false;
      acted(me, found, 'counts_released');
      return detail(found, me);
    }],
    [TEAMS_TOO, 'GET', /^\/submissions\/([^/]+)\/notes$/, (asked) => ({ items: one(asked).notes })],
    [TEAMS_TOO, 'POST', /^\/submissions\/([^/]+)\/notes$/, (asked) => {
      const found = one(asked);
      const { me, body } = asked;
      const note = { id: found.notes.length + 1, at: state.at(0), by: me.name, role: me.role, kind: body.kind, text: body.text };
      found.notes.push(note);
      acted(me, found, 'note_added', { kind: body.kind });
      return note;
    }],
    [JUDGES, 'GET', /^\/rejudgings$/, () => ({ items: state.rejudgings })],
    [JUDGES, 'POST', /^\/rejudgings$/, ({ body, me }) => {
      reasoned(body);
      const made = { id: `r${state.rejudgings.length + 1}`, state: 'running', difference: null, reason: body.reason, by: me.name, at: state.at(0), of: body.submissions };
      state.rejudgings.push(made);
      state.event(me.name, 'rejudging_made', made.id, { reason: body.reason });
      setTimeout(() => {
        const before = state.ranking();
        const after = structuredClone(before);
        [after.ranking[1], after.ranking[2]] = [after.ranking[2], after.ranking[1]];
        after.ranking[1].score += 4.5;
        after.ranking.forEach((entry, index) => { entry.rank = index + 1; });
        made.difference = state.difference(before, after, state.rankings.length + 1, (team, isOwn) => [isOwn ? 'measured by version 0.0.1 of the program' : 'the scores of other teams']);
        made.state = 'ready';
        state.told('job', { kind: 'rejudging', subject: made.id });
      }, state.stepMs);
      return made;
    }],
    [JUDGES, 'GET', /^\/rejudgings\/([^/]+)$/, ({ id }) => state.rejudgings.find((made) => made.id === id) ?? notFound()],
    [JUDGES, 'POST', /^\/rejudgings\/([^/]+)\/(apply|drop)$/, ({ id, name, me }) => {
      const made = state.rejudgings.find((candidate) => candidate.id === id) ?? notFound();
      if (made.state !== 'ready') throw new Refused(409, 'Decided already', `This rejudging is ${made.state}.`);
      made.state = name === 'apply' ? 'applied' : 'dropped';
      state.event(me.name, `rejudging_${made.state}`, id, {});
      state.told('decision', { kind: `rejudging_${made.state}`, subject: id });
      return made;
    }],
    [['admin'], 'PUT', /^\/freeze$/, ({ body, me }) => {
      state.frozen = body.frozen;
      state.frozenSince = body.frozen ? state.at(0) : null;
      state.frozenAt = { publication: state.publications.at(-1), head: state.events.at(-1) };
      state.event(me.name, body.frozen ? 'frozen' : 'unfrozen', 'contest', {});
      state.told('ranking', { kind: body.frozen ? 'frozen' : 'unfrozen', subject: 'contest' });
      return state.contest();
    }],
    [JUDGES, 'GET', /^\/audit$/, ({ query }) => ({ items: state.events.filter(({ seq }) => seq > Number(query.get('after') ?? 0)).slice(0, Number(query.get('limit') ?? 100)), head: state.contest().head })],
    [JUDGES, 'GET', /^\/jobs$/, () => ({ items: state.submissions.filter(({ state: at }) => ['received', 'checked'].includes(at)).map(({ id }) => ({ id: `measure-${id}`, kind: 'measure', subject: id, state: 'running', attempts: 1, leased_by: 'worker 1', error: null })),
      workers: [{ name: 'worker 1', version: '0.0.0', busy: false, seen_at: state.at(0) }] })],
    [['admin'], 'GET', /^\/users$/, () => ({ items: [...state.people.values()] })],
    [['admin'], 'POST', /^\/users$/, ({ body, origin }) => {
      if (state.people.has(body.name)) throw new Refused(409, 'There is such a person', `${body.name} is known already.`, 'Make a new link instead.');
      return { name: body.name, link: `${origin}/login#${state.person(body.name, body.role, body.team ?? null)}` };
    }],
    [['admin'], 'POST', /^\/users\/([^/]+)\/code$/, ({ id, origin }) => ({ link: `${origin}/login#${state.code(id)}` })],
    [['admin'], 'POST', /^\/users\/([^/]+)\/token$/, ({ id }) => ({ name: id, token: state.code(id) })],
    [['admin'], 'DELETE', /^\/users\/([^/]+)$/, ({ id, me }) => {
      (state.people.get(id) ?? notFound()).revoked = true;
      state.event(me.name, 'person_revoked', id, {});
      return {};
    }],
    [JUDGES, 'POST', /^\/notices$/, ({ body, me }) => {
      state.notices.unshift({ at: state.at(0), text: body.text });
      state.event(me.name, 'notice_added', 'contest', {});
      state.told('notice', { kind: 'notice_added', subject: 'contest' });
      return {};
    }],
    [JUDGES, 'GET', /^\/desk$/, ({ query, me }) => {
      const of = (query.get('of') ?? '').split(',').filter(Boolean).map((id) => state.submission(id));
      return { ...overlay.desk(), contest: true, start: '/desk', saves_to: 'the contest', reviewer: me.name, maps: of.map((made, index) => ({ ...overlay.info(String((index % 3) + 1)), id: made.id, name: state.summary(made).team_name })) };
    }],
  ];
  return routes;
}
