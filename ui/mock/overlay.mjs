// Invented answers for maps on a truth: close enough in form and behaviour to develop the pages against.

import { differencePng, LEGEND, levelsOf, roomsPlane, TILE, tilePng } from './rooms.mjs';

const CELL_SIZE_M = 0.05;
/** Where the second to fourth map truly lie. */
const TRUE_PLACES = [
  { x_m: 1.2, y_m: -0.8, theta_rad: 0.06, scale: 1 },
  { x_m: -0.6, y_m: 0.4, theta_rad: -0.03, scale: 1 },
  { x_m: 0.3, y_m: 0.9, theta_rad: 0.12, scale: 1.02 },
];
const PAIRS_NEEDED = { move: 1, turn: 2, scale: 2 };
const POLYNOMIAL_NEEDS = [4, 7, 11];

export class OverlayMock {
  constructor(size) {
    this.maps = new Map();
    for (const [index, id] of ['truth', '1', '2', '3'].entries()) this.maps.set(id, makeMap(id, index, size));
    this.frames = new Map();
  }

  desk() {
    const broken = { ...this.info('3'), id: '4', name: 'team_d/broken.yaml', geometry: null,
      findings: [{ code: 'IMAGE_MISSING', level: 'error', message: 'the image map.pgm does not exist', hint: 'put it beside the YAML file' }],
      problem: { title: 'The map cannot be read', detail: 'team_d/broken.yaml names the image map.pgm, which does not exist.', hint: 'Put the image beside the YAML file.' } };
    return { kind: 'overlay', tool: { name: 'mapjudge', version: '0.0.0' }, start: '/overlay/1', truth: this.info('truth'),
      maps: [...['1', '2', '3'].map((id) => this.info(id)), broken], saves_to: 'frame.json', reviewer: null };
  }

  info(id) {
    const { plane, levels, name } = this.maps.get(id);
    return { id, name, blake3: `mock-${id}`, geometry: { width: plane.width, height: plane.height, cell_size_m: CELL_SIZE_M,
      origin: { x_m: 0, y_m: 0, theta_rad: 0 } }, levels: levels.length, tile: TILE,
    findings: id === '2' ? [{ code: 'TRINARY', level: 'note', message: 'the map has three values', hint: null }] : [],
    problem: null, frame: this.frames.get(id)?.truth_from_map ?? { x_m: 0, y_m: 0, theta_rad: 0, scale: 1 },
    frame_source: this.frames.has(id) ? 'saved' : 'identity' };
  }

  tile(id, which, level, column, row, ink) {
    const map = this.maps.get(which === 'truth' ? 'truth' : id);
    const plane = map?.levels[level];
    return plane ? tilePng(plane, column, row, ink) : null;
  }

  difference(id, query) {
    const number = (name) => Number(query.get(name));
    const window = { west: number('west'), south: number('south'), cell: number('cell'), width: number('width'), height: number('height') };
    const scale = number('scale') || 1;
    const cos = Math.cos(number('theta'));
    const sin = Math.sin(number('theta'));
    const mapFromTruth = (x, y) => {
      const dx = (x - number('x')) / scale;
      const dy = (y - number('y')) / scale;
      return [cos * dx + sin * dy, -sin * dx + cos * dy];
    };
    const base = this.maps.get(query.get('on') ?? 'truth') ?? this.maps.get('truth');
    return differencePng(base, this.maps.get(id), window, mapFromTruth);
  }

