/** The program under test, run as a host runs it: pipes, a place of its own, and a mark to find what it leaves behind. */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../contract/vocabulary.js';
import { commandOf } from '../process/system-program.js';
import { parseObject } from '../text/json.js';
import { lineSplitter } from '../text/lines.js';

export interface Subject {
  /** The program and the arguments before ours. */
  command: readonly string[];
  /** The runtime that is asked for. */
  runtime: string;
  /** Where its model is. */
  modelUrl: string;
  /** What a login is: no error may show it. */
  key: string;
  /** Of the person who tests: PATH, and what finds programs. */
  env: NodeJS.ProcessEnv;
  /** Milliseconds after which a turn has failed; a minute when absent. */
  limitMs?: number;
}

export interface Outcome {
  code: number | null;
  lines: string[];
  events: JsonObject[];
  stderr: string;
  /** Milliseconds from the end of what was waited for to the exit; null when nothing was. */
  after: number | null;
  /** It had to be killed. */
  late: boolean;
  /** Processes it started that were alive two seconds after its end; null where that can't be seen. */
  left: number[] | null;
}

export interface Turn {
  /** Writes a frame, or a line as it is. */
  send(frame: JsonObject | string): void;
  closeStdin(): void;
  /** From now on the time to its exit is taken. */
  mark(): void;
}

export interface Call {
  args: readonly string[];
  /** Text of a file whose path comes after the arguments. */
  file?: string;
  stdin?: 'open' | 'none';
  react?(event: JsonObject, turn: Turn): void;
}

const MARK = 'TURNOUT_CONFORMANCE';
/** A turn that takes longer has failed. */
const LONGEST_MS = 60_000;
const LEAVE_MS = 2000;

/** Pids whose environment holds the mark; null where the system does not show it. */
function marked(mark: string): number[] | null {
  try {
    return readdirSync('/proc').flatMap((name) => {
      if (!/^\d+$/.test(name)) return [];
      try {
        const entries = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
        const state = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1)?.[0];
        return entries.includes(`${MARK}=${mark}`) && state !== 'Z' ? [Number(name)] : [];
      } catch {
        // Gone meanwhile, or another user's.
        return [];
      }
    });
  } catch {
    return null;
  }
}

/** Runs it once to its end. */
export async function call(subject: Subject, asked: Call): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const [home, cwd] = [join(folder, 'home'), join(folder, 'project')];
  for (const made of [home, cwd]) mkdirSync(made);
  const file = join(folder, 'given.json');
  if (asked.file !== undefined) writeFileSync(file, asked.file);
  const mark = folder.slice(-6);
  const [program = '', ...before] = subject.command;
  const child = spawn(
    commandOf(program, subject.env, { cwd }),
    [...before, ...asked.args, ...(asked.file === undefined ? [] : [file])],
    {
      cwd,
      stdio: [asked.stdin === 'none' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      env: {
        ...subject.env,
        ...{
          HOME: home,
          USERPROFILE: home,
          XDG_STATE_HOME: join(home, 'state'),
          XDG_CONFIG_HOME: join(home, 'config'),
        },
        ...{ ANTHROPIC_BASE_URL: subject.modelUrl, ANTHROPIC_API_KEY: subject.key, [MARK]: mark },
        ...{ DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
      },
      detached: process.platform !== 'win32',
    },
  );
  const lines: string[] = [];
  const events: JsonObject[] = [];
  let stderr = '';
  let markedAt: number | null = null;
  let late = false;
  const turn: Turn = {
    send: (frame) => void child.stdin?.write(`${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n`),
    closeStdin: () => void child.stdin?.end(),
    mark: () => {
      markedAt ??= performance.now();
    },
  };
  const out = lineSplitter({
    max: 64 * 1024 * 1024,
    onDropped: () => lines.push('(a line of more than 64 MiB)'),
    onLine(line) {
      lines.push(line);
      const event = parseObject(line);
      if (event === undefined) return;
      events.push(event);
      asked.react?.(event, turn);
    },
  });
  child.stdin?.on('error', () => undefined);
  child.stdout?.on('data', out.push);
  child.stderr?.on('data', (chunk: Buffer) => {
    if (stderr.length < 64 * 1024) stderr += chunk.toString('utf8');
  });
  const kill = (pid: number) => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  };
  const watchdog = setTimeout(() => {
    late = true;
    if (child.pid !== undefined) kill(process.platform === 'win32' ? child.pid : -child.pid);
    for (const pid of marked(mark) ?? []) kill(pid);
  }, subject.limitMs ?? LONGEST_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve(exit));
    // What it left behind may hold its stdout open.
    child.on('exit', (exit) => setTimeout(() => resolve(exit), LEAVE_MS).unref());
  }).finally(() => clearTimeout(watchdog));
  const ended = performance.now();
  out.end();
  let left = marked(mark);
  while (left !== null && left.length > 0 && performance.now() - ended < LEAVE_MS) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    left = marked(mark);
  }
  for (const pid of left ?? []) kill(pid);
  rmSync(folder, { recursive: true, force: true });
  return { code, lines, events, stderr, late, left, after: markedAt === null ? null : ended - markedAt };
}
