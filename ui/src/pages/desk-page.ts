// The judges' desk: the queue on the left, the submission with everything that can be done to it on the right.

import { html, nothing, type TemplateResult } from 'lit';
import { asProblem, deleteJson, getJson, path, postJson, putJson, readAll, type Problem } from '../api/client.ts';
import type { Contest, ContestNews, Criterion, Difference, Listed, Rejudging, Role, Submission, SubmissionDetail } from '../api/contest-types.ts';
import type { EventKind } from '../api/events.ts';
import { Acts, letCount, valueEntered, verify } from '../contest/acts.ts';
import { closeDialog, ContestPage, openDialog, skeleton } from '../contest/contest-page.ts';
import { deskDialog, dialogKey, type DeskDialog } from '../contest/desk-dialogs.ts';
import { deskDetail } from '../contest/desk-detail.ts';
import { drafts } from '../contest/drafts.ts';
import { neighbour, queueList, type QueueFilter } from '../contest/queue-list.ts';
import { submissionName } from '../contest/submission-panels.ts';
import { ValueEntry } from '../contest/value-entry.ts';
import { contestWords as words } from '../contest/words.ts';
import { announce } from '../parts/announcer.ts';
import { letter, type Binding } from '../parts/keymap.ts';

/** Where the list lies beside the submission, not above it. */
const BESIDE = '(min-width: 901px)';

export class DeskPage extends ContestPage {
  protected readonly page = 'desk';
  protected readonly roles: readonly Role[] = ['judge', 'admin'];
  private items: readonly Submission[] = [];
  private waiting = 0;
  private attention = 0;
  private rejudgings: readonly Rejudging[] = [];
  private filter: QueueFilter = 'attention';
  private wantedFilter: QueueFilter = 'attention';
  private selected: string | null = decodeURIComponent(location.hash.slice(1)) || null;
  private detail: SubmissionDetail | null = null;
  private readonly acts = new Acts();
  private dialog: DeskDialog | null = null;
  private dialogProblem: Problem | null = null;
  private isBusy = false;
  private typed = '';
  private scope: 'one' | 'all' = 'one';
  private showsAll = false;

  protected override bindings(): readonly Binding[] {
    const key = (name: string, does: string, act: () => void): Binding => ({ keys: name.toUpperCase(), does, matches: letter(name), act });
    const { keys } = words.desk;
    return [
      key('j', keys.next, () => this.step(1)), key('k', keys.previous, () => this.step(-1)),
      key('o', keys.overlay, () => this.openOverlay()), key('v', keys.verify, () => void this.verify()),
      key('e', keys.enter, () => this.enterValue(null)), key('c', keys.counts, () => this.chooseCounts()),
      key('r', keys.rejudge, () => this.rejudge()), key('p', keys.publish, () => void this.publish()), key('u', keys.undo, () => this.takeBack()),
    ];
  }

  protected override concerns(kind: EventKind, _news: ContestNews): boolean {
    return kind !== 'review';
  }

  protected async read(): Promise<void> {
    const wanted = this.wantedFilter;
    const [{ items, waiting, attention }, rejudgings] = await Promise.all([this.readItems(wanted), getJson<Listed<Rejudging>>(path('rejudgings'))]);
    this.items = items;
    this.filter = wanted;
    this.waiting = waiting;
    this.attention = attention;
    this.rejudgings = rejudgings.items;
    this.selected ??= items[0]?.id ?? null;
    if (this.dialog?.kind === 'publish') await this.readDraft();
    if (this.selected !== null) this.detail = await getJson<SubmissionDetail>(path('submissions', this.selected));
  }

  private async readItems(filter: QueueFilter): Promise<{ items: readonly Submission[]; waiting: number; attention: number }> {
    const queue = await getJson<{ items: Submission[]; waiting: number }>(path('queue'));
    const attention = queue.items.length;
    if (filter === 'attention') return { ...queue, attention };
    const items = [...await readAll<Submission>(path('submissions'), {})].reverse();
    return { items, waiting: queue.waiting, attention };
  }

  private step(by: 1 | -1): void {
    const next = neighbour(this.items, this.selected, by);
    if (next) this.select(next.id);
  }

