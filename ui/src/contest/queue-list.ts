// The queue of the desk: submissions that need attention, the most urgent first, or all of them.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Contest, Submission } from '../api/contest-types.ts';
import { score, time } from './format.ts';
import { chip, missionTitle } from './submission-panels.ts';
import { contestWords as words } from './words.ts';

export type QueueFilter = 'attention' | 'all';

export interface QueueState {
  readonly contest: Contest;
  readonly items: readonly Submission[];
  readonly waiting: number;
  /** How many need attention. */
  readonly attention: number;
  readonly selected: string | null;
  readonly filter: QueueFilter;
  select(id: string): void;
  setFilter(filter: QueueFilter): void;
}

/** The one `by` places from the selected one; the first if none is selected. */
export function neighbour(items: readonly Submission[], selected: string | null, by: 1 | -1): Submission | null {
  const at = items.findIndex(({ id }) => id === selected);
  if (at < 0) return items[0] ?? null;
  return items[Math.min(Math.max(at + by, 0), items.length - 1)] ?? null;
}

export function queueList(state: QueueState): TemplateResult {
  const { items, waiting, filter } = state;
  return html`
    <div class="queue-head">
      <h2 class="for-screen-readers">${filter === 'attention' ? words.desk.queue : words.desk.all}</h2>
      <div class="switch" role="group" aria-label=${words.desk.filter}>
        <button aria-pressed=${filter === 'attention'} @click=${() => state.setFilter('attention')}>${words.desk.queue} <span class="count">${state.attention}</span></button>
        <button aria-pressed=${filter === 'all'} @click=${() => state.setFilter('all')}>${words.desk.allShort}</button>
      </div>
    </div>
    ${waiting > 0 ? html`<p class="quiet working" role="status">${words.desk.waiting(waiting)}</p>` : nothing}
    ${items.length === 0 ? html`<div class="empty small-empty" id="nothing-waits"><h3>${words.desk.nothing}</h3><p>${words.desk.nothingDetail}</p></div>` : html`
      <ul class="queue" id="queue">${repeat(items, ({ id }) => id, (one) => item(one, state))}</ul>`}`;
}

function item(one: Submission, { contest, selected, select }: QueueState): TemplateResult {
  return html`
    <li><button class="queue-item" data-id=${one.id} aria-current=${one.id === selected ? 'true' : 'false'} @click=${() => select(one.id)}>
      <span class="queue-title"><strong><bdi>${one.team_name}</bdi></strong> <span class="quiet">${contest.missions.length > 1 ? `${missionTitle(contest, one.mission)}, ` : ''}${words.submission.of(one.number).toLowerCase()}</span></span>
      <span class="queue-score">${typeof one.score === 'number' ? score(one.score) : ''}</span>
      <span class="queue-chips">${one.attention.map(chip)}${one.attention.length === 0 ? html`<span class=${`state-tag ${one.state}`}>${words.states[one.state]}</span>` : nothing}</span>
      <time class="quiet" datetime=${one.received_at}>${time(one.received_at, 'minutes')}</time>
    </button></li>`;
}
