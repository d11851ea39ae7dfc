// What all pages of a contest share: who looks, what the contest is, the stream of events, the frame around the content.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { asProblem, getJson, path, postJson, Problem } from '../api/client.ts';
import type { Contest, ContestNews, Me, Role } from '../api/contest-types.ts';
import type { EventKind } from '../api/events.ts';
import { announce } from '../parts/announcer.ts';
import '../parts/connection-bar.ts';
import type { ConnectionBar } from '../parts/connection-bar.ts';
import { Keymap, type Binding } from '../parts/keymap.ts';
import { keysDialog, openKeysDialog } from '../parts/keys-dialog.ts';
import { problemBox } from '../parts/problem-box.ts';
import { words as shared } from '../words.ts';
import { shortHash } from './format.ts';
import { contestWords as words } from './words.ts';

type Part = TemplateResult | typeof nothing;
export type PageName = 'scoreboard' | 'team' | 'desk' | 'values' | 'users' | 'audit' | 'submission' | 'rejudging';

/** Several events in a row are one reading. */
const FOLLOW_MS = 120;
const STRANGER: Me = { name: null, role: null, team: null, permissions: [] };

export abstract class ContestPage extends LitElement {
  protected contest: Contest | null = null;
  protected me: Me = STRANGER;
  /** Why the page cannot be shown. */
  protected problem: Problem | null = null;
  /** Why the last act failed; the page stays. */
  protected actProblem: Problem | null = null;
  private followTimer: ReturnType<typeof setTimeout> | undefined;
  private keymap: Keymap | null = null;

  protected abstract readonly page: PageName;
  /** Roles that may see the page; null: everybody. */
  protected abstract readonly roles: readonly Role[] | null;

  /** Reads what the page shows. */
  protected abstract read(): Promise<void>;
  protected abstract content(contest: Contest): TemplateResult;

  protected bindings(): readonly Binding[] {
    return [];
  }

  /** Buttons at the right of the bar. */
  protected tools(): Part {
    return nothing;
  }

  protected dialogs(): Part {
    return nothing;
  }

  /** True if the event concerns this page, which is then read again. */
  protected concerns(_kind: EventKind, _news: ContestNews): boolean {
    return true;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add('contest');
    this.keymap = new Keymap([...this.bindings(), {
      keys: '?', does: shared.keys.list, matches: (event) => event.key === '?', act: () => openKeysDialog(),
    }]);
    this.keymap.attach();
    void this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.keymap?.detach();
    clearTimeout(this.followTimer);
  }

  protected override firstUpdated(): void {
    const bar = this.bar();
    if (!bar) return;
    bar.server = 'stays';
    bar.received = (kind, data) => {
      const news = (typeof data === 'object' && data !== null ? data : {}) as ContestNews;
      if (kind === 'resync' || this.concerns(kind, news)) this.followSoon();
    };
  }

  protected async open(): Promise<void> {
    this.problem = null;
    this.requestUpdate();
    try {
      await this.readAll();
    } catch (error) {
      this.problem = asProblem(error);
      if (this.problem.isLost) this.bar()?.noticed('lost');
    }
    this.requestUpdate();
  }

  /** Reads again without taking away what is shown. */
  protected async follow(): Promise<void> {
    try {
      await this.readAll();
      this.problem = null;
    } catch (error) {
      const problem = asProblem(error);
      if (problem.isLost) this.bar()?.noticed('lost');
      else this.problem = problem;
    }
    this.requestUpdate();
  }

  protected followSoon(): void {
    clearTimeout(this.followTimer);
    this.followTimer = setTimeout(() => void this.follow(), FOLLOW_MS);
  }

  private async readAll(): Promise<void> {
    const [contest, me] = await Promise.all([getJson<Contest>(path('contest')), whoAmI()]);
    this.contest = contest;
    this.me = me;
    document.title = words.titles[this.page](contest.name);
    if (this.isAllowed()) await this.read();
  }

  /** Does something; a refusal is shown above the content and what was typed stays. */
  protected async act(doing: () => Promise<string | null>): Promise<boolean> {
    this.actProblem = null;
    try {
      const said = await doing();
      if (said) announce(said);
      return true;
    } catch (error) {
      this.actProblem = asProblem(error);
      if (this.actProblem.isLost) this.bar()?.noticed('lost');
      announce(`${this.actProblem.title}. ${this.actProblem.detail}`);
      return false;
    } finally {
      this.requestUpdate();
    }
  }

  protected get isJudge(): boolean {
    return this.me.role === 'judge' || this.me.role === 'admin';
  }

  private isAllowed(): boolean {
    return this.roles === null || (this.me.role !== null && this.roles.includes(this.me.role));
  }

  private bar(): ConnectionBar | null {
    return this.querySelector<ConnectionBar>('connection-bar');
  }

