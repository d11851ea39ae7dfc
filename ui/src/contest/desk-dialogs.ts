// What a judge is asked before something happens: which, why, and what it changes.

import { html, nothing, type TemplateResult } from 'lit';
import type { Contest, Difference, SubmissionDetail } from '../api/contest-types.ts';
import type { Problem } from '../api/client.ts';
import { problemBox } from '../parts/problem-box.ts';
import type { Act } from './acts.ts';
import { differenceTable } from './difference-table.ts';
import { drafts } from './drafts.ts';
import { missingIn, reasonField } from './reason-field.ts';
import { valueForm, type ValueForm } from './value-form.ts';
import { contestWords as words } from './words.ts';

export type DeskDialog =
  | { readonly kind: 'value'; readonly form: ValueForm; readonly name: string }
  | { readonly kind: 'counts'; readonly submission: SubmissionDetail; readonly name: string }
  | { readonly kind: 'rejudge'; readonly submission: SubmissionDetail | null; readonly name: string }
  | { readonly kind: 'publish'; readonly difference: Difference | null; readonly unverified: number }
  | { readonly kind: 'undo'; readonly act: Act }
  | { readonly kind: 'notice' }
  | { readonly kind: 'freeze' };

export interface DialogActs {
  readonly contest: Contest;
  readonly problem: Problem | null;
  readonly isBusy: boolean;
  /** What is typed; kept by the name of the dialog. */
  text(): string;
  type(text: string): void;
  confirm(): void;
  close(): void;
  release(submission: SubmissionDetail): void;
  scope: 'one' | 'all';
  setScope(scope: 'one' | 'all'): void;
  showsAll: boolean;
  toggleAll(): void;
}

export function titleOf(dialog: DeskDialog, contest: Contest): string {
  if (dialog.kind === 'freeze') return contest.frozen ? words.desk.unfreezeTitle : words.desk.freezeTitle;
  return { value: words.desk.enterTitle, counts: words.desk.countsTitle, rejudge: words.desk.rejudgeTitle, publish: words.desk.publishTitle, undo: words.desk.undoTitle, notice: words.desk.noticeTitle }[dialog.kind];
}

export function dialogKey(dialog: DeskDialog): string {
  if (dialog.kind === 'counts') return `counts/${dialog.submission.id}`;
  return dialog.kind === 'undo' ? `undo/${dialog.act.submission}` : dialog.kind;
}

export function deskDialog(dialog: DeskDialog | null, acts: DialogActs): TemplateResult {
  const title = dialog ? titleOf(dialog, acts.contest) : '';
  return html`
    <dialog id="act" aria-labelledby="act-title" class=${dialog?.kind === 'publish' ? 'broad' : ''} @close=${acts.close} @cancel=${acts.close}>
      ${dialog ? html`<h2 id="act-title">${title}</h2>${'name' in dialog ? html`<p class="dialog-subject"><bdi>${dialog.name}</bdi></p>` : nothing}
        ${acts.problem ? problemBox(acts.problem, null) : nothing}${bodyOf(dialog, acts)}` : nothing}
    </dialog>`;
}

function bodyOf(dialog: DeskDialog, acts: DialogActs): TemplateResult {
  switch (dialog.kind) {
    case 'value': return valueForm(dialog.form);
    case 'counts': return asked(acts, words.desk.letCount, 'reason', dialogKey(dialog), html`<p>${words.desk.countsDetail}</p>`,
      dialog.submission.counts ? html`<button type="button" class="left" ?disabled=${missingIn(acts.text()) > 0} @click=${() => acts.release(dialog.submission)}>${words.desk.release}</button>` : nothing);
    case 'rejudge': return asked(acts, words.desk.rejudgeGo, 'reason', dialogKey(dialog), rejudgeScope(dialog, acts));
    case 'publish': return asked(acts, words.desk.publishGo, 'note', dialogKey(dialog), publishBody(dialog, acts));
    case 'undo': return asked(acts, words.desk.undo, 'reason', dialogKey(dialog), html`<p>${words.desk.undoDetail(dialog.act.words)}</p>`);
    case 'notice': return asked(acts, words.desk.noticeGo, 'text', dialogKey(dialog), html``);
    case 'freeze': return asked(acts, acts.contest.frozen ? words.desk.unfreeze : words.desk.freeze, 'nothing', dialogKey(dialog), html`<p>${acts.contest.frozen ? words.desk.unfreezeDetail : words.desk.freezeDetail}</p>`);
  }
}

/** A form with at most one text, and the buttons. */
function asked(acts: DialogActs, go: string, asks: 'reason' | 'note' | 'text' | 'nothing', key: string, above: TemplateResult, left: TemplateResult | typeof nothing = nothing): TemplateResult {
  const text = acts.text();
  const isReady = !acts.isBusy && !(asks === 'note' && acts.contest.frozen) && (asks !== 'reason' || missingIn(text) === 0) && (asks !== 'text' || text.trim() !== '');
  const typed = (event: Event): void => {
    const { value } = event.target as HTMLTextAreaElement;
    drafts.keep(key, value);
    acts.type(value);
  };
  return html`
    <form @submit=${(event: Event) => { event.preventDefault(); if (isReady) acts.confirm(); }}>
      ${above}
      ${asks === 'reason' ? reasonField({ key, text, change: acts.type }) : nothing}
      ${asks === 'note' || asks === 'text' ? html`<label class="wide">${asks === 'note' ? words.desk.publishNote : words.desk.noticeText}<textarea rows="2" .value=${text} @input=${typed}></textarea></label>` : nothing}
      <div class="buttons dialog-buttons">${left}
        <button type="button" @click=${acts.close}>${words.cancel}</button>
        <button type="submit" class="main" id="confirm" ?disabled=${!isReady}>${go}</button>
      </div>
    </form>`;
}

function rejudgeScope({ submission, name }: { readonly submission: SubmissionDetail | null; readonly name: string }, acts: DialogActs): TemplateResult {
  const choice = (scope: 'one' | 'all', label: string): TemplateResult => html`<label class="row"><input type="radio" name="scope" .checked=${acts.scope === scope} @change=${() => acts.setScope(scope)}> ${label}</label>`;
  return html`
    <p>${words.desk.rejudgeDetail}</p>
    <fieldset class="plain-set"><legend>${words.desk.what}</legend>
      ${submission ? choice('one', words.desk.rejudgeOne(name)) : nothing}
      ${choice('all', words.desk.rejudgeAll)}
    </fieldset>`;
}

function publishBody(dialog: Extract<DeskDialog, { kind: 'publish' }>, acts: DialogActs): TemplateResult {
  const { difference, unverified } = dialog;
  return html`
    <p>${words.desk.publishDetail}</p>
    ${acts.contest.frozen ? html`<p class="warning">${words.desk.publishFrozen}</p>` : nothing}
    ${unverified > 0 && acts.contest.settings.verify ? html`<p class="warning">${words.desk.unverified(unverified)}</p>` : nothing}
    ${difference === null ? html`<div class="skeleton lines" role="status"><i></i><i></i><i></i></div>` : html`
      ${differenceTable(difference, acts.showsAll)}
      <label class="row"><input type="checkbox" .checked=${acts.showsAll} @change=${acts.toggleAll}> ${words.difference.showAll}</label>`}`;
}
