// Drop zone, the list of files that are asked for, progress, receipt.

import { html, nothing, type TemplateResult } from 'lit';
import type { Contest, Mission, SubmissionDetail } from '../api/contest-types.ts';
import { download } from '../parts/download.ts';
import { problemBox } from '../parts/problem-box.ts';
import type { FileCheck, RuleState } from './file-list.ts';
import { bytes, percent } from './format.ts';
import { droppedFiles, type Upload } from './upload.ts';
import { contestWords as words } from './words.ts';

export interface UploadState {
  readonly contest: Contest;
  readonly mission: Mission;
  readonly upload: Upload;
  readonly last: SubmissionDetail | null;
  readonly quota: { readonly left: number; readonly total: number } | null;
  send(upload: Upload): void;
}

export function uploadPanel(state: UploadState): TemplateResult {
  const { mission, upload, last, quota } = state;
  const check = upload.check(last);
  return html`
    <section class="panel-box upload" id="upload">
      <h2>${words.team.title}</h2>
      ${mission.is_open ? nothing : html`<p class="warning">${words.team.closedWarning}</p>`}
      ${dropZone(upload)}
      ${rulesTable(check)}
      ${last && (last.files ?? []).length > 0 ? html`<label class="row"><input type="checkbox" .checked=${upload.keeps} @change=${(event: Event) => upload.keep((event.target as HTMLInputElement).checked)}> ${words.team.keep(last.number)}</label>` : nothing}
      ${chosenFiles(upload, check)}
      ${check.problems.map((problem) => html`<p class="problem-line">${problemWords(problem, state.contest)}</p>`)}
      ${upload.picked.length > 0 && check.rules.some((rule) => rule.state === 'missing') ? html`<p class="warning">${words.team.missing}</p>` : nothing}
      <div class="send-line">
        <button class="main large" id="send" ?disabled=${!check.canSend || upload.sent !== null} @click=${() => state.send(upload)}>${upload.sent === null ? words.team.send : words.team.sending(percent(upload.sent))}</button>
        <span class="quiet">${upload.picked.length > 0 ? words.team.total(upload.picked.length, bytes(check.bytes)) : quota ? words.team.quota(quota.left, quota.total) : ''}</span>
      </div>
      ${upload.sent !== null ? html`<progress max="1" .value=${upload.sent} aria-label=${words.team.sending('')}></progress>` : nothing}
      ${upload.problem ? problemBox(upload.problem, () => state.send(upload)) : nothing}
      ${upload.receipt ? receiptBox(upload) : nothing}
    </section>`;
}

function dropZone(upload: Upload): TemplateResult {
  const over = (event: DragEvent): void => {
    event.preventDefault();
    (event.currentTarget as HTMLElement).classList.add('over');
  };
  const out = (event: DragEvent): void => (event.currentTarget as HTMLElement).classList.remove('over');
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    out(event);
    if (event.dataTransfer) void droppedFiles(event.dataTransfer).then((files) => upload.pick(files));
  };
  return html`
    <div class="drop" @dragover=${over} @dragleave=${out} @drop=${dropped}>
      <svg class="icon huge" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 16V4 M7 9l5-5 5 5 M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3"></path></svg>
      <p><strong>${words.team.drop}</strong></p>
      <div class="buttons">
        <label class="button">${words.team.chooseFiles}<input id="files" class="for-screen-readers" type="file" multiple @change=${(event: Event) => chosen(event, upload)}></label>
        <label class="button">${words.team.chooseFolder}<input id="folder" class="for-screen-readers" type="file" webkitdirectory multiple @change=${(event: Event) => chosen(event, upload)}></label>
      </div>
    </div>`;
}

function chosen(event: Event, upload: Upload): void {
  const field = event.target as HTMLInputElement;
  upload.pick([...(field.files ?? [])]);
  field.value = '';
}

const RULE_SHAPES: Record<RuleState['state'], string> = { chosen: 'M3.500 8.500l3 3 6-7', kept: 'M3.500 8.500l3 3 6-7', missing: 'M4.500 4.500l7 7 M11.500 4.500l-7 7', optional: 'M5 8h6' };

function rulesTable(check: FileCheck): TemplateResult {
  return html`
    <table class="rules">
      <caption>${words.team.asked}</caption>
      <tbody>${check.rules.map(({ rule, files, kept, state }) => html`
        <tr class=${state}>
          <td><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${RULE_SHAPES[state]}></path></svg></td>
          <th scope="row"><code>${rule.pattern}</code> <span class="quiet">${rule.required ? words.required : words.optional}</span><small>${!rule.words || rule.words.includes(rule.pattern) ? rule.role : rule.words}</small></th>
          <td class="rule-state">${words.team.states[state]}${[...files, ...(state === 'kept' ? kept : [])].map((name) => html`<small><bdi>${name}</bdi></small>`)}</td>
        </tr>`)}
      </tbody>
    </table>`;
}

function chosenFiles(upload: Upload, check: FileCheck): TemplateResult | typeof nothing {
  if (upload.picked.length === 0) return nothing;
  return html`
    <details class="chosen" ?open=${check.others.length > 0}>
      <summary>${words.team.chosen} (${upload.picked.length})</summary>
      <ul>${upload.picked.map(({ name, file }) => html`<li><bdi>${name}</bdi> <span class="quiet">${bytes(file.size)}</span>
        <button class="small" aria-label=${words.team.remove(name)} @click=${() => upload.unpick(name)}>×</button></li>`)}</ul>
      ${check.others.length > 0 ? html`<p class="quiet">${words.team.others} <bdi>${check.others.join(', ')}</bdi></p>` : nothing}
      <button class="small" @click=${() => upload.clear()}>${words.team.clear}</button>
    </details>`;
}

function problemWords(problem: FileCheck['problems'][number], { limits }: Contest): string {
  if (problem.kind === 'file_bytes') return words.team.problems.file_bytes(problem.name, bytes(limits.file_bytes));
  return problem.kind === 'files' ? words.team.problems.files(limits.files) : words.team.problems.submission_bytes(bytes(limits.submission_bytes));
}

function receiptBox({ receipt }: Upload): TemplateResult | typeof nothing {
  if (!receipt) return nothing;
  return html`
    <div class="receipt-box" id="receipt" role="status">
      <h3>${words.team.receipt}</h3>
      <p>${words.team.receiptDetail(receipt.number)}</p>
      <p class="quiet">${words.team.seq} ${receipt.receipt.seq}, <code>${receipt.receipt.hash}</code></p>
      <button @click=${() => download(`receipt-${receipt.receipt.seq}.json`, JSON.stringify(receipt, null, 2), 'application/json')}>${words.team.saveReceipt}</button>
    </div>`;
}
