// The automatic alignment: verdict, certificate, rivals, and the climb from here.

import { html, nothing, type TemplateResult } from 'lit';
import type { AlignAnswer, Certificate } from '../api/types.ts';
import { degrees } from '../map/geometry.ts';
import { fixed, seconds } from '../parts/number-format.ts';
import { words } from '../words.ts';
import type { OverlayModel } from './overlay-model.ts';

export function automaticPanel(model: OverlayModel): TemplateResult {
  const { automatic } = model;
  const { climbed } = automatic;
  return html`
    <div class="buttons">
      <button ?disabled=${automatic.busy !== null} @click=${() => void automatic.align()}>
        ${automatic.busy === 'align' ? words.automatic.aligning : words.automatic.align}</button>
      <button ?disabled=${automatic.busy !== null} @click=${() => void automatic.climb()}>
        ${automatic.busy === 'climb' ? words.automatic.climbing : words.automatic.climb}</button>
    </div>
    ${climbed ? html`<p id="climbed">${words.automatic.climbed(fixed(climbed.score_before, 4), fixed(climbed.score_after, 4))}</p>` : nothing}
    ${automatic.answer ? answerPart(model, automatic.answer) : nothing}`;
}

function answerPart(model: OverlayModel, answer: AlignAnswer): TemplateResult {
  const { alignment } = answer;
  const { certificate, hypotheses } = alignment;
  const shown = model.automatic.shown;
  return html`
    <p class="verdict" id="verdict">${answer.words}</p>
    <p class="quiet">${words.automatic.method(alignment.method, seconds(answer.seconds))}</p>
    ${certificateTable(certificate)}
    ${hypotheses.length === 0 ? nothing : html`
      <div class="buttons stepper" role="group" aria-label=${words.automatic.hypotheses}>
        <button @click=${() => model.automatic.step(-1)}>${words.automatic.previous}</button>
        <span>${words.automatic.hypothesis(shown + 1, hypotheses.length, fixed(hypotheses[shown]?.score, 4))}
          ${hypotheses[shown]?.mirrored ? words.automatic.mirrored : ''}</span>
        <button @click=${() => model.automatic.step(1)}>${words.automatic.next}</button>
      </div>`}`;
}

function certificateTable(certificate: Certificate): TemplateResult {
  const { slide } = certificate;
  const rows: readonly (readonly [string, string])[] = [
    [words.automatic.score, fixed(certificate.score, 4)],
    [words.automatic.second, fixed(certificate.second_score, 4)],
    [words.automatic.value, fixed(certificate.value, 4)],
    [words.automatic.overlap, fixed(certificate.overlap, 4)],
    [words.automatic.mirror, `${certificate.mirror.replaceAll('_', ' ')} (${fixed(certificate.mirror_score, 4)})`],
  ];
  return html`
    <table class="plain">
      <tbody>
        ${rows.map(([title, value]) => html`<tr><th scope="row">${title}</th><td>${value}</td></tr>`)}
        ${slide ? html`<tr><th scope="row">${words.automatic.slide}</th><td>${words.automatic.slideWords(
          fixed(slide.forward_m, 2), fixed(slide.backward_m, 2), fixed(degrees(slide.direction_rad), 0))}</td></tr>` : nothing}
      </tbody>
    </table>`;
}
