import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toolbox } from '../../src/tools/toolbox.js';

const tool = (name: string, schema = {}) => ({ name, description: `${name}.`, schema });

test('names that a transport takes stay, others get an alias that leads back', async () => {
  const names = [
    'plain',
    '../etc/passwd',
    '$(rm -rf ~)',
    'ünïcode',
    'a'.repeat(128),
    'a'.repeat(127),
    '1st',
    'plain_',
    'with space',
  ];
  const box = await toolbox(
    names.map((name) => tool(name)),
    () => {},
  );
  const offered = box.offered.map((one) => one.name);
  assert.is(new Set(offered).size, names.length);
  for (const name of offered) assert.match(name, /^[A-Za-z][A-Za-z0-9_-]{0,47}$/);
  assert.equal(
    offered.map((name) => box.declared(name)),
    names,
  );
  assert.is(offered[0], 'plain');
  assert.is(box.declared('nothing'), undefined);
});

test('an alias never takes the name of a declared tool', async () => {
  const box = await toolbox([tool('a/b'), tool('a_b')], () => {});
  assert.is(box.declared('a_b'), 'a_b');
  assert.is(box.declared(box.offered[0]?.name ?? ''), 'a/b');
});

test('a violation says where and what to do, for both drafts', async () => {
  const schema = {
    properties: { nodes: { type: 'array', items: { type: 'object', required: ['id'], additionalProperties: false } } },
    required: ['nodes'],
  };
  for (const $schema of ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema']) {
    const box = await toolbox([tool('add', { $schema, ...schema })], () => {});
    assert.is(box.violation('add', { nodes: [] }), null);
    assert.match(box.violation('add', {}) ?? '', /nodes.*call add again/);
    assert.match(box.violation('add', { nodes: [{ id: 1, x: 2 }] }) ?? '', /arguments\/nodes\/0.*"x"/);
  }
});

test('formats and unknown keywords are not asserted', async () => {
  const box = await toolbox(
    [tool('add', { properties: { at: { type: 'string', format: 'date' } }, 'x-mine': true })],
    () => {},
  );
  assert.is(box.violation('add', { at: 'not a date' }), null);
});

test('a schema that does not compile is told once and its arguments pass', async () => {
  const told: string[] = [];
  const box = await toolbox([tool('add', { properties: { a: { $ref: '#/nowhere' } } })], (_code, message) =>
    told.push(message),
  );
  assert.is(box.violation('add', { a: 1 }), null);
  assert.is(box.violation('add', {}), null);
  assert.is(told.length, 1);
  assert.match(told[0] ?? '', 'add');
});

test('schemas with the same $id do not meet', async () => {
  const box = await toolbox(
    [tool('a', { $id: 'x', required: ['a'] }), tool('b', { $id: 'x', required: ['b'] })],
    () => {},
  );
  assert.is(box.violation('b', { b: 1 }), null);
  assert.ok(box.violation('a', { b: 1 }));
});

test.run();
