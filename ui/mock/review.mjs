// An invented record of proposals between scans of a rectangular room, with verdicts kept in memory.

const COUNT = 24;
const WIDTH = 8;
const DEPTH = 5;

export class ReviewMock {
  constructor() {
    this.proposals = [...Array(COUNT).keys()].map((index) => ({ id: `r${index + 1}`, index, lines: [], doubt: 3 - index * 0.11 }));
    this.opened = Date.now();
  }

  statusOf(proposal) {
    const lines = proposal.lines;
    const last = lines.at(-1);
    return !last || last.status === 'undone' ? 'proposed' : last.status;
  }

  review() {
    const counts = { proposed: 0, accepted: 0, adjusted: 0, rejected: 0, disputed: 0 };
    for (const proposal of this.proposals) counts[this.statusOf(proposal)] += 1;
    const decided = COUNT - counts.proposed;
    return { record: 'record.jsonl', log: 'run.log', reviewer: 'Ada', counts,
      limits: [{ name: 'residual', words: 'mean residual', limit: 0.05, unit: 'm', sense: 'max' }], second_share: 0.1,
      agreement: { compared: 4, agreed: 3, kappa: 0.62, kappa_low: 0.2, kappa_high: 0.95, median_distance_m: 0.013, by_doubt: [{ doubt: 'residual', words: 'mean residual', compared: 4, agreed: 3 }] },
      rate_per_minute: decided ? decided / ((Date.now() - this.opened) / 60000) : null,
      loops: [{ words: 'r3 and r7 close no loop: 0.31 m remain', ids: ['r3', 'r7'] }],
      run: { path: [...Array(80).keys()].map((step) => pathAt(step * 2)), times: [...Array(80).keys()].map((step) => step * 2) } };
  }

  waiting() {
    return this.proposals.filter((proposal) => ['proposed', 'disputed'].includes(this.statusOf(proposal)));
  }

  next(skip, count) {
    const left = this.waiting();
    return { left: left.length, proposals: left.filter((proposal) => !skip.includes(proposal.id)).slice(0, count).map((proposal) => this.full(proposal)) };
  }

  relation(id) {
    const proposal = this.proposals.find((candidate) => candidate.id === id);
    return proposal ? this.full(proposal) : null;
  }

  list(status) {
    return this.proposals.filter((proposal) => !status || this.statusOf(proposal) === status).map((proposal) => ({
      id: proposal.id, status: this.statusOf(proposal), doubt: proposal.doubt, words: doubtWords(proposal), from_s: proposal.index * 2,
      to_s: 100 + proposal.index * 2, reviewer: proposal.lines.at(-1)?.reviewer ?? null, opinions: proposal.lines.length }));
  }

  full(proposal) {
    const truth = trueDelta(proposal.index);
    const delta = { x_m: truth.x_m + 0.12, y_m: truth.y_m - 0.07, theta_rad: truth.theta_rad + 0.05 };
    const opinion = this.statusOf(proposal) === 'disputed' ? 3 : 1;
    return { id: proposal.id, version: `v${proposal.lines.length}`, status: this.statusOf(proposal), from_s: proposal.index * 2, to_s: 100 + proposal.index * 2,
      source: 'graph', delta, doubt: { ratio: proposal.doubt, code: 'residual', words: doubtWords(proposal) },
      ...this.evaluate(proposal.id, delta), first: scanFrom({ x_m: 0, y_m: 0, theta_rad: 0 }), second: scanFrom(truth), near: scanFrom({ x_m: 0, y_m: 0, theta_rad: 0 }).hits.map(([x, y]) => [x * 1.02, y * 1.02 + 0.1]),
      where: { from: pathAt(proposal.index * 2), to: pathAt(100 + proposal.index * 2) }, opinion, history: proposal.lines };
  }

  evaluate(id, delta) {
    const truth = trueDelta(this.proposals.find((proposal) => proposal.id === id).index);
    const away = Math.hypot(delta.x_m - truth.x_m, delta.y_m - truth.y_m) + Math.abs(delta.theta_rad - truth.theta_rad);
    return { numbers: [
      { name: 'residual', title: 'Mean residual', value: 0.01 + away / 3, limit: 0.05, unit: 'm', met: 0.01 + away / 3 <= 0.05 },
      { name: 'matched', title: 'Matched hits', value: 0.95 - away, limit: 0.6, unit: '', met: 0.95 - away >= 0.6 },
    ], ellipse: { major_m: 0.06, minor_m: 0.02, angle_rad: 0.3 }, degenerate_rad: 0.3 };
  }

  refine({ id, delta }) {
    const truth = trueDelta(this.proposals.find((proposal) => proposal.id === id).index);
    if (Math.hypot(delta.x_m - truth.x_m, delta.y_m - truth.y_m) > 1.5) return null;
    return { delta: truth, ...this.evaluate(id, truth) };
  }

  fit({ pairs }) {
    const dx = pairs.reduce((sum, { first, second }) => sum + first[0] - second[0], 0) / pairs.length;
    const dy = pairs.reduce((sum, { first, second }) => sum + first[1] - second[1], 0) / pairs.length;
    return { delta: { x_m: dx, y_m: dy, theta_rad: 0 }, rms_m: 0.01, residuals: [] };
  }

  /** Null if the version is old. */
  decide({ id, version, verdict, delta, note, seconds, opinion }) {
    const proposal = this.proposals.find((candidate) => candidate.id === id);
    if (version !== `v${proposal.lines.length}`) return null;
    const status = { accept: 'accepted', reject: 'rejected', adjust: 'adjusted', undo: 'undone', second: 'disputed' }[verdict];
    const line = { status, reviewer: 'Ada', time: new Date().toISOString(), note: note ?? null, opinion, seconds, delta: delta ?? null };
    proposal.lines.push(line);
    return { record: { id, ...line }, counts: this.review().counts };
  }

  export() {
    return this.proposals.filter((proposal) => ['accepted', 'adjusted'].includes(this.statusOf(proposal))).map((proposal) => `${proposal.id}\n`).join('');
  }
}

function doubtWords(proposal) {
  return `mean residual is ${proposal.doubt.toFixed(1)} times its limit`;
}

function trueDelta(index) {
  return { x_m: 0.8 * Math.cos(index), y_m: 0.5 * Math.sin(index), theta_rad: 0.3 * Math.sin(index * 2) };
}

function pathAt(time) {
  return [6 * Math.cos(time / 16), 4 * Math.sin(time / 16)];
}

/** The room's walls as seen from a pose in it. */
function scanFrom({ x_m, y_m, theta_rad }) {
  const hits = [];
  for (let beam = 0; beam < 240; beam += 1) {
    const angle = theta_rad + (beam / 240) * 1.75 * Math.PI - 0.875 * Math.PI;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const range = Math.min(cos > 0 ? (WIDTH / 2 - x_m) / cos : (-WIDTH / 2 - x_m) / cos, sin > 0 ? (DEPTH / 2 - y_m) / sin : (-DEPTH / 2 - y_m) / sin);
    const noisy = range + 0.01 * Math.sin(beam * 12.9898);
    hits.push([noisy * Math.cos(angle - theta_rad), noisy * Math.sin(angle - theta_rad)]);
  }
  return { hits, sensor: [0, 0], free: [[0, 0], ...hits.filter((_, index) => index % 4 === 0)] };
}
