/** The op protocol over a pair of streams: one session, or one request. */

import type { Readable, Writable } from 'node:stream';
import { LIMITS } from '../../contract/limits.js';
import type { Core } from '../../runs/core.js';
import { type Connection, connection, type Trace } from '../ops/connection.js';
import { readLines } from '../ops/read-lines.js';
import { streamOut } from '../ops/stream-out.js';
import { firstValue } from './json-values.js';

export interface StdioOptions {
  core: Core;
  input: Readable;
  output: Writable;
  /** A fresh one for each session. */
  trace: (() => Trace) | null;
  /** Nothing more is to be read. */
  stopped: Promise<void>;
}

/** What the process exits with: an exec's 124 or 130 is a failure like another. */
export const exitOf = (worst: number): number => Math.min(worst, worst > 2 ? 1 : 2);

interface Opened {
  one: Connection;
  /** Nobody reads any more. */
  left: Promise<void>;
}

function open(options: StdioOptions, complaints: readonly string[] = []): Opened {
  const { core, output, trace } = options;
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const one: Connection = connection({
    core,
    trace: trace?.() ?? null,
    complaints,
    scope: 'stdio',
    out: streamOut(output, () => {
      one.gone();
      leave();
    }),
  });
  return { one, left };
}

/** Answers until `halt`, the end of the input, or a reader that left. @returns the worst exit code, 0 to 2 */
export async function serveStdio(options: StdioOptions): Promise<number> {
  const { one, left } = open(options);
  const gone = left.then(() => 'gone' as const);
  const why = await Promise.race([readLines(options.input, one), one.halted, options.stopped, gone]);
  await one.end();
  return why === 'gone' ? 2 : exitOf(one.worst);
}

async function readAll(input: Readable): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LIMITS.frameLine) return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The whole input is one request. @returns the exit code of its `done` */
export async function serveOnce(options: StdioOptions): Promise<number> {
  const body = await readAll(options.input);
  const { first, more } = firstValue(body ?? '');
  const complaints = more.map((one) => `only one request is answered here; ignored: ${one.slice(0, 80)}`);
  const { one } = open(options, complaints);
  if (body === null) one.malformed(`the request is larger than ${LIMITS.frameLine} bytes`);
  else if (first === '') one.malformed('empty request');
  else one.accept(first);
  await one.end();
  return one.worst;
}
