// An invented contest that is kept in memory: teams, submissions, values, rankings, a chain of events.

import { createHash, randomBytes } from 'node:crypto';
import { Refused } from './serving.mjs';

/** Names that a page must not stumble over, except in the images of the documentation. */
const TEAMS = ['Aurora', 'Borealis', 'Cascade', 'Dynamo', ...(process.env.FIGURES ? ['Equinox', 'Firn', 'Glacier'] : ['Équipe Ω', 'Tohoku <b>Rescue</b>', 'فريق النجدة'])];
const CRITERIA = [
  { name: 'grouping', title: 'Grouping into rooms', about: 'the printed map', required: true },
  { name: 'utility', title: 'Utility to responders', about: 'the printed map', required: true },
];
const QUALITIES = [0.93, 0.88, 0.86, 0.71, 0.69, 0.55, 0.4];
const FILES = [
  { role: 'map', pattern: 'nav.tif', required: true, words: 'navigation layer, GeoTIFF' },
  { role: 'annotations', pattern: '*.geojson', required: false, words: 'victims, hazards, labels, paths' },
];
const URGENT = ['broken', 'worker_died', 'question', 'undefined', 'frame_outdated', 'mirrored', 'frame_uncertain', 'value_missing', 'late', 'changed_by_draft', 'to_verify'];

export const sha = (what) => createHash('sha256').update(what).digest('hex');
const minute = 60_000;

export class ContestState {
  constructor({ stepMs = 250 } = {}) {
    this.stepMs = stepMs;
    this.clock = Date.now() - 200 * minute;
    this.live = false;
    this.events = [];
    this.submissions = [];
    this.notices = [];
    this.publications = [];
    this.rankings = [];
    this.rejudgings = [];
    this.people = new Map();
    this.keys = new Map();
    this.frozen = false;
    this.frozenSince = null;
    this.told = () => undefined;
    this.missions = [
      { id: 'preliminary', title: 'Preliminary', is_open: false, closes: this.at(-60 * minute), files: FILES },
      { id: 'final', title: 'Final', is_open: true, closes: this.at(600 * minute), files: FILES },
    ];
    this.teams = TEAMS.map((name, index) => ({ id: index < 4 ? name.toLowerCase() : `team-${index + 1}`, name }));
    this.fill();
    this.live = true;
  }

  fill() {
    this.event('mapjudge', 'contest_opened', 'contest', {});
    for (const [name, role] of [['Ada Admin', 'admin'], ['Jo Judge', 'judge'], ['Grace Judge', 'judge'], ['Vera Viewer', 'viewer']]) this.person(name, role);
    this.person('Aurora crew', 'team', 'aurora');
    for (const [index, team] of this.teams.entries()) {
      for (const mission of this.missions) {
        this.tick(4);
        const broken = index === 6 && mission.id === 'final';
        const made = this.receive(team.name, team.id, mission.id, [{ name: 'nav.tif', bytes: 48_213 + index * 977, blake3: sha(`${team.id}${mission.id}`) }, { name: 'victims.geojson', bytes: 912, blake3: sha(team.id) }], { quality: QUALITIES[index], broken });
        this.finish(made);
        made.values = index % 3 === 2 && mission.id === 'final' ? [] : CRITERIA.map(({ name }, at) => this.value(name, 2 + ((index + at) % 4), 'Jo Judge', 'seen on the printed map'));
        if (mission.id === 'preliminary' || index < 2) this.verify(made, 'Jo Judge');
      }
    }
    this.submissions.find((one) => one.team === 'borealis' && one.mission === 'final').frame = { method: 'manual', verdict: 'certain', by: 'Jo Judge', reason: 'The search found a mirrored place', of_older_map: false };
    this.submissions.find((one) => one.team === 'cascade' && one.mission === 'final').uncertain = true;
    this.notices.push({ at: this.at(0), text: 'The final is open until 18:00. Hand in early; the last submission counts.' });
    this.publish(this.rank(), 'Ada Admin', 'after the preliminary');
  }

  at(offset) {
    return new Date((this.live ? Date.now() : this.clock) + offset).toISOString();
  }

  tick(minutes) {
    this.clock += minutes * minute;
  }

  event(person, kind, subject, body) {
    const prev = this.events.at(-1)?.hash ?? '0'.repeat(64);
    const row = { seq: this.events.length + 1, at: this.at(0), person, kind, subject, body, prev };
    row.hash = sha(prev + JSON.stringify(row));
    this.events.push(row);
    return row;
  }

