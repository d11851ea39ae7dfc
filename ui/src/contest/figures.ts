// The figures of a submission, as the judging drew them: a click opens one alone.

import { html, type TemplateResult } from 'lit';
import { path } from '../api/client.ts';

export function figures(submission: string, pictures: readonly { readonly name: string; readonly words: string }[]): readonly TemplateResult[] {
  return pictures.map(({ name, words }) => {
    const address = path('submissions', submission, 'pictures', name);
    return html`<figure><a href=${address} target="_blank" rel="noopener"><img src=${address} alt=${words} title=${words} loading="lazy"></a><figcaption class="quiet">${words}</figcaption></figure>`;
  });
}
