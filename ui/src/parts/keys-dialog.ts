// The list of keys, and the switch that turns them off.

import { html, type TemplateResult } from 'lit';
import { words } from '../words.ts';
import { keysAreOn, switchKeys, type Keymap } from './keymap.ts';

export function keysDialog(keymap: Keymap): TemplateResult {
  const close = (event: Event): void => (event.target as HTMLElement).closest('dialog')?.close();
  return html`
    <dialog id="keys" aria-label=${words.keys.title}>
      <h2>${words.keys.title}</h2>
      <label class="row">
        <input type="checkbox" .checked=${keysAreOn()}
          @change=${(event: Event) => switchKeys((event.target as HTMLInputElement).checked ? 'on' : 'off')}>
        ${words.keys.use}
      </label>
      <div class="scrolls" tabindex="0" role="region" aria-label=${words.keys.title}>${keymap.list()}</div>
      <button class="main" @click=${close}>${words.close}</button>
    </dialog>`;
}

export function openKeysDialog(): void {
  document.querySelector<HTMLDialogElement>('dialog#keys')?.showModal();
}
