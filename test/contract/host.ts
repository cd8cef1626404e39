/**
 * A host like the best-known caller of the public protocol (a Go desktop program): its argv, its reading rules, its idea of
 * how a turn ended, and its way to cancel. If this host is content, the real one should be.
 */

import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { type Place, place, TURNOUT } from './cli.js';
import { type FlatEvent, readFlat } from './flat-struct.js';
import { type Verdict, verdict } from './host-verdict.js';
import { scratch } from './scratch.js';

const LINE_BYTES = 4 * 1024 * 1024;
const KILL_GRACE_MS = 5000;

export interface HostTool {
  name: string;
  description: string;
  schema?: JsonObject;
  run(argsJson: string): Promise<string>;
}

export interface HostTurn {
  prompt: string;
  model?: string;
  resume?: string;
  system?: string;
  /** Whole seconds, or less than one as milliseconds. */
  timeoutMs?: number;
  toolTimeoutMs?: number;
  budgetUsd?: number;
  tools?: readonly HostTool[];
  /** After the usual ones. */
  more?: readonly string[];
}

export interface HostOutcome extends Verdict {
  /** Types of the events that the host understood, in order. */
  types: string[];
  flat: FlatEvent[];
  /** Lines that it skipped without a word. */
  skipped: string[];
  processCode: number | null;
  /** After a cancel it had to kill the process group. */
  killed: boolean;
}

/** `%g` of Go: short, with a two-digit exponent for small figures. */
function shortFigure(value: number): string {
  if (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e21)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return String(value);
}

const duration = (ms: number) => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`);

/** The flags in that host's order. */
export function hostArgv(turn: HostTurn, cwd: string, folder: string): string[] {
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const argv = ['agent', 'exec', '--runtime', 'demo'];
  if (turn.model) argv.push('--model', turn.model);
  argv.push('--cwd', cwd);
  if (turn.resume) argv.push('--resume', turn.resume);
  if (turn.timeoutMs) argv.push('--timeout', duration(turn.timeoutMs));
  if (turn.budgetUsd) argv.push('--budget-usd', shortFigure(turn.budgetUsd));
  if (turn.toolTimeoutMs) argv.push('--tool-timeout', duration(turn.toolTimeoutMs));
  argv.push('--prompt-file', file('prompt', turn.prompt));
  if (turn.system) argv.push('--system-file', file('system', turn.system));
  if (turn.tools) {
    const list = turn.tools.map(({ name, description, schema }) => ({ name, description, schema }));
    argv.push('--tools', 'stdio', '--tools-file', file('tools.json', JSON.stringify(list)));
  } else argv.push('--tools', 'none');
  return [...argv, ...(turn.more ?? [])];
}

export interface HostControl {
  /** Runs at every understood event; `cancel` is what its user presses, `raw` a line as it is. */
  onEvent?(event: FlatEvent, act: { cancel(): void; raw(line: string): void }): void;
  place?: Place;
}

/** One turn, as that host runs it. */
export async function hostExec(turn: HostTurn, control: HostControl = {}): Promise<HostOutcome> {
  const where = control.place ?? place();
  const folder = scratch('host');
  const child = spawn(process.execPath, [TURNOUT, ...hostArgv(turn, where.cwd, folder)], {
    env: where.env,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: process.platform !== 'win32',
  });
  child.stdin.on('error', () => {});
  const flat: FlatEvent[] = [];
  const skipped: string[] = [];
  let reading = true;
  let cancelled = false;
  let killed = false;
  let timer: NodeJS.Timeout | undefined;

  const raw = (line: string) => void child.stdin.write(`${line}\n`);
  const cancel = () => {
    if (cancelled) return;
    cancelled = true;
    raw('{"v":1,"type":"cancel"}');
    child.stdin.end();
    timer = setTimeout(() => {
      killed = true;
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        try {
          process.kill(-(child.pid ?? 0), signal);
        } catch {
          // The group is gone.
        }
      }
    }, KILL_GRACE_MS);
  };
  const answer = async (event: FlatEvent) => {
    const tool = turn.tools?.find(({ name }) => name === event.text('name'));
    const id = event.text('id');
    if (!tool) return raw(JSON.stringify({ v: 1, type: 'tool_result', id, ok: false, result: { text: 'no handler' } }));
    try {
      const text = await tool.run(event.json('args'));
      raw(JSON.stringify({ v: 1, type: 'tool_result', id, ok: true, result: { text } }));
    } catch (error) {
      raw(JSON.stringify({ v: 1, type: 'tool_result', id, ok: false, result: { text: String(error) } }));
    }
  };
  const take = (line: string) => {
    const event = readFlat(line);
    if (!event) {
      if (line) skipped.push(line);
      return;
    }
    flat.push(event);
    control.onEvent?.(event, { cancel, raw });
    if (event.type === 'tool_call') void answer(event);
    // After a cancel it reads no further than the event it is at.
    if (cancelled) {
      reading = false;
      child.stdout.pause();
    }
  };

  let rest = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0 && reading; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      if (line.length > LINE_BYTES) reading = false;
      else take(line.toString('utf8'));
    }
    if (rest.length > LINE_BYTES) reading = false;
  });
  const processCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      if (!reading) child.stdout.resume();
      // What was written before the exit is still in the pipe.
      if (child.stdout.readableEnded) resolve(code);
      else child.stdout.on('close', () => resolve(code));
    });
  });
  clearTimeout(timer);
  rmSync(folder, { recursive: true, force: true });
  return {
    ...verdict(flat, { cancelled, processCode }),
    types: flat.map((event) => event.type),
    flat,
    skipped,
    processCode,
    killed,
  };
}
