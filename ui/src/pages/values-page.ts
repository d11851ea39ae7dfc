// The grid of entered values: teams by criteria, with the keys of a spreadsheet.

import { html, nothing, type TemplateResult } from 'lit';
import { getJson, path, putJson } from '../api/client.ts';
import type { Contest, ContestNews, Role, ValueCell, ValuesTable } from '../api/contest-types.ts';
import type { EventKind } from '../api/events.ts';
import { ContestPage } from '../contest/contest-page.ts';
import { drafts } from '../contest/drafts.ts';
import { value } from '../contest/format.ts';
import { missingIn, reasonField } from '../contest/reason-field.ts';
import { ValuesGrid, type CellAddress, type Collision, type Typed } from '../contest/values-grid.ts';
import { missionTitle } from '../contest/submission-panels.ts';
import { contestWords as words } from '../contest/words.ts';
import { announce } from '../parts/announcer.ts';
import type { Binding } from '../parts/keymap.ts';

const CELLS = 'values/cells';
const REASON = 'values/reason';

export class ValuesPage extends ContestPage {
  protected readonly page = 'values';
  protected readonly roles: readonly Role[] = ['judge', 'admin'];
  private grid: ValuesGrid | null = null;
  private reason = drafts.read(REASON);
  private isBusy = false;

  /** The keys are those of the fields; they are listed here. */
  protected override bindings(): readonly Binding[] {
    const listed = (keys: string, does: string): Binding => ({ keys, does, matches: () => false, act: () => undefined });
    const { keys } = words.values;
    return [listed('← ↑ → ↓', keys.move), listed('Enter', keys.down), listed('Esc', keys.revert),
      { keys: 'Ctrl+S', does: keys.save, matches: (event) => event.key === 's' && (event.ctrlKey || event.metaKey), act: () => void this.save() }];
  }

  protected override concerns(kind: EventKind, _news: ContestNews): boolean {
    return kind === 'decision' || kind === 'submission';
  }

  protected async read(): Promise<void> {
    const table = await getJson<ValuesTable>(path('values'));
    if (this.grid) this.grid.renew(table);
    else this.grid = new ValuesGrid(table, typedBefore());
  }

  private changed(): void {
    if (this.grid) drafts.keep(CELLS, Object.keys(this.grid.typed()).length > 0 ? JSON.stringify(this.grid.typed()) : '');
    this.requestUpdate();
  }

  private async save(): Promise<void> {
    const { grid } = this;
    if (!grid || !this.canSave(grid)) return;
    const cells = grid.changes().map(({ submission, name, value: entered, version }) => ({ submission, name, value: entered, version, reason: this.reason.trim() }));
    this.isBusy = true;
    const saved = await this.act(async () => {
      await putJson(path('values'), { cells }, null);
      return words.values.saved(cells.length);
    });
    this.isBusy = false;
    if (!saved) {
      // Somebody else was faster: what they entered is shown beside what is typed here.
      if (this.actProblem?.status === 412) await this.follow();
      return;
    }
    this.reason = '';
    drafts.forget(REASON);
    await this.follow();
    grid.saved();
    this.changed();
  }

  private canSave(grid: ValuesGrid): boolean {
    return grid.changes().length > 0 && grid.refused().length === 0 && grid.collisions().length === 0 && missingIn(this.reason) === 0 && !this.isBusy;
  }

  private key(event: KeyboardEvent, grid: ValuesGrid): void {
    const field = event.target as HTMLInputElement;
    const atStart = field.selectionStart === 0 && field.selectionEnd === 0;
    const atEnd = field.selectionStart === field.value.length && field.selectionEnd === field.value.length;
    const isWhole = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    if (event.ctrlKey && event.key === 's') {
      event.preventDefault();
      void this.save();
      return;
    }
    if (event.key === 'Escape') {
      grid.revert(grid.cursor);
      this.changed();
      void this.updateComplete.then(() => field.select());
      return;
    }
    const moves: Record<string, readonly [number, number] | undefined> = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: event.shiftKey ? [-1, 0] : [1, 0],
      ArrowLeft: atStart || isWhole ? [0, -1] : undefined, ArrowRight: atEnd || isWhole ? [0, 1] : undefined,
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    grid.move(...move);
    this.focusCursor(grid);
  }

  private focusCursor(grid: ValuesGrid): void {
    const { row, column } = grid.cursor;
    this.querySelector<HTMLInputElement>(`input[data-at="${row},${column}"]`)?.focus();
  }

