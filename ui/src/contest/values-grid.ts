// The grid of teams by entered criteria, with a cursor and edits as in a spreadsheet.

import type { Criterion, ValueCell, ValuesTable } from '../api/contest-types.ts';

export interface CellAddress {
  readonly row: number;
  readonly column: number;
}

export interface CellChange {
  readonly submission: string;
  readonly team: string;
  readonly name: string;
  readonly value: number;
  /** The version of the cell that was there when somebody began to type. */
  readonly version: number;
}

/** A cell in which somebody else entered something while this judge typed. */
export interface Collision {
  readonly address: CellAddress;
  readonly cell: ValueCell;
}

export type Refusal = 'not_a_number';

/** Texts that are typed and not yet saved, each with the version that it began from. */
export type Typed = Readonly<Record<string, readonly [string, number]>>;

export class ValuesGrid {
  cursor: CellAddress = { row: 0, column: 0 };
  /** Typed and not yet saved, by team, mission and criterion. */
  private readonly edits = new Map<string, string>();
  /** What was there when an edit began. */
  private readonly bases = new Map<string, number>();
  private table: ValuesTable;

  constructor(table: ValuesTable, typed: Typed = {}) {
    this.table = table;
    for (const [key, [text, version]] of Object.entries(typed)) {
      this.edits.set(key, text);
      this.bases.set(key, version);
    }
  }

  get criteria(): readonly Criterion[] {
    return this.table.criteria;
  }

  get rows(): ValuesTable['rows'] {
    return this.table.rows;
  }

  /** New values from the server; what is typed stays. */
  renew(table: ValuesTable): void {
    this.table = table;
    this.move(0, 0);
  }

  /** What the field shows: what is typed, else the own opinion, else the value. */
  text({ row, column }: CellAddress): string {
    const edit = this.edits.get(this.key(row, column));
    return edit ?? this.savedText({ row, column });
  }

  savedText({ row, column }: CellAddress): string {
    const cell = this.rows[row]?.cells[this.criteria[column]?.name];
    const saved = cell?.own ?? cell?.value;
    return typeof saved === 'number' ? String(saved) : '';
  }

  isChanged(address: CellAddress): boolean {
    return this.text(address).trim() !== this.savedText(address);
  }

  /** A team that has handed in nothing takes no value. */
  isOpen({ row }: CellAddress): boolean {
    return Boolean(this.rows[row]?.submission);
  }

  set({ row, column }: CellAddress, text: string): void {
    if (!this.isOpen({ row, column })) return;
    const key = this.key(row, column);
    if (text.trim() === this.savedText({ row, column })) {
      this.revert({ row, column });
      return;
    }
    if (!this.edits.has(key)) this.bases.set(key, this.version({ row, column }));
    this.edits.set(key, text);
  }

  /** Keeps what is there. */
  revert({ row, column }: CellAddress): void {
    this.edits.delete(this.key(row, column));
    this.bases.delete(this.key(row, column));
  }

  /** What is typed goes over what somebody else entered, knowingly. */
  overwrite({ row, column }: CellAddress): void {
    this.bases.set(this.key(row, column), this.version({ row, column }));
  }

  collisions(): readonly Collision[] {
    return this.addresses().flatMap((address) => {
      const cell = this.rows[address.row]?.cells[this.criteria[address.column]?.name];
      const base = this.bases.get(this.key(address.row, address.column));
      return cell && this.isChanged(address) && base !== undefined && base !== this.version(address) ? [{ address, cell }] : [];
    });
  }

  private version({ row, column }: CellAddress): number {
    return this.rows[row]?.cells[this.criteria[column]?.name]?.version ?? 0;
  }

  /** A block as spreadsheets copy it: tabs between columns, lines between rows. */
  paste(block: string): number {
    const lines = block.replace(/\r?\n$/, '').split(/\r?\n/);
    let taken = 0;
    for (const [down, line] of lines.entries()) {
      for (const [right, text] of line.split('\t').entries()) {
        const address = { row: this.cursor.row + down, column: this.cursor.column + right };
        if (address.row >= this.rows.length || address.column >= this.criteria.length || !this.isOpen(address)) continue;
        this.set(address, text.trim().replace(',', '.'));
        taken += 1;
      }
    }
    return taken;
  }

  move(down: number, right: number): void {
    const clamp = (value: number, count: number): number => Math.min(Math.max(value, 0), Math.max(count - 1, 0));
    this.cursor = { row: clamp(this.cursor.row + down, this.rows.length), column: clamp(this.cursor.column + right, this.criteria.length) };
  }

  /** Why the text is no value; null if it is one, or empty. */
  refusal(address: CellAddress): Refusal | null {
    const text = this.text(address).trim();
    return text === '' || Number.isFinite(Number(text)) ? null : 'not_a_number';
  }

  /** What is to be saved; cells that were emptied are not among it, since taking a value back needs a reason of its own. */
  changes(): readonly CellChange[] {
    return this.addresses().flatMap(({ row, column }) => {
      const { submission, team } = this.rows[row];
      const text = this.text({ row, column }).trim();
      if (!submission || text === '' || !this.isChanged({ row, column })) return [];
      const version = this.bases.get(this.key(row, column)) ?? this.version({ row, column });
      return [{ submission, team, name: this.criteria[column].name, value: Number(text), version }];
    });
  }

  emptied(): readonly CellAddress[] {
    return this.addresses().filter((address) => this.text(address).trim() === '' && this.savedText(address) !== '');
  }

  refused(): readonly CellAddress[] {
    return this.addresses().filter((address) => this.refusal(address) !== null);
  }

  saved(): void {
    this.edits.clear();
    this.bases.clear();
  }

  typed(): Typed {
    return Object.fromEntries([...this.edits].map(([key, text]) => [key, [text, this.bases.get(key) ?? 0]]));
  }

  private addresses(): readonly CellAddress[] {
    return this.rows.flatMap((_, row) => this.criteria.map((_criterion, column) => ({ row, column })));
  }

  private key(row: number, column: number): string {
    const { team = '', mission = '' } = this.rows[row] ?? {};
    return `${team}\n${mission ?? ''}\n${this.criteria[column]?.name ?? ''}`;
  }
}
