// Questions and appeals of a submission, and their answers, as a thread.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { asProblem, path, postJson, type Problem } from '../api/client.ts';
import type { Note, NoteKind } from '../api/contest-types.ts';
import { announce } from '../parts/announcer.ts';
import { problemBox } from '../parts/problem-box.ts';
import { drafts } from './drafts.ts';
import { time } from './format.ts';
import { contestWords as words } from './words.ts';

const KINDS: Record<'team' | 'judge', readonly NoteKind[]> = { team: ['question', 'appeal'], judge: ['answer', 'decision'] };

export class NoteThread extends LitElement {
  static override properties = { submission: {}, notes: { attribute: false }, side: {} };
  declare submission: string;
  declare notes: readonly Note[];
  declare side: 'team' | 'judge';
  /** Told when a note was written, so that the page reads the submission again. */
  written: () => void = () => undefined;
  private kind: NoteKind | null = null;
  private problem: Problem | null = null;
  private isBusy = false;

  constructor() {
    super();
    this.submission = '';
    this.notes = [];
    this.side = 'team';
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private get draftKey(): string {
    return `note/${this.submission}`;
  }

  private async send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const field = this.querySelector('textarea');
    const text = field?.value.trim() ?? '';
    if (text === '' || this.isBusy || !field) return;
    this.isBusy = true;
    this.problem = null;
    this.requestUpdate();
    try {
      const note = await postJson<Note>(path('submissions', this.submission, 'notes'), { text, kind: this.kind ?? KINDS[this.side][0] });
      drafts.forget(this.draftKey);
      field.value = '';
      if (!this.notes.some(({ id }) => id === note.id)) this.notes = [...this.notes, note];
      announce(words.thread.sent);
      this.written();
    } catch (error) {
      this.problem = asProblem(error);
    } finally {
      this.isBusy = false;
      this.requestUpdate();
    }
  }

  protected override render(): TemplateResult {
    const kinds = KINDS[this.side];
    return html`
      <section class="panel-box thread">
        <h2>${words.thread.title} ${this.notes.length > 0 ? html`<span class="count">${this.notes.length}</span>` : nothing}</h2>
        ${this.notes.length === 0 ? html`<p class="quiet">${words.thread.empty}</p>` : html`<ol class="notes">${this.notes.map(noteItem)}</ol>`}
        <form @submit=${(event: SubmitEvent) => void this.send(event)}>
          <label class="wide">${words.thread.placeholder[this.side]}
            <textarea rows="2" required .value=${drafts.read(this.draftKey)} @input=${(event: Event) => drafts.keep(this.draftKey, (event.target as HTMLTextAreaElement).value)}></textarea></label>
          <div class="buttons">
            <label class="inline">${words.thread.kind}
              <select @change=${(event: Event) => { this.kind = (event.target as HTMLSelectElement).value as NoteKind; }}>${kinds.map((kind) => html`<option value=${kind}>${words.notes[kind]}</option>`)}</select></label>
            <button type="submit" ?disabled=${this.isBusy}>${words.thread.send}</button>
          </div>
          ${this.problem ? problemBox(this.problem, null) : nothing}
        </form>
      </section>`;
  }
}

function noteItem(note: Note): TemplateResult {
  return html`
    <li class=${`note ${note.role === 'team' ? 'theirs' : 'ours'}`}>
      <p class="note-head"><span class=${`tag ${note.kind}`}>${words.notes[note.kind] ?? note.kind}</span> <strong>${note.by}</strong> <time class="quiet" datetime=${note.at}>${time(note.at)}</time></p>
      <p class="note-text">${note.text}</p>
    </li>`;
}

customElements.define('note-thread', NoteThread);
