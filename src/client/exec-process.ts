/** One `turnout agent exec` as a process of its own: events from its stdout, frames to its stdin, and a way to end it. */

import type { Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import { ERROR_CODES, TurnoutError, USAGE_RULES, UsageError } from '../contract/error.js';
import type { Event } from '../contract/event.js';
import type { Frame, PromptFrame } from '../contract/frame.js';
import type { Listener, Port } from '../host/turn.js';
import { commandOf } from '../process/system-program.js';
import { privateDir } from '../process/temp-files.js';
import { optionOf } from '../request/spelling.js';
import type { Given } from '../request/table.js';
import { toArgv } from '../request/to-argv.js';
import { parseObject, str } from '../text/json.js';
import type { FoundProgram } from './find.js';
import { readEvents } from './read-events.js';

/** It promises to be gone 4 s after a cancel. */
const TERM_AFTER = 5000;
const KILL_AFTER = 1500;
const STDERR_KEPT = 8 * 1024;

interface Child {
  pid?: number;
  stdin: Writable;
  stdout: Readable;
  kill(signal: NodeJS.Signals): boolean;
}

/** Its process group, which is its own: its runtime is in another, and goes by itself when it is gone. */
function signal(child: Child, name: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // Gone already.
  }
}

/** The usage error it told on stderr, if that is why it ended. */
function usageOf(stderr: string): UsageError | null {
  for (const line of stderr.split('\n')) {
    const told = parseObject(line);
    if (str(told, 'code') !== 'usage') continue;
    const hint = str(told, 'hint');
    const message = str(told, 'message') ?? 'wrong usage';
    const path = str(told, 'path');
    const option = path === undefined ? null : optionOf(path);
    const rule = USAGE_RULES.find((one) => one === str(told, 'rule'));
    // It spells options as flags, and our host does not.
    const own =
      option === null || !message.startsWith(`${path}: `) ? message : `${option}${message.slice(path?.length)}`;
    return new UsageError(own, { hint, rule, path: option ?? path });
  }
  return null;
}

/** How a turn ends whose process went without an end. */
function brokenOff(message: string): Event[] {
  const { exit, fatal } = ERROR_CODES['runner-error'];
  return [
    { v: 1, type: 'error', code: 'runner-error', message, fatal },
    { v: 1, type: 'done', exit_code: exit, stop_reason: 'error', duration_ms: 0 },
  ];
}

interface Gone {
  exitCode?: number;
  signal?: string;
  cause?: unknown;
  stderr: string;
}

/** Why the process went before the turn's end, and the error to throw where no event came before. */
function whyOver(program: FoundProgram, gone: Gone): { failure: TurnoutError | null; message: string } {
  const { exitCode, signal: name, cause, stderr } = gone;
  if (exitCode === undefined && name === undefined) {
    const message = `${program.path} can't be started: ${cause instanceof Error ? cause.message : String(cause)}`;
    return { failure: new TurnoutError('missing-binary', message, { hint: program.upgrade, cause }), message };
  }
  const tail = stderr.trim() === '' ? '' : `\n${stderr.trim()}`;
  const message = `turnout ended (${name ?? `exit code ${exitCode}`}) before the turn was over${tail}`;
  return { failure: exitCode === ERROR_CODES.usage.exit ? usageOf(stderr) : null, message };
}

/** Starts at once; frames and a cancel that come before the process is there are kept. */
export function execProcess(program: FoundProgram, given: Given, listener: Listener): Port {
  let child: Child | null = null;
  let gone = false;
  let paused = false;
  let cancels = 0;
  const early: Frame[] = [];
  const timers: NodeJS.Timeout[] = [];

  const send = (frame: Frame) => {
    if (!child) early.push(frame);
    else if (!gone && child.stdin.writable) child.stdin.write(`${JSON.stringify(frame)}\n`);
  };
  const later = (ms: number, run: () => void) => timers.push(setTimeout(run, ms));
  const ladder = () => {
    later(TERM_AFTER, () => {
      if (child && !gone) signal(child, 'SIGTERM');
      later(KILL_AFTER, () => {
        if (child && !gone) signal(child, 'SIGKILL');
      });
    });
  };

  const run = async (): Promise<void> => {
    const files = await privateDir();
    try {
      const argv = ['agent', 'exec', ...(await toArgv(given, files.write))];
      // Whatever it says first, it has read them by then.
      await live(argv, () => void files.remove().catch(() => {}));
    } finally {
      await files.remove();
    }
  };
  const live = async (argv: readonly string[], onFirst: () => void): Promise<void> => {
    const [command = '', ...first] = program.argv;
    const started = execa(commandOf(command, program.env), [...first, ...argv], {
      env: program.env,
      extendEnv: false,
      stdin: 'pipe',
      // Events are read as they come; a turn may print more than fits into memory.
      buffer: false,
      reject: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    child = started;
    let stderr = '';
    let begun = false;
    let ended = false;
    const events = readEvents((event) => {
      if (ended) return;
      if (!begun) onFirst();
      begun = true;
      ended = event.type === 'done';
      listener.event(event);
    });
    started.stdin.on('error', () => {});
    started.stdout.on('data', events.push);
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_KEPT);
    });
    if (paused) started.stdout.pause();
    const prompt: PromptFrame = { v: 1, type: 'prompt', text: given.prompt ?? '' };
    started.stdin.write(`${JSON.stringify(prompt)}\n`);
    for (const frame of early.splice(0)) send(frame);
    const { exitCode, signal: name, cause } = await started;
    gone = true;
    for (const timer of timers) clearTimeout(timer);
    events.end();
    if (ended) return;
    const { failure, message } = whyOver(program, { exitCode, signal: name, cause, stderr });
    if (!begun && failure) listener.failed(failure);
    else for (const event of brokenOff(message)) listener.event(event);
  };
  run().catch((error: unknown) => listener.failed(error));

  return {
    send,
    cancel() {
      cancels += 1;
      // It takes a second one as a wish not to wait.
      send({ v: 1, type: 'cancel' });
      if (cancels === 1) ladder();
    },
    pause() {
      paused = true;
      child?.stdout.pause();
    },
    resume() {
      paused = false;
      child?.stdout.resume();
    },
  };
}
