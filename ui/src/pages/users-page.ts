// People of the contest: add, give a new link, revoke, and cards to cut for the teams.

import { html, nothing, type TemplateResult } from 'lit';
import { asProblem, deleteJson, getJson, path, postJson, type Problem } from '../api/client.ts';
import type { Contest, ContestNews, Listed, Person, Role } from '../api/contest-types.ts';
import type { EventKind } from '../api/events.ts';
import { closeDialog, ContestPage, openDialog } from '../contest/contest-page.ts';
import { time } from '../contest/format.ts';
import { teamCards, type Card } from '../contest/team-cards.ts';
import { contestWords as words } from '../contest/words.ts';
import { announce } from '../parts/announcer.ts';
import { problemBox } from '../parts/problem-box.ts';

const ROLES: readonly Role[] = ['team', 'judge', 'viewer', 'admin'];

export class UsersPage extends ContestPage {
  protected readonly page = 'users';
  protected readonly roles: readonly Role[] = ['admin'];
  private people: readonly Person[] = [];
  private link: Card | null = null;
  private cards: readonly Card[] = [];
  private chosenRole: Role = 'team';
  private asked: { kind: 'revoke'; name: string } | { kind: 'cards' } | null = null;
  private addProblem: Problem | null = null;
  private isBusy = false;

  protected override concerns(kind: EventKind, _news: ContestNews): boolean {
    return kind === 'notice';
  }

  protected async read(): Promise<void> {
    this.people = (await getJson<Listed<Person>>(path('users'))).items;
  }

