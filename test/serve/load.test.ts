// limit: 400s
import { connect } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';
import { isType, leftovers, run } from '../contract/cli.js';
import { ask, eventsOf, serve } from './server.js';

const STALL_MS = 3000;
/** 20 times 1024 deltas. */
const MANY = Array(20).fill('long').join(' then ');
const http = ['--transport', 'http', '--port', '0', '--auth-token', 's3cret', '--store', 'memory'];

const seqsOf = (answer: readonly JsonObject[]) => answer.filter(isKind('event')).map((line) => Number(line['seq']));
const isKind = (kind: string) => (line: JsonObject) => line['kind'] === kind;

const objects = (line: string): JsonObject[] => {
  const value = parseObject(line);
  return value ? [value] : [];
};

/** One request over HTTP by a reader that, after its first bytes, takes nothing for a while. */
function stalling(at: string, body: JsonObject): Promise<JsonObject[]> {
  const { port } = new URL(at);
  const text = JSON.stringify(body);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `POST /v1/agent HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer s3cret\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
  let all = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    if (all === '') {
      socket.pause();
      setTimeout(() => socket.resume(), STALL_MS);
    }
    all += part;
  });
  return new Promise((resolve) => socket.on('close', () => resolve(all.split('\n').flatMap(objects))));
}

test('20,000 events to a reader that stalls: none lost, none twice', async () => {
  const server = await serve(http);
  const answer = await stalling(server.at, { op: 'exec', runtime: 'demo', prompt: MANY });
  const seqs = seqsOf(answer);
  assert.ok(seqs.length > 20_000, `${seqs.length} events`);
  assert.is(
    seqs.findIndex((seq, index) => seq !== index + 1),
    -1,
  );
  assert.equal(answer.filter(isKind('gap')), []);
  assert.equal([answer.at(-1)?.['exit_code'], answer.at(-2)?.['last_seq']], [0, seqs.length]);
  await server.stop();
});

test('a reader whose connection is cut again and again goes on from its cursor', async () => {
  const server = await serve(http);
  const [begun] = await ask(server.at, { op: 'exec', runtime: 'demo', prompt: MANY, detach: true });
  const run_id = String(begun?.['run_id']);
  const seqs: number[] = [];
  let cuts = 0;
  for (let done = false; !done; ) {
    const cut = new AbortController();
    const response = await fetch(`${server.at}/v1/agent`, {
      method: 'POST',
      body: JSON.stringify({ op: 'events', run_id, since: seqs.at(-1) ?? 0, follow: true }),
      headers: { authorization: 'Bearer s3cret', 'content-type': 'application/json' },
      signal: cut.signal,
    });
    const until = seqs.length + 5000;
    let rest = '';
    try {
      for await (const part of response.body ?? []) {
        const parts = (rest + Buffer.from(part).toString('utf8')).split('\n');
        rest = parts.pop() ?? '';
        const answer = parts.flatMap(objects);
        seqs.push(...seqsOf(answer));
        done ||= answer.some(isKind('done'));
        if (seqs.length > until && !done) cut.abort();
      }
    } catch (error) {
      if (!cut.signal.aborted) throw error;
      cuts += 1;
    }
  }
  assert.ok(cuts >= 3, `${cuts} cuts`);
  assert.ok(seqs.length > 20_000);
  assert.is(
    seqs.findIndex((seq, index) => seq !== index + 1),
    -1,
  );
  await server.stop();
});

test('200 runs at once are all answered, ten at a time', async () => {
  const running = run(['agent', 'serve', '--store', 'memory']);
  for (let id = 1; id <= 200; id++) running.send({ op: 'exec', runtime: 'demo', prompt: `say number ${id}`, id });
  running.closeStdin();
  const { code, events, stderr } = await running.ended;
  assert.equal([code, stderr], [0, '']);
  for (let id = 1; id <= 200; id++) {
    const own = events.filter((line) => line['id'] === id);
    assert.is(own.at(-2)?.['text'], `number ${id}`);
    assert.is(own.at(-1)?.['exit_code'], 0);
    assert.is(eventsOf(own).filter(isType('done')).length, 1);
  }
  assert.equal(await leftovers(running.place.mark), []);
});

test.run();