  live(id, { truth_from_map, exact }) {
    const place = this.maps.get(id).place;
    const error = Math.hypot(truth_from_map.x_m - place.x_m, truth_from_map.y_m - place.y_m)
      + 8 * Math.abs(truth_from_map.theta_rad - place.theta_rad) + 20 * Math.abs(truth_from_map.scale - place.scale);
    const psi = 0.9 * Math.exp(-error / 3) + (exact ? 0 : 0.002);
    const number = (name, title, unit, better, value, digits) => ({ id: name, title, unit, better, value, digits: value === null ? 'undefined' : value.toFixed(digits), reasons: [] });
    return { exact, pooled_by: exact ? 1 : 2, seconds: exact ? 0.08 : 0.011, numbers: [
      number('image_similarity', 'Image similarity (Psi)', '1', 'higher', psi, 4),
      number('picture_distance', 'Picture distance', 'cells', 'lower', 40 * (1 - psi), 3),
      number('overall_error', 'Overall error', 'cells', 'lower', Math.round(20000 * (1 - psi)), 0),
      number('coverage', 'Coverage', '1', 'higher', 0.6 + 0.3 * psi, 4),
      { ...number('wall_score', 'Wall score S', '1', 'higher', null, 4), reasons: ['NO_OCCUPIED_MAP'] },
    ] };
  }

  fit({ pairs, motion, degree }) {
    const on = pairs.filter((pair) => pair.on);
    const needed = motion === 'polynomial' ? POLYNOMIAL_NEEDS[(degree ?? 1) - 1] : PAIRS_NEEDED[motion];
    const formula = 'rms = sqrt(sum r^2 / n)';
    if (on.length < needed) {
      return { truth_from_map: null, refused: { reason: `${needed} pairs are needed, ${on.length} are on`, pairs_needed: needed },
        rms_m: null, formula, residuals: pairs.map(() => null), bent: null };
    }
    const transform = fitted(on, motion);
    const lengths = (chosen, place) => chosen.map((pair) => residual(pair, place));
    const residuals = pairs.map((pair) => {
      const others = on.filter((other) => other !== pair);
      const [dx_m, dy_m] = residual(pair, transform);
      const left = others.length >= needed && pair.on ? Math.hypot(...residual(pair, fitted(others, motion))) : null;
      return { dx_m, dy_m, length_m: Math.hypot(dx_m, dy_m), length_cells: Math.hypot(dx_m, dy_m) / CELL_SIZE_M, if_left_out_m: left };
    });
    const rms_m = Math.sqrt(lengths(on, transform).reduce((sum, [x, y]) => sum + x * x + y * y, 0) / on.length);
    return { truth_from_map: transform, refused: null, rms_m, formula, residuals, bent: motion === 'polynomial' ? bentGrid(this.info('1').geometry, transform) : null };
  }

  align(id) {
    const place = this.maps.get(id).place;
    const certificate = { verdict: 'certain', score: 0.91, second_score: 0.55, value: 0.8, mirror: 'not_mirrored', mirror_score: 0.41, overlap: 0.87,
      slide: { direction_rad: 0, forward_m: 1.5, backward_m: 0.5 }, covariance: null, residual_m: 0.02 };
    const rival = (dx, score) => ({ truth_from_map: { ...place, x_m: place.x_m + dx, theta_rad: place.theta_rad + (dx ? Math.PI / 2 : 0) }, score });
    return { alignment: { method: 'frame_probe', truth_from_map: place, certificate, hypotheses: [rival(0, 0.91), rival(2, 0.55), rival(-3, 0.52)] },
      words: 'certain: no other place fits nearly as well', seconds: 0.42 };
  }

  climb(id, { truth_from_map }) {
    const place = this.maps.get(id).place;
    const near = Math.hypot(truth_from_map.x_m - place.x_m, truth_from_map.y_m - place.y_m) < 3;
    return { truth_from_map: near ? place : truth_from_map, score_before: 0.62, score_after: near ? 0.91 : 0.62, steps: near ? 14 : 0 };
  }

