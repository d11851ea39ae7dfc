// The page of a team: hand in files, see findings and how far each submission is.

import { html, nothing, type TemplateResult } from 'lit';
import { getJson, path, readAll } from '../api/client.ts';
import type { Contest, ContestNews, Mission, Role, Submission, SubmissionDetail } from '../api/contest-types.ts';
import type { EventKind } from '../api/events.ts';
import { ContestPage } from '../contest/contest-page.ts';
import { score, time } from '../contest/format.ts';
import '../contest/note-thread.ts';
import type { NoteThread } from '../contest/note-thread.ts';
import { isWorkedOn, used } from '../contest/steps.ts';
import { countsLine, findingsPanel, receiptPanel, stateTag, stepLine } from '../contest/submission-panels.ts';
import { Upload } from '../contest/upload.ts';
import { uploadPanel } from '../contest/upload-panel.ts';
import { contestWords as words } from '../contest/words.ts';
import { announce } from '../parts/announcer.ts';

export class TeamPage extends ContestPage {
  protected readonly page = 'team';
  protected readonly roles: readonly Role[] = ['team', 'judge', 'admin'];
  private submissions: readonly Submission[] = [];
  private latest: SubmissionDetail | null = null;
  private readonly uploads = new Map<string, Upload>();
  private mission: string | null = null;
  private team: string | null = new URLSearchParams(location.search).get('team');
  /** States that were told: a change is said once. */
  private readonly toldStates = new Map<string, string>();

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('beforeunload', this.leaving);
    window.addEventListener('dragover', preventDefault);
    window.addEventListener('drop', preventDefault);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('beforeunload', this.leaving);
    window.removeEventListener('dragover', preventDefault);
    window.removeEventListener('drop', preventDefault);
  }

  private readonly leaving = (event: BeforeUnloadEvent): void => {
    if ([...this.uploads.values()].some(({ picked, sent }) => picked.length > 0 || sent !== null)) event.preventDefault();
  };

  protected override concerns(kind: EventKind, _news: ContestNews): boolean {
    return kind !== 'review';
  }

  protected async read(): Promise<void> {
    const { contest } = this;
    if (!contest) return;
    if (this.isJudge) this.team ??= contest.teams[0]?.id ?? null;
    this.mission ??= (contest.missions.find(({ is_open }) => is_open) ?? contest.missions.at(-1))?.id ?? '';
    const query = { mission: this.mission, ...(this.isJudge && this.team !== null ? { team: this.team } : {}) };
    const items = await readAll<Submission>(path('submissions'), query);
    this.submissions = items.filter((one) => one.mission === this.mission).sort((a, b) => b.number - a.number);
    const [newest] = this.submissions;
    this.latest = newest ? await getJson<SubmissionDetail>(path('submissions', newest.id)) : null;
    this.sayStates();
  }

  private sayStates(): void {
    for (const one of this.submissions) {
      const before = this.toldStates.get(one.id);
      if (before !== undefined && before !== one.state) announce(words.team.ready(one.number, words.states[one.state] ?? one.state));
      this.toldStates.set(one.id, one.state);
    }
  }

  private upload(contest: Contest, mission: Mission): Upload {
    const key = `${this.team ?? ''}/${mission.id}`;
    const known = this.uploads.get(key);
    if (known) return known;
    const made = new Upload(contest, mission, this.isJudge ? this.team : null, () => this.requestUpdate());
    this.uploads.set(key, made);
    return made;
  }

  private async send(upload: Upload): Promise<void> {
    const receipt = await upload.send(this.latest);
    if (receipt) {
      announce(words.team.receiptDetail(receipt.number));
      await this.follow();
    } else if (upload.problem) {
      announce(`${upload.problem.title}. ${upload.problem.detail}`);
    }
  }

  private choose(mission: string): void {
    this.mission = mission;
    void this.follow();
  }

  protected content(contest: Contest): TemplateResult {
    const mission = contest.missions.find(({ id }) => id === this.mission);
    const team = contest.teams.find(({ id }) => id === (this.isJudge ? this.team : this.me.team));
    return html`
      <div class="page-head">
        <h1>${team?.name ?? this.me.team ?? this.me.name}</h1>
        ${this.isJudge ? this.teamChoice(contest) : nothing}
      </div>
      ${contest.missions.length > 1 ? html`
        <div class="mission-tabs" role="group" aria-label=${words.team.mission}>
          ${contest.missions.map((one) => html`<button aria-pressed=${one.id === this.mission} @click=${() => this.choose(one.id)}>${one.title || one.id}<small>${whenOf(one)}</small></button>`)}
        </div>` : nothing}
      ${mission ? html`<div class="two-columns team-columns">
        <div>${uploadPanel({
          contest, mission, upload: this.upload(contest, mission), last: this.latest, quota: this.quota(contest, mission),
          send: (upload) => void this.send(upload),
        })}</div>
        <div>${this.latestPanel(contest)}</div>
      </div>
      ${this.historyTable(contest)}` : nothing}`;
  }

  private teamChoice(contest: Contest): TemplateResult {
    return html`<label class="inline">${words.team.forTeam}
      <select @change=${(event: Event) => { this.team = (event.target as HTMLSelectElement).value; void this.follow(); }}>
        ${contest.teams.map(({ id, name }) => html`<option value=${id} ?selected=${id === this.team}>${name}</option>`)}
      </select></label>`;
  }

  private quota(contest: Contest, mission: Mission): { left: number; total: number } | null {
    const total = contest.settings.submissions;
    return typeof total === 'number' ? { left: Math.max(0, total - used(this.submissions, mission.id)), total } : null;
  }

  private latestPanel(contest: Contest): TemplateResult {
    const { latest } = this;
    if (!latest) return html`<section class="empty small-empty"><h2>${words.team.none}</h2><p>${words.team.noneDetail}</p></section>`;
    return html`
      <section class="panel-box latest" aria-busy=${isWorkedOn(latest)}>
        <h2>${words.team.latest}: <a href=${`/submission/${encodeURIComponent(latest.id)}`}>${words.submission.of(latest.number)}</a> ${stateTag(latest)}</h2>
        ${stepLine(latest, contest)}
        ${countsLine(latest)}
        ${typeof latest.score === 'number' ? html`<p>${words.submission.score}: <strong>${score(latest.score)}</strong></p>` : nothing}
      </section>
      ${findingsPanel(latest)}
      ${receiptPanel(latest)}
      <note-thread .submission=${latest.id} .notes=${latest.notes} .side=${this.isJudge ? 'judge' : 'team'} .written=${(() => this.followSoon()) satisfies NoteThread['written']}></note-thread>`;
  }

  private historyTable(contest: Contest): TemplateResult | typeof nothing {
    if (this.submissions.length === 0) return nothing;
    const showsScores = contest.settings.feedback === 'score' || this.isJudge;
    return html`
      <section class="panel-box wide">
        <h2>${words.team.history} <span class="count">${this.submissions.length}</span></h2>
        <p class="quiet">${words.team.nothingDeleted}</p>
        <div class="scrolls" tabindex="0" role="region" aria-label=${words.team.history}>
        <table class="list-table">
          <thead><tr><th scope="col">${words.team.number}</th><th scope="col">${words.team.received}</th><th scope="col">${words.team.result}</th>${showsScores ? html`<th scope="col" class="number">${words.board.score}</th>` : nothing}<th scope="col">${words.team.counts}</th><th scope="col">${words.submission.receipt}</th></tr></thead>
          <tbody>${this.submissions.map((one) => html`
            <tr class=${one.counts ? 'counting' : ''}>
              <td><a href=${`/submission/${encodeURIComponent(one.id)}`}>${words.submission.of(one.number)}</a></td>
              <td><time datetime=${one.received_at}>${time(one.received_at)}</time></td>
              <td>${stateTag(one)}</td>
              ${showsScores ? html`<td class="number">${score(one.score)}</td>` : nothing}
              <td>${one.counts ? html`<strong>${words.team.countsYes}</strong>: ` : nothing}${one.counts_why}</td>
              <td>${one.receipt.seq} <code title=${one.receipt.hash}>${one.receipt.hash.slice(0, 12)}</code></td>
            </tr>`)}</tbody>
        </table></div>
      </section>`;
  }
}

function whenOf(mission: Mission): string {
  if (mission.is_open) return mission.closes ? words.team.closes(time(mission.closes, 'minutes')) : '';
  const isAhead = mission.opens && new Date(mission.opens).getTime() > Date.now();
  return isAhead ? words.team.opens(time(mission.opens, 'minutes')) : words.team.closed;
}

function preventDefault(event: Event): void {
  event.preventDefault();
}

customElements.define('team-page', TeamPage);