  person(name, role, team = null) {
    this.people.set(name, { name, role, team, revoked: false, has_code: true, seen_at: null });
    this.event('Ada Admin', 'person_added', name, { role, team });
    return this.code(name);
  }

  code(name) {
    const code = randomBytes(16).toString('base64url');
    this.keys.set(code, name);
    this.event('Ada Admin', 'code_made', name, {});
    return code;
  }

  receive(by, team, mission, files, { quality, broken }) {
    const same = this.submissions.filter((one) => one.team === team && one.mission === mission);
    const event = this.event(by, 'submission_received', `${team}/${mission}`, { files: files.length });
    const made = {
      id: `01J${String(this.submissions.length + 1).padStart(4, '0')}${sha(team + mission + same.length).slice(0, 19).toUpperCase()}`, team, mission, number: same.length + 1, files,
      received_at: event.at, late: !this.missions.find(({ id }) => id === mission)?.is_open && this.live, quality, broken, state: 'received', times: { received: event.at },
      values: [], notes: [], frame: null, chosen: false, receipt: { seq: event.seq, hash: event.hash }, version: 1, attempts: 0,
    };
    this.submissions.push(made);
    return made;
  }

  /** Checks and measures at once; `start` does so step by step. */
  finish(made) {
    this.check(made);
    this.measure(made);
  }

  start(made) {
    setTimeout(() => {
      this.check(made);
      this.told('submission', { kind: 'submission_checked', subject: made.id }, made.team);
      setTimeout(() => {
        this.measure(made);
        this.told('submission', { kind: made.broken ? 'submission_broken' : 'measured', subject: made.id }, made.team);
      }, this.stepMs);
    }, this.stepMs);
  }

  check(made) {
    made.state = 'checked';
    made.times.checked = this.event('worker 1', 'submission_checked', made.id, {}).at;
  }

  measure(made) {
    made.attempts = 1;
    made.version += 1;
    made.state = made.broken ? 'broken' : 'measured';
    const event = this.event('worker 1', made.broken ? 'submission_broken' : 'measured', made.id, {});
    if (!made.broken) made.times.measured = event.at;
  }

  verify(made, by) {
    made.state = 'verified';
    made.version += 1;
    made.times.verified = this.event(by, 'verified', made.id, {}).at;
  }

  value(name, value, by, reason) {
    this.entered = (this.entered ?? 0) + 1;
    return { name, value, reason, by, at: this.at(0), opinions: [{ by, value }], agreed: true, seq: this.entered };
  }

  counted(team, mission) {
    const all = this.submissions.filter((one) => one.team === team && one.mission === mission && !one.broken && !one.late);
    return all.find((one) => one.chosen) ?? all.at(-1) ?? this.submissions.filter((one) => one.team === team && one.mission === mission).at(-1) ?? null;
  }

  partsOf(one, values = one.values) {
    const entered = (name) => values.find((value) => value.name === name)?.value ?? null;
    const part = (name, title, measured, formula, hand = null) => ({ name, title, measured, entered: hand, formula, status: measured === null && hand === null ? 'undefined' : hand === null ? 'measured' : 'entered',
      reasons: measured === null && hand === null ? ['no judge has entered it yet'] : [] });
    const q = one.quality;
    return [
      part('E', 'Exploration', Math.round(q * 1000) / 1000, 'area / best area'),
      part('M', 'Map quality', Math.round((q * q) * 1000) / 1000, 'mean credit'),
      part('V', 'Victims', [1, 1, q > 0.6 ? 1 : 0, q > 0.8 ? 0.5 : 0], 'credit of each victim'),
      part('grouping', 'Grouping into rooms', null, 'entered, 0 to 5', entered('grouping')),
      part('utility', 'Utility to responders', null, 'entered, 0 to 5', entered('utility')),
    ];
  }

  scoreOf(one, values = one.values) {
    if (one.broken) return 0;
    if (!one.times.measured) return null;
    const [e, m, v, ...criteria] = this.partsOf(one, values);
    const total = 50 * e.measured + 50 * m.measured + 20 * v.measured.reduce((sum, x) => sum + x, 0) + criteria.reduce((sum, { entered }) => sum + 2 * (entered ?? 0), 0);
    return Math.round(total * 1000) / 1000;
  }

  substituted(one) {
    const [e, m, v] = this.partsOf(one);
    return `(50 · ${e.measured} + 50 · ${m.measured} + 20 · ${v.measured.reduce((sum, x) => sum + x, 0)}) / 1² + 2 · ${one.values.reduce((sum, { value }) => sum + value, 0)}`;
  }

