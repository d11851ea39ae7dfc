// What went wrong: title, detail, hint, and a button that tries again.

import { html, nothing, type TemplateResult } from 'lit';
import type { ProblemText } from '../api/types.ts';
import { words } from '../words.ts';

export function problemBox(problem: ProblemText, tryAgain: (() => void) | null): TemplateResult {
  return html`
    <div class="problem" role="alert">
      <h2>${problem.title}</h2>
      ${problem.detail ? html`<p>${problem.detail}</p>` : nothing}
      ${problem.hint ? html`<p><strong>${words.hint}</strong> ${problem.hint}</p>` : nothing}
      ${tryAgain ? html`<button @click=${tryAgain}>${words.tryAgain}</button>` : nothing}
    </div>`;
}