  private select(id: string): void {
    this.selected = id;
    history.replaceState(null, '', `#${encodeURIComponent(id)}`);
    void this.act(async () => {
      const detail = await getJson<SubmissionDetail>(path('submissions', id));
      if (this.selected !== id) return null;
      this.detail = detail;
      return this.contest ? submissionName(this.contest, detail) : null;
    }).then(() => {
      // Beside the list the page shows the submission from its beginning.
      if (window.matchMedia(BESIDE).matches) window.scrollTo({ top: 0 });
      this.querySelector(`[data-id="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' });
    });
    this.requestUpdate();
  }

  /** The list changes when it is there, so that no click meets another row than the one that was aimed at. */
  private setFilter(filter: QueueFilter): void {
    this.wantedFilter = filter;
    void this.follow();
  }

  private name(one: SubmissionDetail): string {
    return this.contest ? submissionName(this.contest, one) : one.id;
  }

  private openOverlay(): void {
    if (this.detail) location.assign(`/overlay/${encodeURIComponent(this.detail.id)}`);
  }

  private async verify(): Promise<void> {
    const { detail } = this;
    if (!detail || detail.times.verified || detail.state === 'broken' || !detail.times.measured) return;
    const done = await this.act(async () => {
      this.acts.add(await verify(detail, words.desk.acts.verify(this.name(detail))));
      return words.desk.said.verified(this.name(detail));
    });
    if (!done && this.actProblem?.status === 412) announce(words.desk.said.changed);
    await this.follow();
  }

  private enterValue(name: string | null): void {
    const { detail, contest } = this;
    if (!detail || !contest) return;
    const criteria = enterable(contest, detail);
    const missing = criteria.find((criterion) => !detail.values.some((value) => value.name === criterion.name));
    const criterion = criteria.find((known) => known.name === name) ?? missing ?? criteria[0];
    if (!criterion) return;
    const entry = ValueEntry.of(detail, criterion, () => this.requestUpdate());
    this.show({
      kind: 'value', name: this.name(detail),
      form: {
        entry, criteria, measured: detail.parts.find((part) => part.name === criterion.name)?.measured ?? null,
        choose: (other) => this.enterValue(other),
        save: () => void this.saveValue(entry, detail),
        remove: () => void this.removeValue(entry),
        keepTheirs: () => { entry.forget(); this.close(); void this.follow(); },
        close: () => this.close(),
      },
    });
  }

  private async saveValue(entry: ValueEntry, detail: SubmissionDetail): Promise<void> {
    if (!await entry.save()) return;
    const what = words.desk.acts.value(entry.criterion.title, this.name(detail));
    this.acts.add(valueEntered(detail, entry.criterion.name, what));
    this.close();
    announce(words.desk.said.entered(what));
    await this.follow();
  }

  private async removeValue(entry: ValueEntry): Promise<void> {
    if (!await entry.remove()) return;
    this.close();
    await this.follow();
  }

  private chooseCounts(): void {
    if (this.detail) this.show({ kind: 'counts', submission: this.detail, name: this.name(this.detail) });
  }

  private rejudge(): void {
    this.scope = this.detail ? 'one' : 'all';
    this.show({ kind: 'rejudge', submission: this.detail, name: this.detail ? this.name(this.detail) : '' });
  }

  private async publish(): Promise<void> {
    this.show({ kind: 'publish', difference: null, unverified: 0 });
    await this.readDraft();
  }

  /** What a publication would change; read again when a newer ranking was made while the judge looks at it. */
  private async readDraft(): Promise<void> {
    try {
      const [difference, { items }] = await Promise.all([getJson<Difference>(path('publications', 'draft')), getJson<Listed<Submission>>(path('queue'))]);
      if (this.dialog?.kind !== 'publish') return;
      this.dialog = { kind: 'publish', difference, unverified: items.filter((one) => one.counts && one.attention.includes('to_verify')).length };
    } catch (error) {
      this.dialogProblem = asProblem(error);
    }
    this.requestUpdate();
  }

  private takeBack(): void {
    if (this.acts.last) this.show({ kind: 'undo', act: this.acts.last });
    else announce(words.desk.said.nothingToTakeBack);
  }

  private show(dialog: DeskDialog): void {
    const isNew = this.dialog === null;
    this.dialog = dialog;
    this.dialogProblem = null;
    this.typed = drafts.read(dialogKey(dialog));
    this.requestUpdate();
    if (isNew) void this.updateComplete.then(() => openDialog('act'));
  }

  private close(): void {
    if (this.dialog === null) return;
    this.dialog = null;
    closeDialog('act');
    this.requestUpdate();
  }

  private async confirm(): Promise<void> {
    const { dialog } = this;
    if (!dialog || this.isBusy) return;
    this.isBusy = true;
    this.dialogProblem = null;
    this.requestUpdate();
    try {
      const said = await this.done(dialog, this.typed.trim());
      drafts.forget(dialogKey(dialog));
      this.close();
      announce(said);
      await this.follow();
    } catch (error) {
      this.dialogProblem = asProblem(error);
      announce(`${this.dialogProblem.title}. ${this.dialogProblem.detail}`);
    } finally {
      this.isBusy = false;
      this.requestUpdate();
    }
  }

  /** Does what the dialog asked about; returns what to say. */
  private async done(dialog: DeskDialog, text: string): Promise<string> {
    const { said } = words.desk;
    switch (dialog.kind) {
      case 'counts': {
        const name = this.name(dialog.submission);
        this.acts.add(await letCount(dialog.submission, text, words.desk.acts.counts(name)));
        return said.counted(name);
      }
      case 'rejudge': {
        const submissions = this.scope === 'one' && dialog.submission ? [dialog.submission.id] : 'all';
        const { id } = await postJson<{ id: string }>(path('rejudgings'), { submissions, reason: text });
        location.assign(`/desk/rejudgings/${encodeURIComponent(id)}`);
        return words.rejudging.title;
      }
      case 'publish': {
        const ranking = dialog.difference?.to_ranking;
        await postJson(path('publications'), { ...(ranking === undefined ? {} : { ranking }), ...(text ? { note: text } : {}) });
        return said.published;
      }
      case 'undo': {
        const act = await this.acts.takeBack(text);
        return said.takenBack(act?.words ?? '');
      }
      case 'notice':
        await postJson(path('notices'), { text });
        return said.notice;
      case 'freeze': {
        const frozen = !this.contest?.frozen;
        await putJson(path('freeze'), { frozen }, null);
        return frozen ? said.frozen : said.unfrozen;
      }
      case 'value':
        return '';
    }
  }

  private async release(submission: SubmissionDetail): Promise<void> {
    const reason = this.typed.trim();
    this.close();
    await this.act(async () => { await deleteJson(path('submissions', submission.id, 'counts'), { reason }); return words.desk.release; });
    await this.follow();
  }

  private contestActs(contest: Contest): TemplateResult {
    return html`
      <div class="desk-bar">
        <h1>${words.nav.desk}</h1>
        <div class="tools" role="toolbar" aria-label=${words.desk.actions}>
          <button id="undo" ?disabled=${this.acts.last === null} @click=${() => this.takeBack()}>${words.desk.undo} <kbd>U</kbd></button>
          <button id="notice" @click=${() => this.show({ kind: 'notice' })}>${words.desk.notice}</button>
          ${this.me.role === 'admin' ? html`<button id="freeze" @click=${() => this.show({ kind: 'freeze' })}>${contest.frozen ? words.desk.unfreeze : words.desk.freeze}</button>` : nothing}
          <button id="rejudge" @click=${() => this.rejudge()}>${words.desk.rejudge} <kbd>R</kbd></button>
          <button class="main" id="publish" @click=${() => void this.publish()}>${words.desk.publish} <kbd>P</kbd></button>
        </div>
      </div>`;
  }

  protected override dialogs(): TemplateResult | typeof nothing {
    const { contest } = this;
    if (!contest) return nothing;
    return deskDialog(this.dialog, {
      contest, problem: this.dialogProblem, isBusy: this.isBusy, scope: this.scope, showsAll: this.showsAll,
      text: () => this.typed,
      type: (text) => { this.typed = text; this.requestUpdate(); },
      confirm: () => void this.confirm(), close: () => this.close(), release: (submission) => void this.release(submission),
      setScope: (scope) => { this.scope = scope; this.requestUpdate(); },
      toggleAll: () => { this.showsAll = !this.showsAll; this.requestUpdate(); },
    });
  }

  protected content(contest: Contest): TemplateResult {
    return html`
      ${this.contestActs(contest)}
      <div class="desk-columns">
        <aside class="desk-queue" aria-label=${words.desk.queue}>
          ${queueList({ contest, items: this.items, waiting: this.waiting, attention: this.attention, selected: this.selected, filter: this.filter, select: (id) => this.select(id), setFilter: (filter) => this.setFilter(filter) })}
          ${this.rejudgingList()}
          <p class="queue-links"><a href="/team">${words.desk.handIn}</a></p>
        </aside>
        <section class="desk-detail" aria-label=${words.submission.title}>${this.right(contest)}</section>
      </div>`;
  }

  private rejudgingList(): TemplateResult | typeof nothing {
    const open = this.rejudgings.filter(({ state }) => state === 'running' || state === 'ready');
    if (open.length === 0) return nothing;
    return html`<h3>${words.desk.rejudgings}</h3><ul class="plain-list">${open.map(({ id, state, reason }) => html`<li><a href=${`/desk/rejudgings/${encodeURIComponent(id)}`}>${reason || id}</a> <span class="quiet">${words.rejudging.states[state]}</span></li>`)}</ul>`;
  }

  private right(contest: Contest): TemplateResult {
    const { detail } = this;
    if (this.selected === null) return html`<div class="empty"><h2>${words.desk.nothing}</h2><p>${words.desk.nothingDetail}</p></div>`;
    if (!detail || detail.id !== this.selected) return skeleton();
    return deskDetail(detail, {
      contest, openOverlay: `/overlay/${encodeURIComponent(detail.id)}`, verify: () => void this.verify(), enter: (name) => this.enterValue(name),
      counts: () => this.chooseCounts(), follow: () => this.followSoon(),
    });
  }
}

/** What judges are asked for, then every other part: a judge's value goes over a measured one, with a reason. */
function enterable(contest: Contest, detail: SubmissionDetail): readonly Criterion[] {
  const others = detail.parts.filter(({ name }) => !contest.criteria.some((one) => one.name === name));
  return [...contest.criteria, ...others.map(({ name, title }) => ({ name, title, about: '', required: false }))];
}

customElements.define('desk-page', DeskPage);