  private paste(event: ClipboardEvent, grid: ValuesGrid): void {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!/[\t\n]/.test(text)) return;
    event.preventDefault();
    announce(words.values.pasted(grid.paste(text)));
    this.changed();
  }

  protected content(contest: Contest): TemplateResult {
    const { grid } = this;
    if (!grid || grid.criteria.length === 0) return html`<section class="empty"><h1>${words.values.title}</h1><p>${words.values.none}</p></section>`;
    const changes = grid.changes().length;
    return html`
      <div class="page-head"><h1>${words.values.title}</h1><p class="quiet no-print">${words.values.help}</p>
        ${contest.settings.judges > 1 ? html`<p class="banner">${words.values.blind(contest.settings.judges)}</p>` : nothing}</div>
      <div class="scrolls grid-scroll">
        <table class="values-grid">
          <thead><tr><th scope="col">${words.board.team}</th>${grid.criteria.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
          <tbody>${grid.rows.map((line, row) => html`
            <tr><th scope="row"><bdi>${line.team}</bdi>${contest.missions.length > 1 && line.mission ? html`<small>${missionTitle(contest, line.mission)}</small>` : nothing}</th>${grid.criteria.map((criterion, column) => this.cell(grid, { row, column }, line.team, criterion.title, line.cells[criterion.name], contest))}</tr>`)}</tbody>
        </table>
      </div>
      ${grid.refused().map(({ row, column }) => html`<p class="problem-line">${words.values.refused(grid.rows[row].team, grid.criteria[column].title, words.refusals[grid.refusal({ row, column }) ?? 'not_a_number'])}</p>`)}
      ${grid.collisions().map((collision) => this.collision(grid, collision))}
      ${grid.emptied().length > 0 ? html`<p class="warning">${words.values.emptied}</p>` : nothing}
      <form class="save-bar no-print" @submit=${(event: Event) => { event.preventDefault(); void this.save(); }}>
        ${reasonField({ key: REASON, text: this.reason, label: words.values.reasonFor, change: (text) => { this.reason = text; this.requestUpdate(); } })}
        <div class="buttons"><button type="submit" class="main" id="save" ?disabled=${!this.canSave(grid)}>${words.values.save}</button> <span role="status" class="quiet">${words.values.changed(changes)}</span></div>
      </form>`;
  }

  /** What another judge entered meanwhile, beside what is typed here. */
  private collision(grid: ValuesGrid, { address, cell }: Collision): TemplateResult {
    const decide = (act: () => void): void => {
      act();
      this.changed();
    };
    const team = grid.rows[address.row].team;
    return html`
      <div class="problem-line collision" role="alert">
        <p><strong>${words.values.cell(team, grid.criteria[address.column].title)}</strong>: ${cell.by ? words.desk.theirs(cell.by, value(cell.value), cell.reason ?? '') : words.desk.theirsGone}</p>
        <div class="buttons"><button class="small" @click=${() => decide(() => grid.overwrite(address))}>${words.desk.overwrite}</button>
          <button class="small" @click=${() => decide(() => grid.revert(address))}>${words.desk.keepTheirs}</button></div>
      </div>`;
  }

  private cell(grid: ValuesGrid, address: CellAddress, team: string, title: string, cell: ValueCell | undefined, contest: Contest): TemplateResult {
    if (!grid.isOpen(address)) return html`<td class="quiet">${words.values.nothing}</td>`;
    const opinions = cell?.opinions ?? 0;
    return html`
      <td class=${grid.isChanged(address) ? 'changed' : ''}>
        <input type="text" inputmode="decimal" autocomplete="off" data-at=${`${address.row},${address.column}`} aria-label=${words.values.cell(team, title)}
          aria-invalid=${grid.refusal(address) ? 'true' : 'false'} .value=${grid.text(address)}
          @focus=${(event: FocusEvent) => { grid.cursor = address; (event.target as HTMLInputElement).select(); }}
          @input=${(event: Event) => { grid.set(address, (event.target as HTMLInputElement).value.replace(',', '.')); this.changed(); }}
          @keydown=${(event: KeyboardEvent) => this.key(event, grid)} @paste=${(event: ClipboardEvent) => this.paste(event, grid)}>
        ${contest.settings.judges > 1 ? html`<small>${words.values.opinions(opinions)}${typeof cell?.value === 'number' && opinions >= contest.settings.judges ? `, ${value(cell.value)}` : ''}</small>` : nothing}
      </td>`;
  }
}

function typedBefore(): Typed {
  try {
    return JSON.parse(drafts.read(CELLS) || '{}') as Typed;
  } catch {
    return {};
  }
}

customElements.define('values-page', ValuesPage);