  protected override render(): TemplateResult {
    const { contest } = this;
    return html`
      <a class="skip" href="#content">${words.skip}</a>
      <connection-bar></connection-bar>
      ${contest ? topBar(contest, this.me, this.page, this.tools(), () => void this.logout()) : nothing}
      <main id="content" class=${`content ${this.page}`} tabindex="-1">
        ${contest && this.page !== 'scoreboard' ? html`<p class="on-paper paper-title">${contest.name}</p>` : nothing}
        ${this.actProblem ? problemBox(this.actProblem, () => { this.actProblem = null; void this.follow(); }) : nothing}
        ${this.middle()}
      </main>
      ${contest ? foot(contest) : nothing}
      ${this.dialogs()}
      ${this.keymap ? keysDialog(this.keymap) : nothing}`;
  }

  private middle(): TemplateResult {
    if (this.problem) return problemBox(this.problem, () => void this.open());
    if (!this.contest) return skeleton();
    return this.isAllowed() ? this.content(this.contest) : denied(this.me);
  }

  private async logout(): Promise<void> {
    if (await this.act(async () => { await postJson(path('logout'), {}); return null; })) location.assign('/');
  }
}

async function whoAmI(): Promise<Me> {
  try {
    return await getJson<Me>(path('me'));
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return STRANGER;
    throw error;
  }
}

function topBar(contest: Contest, me: Me, page: PageName, tools: Part, logout: () => void): TemplateResult {
  return html`
    <header class="top">
      <a class="brand" href="/"><img src="/assets/favicon.svg" alt="" width="24" height="24"><strong>${contest.name}</strong></a>
      <nav aria-label=${words.nav.title}>
        ${linksOf(contest, me).map(({ name, href, label }) => html`<a href=${href} aria-current=${name === page ? 'page' : 'false'}>${label}</a>`)}
      </nav>
      <div class="tools">${tools}<button class="quiet-button" @click=${openKeysDialog}>${shared.keys.open}</button></div>
      <div class="account">
        ${me.role === null
          ? html`<a class="button" href="/login">${words.account.login}</a>`
          : html`<span class="who"><strong>${me.name}</strong> <span class="quiet">${words.roles[me.role]}</span></span><button class="quiet-button" @click=${logout}>${words.account.logout}</button>`}
      </div>
    </header>`;
}

function linksOf(contest: Contest, me: Me): readonly { name: string; href: string; label: string }[] {
  const link = (name: keyof typeof words.nav, href: string): { name: string; href: string; label: string } => ({ name, href, label: String(words.nav[name]) });
  const judges = me.role === 'judge' || me.role === 'admin';
  return [
    link('scoreboard', '/'),
    ...(me.role === 'team' ? [link('team', '/team')] : []),
    ...(judges ? [link('desk', '/desk'), link('values', '/desk/values')] : []),
    ...(me.role === 'admin' ? [link('users', '/desk/users')] : []),
    ...(judges ? [link('audit', '/audit')] : []),
    ...(judges ? (contest.reviews ?? []).map(({ id, record }) => ({ name: `review-${id}`, href: `/review/${encodeURIComponent(id)}`, label: words.nav.review(record) })) : []),
  ];
}

function foot(contest: Contest): TemplateResult {
  const { head, tool, profile } = contest;
  return html`
    <footer class="foot">
      <span>${words.foot.profile}: ${profile.title}</span>
      <span>${words.foot.tool} ${tool.name} ${tool.version}</span>
      ${head.seq === 0 ? nothing : html`<span>${words.foot.head}: ${words.foot.seq(head.seq)}, <code title=${head.hash}><span class="on-screen">${shortHash(head.hash)}</span><span class="on-paper">${head.hash}</span></code></span>`}
    </footer>`;
}

function denied(me: Me): TemplateResult {
  const { denied: text } = words;
  return html`
    <section class="empty">
      <h1>${me.role === null ? text.loginTitle : text.title}</h1>
      <p>${me.role === null ? text.loginDetail : text.detail(words.roles[me.role])}</p>
      <p><a class="button" href="/login">${text.login}</a> <a class="button" href="/">${text.back}</a></p>
    </section>`;
}

/** Grey lines where the content will be; they show after 200 ms. */
export function skeleton(): TemplateResult {
  return html`<div class="skeleton lines" role="status"><span class="for-screen-readers">${words.loading}</span>${[1, 2, 3, 4, 5, 6].map(() => html`<i></i>`)}</div>`;
}

export function openDialog(id: string): void {
  document.querySelector<HTMLDialogElement>(`dialog#${id}`)?.showModal();
}

export function closeDialog(id: string): void {
  document.querySelector<HTMLDialogElement>(`dialog#${id}`)?.close();
}
