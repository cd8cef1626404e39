/** The real walls around a witness that tries to get out. Loaded only where they are not known to hold. */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomHex } from '../random.js';
import type { Bwrap } from './bwrap.js';
import { explainBwrap } from './refusals.js';
import { bwrapArgs, type Walls } from './walls.js';

export type Probed = { ok: true; bwrap: Bwrap } | { ok: false; why: string };

/** More than a hundred times what it takes. */
const MOST_MS = 2000;

/**
 * Arguments: a file outside, one in a folder that may be read, one in a folder that may be written. It leaves a process
 * behind that holds its stdout: the pipe ends only when that one is gone too.
 */
const WITNESS = `
( : > "$1" ) 2>/dev/null && echo outside
( : > "$2" ) 2>/dev/null && echo read-only
( : > "$3" ) 2>/dev/null || echo no-write
[ "$$" -lt 10 ] || echo pids
read -r inside outside count < /proc/self/uid_map; [ "$count" = 1 ] || echo uids
( trap '' HUP TERM; sleep 5 ) &
`;

const MEANINGS: Readonly<Record<string, string>> = {
  outside: 'a file outside could be written',
  'read-only': 'a read-only folder could be written',
  'no-write': 'a folder that may be written could not be',
  pids: 'it sees the processes of the host',
  uids: 'it has more than one user',
};

/** @param nests whether the program builds a sandbox of its own inside */
export async function tryWalls(bwrap: Bwrap, nests: boolean): Promise<Probed> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnout-probe-')));
  const outside = join(homedir(), `.turnout-witness-${randomHex(8)}`);
  const [readable, writable] = [join(folder, 'read'), join(folder, 'write')];
  try {
    mkdirSync(readable);
    mkdirSync(writable);
    writeFileSync(join(readable, 'seen'), '');
    const walls: Walls = {
      cwd: writable,
      start: writable,
      writes: true,
      home: homedir(),
      empty: [],
      replaced: [],
      seen: [],
      closed: [],
      ground: [readable],
      turn: null,
      git: [],
      network: 'open',
      nests,
      uid0: process.getuid?.() === 0,
    };
    const { out, err, code } = await witness(bwrap, walls, [outside, join(readable, 'new'), join(writable, 'new')]);
    if (code === null)
      return {
        ok: false,
        why: 'bubblewrap does not hold here (it hangs, or what it started outlives it): use --confine none',
      };
    const leaks = out.split('\n').filter((word) => word !== '');
    if (existsSync(outside)) leaks.push('outside');
    if (!existsSync(join(writable, 'new'))) leaks.push('no-write');
    if (code !== 0 && err !== '') return { ok: false, why: explainBwrap(err) };
    if (leaks.length === 0 && code === 0) return { ok: true, bwrap };
    const meanings = [...new Set(leaks)].map((leak) => MEANINGS[leak] ?? leak);
    return {
      ok: false,
      why: `bubblewrap does not hold here (${meanings.join('; ') || `exit code ${code}`}): use --confine none`,
    };
  } catch (error) {
    return {
      ok: false,
      why: `the confinement could not be tried: ${error instanceof Error ? error.message : String(error)}`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(outside, { force: true });
  }
}

/** Resolves when nothing holds its pipes any more; `code` is null when that took too long. */
function witness(
  bwrap: Bwrap,
  walls: Walls,
  files: string[],
): Promise<{ out: string; err: string; code: number | null }> {
  const args = [...bwrapArgs(walls, 3), '--', '/bin/sh', '-c', WITNESS, 'sh', ...files];
  return new Promise((resolve) => {
    const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };
    const child = spawn(bwrap.path, args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env, detached: true });
    const texts = { out: '', err: '' };
    const late = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      resolve({ ...texts, code: null });
    }, MOST_MS);
    const end = (code: number | null) => {
      clearTimeout(late);
      resolve({ ...texts, code: code ?? 1 });
    };
    child.stdout?.on('data', (chunk) => (texts.out += chunk));
    child.stderr?.on('data', (chunk) => (texts.err += chunk));
    child.stdio[3]?.on('data', () => undefined);
    child.on('error', (error) => {
      texts.err += error.message;
      end(1);
    });
    child.on('close', end);
  });
}
