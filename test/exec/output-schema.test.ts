import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import type * as Library from '../../src/index.js';
import { demo, run } from '../contract/cli.js';
import { orderFault } from '../contract/order.js';
import { checkEvent } from '../contract/schema-files.js';

const home = mkdtempSync(join(tmpdir(), 'turnout-schema-'));
const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const { exec, UsageError }: typeof Library = await import(pathToFileURL(join(root, 'dist', 'index.js')).href);

const file = (name: string, value: unknown) => {
  writeFileSync(join(home, name), typeof value === 'string' ? value : JSON.stringify(value));
  return join(home, name);
};
const schema = file('s.json', { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] });
const ask = (prompt: string, ...more: string[]) =>
  demo(prompt, ['--output-schema', schema, ...more], { stdin: 'ignore' }).ended;

test('a valid answer is parsed, its text is the output', async () => {
  const { code, events } = await ask('json {"a":1}');
  assert.is(code, 0);
  const result = events.find(({ type }) => type === 'result');
  assert.equal([result?.['structured'], result?.['output']], [{ a: 1 }, '{"a":1}']);
});

test('a wrong one is repaired in the same session, as one turn in order', async () => {
  const { code, events, lines } = await ask('json {"a":"x"} else {"a":2}');
  assert.is(code, 0, lines.join('\n'));
  assert.is(orderFault(events), null);
  for (const event of events) assert.is(checkEvent(event), null);
  assert.is(events.filter(({ type }) => type === 'session').length, 1);
  assert.equal(events.find(({ type }) => type === 'result')?.['structured'], { a: 2 });
  assert.equal(events.at(-1)?.['exit_code'], 0);
});

test('one that never fits is output-schema, exit 1, without a result', async () => {
  const { code, events } = await ask('json {"a":"x"} else {"a":"y"}');
  assert.is(code, 1);
  assert.is(events.at(-2)?.['code'], 'output-schema');
  assert.not.ok(events.some(({ type }) => type === 'result'));
});

test('a turn with a repair is recorded and replayed without drift', async () => {
  const record = join(home, 'r.ndjson');
  assert.is((await ask('json {"a":"x"} else {"a":2}', '--record', record)).code, 0);
  const { code, stderr } = await run(['agent', 'replay', record], { stdin: 'ignore' }).ended;
  assert.is(code, 0, stderr);
  const played = await run(['agent', 'exec', '--runtime', `replay:${record}`, '--prompt', 'x', '--speed', 'max'], {
    stdin: 'ignore',
  }).ended;
  assert.equal(played.events.find(({ type }) => type === 'result')?.['structured'], { a: 2 });
});

test('a file that is no schema is a usage error', async () => {
  for (const [name, content, message] of [
    ['no.json', 'nonsense', /not valid JSON/],
    ['list.json', '[]', /expected a JSON Schema object/],
    ['bad.json', '{"type":"nonsense"}', /not a JSON Schema/],
  ] as const) {
    const { code, lines, stderr } = await demo('x', ['--output-schema', file(name, content)], { stdin: 'ignore' })
      .ended;
    assert.equal([code, lines], [2, []]);
    assert.match(stderr, message);
  }
});

test('the library takes Zod, and gives the parsed value', async () => {
  const outputSchema = z.object({ a: z.number() });
  const env = { XDG_STATE_HOME: home };
  const result = await exec({ runtime: 'demo', prompt: 'json {"a":1}', env, outputSchema }).result();
  assert.equal(result.structured, { a: 1 });
  const bad = exec({ runtime: 'demo', prompt: 'say no', env, outputSchema: { type: 'nonsense' } });
  const thrown = await bad.result().catch((error: unknown) => error);
  assert.ok(thrown instanceof UsageError);
  assert.equal([thrown.path, thrown.rule], ['outputSchema', 'schema']);
  await bad[Symbol.asyncIterator]()
    .next()
    .then(
      () => assert.unreachable(),
      (error: unknown) => assert.is(error, thrown),
    );
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
