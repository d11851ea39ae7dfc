// Keys of a page: one list is both what they do and what `?` shows. Single letters can be switched off.

import { html, type TemplateResult } from 'lit';
import { words } from '../words.ts';

export interface Binding {
  /** As printed on the keyboard, for the list. */
  readonly keys: string;
  readonly does: string;
  matches(event: KeyboardEvent): boolean;
  act(event: KeyboardEvent): void;
  /** Runs when the key is let go. */
  release?(): void;
}

const SETTING = 'mapjudge-keys';

export class Keymap {
  private held: Binding | null = null;

  constructor(private readonly bindings: readonly Binding[]) {}

  attach(): void {
    window.addEventListener('keydown', this.down);
    window.addEventListener('keyup', this.up);
  }

  detach(): void {
    window.removeEventListener('keydown', this.down);
    window.removeEventListener('keyup', this.up);
  }

  private readonly down = (event: KeyboardEvent): void => {
    if (!keysAreOn() || typesText(event) || document.querySelector('dialog[open]')) return;
    const binding = this.bindings.find((candidate) => candidate.matches(event));
    if (!binding) return;
    event.preventDefault();
    if (binding.release) {
      if (event.repeat) return;
      this.held = binding;
    }
    binding.act(event);
  };

  private readonly up = (): void => {
    this.held?.release?.();
    this.held = null;
  };

  list(): TemplateResult {
    return html`
      <table class="keys">
        <caption class="for-screen-readers">${words.keys.title}</caption>
        <thead><tr><th scope="col">${words.keys.key}</th><th scope="col">${words.keys.does}</th></tr></thead>
        <tbody>
          ${this.bindings.map((binding) => html`<tr><td><kbd>${binding.keys}</kbd></td><td>${binding.does}</td></tr>`)}
        </tbody>
      </table>`;
  }
}

export function keysAreOn(): boolean {
  return localStorage.getItem(SETTING) !== 'off';
}

export function switchKeys(on: 'on' | 'off'): void {
  localStorage.setItem(SETTING, on);
}

/** A letter without Ctrl, Meta or Alt; Shift does not matter. */
export function letter(name: string): (event: KeyboardEvent) => boolean {
  return (event) => event.key.toLowerCase() === name && !event.ctrlKey && !event.metaKey && !event.altKey;
}

export function withControl(name: string): (event: KeyboardEvent) => boolean {
  return (event) => event.key.toLowerCase() === name && (event.ctrlKey || event.metaKey) && !event.altKey;
}

export function isArrow(event: KeyboardEvent): boolean {
  return event.key.startsWith('Arrow') && !event.ctrlKey && !event.metaKey;
}

/** -1 for `[`, 1 for `]`, else 0; where a keyboard needs AltGr for brackets, AltGr counts as no modifier. */
export function bracket(event: KeyboardEvent): -1 | 0 | 1 {
  if (event.key === '[' || event.key === '{') return -1;
  if (event.key === ']' || event.key === '}') return 1;
  if (event.altKey && event.code === 'BracketLeft') return -1;
  return event.altKey && event.code === 'BracketRight' ? 1 : 0;
}

/** 1, with Shift 10, with Alt 0.1. */
export function stepFactor(event: KeyboardEvent): number {
  if (event.shiftKey) return 10;
  return event.altKey && !event.getModifierState('AltGraph') ? 0.1 : 1;
}

/** Where an arrow points: x to the right, y up. */
export function arrowDirection(event: KeyboardEvent): readonly [number, number] {
  const directions: Record<string, readonly [number, number]> = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
  };
  return directions[event.key] ?? [0, 0];
}

function typesText(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  if (target.type === 'range') return event.key.startsWith('Arrow');
  return !['checkbox', 'radio', 'file', 'button'].includes(target.type);
}
