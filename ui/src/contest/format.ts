// Numbers, times, sizes and hashes as the pages of a contest show them.

import { fixed } from '../parts/number-format.ts';

/** Digits behind the point for a column of scores, so that all of them line up. */
export function scoreDigits(scores: readonly (number | null | undefined)[]): number {
  const largest = Math.max(0, ...scores.map((score) => Math.abs(score ?? 0)));
  return largest >= 10 ? 2 : 4;
}

/** Of one score that stands alone. */
export function singleDigits(value: number): number {
  return value === 0 ? 0 : scoreDigits([value]);
}

export function score(value: number | null | undefined, digits = 2): string {
  return fixed(value, digits);
}

/** A measured or entered value: a number, a list of them, text, or nothing. */
export function value(what: unknown): string {
  if (what === null || what === undefined) return '–';
  if (typeof what === 'number') return String(Number(what.toPrecision(5)));
  if (Array.isArray(what)) return what.length === 0 ? '(none)' : what.map(value).join(', ');
  if (typeof what === 'boolean') return what ? 'yes' : 'no';
  return typeof what === 'string' ? what : JSON.stringify(what);
}

export function change(before: number | null, after: number | null, digits: number): string {
  return before === after ? score(after, digits) : `${score(before, digits)} → ${score(after, digits)}`;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const SHORT_CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** The time of day; another day than today's stands before it. */
export function time(at: string | null | undefined, precision: 'seconds' | 'minutes' = 'seconds', now = new Date()): string {
  if (!at) return '–';
  const then = new Date(at);
  if (Number.isNaN(then.getTime())) return at;
  const clock = (precision === 'seconds' ? CLOCK : SHORT_CLOCK).format(then);
  return then.toDateString() === now.toDateString() ? clock : `${DAY.format(then)}, ${clock}`;
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} bytes`;
  const units = ['KiB', 'MiB', 'GiB'];
  let size = count / 1024;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size < 10 ? size.toFixed(1) : size.toFixed(0)} ${units[unit]}`;
}

export function shortHash(hash: string | null | undefined): string {
  return hash ? hash.slice(0, 12) : '–';
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
