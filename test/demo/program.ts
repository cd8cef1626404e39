/** Runs the demo program by itself: what it is told, what it says. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';
import { scratch } from '../contract/scratch.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
let bundled: Promise<string> | null = null;

function program(): Promise<string> {
  const outfile = join(scratch('demo'), 'demo.mjs');
  bundled ??= build({
    entryPoints: [join(root, 'src/demo/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
  }).then(() => outfile);
  return bundled;
}

export interface Ran {
  frames: JsonObject[];
  /** All main text, in order. */
  text: string;
  end: JsonObject | undefined;
  code: number | null;
  signal: string | null;
  stderr: string;
}

/**
 * One prompt to one process.
 * @param answer what to say to a frame that it prints
 */
export async function runDemo(
  prompt: JsonObject,
  options: { cwd?: string; env?: Record<string, string>; answer?(frame: JsonObject): JsonObject[] } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [await program()], {
    cwd: options.cwd ?? state,
    env: { PATH: process.env['PATH'] ?? '', HOME: state, XDG_STATE_HOME: state, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const frames: JsonObject[] = [];
  let rest = '';
  let stderr = '';
  const tell = (frame: JsonObject) => child.stdin.write(`${JSON.stringify(frame)}\n`);
  child.stdin.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    rest += text;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const frame = parseObject(line);
      if (!frame) throw new Error(`not a frame: ${line}`);
      frames.push(frame);
      for (const reply of options.answer?.(frame) ?? []) tell(reply);
      if (frame['type'] === 'end') child.stdin.end();
    }
  });
  tell({ type: 'prompt', session: '00000000-0000-4000-8000-000000000001', ask: false, ...prompt });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on('close', (...how) => resolve(how)),
  );
  const text = frames
    .map((f) => (f['type'] === 'delta' && f['parent'] === undefined ? String(f['text']) : ''))
    .join('');
  return { frames, text, end: frames.find((f) => f['type'] === 'end'), code, signal, stderr };
}

/** A folder for sessions of this test file. */
export const state = scratch('state');
