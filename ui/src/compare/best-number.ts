// Which of several values of one number is the best.

import type { LiveNumber } from '../api/types.ts';

/** Null if there is nothing to choose. */
export function bestOf(numbers: readonly (LiveNumber | null)[]): number | null {
  const values = numbers.flatMap((number) => (number && number.value !== null ? [number.value] : []));
  const better = numbers.find((number) => number)?.better;
  if (values.length < 2) return null;
  if (better === 'higher') return Math.max(...values);
  return better === 'lower' ? Math.min(...values) : null;
}
