// Who entered a value, and why; neither while the opinions of others are hidden.

import { contestWords as words } from './words.ts';

export function enteredBy({ by, reason }: { readonly by: string | null; readonly reason: string | null }): string {
  return by === null ? words.board.enteredHidden : words.board.enteredBy(by, reason ?? '');
}
