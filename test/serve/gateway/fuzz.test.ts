// limit: 240s
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { METHODS, PI } from '../../../src/serve/gateway/methods.js';
import { start } from '../../runs/fake-turn.js';
import { codeOf, isRequest, room, session, turn } from './client.js';
import { paramsFault } from './frames.js';

const FRAMES = 20_000;
const LONG = 'x'.repeat(1024 * 1024);

/** Numbers that look random and are the same each time. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

const JUNK: Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'purple',
  'always',
  '\u0000\u2028',
  '__proto__',
  '../../etc/passwd',
  [],
  [null],
  [[['x']]],
  {},
  { toString: 1 },
  { choice: 'allow_once' },
];

test('whatever 20,000 frames hold, each request is answered once and nothing is allowed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-gateway-'));
  const on = room({ ambient: { XDG_STATE_HOME: folder } });
  const one = on.join();
  const id = await session(one);
  await one.ask('prompt.submit', { session_id: id, text: 'clean up' });
  await on.begun(1);
  on.turns[0]?.emit(start);
  let asked = 0;
  /** One more that waits, since some junk denies what is open. */
  function ask(): void {
    asked += 1;
    on.turns[0]?.emit({
      v: 1,
      type: 'permission_request',
      id: `pr_${asked}`,
      name: 'bash',
      kind: 'shell',
      input: { command: `rm -rf ${asked}` },
      choices: ['allow_once', 'allow_session', 'deny'],
    });
  }
  ask();
  let question = (await one.until(isRequest))['id'] ?? null;

  const pick = dice(11);
  const names = [...Object.keys(METHODS), ...Object.keys(PI), 'nope', 'constructor', 'hasOwnProperty'];
  const junk = (): Json => (pick(400) === 0 ? LONG : (JUNK[pick(JUNK.length)] ?? null));
  const sent = new Map<string, { method: string; params: Json }>();
  const before = one.frames.length;
  const answers = new Map<Json, number>();
  let read = before;
  /** Keeps the memory of the test small. */
  function collect(): void {
    for (; read < one.frames.length; read += 1) {
      const frame = one.frames[read];
      if (frame && isRequest(frame)) question = frame['id'] ?? null;
      if (!frame || 'method' in frame) continue;
      const key = frame['id'] ?? null;
      answers.set(key, (answers.get(key) ?? 0) + 1);
      const was = typeof key === 'string' ? sent.get(key) : undefined;
      // What is taken is what the schema says, and what it does not say is refused.
      if (!was || !Object.hasOwn(METHODS, was.method)) continue;
      const wrong = paramsFault(was.method, was.params) !== null;
      assert.is(wrong && !('error' in frame), false, JSON.stringify([was, frame]).slice(0, 500));
      sent.delete(String(key));
    }
    one.frames.splice(before, read - before);
    read = before;
  }
  let requests = 0;
  for (let count = 0; count < FRAMES; count += 1) {
    const method = names[pick(names.length)] ?? '';
    const known = Object.hasOwn(METHODS, method) ? Object.keys(METHODS[method]?.params ?? {}) : ['session_id', 'text'];
    const params: JsonObject = {};
    for (const key of known) if (pick(2) === 0) params[key] = key === 'session_id' && pick(2) === 0 ? id : junk();
    const kind = pick(20);
    if (kind === 0) one.raw(JSON.stringify(junk()));
    else if (kind === 1) one.raw(JSON.stringify({ id: question, result: junk() }));
    else {
      requests += 1;
      const name = `f${requests}`;
      const given = kind === 2 ? junk() : params;
      sent.set(name, { method, params: given });
      one.raw(JSON.stringify({ jsonrpc: '2.0', id: name, method, params: given }));
    }
    if (count % 100 !== 0) continue;
    while (one.peer.full) await one.peer.room();
    ask();
    await turn();
    collect();
  }
  await one.peer.idle();
  collect();
  for (let number = 1; number <= requests; number += 1)
    assert.is(answers.get(`f${number}`), 1, `f${number} was answered ${answers.get(`f${number}`)} times`);
  const given = on.turns.flatMap(({ frames }) => frames.flatMap((frame) => ('choice' in frame ? [frame.choice] : [])));
  assert.equal(
    given.filter((choice) => choice !== 'deny'),
    [],
  );
  assert.equal(on.complaints, []);
  assert.is(codeOf(await one.call('ping')), undefined);
  rmSync(folder, { recursive: true, force: true });
});

test.run();
