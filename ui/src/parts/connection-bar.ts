// A bar over the page while the program does not answer; what is unsaved can be copied for the command line.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { asProblem, getJson, path } from '../api/client.ts';
import { listen, type Connection, type EventKind, type Listening } from '../api/events.ts';
import { words } from '../words.ts';
import { announce } from './announcer.ts';

const ASK_AGAIN_MS = 3000;

export class ConnectionBar extends LitElement {
  /** Text that would be lost, such as `--align 1,2,3,1`; null if everything is saved. */
  unsaved: () => string | null = () => null;
  received: (kind: EventKind, data: unknown) => void = () => undefined;
  /** A server comes back with its sessions; a program for one judge ends for good. */
  server: 'stays' | 'ends' = 'ends';
  private listening: Listening | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private state: Connection = navigator.onLine ? 'open' : 'lost';

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('offline', () => this.change('lost'));
    window.addEventListener('online', () => this.change('open'));
    this.listening = listen({ event: (kind, data) => this.heard(kind, data), connection: (state) => this.change(state) });
  }

  /** The program did not answer a request, or answered again. */
  noticed(state: Connection): void {
    this.change(state);
  }

  private heard(kind: EventKind, data: unknown): void {
    if (kind === 'resync' && this.server === 'ends') {
      this.received('review', null);
      this.received('frame', null);
    } else {
      this.received(kind, data);
    }
  }

  private change(told: Connection): void {
    const state = told === 'ended' && this.server === 'stays' ? 'lost' : told;
    if (this.state === state || (this.state === 'ended' && state === 'lost')) return;
    this.state = state;
    clearTimeout(this.timer);
    if (state === 'lost') this.askLater();
    announce(state === 'open' ? words.connection.back : this.sentence());
    if (state === 'open' && this.server === 'stays') this.received('resync', null);
    this.requestUpdate();
  }

  /** Asks until the program answers; a program that was started anew does not know this page. */
  private askLater(): void {
    this.timer = setTimeout(() => {
      getJson(path(this.server === 'stays' ? 'me' : 'desk')).then(
        () => {
          if (this.server === 'stays') this.listening?.reconnect();
          this.change('open');
        },
        (error: unknown) => {
          if (asProblem(error).isLost || this.server === 'stays') this.askLater();
          else this.change('ended');
        },
      );
    }, ASK_AGAIN_MS);
  }

  private sentence(): string {
    if (this.server === 'stays') return words.connection.lostServer;
    return this.state === 'ended' ? words.connection.ended : words.connection.lost;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.state === 'open') return nothing;
    const unsaved = this.unsaved();
    return html`
      <div class="connection-bar" role="alert">
        <span>${this.sentence()}</span>
        ${unsaved
          ? html`<label>${words.connection.unsaved} <input readonly .value=${unsaved} size="40"></label>
              <button @click=${() => void navigator.clipboard.writeText(unsaved)}>${words.connection.copy}</button>`
          : nothing}
        <button @click=${() => location.reload()}>${words.tryAgain}</button>
      </div>`;
  }
}

customElements.define('connection-bar', ConnectionBar);
