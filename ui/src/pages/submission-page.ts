// One submission: for its team what was found and how far it is, for judges everything.

import { html, nothing, type TemplateResult } from 'lit';
import { getJson, path } from '../api/client.ts';
import type { Contest, ContestNews, Role, SubmissionDetail } from '../api/contest-types.ts';
import type { EventKind } from '../api/events.ts';
import { ContestPage } from '../contest/contest-page.ts';
import { framePanel, partsPanel, picturesPanel } from '../contest/judging-panels.ts';
import '../contest/note-thread.ts';
import { countsLine, filesPanel, findingsPanel, historyPanel, receiptPanel, stateTag, stepLine, submissionName } from '../contest/submission-panels.ts';
import { contestWords as words } from '../contest/words.ts';

export class SubmissionPage extends ContestPage {
  submissionId = '';
  protected readonly page = 'submission';
  protected readonly roles: readonly Role[] = ['team', 'judge', 'admin'];
  private detail: SubmissionDetail | null = null;

  protected override concerns(kind: EventKind, news: ContestNews): boolean {
    return kind !== 'review' && (news.subject === undefined || news.subject === this.submissionId || kind === 'decision' || kind === 'ranking');
  }

  protected async read(): Promise<void> {
    this.detail = await getJson<SubmissionDetail>(path('submissions', this.submissionId));
  }

  protected content(contest: Contest): TemplateResult {
    const { detail } = this;
    if (!detail) return html``;
    const id = encodeURIComponent(detail.id);
    return html`
      <div class="page-head">
        <h1><bdi>${submissionName(contest, detail)}</bdi> ${stateTag(detail)}</h1>
        ${this.isJudge ? html`<p class="buttons"><a class="button" href=${`/desk#${id}`}>${words.submission.desk}</a> <a class="button" href=${`/overlay/${id}`}>${words.submission.overlay}</a></p>` : nothing}
      </div>
      ${stepLine(detail, contest)}
      ${countsLine(detail)}
      <div class="detail-columns">
        <div>
          ${detail.parts.length > 0 || typeof detail.score === 'number' ? partsPanel(detail, null, contest) : nothing}
          ${findingsPanel(detail)}
          <note-thread .submission=${detail.id} .notes=${detail.notes} .side=${this.isJudge ? 'judge' : 'team'} .written=${() => this.followSoon()}></note-thread>
        </div>
        <div>
          ${picturesPanel(detail)}
          ${this.isJudge ? framePanel(detail, null) : nothing}
          ${filesPanel(detail.id, detail.files)}
          ${receiptPanel(detail)}
          ${historyPanel(detail)}
        </div>
      </div>`;
  }
}

customElements.define('submission-page', SubmissionPage);
