/** Runs the real command line as a host would: clean environment, scratch folders, pipes that stay open. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';
import { scratch } from './scratch.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
export const TURNOUT = join(root, 'bin', 'turnout.js');
/** Twice what the contract allows from a cancel to the exit. A process that needs this has failed. */
export const WATCHDOG_MS = 8000;

export interface Place {
  /** Where the turn works. */
  cwd: string;
  env: Record<string, string>;
  /** Stands in the environment of everything that is started. */
  mark: string;
}

/** Folders and an environment of their own: nothing of the person's is read or written. */
export function place(env: Record<string, string> = {}): Place {
  const base = scratch('turn');
  const folder = (name: string) => {
    mkdirSync(join(base, name));
    return join(base, name);
  };
  const mark = randomUUID();
  return {
    cwd: folder('project'),
    mark,
    env: {
      PATH: process.env['PATH'] ?? '',
      TURNOUT_CONFINE: 'none',
      HOME: folder('home'),
      XDG_STATE_HOME: folder('state'),
      XDG_CONFIG_HOME: folder('config'),
      XDG_CACHE_HOME: folder('cache'),
      TMPDIR: folder('tmp'),
      LC_ALL: 'C.UTF-8',
      TURNOUT_TEST_MARK: mark,
      ...env,
    },
  };
}

export interface Ended {
  code: number | null;
  signal: string | null;
  /** Every line of stdout. */
  lines: string[];
  events: JsonObject[];
  stderr: string;
  /** The watchdog had to end it. */
  late: boolean;
}

export interface Running {
  child: ChildProcess;
  place: Place;
  events: readonly JsonObject[];
  send(frame: Json | string): void;
  closeStdin(): void;
  /** Resolves with the first event (past ones count) that fits; rejects when the process ends without it. */
  event(fits: (event: JsonObject) => boolean): Promise<JsonObject>;
  /** Starts the watchdog: what is still alive after it has failed. */
  watch(): void;
  ended: Promise<Ended>;
}

export interface RunOptions {
  place?: Place;
  /** Called with every event as it comes. */
  onEvent?(event: JsonObject, running: Running): void;
  /** Whether stdout is read; `false` leaves it to the test. */
  read?: boolean;
  /** stdin: a pipe that stays open (default), or one that is closed at once. */
  stdin?: 'open' | 'closed' | 'ignore';
}

/** Starts `turnout ARGS`. */
export function run(args: readonly string[], options: RunOptions = {}): Running {
  const where = options.place ?? place();
  const child = spawn(process.execPath, [TURNOUT, ...args], {
    cwd: where.cwd,
    env: where.env,
    stdio: [options.stdin === 'ignore' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const lines: string[] = [];
  const events: JsonObject[] = [];
  const waiting: { fits: (event: JsonObject) => boolean; resolve: (event: JsonObject) => void }[] = [];
  let stderr = '';
  let late = false;
  let timer: NodeJS.Timeout | undefined;

  child.stdin?.on('error', () => {});
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const take = (line: string) => {
    lines.push(line);
    const event = parseObject(line);
    if (!event) return;
    events.push(event);
    for (const one of waiting.filter(({ fits }) => fits(event))) {
      waiting.splice(waiting.indexOf(one), 1);
      one.resolve(event);
    }
    options.onEvent?.(event, running);
  };
  if (options.read !== false) {
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) take(line);
    });
    child.stdout?.on('end', () => {
      if (rest) take(rest);
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    // Not `close`: what a runtime leaves behind may hold the pipes, and that is for the test to see.
    child.on(options.read === false ? 'exit' : 'close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, lines, events, stderr, late });
    });
  });
  const running: Running = {
    child,
    place: where,
    events,
    send(frame) {
      child.stdin?.write(`${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n`);
    },
    closeStdin: () => child.stdin?.end(),
    event(fits) {
      const found = events.find(fits);
      if (found) return Promise.resolve(found);
      return Promise.race([
        new Promise<JsonObject>((resolve) => waiting.push({ fits, resolve })),
        ended.then(({ stderr: told }) => Promise.reject(new Error(`ended without the event. ${told}`))),
      ]);
    },
    watch() {
      timer ??= setTimeout(() => {
        late = true;
        for (const pid of marked(where.mark)) kill(pid);
      }, WATCHDOG_MS);
    },
    ended,
  };
  if (options.stdin === 'closed') running.closeStdin();
  return running;
}

/** `turnout agent exec --runtime demo --prompt PROMPT …` in a folder of its own. */
export function demo(prompt: string, args: readonly string[] = [], options: RunOptions = {}): Running {
  return run(['agent', 'exec', '--runtime', 'demo', '--prompt', prompt, ...args], options);
}

export const isType = (type: string) => (event: JsonObject) => event['type'] === type;

/** All main text of a turn, in order. */
export function textOf(events: readonly JsonObject[]): string {
  return events
    .map((event) => (event['type'] === 'assistant' && event['parent_tool_use_id'] === undefined ? event['text'] : ''))
    .join('');
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}

/** Processes (not zombies) whose environment holds the mark. Linux only; elsewhere none are found. */
export function marked(mark: string): number[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const state = /\)\s+(\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
        return state !== 'Z' && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Waits until nothing with the mark is alive; what is left after the watchdog's time is ended and returned. */
export async function leftovers(mark: string): Promise<number[]> {
  const until = Date.now() + WATCHDOG_MS;
  for (;;) {
    const left = marked(mark);
    if (left.length === 0) return [];
    if (Date.now() > until) {
      for (const pid of left) kill(pid);
      return left;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
