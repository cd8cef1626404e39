/** One turn of a fake agent through the real command line. Keeps little of a long stream, and looks at memory meanwhile. */

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';
import { marked, type Place, place, TURNOUT } from '../contract/cli.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
/** So many assistant events are kept, of which one is like another. */
const KEPT = 1000;
const LOOK_EVERY = 25;

export interface Turn {
  send(line: string): void;
}

export interface TurnEnd {
  exit: number | null;
  signal: string | null;
  events: JsonObject[];
  /** All that was said, or its first MiB. */
  text: string;
  stderr: string;
  seconds: number;
  /** Processes of the turn that were alive when it had ended. */
  survivors: number;
  /** What lay in the temporary folder then. */
  temp: number;
  /** KiB that our process took at most; null where it can't be looked up. */
  peak: number | null;
  /** The watchdog had to end it. */
  late: boolean;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function script(file: string, text: string): string {
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** A place where the runtime `claude` is that fake agent, and a browser is a program that never ends. */
export function placeOf(program: readonly string[], env: Record<string, string> = {}): Place {
  const where = place(env);
  const [name = '', ...args] = program;
  const file = join(root, 'fixtures', 'bin', name);
  const argv = [...(name.endsWith('.js') ? [process.execPath] : []), file, ...args];
  const bin = join(where.cwd, '..', 'bin');
  mkdirSync(bin);
  where.env['CLAUDE_CLI_BIN'] = script(join(bin, 'claude'), `exec ${argv.map(quote).join(' ')} "$@"`);
  script(join(bin, 'xdg-open'), 'exec sleep 600');
  where.env['PATH'] = `${bin}:${where.env['PATH']}`;
  return where;
}

/** The most memory a living process has had, KiB. */
function peakOf(pid: number): number | null {
  try {
    const told = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return told === undefined ? null : Number(told);
  } catch {
    return null;
  }
}

export function runTurn(where: Place, flags: readonly string[], send?: (turn: Turn) => void): Promise<TurnEnd> {
  const began = performance.now();
  const child = spawn(process.execPath, [TURNOUT, 'agent', 'exec', '--runtime', 'claude', '--prompt', 'hi', ...flags], {
    cwd: where.cwd,
    env: where.env,
    stdio: 'pipe',
    detached: true,
  });
  const pid = child.pid ?? -1;
  const events: JsonObject[] = [];
  let said = 0;
  let text = '';
  let stderr = '';
  let rest = '';
  let peak: number | null = null;
  let late = false;
  const take = (line: string) => {
    const event = parseObject(line) ?? { type: 'no JSON', line: line.slice(0, 200) };
    if (event['type'] === 'start') send?.({ send: (frame) => void child.stdin.write(`${frame}\n`) });
    if (event['type'] === 'assistant') {
      if (text.length < 1 << 20) text += String(event['text']);
      if (++said > KEPT) return;
    }
    events.push(event);
  };
  child.stdin.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    stderr = (stderr + more).slice(-100_000);
  });
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    const lines = (rest + more).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  const looking = setInterval(() => {
    peak = peakOf(pid) ?? peak;
  }, LOOK_EVERY);
  const watchdog = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, 240_000);
  return new Promise((resolve) => {
    let survivors = 0;
    let temp = 0;
    child.on('exit', () => {
      clearInterval(looking);
      clearTimeout(watchdog);
      survivors = marked(where.mark).length;
      const folder = where.env['TMPDIR'] ?? '';
      temp = existsSync(folder) ? readdirSync(folder).length : 0;
    });
    child.on('close', (exit, signal) => {
      if (rest !== '') take(rest);
      const seconds = (performance.now() - began) / 1000;
      resolve({ exit, signal, events, text, stderr, seconds, survivors, temp, peak, late });
    });
  });
}
