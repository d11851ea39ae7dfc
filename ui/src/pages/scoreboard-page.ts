// The scoreboard: the published ranking, live.

import { html, nothing, type TemplateResult } from 'lit';
import { getJson, path, withQuery } from '../api/client.ts';
import type { Contest, ContestNews, PublishedMap, Role } from '../api/contest-types.ts';
import type { EventKind } from '../api/events.ts';
import type { Ranking } from '../api/ranking-types.ts';
import { ContestPage } from '../contest/contest-page.ts';
import { time } from '../contest/format.ts';
import { scoreTable } from '../contest/score-table.ts';
import { changedTeams, MAX_COMPARED, projectorPixels, scoreboardOf, type Scoreboard } from '../contest/scoreboard-model.ts';
import { contestWords as words } from '../contest/words.ts';
import { announce } from '../parts/announcer.ts';
import { letter, type Binding } from '../parts/keymap.ts';
import { problemBox } from '../parts/problem-box.ts';

const MOVED_MS = 4000;

export class ScoreboardPage extends ContestPage {
  protected readonly page = 'scoreboard';
  protected readonly roles: readonly Role[] | null = null;
  private board: Scoreboard | null = null;
  private ranking: Ranking | null = null;
  /** Maps of the ranking, for whoever may see the truth. */
  private maps: readonly PublishedMap[] = [];
  private seq: string | null = null;
  private readonly opened = new Set<string>();
  private readonly picked = new Set<string>();
  private moved: ReadonlySet<string> = new Set();
  private compareProblem = '';

  override connectedCallback(): void {
    super.connectedCallback();
    const { hash, search } = location;
    if (hash.startsWith('#team=')) this.opened.add(decodeURIComponent(hash.slice('#team='.length)));
    if (new URLSearchParams(search).has('projector')) document.documentElement.classList.add('projector');
    document.addEventListener('fullscreenchange', this.screenChanged);
    window.addEventListener('resize', this.resized);
    window.addEventListener('beforeprint', this.unfolded);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('fullscreenchange', this.screenChanged);
    window.removeEventListener('resize', this.resized);
    window.removeEventListener('beforeprint', this.unfolded);
    document.documentElement.classList.remove('projector');
  }

  /** Escape leaves the full screen, and with it the projector. */
  private readonly screenChanged = (): void => {
    if (!document.fullscreenElement) document.documentElement.classList.remove('projector');
    this.requestUpdate();
  };

  protected override bindings(): readonly Binding[] {
    return [{ keys: 'F', does: words.board.projector, matches: letter('f'), act: () => this.toggleProjector() }];
  }

  protected override concerns(kind: EventKind, _news: ContestNews): boolean {
    return kind === 'ranking' || kind === 'notice';
  }

  protected async read(): Promise<void> {
    const isPublished = this.contest?.published_seq !== null && this.contest?.published_seq !== undefined;
    if (!isPublished) {
      this.board = null;
      return;
    }
    const [ranking, maps] = await Promise.all([getJson<Ranking>(withQuery(path('ranking'), { of: 'public', format: 'json' })), this.readMaps()]);
    const next = scoreboardOf(ranking);
    const isNew = this.board !== null && this.seq !== String(this.contest?.published_seq);
    const changed = changedTeams(this.board, next);
    if (changed.length > 0) this.show(changed);
    else if (isNew) announce(words.board.unchanged);
    this.board = next;
    this.ranking = ranking;
    this.maps = maps;
    this.seq = String(this.contest?.published_seq);
  }

  private async readMaps(): Promise<readonly PublishedMap[]> {
    if (!this.contest?.sees_truth) return [];
    return (await getJson<{ items: readonly PublishedMap[] }>(path('ranking', 'maps'))).items;
  }

  /** A sheet on paper shows the hashes of its files. */
  private readonly unfolded = (): void => {
    for (const files of this.querySelectorAll<HTMLDetailsElement>('.sheet details')) files.open = true;
  };

  /** On a projector the size of the letters follows the number of teams, and what stands above them. */
  protected override updated(): void {
    const { classList, style } = document.documentElement;
    if (!classList.contains('projector')) {
      style.removeProperty('font-size');
      return;
    }
    const banners = { frozen: this.contest?.frozen ?? false, notice: (this.contest?.notices.length ?? 0) > 0 };
    style.fontSize = `${projectorPixels(this.board?.rows.length ?? 8, banners, window.innerWidth, window.innerHeight)}px`;
  }

  private readonly resized = (): void => this.requestUpdate();

  private show(teams: readonly string[]): void {
    announce(words.board.changed(teams));
    this.moved = new Set(teams);
    setTimeout(() => {
      this.moved = new Set();
      this.requestUpdate();
    }, MOVED_MS);
  }

