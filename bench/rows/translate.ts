/** Native bytes of a claude turn → our NDJSON on one core, beside splitting and parsing alone; and one line of 64 MiB. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LineSplitter, lineSplitter } from '../../src/text/lines.js';
import { type Figure, ms, type Row } from '../figure.js';
import { BYTES, nativeStream } from '../native-stream.js';
import { offlineTurn } from '../offline-turn.js';
import { inTurns, median, ratio } from '../timing.js';

const MIB = 2 ** 20;
const LINE_LIMIT = 16 * MIB;

/** Milliseconds to push all chunks, with a turn of the event loop between two of them, as a pipe brings them. */
async function push(chunks: readonly Uint8Array[], splitter: LineSplitter): Promise<number> {
  const began = performance.now();
  for (const chunk of chunks) {
    splitter.push(chunk);
    await nextTurn();
  }
  return performance.now() - began;
}

function alone(chunks: readonly Uint8Array[], onLine: (text: string) => void): Promise<number> {
  return push(chunks, lineSplitter({ max: LINE_LIMIT, onLine }));
}

async function translated(chunks: readonly Uint8Array[]): Promise<number> {
  const turn = await offlineTurn();
  const took = await push(chunks, lineSplitter({ max: LINE_LIMIT, onLine: turn.handlers.line }));
  if (turn.written() < BYTES / 4) throw new Error(`only ${turn.written()} bytes came out`);
  await turn.end();
  return took;
}

/** A line of 64 MiB in the middle of a turn: dropped, told, and the turn goes on. */
async function longLine(): Promise<number> {
  const turn = await offlineTurn();
  const chunks = Array.from({ length: 1024 }, () => new Uint8Array(64 * 1024).fill(120));
  let lines = 0;
  let dropped = 0;
  const splitter = lineSplitter({
    max: LINE_LIMIT,
    onLine(text) {
      lines++;
      turn.handlers.line(text);
    },
    onDropped(bytes) {
      dropped += bytes;
      turn.handlers.dropped(bytes);
    },
  });
  const took = await push([...chunks, Buffer.from('\n{"type":"rate_limit_event"}\n')], splitter);
  await turn.end();
  if (lines !== 1 || dropped !== 64 * MIB) throw new Error('the turn did not go on behind the long line');
  return took;
}

export const translate: Row = {
  id: 'translate',
  async measure({ runs }): Promise<Figure[]> {
    const chunks = nativeStream();
    let length = 0;
    const taken = await inTurns(Math.min(runs, 15), {
      split: () => alone(chunks, (text) => (length += text.length)),
      parse: () => alone(chunks, (text) => (length += Object.keys(JSON.parse(text)).length)),
      all: () => translated(chunks),
      long: longLine,
    });
    const speed = (times: readonly number[]) => `${((BYTES / MIB / median(times)) * 1000).toFixed(0)} MiB/s`;
    const value = ratio(taken.parse, taken.all);
    return [
      {
        what: 'translate: native bytes → our NDJSON, claude deltas, one core',
        value,
        shown: `${(value * 100).toFixed(0)} %`,
        least: 0.6,
        target: '≥ 60 % of split + JSON.parse in the same run',
        note: `${speed(taken.all)}; split ${speed(taken.split)}, split + JSON.parse ${speed(taken.parse)}`,
      },
      {
        what: 'one native line of 64 MiB',
        value: median(taken.long),
        shown: ms(median(taken.long)),
        most: 150,
        target: '≤ 150 ms, the turn goes on',
      },
    ];
  },
};
