import { Writable } from 'node:stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../src/contract/event.js';
import { eventWriter } from '../../src/output/event-writer.js';

const event = (text: string): Event => ({ v: 1, type: 'assistant', text, message_id: 'm1' });

/** A reader that takes one write at a time, when told to. */
function slowReader() {
  const taken: string[] = [];
  let next: ((error?: Error | null) => void) | null = null;
  const sink = new Writable({
    decodeStrings: false,
    highWaterMark: 1024,
    write(chunk, _encoding, done) {
      taken.push(String(chunk));
      next = done;
    },
  });
  return {
    sink,
    taken,
    take(error?: Error) {
      const done = next;
      next = null;
      done?.(error);
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('writes one JSON object a line', async () => {
  const reader = slowReader();
  const writer = eventWriter(reader.sink);
  writer.write(event('a\u2028b'));
  assert.equal(reader.taken, ['{"v":1,"type":"assistant","text":"a\\u2028b","message_id":"m1"}\n']);
});

test('counts bytes, not characters, until they are taken', async () => {
  const reader = slowReader();
  const writer = eventWriter(reader.sink);
  writer.write(event('ü'));
  assert.is(writer.pending, Buffer.byteLength(reader.taken[0] ?? ''));
  await reader.take();
  assert.is(writer.pending, 0);
});

test('asks for a pause above 256 KiB and resumes once most is taken', async () => {
  const reader = slowReader();
  const calls: string[] = [];
  const writer = eventWriter(reader.sink, { onPause: () => calls.push('pause'), onResume: () => calls.push('resume') });
  for (let i = 0; i < 3; i++) writer.write(event('x'.repeat(100_000)));
  assert.equal(calls, ['pause']);
  for (let i = 0; i < 2; i++) await reader.take();
  assert.equal(calls, ['pause']);
  await reader.take();
  assert.equal(calls, ['pause', 'resume']);
});

test('what waits for a busy reader leaves in larger pieces, in order', async () => {
  const reader = slowReader();
  const writer = eventWriter(reader.sink);
  for (let i = 0; i < 5000; i++) writer.write(event(String(i)));
  let flushed = false;
  const flush = writer.flush().then(() => {
    flushed = true;
  });
  while (!flushed) await reader.take();
  await flush;
  assert.ok(reader.taken.length < 10, String(reader.taken.length));
  const texts = reader.taken.join('').trimEnd().split('\n');
  assert.ok(texts.every((line, index) => JSON.parse(line).text === String(index)) && texts.length === 5000);
});

test('flush waits for a slow reader and says that all was taken', async () => {
  const reader = slowReader();
  const writer = eventWriter(reader.sink);
  writer.write(event('one'));
  writer.write(event('two'));
  let flushed: boolean | null = null;
  const flush = writer.flush().then((all) => (flushed = all));
  await reader.take();
  assert.is(flushed, null);
  await reader.take();
  await flush;
  assert.is(flushed, true);
});

test('a bounded flush gives up on a reader that stalls', async () => {
  const reader = slowReader();
  const writer = eventWriter(reader.sink);
  writer.write(event('never taken'));
  assert.is(await writer.flush(5), false);
});

test('a flush with nothing pending is immediate', async () => {
  assert.is(await eventWriter(slowReader().sink).flush(), true);
});

test('a broken reader is told once, later events are dropped and waiting ends', async () => {
  const reader = slowReader();
  const told: string[] = [];
  const writer = eventWriter(reader.sink, { onBroken: (error) => told.push(error.message) });
  writer.write(event('one'));
  writer.write(event('two'));
  const flush = writer.flush();
  await reader.take(new Error('EPIPE'));
  assert.is(await flush, false);
  writer.write(event('three'));
  await reader.take();
  assert.equal(told, ['EPIPE']);
  assert.is(writer.broken, true);
  assert.is(writer.pending, 0);
  assert.is(reader.taken.length, 1);
});

test('a sink that throws counts as broken', () => {
  const told: string[] = [];
  const sink = {
    write(): boolean {
      throw new Error('ENOSPC');
    },
    on() {},
  };
  const writer = eventWriter(sink, { onBroken: (error) => told.push(error.message) });
  writer.write(event('one'));
  assert.equal(told, ['ENOSPC']);
  assert.is(writer.broken, true);
});

test.run();