  private toggleProjector(): void {
    const { classList } = document.documentElement;
    const on = classList.toggle('projector');
    if (on) document.documentElement.requestFullscreen?.().catch(() => undefined);
    else if (document.fullscreenElement) void document.exitFullscreen();
    this.requestUpdate();
  }

  private toggle(team: string): void {
    if (!this.opened.delete(team)) this.opened.add(team);
    history.replaceState(null, '', this.opened.has(team) ? `#team=${encodeURIComponent(team)}` : location.pathname);
    this.requestUpdate();
  }

  private pick(team: string): void {
    if (!this.picked.delete(team)) this.picked.add(team);
    this.compareProblem = '';
    this.requestUpdate();
  }

  /** The published maps of the last mission in which all picked teams have one. */
  private async compare(contest: Contest): Promise<void> {
    await this.act(async () => {
      const picked = (await this.readMaps()).filter(({ team }) => this.picked.has(team));
      const mission = [...contest.missions].reverse().find(({ id }) => picked.filter((one) => one.mission === id).length === this.picked.size);
      const ids = picked.filter((one) => one.mission === mission?.id).map(({ id }) => id);
      if (!mission || ids.length < 2) {
        this.compareProblem = words.board.noMaps;
        return words.board.noMaps;
      }
      location.assign(`/compare?of=${ids.map(encodeURIComponent).join(',')}`);
      return null;
    });
  }

  protected override tools(): TemplateResult {
    const on = document.documentElement.classList.contains('projector');
    return html`<button class="quiet-button" aria-pressed=${on} @click=${() => this.toggleProjector()}>${on ? words.board.leaveProjector : words.board.projector}</button>`;
  }

  protected content(contest: Contest): TemplateResult {
    return html`
      <div class="board-head">
        <h1>${contest.name}</h1>
        ${this.ranking ? html`<p class="quiet">${this.ranking.rules.title}</p>` : nothing}
      </div>
      ${contest.frozen ? html`<div class="banner frozen" role="note">${snowflake()}<div><strong>${words.board.frozen(time(contest.frozen_since, 'minutes'))}</strong> ${words.board.frozenDetail}</div></div>` : nothing}
      ${contest.notices.length > 0 ? html`<section class="notices" aria-label=${words.board.notices}>${contest.notices.slice(0, 3).map(({ at, text }) => html`<p class="banner"><time datetime=${at}>${time(at, 'minutes')}</time> <span>${text}</span></p>`)}</section>` : nothing}
      ${this.board ? this.table(contest, this.board) : this.empty()}`;
  }

  private empty(): TemplateResult {
    return html`<section class="empty" id="empty"><h2>${words.board.emptyTitle}</h2><p>${words.board.emptyDetail}</p></section>`;
  }

  private table(contest: Contest, board: Scoreboard): TemplateResult {
    const missionTitle = (id: string): string => contest.missions.find((mission) => mission.id === id)?.title || id;
    return html`
      ${scoreTable({
        board, opened: this.opened, picked: this.picked, isPicking: contest.sees_truth, moved: this.moved, maps: this.maps, missionTitle,
        toggle: (team) => this.toggle(team), pick: (team) => this.pick(team),
      })}
      ${this.compareProblem ? problemBox({ title: this.compareProblem, detail: '' }, null) : nothing}
      <div class="board-foot">
        ${contest.sees_truth ? html`<button class="no-print" id="compare" ?disabled=${this.picked.size < 2 || this.picked.size > MAX_COMPARED} @click=${() => void this.compare(contest)}>${this.picked.size < 2 ? words.board.pickHint : words.board.compare(this.picked.size)}</button>` : nothing}
        <p class="quiet">${words.board.legend} ${words.board.legendMarks}</p>
        <p class="quiet formula"><code>${this.ranking?.rules.formula ?? ''}</code></p>
        <p class="no-print downloads">${words.board.download}: ${['csv', 'md', 'latex', 'json'].map((format) => html`<a href=${withQuery(path('ranking'), { of: 'public', format })} download=${`ranking.${format === 'latex' ? 'tex' : format}`}>${format.toUpperCase()}</a> `)}</p>
      </div>`;
  }
}

function snowflake(): TemplateResult {
  return html`<svg class="icon large" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1v14 M1.900 4.500l12.200 7 M14.100 4.500l-12.200 7 M8 3.500 6.500 2 M8 3.500 9.500 2 M8 12.500 6.500 14 M8 12.500l1.500 1.500"></path></svg>`;
}

customElements.define('scoreboard-page', ScoreboardPage);
