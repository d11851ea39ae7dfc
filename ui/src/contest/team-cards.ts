// Cards to print and cut: one per team, with its link as text and as a QR code.

import { html, svg, type TemplateResult } from 'lit';
import type { Contest } from '../api/contest-types.ts';
import { qrPath } from './qr-code.ts';
import { contestWords as words } from './words.ts';

export interface Card {
  readonly title: string;
  readonly name: string;
  readonly link: string;
}

export function teamCards(contest: Contest, cards: readonly Card[]): TemplateResult {
  return html`
    <section class="cards" id="team-cards" aria-label=${words.users.cards}>
      <p class="no-print"><button class="main" @click=${() => window.print()}>${words.users.print}</button></p>
      <div class="card-sheet">${cards.map((card) => cardOf(contest, card))}</div>
    </section>`;
}

function cardOf(contest: Contest, { title, link }: Card): TemplateResult {
  const code = qrPath(link);
  return html`
    <article class="team-card">
      <div>
        <p class="quiet">${contest.name}</p>
        <h2><bdi>${title}</bdi></h2>
        <p>${words.users.card.open}</p>
        <p class="card-link"><code>${link}</code></p>
        <p class="quiet">${words.users.card.once}</p>
      </div>
      ${code ? html`<svg class="qr" viewBox=${`0 0 ${code.size} ${code.size}`} role="img" aria-label=${words.users.card.scan}>${svg`<path d=${code.path}></path>`}</svg>` : ''}
    </article>`;
}
