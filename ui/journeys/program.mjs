// Starts what the journeys visit: the program named by MAPJUDGE, or the mock server.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programArguments } from './scenes.mjs';

const MOCK = fileURLToPath(new URL('../mock/server.mjs', import.meta.url));
const START_MS = 60_000;
const STOP_MS = 3000;

export const isReal = Boolean(process.env.MAPJUDGE);

/**
 * Starts the program of a kind of page ("overlay", "review", "view"). Returns its one-time link, its origin, how to end it,
 * and of the real program the files that it was given.
 */
export async function startProgram(kind, { size = 800, reviewer, record } = {}) {
  const given = isReal ? await programArguments(kind, { size, reviewer, record }) : {};
  const [command, args] = isReal
    ? [process.env.MAPJUDGE, given.args]
    : [process.execPath, [MOCK, '--port', '0', '--kind', kind, '--size', String(size)]];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const link = await linkOf(child);
  return { ...given, link, origin: new URL(link).origin, stop: () => stop(child) };
}

export function linkOf(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`no link within ${START_MS / 1000} s; it said: ${said}`)), START_MS);
    const read = (part) => {
      said += part;
      const found = /http:\/\/[^\s]+\/login#[^\s]+/.exec(said);
      if (!found) return;
      clearTimeout(timer);
      resolve(found[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`ended with ${code}; it said: ${said}`)));
  });
}

export function stop(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.on('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
