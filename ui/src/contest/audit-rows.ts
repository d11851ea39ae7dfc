// Which events are shown, and whether they follow from each other.

import type { AuditRow } from '../api/contest-types.ts';

/** The number of the first event that does not name the hash of the one before it; null if all do. */
export function brokenLink(rows: readonly AuditRow[]): number | null {
  for (let index = 1; index < rows.length; index += 1) {
    const [before, row] = [rows[index - 1], rows[index]];
    if (row.seq !== before.seq + 1) return row.seq;
    if (row.prev !== undefined && row.prev !== null && row.prev !== before.hash) return row.seq;
  }
  return null;
}

/** Rows that hold every word of the filter, in any case. */
export function rowsFitting(rows: readonly AuditRow[], filter: string, say: (kind: string) => string): readonly AuditRow[] {
  const wanted = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return rows;
  return rows.filter((row) => {
    const text = `${row.seq} ${row.person ?? ''} ${row.kind} ${say(row.kind)} ${row.subject ?? ''}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
