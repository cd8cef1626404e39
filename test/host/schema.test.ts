import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { UsageError } from '../../src/contract/error.js';
import { answerText, tool, toolDefinitions } from '../../src/host/tools.js';
import { place } from '../../src/request/place.js';
import { parse, type StandardSchema, toJsonSchema } from '../../src/request/schema.js';
import { asOptions } from '../../src/request/spelling.js';
import { call, settled, stage } from './stage.js';

test('a Zod schema is written as JSON Schema', () => {
  const told = toJsonSchema(
    z.object({ count: z.number().int().min(1), label: z.string().optional() }),
    place(asOptions, ['x']),
  );
  assert.is(told['type'], 'object');
  assert.equal(told['required'], ['count']);
});

test('plain JSON Schema is taken as it is, as a copy', () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } } };
  const told = toJsonSchema(schema, place(asOptions, ['x']));
  assert.equal(told, schema);
  assert.is.not(told, schema);
});

test('what is no schema, or can not be told as one, is a usage error that names it', () => {
  const old: StandardSchema = { '~standard': { version: 1, vendor: 'zod', validate: (value) => ({ value }) } };
  assert.throws(
    () => toJsonSchema(old, place(asOptions, ['tools', 'add', 'schema'])),
    /tools\.add\.schema: .*Zod 4\.2/,
  );
  assert.throws(
    () => toJsonSchema(z.object({ when: z.date() }), place(asOptions, ['x'])),
    /can't be written as JSON Schema/,
  );
  for (const nonsense of [null, 3, 'text', []]) {
    assert.throws(
      () => toJsonSchema(nonsense, place(asOptions, ['x'])),
      (error: unknown) => error instanceof UsageError,
    );
  }
});

test('arguments go through the schema: defaults are filled in, faults are told with their place', async () => {
  const schema = z.object({ list: z.array(z.object({ n: z.number() })), word: z.string().default('x') });
  assert.equal(await parse(schema, { list: [] }), { value: { list: [], word: 'x' } });
  const bad = await parse(schema, { list: [{ n: 'no' }] });
  assert.match(JSON.stringify(bad), /list\.0\.n: /);
});

test('a handler gets what its Zod schema made of the arguments, with its type', async () => {
  const seen: string[] = [];
  const shout = tool({
    description: 'a tool of the test',
    schema: z.object({ word: z.string().transform((word) => word.toUpperCase()) }),
    run({ word }) {
      // Checked by the compiler: `word` is a string here.
      seen.push(word.padEnd(6, '!'));
    },
  });
  const { listener } = stage({ tools: { shout } });
  listener.event(call('tc_1', 'shout', { word: 'hello' }));
  await settled();
  assert.equal(seen, ['HELLO!']);
});

test('a tool that can not be declared is a usage error', () => {
  const run = () => '';
  assert.throws(() => toolDefinitions({ '': { description: 'a tool of the test', run } }), /1 to 128/);
  assert.throws(
    () => toolDefinitions({ a: { description: 'a tool of the test', run, schema: { type: 'array' } } }),
    /tools\.a\.schema\.type: arguments are an object/,
  );
  assert.throws(() => toolDefinitions({ a: JSON.parse('{"description":""}') }), /tools\.a\.run/);
  assert.equal(toolDefinitions({ a: { description: 'a tool of the test', run } }), [
    { name: 'a', description: 'a tool of the test', schema: { type: 'object' } },
  ]);
});

test('an answer becomes text', () => {
  assert.is(answerText('as it is'), 'as it is');
  assert.is(answerText({ text: 'inner' }), 'inner');
  assert.is(answerText({ text: 'a', more: 1 }), '{"text":"a","more":1}');
  assert.is(answerText([1, null]), '[1,null]');
  assert.is(answerText(undefined), '');
  assert.is(answerText(null), 'null');
});

test.run();
