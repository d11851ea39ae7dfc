// A sentence for screen readers after each change, in one polite live region.

let region: HTMLElement | null = null;

export function announce(sentence: string): void {
  if (!region) {
    region = document.createElement('div');
    region.className = 'for-screen-readers';
    region.id = 'announcer';
    region.setAttribute('role', 'status');
    region.setAttribute('aria-live', 'polite');
    document.body.append(region);
  }
  region.textContent = sentence;
}