  layers(id) {
    const middle = (this.maps.get('truth').plane.width * CELL_SIZE_M) / 2;
    const point = (x, y, label, state) => ({ shape: 'point', points: [[middle + x, middle + y]], label, state });
    const hostile = '<img src=x onerror=alert(1)>';
    return { layers: [
      { name: 'victims', title: 'Victims', frame: 'truth', items: [point(-4, 3, 'v1', 'found'), point(6, -5, hostile, 'missing')] },
      { name: 'paths', title: 'Paths', frame: 'map', items: [{ shape: 'line', points: [[middle - 8, middle], [middle + 2, middle], [middle + 8, middle + 3]], label: 'robot 1' }] },
      { name: 'barrels', title: 'Barrels', frame: 'truth', items: [{ shape: 'circle', points: [[middle - 2, middle - 6]], radius_m: 0.5, state: 'found' }] },
    ], id };
  }

  rooms(id) {
    const middle = (this.maps.get('truth').plane.width * CELL_SIZE_M) / 2;
    const square = (x, y, label) => ({ shape: 'area', points: [[middle + x, middle + y], [middle + x + 4, middle + y], [middle + x + 4, middle + y + 4], [middle + x, middle + y + 4]], label });
    return { name: 'rooms', title: 'rooms', frame: id === 'truth' ? 'truth' : 'map', items: [square(-8, 2, 'room 1'), square(-4, 2, 'room 2'), square(3, -8, 'room 3')] };
  }

  legend() {
    return LEGEND;
  }
}

function makeMap(id, index, size) {
  const plane = roomsPlane(size, index);
  const name = id === 'truth' ? 'truth.yaml' : `team_${'abc'[index - 1]}/map.yaml`;
  return { name, plane, levels: levelsOf(plane), cellSize: CELL_SIZE_M, place: TRUE_PLACES[index - 1] };
}

function residual({ map, truth }, { x_m, y_m, theta_rad, scale }) {
  const cos = Math.cos(theta_rad) * scale;
  const sin = Math.sin(theta_rad) * scale;
  return [truth[0] - (cos * map[0] - sin * map[1] + x_m), truth[1] - (sin * map[0] + cos * map[1] + y_m)];
}

/** Least squares of a translation, a rigid motion or a similarity. */
function fitted(pairs, motion) {
  const mean = (side, axis) => pairs.reduce((sum, pair) => sum + pair[side][axis], 0) / pairs.length;
  const [mx, my, tx, ty] = [mean('map', 0), mean('map', 1), mean('truth', 0), mean('truth', 1)];
  let dot = 0;
  let cross = 0;
  let square = 0;
  for (const { map, truth } of pairs) {
    const [ax, ay, bx, by] = [map[0] - mx, map[1] - my, truth[0] - tx, truth[1] - ty];
    dot += ax * bx + ay * by;
    cross += ax * by - ay * bx;
    square += ax * ax + ay * ay;
  }
  const theta_rad = motion === 'move' ? 0 : Math.atan2(cross, dot);
  const scale = motion === 'scale' && square > 0 ? Math.hypot(dot, cross) / square : 1;
  const cos = Math.cos(theta_rad) * scale;
  const sin = Math.sin(theta_rad) * scale;
  return { x_m: tx - (cos * mx - sin * my), y_m: ty - (sin * mx + cos * my), theta_rad, scale };
}

function bentGrid({ width, height, cell_size_m }, { x_m, y_m, theta_rad }) {
  const place = (x, y) => {
    const bent = x + 0.02 * (y - 20) ** 2 / 10;
    return [Math.cos(theta_rad) * bent - Math.sin(theta_rad) * y + x_m, Math.sin(theta_rad) * bent + Math.cos(theta_rad) * y + y_m];
  };
  const steps = [...Array(11).keys()].map((index) => index / 10);
  const east = width * cell_size_m;
  const north = height * cell_size_m;
  const grid = [...steps.map((u) => steps.map((v) => place(u * east, v * north))), ...steps.map((v) => steps.map((u) => place(u * east, v * north)))];
  return { grid, folds: false, psi_after: 0.87, penalty_m: 0.12, lengths_m: [0, 0.05, 0.11], outline: [place(0, 0), place(east, 0), place(east, north), place(0, north)] };
}
