// One submission at the desk: what it came to on the left, what it rests on at the right, what can be done on top.

import { html, type TemplateResult } from 'lit';
import type { Contest, SubmissionDetail } from '../api/contest-types.ts';
import { framePanel, partsPanel, picturesPanel } from './judging-panels.ts';
import './note-thread.ts';
import { chip, countsLine, filesPanel, findingsPanel, historyPanel, missionTitle, receiptPanel, stateTag, stepLine } from './submission-panels.ts';
import { contestWords as words } from './words.ts';

export interface DetailActs {
  readonly contest: Contest;
  readonly openOverlay: string;
  verify(): void;
  enter(name: string | null): void;
  counts(): void;
  follow(): void;
}

export function deskDetail(detail: SubmissionDetail, acts: DetailActs): TemplateResult {
  const { contest } = acts;
  const isMeasured = Boolean(detail.times.measured) && detail.state !== 'broken';
  return html`
    <header class="detail-head">
      <div>
        <h2 class="detail-title" id="subject"><bdi>${detail.team_name}</bdi> <span class="quiet">${contest.missions.length > 1 ? `${missionTitle(contest, detail.mission)} · ` : ''}<a href=${`/submission/${encodeURIComponent(detail.id)}`}>${words.submission.of(detail.number)}</a></span></h2>
        <p class="detail-chips">${stateTag(detail)} ${detail.attention.filter((name) => name !== 'late' && name !== 'broken').map(chip)}</p>
      </div>
      <div class="detail-actions" role="toolbar" aria-label=${words.desk.actions}>
        <a class="button" href=${acts.openOverlay} id="overlay">${words.desk.overlay} <kbd>O</kbd></a>
        <button id="enter" ?disabled=${contest.criteria.length + detail.parts.length === 0} @click=${() => acts.enter(null)}>${words.desk.enter} <kbd>E</kbd></button>
        <button id="counts" @click=${acts.counts}>${words.desk.letCount} <kbd>C</kbd></button>
        <button id="verify" class=${detail.times.verified ? '' : 'main'} ?disabled=${!isMeasured || Boolean(detail.times.verified)} @click=${acts.verify}>${detail.times.verified ? words.desk.verified : words.desk.verify} <kbd>V</kbd></button>
      </div>
    </header>
    ${stepLine(detail, contest)}
    ${countsLine(detail)}
    <div class="detail-columns">
      <div>
        ${partsPanel(detail, (name) => acts.enter(name), contest)}
        ${findingsPanel(detail)}
        <note-thread .submission=${detail.id} .notes=${detail.notes} .side=${'judge'} .written=${() => acts.follow()}></note-thread>
      </div>
      <div>
        ${picturesPanel(detail)}
        ${framePanel(detail, null)}
        ${filesPanel(detail.id, detail.files)}
        ${historyPanel(detail)}
        ${receiptPanel(detail)}
      </div>
    </div>`;
}
