// Who saves the transform and why.

import { html, nothing, type TemplateResult } from 'lit';
import { finish } from '../api/session.ts';
import { chosenText } from '../parts/download.ts';
import { problemBox } from '../parts/problem-box.ts';
import { words } from '../words.ts';
import type { OverlayModel } from './overlay-model.ts';

export function savePanel(model: OverlayModel): TemplateResult {
  const { saving, desk } = model;
  const canSave = saving.by.trim() !== '' && !saving.busy && desk.saves_to !== null;
  return html`
    <p class="quiet">${desk.contest ? words.save.inContest : desk.saves_to ? words.save.where(desk.saves_to) : words.save.nowhere}</p>
    <form @submit=${(event: Event) => { event.preventDefault(); if (canSave) void saving.save(); }}>
      <label class="wide">${words.save.by}
        <input id="save-by" type="text" autocomplete="name" required ?readonly=${desk.contest ?? false} .value=${saving.by}
          @input=${(event: Event) => { saving.by = (event.target as HTMLInputElement).value; model.refreshScreen(''); }}></label>
      <label class="wide">${words.save.reason}
        <textarea id="save-reason" rows="2" .value=${saving.reason}
          @input=${(event: Event) => { saving.reason = (event.target as HTMLTextAreaElement).value; }}></textarea></label>
      <div class="buttons">
        <button class="main" type="submit" id="save" ?disabled=${!canSave}>${saving.busy ? words.save.saving : words.save.save}</button>
        <label class="button">${words.save.load}
          <input type="file" class="for-screen-readers" accept=".json,.csv,.txt" @change=${(event: Event) => void chosenText(event).then((text) => (text === null ? undefined : saving.load(text)))}></label>
      </div>
    </form>
    ${desk.contest ? nothing : html`<p class="quiet">${words.finish.sentence}</p>
      <button @click=${() => void finish().catch((error: unknown) => model.failed(error))}>${words.finish.button}</button>`}
    ${saving.problem ? problemBox(saving.problem, null) : nothing}
    ${saving.savedElsewhere ? html`<p class="warning">${words.save.elsewhere}
      <button @click=${() => void saving.saveAnyway()}>${words.save.anyway}</button></p>` : nothing}
    ${saving.saved ? html`<p class="good" id="saved">${words.save.saved(saving.saved.saved_to ?? '')}</p>` : nothing}`;
}
