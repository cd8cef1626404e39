// limit: 120s
/** Every runner × every fixture × random chunkings: no throw, one end, the contract's order. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../src/contract/event.js';
import { LIMITS } from '../../src/contract/limits.js';
import { turnTools } from '../../src/exec/prepare-tools.js';
import { type Recording, readRecordings } from '../../src/record/recording.js';
import { drift, replay } from '../../src/record/replay.js';
import { runners } from '../../src/registry/registry.js';
import type { Runner } from '../../src/runner/runner.js';
import { lineSplitter } from '../../src/text/lines.js';
import type { ChildHandlers } from '../../src/turn/world.js';
import { orderFault } from '../contract/order.js';
import { withEvents } from './update-fixture.js';

const root = process.env['TURNOUT_ROOT'] ?? '.';

/** The same numbers on every run, so that a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Native lines as bytes in chunks that fall anywhere, through the real splitter. */
function chunked(seed: number): (handlers: ChildHandlers, line: string) => void {
  const next = random(seed);
  return (handlers, line) => {
    const splitter = lineSplitter({
      max: LIMITS.nativeLine,
      onLine: (text) => handlers.line(text),
      onDropped: () => {},
    });
    const bytes = Buffer.from(`${line}\n`);
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + Math.floor(next() * (next() < 0.3 ? 3 : 4096));
      splitter.push(bytes.subarray(at, at + size));
      at += size;
    }
    splitter.end();
  };
}

async function toolsOf(recording: Recording, runner: Runner) {
  const prepared = await turnTools({
    runner,
    request: recording.request,
    machine: recording.machine,
    version: '0.0.0',
    transport: 'none',
    privateDir: () => Promise.reject(new Error('a replay opens no socket')),
    notice: () => {},
  });
  return prepared.tools;
}

const wire = (events: readonly Event[]) => JSON.parse(JSON.stringify(events));

/** After a wanted change: TURNOUT_UPDATE_FIXTURES=1 node test/run.js test/runners/conformance.test.ts, then read the diff. */
const update = process.env['TURNOUT_UPDATE_FIXTURES'] === '1';
/** `TURNOUT_ONLY=ID` looks at one runner alone. */
const only = process.env['TURNOUT_ONLY'];

for (const runner of runners.filter(({ id }) => only === undefined || id === only)) {
  const folder = join(root, 'fixtures', runner.id);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.ndjson')) : [];
  for (const name of names) {
    test(`${runner.id} ${name}`, async () => {
      const text = readFileSync(join(folder, name), 'utf8');
      const turns: Event[][] = [];
      for (const recording of readRecordings(text)) {
        const plain = await replay(recording, runner, { tools: await toolsOf(recording, runner) });
        turns.push(plain.events);
        assert.is(orderFault(wire(plain.events)), null);
        const last = plain.events.at(-1);
        assert.is(last?.type === 'done' && last.exit_code, plain.exitCode);
        for (const event of plain.events) {
          // An end promises no other try, however the runtime had announced one.
          if (event.type === 'error') assert.not.match(event.message, /\b(?:tries again|Reconnecting\.\.\.)/);
        }
        for (const event of plain.events) assert.ok(Buffer.byteLength(JSON.stringify(event)) < LIMITS.eventLine);
        for (let seed = 1; seed <= 5; seed++) {
          const cut = await replay(recording, runner, { tools: await toolsOf(recording, runner), feed: chunked(seed) });
          assert.is(drift(plain.events, cut.events), null, `chunking ${seed} changes the events`);
        }
        const told = recording.entries.flatMap((entry) => (entry.k === 'event' ? [entry.event] : []));
        // One that came from a capture may hold the native side alone.
        if (told.length > 0 && !update)
          assert.equal(drift(told, plain.events), null, 'the translator drifted from the recording');
      }
      if (update) writeFileSync(join(folder, name), withEvents(text, turns));
    });
  }
}

test.run();