  private async add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const given = new FormData(form);
    const name = String(given.get('name') ?? '').trim();
    this.addProblem = null;
    try {
      const { link } = await postJson<{ link: string }>(path('users'), { name, role: this.chosenRole, ...(this.chosenRole === 'team' ? { team: String(given.get('team') ?? '') } : {}) });
      this.link = { title: words.users.linkDetail(name), name, link };
      form.reset();
      this.chosenRole = 'team';
      announce(words.users.said.added(name));
      await this.follow();
    } catch (error) {
      this.addProblem = asProblem(error);
      this.requestUpdate();
    }
  }

  private async renew(name: string): Promise<void> {
    await this.act(async () => {
      const { link } = await postJson<{ link: string }>(path('users', name, 'code'), {});
      this.link = { title: words.users.linkDetail(name), name, link };
      return words.users.linkDetail(name);
    });
    await this.follow();
  }

  private async makeToken(name: string): Promise<void> {
    await this.act(async () => {
      const { token } = await postJson<{ token: string }>(path('users', name, 'token'), {});
      this.link = { title: words.users.tokenDetail(name), name, link: token };
      return words.users.tokenDetail(name);
    });
  }

  private ask(asked: NonNullable<typeof this.asked>): void {
    this.asked = asked;
    this.requestUpdate();
    void this.updateComplete.then(() => openDialog('act'));
  }

  private async confirm(): Promise<void> {
    const { asked, contest } = this;
    if (!asked || !contest || this.isBusy) return;
    this.isBusy = true;
    closeDialog('act');
    if (asked.kind === 'revoke') {
      await this.act(async () => { await deleteJson(path('users', asked.name), {}); return words.users.said.revoked(asked.name); });
    } else {
      await this.act(async () => { this.cards = await this.makeCards(contest); return words.users.said.cards; });
    }
    this.isBusy = false;
    this.asked = null;
    await this.follow();
  }

  /** One person per team; who is there already gets a new link. */
  private async makeCards(contest: Contest): Promise<readonly Card[]> {
    const cards: Card[] = [];
    for (const team of contest.teams) {
      const known = this.people.find((person) => person.role === 'team' && person.team === team.id && !person.revoked);
      const name = known?.name ?? team.name;
      const { link } = known
        ? await postJson<{ link: string }>(path('users', name, 'code'), {})
        : await postJson<{ link: string }>(path('users'), { name, role: 'team', team: team.id });
      cards.push({ title: team.name, name, link });
    }
    return cards;
  }

  protected override tools(): TemplateResult | typeof nothing {
    return this.me.role === 'admin' ? html`<button id="cards" @click=${() => this.ask({ kind: 'cards' })}>${words.users.cards}</button>` : nothing;
  }

  protected override dialogs(): TemplateResult {
    const { asked } = this;
    const title = asked?.kind === 'revoke' ? words.users.revokeTitle(asked.name) : words.users.cards;
    return html`
      <dialog id="act" aria-label=${title}>
        <h2>${title}</h2>
        <p>${asked?.kind === 'revoke' ? words.users.revokeDetail : words.users.cardsDetail(this.contest?.teams.length ?? 0)}</p>
        <div class="buttons dialog-buttons"><button @click=${() => closeDialog('act')}>${words.cancel}</button>
          <button class="main" id="confirm" @click=${() => void this.confirm()}>${asked?.kind === 'revoke' ? words.users.revoke : words.users.cardsGo}</button></div>
      </dialog>`;
  }

  protected content(contest: Contest): TemplateResult {
    return html`
      <div class="page-head no-print"><h1>${words.users.title}</h1></div>
      ${this.cards.length > 0 ? teamCards(contest, this.cards) : nothing}
      <div class=${this.cards.length > 0 ? 'no-print' : ''}>
        ${this.link ? this.linkBox(this.link) : nothing}
        <div class="two-columns">
          ${this.table(contest)}
          ${this.addForm(contest)}
        </div>
      </div>`;
  }

  private linkBox({ title, link }: Card): TemplateResult {
    return html`
      <div class="link-box" id="link" role="status">
        <p>${title}</p>
        <p class="link-line"><code>${link}</code> <button @click=${() => void navigator.clipboard.writeText(link).then(() => announce(words.copied))}>${words.copy}</button></p>
      </div>`;
  }

  private table(contest: Contest): TemplateResult {
    const teamName = (id: string | null | undefined): string => contest.teams.find((team) => team.id === id)?.name ?? id ?? '';
    return html`
      <div class="scrolls" tabindex="0" role="region" aria-label=${words.users.title}>
      <table class="list-table people">
        <thead><tr><th scope="col">${words.users.name}</th><th scope="col">${words.users.role}</th><th scope="col">${words.users.team}</th><th scope="col">${words.users.seen}</th><th scope="col"><span class="for-screen-readers">${words.desk.actions}</span></th></tr></thead>
        <tbody>${this.people.map((person) => html`
          <tr class=${person.revoked ? 'revoked' : ''}>
            <th scope="row"><bdi>${person.name}</bdi></th><td>${words.roles[person.role]}</td><td><bdi>${teamName(person.team)}</bdi></td>
            <td>${person.seen_at ? time(person.seen_at, 'minutes') : words.users.never}${person.has_code && !person.revoked ? html`<small>${words.users.hasCode}</small>` : nothing}</td>
            <td class="row-buttons">${person.revoked ? html`<span class="quiet">${words.users.revoked}</span>` : html`
              <button class="small" @click=${() => void this.renew(person.name)}>${words.users.newLink}<span class="for-screen-readers">: ${person.name}</span></button>
              <button class="small" @click=${() => void this.makeToken(person.name)}>${words.users.token}<span class="for-screen-readers">: ${person.name}</span></button>
              <button class="small" ?disabled=${person.name === this.me.name} @click=${() => this.ask({ kind: 'revoke', name: person.name })}>${words.users.revoke}<span class="for-screen-readers">: ${person.name}</span></button>`}</td>
          </tr>`)}</tbody>
      </table></div>`;
  }

  private addForm(contest: Contest): TemplateResult {
    return html`
      <form class="panel-box" id="add" @submit=${(event: SubmitEvent) => void this.add(event)}>
        <h2>${words.users.add}</h2>
        <label class="wide">${words.users.name}<input type="text" name="name" required maxlength="100" autocomplete="off"></label>
        <label class="wide">${words.users.role}<select name="role" .value=${this.chosenRole} @change=${(event: Event) => { this.chosenRole = (event.target as HTMLSelectElement).value as Role; this.requestUpdate(); }}>
          ${ROLES.map((role) => html`<option value=${role} ?selected=${role === this.chosenRole}>${words.roles[role]}</option>`)}</select></label>
        ${this.chosenRole === 'team' ? html`<label class="wide">${words.users.team}<select name="team" required>${contest.teams.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}</select></label>` : nothing}
        ${this.addProblem ? problemBox(this.addProblem, null) : nothing}
        <button class="main" type="submit">${words.users.addGo}</button>
      </form>`;
  }
}

customElements.define('users-page', UsersPage);
