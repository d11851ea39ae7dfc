// Invented maps: rooms along corridors, drawn as cells, pooled into levels and cut into palette PNG tiles.

import { crc32, deflateSync } from 'node:zlib';

export const TILE = 1024;
const UNKNOWN = 0;
const FREE = 1;
const WALL = 2;

const INKS = {
  truth: [[0, 0, 0], [0xee, 0xf3, 0xf9], [0x1b, 0x4f, 0x8a]],
  map: [[0, 0, 0], [0xfd, 0xf1, 0xea], [0xc8, 0x50, 0x1e]],
  plain: [[0, 0, 0], [0xff, 0xff, 0xff], [0x22, 0x22, 0x22]],
};

export const LEGEND = [
  { map: 'unknown', truth: 'unknown', colour: '#d9d9d9', words: 'unknown in both' },
  { map: 'free', truth: 'free', colour: '#ffffff', words: 'free in both' },
  { map: 'free', truth: 'unknown', colour: '#fbead9', words: 'free in the map, unknown in the truth' },
  { map: 'unknown', truth: 'free', colour: '#ddecf6', words: 'free in the truth, unknown in the map' },
  { map: 'occupied', truth: 'occupied', colour: '#1a1a1a', words: 'wall in both' },
  { map: 'occupied', truth: 'unknown', colour: '#f1b289', words: 'wall in the map, unknown in the truth' },
  { map: 'unknown', truth: 'occupied', colour: '#86c0e2', words: 'wall in the truth, unknown in the map' },
  { map: 'occupied', truth: 'free', colour: '#d55e00', words: 'extra wall: only in the map' },
  { map: 'free', truth: 'occupied', colour: '#0072b2', words: 'missing wall: only in the truth' },
];

/** A square of rooms; `seed` 0 is the truth, others miss doors and a corner. */
export function roomsPlane(size, seed) {
  const cells = new Uint8Array(size * size);
  const room = Math.max(40, Math.round(size / 10));
  const wall = Math.max(2, Math.round(size / 400));
  const margin = Math.round(size / 20);
  for (let row = margin; row < size - margin; row += 1) {
    for (let column = margin; column < size - margin; column += 1) {
      cells[row * size + column] = classAt(row - margin, column - margin, size - 2 * margin, room, wall, seed);
    }
  }
  return { width: size, height: size, cells };
}

function classAt(row, column, span, room, wall, seed) {
  if (seed > 0 && row + column > span * (1.75 - 0.05 * seed)) return UNKNOWN;
  const outer = row < wall || column < wall || row >= span - wall || column >= span - wall;
  if (outer) return WALL;
  const corridor = Math.abs(row - span / 2) < room / 3;
  if (corridor) return FREE;
  const inRow = row % room;
  const inColumn = column % room;
  const number = Math.floor(row / room) * 31 + Math.floor(column / room) * 17;
  const door = Math.abs(inRow - room / 2) < room / 8 || Math.abs(inColumn - room / 2) < room / 8;
  const walled = inRow < wall || inColumn < wall;
  if (walled && !(door && (number + seed) % 3 !== 0)) return WALL;
  const pillar = number % 4 === 0 && Math.hypot(inRow - room / 3, inColumn - room / 3) < room / 14;
  return pillar ? WALL : FREE;
}

/** Cells pooled by 2^level; a wall wins over free, free over unknown. */
export function levelsOf(plane) {
  const levels = [plane];
  while (Math.max(levels.at(-1).width, levels.at(-1).height) > TILE) levels.push(pooled(levels.at(-1)));
  return levels;
}

function pooled({ width, height, cells }) {
  const next = { width: Math.ceil(width / 2), height: Math.ceil(height / 2), cells: null };
  next.cells = new Uint8Array(next.width * next.height);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const at = (row >> 1) * next.width + (column >> 1);
      const cell = cells[row * width + column];
      if (cell > next.cells[at]) next.cells[at] = cell;
    }
  }
  return next;
}

export function tilePng(level, column, row, ink) {
  const left = column * TILE;
  const top = row * TILE;
  const width = Math.min(TILE, level.width - left);
  const height = Math.min(TILE, level.height - top);
  if (width <= 0 || height <= 0) return null;
  const indices = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    indices.set(level.cells.subarray((top + y) * level.width + left, (top + y) * level.width + left + width), y * width);
  }
  return palettePng(width, height, indices, INKS[ink] ?? INKS.plain, [0, 255, 255]);
}

/** The nine colours of truth and map in a window of the truth's frame. */
export function differencePng(truth, map, window, mapFromTruth) {
  const order = { '0,0': 0, '1,1': 1, '1,0': 2, '0,1': 3, '2,2': 4, '2,0': 5, '0,2': 6, '2,1': 7, '1,2': 8 };
  const indices = new Uint8Array(window.width * window.height);
  for (let row = 0; row < window.height; row += 1) {
    for (let column = 0; column < window.width; column += 1) {
      const x = window.west + (column + 0.5) * window.cell;
      const y = window.south + (window.height - row - 0.5) * window.cell;
      const key = `${cellAt(map, ...mapFromTruth(x, y))},${cellAt(truth, x, y)}`;
      indices[row * window.width + column] = order[key];
    }
  }
  const palette = LEGEND.map(({ colour }) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));
  return palettePng(window.width, window.height, indices, palette, []);
}

function cellAt({ plane, cellSize }, x, y) {
  const column = Math.floor(x / cellSize);
  const row = plane.height - 1 - Math.floor(y / cellSize);
  if (column < 0 || row < 0 || column >= plane.width || row >= plane.height) return UNKNOWN;
  return plane.cells[row * plane.width + column];
}

function palettePng(width, height, indices, palette, alphas) {
  const lines = Buffer.alloc(height * (width + 1));
  for (let row = 0; row < height; row += 1) lines.set(indices.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const chunks = [chunk('IHDR', header), chunk('PLTE', Buffer.from(palette.flat()))];
  if (alphas.length > 0) chunks.push(chunk('tRNS', Buffer.from(alphas)));
  chunks.push(chunk('IDAT', deflateSync(lines, { level: 1 })), chunk('IEND', Buffer.alloc(0)));
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...chunks]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
