// limit: 120s
/** Every runner × every fixture × random chunkings: no throw, one end, the contract's order. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../src/contract/event.js';
import { LIMITS } from '../../src/contract/limits.js';
import { turnTools } from '../../src/exec/turn-tools.js';
import { type Recording, readRecordings } from '../../src/record/recording.js';
import { drift, replay } from '../../src/record/replay.js';
import { runners } from '../../src/registry/registry.js';
import type { Runner } from '../../src/runner/runner.js';
import { lineSplitter } from '../../src/text/lines.js';
import type { ChildEars } from '../../src/turn/world.js';
import { orderFault } from '../contract/order.js';

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
function chunked(seed: number): (ears: ChildEars, line: string) => void {
  const next = random(seed);
  return (ears, line) => {
    const splitter = lineSplitter({ max: LIMITS.nativeLine, onLine: (text) => ears.line(text), onDropped: () => {} });
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

for (const runner of runners) {
  const folder = join(root, 'fixtures', runner.id);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.ndjson')) : [];
  for (const name of names) {
    test(`${runner.id} ${name}`, async () => {
      const meta = JSON.parse(readFileSync(join(folder, name.replace(/\.ndjson$/, '.meta.json')), 'utf8'));
      assert.type(meta.recorded, 'boolean');
      for (const recording of readRecordings(readFileSync(join(folder, name), 'utf8'))) {
        const plain = await replay(recording, runner, { tools: await toolsOf(recording, runner) });
        assert.is(orderFault(wire(plain.events)), null);
        const last = plain.events.at(-1);
        assert.is(last?.type === 'done' && last.exit_code, plain.exitCode);
        for (const event of plain.events) assert.ok(Buffer.byteLength(JSON.stringify(event)) < LIMITS.eventLine);
        for (let seed = 1; seed <= 5; seed++) {
          const cut = await replay(recording, runner, { tools: await toolsOf(recording, runner), feed: chunked(seed) });
          assert.is(drift(plain.events, cut.events), null, `chunking ${seed} changes the events`);
        }
        const told = recording.entries.flatMap((entry) => (entry.k === 'event' ? [entry.event] : []));
        if (meta.recorded) assert.equal(drift(told, plain.events), null, 'the translator drifted from the recording');
      }
    });
  }
}

test('every runner is complete data', () => {
  const ids = new Set<string>();
  for (const runner of runners) {
    for (const name of [runner.id, ...(runner.aliases ?? [])]) {
      assert.match(name, /^[a-z][a-z0-9-]*$/);
      assert.not.ok(ids.has(name), `${name} is taken twice`);
      ids.add(name);
    }
    assert.ok(runner.title && runner.installHint && runner.transport, runner.id);
    assert.ok(Object.keys(runner.access).length > 0 || runner.unsupported, `${runner.id} has no access level`);
    if (!runner.builtin) assert.ok(runner.bins.length > 0, `${runner.id} has no program`);
  }
});

test.run();