  /** A ranking in the schema mapjudge.contest/1. */
  ranking(instead = null) {
    const entries = this.teams.map((team) => {
      const missions = this.missions.map((mission) => this.missionResult(this.counted(team.id, mission.id), mission.id, instead)).filter(Boolean);
      const scores = missions.map(({ score }) => score);
      const score = scores.length === 0 || scores.some((one) => one === null) ? null : scores.reduce((sum, one) => sum + one, 0);
      return { team: team.name, rank: null, score, interval: score === null ? null : [score - 14 - (score % 7), score + 11 + (score % 5)], parts: missions.at(-1)?.parts.reduce((all, { name, value }) => ({ ...all, [name]: value }), {}) ?? {}, missions, folder: team.id };
    }).sort((a, b) => (b.score ?? -1) - (a.score ?? -1));
    entries.forEach((entry, index) => { entry.rank = entry.score === null ? null : index + 1; });
    const significance = entries.slice(1).map((below, index) => {
      const share = Math.min(0.999, 0.5 + ((entries[index].score ?? 0) - (below.score ?? 0)) / 30);
      return { above: entries[index].team, below: below.team, share, statement: `${entries[index].team} above ${below.team} in ${Math.round(share * 100)} % of 1000 resamples` };
    });
    return { schema: 'mapjudge.contest/1', tool: { name: 'mapjudge', version: '0.0.0' }, title: 'Rescue arena', profile: 'rescue-arena',
      rules: { title: 'Rescue arena, after the rules of 2008', source: 'invented', notes: [], formula: '(w_E*E + w_M*M + w_V*sum(V)) / O^2 + 2*(grouping + utility)', better: 'higher', weights: {}, constants: {}, combine: 'sum' },
      missions: this.missions.map(({ id }) => id), ranking: entries, significance, resampling: { resamples: 1000, seed: 1, resampled: [], fixed: [] }, sensitivity: [], pareto: null, findings: [], truth: [] };
  }

  missionResult(one, mission, instead) {
    if (!one) return null;
    const values = instead?.id === one.id ? instead.values : one.values;
    const score = this.scoreOf(one, values);
    const parts = this.partsOf(one, values).map(({ name, title, measured, entered, reasons }) => ({ name, title, value: one.broken ? null : entered ?? measured, reason: reasons[0] ?? null, by_judge: entered !== null, stand_in: false, detail: null }));
    const inputs = one.files.map(({ name, blake3 }) => ({ role: name.endsWith('.tif') ? 'map' : 'annotations', path: `${one.team}/${name}`, blake3, format: null }));
    if (one.frame?.method === 'manual') inputs.push({ role: 'frame', path: `frames/${one.team}.json`, blake3: sha(one.id), format: null });
    return { mission, score, outcome: one.broken ? 'broken' : score === null ? 'undefined' : 'scored', reason: one.broken ? 'nav.tif is no GeoTIFF' : null, substituted: this.substituted(one), parts,
      entered: values.map(({ name, value, by, reason }) => ({ name, value, by, reason })), inputs, report: '', sheet: '' };
  }

  rank() {
    this.rankings.push(JSON.stringify(this.ranking(), null, 2));
    return this.rankings.length;
  }

  publish(ranking, by, note) {
    const event = this.event(by, 'published', `ranking ${ranking}`, { note });
    for (const one of this.submissions) if (one.times.verified) one.times.published = event.at;
    const made = { seq: event.seq, ranking, at: event.at, by, note };
    this.publications.push(made);
    return made;
  }

  public() {
    const last = this.frozen ? this.frozenAt.publication : this.publications.at(-1);
    return last ? { seq: last.ranking, text: this.rankings[last.ranking - 1] } : null;
  }

  difference(from, to, toSeq, causes) {
    const place = (ranking, team) => ranking?.ranking.find((one) => one.team === team);
    const rows = to.ranking.map(({ team, score, rank }) => {
      const before = place(from, team);
      const changed = before?.score !== score || before?.rank !== rank;
      return { team, score: { before: before?.score ?? null, after: score }, rank: { before: before?.rank ?? null, after: rank }, causes: changed ? causes(team, before?.score !== score) : [] };
    });
    return { from_ranking: this.publications.at(-1)?.ranking ?? null, to_ranking: toSeq, rows, changed: rows.filter(({ causes: why }) => why.length > 0).length };
  }

