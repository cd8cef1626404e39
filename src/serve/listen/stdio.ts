/** A surface of lines over a pair of streams: one session, or one request. */

import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import { LIMITS } from '../../contract/limits.js';
import { unblock } from '../../process/unblock-stdout.js';
import { firstValue } from './json-values.js';
import type { LineSession, OpenLines } from './lines.js';
import { readLines } from './read-lines.js';
import { streamOut } from './stream-out.js';

export interface StdioOptions {
  session: OpenLines;
  input: Readable;
  output: Writable;
  /** Nothing more is to be read. */
  stopped: Promise<void>;
}

/** What the process exits with: an exec's 124 or 130 is a failure like another. */
const exitOf = (worst: number): number => Math.min(worst, worst > 2 ? 1 : 2);

interface Opened {
  one: LineSession;
  /** Nobody reads any more. */
  left: Promise<void>;
}

function open(options: StdioOptions, complaints?: readonly string[]): Opened {
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const out = streamOut(options.output, () => {
    one.gone();
    leave();
  });
  const one = options.session(out, complaints);
  return { one, left };
}

/** Answers until `halt`, the end of the input, or a reader that left. @returns the worst exit code, 0 to 2 */
export async function serveStdio(options: StdioOptions): Promise<number> {
  unblock(options.output);
  const { one, left } = open(options);
  const gone = left.then(() => 'gone' as const);
  const why = await Promise.race([readLines(options.input, one), one.halted, options.stopped, gone]);
  await one.end();
  return why === 'gone' ? 2 : exitOf(one.worst);
}

type Whole = { text: string } | { bad: string };

async function readAll(input: Readable): Promise<Whole> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LIMITS.frameLine) return { bad: `the request is larger than ${LIMITS.frameLine} bytes` };
  }
  const all = Buffer.concat(chunks);
  return isUtf8(all) ? { text: all.toString('utf8') } : { bad: 'the request is not valid UTF-8' };
}

/** The whole input is one request. @returns the exit code of its `done` */
export async function serveOnce(options: StdioOptions): Promise<number> {
  const body = await readAll(options.input);
  const { first, more } = firstValue('text' in body ? body.text : '');
  const complaints = more.map((one) => `only one request is answered here; ignored: ${one.slice(0, 80)}`);
  const { one } = open(options, complaints);
  if ('bad' in body) one.malformed(body.bad);
  else if (first === '') one.malformed('empty request');
  else one.accept(first);
  await one.end();
  return one.worst;
}
