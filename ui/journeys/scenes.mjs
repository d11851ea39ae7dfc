// What the real program is started with: an arena, a simulated run through it, maps made of its log, a record of relations.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { roomsPlane } from '../mock/rooms.mjs';

const run = promisify(execFile);
const MAPPERS = ['graph', 'odometry', 'robbie'];

/** Arguments of the program for a kind of page; `size` other than 800 asks for square maps of that many cells. */
export async function programArguments(kind, { size, reviewer, record }) {
  const folder = await mkdtemp(join(tmpdir(), 'mapjudge-journey-'));
  if (kind === 'overlay' && size !== 800) return { args: await largeMaps(folder, size), folder };
  const scene = await sceneFolder();
  const at = (...parts) => join(scene, ...parts);
  const maps = ['team_a', 'team_b', 'team_c', 'team_d', 'broken'].map((name) => at(`${name}.yaml`));
  if (kind === 'overlay') {
    return { folder, maps, truth: at('arena', 'truth.yaml'),
      args: ['align', ...maps, '--truth', at('arena', 'truth.yaml'), '--truth-annotations', at('arena', 'victims.geojson'),
        '--layout', at('arena', 'fiducials.toml'), '--by-hand', '--out', join(folder, 'frames')] };
  }
  if (kind === 'review') {
    const own = record ?? join(folder, 'record.jsonl');
    if (!record) await copyFile(at('record.jsonl'), own);
    return { folder, record: own, args: ['truth', 'review', own, '--log', at('run', 'log.clf'), '--reviewer', reviewer ?? 'Ada'] };
  }
  return { folder, args: ['view', at('arena', 'truth.yaml'), at('graph', 'map.yaml'), at('run', 'truth.tum'), at('graph', 'trajectory.tum')] };
}

/** Made once per build of the program. */
async function sceneFolder() {
  const { size, mtimeMs } = await stat(process.env.MAPJUDGE);
  const scene = join(tmpdir(), `mapjudge-scene-${size}-${Math.round(mtimeMs)}`);
  if (existsSync(scene)) return scene;
  const making = await mkdtemp(join(tmpdir(), 'mapjudge-making-'));
  const at = (...parts) => join(making, ...parts);
  const mapjudge = (...args) => run(process.env.MAPJUDGE, args);
  await mapjudge('arena', 'random', '--seed', '3', '--width', '12', '--height', '8', '--out', at('arena'));
  await mapjudge('simulate', at('arena'), '--drive', 'explore', '--max-time', '120', '--out', at('run'));
  for (const mapper of MAPPERS) await mapjudge('map', at('run', 'log.clf'), '--mapper', mapper, '--out', at(mapper));
  await mapjudge('truth', 'propose', at('run', 'log.clf'), '--out', at('record.jsonl'));
  const yaml = (image, origin) => `image: ${image}\nmode: trinary\nresolution: 0.05\norigin: ${origin}\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n`;
  await writeFile(at('team_a.yaml'), yaml('graph/map.pgm', '[0.4, -1.2, 0.1]'));
  await writeFile(at('team_b.yaml'), yaml('odometry/map.pgm', '[-1.5, 0.3, -0.15]'));
  await writeFile(at('team_c.yaml'), yaml('robbie/map.pgm', '[-0.7, -0.7, 0]'));
  await writeFile(at('team_d.yaml'), yaml('graph/map.pgm', '[1.3, -2.0, 0.25]'));
  await writeFile(at('broken.yaml'), yaml('missing.pgm', '[0, 0, 0]'));
  await rename(making, scene);
  return scene;
}

async function largeMaps(folder, size) {
  const paths = [];
  for (const seed of [0, 1]) {
    const { cells } = roomsPlane(size, seed);
    const pixels = Buffer.from(cells.map((cell) => [205, 254, 0][cell]));
    const name = seed === 0 ? 'truth' : 'map';
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${name}.pgm`), Buffer.concat([Buffer.from(`P5\n${size} ${size}\n255\n`), pixels]));
    await writeFile(join(folder, `${name}.yaml`), `image: ${name}.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n`);
    paths.push(join(folder, `${name}.yaml`));
  }
  return ['align', paths[1], '--truth', paths[0], '--by-hand', '--out', join(folder, 'frame.json')];
}
