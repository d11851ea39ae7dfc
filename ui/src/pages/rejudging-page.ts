// A rejudging: what its draft changes, applied or dropped as a whole.

import { html, nothing, type TemplateResult } from 'lit';
import { getJson, path, postJson } from '../api/client.ts';
import type { Contest, ContestNews, Rejudging, Role } from '../api/contest-types.ts';
import type { EventKind } from '../api/events.ts';
import { ContestPage } from '../contest/contest-page.ts';
import { differenceTable } from '../contest/difference-table.ts';
import { time } from '../contest/format.ts';
import { contestWords as words } from '../contest/words.ts';

export class RejudgingPage extends ContestPage {
  rejudgingId = '';
  protected readonly page = 'rejudging';
  protected readonly roles: readonly Role[] = ['judge', 'admin'];
  private rejudging: Rejudging | null = null;
  private showsAll = false;

  protected override concerns(kind: EventKind, _news: ContestNews): boolean {
    return kind === 'job' || kind === 'decision' || kind === 'ranking';
  }

  protected async read(): Promise<void> {
    this.rejudging = await getJson<Rejudging>(path('rejudgings', this.rejudgingId));
  }

  private async decide(how: 'apply' | 'drop'): Promise<void> {
    await this.act(async () => {
      await postJson(path('rejudgings', this.rejudgingId, how), {});
      return how === 'apply' ? words.rejudging.said.applied : words.rejudging.said.dropped;
    });
    await this.follow();
  }

  protected content(_contest: Contest): TemplateResult {
    const { rejudging } = this;
    if (!rejudging) return html``;
    const isReady = rejudging.state === 'ready';
    return html`
      <div class="page-head">
        <h1>${words.rejudging.title} <span class=${`state-tag ${rejudging.state}`} id="state">${words.rejudging.states[rejudging.state]}</span></h1>
        <p>${rejudging.reason ?? ''} <span class="quiet">${rejudging.by ? words.rejudging.by(rejudging.by, time(rejudging.at)) : ''}</span></p>
      </div>
      ${rejudging.state === 'running' ? html`<p role="status" class="working">${words.rejudging.running}</p>` : nothing}
      ${rejudging.difference ? html`
        <section class="panel-box">
          ${differenceTable(rejudging.difference, this.showsAll)}
          <label class="row no-print"><input type="checkbox" .checked=${this.showsAll} @change=${() => { this.showsAll = !this.showsAll; this.requestUpdate(); }}> ${words.difference.showAll}</label>
        </section>` : nothing}
      <p class="quiet">${isReady ? words.rejudging.applyDetail : ''}</p>
      <div class="buttons no-print">
        ${isReady ? html`<button class="main" id="apply" @click=${() => void this.decide('apply')}>${words.rejudging.apply}</button>
          <button id="drop" @click=${() => void this.decide('drop')}>${words.rejudging.drop}</button>` : nothing}
        <a class="button" href="/desk">${words.rejudging.back}</a>
      </div>`;
  }
}

customElements.define('rejudging-page', RejudgingPage);
