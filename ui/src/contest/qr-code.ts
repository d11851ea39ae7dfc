// QR code of a link (ISO/IEC 18004): bytes, error correction level M, versions 1 to 10. The mask is always 0: every reader
// takes each mask, and the same link gives the same picture.

import { checkBytes } from './reed-solomon.ts';

/** Per version: check bytes of a block, and the number of data bytes of each block (table 9, level M). */
const BLOCKS: readonly (readonly [number, readonly number[]])[] = [
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]],
];
/** Centres of the alignment patterns (annex E). */
const CENTRES: readonly (readonly number[])[] = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
];
const QUIET_ZONE = 4;
const MASK = 0;

export interface QrPath {
  /** Of the whole image, with the quiet zone, in modules. */
  readonly size: number;
  /** Dark modules as squares of an SVG path. */
  readonly path: string;
}

/** Null for a text that is too long. */
export function qrPath(text: string): QrPath | null {
  const modules = qrModules(text);
  if (!modules) return null;
  const squares = modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : [])));
  return { size: modules.length + 2 * QUIET_ZONE, path: squares.join('') };
}

export function qrModules(text: string): readonly (readonly boolean[])[] | null {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex(([, blocks], index) => bytes.length <= capacity(blocks, index + 1)) + 1;
  if (version === 0) return null;
  const grid = new ModuleGrid(version);
  grid.placeBits(codewords(bytes, version));
  return grid.rows();
}

function lengthBits(version: number): number {
  return version < 10 ? 8 : 16;
}

function capacity(blocks: readonly number[], version: number): number {
  const total = blocks.reduce((sum, count) => sum + count, 0);
  return Math.floor((total * 8 - 4 - lengthBits(version)) / 8);
}

/** Mode, length, data, padding, cut into blocks with their check bytes, interleaved (7.4 to 7.6). */
function codewords(bytes: readonly number[], version: number): readonly number[] {
  const [checkCount, blocks] = BLOCKS[version - 1];
  const total = blocks.reduce((sum, count) => sum + count, 0);
  const bits: number[] = [];
  const write = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push(value >> bit & 1);
  };
  write(0b0100, 4);
  write(bytes.length, lengthBits(version));
  for (const byte of bytes) write(byte, 8);
  write(0, Math.min(4, total * 8 - bits.length));
  write(0, (8 - bits.length % 8) % 8);
  for (let pad = 0xec; bits.length < total * 8; pad ^= 0xec ^ 0x11) write(pad, 8);
  const data = Array.from({ length: total }, (_, at) => bits.slice(at * 8, at * 8 + 8).reduce((byte, bit) => byte << 1 | bit, 0));
  let from = 0;
  const parts = blocks.map((count) => data.slice(from, from += count));
  const checks = parts.map((part) => checkBytes(part, checkCount));
  return [...interleaved(parts), ...interleaved(checks)];
}

function interleaved(blocks: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(...blocks.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => blocks.flatMap((block) => (at < block.length ? [block[at]] : []))).flat();
}

class ModuleGrid {
  private readonly size: number;
  private readonly dark: boolean[][];
  private readonly fixed: boolean[][];

  constructor(private readonly version: number) {
    this.size = 17 + 4 * version;
    this.dark = Array.from({ length: this.size }, () => new Array<boolean>(this.size).fill(false));
    this.fixed = Array.from({ length: this.size }, () => new Array<boolean>(this.size).fill(false));
    this.placeTiming();
    this.placeFinders();
    this.placeAlignment();
    this.placeFormat();
    this.placeVersion();
  }

  rows(): readonly (readonly boolean[])[] {
    return this.dark;
  }

  private set(x: number, y: number, dark: boolean): void {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.dark[y][x] = dark;
    this.fixed[y][x] = true;
  }

  private placeTiming(): void {
    for (let at = 0; at < this.size; at += 1) {
      this.set(6, at, at % 2 === 0);
      this.set(at, 6, at % 2 === 0);
    }
  }

  private placeFinders(): void {
    for (const [x, y] of [[3, 3], [this.size - 4, 3], [3, this.size - 4]]) {
      for (let dy = -4; dy <= 4; dy += 1) {
        for (let dx = -4; dx <= 4; dx += 1) {
          const ring = Math.max(Math.abs(dx), Math.abs(dy));
          this.set(x + dx, y + dy, ring !== 2 && ring !== 4);
        }
      }
    }
  }

  private placeAlignment(): void {
    const centres = CENTRES[this.version - 1];
    const last = this.size - 7;
    for (const y of centres) {
      for (const x of centres) {
        if ((x === 6 && y === 6) || (x === last && y === 6) || (x === 6 && y === last)) continue;
        for (let dy = -2; dy <= 2; dy += 1) {
          for (let dx = -2; dx <= 2; dx += 1) this.set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
        }
      }
    }
  }

  /** Level M and the mask with their check bits, twice (7.9). */
  private placeFormat(): void {
    const bits = formatBits(MASK);
    const bit = (at: number): boolean => (bits >> at & 1) === 1;
    for (let at = 0; at <= 5; at += 1) this.set(8, at, bit(at));
    this.set(8, 7, bit(6));
    this.set(8, 8, bit(7));
    this.set(7, 8, bit(8));
    for (let at = 9; at < 15; at += 1) this.set(14 - at, 8, bit(at));
    for (let at = 0; at < 8; at += 1) this.set(this.size - 1 - at, 8, bit(at));
    for (let at = 8; at < 15; at += 1) this.set(8, this.size - 15 + at, bit(at));
    this.set(8, this.size - 8, true);
  }

  /** The version with its check bits, twice, from version 7 on (7.10). */
  private placeVersion(): void {
    if (this.version < 7) return;
    const bits = this.version << 12 | remainder(this.version, 12, 0x1f25);
    for (let at = 0; at < 18; at += 1) {
      const dark = (bits >> at & 1) === 1;
      const [across, along] = [this.size - 11 + at % 3, Math.floor(at / 3)];
      this.set(across, along, dark);
      this.set(along, across, dark);
    }
  }

  /** Two columns at a time, from the right, up and down by turns; mask 0 turns every other module (7.7.3). */
  placeBits(bytes: readonly number[]): void {
    let bit = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      const isUpward = ((right + 1) & 2) === 0;
      for (let step = 0; step < this.size; step += 1) {
        const y = isUpward ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.fixed[y][x]) continue;
          const dark = bit < bytes.length * 8 && (bytes[bit >> 3] >> (7 - (bit & 7)) & 1) === 1;
          this.dark[y][x] = dark !== ((x + y) % 2 === 0);
          bit += 1;
        }
      }
    }
  }
}

/** Fifteen bits: level M (00), mask, ten check bits, combined with a fixed pattern. */
export function formatBits(mask: number): number {
  return (mask << 10 | remainder(mask, 10, 0x537)) ^ 0x5412;
}

/** Of the value shifted by so many bits, divided by a polynomial over GF(2). */
function remainder(value: number, bits: number, polynomial: number): number {
  let rest = value;
  for (let step = 0; step < bits; step += 1) rest = rest << 1 ^ (rest >> (bits - 1) & 1 ? polynomial : 0);
  return rest & ((1 << bits) - 1);
}
