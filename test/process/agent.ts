/** Starts a fake agent of `fixtures/bin` and notes what it says. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { childEnv } from '../../src/process/child-env.js';
import { type LaunchPlan, launch, type Running } from '../../src/process/launch.js';
import { type PrivateDir, privateDir } from '../../src/process/temp-files.js';
import { until } from './survivors.js';

export interface Agent {
  running: Running;
  marker: { name: string; value: string };
  dir: PrivateDir;
  lines: string[];
  errors: string[];
  dropped: number[];
  /** Everything heard, in order: `line`, `stderr`, `dropped`, `exit`. */
  order: string[];
  exited: Promise<{ code: number | null; signal: string | null }>;
  isOver(): boolean;
  /** Waits until a line has come. */
  said(text: string): Promise<void>;
  /** Ends the tree, removes the folder, and says who was left. */
  end(options?: Parameters<Running['end']>[0]): Promise<number[]>;
}

export const bin = (name: string) => join(process.cwd(), 'fixtures', 'bin', name);

/** @param argv name of a fake agent and its arguments; `changes` replace parts of the plan */
export async function start(argv: readonly string[], changes: Partial<LaunchPlan> = {}): Promise<Agent> {
  const dir = await privateDir();
  const marker = { name: 'TURNOUT_TURN', value: `test-${randomUUID()}` };
  const [name = '', ...args] = argv;
  const program = name.endsWith('.js') ? [process.execPath, bin(name)] : name.endsWith('.sh') ? [bin(name)] : [name];
  const lines: string[] = [];
  const errors: string[] = [];
  const dropped: number[] = [];
  const order: string[] = [];
  let over = false;
  let settle: (exit: { code: number | null; signal: string | null }) => void = () => undefined;
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    settle = resolve;
  });
  const plan: LaunchPlan = {
    argv: [...program, ...args],
    cwd: process.cwd(),
    env: childEnv({ ambient: process.env, scrub: [], foreignKeys: [], set: {}, explicit: {}, turnId: marker.value }),
    stdin: 'null',
    stdout: 'pipe',
    stdoutFile: join(dir.path, 'stdout'),
    marker,
    privateDir: dir.path,
    ...changes,
  };
  const running = await launch(plan, {
    line: (text) => {
      order.push('line');
      lines.push(text);
    },
    stderr: (text) => {
      order.push('stderr');
      errors.push(text);
    },
    closed: () => order.push('closed'),
    dropped: (bytes) => {
      order.push('dropped');
      dropped.push(bytes);
    },
    exit: (code, signal) => {
      order.push('exit');
      over = true;
      settle({ code, signal });
    },
  }).catch(async (error: unknown) => {
    await dir.remove();
    throw error;
  });
  return {
    running,
    marker,
    dir,
    lines,
    errors,
    dropped,
    order,
    exited,
    isOver: () => over,
    said: (text) => until(`a line ${text}`, () => lines.includes(text)),
    async end(options) {
      const { survivors } = await running.end(options);
      await dir.remove();
      return survivors;
    },
  };
}