  draft() {
    const now = this.ranking();
    const shown = this.public();
    return this.difference(shown ? JSON.parse(shown.text) : null, now, this.rankings.length + 1, (team, own) => [own ? 'a newer submission or an entered value' : 'the scores of other teams']);
  }

  attention(one) {
    const chips = new Set();
    if (one.broken) chips.add('broken');
    if (one.late) chips.add('late');
    if (one.uncertain && !one.frame) chips.add('frame_uncertain');
    const asked = one.notes.at(-1);
    if (asked && ['question', 'appeal'].includes(asked.kind)) chips.add('question');
    if (this.counted(one.team, one.mission) === one && one.times.measured) {
      if (CRITERIA.some(({ name }) => !one.values.some((value) => value.name === name))) chips.add('value_missing');
      if (!one.times.verified) chips.add('to_verify');
    }
    return URGENT.filter((chip) => chips.has(chip));
  }

  summary(one) {
    const counts = this.counted(one.team, one.mission) === one;
    const waiting = this.submissions.filter((other) => ['received', 'checked'].includes(other.state));
    return { id: one.id, team: one.team, team_name: this.teams.find(({ id }) => id === one.team).name, mission: one.mission, number: one.number, received_at: one.received_at, late: one.late,
      state: one.times.published && !one.broken ? 'published' : one.state, times: one.times,
      queue: waiting.includes(one) ? { place: waiting.indexOf(one) + 1, attempts: one.attempts, error: null } : null,
      counts, counts_why: counts ? (one.chosen ? 'chosen by a judge' : 'the last submission of this mission') : one.broken ? 'it could not be read' : one.late ? 'it came after the mission closed' : 'a later submission counts',
      attention: this.attention(one), score: this.scoreOf(one), receipt: one.receipt, etag: `"${one.version}"` };
  }

  detail(one, isTeam) {
    const history = this.events.filter(({ subject }) => subject === one.id).map(({ seq, at, person, kind }) => ({ seq, at, person, kind, words: null }));
    const findings = one.broken
      ? [{ level: 'error', code: 'MAP_UNREADABLE', message: 'nav.tif does not start like a TIFF file', hint: 'write a GeoTIFF, as mapjudge convert does', file: 'nav.tif', line: 1 }]
      : [{ level: 'warning', code: 'FREE_BORDER', message: 'free cells touch the border of the map', hint: 'make the map one cell larger', file: 'nav.tif', line: null }];
    const told = this.summary(one);
    return { ...told, score: isTeam ? null : told.score, attention: isTeam ? [] : told.attention, findings, parts: isTeam ? [] : this.partsOf(one), formula: this.substituted(one),
      frame: one.frame ?? { method: 'auto', verdict: one.uncertain ? 'uncertain' : 'certain', by: null, reason: null, of_older_map: null },
      pictures: isTeam ? [] : [{ name: 'map.svg', words: 'The map on the truth' }], values: isTeam ? [] : one.values, notes: one.notes, history, files: one.files };
  }

  submission(id) {
    const one = this.submissions.find((candidate) => candidate.id === id);
    if (!one) throw new Refused(404, 'There is no such submission', 'It does not exist, or belongs to somebody else.');
    return one;
  }

  queue() {
    const rank = (one) => URGENT.indexOf(this.attention(one)[0]);
    return this.submissions.filter((one) => this.attention(one).length > 0).sort((a, b) => rank(a) - rank(b) || a.received_at.localeCompare(b.received_at));
  }

  /** A stranger is told of nothing that came after the freeze. */
  contest(isJudge = true) {
    const head = this.frozen && !isJudge ? this.frozenAt.head : this.events.at(-1);
    const published = this.frozen && !isJudge ? this.frozenAt.publication : this.publications.at(-1);
    return { name: 'Rescue arena 2026', profile: { name: 'rescue-arena', title: 'Rescue arena, after the rules of 2008' }, missions: this.missions, teams: this.teams, criteria: CRITERIA,
      settings: { feedback: 'findings', truth: 'judges', counts: 'last', verify: true, judges: 1, public: 'held', freeze: null, submissions: 20 },
      frozen: this.frozen, frozen_since: this.frozenSince, published_seq: published?.seq ?? null, notices: this.notices,
      limits: { file_bytes: 64 * 2 ** 20, submission_bytes: 256 * 2 ** 20, files: 200 }, head: { seq: head.seq, hash: head.hash }, now: this.at(0), tool: { name: 'mapjudge', version: '0.0.0' }, is_login_needed: false, sees_truth: isJudge };
  }
}
