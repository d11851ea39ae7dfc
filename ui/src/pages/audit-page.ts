// The audit: every event of the contest, the newest first.

import { html, nothing, type TemplateResult } from 'lit';
import { getJson, path, withQuery } from '../api/client.ts';
import type { AuditRow, Contest, ContestNews, Head, Role } from '../api/contest-types.ts';
import type { EventKind } from '../api/events.ts';
import { brokenLink, rowsFitting } from '../contest/audit-rows.ts';
import { ContestPage } from '../contest/contest-page.ts';
import { shortHash, time } from '../contest/format.ts';
import { contestWords as words } from '../contest/words.ts';

const PAGE = 200;

export class AuditPage extends ContestPage {
  protected readonly page = 'audit';
  protected readonly roles: readonly Role[] = ['judge', 'admin'];
  /** In the order of the chain, without gaps. */
  private rows: readonly AuditRow[] = [];
  private head: Head | null = null;
  private filter = '';

  protected override concerns(_kind: EventKind, _news: ContestNews): boolean {
    return true;
  }

  protected async read(): Promise<void> {
    if (this.rows.length === 0) {
      const seq = this.contest?.head.seq ?? 0;
      await this.fetchAfter(Math.max(0, seq - PAGE));
      return;
    }
    await this.fetchAfter(this.rows.at(-1)?.seq ?? 0);
  }

  private async fetchAfter(after: number): Promise<void> {
    const { items, head } = await getJson<{ items: AuditRow[]; head: Head }>(withQuery(path('audit'), { after, limit: PAGE }));
    this.head = head;
    this.merge(items);
  }

  private async earlier(): Promise<void> {
    const first = this.rows[0]?.seq ?? 1;
    const limit = Math.min(PAGE, first - 1);
    await this.act(async () => {
      const { items } = await getJson<{ items: AuditRow[] }>(withQuery(path('audit'), { after: first - 1 - limit, limit }));
      this.merge(items);
      return null;
    });
  }

  private merge(items: readonly AuditRow[]): void {
    const all = new Map([...this.rows, ...items].map((row) => [row.seq, row]));
    this.rows = [...all.values()].sort((a, b) => a.seq - b.seq);
  }

  protected content(_contest: Contest): TemplateResult {
    const broken = brokenLink(this.rows);
    const shown = rowsFitting(this.rows, this.filter, (kind) => words.events[kind] ?? kind);
    return html`
      <div class="page-head">
        <h1>${words.audit.title}</h1><p class="quiet">${words.audit.detail}</p>
        <p class="chain-head">${words.audit.head}: <strong>${this.head?.seq ?? 0}</strong> <code id="head">${this.head?.hash ?? ''}</code></p>
        ${broken === null ? html`<p class="good-line">${words.audit.holds(this.rows.length)}</p>` : html`<p class="problem-line">${words.audit.breaks(broken)}</p>`}
        <label class="wide filter no-print">${words.audit.filter}<input type="text" placeholder=${words.audit.filterHint} .value=${this.filter} @input=${(event: Event) => { this.filter = (event.target as HTMLInputElement).value; this.requestUpdate(); }}></label>
      </div>
      <div class="scrolls" tabindex="0" role="region" aria-label=${words.audit.title}>
      <table class="list-table audit">
        <thead><tr><th scope="col" class="number">${words.audit.seq}</th><th scope="col">${words.audit.at}</th><th scope="col">${words.audit.person}</th><th scope="col">${words.audit.what}</th><th scope="col">${words.audit.subject}</th><th scope="col">${words.audit.hash}</th></tr></thead>
        <tbody>${[...shown].reverse().map(auditRow)}</tbody>
      </table></div>
      ${shown.length === 0 ? html`<p>${words.audit.none}</p>` : nothing}
      ${(this.rows[0]?.seq ?? 1) > 1 ? html`<p class="no-print"><button @click=${() => void this.earlier()}>${words.audit.more}</button></p>` : nothing}`;
  }
}

function auditRow(row: AuditRow): TemplateResult {
  const body = row.body === null || row.body === undefined || JSON.stringify(row.body) === '{}' ? '' : JSON.stringify(row.body, null, 1);
  return html`
    <tr>
      <td class="number">${row.seq}</td><td><time datetime=${row.at}>${time(row.at)}</time></td><td><bdi>${row.person ?? ''}</bdi></td>
      <td>${words.events[row.kind] ?? row.kind}${body ? html`<details><summary>${words.audit.body}</summary><pre>${body}</pre></details>` : nothing}</td>
      <td><bdi>${row.subject ?? ''}</bdi></td><td><code title=${row.hash}>${shortHash(row.hash)}</code></td>
    </tr>`;
}

customElements.define('audit-page', AuditPage);
