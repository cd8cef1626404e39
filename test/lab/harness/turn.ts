import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canLook, type Found, killAll, processesWith } from './processes.js';
import { judgeStream, readStream, type TurnEvent } from './stream.js';

/** One run of `turnout agent exec`, and what a scenario may do while it runs. */
export interface TurnOptions {
  prompt: string;
  flags?: readonly string[];
  /** closed: /dev/null. open: a pipe that nobody closes or writes. frames: a pipe for {@link Live.frame}. */
  stdin?: 'closed' | 'open' | 'frames';
  /** Below the scratch folder of the runtime. */
  cwd: string;
  env: Record<string, string>;
  /** Where the prompt file and the kept output go. */
  folder: string;
  name: string;
  marker: string;
  root: string;
  /** Called for every event as it arrives. */
  onEvent?: (event: TurnEvent, live: Live) => void;
  /** After this the turn is killed and counts as failed: nothing may hang the lab. */
  watchdogMs?: number;
}

export interface Live {
  marker: string;
  child: ChildProcess;
  frame(value: object): void;
  signal(name: NodeJS.Signals): void;
  closeStdout(): void;
  /** Marks the moment from which the end is timed. */
  ask(): void;
}

export interface Turn {
  events: TurnEvent[];
  code: number | null;
  stderr: string;
  wallMs: number;
  /** On the clock of `performance.now()`. */
  endedAt: number;
  /** From {@link Live.ask} to the exit. */
  endedAfterMs: number | null;
  timedOut: boolean;
  leftovers: Found[];
  violations: string[];
}

/** Processes get a moment: our own reaper sees our end only after it, and the kernel needs a while to reap. */
async function leftoversOf(marker: string): Promise<Found[]> {
  let found = processesWith(marker);
  for (let waited = 0; found.length > 0 && waited < 600; waited += 100) {
    await sleep(100);
    found = processesWith(marker);
  }
  return found;
}

/** Feeds whole lines of a growing stdout to a listener, as a host would read them. */
function lineFeed(listener: (event: TurnEvent) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = [];
  return (chunk) => {
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf(10, start);
      if (newline < 0) {
        rest.push(chunk.subarray(start));
        return;
      }
      const line = Buffer.concat([...rest, chunk.subarray(start, newline)]).toString('utf8');
      rest = [];
      start = newline + 1;
      try {
        listener(JSON.parse(line));
      } catch {
        // Judged later, from the whole output.
      }
    }
  };
}

export async function runTurn(options: TurnOptions): Promise<Turn> {
  mkdirSync(options.folder, { recursive: true });
  mkdirSync(options.cwd, { recursive: true });
  const file = (suffix: string): string => join(options.folder, `${options.name}.${suffix}`);
  writeFileSync(file('prompt'), options.prompt);
  const argv = [
    join(options.root, 'bin', 'turnout.js'),
    'agent',
    'exec',
    '--prompt-file',
    file('prompt'),
    '--cwd',
    options.cwd,
    ...(options.flags ?? []),
  ];
  const started = performance.now();
  let askedAt: number | null = null;
  const stdin = options.stdin ?? 'closed';
  const child = spawn(process.execPath, argv, {
    cwd: options.folder,
    env: { ...options.env, TURNOUT_LAB: options.marker },
    stdio: [stdin === 'closed' ? openSync('/dev/null', 'r') : 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const live: Live = {
    marker: options.marker,
    child,
    frame: (value) => child.stdin?.write(`${JSON.stringify(value)}\n`),
    signal: (name) => child.kill(name),
    closeStdout: () => child.stdout?.destroy(),
    ask: () => {
      askedAt ??= performance.now();
    },
  };
  child.stdin?.on('error', () => {});
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const feed = lineFeed((event) => options.onEvent?.(event, live));
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout.push(chunk);
    feed(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));

  let timedOut = false;
  const watchdog = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL');
  }, options.watchdogMs ?? 120_000);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', (status) => resolve(status));
  });
  const ended = performance.now();
  clearTimeout(watchdog);
  // Leftovers first: one of them may hold our stdout open.
  const leftovers = canLook ? await leftoversOf(options.marker) : [];
  killAll(leftovers);
  if (child.stdout && !child.stdout.closed)
    await Promise.race([new Promise((resolve) => child.stdout?.once('close', resolve)), sleep(2000)]);
  child.stdin?.destroy();

  const output = Buffer.concat(stdout);
  writeFileSync(file('stdout'), output);
  writeFileSync(file('stderr'), Buffer.concat(stderr));
  const stream = readStream(output);
  const asked = askedAt as number | null;
  return {
    events: stream.events,
    code,
    stderr: Buffer.concat(stderr).toString('utf8'),
    wallMs: Math.round(ended - started),
    endedAt: ended,
    endedAfterMs: asked === null ? null : Math.round(ended - asked),
    timedOut,
    leftovers,
    violations: judgeStream(stream, code),
  };
}
