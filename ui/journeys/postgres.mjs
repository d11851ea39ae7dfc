// A PostgreSQL server of Debian's package in a folder that is gone afterwards; it listens on a socket in that folder alone.

import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALLED = '/usr/lib/postgresql';

/** Starts one: `{ url, stop }`, or `{ why }` where that is impossible. */
export async function startPostgres() {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort() : [];
  const bin = versions.map((version) => join(INSTALLED, version, 'bin')).findLast((place) => existsSync(join(place, 'initdb')));
  if (!bin) return { why: 'no PostgreSQL: apt-get install postgresql' };
  const isRoot = process.getuid() === 0;
  const owner = isRoot ? await idsOf('postgres') : null;
  if (isRoot && !owner) return { why: 'PostgreSQL does not run as root, and there is no user postgres to change to' };
  const folder = await mkdtemp(join(tmpdir(), 'mapjudge-pg-'));
  if (owner) await chown(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const call = (name, args) => run(join(bin, name), args, { cwd: '/', ...(owner ?? {}) });
  const stop = async () => {
    await call('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await call('initdb', ['-D', data, '-U', 'judge', '-A', 'trust', '--no-sync', '-E', 'UTF8']);
    // `pg_ctl` gives its output to the server that stays: into the log, or this would wait for its end.
    await call('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', `-c listen_addresses='' -k ${folder}`, 'start']);
  } catch (error) {
    await stop();
    return { why: `PostgreSQL cannot be started here: ${String(error.stderr ?? error).trim().split('\n').at(-1)}` };
  }
  return { url: `postgres://judge@${folder.replaceAll('/', '%2F')}/postgres`, stop };
}

async function idsOf(user) {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((one) => one.startsWith(`${user}:`));
  if (!line) return null;
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
