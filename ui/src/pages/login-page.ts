// The one-time link: its code stands behind the # and never reaches a log.

import { html, LitElement, type TemplateResult } from 'lit';
import { asProblem, getJson, path, postJson, type Problem } from '../api/client.ts';
import type { Me } from '../api/contest-types.ts';
import { problemBox } from '../parts/problem-box.ts';
import { words } from '../words.ts';

export class LoginPage extends LitElement {
  private problem: Problem | null = null;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = words.titles.login;
    const code = decodeURIComponent(location.hash.slice(1));
    history.replaceState(null, '', location.pathname);
    if (code) void this.enter(code);
  }

  private async enter(code: string): Promise<void> {
    this.problem = null;
    this.requestUpdate();
    try {
      const answer = await postJson<{ start?: string } | null>(path('login'), { code });
      location.replace(answer?.start ?? await startOf());
    } catch (error) {
      this.problem = asProblem(error);
      this.requestUpdate();
    }
  }

  protected override render(): TemplateResult {
    const entered = (event: SubmitEvent): void => {
      event.preventDefault();
      const field = (event.target as HTMLFormElement).querySelector('input');
      if (field?.value) void this.enter(field.value.split('#').pop() ?? '');
    };
    return html`
      <main class="card">
        <h1 class="login-title"><img src="/assets/favicon.svg" alt="" width="32" height="32">${words.tool}</h1>
        <p>${words.login.sentence}</p>
        ${this.problem ? problemBox(this.problem, null) : ''}
        <form @submit=${entered}>
          <label class="wide">${words.login.code}<input type="text" autocomplete="off" required></label>
          <button class="main" type="submit">${words.login.open}</button>
        </form>
      </main>`;
  }
}

/** In a contest everybody begins where the own work is. */
async function startOf(): Promise<string> {
  const { role } = await getJson<Me>(path('me'));
  if (role === 'team') return '/team';
  return role === 'judge' || role === 'admin' ? '/desk' : '/';
}

customElements.define('login-page', LoginPage);
