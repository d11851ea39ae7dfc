// Panels of one submission, for its team and for judges: steps, chips, findings, files, receipt, history.

import { html, nothing, type TemplateResult } from 'lit';
import { path } from '../api/client.ts';
import type { Chip, Contest, ReceivedFile, Submission, SubmissionDetail, SubmissionFinding } from '../api/contest-types.ts';
import { bytes, shortHash, time } from './format.ts';
import { isWorkedOn, stepsOf, type Step } from './steps.ts';
import { contestWords as words } from './words.ts';

type Part = TemplateResult | typeof nothing;

export function missionTitle(contest: Contest, id: string): string {
  return contest.missions.find((mission) => mission.id === id)?.title || id;
}

export function submissionName(contest: Contest, one: Pick<Submission, 'team_name' | 'mission' | 'number'>): string {
  return words.submissionOf(one.team_name, contest.missions.length > 1 ? missionTitle(contest, one.mission) : '', one.number);
}

export function stepLine(one: Submission, contest: Contest): TemplateResult {
  return html`
    <ol class="steps" aria-label=${words.submission.times}>${stepsOf(one, contest.settings.verify).map(step)}</ol>
    ${queueLine(one)}`;
}

const STEP_SHAPES: Record<Step['state'], string> = {
  done: 'M3.500 8.500l3 3 6-7', now: 'M8 4v4.500l3 2', waits: 'M5 8h6', failed: 'M4.500 4.500l7 7 M11.500 4.500l-7 7',
};

function step({ name, at, state }: Step): TemplateResult {
  return html`
    <li class=${`step-${state}`} aria-current=${state === 'now' ? 'step' : 'false'}>
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${STEP_SHAPES[state]}></path></svg>
      <span>${state === 'failed' ? words.failedStep : words.steps[name]}</span>
      <time datetime=${at ?? ''}>${at ? time(at) : ''}</time>
    </li>`;
}

/** Place, attempts and cause are always said, so that nothing seems stuck. */
function queueLine(one: Submission): Part {
  const { queue, error } = one;
  if (error) return html`<p class="problem-line">${error}</p>`;
  if (!queue || (!isWorkedOn(one) && !queue.error)) return nothing;
  const place = typeof queue.place === 'number' ? (queue.place === 0 ? words.team.running : words.team.queue(queue.place)) : '';
  const attempts = queue.attempts > 0 ? words.team.attempts(queue.attempts) : '';
  return html`<p class="queue-line quiet" role="status">${[place, attempts, queue.error ?? ''].filter(Boolean).join(' · ')}</p>`;
}

const SHAPES: Record<Chip, string> = {
  broken: 'M4 4l8 8 M12 4l-8 8', worker_died: 'M4 4l8 8 M12 4l-8 8', question: 'M5.500 6a2.500 2.500 0 1 1 3.500 2.300c-.700.400-1 .700-1 1.700 M8 12.500v.500', undefined: 'M5 8h6 M8 5v6',
  frame_outdated: 'M8 3v5l3 2', mirrored: 'M8 2v12 M6 5 2.500 8 6 11z M10 5l3.500 3L10 11z', frame_uncertain: 'M3 10c2-5 3.500 3 5-1s3-3 5-1', value_missing: 'M3 13l1-3 7-7 2 2-7 7z',
  late: 'M8 4v4h3', changed_by_draft: 'M3 6h9l-2-2 M13 10H4l2 2', to_verify: 'M3.500 8.500l3 3 6-7',
};
const SERIOUS: ReadonlySet<Chip> = new Set(['broken', 'worker_died', 'undefined']);

export function chip(name: Chip): TemplateResult {
  const kind = SERIOUS.has(name) ? 'chip serious' : name === 'to_verify' ? 'chip calm' : 'chip';
  return html`<span class=${kind} data-chip=${name}><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${SHAPES[name] ?? SHAPES.undefined}></path></svg>${words.chips[name] ?? name}</span>`;
}

export function stateTag(one: Submission): TemplateResult {
  return html`<span class=${`state-tag ${one.state}`}>${words.states[one.state] ?? one.state}</span>${one.late ? html` ${chip('late')}` : nothing}`;
}

export function countsLine(one: Submission): Part {
  if (isWorkedOn(one) && !one.counts) return nothing;
  return html`<p class=${one.counts ? 'counts yes' : 'counts no'}><strong>${one.counts ? words.submission.countsYes : words.submission.countsNo}</strong>${one.counts_why ? html`: ${one.counts_why}` : nothing}</p>`;
}

export function findingsPanel({ findings, times, state }: SubmissionDetail): TemplateResult {
  const isChecked = Boolean(times.checked) || state === 'broken';
  return html`
    <section class="panel-box" id="findings">
      <h2>${words.team.findings} <span class="count">${findings.length}</span></h2>
      ${findings.length === 0 ? html`<p class="quiet">${isChecked ? words.team.noFindings : words.team.notChecked}</p>` : html`<ul class="findings">${findings.map(finding)}</ul>`}
    </section>`;
}

function finding(one: SubmissionFinding): TemplateResult {
  const where = [one.file ?? '', typeof one.line === 'number' ? words.team.line(one.line) : ''].filter(Boolean).join(', ');
  return html`
    <li class=${`finding level-${one.level}`}>
      <span class="level">${one.level}</span>
      <div>
        <p>${one.message}</p>
        ${one.hint ? html`<p class="hint">${one.hint}</p>` : nothing}
        <p class="quiet"><bdi>${where}</bdi>${where ? ' · ' : ''}<code>${one.code}</code></p>
      </div>
    </li>`;
}

export function filesPanel(id: string, files: readonly ReceivedFile[] | undefined): Part {
  if (!files || files.length === 0) return nothing;
  return html`
    <section class="panel-box">
      <h2>${words.submission.files} <span class="count">${files.length}</span></h2>
      <table class="plain files-table"><tbody>
        ${files.map((file) => html`<tr><td><a href=${path('submissions', id, 'files', file.name)} download><bdi>${file.name}</bdi></a></td><td class="number">${bytes(file.bytes)}<small><code title=${file.blake3}>${shortHash(file.blake3)}</code></small></td></tr>`)}
      </tbody></table>
    </section>`;
}

export function receiptPanel(one: Submission): TemplateResult {
  return html`
    <section class="panel-box receipt">
      <h2>${words.submission.receipt}</h2>
      <dl class="facts"><dt>${words.team.receivedAt}</dt><dd><time datetime=${one.received_at}>${time(one.received_at)}</time></dd>
        <dt>${words.team.seq}</dt><dd>${one.receipt.seq}</dd><dt>${words.team.hash}</dt><dd><code>${one.receipt.hash}</code></dd></dl>
    </section>`;
}

export function historyPanel(detail: SubmissionDetail): TemplateResult {
  return html`
    <section class="panel-box">
      <h2>${words.submission.history}</h2>
      <ol class="history" reversed>
        ${[...detail.history].reverse().map((one) => html`<li><time datetime=${one.at}>${time(one.at)}</time> <span>${one.person ? html`<strong>${one.person}</strong> ` : nothing}${one.words || (words.events[one.kind] ?? one.kind)}</span> <span class="quiet">${one.seq}</span></li>`)}
      </ol>
    </section>`;
}
